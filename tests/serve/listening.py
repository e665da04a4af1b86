"""A client's ear for what our servers say of vectors that are computed anew."""

from collections.abc import Sequence
from typing import Any

import anyio
import mcp_types as types
from mcp.client.extension import ClientExtension, NotificationBinding


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
