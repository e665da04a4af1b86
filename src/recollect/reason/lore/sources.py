"""Sources of a relation: their confidence, reliability, visibility and names."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recollect.model.certainty import is_number
from recollect.model.fact import Fact
from recollect.model.ids import AssertionId, FactId
from recollect.store.lore_queries import LoreSourceRow
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


class LoreSource(LoreSourceRow):
    """One assertion of a relation and its document, with how it is named and how far it is trusted."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The title or key of the document; of a claim entered by hand, the given source, or the tool and its user."""
        if self.document is None and self.given:
            return self.given
        if self.document is None and self.key.startswith(_TOOL_PREFIX):
            return f"{self.key} by {self.actor}"
        return self.title or self.key

    @property
    def reliability(self) -> float:
        """How reliable the source is, 0 to 1."""
        if not self.properties and not is_spoken_source(self.document_kind, self.document_type):
            return 1.0
        given = self.properties.get("reliability")
        if is_number(given):
            return float(given)
        return RELIABILITY[reliability_of(self.document_kind, self.document_type, self.properties)]

    @property
    def confidence(self) -> float:
        return round(self.extraction * self.reliability, 4)


def reliability_of(kind: str | None, type_: str | None, properties: Mapping[str, Any]) -> str:
    """The reliability class of a document: its own, or the default of its kind."""
    given = properties.get("reliability")
    if isinstance(given, str) and given in RELIABILITY:
        return given
    return "dialogue" if is_spoken_source(kind, type_) else "canonical"


def is_spoken_source(kind: str | None, type_: str | None) -> bool:
    """Whether a document of this kind and type records speech."""
    return kind in _SPOKEN_KINDS or type_ in _SPOKEN_KINDS


def sources_by_fact(rows: Iterable[LoreSourceRow]) -> dict[FactId, list[LoreSource]]:
    """The sources of each fact, oldest first."""
    found: dict[FactId, list[LoreSource]] = {}
    for row in rows:
        found.setdefault(row.fact, []).append(LoreSource._make(row))
    for sources in found.values():
        if len(sources) > 1:
            sources.sort(key=source_age)
    return found


def source_age(source: LoreSource) -> tuple[Instant, Instant, AssertionId]:
    """Sort key of sources, oldest first."""
    return source.source_at, source.recorded_at, source.assertion


def affirming_sources(sources: Sequence[LoreSource]) -> Sequence[LoreSource]:
    """The sources without retractions, unless there are no others."""
    if len(sources) == 1:
        return sources
    return [each for each in sources if each.certainty != "retracted"] or sources


def confidence_of(sources: Sequence[LoreSource]) -> float | None:
    """The highest extraction confidence × reliability among the sources: agreement never lowers it."""
    return max((each.confidence for each in affirming_sources(sources)), default=None)


def source_names(sources: Sequence[LoreSource]) -> list[str]:
    """The names of the sources, each once, oldest first."""
    return list(dict.fromkeys([each.name for each in affirming_sources(sources)]))


def visibility_of(fact: Fact, sources: Sequence[LoreSource]) -> str:
    """The visibility of a fact: its own, else the most open of its documents."""
    own = fact.attributes.get("visibility")
    if own in VISIBILITIES:
        return str(own)
    given = [each.properties.get("visibility", "private") for each in sources if each.properties]
    return min((each for each in given if each in VISIBILITIES), key=VISIBILITIES.index, default="private")
