"""Bridge to the SDK's server, on a thread of its own, for requests that the fast path leaves."""

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

from recollect.serve.callers import Caller
from recollect.serve.external_connection_pool import ServerConnections
from recollect.serve.mcp import ServerContext, create_server, initialization_options
from recollect.serve.metrics import Metrics
from recollect.serve.open_store import OpenStore
from recollect.serve.protocol_versions import Id
from recollect.surfaces.declarations import Surface

DRAIN_SECONDS = 30
REPLY = re.compile(r'\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|-?\d+),"(?:result|error)"')

WriteLine = Callable[[bytes], None]


def start_sdk(
    surface: Surface, opened: OpenStore, caller: Caller, metrics: Metrics, write: WriteLine, handshake: list[str]
) -> "SdkBridge":
    """The SDK's server of a surface, brought to the state after the handshake."""
    external = ServerConnections(opened.workspace)
    context = ServerContext(
        lambda: surface,
        opened.open_for,
        lambda _: caller,
        metrics,
        external,
        call_seconds=opened.call_seconds,
    )
    return SdkBridge(create_server(surface.name, context), external, write, handshake)


class SdkBridge:
    """Passes lines to the SDK from another thread and writes its replies; ends after all requests are answered."""

    def __init__(
        self, surface_server: Server[Any], external: ServerConnections, write: WriteLine, handshake: list[str]
    ) -> None:
        self._stack = ExitStack()
        self._portal = self._stack.enter_context(start_blocking_portal())
        self._lines, received = create_memory_object_stream[str](math.inf)
        self._writer = SdkWriter(write)
        self._done = self._portal.start_task_soon(_serve, surface_server, external, received, self._writer)
        if handshake:
            self._replay_handshake(handshake)

    def send(self, line: str, message: Any) -> None:
        if isinstance(message, dict) and "method" in message and isinstance(message.get("id"), str | int):
            self._writer.expect(message["id"])
        self._portal.call(self._lines.send_nowait, line)

    def drain(self) -> None:
        """Wait for outstanding replies."""
        self._writer.drain(DRAIN_SECONDS)

    def end(self) -> None:
        self.drain()
        self._portal.call(self._lines.aclose)
        self._done.result()
        self._stack.close()

    def _replay_handshake(self, handshake: list[str]) -> None:
        """Replay the handshake, to which the client already has the reply."""
        initialize, *rest = handshake
        self._writer.discard_reply(json.loads(initialize)["id"])
        for line in (initialize, *rest):
            self._portal.call(self._lines.send_nowait, line)
            self.drain()


async def _serve(
    surface_server: Server[Any],
    external: ServerConnections,
    received: MemoryObjectReceiveStream[str],
    writer: "SdkWriter",
) -> None:
    async with received, AsyncExitStack() as stack:
        await stack.enter_async_context(external.running())
        ends: Any = received, writer
        incoming, outgoing = await stack.enter_async_context(stdio_server(*ends))
        await surface_server.run(incoming, outgoing, initialization_options(surface_server))


class SdkWriter:
    """Writes the replies of the SDK and tracks outstanding requests."""

    def __init__(self, write: WriteLine) -> None:
        self._write = write
        self._pending: set[Id] = set()
        self._discarded: set[Id] = set()
        self._changed = threading.Condition()

    def expect(self, ident: Id) -> None:
        with self._changed:
            self._pending.add(ident)

    def discard_reply(self, ident: Id) -> None:
        """Do not pass on the reply to this request."""
        self._discarded.add(ident)
        self.expect(ident)

    async def write(self, text: str) -> None:
        reply = REPLY.match(text)
        ident = json.loads(reply[1]) if reply else None
        if ident in self._discarded:
            self._discarded.discard(ident)
        else:
            self._write(text.encode())
        if ident is not None:
            self._note_reply(ident)

    async def flush(self) -> None:
        """Nothing to do: each line is written at once."""

    def drain(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._pending, seconds)

    def _note_reply(self, ident: Id) -> None:
        with self._changed:
            self._pending.discard(ident)
            self._changed.notify_all()
