"""Ids of questions for review: they name what the question is about, so the same question always has the same id."""

from typing import Literal, NamedTuple, get_args

from recollect.model.ids import FactId

QuestionType = Literal["conflict", "duplicate", "predicates", "held", "closing", "finding", "suspect"]
_TYPES: dict[str, QuestionType] = {name: name for name in get_args(QuestionType)}
_PAIRS = frozenset({"conflict", "duplicate", "predicates"})
ACCEPTED = "both"
"""The decision that two conflicting facts are both true."""


class ReviewId(NamedTuple):
    """The type of a question, and the one or two things it is about."""

    type: QuestionType
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return ":".join((self.type, *self.parts))


def pair_id(type_: Literal["conflict", "duplicate", "predicates"], one: str, other: str) -> ReviewId:
    """The id of a question about two things, whichever comes first."""
    return ReviewId(type_, tuple(sorted((one, other))))


def conflict_id(one: FactId, other: FactId) -> str:
    return str(pair_id("conflict", one, other))


def parse_review_id(text: str) -> ReviewId | None:
    """The question of a printed id; none if it is not one."""
    type_, *parts = text.strip().split(":")
    if type_ not in _TYPES or len(parts) != (2 if type_ in _PAIRS else 1) or not all(parts):
        return None
    return ReviewId(_TYPES[type_], tuple(parts))
