"""Certainty, source kind and confidence of a statement; what is missing is derived from what is given."""

from functools import lru_cache
from typing import Literal, NamedTuple, TypeGuard, get_args

Certainty = Literal["inferred", "stated", "verified", "retracted"]
SourceKind = Literal["extracted", "inferred", "ambiguous"]

INFERRED_BELOW = 0.75
CERTAINTIES: tuple[Certainty, ...] = get_args(Certainty)
SOURCE_KINDS: tuple[SourceKind, ...] = get_args(SourceKind)

_CONFIDENCE_OF_WORD = {"verified": 1.0, "stated": 0.9, "inferred": 0.6, "retracted": 0.0}
_STRENGTH = {"retracted": 0, "inferred": 1, "stated": 2, "verified": 3}


class Confidence(NamedTuple):
    certainty: Certainty
    source_kind: SourceKind
    confidence: float


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a given value is a number; JSON's true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_confidence(value: object) -> TypeGuard[int | float]:
    """Whether a given value is a number from 0 to 1."""
    return is_number(value) and 0 <= value <= 1


@lru_cache(256, typed=True)
def complete_confidence(
    certainty: Certainty | None = None,
    source_kind: SourceKind | None = None,
    confidence: float | None = None,
) -> Confidence:
    """All three values, derived from those given."""
    if certainty is not None:
        implied = Confidence(
            certainty, "inferred" if certainty == "inferred" else "extracted", _CONFIDENCE_OF_WORD[certainty]
        )
    elif source_kind is not None:
        is_inferred = source_kind == "inferred"
        implied = Confidence("inferred" if is_inferred else "stated", source_kind, 0.6 if is_inferred else 0.9)
    elif confidence is not None:
        is_inferred = confidence < INFERRED_BELOW
        implied = Confidence(
            "inferred" if is_inferred else "stated", "inferred" if is_inferred else "extracted", confidence
        )
    else:
        implied = Confidence("stated", "extracted", 0.9)
    return Confidence(
        certainty or implied.certainty,
        source_kind or implied.source_kind,
        implied.confidence if confidence is None else confidence,
    )


def stronger(one: Certainty, other: Certainty) -> Certainty:
    return one if _STRENGTH[one] >= _STRENGTH[other] else other


def first_kind(one: SourceKind, other: SourceKind) -> SourceKind:
    """The first in the order extracted, inferred, ambiguous."""
    return min(one, other, key=SOURCE_KINDS.index)
