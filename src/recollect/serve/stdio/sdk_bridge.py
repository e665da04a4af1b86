"""Bridge to the SDK's server on a thread of its own, for whatever the fast path does not answer."""

import json
import math
import re
import threading
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack
from typing import Any

from anyio import create_memory_object_stream
from anyio.from_thread import start_blocking_portal
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from recollect.serve.external_connections import ServerConnections
from recollect.serve.mcp import ServerContext, create_server, initialization_options
from recollect.serve.metrics import Metrics
from recollect.serve.open_store import OpenStore
from recollect.serve.stdio.protocol_versions import Id
from recollect.surfaces.declarations import Surface

DRAIN_SECONDS = 30
REPLY = re.compile(r'\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|-?\d+),"(?:result|error)"')

WriteLine = Callable[[bytes], None]


def start_sdk(
    surface: Surface, opened: OpenStore, metrics: Metrics, say: WriteLine, greeting: list[str]
) -> "SdkBridge":
    """The SDK's server of a surface, as if it had greeted the client itself."""
    external = ServerConnections(opened.workspace)
    door = ServerContext(lambda: surface, opened.open_for, lambda _: opened.local, metrics, external)
    return SdkBridge(create_server(surface.name, door), external, say, greeting)


class SdkBridge:
    """Hears lines from another thread, and says its own; ends when it is told to and all is answered."""

    def __init__(
        self, surface_server: Server[Any], external: ServerConnections, say: WriteLine, greeting: list[str]
    ) -> None:
        self._until_end = ExitStack()
        self._portal = self._until_end.enter_context(start_blocking_portal())
        self._lines, heard = create_memory_object_stream[str](math.inf)
        self._writer = SdkWriter(say)
        self._done = self._portal.start_task_soon(_served, surface_server, external, heard, self._writer)
        if greeting:
            self._greet(greeting)

    def hear(self, line: str, message: Any) -> None:
        if isinstance(message, dict) and "method" in message and isinstance(message.get("id"), str | int):
            self._writer.owes(message["id"])
        self._portal.call(self._lines.send_nowait, line)

    def settle(self) -> None:
        """Wait for what it still owes."""
        self._writer.drain(DRAIN_SECONDS)

    def end(self) -> None:
        self.settle()
        self._portal.call(self._lines.aclose)
        self._done.result()
        self._until_end.close()

    def _greet(self, greeting: list[str]) -> None:
        """What the client said before we were there; it has its answer to that."""
        hello, *rest = greeting
        self._writer.swallow(json.loads(hello)["id"])
        for line in (hello, *rest):
            self._portal.call(self._lines.send_nowait, line)
            self.settle()


async def _served(
    surface_server: Server[Any], external: ServerConnections, heard: MemoryObjectReceiveStream[str], writer: "SdkWriter"
) -> None:
    async with heard, AsyncExitStack() as stack:
        await stack.enter_async_context(external.running())
        ends: Any = heard, writer
        incoming, outgoing = await stack.enter_async_context(stdio_server(*ends))
        await surface_server.run(incoming, outgoing, initialization_options(surface_server))


class SdkWriter:
    """What the SDK says, and what it still owes the client."""

    def __init__(self, say: WriteLine) -> None:
        self._say = say
        self._owed: set[Id] = set()
        self._swallowed: set[Id] = set()
        self._changed = threading.Condition()

    def owes(self, ident: Id) -> None:
        with self._changed:
            self._owed.add(ident)

    def swallow(self, ident: Id) -> None:
        """Keep the answer to this one back."""
        self._swallowed.add(ident)
        self.owes(ident)

    async def write(self, text: str) -> None:
        reply = REPLY.match(text)
        ident = json.loads(reply[1]) if reply else None
        if ident in self._swallowed:
            self._swallowed.discard(ident)
        else:
            self._say(text.encode())
        if ident is not None:
            self._said(ident)

    async def flush(self) -> None:
        """Each line is out when it is said."""

    def drain(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._owed, seconds)

    def _said(self, ident: Id) -> None:
        with self._changed:
            self._owed.discard(ident)
            self._changed.notify_all()
