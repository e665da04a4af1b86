"""A fact of a line, read into types: ends by name, times as texts."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from recollect.ingest.fields import Fields
from recollect.ingest.named import cached, end_of
from recollect.ingest.problems import BadLine
from recollect.model.certainty import CERTAINTIES, SOURCE_KINDS, Certainty, Sureness, how_sure
from recollect.model.fact import LABELS, NOTHING, Label
from recollect.model.vocabulary import PREDICATE_LIMIT
from recollect.write.ends import End

VISIBILITIES = ("public", "common", "private", "secret")


class Kind(NamedTuple):
    """What of a fact is a choice among few, and so the same in many lines."""

    label: Label | None
    fact_type: str | None
    predicate: str | None
    sure: Sureness


class Details(NamedTuple):
    """What few facts say of themselves."""

    valid_from: str | None = None
    valid_until: str | None = None
    quote: str | None = None
    supersedes: str | None = None
    source_at: str | None = None
    source_url: str | None = None


class FactPart(NamedTuple):
    subject: End
    target: End | str | None
    kind: Kind
    words: str | None
    attributes: Mapping[str, Any]
    details: Details


NO_DETAILS = Details()
_KIND_KEYS = tuple("edge_label fact_type predicate source_kind confidence".split())
_PLAIN_KEYS = frozenset({*_KIND_KEYS, "from", "to", "fact"})
_FACT_KEYS = frozenset({*_PLAIN_KEYS, *Details._fields, "attributes", "visibility", "known_to"})


def fact_of(value: Any) -> FactPart:
    """What one fact of a line says."""
    fields = Fields(value, "")
    values = fields.values
    is_plain = values.keys() <= _PLAIN_KEYS
    if not is_plain:
        fields.only(_FACT_KEYS)
    subject = end_of(values.get("from"), ".from")
    if not isinstance(subject, End):
        raise BadLine(".from", "should be a name or an object with a name")
    return FactPart._make(
        (
            subject,
            end_of(values.get("to"), ".to"),
            cached(_kind, *map(values.get, _KIND_KEYS)),
            fields.text("fact"),
            NOTHING if is_plain else {**fields.table("attributes"), **audience(fields)},
            NO_DETAILS if is_plain else Details._make(fields.many(Details._fields)),
        )
    )


@lru_cache(1024, typed=True)
def _kind(*given: Any) -> Kind:
    fields = Fields(dict(zip(_KIND_KEYS, given, strict=True)), "")
    certainty, confidence = _confidence(fields)
    return Kind(
        fields.word("edge_label", LABELS),
        fields.short("fact_type", PREDICATE_LIMIT),
        fields.short("predicate", PREDICATE_LIMIT),
        how_sure(certainty, fields.word("source_kind", SOURCE_KINDS), confidence),
    )


def _confidence(fields: Fields) -> tuple[Certainty | None, float | None]:
    value = fields.values.get("confidence")
    if value is None:
        return None, None
    if isinstance(value, str):
        return fields.word("confidence", CERTAINTIES), None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise BadLine(f"{fields.path}.confidence", f"should be one of {', '.join(CERTAINTIES)}, or a number 0..1")
    return None, float(value)


def audience(fields: Fields) -> dict[str, Any]:
    """Who may know a record or a fact, as far as that is given."""
    given: dict[str, Any] = {}
    if fields.values.get("visibility") is not None:
        given["visibility"] = fields.word("visibility", VISIBILITIES)
    if fields.values.get("known_to") is not None:
        given["known_to"] = list(fields.texts("known_to"))
    return given
