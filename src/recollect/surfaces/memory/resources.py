"""The whole graph as a resource."""

import json

from recollect.keep.named_graph import read_graph
from recollect.memory import Memory
from recollect.surfaces.declarations import Content
from recollect.surfaces.memory.graph_tools import graph_view
from recollect.surfaces.memory.surface import surface

GRAPH = "memory://knowledge-graph"
JSON = "application/json"


@surface.resource(GRAPH, name="knowledge-graph", mime=JSON)
def read_knowledge_graph(memory: Memory, _uri: str) -> Content:
    """All entities with their observations, and all relations."""
    with memory.read() as view:
        graph = graph_view(read_graph(view))
    return Content(json.dumps(graph, ensure_ascii=False, indent=2), JSON)
