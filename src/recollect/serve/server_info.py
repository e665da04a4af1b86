"""Name, version, instructions and tool listing of a server, for both protocol versions."""

from dataclasses import dataclass

from recollect import __version__ as version
from recollect.serve.callers import Caller
from recollect.surfaces.declarations import Json, Surface, Tool
from recollect.surfaces.instructions import instructions_for
from recollect.surfaces.registry import has_prompts, has_resources
from recollect.surfaces.schema import brief_input_schema, brief_output_schema, input_schema, output_schema

NAME = "recollect"


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """How the server of a surface introduces itself to clients."""

    surface: str
    name: str = NAME
    version: str = version

    @property
    def instructions(self) -> str:
        return instructions_for(self.surface)

    @property
    def title(self) -> str:
        return f"Recollect · {self.surface}"

    @property
    def has_resources(self) -> bool:
        return has_resources(self.surface)

    @property
    def has_prompts(self) -> bool:
        return has_prompts(self.surface)


SURFACE_META = "recollect/surface"


def list_tools(surface: Surface, caller: Caller) -> list[Json]:
    """The tools this caller may use, as the protocol lists them."""
    return [describe_tool(tool, brief=surface.brief) for tool in surface.listed_tools(may_write=caller.may_write)]


def describe_tool(tool: Tool, *, brief: bool = False) -> Json:
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
