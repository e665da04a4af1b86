"""Rules of English times are tried only at the words that they may begin with."""

from random import Random

from recollect.when.english.ranges import RULES, SINGLE
from recollect.when.english.rules import FIGURES, Reading
from recollect.when.english.sentence import sentence_of

ALL = (*RULES, *SINGLE)
EXAMPLES = " ".join(rule.read.__doc__ or "" for rule in ALL).replace(".", " ").split()
SENTENCES = 8_000


def test_no_rule_reads_a_time_at_a_word_that_it_is_not_listed_under() -> None:
    chance = Random(3)
    matched: set[Reading] = set()
    for number in range(SENTENCES):
        start = number % len(EXAMPLES)
        words = [*EXAMPLES[start : start + chance.randint(1, 6)], *chance.choices(EXAMPLES, k=3)]
        s = sentence_of(" ".join(words), 20_000, chance.choice(("past", "future")))
        first = FIGURES if s.word(0).isdecimal() else s.word(0)
        for rule in ALL:
            if rule.read(s, 0) is not None:
                matched.add(rule.read)
                assert not rule.words or first in rule.words, f"{rule.read.__name__} reads {' '.join(words)!r}"
    assert len(matched) > len(ALL) - 4
