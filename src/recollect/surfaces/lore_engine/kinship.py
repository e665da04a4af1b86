"""Genealogy: offspring, ancestors, descendants, and the lineage of a person."""

from collections.abc import Iterable
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import AsOfValue, Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, format_entity_id, format_fact_id
from recollect.model.labels import kind_of
from recollect.reason.lore.genealogy import (
    PERSONS,
    KinDirection,
    LinealKin,
    find_lineal_kin,
    find_relatives,
    generation_name,
)
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import confidence_of
from recollect.surfaces.declarations import Result
from recollect.surfaces.lore_engine.rendering import RelationRenderer, entity_ref, render_lifespan
from recollect.surfaces.lore_engine.results import (
    AsOf,
    FuzzyResolutionView,
    LifespanView,
    LoreEntityRef,
    PersonName,
)
from recollect.surfaces.lore_engine.session import ReadSession, list_result, read_session
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.views import TrustMarks, mark_entity
from recollect.when.instant import MAX


class LineageView(TypedDict):
    name: str
    founding_ancestor: str | None
    id: str
    all: list[str]


class MemberView(TrustMarks):
    name: str
    relation: str
    id: str
    in_lineage: bool
    hops: int | None


class BranchView(TypedDict):
    name: str
    founding_ancestor: str | None
    id: str


class LineageResult(TypedDict):
    """The bloodline a person belongs to, and the kin around them."""

    lineage: LineageView | None
    members: list[MemberView]
    cadet_branches: list[BranchView]
    depth_covered: int
    resolution: NotRequired[list[FuzzyResolutionView]]


class ChildView(LoreEntityRef):
    lifespan: LifespanView
    other_parents: list[LoreEntityRef]
    role: str | None
    relation_id: str
    confidence: float | None
    sources: list[str]
    disputed: bool


class KinView(LoreEntityRef):
    generation: int
    relation: str
    path: list[str]
    lifespan: LifespanView
    relation_ids: list[str]
    confidence: float | None
    disputed: bool


Generations = Annotated[int, Field(ge=1, le=100, description="How many generations at most")]
KinLimit = Annotated[int, Field(ge=1, le=5000, description="At most this many, the nearest")]

PERSON_LABELS = tuple(sorted(PERSONS))


@surface.tool("read", example={"person": "Mira Orrin"})
def list_offspring(memory: Memory, person: PersonName, as_of: AsOf = None) -> Result[list[ChildView]]:
    """A person's direct children, eldest first, those of unknown birth last."""
    with read_session(memory, as_of) as session:
        who = session.entity(person, "person", *PERSON_LABELS)
        said = _render_children(session, who)
        return list_result(said, len(said), session)


def _render_children(session: ReadSession, who: Entity) -> list[ChildView]:
    lore = session.lore
    own = _relation_by_child(lore.relations_of([who.id], ["parent_of"], "subject"))
    entities = lore.entities(own)
    lives = lore.existences(own)
    parents = _other_parents(session, who, own)
    printer = RelationRenderer(lore, own.values())

    def order(child: EntityId) -> tuple[int, str, str]:
        start = lives[child].start
        return MAX if start is None else start.lo, entities[child].name, child

    return [
        {
            **entity_ref(entities[child]),
            "lifespan": render_lifespan(lives[child]),
            "other_parents": [entity_ref(each) for each in parents.get(child, ())],
            "role": own[child].attributes.get("role"),
            "relation_id": format_fact_id(own[child].id),
            "confidence": printer.confidence(own[child]),
            "sources": printer.source_names(own[child]),
            "disputed": printer.is_disputed(own[child]),
        }
        for child in sorted(own, key=order)
    ]


def _relation_by_child(relations: list[Relation]) -> dict[EntityId, Relation]:
    found: dict[EntityId, Relation] = {}
    for each in sorted(relations, key=lambda relation: relation.id):
        if each.object is not None:
            found.setdefault(each.object, each)
    return found


def _other_parents(
    session: ReadSession, who: Entity, children: dict[EntityId, Relation]
) -> dict[EntityId, list[Entity]]:
    relations = session.lore.relations_of(children, ["parent_of"], "object")
    entities = session.lore.entities(each.subject for each in relations)
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
) -> Result[list[KinView]]:
    """A person's ancestors, each once at the shortest distance, nearest generation first."""
    return _list_line(memory, person, "up", generations, limit, as_of)


@surface.tool("read", example={"person": "Tobin Orrin", "generations": 1})
def descendants_of(
    memory: Memory,
    person: PersonName,
    generations: Generations = 100,
    limit: KinLimit = 1000,
    as_of: AsOf = None,
) -> Result[list[KinView]]:
    """A person's descendants, each once at the shortest distance, nearest generation first."""
    return _list_line(memory, person, "down", generations, limit, as_of)


def _list_line(
    memory: Memory, person: str, way: KinDirection, generations: int, limit: int, as_of: AsOfValue
) -> Result[list[KinView]]:
    with read_session(memory, as_of) as session:
        who = session.entity(person, "person", *PERSON_LABELS)
        found = find_lineal_kin(session.lore, who, way, generations)
        return list_result(_render_kin(session, found[:limit], way), limit, session, total=len(found))


def _render_kin(session: ReadSession, found: list[LinealKin], way: KinDirection) -> list[KinView]:
    lore = session.lore
    named = lore.entities(entity for kin in found for entity in kin.path)
    lives = lore.existences(kin.entity.id for kin in found)
    printer = RelationRenderer(lore, {each.id: each for kin in found for each in kin.relations}.values())
    return [
        {
            **entity_ref(kin.entity),
            "generation": kin.generation,
            "relation": generation_name(kin.generation, way),
            "path": [named[entity].name for entity in kin.path],
            "lifespan": render_lifespan(lives[kin.entity.id]),
            "relation_ids": [format_fact_id(each.id) for each in kin.relations],
            "confidence": min((printer.confidence(each) or 0.0 for each in kin.relations), default=None),
            "disputed": any(map(printer.is_disputed, kin.relations)),
        }
        for kin in found
    ]


KinshipDepth = Annotated[int, Field(ge=1, le=10, description="How many steps over parenthood and descent, either way")]

_BRANCH_RELATIONS = ("cadet_of", "part_of", "descended_from")


@surface.tool("read", example={"person": "Sela Orrin"})
def list_lineage(memory: Memory, person: PersonName, depth: KinshipDepth = 2, as_of: AsOf = None) -> LineageResult:
    """The lineage a person belongs to, their near kin, its other members and cadet branches."""
    with read_session(memory, as_of) as session:
        who = session.entity(person, "person", *PERSON_LABELS)
        lineages = lineages_of(session.lore, who.id)
        lineage = lineages[0] if lineages else None
        members, covered = _render_members(session.lore, who, lineage, depth)
        said: LineageResult = {
            "lineage": None if lineage is None else _render_lineage(session.lore, lineage, lineages),
            "members": members,
            "cadet_branches": [] if lineage is None else _render_branches(session.lore, lineage),
            "depth_covered": covered,
        }
        return session.with_resolution(said)


def lineages_of(lore: LoreReader, person: EntityId) -> list[Entity]:
    """The lineages of a person, highest confidence first."""
    relations = lore.relations_of([person], ["member_of"], "subject")
    entities = lore.entities(each.object for each in relations if each.object is not None)
    of_blood = [each for each in relations if each.object and kind_of(entities[each.object]).type == "lineage"]
    sources = lore.sources(each.id for each in of_blood)
    sure: dict[EntityId, float] = {}
    for each in of_blood:
        if each.object is not None:
            sure[each.object] = max(sure.get(each.object, 0.0), confidence_of(sources[each.id]) or 0.0)
    return sorted((entities[each] for each in sure), key=lambda each: (-sure[each.id], each.name, each.id))


def _render_lineage(lore: LoreReader, lineage: Entity, every: Iterable[Entity]) -> LineageView:
    founders = founding_ancestors(lore, [lineage])
    return {
        "name": lineage.name,
        "founding_ancestor": founders[lineage.id],
        "id": format_entity_id(lineage.id),
        "all": [each.name for each in every],
    }


def founding_ancestors(lore: LoreReader, lineages: Iterable[Entity]) -> dict[EntityId, str | None]:
    """By lineage, the property of that name or the person who founded it."""
    given = {each.id: each.properties.get("founding_ancestor") for each in lineages}
    relations = lore.relations_of(list(given), ["founded"], "object")
    entities = lore.entities(each.subject for each in relations)
    founders: dict[EntityId, str | None] = {}
    for each in sorted(relations, key=lambda relation: relation.id):
        if each.object is not None and kind_of(entities[each.subject]).type == "person":
            founders.setdefault(each.object, entities[each.subject].name)
    return {lineage: str(named) if named else founders.get(lineage) for lineage, named in given.items()}


def _render_members(lore: LoreReader, who: Entity, lineage: Entity | None, depth: int) -> tuple[list[MemberView], int]:
    relatives = find_relatives(lore, who, depth)
    blood = _lineage_members(lore, lineage)
    said = [_render_member(each.entity, each.relation, each.hops, blood) for each in relatives]
    near = {each.entity.id for each in relatives}
    further = sorted((each for each in blood.values() if each.id not in near), key=lambda each: (each.name, each.id))
    return [*said, *(_render_member(each, "member", None, blood) for each in further)], relatives[-1].hops


def _lineage_members(lore: LoreReader, lineage: Entity | None) -> dict[EntityId, Entity]:
    """The persons who are members of a lineage."""
    if lineage is None:
        return {}
    members = lore.entities(each.subject for each in lore.relations_of([lineage.id], ["member_of"], "object"))
    return {each: entity for each, entity in members.items() if kind_of(entity).type in PERSONS}


def _render_member(entity: Entity, relation: str, hops: int | None, blood: dict[EntityId, Entity]) -> MemberView:
    shown: MemberView = {
        "name": entity.name,
        "relation": relation,
        "id": format_entity_id(entity.id),
        "in_lineage": entity.id in blood,
        "hops": hops,
    }
    mark_entity(shown, entity)
    return shown


def _render_branches(lore: LoreReader, lineage: Entity) -> list[BranchView]:
    found = lore.entities(each.subject for each in lore.relations_of([lineage.id], _BRANCH_RELATIONS, "object"))
    branches = [each for each in found.values() if kind_of(each).type == "lineage"]
    founders = founding_ancestors(lore, branches)
    return [
        {"name": each.name, "founding_ancestor": founders[each.id], "id": format_entity_id(each.id)}
        for each in sorted(branches, key=lambda each: (each.name, each.id))
    ]
