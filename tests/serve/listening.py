"""A server of entity-core in the process, and a client that listens to what it says of recomputed vectors."""

from collections.abc import Sequence
from typing import Any

import anyio
import mcp_types as types
from mcp.client.extension import ClientExtension, NotificationBinding
from mcp.server.lowlevel import Server

from recollect.memory import Memory
from recollect.serve.callers import Caller
from recollect.serve.mcp import ServerContext, create_server
from recollect.surfaces.registry import find_surface


class Heard(types.NotificationParams, extra="allow"):
    """All that was said."""


class Listener(ClientExtension):
    """Keeps what is said about rebuilds."""

    identifier = "recollect.test/rebuilds"

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.has_heard = anyio.Event()

    def notifications(self) -> Sequence[NotificationBinding[Any]]:
        return [
            NotificationBinding(method="notifications/embedding-rebuild", params_type=Heard, handler=self._keep),
        ]

    async def _keep(self, params: Heard) -> None:
        self.heard.append(params.model_dump(exclude_none=True))
        self.has_heard.set()


def served(memory: Memory) -> Server[Any]:
    """The MCP server of entity-core on a memory."""
    surface = find_surface("entity-core")
    caller = Caller("someone", "default", "write")
    door = ServerContext(
        lambda: surface, lambda _, tool: memory.as_actor(tool.surface.name, tool.name, caller.actor), lambda _: caller
    )
    return create_server("entity-core", door)
