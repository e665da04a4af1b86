"""The surface itself, and how failures print: the message as text, marked as an error."""

from collections.abc import Mapping
from typing import Any

from recollect.errors import RecollectError
from recollect.settings import Settings
from recollect.surfaces.declarations import Failure, Surface, Tool

_TOOL_ORDER = (
    "create_entities",
    "create_relations",
    "add_observations",
    "delete_entities",
    "delete_observations",
    "delete_relations",
    "read_graph",
    "search_nodes",
    "open_nodes",
)


def render_failure(_tool: Tool, _given: Mapping[str, Any], failure: RecollectError, _settings: Settings) -> Failure:
    told = {"error": failure.code, "message": str(failure)}
    return Failure(told, is_error=True, text=str(failure), is_text_only=True)


surface = Surface(
    "memory",
    "Drop-in for the reference memory server: entities, observations and relations by name.",
    render_failure,
    indent=2,
    ignores_unknown=True,
    inlines=True,
    tool_order=_TOOL_ORDER,
)
