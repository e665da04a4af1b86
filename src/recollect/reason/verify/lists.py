"""The words that turn a statement round, and those that say when it holds."""

from collections.abc import Mapping
from functools import cache

from recollect.search.content_words import irregular, token_of

NEGATORS = frozenset("not no never none neither nor without nobody nothing nowhere".split())
NEGATING_PHRASES = (("no", "longer"), ("not", "any", "more"), ("not", "anymore"))
AFFIRMING_PHRASES = (("not", "only"), ("no", "doubt"))
CONNECTIVES = (
    ("instead", "of"),
    ("rather", "than"),
    ("more", "than"),
    ("less", "than"),
    ("ahead", "of"),
    ("over",),
    ("before",),
    ("after",),
    ("behind",),
)
OPPOSITE_CONNECTIVES = frozenset({("before", "after"), ("more", "less"), ("ahead", "behind")})
FORMS_OF_BE = frozenset("is are am was were be been being".split())
QUESTION_OPENERS = frozenset("who whom whose what when where why how which is are was were do does did".split())
PAST_WORDS = frozenset("was were had did formerly previously once ago yesterday".split())
PRESENT_WORDS = frozenset("is are am has have does do now currently still today".split())
SWAPPABLE = frozenset(
    "reports_to manages parent_of child_of part_of belongs_to depends_on blocked_by owns employs precedes "
    "supersedes".split()
)
ALWAYS_EXCLUSIVE = frozenset("born_in born_on died_in died_on founded_in founded_on".split())
NOW_EXCLUSIVE = frozenset("headquartered_in capital_of status due_on price reports_to".split())
NUMBER_WORDS: Mapping[str, int] = {
    word: number
    for number, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty".split(),
        start=2,
    )
}
ORDINALS: Mapping[str, int] = {
    word: number
    for number, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1)
}
MULTIPLIERS: Mapping[str, float] = {
    "k": 1e3, "m": 1e6, "bn": 1e9, "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9,
}  # fmt: skip

_CESSATIVES = "stop cease quit cancel abandon refuse fail"
_ANTONYMS = (
    "approve/reject accept/reject accept/decline approve/deny confirm/deny start/stop begin/end start/end "
    "increase/decrease rise/fall grow/shrink open/close freeze/unfreeze win/lose hire/fire join/leave enable/disable "
    "allow/forbid allow/ban pass/fail succeed/fail buy/sell agree/disagree support/oppose like/dislike love/hate "
    "true/false before/after more/less early/late"
)


@cache
def cessatives() -> frozenset[str]:
    return frozenset(map(token_of, _CESSATIVES.split()))


@cache
def antonyms() -> Mapping[str, frozenset[str]]:
    """For every token its opposites."""
    found: dict[str, set[str]] = {}
    for pair in _ANTONYMS.split():
        one, other = map(token_of, pair.split("/"))
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {token: frozenset(others) for token, others in found.items()}


def is_past_form(word: str) -> bool:
    """Whether a word by itself puts a statement into the past."""
    return word in irregular() or (word.endswith("ed") and len(word) > 3)
