"""Current facts as links between two entities, with a summary of their assertions."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from recollect.model.fact import Assertion
from recollect.model.ids import EntityId, FactId
from recollect.when.instant import Instant


class AssertionMoment(NamedTuple):
    """When something was asserted; moments order by time, then by transaction."""

    at: Instant
    tx: int


class LinkEnd(NamedTuple):
    """An entity at one end of a link, as results print it."""

    id: EntityId
    type: str
    name: str


class AssertionSummary(NamedTuple):
    """What the assertions of one fact add up to."""

    first: AssertionMoment
    confidence: float
    source: str | None


class FactLink(NamedTuple):
    """A current fact between an entity and another or a literal; `newest` summarizes its newest assertion alone."""

    id: FactId
    predicate: str
    subject: LinkEnd
    object: LinkEnd | None
    literal: str | None
    recorded_at: Instant
    latest: AssertionMoment
    newest: AssertionSummary
    source_count: int
    marks: Mapping[str, Any] = MappingProxyType({})
    """All that is noted of it besides what it says."""

    @property
    def target(self) -> str:
        """The name of the object, or the literal."""
        return self.object.name if self.object is not None else self.literal or ""

    def other(self, entity: EntityId) -> LinkEnd | None:
        """The end opposite an entity; none if that is a literal."""
        return self.object if self.subject.id == entity else self.subject

    def touches(self, entity: EntityId) -> bool:
        return self.subject.id == entity or (self.object is not None and self.object.id == entity)


def summarize_assertions(assertions: Iterable[Assertion]) -> AssertionSummary:
    """The summary of these assertions, oldest first; there must be at least one."""
    first, *rest = assertions
    summary = _summarize_one(first)
    for assertion in rest:
        one = _summarize_one(assertion)
        summary = AssertionSummary(summary.first, max(summary.confidence, one.confidence), summary.source or one.source)
    return summary


def _summarize_one(assertion: Assertion) -> AssertionSummary:
    source = source_text_of(assertion.given, assertion.document, assertion.source_url, assertion.source_key)
    return AssertionSummary(AssertionMoment(assertion.source_at, assertion.tx_from), assertion.confidence, source)


def source_text_of(given: str | None, document: str | None, url: str | None, key: str | None) -> str | None:
    """The source string given, else the URL, else the key of the document; none for a claim entered by hand."""
    if given is not None and given.strip():
        return given
    return url or (key if document is not None else None)


def links_by_end(links: Iterable[FactLink]) -> Mapping[EntityId, list[FactLink]]:
    """The links of each entity, as subject or object."""
    by_end: dict[EntityId, list[FactLink]] = {}
    for link in links:
        ends = {link.subject.id} if link.object is None else {link.subject.id, link.object.id}
        for end in ends:
            by_end.setdefault(end, []).append(link)
    return by_end
