"""`true_during`: when, in a period, a relation held."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, say_entity, say_fact
from recollect.model.relations import RelationName, relation_kinds
from recollect.reason.lore.probing import Side
from recollect.reason.lore.relation import Relation
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import listed
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName, RelationText, TimeText
from recollect.surfaces.lore_engine.shown import Printer, say_time, start_order
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.truth_results import TrueDuring
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Coverage, Time
from recollect.when.say import time_of
from recollect.when.timeline import Timeline

AsObject = Annotated[bool, Field(description="Look for relations whose object is `subject`")]
Era = Annotated[TimeText, Field(description="The period asked about: any time, not only an era")]


@surface.tool(
    "read",
    example={"relation": "AT_WAR_WITH", "subject": "House Orrin", "era": "second_tide.grey_years"},
)
def true_during(
    memory: Memory,
    relation: RelationText,
    subject: EntityName,
    era: Era,
    object: EntityName | None = None,  # noqa: A002 the published name
    as_object: AsObject = False,
    as_of: AsOf = None,
) -> Result[list[TrueDuring]]:
    """Every interval, in a period, in which a relation of one entity held, in order.

    Without `object`, those with all objects. Bounds are not cut to the period; `clipped_from` and `clipped_until` are.
    """
    with asking(memory, as_of) as asked:
        at, named = asked.time(era, "era"), asked.relation(relation)
        who, other = _ends(asked, named, subject, object, as_object)
        side: Side = "object" if named.swapped is not as_object else "subject"
        found = asked.lore.relations_of([who.id], [named.name], side, at=at)
        wanted = [each for each in found if other is None or each.other_end(who.id) == other.id]
        said = list(_during(asked, who.id, wanted, at))
        return listed(said, len(said), asked)


def _ends(
    asked: Asking, named: RelationName, subject: str, target: str | None, as_object: bool
) -> tuple[Entity, Entity | None]:
    kind = relation_kinds().get(named.name)
    fitting = (kind.subjects, kind.objects) if kind else (frozenset[str](), frozenset[str]())
    near, far = fitting[::-1] if named.swapped is not as_object else fitting
    return asked.end(subject, "subject", near), None if target is None else asked.end(target, "object", far)


def _during(asked: Asking, who: EntityId, relations: list[Relation], at: Time) -> Iterator[TrueDuring]:
    intervals = asked.lore.intervals(relations)
    holding = {each.id: how for each, how in asked.lore.holding(relations, at)}
    shown = sorted((each for each in relations if each.id in holding), key=start_order)
    printer = Printer(asked.lore, shown)
    for each in shown:
        yield _said(asked, printer, who, each, (intervals[each.id], holding[each.id]), at)


def _said(
    asked: Asking, printer: Printer, who: EntityId, relation: Relation, held: tuple[Bounds, Coverage], at: Time
) -> TrueDuring:
    interval, how = held
    fact, timeline = relation.fact, asked.view.world.timeline
    turned = relation.is_symmetric and relation.subject != who
    one, other = (who, relation.subject) if turned else (relation.subject, relation.object)
    names = asked.lore.entities(relation.ends)
    return {
        "valid_from": say_time(fact.valid_from),
        "valid_until": say_time(fact.valid_until),
        "subject": names[one].name,
        "object": fact.literal if other is None else names[other].name,
        "sources": printer.source_names(relation),
        "relation_id": say_fact(fact.id),
        "subject_id": say_entity(one),
        "object_id": None if other is None else say_entity(other),
        "coverage": how,
        "clipped_from": _day(max(interval.lo, at.lo), timeline),
        "clipped_until": _day(min(interval.hi, at.hi), timeline),
        "confidence": printer.confidence(relation),
        "disputed": printer.is_disputed(relation),
    }


def _day(position: int, timeline: Timeline) -> str | None:
    """The day at a position; an open end has none."""
    return None if position in (MIN, MAX) else say_time(time_of(position, timeline))
