"""Which words a text must have for a pattern to match: `python -m training.pattern_words` writes them.

They are read off each pattern as Python parses it. Of several groups of words of which a match needs one each, the two
are taken that the fewest texts of the training corpus have together. A pattern that is not in the file is simply tried
on every text.
"""

import gc
import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, or_
from re import _constants as re_codes
from re import _parser as re_parser
from typing import Any

import recollect
from recollect.reading.language_table import LANGUAGES, language_table
from recollect.reading.time_grammar import time_grammar
from recollect.text.pattern_prefilter import (
    BESIDE,
    DIGIT,
    LONGEST,
    ODD_LETTERS,
    PREFILTER_FILE,
    PREFIX,
    WHOLE,
    marks_of_word,
    pattern_key,
)
from recollect.text.patterns import LazyPattern
from training.corpus import load_worlds

MOST_SENTENCES = 6_000
LONGEST_RANGE = 32
ROUNDS = 2
"""How often the words of one alternative are chosen anew by those of the others."""
MOST_PAIRED = 8
"""So many of the rarest groups are tried as the first of a pair."""
USEFUL_SHARE = 0.8
"""A group of words that more sentences have than this spares too little."""

Element = tuple[Any, Any]
Marks = frozenset[str]
_REPEATS = (re_codes.MAX_REPEAT, re_codes.MIN_REPEAT, re_codes.POSSESSIVE_REPEAT)
_EDGES = (re_codes.AT_BOUNDARY, re_codes.AT_BEGINNING, re_codes.AT_BEGINNING_STRING, re_codes.AT_END)


@dataclass(slots=True)
class Corpus:
    """Which sentences have a mark, as the bits of a number."""

    count: int
    sentences_of: dict[str, int] = field(default_factory=dict)
    _having_any: dict[Marks, int] = field(default_factory=dict)

    def share(self, *groups: Marks) -> float:
        """How many of the sentences have one of the marks of each group."""
        having = reduce(and_, map(self._having, groups))
        return having.bit_count() / self.count

    def _having(self, marks: Marks) -> int:
        found = self._having_any.get(marks)
        if found is None:
            found = self._having_any[marks] = reduce(or_, (self.sentences_of.get(mark, 0) for mark in marks), 0)
        return found


def read_corpus() -> Corpus:
    texts = [
        each.text for world in load_worlds() for doc in world.docs for unit in doc.units for each in unit.sentences
    ]
    texts = texts[:: max(1, len(texts) // MOST_SENTENCES)]
    corpus = Corpus(len(texts))
    for number, text in enumerate(texts):
        for mark in {mark for word in text.lower().split() for mark in marks_of_word(word)}:
            corpus.sentences_of[mark] = corpus.sentences_of.get(mark, 0) | 1 << number
    return corpus


def needed_marks(source: str, flags: int, corpus: Corpus) -> tuple[Marks, ...]:
    """One or two groups of marks of which every match has one each; none if nothing useful is known."""
    groups = list(_groups(list(re_parser.parse(source, flags)), False, False, corpus))
    pair = _rarest_pair(groups, corpus)
    if not pair or not all(pair) or corpus.share(*pair) > USEFUL_SHARE:
        return ()
    return pair if corpus.share(*pair) < corpus.share(pair[0]) else pair[:1]


def _rarest_pair(groups: Sequence[Marks], corpus: Corpus) -> tuple[Marks, ...]:
    """The two groups that the fewest sentences have together, the rarer one first."""
    ranked = sorted(set(groups), key=lambda each: _rank(each, corpus))
    pairs = ((one, other) for at, one in enumerate(ranked[:MOST_PAIRED]) for other in ranked[at:])
    return min(pairs, key=lambda pair: (corpus.share(*pair), len(pair[1])), default=())


def _rank(group: Marks, corpus: Corpus) -> tuple[float, int, list[str]]:
    return corpus.share(group), len(group), sorted(group)


def _groups(elements: Sequence[Element], left: bool, right: bool, corpus: Corpus) -> Iterator[Marks]:
    """Groups of marks of each of which a match has one; `left` and `right` tell whether a word may go on there."""
    index = 0
    while index < len(elements):
        run = _run(elements, index)
        stop = index + max(len(run), 1)
        is_left = _ends_at_edge(elements[:index], left)
        is_right = _begins_at_edge(elements[stop:], right)
        if run:
            yield frozenset({_mark(run, is_left, is_right)})
        else:
            yield from _groups_of(elements[index], is_left, is_right, corpus)
        index = stop


def _run(elements: Sequence[Element], start: int) -> str:
    """The letters and digits that follow one another from a place on."""
    letters = []
    for element in elements[start:]:
        letter = _letter(element)
        if letter is None or not _is_word_letter(letter):
            break
        letters.append(letter)
    return "".join(letters)


def _letter(element: Element) -> str | None:
    """The one letter, in small form, that an element matches."""
    code, given = element
    if code is re_codes.LITERAL:
        letters = {chr(given).lower()}
    elif code is re_codes.IN and all(kind is re_codes.LITERAL for kind, _ in given):
        letters = {chr(each).lower() for _, each in given}
    else:
        return None
    letter = letters.pop()
    return letter if not letters and len(letter) == 1 and letter not in ODD_LETTERS else None


def _is_word_letter(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _mark(run: str, is_left: bool, is_right: bool) -> str:
    if is_left and is_right and len(run) <= LONGEST:
        return WHOLE + run
    return (PREFIX if is_left else "") + run[:LONGEST]


def _groups_of(element: Element, left: bool, right: bool, corpus: Corpus) -> Iterator[Marks]:
    code, given = element
    if code is re_codes.SUBPATTERN:
        yield from _groups(list(given[-1]), left, right, corpus)
    elif code is re_codes.ATOMIC_GROUP:
        yield from _groups(list(given), left, right, corpus)
    elif code is re_codes.ASSERT_NOT and not given[1]:
        yield frozenset()  # "(?!)" matches nothing, whatever marks a text has
    elif code is re_codes.ASSERT:
        yield from _groups(list(given[1]), left and given[0] > 0, right and given[0] < 0, corpus)
    elif code in _REPEATS:
        least, most, inner = given
        # Letters that come twice at least make a longer piece: "haha".
        rounds = min(least, 2) if len(_run(list(inner), 0)) == len(inner) else min(least, 1)
        yield from _groups(list(inner) * rounds, left and most == 1, right and most == 1, corpus)
    elif code is re_codes.BRANCH:
        yield from _together([list(_groups(list(each), left, right, corpus)) for each in given[1]], corpus)
    elif (found := _needed_of_sign(element)) is not None:
        yield found


def _together(alternatives: Sequence[Sequence[Marks]], corpus: Corpus) -> Iterator[Marks]:
    """One group of each alternative, chosen so that few sentences have any of their marks; then another one of each."""
    if not all(alternatives):
        return
    chosen = _choose(alternatives, corpus)
    yield frozenset().union(*chosen)
    others = [
        [each for each in groups if each != one] or [one] for groups, one in zip(alternatives, chosen, strict=True)
    ]
    if any(one not in groups for groups, one in zip(others, chosen, strict=True)):
        yield frozenset().union(*_choose(others, corpus))


def _choose(alternatives: Sequence[Sequence[Marks]], corpus: Corpus) -> list[Marks]:
    """Of each alternative the group that adds the fewest sentences to those of the others."""
    chosen = [min(groups, key=lambda each: _rank(each, corpus)) for groups in alternatives]
    for _ in range(ROUNDS):
        for at, groups in enumerate(alternatives):
            beside = frozenset().union(*chosen[:at], *chosen[at + 1 :])
            if len(groups) > 1:
                chosen[at] = _cheapest(groups, beside, corpus)
    return chosen


def _cheapest(groups: Sequence[Marks], beside: Marks, corpus: Corpus) -> Marks:
    """The group that adds the fewest sentences to those with other marks."""
    return min(groups, key=lambda each: (corpus.share(beside | each), len(each - beside), sorted(each)))


def _union(groups: Sequence[Marks | None]) -> Marks | None:
    found = [each for each in groups if each is not None]
    return frozenset().union(*found) if len(found) == len(groups) else None


def _needed_of_sign(element: Element) -> Marks | None:
    """A digit, a sign, or one of several letters."""
    code, given = element
    if code is re_codes.LITERAL:
        letter = _letter(element)
        return frozenset({letter}) if letter is not None and not letter.isspace() else None
    if code is not re_codes.IN or any(kind is re_codes.NEGATE for kind, _ in given):
        return None
    return _union([_needed_of_member(kind, each) for kind, each in given])


def _needed_of_member(kind: Any, given: Any) -> Marks | None:
    if kind is re_codes.LITERAL:
        return _needed_of_sign((kind, given))
    is_digit = kind is re_codes.CATEGORY and given is re_codes.CATEGORY_DIGIT
    if is_digit or (kind is re_codes.RANGE and "0" <= chr(given[0]) <= chr(given[1]) <= "9"):
        return frozenset({DIGIT})
    if kind is re_codes.RANGE and given[1] - given[0] < LONGEST_RANGE:
        return _union([_needed_of_sign((re_codes.LITERAL, each)) for each in range(given[0], given[1] + 1)])
    return None


def _ends_at_edge(elements: Sequence[Element], edge: bool) -> bool:
    """Whether no word goes on behind some elements."""
    for element in elements:
        edge = _edge_beside(element, edge, is_behind=True)
    return edge


def _begins_at_edge(elements: Sequence[Element], edge: bool) -> bool:
    for element in reversed(elements):
        edge = _edge_beside(element, edge, is_behind=False)
    return edge


def _edge_beside(element: Element, edge: bool, *, is_behind: bool) -> bool:
    """Whether no word goes on behind an element, or ahead of it, where `edge` tells so of its other side."""
    code, given = element
    side = _ends_at_edge if is_behind else _begins_at_edge
    match code:
        case re_codes.AT:
            return edge or given in _EDGES
        case re_codes.ASSERT:
            return edge
        case re_codes.ASSERT_NOT:
            is_this_side = (given[0] < 0) == is_behind
            return edge or (is_this_side and _is_any_word_letter(list(given[1])))
        case re_codes.SUBPATTERN:
            return side(list(given[-1]), edge)
        case re_codes.ATOMIC_GROUP:
            return side(list(given), edge)
        case re_codes.BRANCH:
            return all(side(list(each), edge) for each in given[1])
        case re_codes.LITERAL:
            return not _is_word_letter(chr(given))
        case re_codes.IN:
            return _has_no_word_letter(given)
    if code in _REPEATS:
        inner = side(list(given[2]), False)
        return (edge and inner) if given[0] == 0 else inner
    return False


def _is_any_word_letter(elements: Sequence[Element]) -> bool:
    """Whether any letter or digit matches: a look for it shows that no word goes on."""
    if len(elements) != 1 or elements[0][0] is not re_codes.IN:
        return False
    return (re_codes.CATEGORY, re_codes.CATEGORY_WORD) in elements[0][1]


def _has_no_word_letter(members: Sequence[Element]) -> bool:
    spaces = (re_codes.CATEGORY_SPACE, re_codes.CATEGORY_NOT_WORD)
    return all(
        (kind is re_codes.LITERAL and not _is_word_letter(chr(each))) or (kind is re_codes.CATEGORY and each in spaces)
        for kind, each in members
    )


def lazy_patterns() -> list[LazyPattern]:
    """Every pattern that reads text, those of the language tables among them."""
    for module in pkgutil.walk_packages(recollect.__path__, "recollect."):
        if module.name.split(".")[1] in ("when", "text", "reading", "reason", "ingest", "model", "search"):
            importlib.import_module(module.name)
    for language in LANGUAGES:
        language_table(language)
        time_grammar(language)
    return [each for each in gc.get_objects() if isinstance(each, LazyPattern)]


def lines() -> list[str]:
    """A line per pattern: its key and the marks that it needs."""
    corpus = read_corpus()
    found = {
        pattern_key(each.source, each.flags_given): needed_marks(each.source, each.flags_given, corpus)
        for each in lazy_patterns()
    }
    return [f"{key} {BESIDE.join(map(_listed, groups))}".rstrip() for key, groups in sorted(found.items())]


def _listed(marks: Marks) -> str:
    return " ".join(sorted(marks))


if __name__ == "__main__":
    PREFILTER_FILE.write_text("\n".join(lines()) + "\n", "utf-8")
