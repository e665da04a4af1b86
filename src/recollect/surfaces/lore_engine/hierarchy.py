"""`location_hierarchy`: what a place is part of, or what is part of it."""

from collections.abc import Collection
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, say_entity
from recollect.reason.lore.places import Step, walk
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.surfaces.lore_engine.asking import asking
from recollect.surfaces.lore_engine.results import HoldingShown, Ref, ResolutionShown
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName, TimeText
from recollect.surfaces.lore_engine.shown import Printer, say_ref, say_time
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.shapes import folded_into
from recollect.when.period import Coverage, Time

UpOrDown = Annotated[
    Literal["up", "down"],
    folded_into("up", "down"),
    Field(description="up: what the place is part of; down: what is part of it"),
]
PlaceDepth = Annotated[int, Field(ge=1, le=20, description="How many steps at most")]
PLACES = ("location", "plane", "setting")

_MOST_ROWS = 1000


class PlaceShown(Ref):
    rules: list[HoldingShown]
    controls: list[HoldingShown]


class PlaceRow(PlaceShown):
    depth: int
    parent_id: str
    valid_from: str | None
    valid_until: str | None


class Hierarchy(TypedDict):
    """The places around a place, with who rules and controls them."""

    location: PlaceShown
    direction: Literal["up", "down"]
    at_time: str
    hierarchy: list[PlaceRow]
    truncated: bool
    resolution: NotRequired[list[ResolutionShown]]


@surface.tool("read", example={"location": "Halden", "at_time": "second_tide.year_50"})
def location_hierarchy(
    memory: Memory,
    location: EntityName,
    direction: UpOrDown = "up",
    at_time: TimeText | None = None,
    depth: PlaceDepth = 20,
    as_of: AsOf = None,
) -> Hierarchy:
    """What a place is part of, or what is part of it, and who rules each, at one time."""
    with asking(memory, as_of) as asked:
        at = asked.time(at_time)
        place = asked.entity(location, "location", *PLACES)
        steps = walk(asked.lore, place.id, direction, at, depth)
        shown = steps[:_MOST_ROWS]
        held = _Held(asked.lore, [place.id, *(step.place for step in shown)], at)
        said: Hierarchy = {
            "location": held.place(place),
            "direction": direction,
            "at_time": at.text,
            "hierarchy": [held.row(step) for step in shown],
            "truncated": len(steps) > _MOST_ROWS,
        }
        return asked.with_resolution(said)


class _Held:
    """Who rules and controls each of some places."""

    def __init__(self, lore: Lore, places: Collection[EntityId], at: Time) -> None:
        self._lore = lore
        found = lore.holding(lore.relations_of(places, ["rules", "controls"], "object", at=at), at)
        self._by_place: dict[tuple[EntityId | None, str], list[tuple[Relation, Coverage]]] = {}
        for each, how in found:
            self._by_place.setdefault((each.object, each.name), []).append((each, how))
        self._printer = Printer(lore, [each for each, _ in found])

    def _holdings(self, place: EntityId, name: str) -> list[HoldingShown]:
        held = self._by_place.get((place, name), ())
        return self._printer.holdings([(each, each.subject) for each, _ in held], {each.id: how for each, how in held})

    def place(self, entity: Entity) -> PlaceShown:
        return {
            **say_ref(entity),
            "rules": self._holdings(entity.id, "rules"),
            "controls": self._holdings(entity.id, "controls"),
        }

    def row(self, step: Step) -> PlaceRow:
        return {
            **self.place(self._lore.entities([step.place])[step.place]),
            "depth": step.depth,
            "parent_id": say_entity(step.nearer),
            "valid_from": say_time(step.relation.fact.valid_from),
            "valid_until": say_time(step.relation.fact.valid_until),
        }
