"""The tools of a surface as the protocol lists them."""

from recollect.serve.callers import Caller
from recollect.surfaces.declare import Json, Surface, Tool
from recollect.surfaces.schema import brief_input_schema, brief_output_schema, input_schema, output_schema

SURFACE_META = "recollect/surface"


def listing(surface: Surface, caller: Caller) -> list[Json]:
    """What this caller is shown."""
    return [listed(tool, brief=surface.brief) for tool in surface.offered(may_write=caller.may_write)]


def listed(tool: Tool, *, brief: bool = False) -> Json:
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": brief_input_schema(tool) if brief else input_schema(tool),
        "outputSchema": brief_output_schema(tool) if brief else output_schema(tool),
        "annotations": {
            "readOnlyHint": tool.effect == "read",
            "destructiveHint": tool.effect == "destroy",
            "idempotentHint": tool.idempotent,
            "openWorldHint": tool.open_world,
        },
        "_meta": {SURFACE_META: tool.surface.name},
    }
