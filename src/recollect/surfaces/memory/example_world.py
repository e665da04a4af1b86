"""The example world of this surface: a developer and the project she maintains."""

from recollect.keep.named_graph import GraphEntity, GraphRelation, create_entities, create_relations
from recollect.memory import Memory

# Deletions in the examples must not reach the worlds of other surfaces.
WORKSPACE = "reference"
ENTITIES = (
    GraphEntity("Ada Brandt", "person", ("Builds acme-web", "Works from Lisbon")),
    GraphEntity("acme-web", "project", ("Runs on PostgreSQL",)),
)
RELATIONS = (GraphRelation("Ada Brandt", "maintains", "acme-web"),)


def prepare(memory: Memory) -> None:
    """Fill an example world."""
    with memory.as_actor("memory", "create_entities").write() as change:
        create_entities(change, ENTITIES)
    with memory.as_actor("memory", "create_relations").write() as change:
        create_relations(change, RELATIONS)
