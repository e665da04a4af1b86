"""`entities_present`: who or what was in a place."""

from typing import Annotated

from pydantic import Field

from recollect.memory import Memory
from recollect.model.ids import say_fact
from recollect.model.labels import kind_of, read_label
from recollect.model.relations import say_relation
from recollect.reason.lore.places import within
from recollect.reason.lore.presence import Present, present
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import listed
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName, LabelText, TimeText
from recollect.surfaces.lore_engine.shown import Printer, say_ref, say_time
from recollect.surfaces.lore_engine.state import Exact
from recollect.surfaces.lore_engine.state_results import PresentShown
from recollect.surfaces.lore_engine.surface import surface

PresentLimit = Annotated[int, Field(ge=1, le=1000, description="At most this many")]


@surface.tool("read", example={"location": "Marrow Coast", "at_time": "second_tide.year_45", "type": "Person"})
def entities_present(
    memory: Memory,
    location: EntityName,
    at_time: TimeText,
    type: LabelText | None = None,  # noqa: A002 the published name
    exact: Exact = False,
    limit: PresentLimit = 200,
    as_of: AsOf = None,
) -> Result[list[PresentShown]]:
    """Who or what was in a place at one time, there or in a place within it.

    Groups are also present where they control. The dead are not present because nobody wrote when they left.
    """
    with asking(memory, as_of) as asked:
        at = asked.time(at_time)
        place = asked.entity(location, "location", "location")
        places = frozenset({place.id}) if exact else within(asked.lore, place.id, at)
        wanted = None if type is None else read_label(type)
        found = [
            each for each in present(asked.lore, places, at) if wanted is None or wanted.admits(kind_of(each.entity))
        ]
        return listed(_shown(asked, found, limit), limit, asked, total=len(found))


def _shown(asked: Asking, found: list[Present], limit: int) -> list[PresentShown]:
    places = asked.lore.entities(each.place for each in found)
    order = sorted(
        found,
        key=lambda each: (kind_of(each.entity).type, each.entity.name, places[each.place].name, each.relation.id),
    )[:limit]
    printer = Printer(asked.lore, [each.relation for each in order])
    return [
        {
            **say_ref(each.entity),
            "location": say_ref(places[each.place]),
            "via": say_relation(each.relation.name),
            "valid_from": say_time(each.relation.fact.valid_from),
            "valid_until": say_time(each.relation.fact.valid_until),
            "coverage": each.coverage,
            "confidence": printer.confidence(each.relation),
            "sources": printer.source_names(each.relation),
            "disputed": printer.is_disputed(each.relation),
            "relation_id": say_fact(each.relation.id),
        }
        for each in order
    ]
