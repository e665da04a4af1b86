"""Clients that can be told what they did not ask about: those that greeted, over the channel they keep open."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

log = logging.getLogger("recollect.clients")

Context = ServerRequestContext[Any, Any]
MOST_TOLD = 64


@dataclass(frozen=True, slots=True)
class Client:
    """One of them; its greeting is the same object in all its requests."""

    greeting: types.InitializeRequestParams
    session: ServerSession
    loop: asyncio.AbstractEventLoop

    async def tell(self, notification: types.ServerNotification) -> None:
        try:
            await self.session.send_notification(notification)
        except Exception as failure:
            # The client is gone; it will ask again if it comes back.
            log.debug("a client was not told: %s", type(failure).__name__)


class Clients:
    """The clients of each workspace, those that spoke last."""

    def __init__(self) -> None:
        self._of: dict[str, list[Client]] = {}

    def note(self, workspace: str, context: Context) -> None:
        """Remember the client behind a request, unless its protocol has no channel for what nobody asked for."""
        greeting = context.session.client_params
        if greeting is None or context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return
        client = Client(greeting, context.session, asyncio.get_running_loop())
        others = [each for each in self._of.get(workspace, ()) if each.greeting is not greeting]
        self._of[workspace] = [*others[-MOST_TOLD + 1 :], client]

    def workspaces(self) -> list[str]:
        return list(self._of)

    def tell(self, workspace: str, notification: types.ServerNotification) -> None:
        """From any thread; whoever has gone by then is not told."""
        for client in self._of.get(workspace, ()):
            with suppress(RuntimeError):
                asyncio.run_coroutine_threadsafe(client.tell(notification), client.loop)
