"""A question for review: what it is about, and which decisions are possible."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import FactId
from recollect.model.review_ids import ACCEPTED, ReviewId

ReviewKind = Literal["conflict", "duplicate", "ambiguous", "finding"]
REVIEW_KINDS: tuple[ReviewKind, ...] = ("conflict", "duplicate", "ambiguous", "finding")

KEEP_A, KEEP_B, BOTH, DISMISS = "keep_a", "keep_b", ACCEPTED, "dismiss"
MERGE, NOT_SAME = "merge", "not_same"
NEW = "new"
CONFLICT_CHOICES = (KEEP_A, KEEP_B, BOTH, DISMISS)
DUPLICATE_CHOICES = (MERGE, NOT_SAME, DISMISS)


class Risk:
    """How much harm an undecided question does; the lowest number is asked first."""

    SINGLE_VALUE = 0
    DISPUTE = 1
    EQUAL_TIME = 2
    HELD_FACT = 3
    CLOSING = 4
    SAME_NAME = 5
    NEAR_NAME = 6
    PREDICATES = 7
    ERROR = 8
    WARNING = 9


class PredicateUse(NamedTuple):
    """A predicate, and how many facts use it."""

    name: str
    facts: int


ReviewPart = FactId | Entity | PredicateUse


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """One question. `text` is what a held fact claims or a finding says; `about` is the fact in question."""

    id: ReviewId
    kind: ReviewKind
    choices: tuple[str, ...]
    risk: int
    a: ReviewPart | None = None
    b: ReviewPart | None = None
    candidates: tuple[ReviewPart, ...] = ()
    about: FactId | None = None
    text: str = ""

    @property
    def order(self) -> tuple[int, str]:
        return self.risk, str(self.id)
