"""`list_lineage`: the bloodline a person belongs to, and the kin around them."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, say_entity
from recollect.model.labels import kind_of
from recollect.reason.lore.kin import PERSONS, around
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.sources import confidence_of
from recollect.surfaces.lore_engine.asking import asking
from recollect.surfaces.lore_engine.kinship import PERSON_LABELS, PersonName
from recollect.surfaces.lore_engine.kinship_results import Bloodline, BranchShown, LineageShown, MemberShown
from recollect.surfaces.lore_engine.shapes import AsOf
from recollect.surfaces.lore_engine.surface import surface

Depth = Annotated[int, Field(ge=1, le=10, description="How many steps over parenthood and descent, either way")]

_BRANCHING = ("cadet_of", "part_of", "descended_from")


@surface.tool("read", example={"person": "Sela Orrin"})
def list_lineage(memory: Memory, person: PersonName, depth: Depth = 2, as_of: AsOf = None) -> Bloodline:
    """The lineage a person belongs to, their near kin, its other members and cadet branches."""
    with asking(memory, as_of) as asked:
        who = asked.entity(person, "person", *PERSON_LABELS)
        lineages = lineages_of(asked.lore, who.id)
        lineage = lineages[0] if lineages else None
        members, covered = _members(asked.lore, who, lineage, depth)
        said: Bloodline = {
            "lineage": None if lineage is None else _lineage(asked.lore, lineage, lineages),
            "members": members,
            "cadet_branches": [] if lineage is None else _branches(asked.lore, lineage),
            "depth_covered": covered,
        }
        return asked.with_resolution(said)


def lineages_of(lore: Lore, person: EntityId) -> list[Entity]:
    """The lineages somebody is a member of, the surest first."""
    relations = lore.relations_of([person], ["member_of"], "subject")
    entities = lore.entities(each.object for each in relations if each.object is not None)
    of_blood = [each for each in relations if each.object and kind_of(entities[each.object]).type == "lineage"]
    sources = lore.sources(each.id for each in of_blood)
    sure: dict[EntityId, float] = {}
    for each in of_blood:
        if each.object is not None:
            sure[each.object] = max(sure.get(each.object, 0.0), confidence_of(sources[each.id]) or 0.0)
    return sorted((entities[each] for each in sure), key=lambda each: (-sure[each.id], each.name, each.id))


def _lineage(lore: Lore, lineage: Entity, every: Iterable[Entity]) -> LineageShown:
    founders = founding_ancestors(lore, [lineage])
    return {
        "name": lineage.name,
        "founding_ancestor": founders[lineage.id],
        "id": say_entity(lineage.id),
        "all": [each.name for each in every],
    }


def founding_ancestors(lore: Lore, lineages: Iterable[Entity]) -> dict[EntityId, str | None]:
    """By lineage, the property of that name or the person who founded it."""
    given = {each.id: each.properties.get("founding_ancestor") for each in lineages}
    relations = lore.relations_of(list(given), ["founded"], "object")
    entities = lore.entities(each.subject for each in relations)
    founders: dict[EntityId, str | None] = {}
    for each in sorted(relations, key=lambda relation: relation.id):
        if each.object is not None and kind_of(entities[each.subject]).type == "person":
            founders.setdefault(each.object, entities[each.subject].name)
    return {lineage: str(named) if named else founders.get(lineage) for lineage, named in given.items()}


def _members(lore: Lore, who: Entity, lineage: Entity | None, depth: int) -> tuple[list[MemberShown], int]:
    relatives = around(lore, who, depth)
    blood = _blood(lore, lineage)
    said = [_member(each.entity, each.relation, each.hops, blood) for each in relatives]
    near = {each.entity.id for each in relatives}
    further = sorted((each for each in blood.values() if each.id not in near), key=lambda each: (each.name, each.id))
    return [*said, *(_member(each, "member", None, blood) for each in further)], relatives[-1].hops


def _blood(lore: Lore, lineage: Entity | None) -> dict[EntityId, Entity]:
    """The persons who are members of a lineage."""
    if lineage is None:
        return {}
    members = lore.entities(each.subject for each in lore.relations_of([lineage.id], ["member_of"], "object"))
    return {each: entity for each, entity in members.items() if kind_of(entity).type in PERSONS}


def _member(entity: Entity, relation: str, hops: int | None, blood: dict[EntityId, Entity]) -> MemberShown:
    return {
        "name": entity.name,
        "relation": relation,
        "id": say_entity(entity.id),
        "in_lineage": entity.id in blood,
        "hops": hops,
    }


def _branches(lore: Lore, lineage: Entity) -> list[BranchShown]:
    found = lore.entities(each.subject for each in lore.relations_of([lineage.id], _BRANCHING, "object"))
    branches = [each for each in found.values() if kind_of(each).type == "lineage"]
    founders = founding_ancestors(lore, branches)
    return [
        {"name": each.name, "founding_ancestor": founders[each.id], "id": say_entity(each.id)}
        for each in sorted(branches, key=lambda each: (each.name, each.id))
    ]
