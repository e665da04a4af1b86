"""`state_at`: a snapshot of a place, or of anything else, at one time."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Annotated, NotRequired, TypeVar

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import GROUPS, kind_of
from recollect.reason.lore.places import PresentEntity
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.snapshot import (
    DerivedThing,
    LoreSnapshot,
    OngoingEvent,
    snapshot_of_entity,
    snapshot_of_place,
)
from recollect.surfaces.declarations import Result
from recollect.surfaces.lore_engine.context import render_context
from recollect.surfaces.lore_engine.finding_rendering import ContradictionJson, contradictions_about
from recollect.surfaces.lore_engine.rendering import RelationRenderer, entity_ref
from recollect.surfaces.lore_engine.results import (
    AsOf,
    ContextResult,
    EntityName,
    FuzzyResolutionView,
    HoldingView,
    ListLimit,
    LoreEntityRef,
    TimeText,
)
from recollect.surfaces.lore_engine.session import ReadSession, findings_result, findings_session
from recollect.surfaces.lore_engine.surface import surface
from recollect.when.period import Coverage, time_text


class PlacedView(HoldingView):
    """An entry with the place it is in."""

    location: str | None


class ThingView(HoldingView):
    """An entry with those through whom it is there."""

    location: str | None
    by: list[str]


class OngoingEventView(HoldingView):
    at: str | None
    until: str | None
    location: str | None


class StateResult(TypedDict):
    """A snapshot."""

    entity: LoreEntityRef
    at_time: str
    ruling_factions: list[HoldingView]
    ruling_persons: list[HoldingView]
    controlling_factions: list[PlacedView]
    persons_present: list[PlacedView]
    ongoing_events: list[OngoingEventView]
    contradictions: list[ContradictionJson]
    magic_systems: list[ThingView]
    deities: list[ThingView]
    languages: list[ThingView]
    items: list[ThingView]
    context: ContextResult
    truncated: bool
    resolution: NotRequired[list[FuzzyResolutionView]]


class PresenceView(LoreEntityRef):
    """Something in a place."""

    location: LoreEntityRef
    via: str
    valid_from: str | None
    valid_until: str | None
    coverage: Coverage
    confidence: float | None
    sources: list[str]
    disputed: bool
    relation_id: str


ExactPlace = Annotated[bool, Field(description="Only this very place, not what lies in it")]

Entry = TypeVar("Entry")


@surface.tool("read", example={"entity": "Marrow Coast", "at_time": "second_tide.year_45"})
def state_at(
    memory: Memory,
    entity: EntityName,
    at_time: TimeText,
    exact: ExactPlace = False,
    limit: ListLimit = 50,
    as_of: AsOf = None,
) -> Result[StateResult]:
    """A snapshot at one time: who rules a place, who and what is there, what goes on.

    A place is shown with the places in it, unless `exact`. Of anything else: its members, events and possessions.
    """
    with findings_session(memory, as_of, "none") as session:
        at = session.time(at_time)
        who = session.entity(entity, "entity")
        is_place = kind_of(who).type == "location"
        state = (
            snapshot_of_place(session.lore, who.id, at, exact=exact)
            if is_place
            else snapshot_of_entity(session.lore, who, at)
        )
        shown = _StateRenderer(session, who, state, limit)
        said: StateResult = {
            "entity": entity_ref(who),
            "at_time": at.text,
            "ruling_factions": shown.rulers(GROUPS),
            "ruling_persons": shown.rulers(frozenset({"person"})),
            "controlling_factions": shown.controllers(),
            "persons_present": shown.persons(),
            "ongoing_events": shown.events(),
            "contradictions": shown.cut(contradictions_about(session, {who.id, *(state.people if is_place else ())})),
            "magic_systems": shown.things("magic_systems"),
            "deities": shown.things("deities"),
            "languages": shown.things("languages"),
            "items": shown.things("items"),
            "context": render_context(session, who, at),
            "truncated": False,
        }
        said["truncated"] = shown.is_cut
        return findings_result(session.with_resolution(said), session)


class _StateRenderer:
    """Renders the parts of a state; each is cut to the limit before details are read."""

    def __init__(self, session: ReadSession, who: Entity, state: LoreSnapshot, limit: int) -> None:
        self._lore, self._who, self._limit = session.lore, who, limit
        self.is_cut = False
        self._rulers = state.rulers
        self._controllers = self.cut(self._by_start(state.controllers))
        self._persons = self.cut(self._by_renown(state.persons))
        self._events = self.cut(state.events)
        self._things = {name: self._by_thing(found) for name, found in {**state.derived, "items": state.items}.items()}
        self._printer = RelationRenderer(session.lore, self._relations())

    def cut(self, items: list[Entry]) -> list[Entry]:
        self.is_cut = self.is_cut or len(items) > self._limit
        return items[: self._limit]

    def _relations(self) -> Iterator[Relation]:
        yield from (each for each, _ in self._rulers)
        yield from (each.relation for each in (*self._controllers, *self._persons))
        yield from (each.relation for each in self._events)
        yield from (each.relation for found in self._things.values() for ways in found for each in ways)

    def _by_start(self, found: list[PresentEntity]) -> list[PresentEntity]:
        return sorted(self._by_name(found, _entity_id), key=lambda each: each.relation.fact.bounds.lo)

    def _by_renown(self, found: list[PresentEntity]) -> list[PresentEntity]:
        """Most relations first, then by name."""
        counts = self._lore.counts(each.entity.id for each in found) if len(found) > 1 else {}
        return sorted(self._by_name(found, _entity_id), key=lambda each: -counts.get(each.entity.id, 0))

    def _by_thing(self, found: list[DerivedThing]) -> list[list[DerivedThing]]:
        """Relations that place each thing there, by its name."""
        ways: defaultdict[EntityId, list[DerivedThing]] = defaultdict(list)
        for each in found:
            ways[each.entity].append(each)
        return [ways[entity] for entity in self.cut(self._by_name(list(ways), lambda entity: entity))]

    def _by_name(self, found: list[Entry], entity: Callable[[Entry], EntityId]) -> list[Entry]:
        named = self._lore.entities(map(entity, found))
        return sorted(found, key=lambda each: (named[entity(each)].name, entity(each)))

    def _name(self, entity: EntityId | None) -> str | None:
        return None if entity is None else self._lore.entities([entity])[entity].name

    def rulers(self, types: frozenset[str]) -> list[HoldingView]:
        entities = self._lore.entities(each.subject for each, _ in self._rulers)
        ruling = [(each, how) for each, how in self._rulers if kind_of(entities[each.subject]).type in types]
        coverages = {each.id: how for each, how in ruling}
        return self.cut(self._printer.holdings([(each, each.subject) for each, _ in ruling], coverages))

    def controllers(self) -> list[PlacedView]:
        return [self._placed_view(each) for each in self._controllers]

    def persons(self) -> list[PlacedView]:
        return [self._placed_view(each) for each in self._persons]

    def _placed_view(self, each: PresentEntity) -> PlacedView:
        place = None if each.place == self._who.id and kind_of(self._who).type != "location" else each.place
        holding = self._printer.holding(each.relation, each.entity.id, each.coverage)
        return {**holding, "location": self._name(place)}

    def events(self) -> list[OngoingEventView]:
        return [self._event(each) for each in self._events]

    def _event(self, each: OngoingEvent) -> OngoingEventView:
        place = each.relation.object if each.relation.name == "occurred_at" else None
        return {
            **self._printer.holding(each.relation, each.event, each.coverage),
            "at": time_text(each.time.valid_from),
            "until": time_text(each.time.valid_until),
            "location": self._name(place),
        }

    def things(self, name: str) -> list[ThingView]:
        """One entry per thing, with everyone through whom it is there."""
        return [self._thing_view(ways) for ways in self._things[name]]

    def _thing_view(self, ways: list[DerivedThing]) -> ThingView:
        ways = sorted(ways, key=lambda each: (each.place is None, each.relation.fact.bounds.lo, each.relation.id))
        first = ways[0]
        by = {self._name(each.relation.subject) or "" for each in ways if each.place is None}
        return {
            **self._printer.holding(first.relation, first.entity, first.coverage),
            "location": self._name(first.place),
            "by": sorted(by),
        }


def _entity_id(each: PresentEntity) -> EntityId:
    return each.entity.id
