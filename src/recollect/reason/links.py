"""Facts seen as joins between two ends, and what their assertions say together."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from recollect.model.fact import Assertion
from recollect.model.ids import EntityId, FactId
from recollect.when.instant import Instant


class Moment(NamedTuple):
    """When something was asserted; moments order by time, then by transaction."""

    at: Instant
    tx: int


class Ref(NamedTuple):
    """An entity as a reader is shown it."""

    id: EntityId
    type: str
    name: str


class Told(NamedTuple):
    """What the assertions of one fact add up to."""

    first: Moment
    confidence: float
    source: str | None


class Link(NamedTuple):
    """A current fact with an object; `newest` is what its newest assertion alone tells."""

    id: FactId
    predicate: str
    subject: Ref
    object: Ref | None
    literal: str | None
    recorded_at: Instant
    latest: Moment
    newest: Told
    source_count: int

    @property
    def target(self) -> str:
        """The name of the object, or the literal."""
        return self.object.name if self.object is not None else self.literal or ""

    def other(self, entity: EntityId) -> Ref | None:
        """The end opposite an entity; none if that is a literal."""
        return self.object if self.subject.id == entity else self.subject

    def touches(self, entity: EntityId) -> bool:
        return self.subject.id == entity or (self.object is not None and self.object.id == entity)


def told_by(assertions: Iterable[Assertion]) -> Told:
    """What these assertions, oldest first, say together; there must be one."""
    first, *rest = assertions
    told = _told_by_one(first)
    for assertion in rest:
        one = _told_by_one(assertion)
        told = Told(told.first, max(told.confidence, one.confidence), told.source or one.source)
    return told


def _told_by_one(assertion: Assertion) -> Told:
    source = source_of(assertion.given, assertion.document, assertion.source_url, assertion.source_key)
    return Told(Moment(assertion.source_at, assertion.tx_from), assertion.confidence, source)


def source_of(given: str | None, document: str | None, url: str | None, key: str | None) -> str | None:
    """The string that was given, else the URL, else the key of the document; none for a claim made by hand."""
    if given is not None and given.strip():
        return given
    return url or (key if document is not None else None)


def by_end(links: Iterable[Link]) -> Mapping[EntityId, list[Link]]:
    """The links of each entity, at whichever end it stands."""
    found: dict[EntityId, list[Link]] = {}
    for link in links:
        ends = {link.subject.id} if link.object is None else {link.subject.id, link.object.id}
        for end in ends:
            found.setdefault(end, []).append(link)
    return found
