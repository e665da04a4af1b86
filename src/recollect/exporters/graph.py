"""The graph as other programs take it: entities, and the facts that stand, with times and sources."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from recollect.errors import Refused
from recollect.model.entity import Entity
from recollect.model.fact import POLARITY, Assertion, Fact, default_text
from recollect.model.ids import EntityId, FactId
from recollect.store.entity_queries import live_entities
from recollect.store.fact_queries import unretracted_facts
from recollect.store.view import View
from recollect.when.instant import format_instant

_FACTS_AT_ONCE = 500


class ExportRefused(Refused):
    code = "bad_export_target"


class ExportedFile(NamedTuple):
    """One file of an export that has several: its path, with slashes, and its text."""

    path: str
    text: str


class ExportedEntity(NamedTuple):
    id: EntityId
    name: str
    type: str
    aliases: tuple[str, ...]
    properties: Mapping[str, Any]
    known_since: str


class ExportedFact(NamedTuple):
    """A fact; it has an object, a value or neither. `source` is the last to state it."""

    id: FactId
    subject: EntityId
    predicate: str
    object: EntityId | None
    value: str | None
    said: str | None
    """Its own words, if it was given any."""
    text: str
    valid_from: str | None
    valid_until: str | None
    confidence: float
    source: str
    known_since: str
    attributes: Mapping[str, Any]
    quote: str | None = None
    """What a source says of it in its own words."""

    @property
    def words(self) -> str:
        """The value as one line; of a fact without one, its own words, if it has any."""
        return " ".join((self.value or self.said or "").split())


class ExportedGraph:
    """Entities in the order they became known, and the facts about them; what no other format can say is counted."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.left_out: Counter[str] = Counter()

    @cached_property
    def entities(self) -> dict[EntityId, ExportedEntity]:
        found = sorted(live_entities(self._view), key=lambda each: (each.created_at, each.id))
        return {each.id: self._entity(each) for each in found}

    @cached_property
    def facts(self) -> tuple[ExportedFact, ...]:
        found = sorted(unretracted_facts(self._view), key=lambda each: (each.recorded_at, each.id))
        return tuple(self._iter_facts([each for each in found if self._is_exportable(each)]))

    def facts_by_subject(self) -> dict[EntityId, list[ExportedFact]]:
        found: dict[EntityId, list[ExportedFact]] = {each: [] for each in self.entities}
        for fact in self.facts:
            found[fact.subject].append(fact)
        return found

    def _is_exportable(self, fact: Fact) -> bool:
        """Whether other programs would read the fact as it is meant."""
        if fact.subject not in self.entities or (fact.object is not None and fact.object not in self.entities):
            return False
        why = _reason_to_leave_out(fact)
        self.left_out.update([why] if why else [])
        return why is None

    def _entity(self, entity: Entity) -> ExportedEntity:
        aliases = tuple(self._view.aliases(entity))
        since = format_instant(entity.created_at)
        return ExportedEntity(entity.id, entity.name, entity.type, aliases, entity.properties, since)

    def _iter_facts(self, facts: Sequence[Fact]) -> Iterator[ExportedFact]:
        remaining = iter(facts)
        while some := list(islice(remaining, _FACTS_AT_ONCE)):
            said = self._view.assertions_of([each.id for each in some])
            yield from (self._fact(each, said[each.id]) for each in some)

    def _fact(self, fact: Fact, said: Sequence[Assertion]) -> ExportedFact:
        target = self.entities[fact.object].name if fact.object is not None else fact.literal
        return ExportedFact(
            fact.id,
            fact.subject,
            fact.predicate,
            fact.object,
            fact.literal,
            fact.words,
            fact.words or default_text(self.entities[fact.subject].name, fact.predicate, target),
            fact.valid_from.text if fact.valid_from else None,
            fact.valid_until.text if fact.valid_until else None,
            fact.confidence,
            _source(said),
            format_instant(fact.recorded_at),
            fact.attributes,
            next((each.quote for each in reversed(said) if each.quote), None),
        )


def _reason_to_leave_out(fact: Fact) -> str | None:
    if fact.stale or fact.is_declared_obsolete:
        return "facts skipped: superseded"
    if fact.is_unasserted or fact.attributes.get(POLARITY) == "negative":
        return "facts skipped: not asserted"
    return "facts skipped: their time could not be read" if fact.is_pending else None


def _source(said: Iterable[Assertion]) -> str:
    """Where the newest source of a fact is found."""
    named = [each.source_url or each.given or each.source_key for each in said]
    return named[-1] if named else ""
