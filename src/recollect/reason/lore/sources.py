"""Who says a relation: how sure each source is, how far it is trusted, and what it is called."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.model.certainty import Certainty
from recollect.model.fact import Fact
from recollect.model.ids import AssertionId, DocumentId, FactId
from recollect.store.port import Row
from recollect.store.rows import read_json
from recollect.when.instant import Instant

RELIABILITY: Mapping[str, float] = {
    "canonical": 1.0,
    "factional": 0.75,
    "rumor": 0.5,
    "dialogue": 0.4,
    "fanon": 0.3,
}
VISIBILITIES = ("public", "common", "private", "secret")
VISIBILITY_KEYS = frozenset({"visibility", "known_to", "shared"})

_SPOKEN_KINDS = frozenset({"dialogue", "encounter"})
_TOOL_PREFIX = "tool:"


class LoreSource(NamedTuple):
    """One assertion of a relation and the document behind it, if there is one."""

    fact: FactId
    assertion: AssertionId
    source_at: Instant
    tx: int
    document: DocumentId | None
    key: str
    given: str | None
    url: str | None
    quote: str | None
    surface: str
    actor: str
    extraction: float
    certainty: Certainty
    valid_from: str | None
    valid_until: str | None
    document_kind: str | None
    document_type: str | None
    title: str | None
    properties: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The document's title, its key if it has none; by hand the source that was given, or the tool and its user."""
        if self.document is None and self.given:
            return self.given
        if self.document is None and self.key.startswith(_TOOL_PREFIX):
            return f"{self.key} by {self.actor}"
        return self.title or self.key

    @property
    def reliability(self) -> float:
        """How far the source is to be trusted, 0 to 1."""
        if not self.properties and not is_spoken_source(self.document_kind, self.document_type):
            return 1.0
        given = self.properties.get("reliability")
        if isinstance(given, int | float) and not isinstance(given, bool):
            return float(given)
        return RELIABILITY[reliability_of(self.document_kind, self.document_type, self.properties)]

    @property
    def confidence(self) -> float:
        return round(self.extraction * self.reliability, 4)


def parse_source_row(row: Row) -> LoreSource:
    return LoreSource._make((*row[:-1], read_json(row[-1]) if row[-1] else {}))


def reliability_of(kind: str | None, type_: str | None, properties: Mapping[str, Any]) -> str:
    """The word for how far a document is trusted: its own, or what its kind is worth."""
    given = properties.get("reliability")
    if isinstance(given, str) and given in RELIABILITY:
        return given
    return "dialogue" if is_spoken_source(kind, type_) else "canonical"


def is_spoken_source(kind: str | None, type_: str | None) -> bool:
    """Whether a document of a kind and type is what somebody said."""
    return kind in _SPOKEN_KINDS or type_ in _SPOKEN_KINDS


def sources_by_fact(rows: Iterable[Row]) -> dict[FactId, list[LoreSource]]:
    """The sources of each fact, oldest first."""
    found: dict[FactId, list[LoreSource]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(parse_source_row(row))
    for sources in found.values():
        if len(sources) > 1:
            sources.sort(key=source_age)
    return found


def source_age(source: LoreSource) -> tuple[Instant, int, AssertionId]:
    """What sources are ordered by, oldest first."""
    return source.source_at, source.tx, source.assertion


def affirming_sources(sources: Sequence[LoreSource]) -> Sequence[LoreSource]:
    """The sources without those that say it is not so, unless there are no others."""
    if len(sources) == 1:
        return sources
    return [each for each in sources if each.certainty != "retracted"] or sources


def confidence_of(sources: Sequence[LoreSource]) -> float | None:
    """The highest extraction confidence × reliability among the sources: agreement never lowers it."""
    return max((each.confidence for each in affirming_sources(sources)), default=None)


def source_names(sources: Sequence[LoreSource]) -> list[str]:
    """What the sources are called, each once, oldest first."""
    return list(dict.fromkeys([each.name for each in affirming_sources(sources)]))


def visibility_of(fact: Fact, sources: Sequence[LoreSource]) -> str:
    """Who may know a fact: its own word, else the most open among its documents'."""
    own = fact.attributes.get("visibility")
    if own in VISIBILITIES:
        return str(own)
    given = [each.properties.get("visibility", "private") for each in sources if each.properties]
    return min((each for each in given if each in VISIBILITIES), key=VISIBILITIES.index, default="private")
