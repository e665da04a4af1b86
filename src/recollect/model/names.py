"""How names are cleaned, folded, cut into tokens and kept for looking up."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice
from math import comb
from typing import Literal

from recollect.model.ids import EntityId

NameKind = Literal["name", "alias", "email", "domain", "gedcom_id"]

PEOPLE = frozenset({"person", "self", "npc", "pc", "human", "character"})

_TOKEN_BREAK = re.compile(r"[ \-_./]+")
_DIGIT_RUN = re.compile(r"\d+")
_CLOSING = " .,;:!?。、؟۔।"
_UNSEEN = frozenset({"Cc", "Cf", "Zs"})
_VARIANT_LETTERS = 8
_PART_LETTERS = 24
SHORTEST_PART = 2
NAMES_REMEMBERED = 32_768
"""How many names a process keeps the forms of, so that a long ingest folds each of its people once."""


@dataclass(frozen=True, slots=True)
class Name:
    """One text under which one entity is known."""

    entity: EntityId
    type: str
    spelling: str
    kind: NameKind
    folded: str
    key: str


@dataclass(frozen=True, slots=True)
class Types:
    """Which stored types count: those listed, or, when `others` is set, all but those listed."""

    listed: frozenset[str] = frozenset()
    others: bool = True

    def admits(self, type_: str) -> bool:
        return (type_ in self.listed) is not self.others

    def within(self, allowed: frozenset[str]) -> "Types":
        """The types of this choice that are also among the allowed."""
        return Types(allowed - self.listed if self.others else allowed & self.listed, others=False)

    def without(self, barred: frozenset[str]) -> "Types":
        """This choice less the barred types."""
        return Types(self.listed | barred if self.others else self.listed - barred, self.others)


ANY_TYPE = Types()


@lru_cache(NAMES_REMEMBERED)
def clean(text: str) -> str:
    """The text trimmed and with single inner spaces, its spelling kept; empty where nothing of it can be seen."""
    spaced = " ".join(text.split())
    return spaced if spaced.isprintable() or any(unicodedata.category(each) not in _UNSEEN for each in spaced) else ""


@lru_cache(NAMES_REMEMBERED)
def fold(text: str) -> str:
    """The form in which names are equal: NFKC, single spaces, no case."""
    if text.isascii():
        return clean(text.casefold())
    # Case folding can leave a composable pair behind, so the text is composed once more after it.
    return clean(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()))


def fold_words(text: str) -> str:
    """The folded text without the punctuation that closes a sentence."""
    return fold(text).rstrip(_CLOSING)


def tokens(folded: str) -> tuple[str, ...]:
    """The tokens of a folded name, split at spaces, hyphens, underscores, dots and slashes."""
    return tuple(token for token in _TOKEN_BREAK.split(folded) if token)


def token_key(folded: str) -> str:
    """The tokens of a folded name with one space between them."""
    return _TOKEN_BREAK.sub(" ", folded).strip(" ")


def digits(text: str) -> str:
    """The runs of digits in a text, in order, with one space between them."""
    return " ".join(_DIGIT_RUN.findall(text))


def variants(token: str) -> frozenset[str]:
    """What is left of a token's beginning when letters are dropped; near tokens share one.

    Two tokens that may be typing errors of each other (see `resolve`) always share a variant, so an index of
    variants finds them all. The first letter is never dropped, since it must be equal.
    """
    start = token[:_VARIANT_LETTERS]
    left, behind = {start}, len(start) - 1
    for dropped in range(1, _most_dropped(len(token)) + 1):
        # Combinations come in order, so that those with the first letter stand before the others.
        with_first = islice(combinations(start, behind + 1 - dropped), comb(behind, dropped))
        left.update(map("".join, with_first))
    return frozenset(left)


def parts(token: str) -> frozenset[str]:
    """What a token holds behind its beginning, so far as it is looked up; marked, as no token begins so."""
    return frozenset([part_mark(token[at:]) for at in range(1, len(token) - SHORTEST_PART + 1)])


def part_mark(text: str) -> str:
    return f"/{text[:_PART_LETTERS]}"


def vocabulary_of(token: str) -> list[str]:
    """All that a token is found by: itself, what typing errors make of it, and its inner parts."""
    return [*({token} | variants(token) | parts(token))]


def _most_dropped(length: int) -> int:
    # Eight letters may be ten with two typed away, and cutting the beginning off costs both sides a letter each.
    return 0 if length < 4 else 1 if length < 8 else 2
