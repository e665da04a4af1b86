"""What led to an event and what came of it."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of
from recollect.reason.lore.probing import Side
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation

Strand = Literal["causes", "effects", "concurrent"]

_NEAR: dict[Strand, Side] = {"causes": "object", "effects": "subject", "concurrent": "either"}
_OVER: dict[Strand, tuple[str, ...]] = {
    "causes": ("caused", "preceded"),
    "effects": ("caused", "preceded"),
    "concurrent": ("concurrent_with",),
}


class Link(NamedTuple):
    """Something joined to an event: how far away, by which relation, from where."""

    entity: Entity
    depth: int
    relation: Relation
    via: EntityId


class Chain(NamedTuple):
    """One strand of an event's story, nearest first, and every relation it goes over."""

    links: list[Link]
    edges: list[Relation]
    is_cyclic: bool


def follow(lore: Lore, event: EntityId, strand: Strand, depth: int) -> Chain:
    """Each thing once, at its smallest depth; what is no event is told but leads nowhere."""
    found: dict[EntityId, Link] = {}
    edges: dict[str, Relation] = {}
    level, is_cyclic = [event], False
    for distance in range(1, depth + 1):
        steps = _steps(lore, level, strand)
        edges |= {relation.id: relation for _, _, relation in steps}
        is_cyclic = is_cyclic or (strand != "concurrent" and any(there == event for _, there, _ in steps))
        entities = lore.entities(there for _, there, _ in steps)
        level = []
        for here, there, relation in steps:
            if there != event and there not in found:
                found[there] = Link(entities[there], distance, relation, here)
                if kind_of(entities[there]).type == "event":
                    level.append(there)
        if not level:
            break
    return Chain(list(found.values()), list(edges.values()), is_cyclic)


def _steps(lore: Lore, level: list[EntityId], strand: Strand) -> list[tuple[EntityId, EntityId, Relation]]:
    """Steps away from a level; of two relations between the same two, the one that caused comes first."""
    place = {entity: number for number, entity in enumerate(level)}
    relations = lore.relations_of(level, _OVER[strand], _NEAR[strand])
    steps = [step for each in relations for step in _away(each, place, strand)]
    return sorted(steps, key=lambda step: (step[2].name != "caused", place[step[0]], step[2].id))


def _away(
    relation: Relation, level: dict[EntityId, int], strand: Strand
) -> Iterable[tuple[EntityId, EntityId, Relation]]:
    if relation.object is None:
        return
    if relation.object in level and strand != "effects":
        yield relation.object, relation.subject, relation
    if relation.subject in level and strand != "causes":
        yield relation.subject, relation.object, relation
