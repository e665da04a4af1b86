"""What differs between two versions of a fact, field by field, as people read it."""

from collections.abc import Mapping
from typing import NamedTuple

from recollect.model.fact import Fact
from recollect.model.ids import EntityId
from recollect.when.period import Time

NONE = "—"


class FieldDifference(NamedTuple):
    """A field with its value before and after."""

    field: str
    before: str
    after: str


def fact_differences(before: Fact, after: Fact, names: Mapping[EntityId, str]) -> tuple[FieldDifference, ...]:
    """The fields that differ; `names` are those of the subjects and objects."""
    one, other = _fields(before, names), _fields(after, names)
    return tuple(FieldDifference(field, one[field], other[field]) for field in one if one[field] != other[field])


def _fields(fact: Fact, names: Mapping[EntityId, str]) -> dict[str, str]:
    target = fact.literal if fact.object is None else names.get(fact.object, fact.object)
    return {
        "subject": names.get(fact.subject, fact.subject),
        "predicate": fact.predicate.replace("_", " "),
        "value": target or NONE,
        "since": _text(fact.valid_from),
        "until": _text(fact.valid_until),
        "state": _state(fact),
        "confidence": f"{fact.confidence:.2f}",
        "sources": str(fact.source_count),
    }


def _text(time: Time | None) -> str:
    return NONE if time is None else time.text


def _state(fact: Fact) -> str:
    if fact.is_retracted:
        return "hidden" if fact.is_hidden else "retracted"
    if fact.stale:
        return "outdated"
    return "disputed" if fact.disputed else "current"
