"""The nine tools of the reference memory server, with its names, arguments and results."""

import json
from collections.abc import Sequence
from typing import Annotated, Any, NotRequired

from pydantic import ConfigDict, Field, with_config
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import TypedDict

from recollect.keep import named_graph
from recollect.keep.named_graph import GraphEntity, GraphRelation, NamedGraph
from recollect.memory import Memory
from recollect.surfaces.declarations import Result
from recollect.surfaces.memory.surface import surface

# ruff: noqa: N803 the published names


_CLOSED = ConfigDict(extra="forbid")
"""For results, whose published schema has no other keys, as the reference's."""


class GraphEntityInput(TypedDict):
    name: Annotated[str, Field(description="Name, compared exactly")]
    entityType: Annotated[str, Field(description="Kind of thing, such as person")]
    observations: Annotated[list[str], Field(description="What is known about it, one statement each")]


GraphRelationInput = TypedDict(
    "GraphRelationInput",
    {
        "from": Annotated[str, Field(description="Name of the entity it starts from")],
        "to": Annotated[str, Field(description="Name of the entity it leads to")],
        "relationType": Annotated[str, Field(description="What joins them, such as works_at")],
    },
)


class ObservationInput(TypedDict):
    entityName: Annotated[str, Field(description="Name of an entity that exists")]
    contents: Annotated[list[str], Field(description="Statements to add")]


class DeletionInput(TypedDict):
    entityName: Annotated[str, Field(description="Name of the entity")]
    observations: Annotated[list[str], Field(description="Statements to retract, word for word")]


@with_config(_CLOSED)
class GraphEntityView(GraphEntityInput):
    pass


@with_config(_CLOSED)
class GraphRelationView(GraphRelationInput):
    pass


@with_config(_CLOSED)
class EntitiesResult(TypedDict):
    entities: list[GraphEntityView]


@with_config(_CLOSED)
class RelationsResult(TypedDict):
    relations: list[GraphRelationView]


@with_config(_CLOSED)
class AddedObservations(TypedDict):
    entityName: str
    addedObservations: list[str]


@with_config(_CLOSED)
class ObservationsResult(TypedDict):
    results: list[AddedObservations]


@with_config(_CLOSED)
class GraphDeletionResult(TypedDict):
    success: bool
    message: str


class GraphResult(TypedDict):
    entities: list[GraphEntityView]
    relations: list[GraphRelationView]
    untrusted: NotRequired[SkipJsonSchema[list[str]]]
    """Statements of sources nobody vouches for, and those whose words look like an attack.

    The reference knows no such thing, so the published schema has no key for it, but stays open: the mark is worth more
    than a closed schema.
    """


@surface.tool(
    "write",
    example={"entities": [{"name": "Lena", "entityType": "person", "observations": ["Lives in Porto"]}]},
)
def create_entities(
    memory: Memory, entities: Annotated[list[GraphEntityInput], Field(description="Entities to add")]
) -> Result[EntitiesResult]:
    """Add entities with a type and observations; a name that exists stays as it is."""
    given = [GraphEntity(each["name"], each["entityType"], tuple(each["observations"])) for each in entities]
    with memory.write() as change:
        created = named_graph.create_entities(change, given)
    views = [_entity_view(each) for each in created]
    return Result({"entities": views}, _as_text(views))


@surface.tool(
    "write",
    example={"relations": [{"from": "Ada Brandt", "to": "Lena", "relationType": "is_sister_of"}]},
)
def create_relations(
    memory: Memory, relations: Annotated[list[GraphRelationInput], Field(description="Relations to add")]
) -> Result[RelationsResult]:
    """Join entities by relations in the active voice; a relation that exists stays as it is."""
    with memory.write() as change:
        created = named_graph.create_relations(change, _relations(relations))
    views = [_relation_view(each) for each in created]
    return Result({"relations": views}, _as_text(views))


@surface.tool(
    "write",
    example={"observations": [{"entityName": "Ada Brandt", "contents": ["Prefers pnpm"]}]},
)
def add_observations(
    memory: Memory, observations: Annotated[list[ObservationInput], Field(description="What to add to which entity")]
) -> Result[ObservationsResult]:
    """Add observations to entities that exist; those already known are passed over."""
    results: list[AddedObservations] = []
    with memory.write() as change:
        for each in observations:
            added = named_graph.add_observations(change, each["entityName"], each["contents"])
            results.append({"entityName": each["entityName"], "addedObservations": added})
    return Result({"results": results}, _as_text(results))


@surface.tool("destroy", example={"entityNames": ["Ada Brandt"]}, idempotent=True)
def delete_entities(
    memory: Memory,
    entityNames: Annotated[list[str], Field(description="Names of the entities")],
) -> Result[GraphDeletionResult]:
    """Delete entities with their relations; history keeps them, and they can be undone."""
    with memory.write() as change:
        named_graph.delete_entities(change, entityNames)
    return _deletion_result("Entities")


@surface.tool(
    "destroy",
    example={"deletions": [{"entityName": "Ada Brandt", "observations": ["Works from Lisbon"]}]},
    idempotent=True,
)
def delete_observations(
    memory: Memory, deletions: Annotated[list[DeletionInput], Field(description="What to retract from which entity")]
) -> Result[GraphDeletionResult]:
    """Retract observations of entities; history keeps them."""
    with memory.write() as change:
        for each in deletions:
            named_graph.delete_observations(change, each["entityName"], each["observations"])
    return _deletion_result("Observations")


@surface.tool(
    "destroy",
    example={"relations": [{"from": "Ada Brandt", "to": "acme-web", "relationType": "maintains"}]},
    idempotent=True,
)
def delete_relations(
    memory: Memory,
    relations: Annotated[list[GraphRelationInput], Field(description="Relations to retract")],
) -> Result[GraphDeletionResult]:
    """Retract relations; history keeps them."""
    with memory.write() as change:
        named_graph.delete_relations(change, _relations(relations))
    return _deletion_result("Relations")


@surface.tool("read", example={})
def read_graph(memory: Memory) -> GraphResult:
    """Read all entities and relations."""
    with memory.read() as view:
        return graph_view(named_graph.read_graph(view))


@surface.tool("read", example={"query": "acme"})
def search_nodes(
    memory: Memory,
    query: Annotated[str, Field(description="Text to look for, in any letter case")],
) -> GraphResult:
    """Find entities whose name, type or observations contain a text."""
    with memory.read() as view:
        return graph_view(named_graph.search_entities(view, query))


@surface.tool("read", example={"names": ["Ada Brandt"]})
def open_nodes(memory: Memory, names: Annotated[list[str], Field(description="Names of the entities")]) -> GraphResult:
    """Read entities by their exact names, with their relations."""
    with memory.read() as view:
        return graph_view(named_graph.open_entities(view, names))


def graph_view(graph: NamedGraph) -> GraphResult:
    shown: GraphResult = {
        "entities": [_entity_view(each) for each in graph.entities],
        "relations": [_relation_view(each) for each in graph.relations],
    }
    if graph.untrusted:
        shown["untrusted"] = list(graph.untrusted)
    return shown


def _entity_view(entity: GraphEntity) -> GraphEntityView:
    return {"name": entity.name, "entityType": entity.type, "observations": list(entity.observations)}


def _relation_view(relation: GraphRelation) -> GraphRelationView:
    return {"from": relation.subject, "to": relation.object, "relationType": relation.relation}


def _relations(given: Sequence[GraphRelationInput]) -> list[GraphRelation]:
    return [GraphRelation(each["from"], each["relationType"], each["to"]) for each in given]


def _deletion_result(what: str) -> Result[GraphDeletionResult]:
    message = f"{what} deleted successfully"
    return Result({"success": True, "message": message}, message)


def _as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
