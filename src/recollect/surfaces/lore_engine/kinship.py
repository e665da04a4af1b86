"""`list_offspring`, `ancestors_of`, `descendants_of`: kin in a straight line."""

from typing import Annotated

from pydantic import Field

from recollect.memory import AsOf as Known
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, say_fact
from recollect.reason.lore.kin import PERSONS, Kin, Way, generation_name, line
from recollect.reason.lore.relation import Relation
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import listed
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.kinship_results import ChildShown, KinShown
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName
from recollect.surfaces.lore_engine.shown import Printer, say_lifespan, say_ref
from recollect.surfaces.lore_engine.surface import surface
from recollect.when.instant import MAX

PersonName = Annotated[EntityName, Field(description="A name, alias or id of a person, creature or deity")]
Generations = Annotated[int, Field(ge=1, le=100, description="How many generations at most")]
KinLimit = Annotated[int, Field(ge=1, le=5000, description="At most this many, the nearest")]

PERSON_LABELS = tuple(sorted(PERSONS))


@surface.tool("read", example={"person": "Mira Orrin"})
def list_offspring(memory: Memory, person: PersonName, as_of: AsOf = None) -> Result[list[ChildShown]]:
    """A person's direct children, eldest first, those of unknown birth last."""
    with asking(memory, as_of) as asked:
        who = asked.entity(person, "person", *PERSON_LABELS)
        said = _children(asked, who)
        return listed(said, len(said), asked)


def _children(asked: Asking, who: Entity) -> list[ChildShown]:
    lore = asked.lore
    own = _one_for_each_child(lore.relations_of([who.id], ["parent_of"], "subject"))
    entities = lore.entities(own)
    lives = lore.existences(own)
    parents = _other_parents(asked, who, own)
    printer = Printer(lore, own.values())

    def order(child: EntityId) -> tuple[int, str, str]:
        start = lives[child].start
        return MAX if start is None else start.lo, entities[child].name, child

    return [
        {
            **say_ref(entities[child]),
            "lifespan": say_lifespan(lives[child]),
            "other_parents": [say_ref(each) for each in parents.get(child, ())],
            "role": own[child].attributes.get("role"),
            "relation_id": say_fact(own[child].id),
            "confidence": printer.confidence(own[child]),
            "sources": printer.source_names(own[child]),
            "disputed": printer.is_disputed(own[child]),
        }
        for child in sorted(own, key=order)
    ]


def _one_for_each_child(relations: list[Relation]) -> dict[EntityId, Relation]:
    found: dict[EntityId, Relation] = {}
    for each in sorted(relations, key=lambda relation: relation.id):
        if each.object is not None:
            found.setdefault(each.object, each)
    return found


def _other_parents(asked: Asking, who: Entity, children: dict[EntityId, Relation]) -> dict[EntityId, list[Entity]]:
    relations = asked.lore.relations_of(children, ["parent_of"], "object")
    entities = asked.lore.entities(each.subject for each in relations)
    found: dict[EntityId, dict[EntityId, Entity]] = {}
    for each in relations:
        if each.object is not None and each.subject != who.id:
            found.setdefault(each.object, {})[each.subject] = entities[each.subject]
    return {child: sorted(held.values(), key=lambda each: (each.name, each.id)) for child, held in found.items()}


@surface.tool("read", example={"person": "Sela Orrin", "generations": 2})
def ancestors_of(
    memory: Memory,
    person: PersonName,
    generations: Generations = 100,
    limit: KinLimit = 1000,
    as_of: AsOf = None,
) -> Result[list[KinShown]]:
    """A person's ancestors, each once at the shortest distance, nearest generation first."""
    return _line(memory, person, "up", generations, limit, as_of)


@surface.tool("read", example={"person": "Tobin Orrin", "generations": 1})
def descendants_of(
    memory: Memory,
    person: PersonName,
    generations: Generations = 100,
    limit: KinLimit = 1000,
    as_of: AsOf = None,
) -> Result[list[KinShown]]:
    """A person's descendants, each once at the shortest distance, nearest generation first."""
    return _line(memory, person, "down", generations, limit, as_of)


def _line(memory: Memory, person: str, way: Way, generations: int, limit: int, as_of: Known) -> Result[list[KinShown]]:
    with asking(memory, as_of) as asked:
        who = asked.entity(person, "person", *PERSON_LABELS)
        found = line(asked.lore, who, way, generations)
        return listed(_kin(asked, found[:limit], way), limit, asked, total=len(found))


def _kin(asked: Asking, found: list[Kin], way: Way) -> list[KinShown]:
    lore = asked.lore
    named = lore.entities(entity for kin in found for entity in kin.path)
    lives = lore.existences(kin.entity.id for kin in found)
    printer = Printer(lore, {each.id: each for kin in found for each in kin.relations}.values())
    return [
        {
            **say_ref(kin.entity),
            "generation": kin.generation,
            "relation": generation_name(kin.generation, way),
            "path": [named[entity].name for entity in kin.path],
            "lifespan": say_lifespan(lives[kin.entity.id]),
            "relation_ids": [say_fact(each.id) for each in kin.relations],
            "confidence": min((_sure(printer, each) for each in kin.relations), default=None),
            "disputed": any(map(printer.is_disputed, kin.relations)),
        }
        for kin in found
    ]


def _sure(printer: Printer, relation: Relation) -> float:
    return printer.confidence(relation) or 0.0
