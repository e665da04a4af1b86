"""The database in which a host of entity-core keeps its knowledge graph, as the file that an export has of it."""

from pathlib import Path
from typing import Any

from recollect.errors import RecollectError
from recollect.keep.archive.export import to_json_text
from recollect.store.external_tables import ExternalTables, open_external_tables

_NODES = (
    "id type label description properties source_instance confidence source_memory_id created_at updated_at "
    "first_learned_at last_confirmed_at version deleted"
).split()
_EDGES = (
    "id from_id to_id type custom_type properties weight evidence created_at updated_at occurred_at valid_until "
    "last_confirmed_at version deleted"
).split()


def read_host_graph(path: Path) -> str | None:
    """The nodes and edges of the database at a path, as an export has them; none if it is not such a database."""
    try:
        with open_external_tables(path) as tables:
            return _export(tables) if tables.has("graph_nodes", "id", "type", "label") else None
    except RecollectError:
        return None


def _export(tables: ExternalTables) -> str:
    nodes = [each for each in tables.read("graph_nodes", _NODES, "id") if not each.get("deleted")]
    edges = [_with_own_type(each) for each in tables.read("graph_edges", _EDGES, "id") if not each.get("deleted")]
    return to_json_text({"nodes": nodes, "edges": edges, "statements": []})


def _with_own_type(edge: dict[str, Any]) -> dict[str, Any]:
    """An edge under the type that the host gave it where its own list had none."""
    own = edge.pop("custom_type", None)
    return {**edge, "type": own} if own else edge
