"""`location_hierarchy` and `entities_present`: the places around a place, and who was there."""

from collections.abc import Collection
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, format_entity_id, format_fact_id
from recollect.model.labels import kind_of, read_label
from recollect.model.relations import format_relation
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.places import PlaceStep, PresentEntity, find_present, places_within, walk_places
from recollect.reason.lore.relation import Relation
from recollect.surfaces.declarations import Result
from recollect.surfaces.lore_engine.rendering import RelationRenderer, entity_ref, mark_relation
from recollect.surfaces.lore_engine.results import (
    AsOf,
    EntityName,
    FuzzyResolutionView,
    HoldingView,
    LabelText,
    LoreEntityRef,
    TimeText,
)
from recollect.surfaces.lore_engine.session import ReadSession, list_result, read_session
from recollect.surfaces.lore_engine.state import ExactPlace, PresenceView
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.parameter_types import fold_case_into
from recollect.when.period import Coverage, Time, time_text

HierarchyDirection = Annotated[
    Literal["up", "down"],
    fold_case_into("up", "down"),
    Field(description="up: what the place is part of; down: what is part of it"),
]
PlaceDepth = Annotated[int, Field(ge=1, le=20, description="How many steps at most")]
PLACE_TYPES = ("location", "plane", "setting")

_MAX_ROWS = 1000


class PlaceView(LoreEntityRef):
    rules: list[HoldingView]
    controls: list[HoldingView]


class PlaceRowView(PlaceView):
    depth: int
    parent_id: str
    valid_from: str | None
    valid_until: str | None


class HierarchyResult(TypedDict):
    """The places around a place, with who rules and controls them."""

    location: PlaceView
    direction: Literal["up", "down"]
    at_time: str
    hierarchy: list[PlaceRowView]
    truncated: bool
    resolution: NotRequired[list[FuzzyResolutionView]]


@surface.tool("read", example={"location": "Halden", "at_time": "second_tide.year_50"})
def location_hierarchy(
    memory: Memory,
    location: EntityName,
    direction: HierarchyDirection = "up",
    at_time: TimeText | None = None,
    depth: PlaceDepth = 20,
    as_of: AsOf = None,
) -> HierarchyResult:
    """What a place is part of, or what is part of it, and who rules each, at one time."""
    with read_session(memory, as_of) as session:
        at = session.time(at_time)
        place = session.entity(location, "location", *PLACE_TYPES)
        steps = walk_places(session.lore, place.id, direction, at, depth)
        shown = steps[:_MAX_ROWS]
        renderer = _PlaceRenderer(session.lore, [place.id, *(step.place for step in shown)], at)
        said: HierarchyResult = {
            "location": renderer.place(place),
            "direction": direction,
            "at_time": at.text,
            "hierarchy": [renderer.row(step) for step in shown],
            "truncated": len(steps) > _MAX_ROWS,
        }
        return session.with_resolution(said)


class _PlaceRenderer:
    """Renders places with those who rule and control them."""

    def __init__(self, lore: LoreReader, places: Collection[EntityId], at: Time) -> None:
        self._lore = lore
        found = lore.holding(lore.relations_of(places, ["rules", "controls"], "object", at=at), at)
        self._by_place: dict[tuple[EntityId | None, str], list[tuple[Relation, Coverage]]] = {}
        for each, how in found:
            self._by_place.setdefault((each.object, each.name), []).append((each, how))
        self._printer = RelationRenderer(lore, [each for each, _ in found])

    def _holdings(self, place: EntityId, name: str) -> list[HoldingView]:
        rows = self._by_place.get((place, name), ())
        return self._printer.holdings([(each, each.subject) for each, _ in rows], {each.id: how for each, how in rows})

    def place(self, entity: Entity) -> PlaceView:
        return {
            **entity_ref(entity),
            "rules": self._holdings(entity.id, "rules"),
            "controls": self._holdings(entity.id, "controls"),
        }

    def row(self, step: PlaceStep) -> PlaceRowView:
        return {
            **self.place(self._lore.entities([step.place])[step.place]),
            "depth": step.depth,
            "parent_id": format_entity_id(step.nearer),
            "valid_from": time_text(step.relation.fact.valid_from),
            "valid_until": time_text(step.relation.fact.valid_until),
        }


PresentLimit = Annotated[int, Field(ge=1, le=1000, description="At most this many")]


@surface.tool("read", example={"location": "Marrow Coast", "at_time": "second_tide.year_45", "type": "Person"})
def entities_present(
    memory: Memory,
    location: EntityName,
    at_time: TimeText,
    type: LabelText | None = None,  # noqa: A002 the published name
    exact: ExactPlace = False,
    limit: PresentLimit = 200,
    as_of: AsOf = None,
) -> Result[list[PresenceView]]:
    """Who or what was in a place at one time, there or in a place within it.

    Groups are also present where they control. The dead are not present because nobody wrote when they left.
    """
    with read_session(memory, as_of) as session:
        at = session.time(at_time)
        place = session.entity(location, "location", "location")
        places = frozenset({place.id}) if exact else places_within(session.lore, [place.id], at)
        wanted = None if type is None else read_label(type)
        found = [
            each
            for each in find_present(session.lore, places, at)
            if wanted is None or wanted.admits(kind_of(each.entity))
        ]
        return list_result(_render_present(session, found, limit), limit, session, total=len(found))


def _render_present(session: ReadSession, found: list[PresentEntity], limit: int) -> list[PresenceView]:
    places = session.lore.entities(each.place for each in found)
    order = sorted(
        found,
        key=lambda each: (kind_of(each.entity).type, each.entity.name, places[each.place].name, each.relation.id),
    )[:limit]
    printer = RelationRenderer(session.lore, [each.relation for each in order])
    return [_render_presence(printer, each, places[each.place]) for each in order]


def _render_presence(printer: RelationRenderer, each: PresentEntity, place: Entity) -> PresenceView:
    shown: PresenceView = {
        **entity_ref(each.entity),
        "location": entity_ref(place),
        "via": format_relation(each.relation.name),
        "valid_from": time_text(each.relation.fact.valid_from),
        "valid_until": time_text(each.relation.fact.valid_until),
        "coverage": each.coverage,
        "confidence": printer.confidence(each.relation),
        "sources": printer.source_names(each.relation),
        "disputed": printer.is_disputed(each.relation),
        "relation_id": format_fact_id(each.relation.id),
    }
    mark_relation(shown, each.relation, each.entity.name)
    return shown
