"""`recall_entity`: one entity by name, with its facts and neighbours."""

from collections.abc import Sequence
from typing import Annotated, NotRequired
from typing import Literal as OneOf

from pydantic import AfterValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.fact import Assertion
from recollect.model.ids import EntityId, say_entity, say_fact
from recollect.model.storable import is_storable
from recollect.reason.links import Link, Ref, told_by
from recollect.resolve.answer import Resolution
from recollect.store.seen import Gist
from recollect.surfaces.cognitive_graph.graph import Graph, Neighbour
from recollect.surfaces.cognitive_graph.problems import NameTooLong
from recollect.surfaces.cognitive_graph.shapes import FactShape, candidates_block, fact_shape
from recollect.surfaces.cognitive_graph.surface import surface
from recollect.surfaces.cognitive_graph.words import (
    MOST_FACTS,
    MOST_NEIGHBOURS,
    MOST_OTHER_FACTS,
    NAME_LIMIT,
    TYPES,
    EntityType,
)
from recollect.surfaces.declare import Result
from recollect.surfaces.shapes import AsOf, folded_into, refuse
from recollect.when.instant import say_instant

_SCORE_DIGITS = 3


class EntityShape(TypedDict):
    id: str
    type: str
    name: str
    aliases: list[str]
    created_at: str


class NeighbourShape(TypedDict):
    id: str
    type: str
    name: str
    co_occurrence_count: int


class ResolutionShape(TypedDict):
    method: OneOf["exact", "alias", "fuzzy", "embedding", "none"]
    score: float


class OtherFact(TypedDict):
    id: str
    text: str
    since: NotRequired[str]
    until: NotRequired[str]
    source: NotRequired[str]


class Recalled(TypedDict):
    entity: EntityShape | None
    facts: list[FactShape]
    related_entities: list[NeighbourShape]
    resolution: ResolutionShape
    truncated_facts: bool
    other_facts: NotRequired[list[OtherFact]]
    truncated_other_facts: NotRequired[bool]


def _named(text: str) -> str:
    trimmed = text.strip()
    if not trimmed or not is_storable(trimmed):
        raise refuse("should be a name, an alias or an id")
    return trimmed


NameOrAlias = Annotated[
    str,
    AfterValidator(_named),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": NAME_LIMIT}),
    Field(description="A name as people write it, an alias or an entity id"),
]
PrintedType = Annotated[EntityType, folded_into(*TYPES), Field(description="Only entities of this type")]


@surface.tool("read", example={"name_or_alias": "coper kettle"})
def recall_entity(
    memory: Memory,
    name_or_alias: NameOrAlias,
    type: PrintedType | None = None,  # noqa: A002
    as_of: AsOf = None,
) -> Result[Recalled]:
    """One entity by name, with its facts and neighbours.

    `other_facts` are those outside the eight predicates. Typing errors are forgiven. Nothing found is a normal
    answer: `entity` is null. When several entities fit, a second text lists them; ask again with `type` or an id.
    """
    if len(name_or_alias) > NAME_LIMIT:
        raise NameTooLong(len(name_or_alias))
    with memory.read(as_of) as view:
        graph = Graph(memory, view)
        found = graph.resolve(name_or_alias, type)
        entity = view.entity(found.entity) if found.entity is not None else None
        if entity is None:
            return Result(_nothing(), also=candidates_block(graph, name_or_alias, found))
        links = graph.about(entity.id, MOST_FACTS + 1)
        is_cut = len(links) > MOST_FACTS
        shown = links[:MOST_FACTS]
        told = graph.told(shown)
        beside = graph.neighbours(entity.id, MOST_NEIGHBOURS) if is_cut else _neighbours(entity.id, links)
        ref = graph.ref(entity)
        recalled: Recalled = {
            "entity": {
                "id": say_entity(ref.id),
                "type": ref.type,
                "name": ref.name,
                "aliases": view.aliases(entity),
                "created_at": say_instant(entity.created_at),
            },
            "facts": [fact_shape(link, told[link.id]) for link in shown],
            "related_entities": [_neighbour(each) for each in beside],
            "resolution": _resolution(found),
            "truncated_facts": is_cut,
        }
        _add_others(recalled, graph, entity.id)
        return Result(recalled)


def _add_others(recalled: Recalled, graph: Graph, entity: EntityId) -> None:
    """Add the facts that have no place among the eight predicates, if there are any."""
    others = graph.others_about(entity, MOST_OTHER_FACTS)
    if not others.facts:
        return
    assertions = graph.view.assertions_of([fact.id for fact in others.facts])
    recalled["other_facts"] = [_other_fact(fact, assertions[fact.id]) for fact in others.facts]
    if others.is_cut:
        recalled["truncated_other_facts"] = True


def _other_fact(fact: Gist, assertions: Sequence[Assertion]) -> OtherFact:
    shown: OtherFact = {"id": say_fact(fact.id), "text": fact.text}
    if fact.valid_from is not None:
        shown["since"] = fact.valid_from
    if fact.valid_until is not None:
        shown["until"] = fact.valid_until
    source = told_by(assertions).source if assertions else None
    if source is not None:
        shown["source"] = source
    return shown


def _nothing() -> Recalled:
    return {
        "entity": None,
        "facts": [],
        "related_entities": [],
        "resolution": {"method": "none", "score": 0},
        "truncated_facts": False,
    }


def _resolution(found: Resolution) -> ResolutionShape:
    method = "exact" if found.method == "id" else found.method
    return {"method": method, "score": round(found.score, _SCORE_DIGITS)}


def _neighbours(entity: EntityId, links: Sequence[Link]) -> list[Neighbour]:
    """The other ends of all these facts, those that share most facts first."""
    shared: dict[Ref, list[Link]] = {}
    for link in links:
        other = link.other(entity)
        if other is not None and other.id != entity:
            shared.setdefault(other, []).append(link)
    newest = {ref: max(link.recorded_at for link in its) for ref, its in shared.items()}
    ranked = sorted(shared, key=lambda ref: (-len(shared[ref]), -newest[ref], ref.name, ref.id))
    return [Neighbour(ref, len(shared[ref])) for ref in ranked[:MOST_NEIGHBOURS]]


def _neighbour(neighbour: Neighbour) -> NeighbourShape:
    ref = neighbour.entity
    return {"id": say_entity(ref.id), "type": ref.type, "name": ref.name, "co_occurrence_count": neighbour.facts}
