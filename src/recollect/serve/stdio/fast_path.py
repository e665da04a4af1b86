"""Requests answered without loading the SDK: initialize, tools/list and ordinary tool calls."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from recollect.deadline import CallDeadline
from recollect.serve.callers import Caller, MemoryOpener
from recollect.serve.counted_calls import CountedCalls
from recollect.serve.metrics import Metrics
from recollect.serve.plain_calls import PlainCalls, is_message, is_request_id
from recollect.serve.protocol_versions import (
    INVALID_REQUEST,
    HandshakeProtocol,
    Id,
    ProtocolVersion,
    StatelessProtocol,
    StdioClient,
    client_from_initialize,
    client_from_meta,
    error_line,
    initialize_result,
    result_line,
)
from recollect.serve.server_info import ServerInfo, list_tools
from recollect.surfaces.declarations import Json, Surface

_MESSAGE_KEYS = frozenset({"jsonrpc", "id", "method", "params"})
_LIST_KEYS = frozenset({"_meta"})


@dataclass(frozen=True, slots=True)
class ImmediateReply:
    """A reply that is ready; empty for a message that expects none."""

    line: bytes = b""
    is_handshake: bool = False


@dataclass(frozen=True, slots=True)
class DeferredReply:
    """A reply to be computed on a worker thread, or the one to send if this does not end in time."""

    ident: Id
    line: Callable[[], bytes]
    late_line: Callable[[CallDeadline], bytes]


Reply = ImmediateReply | DeferredReply


class FastPath:
    """The requests of one client that can be answered without the SDK.

    `is_ready` after the initialize handshake. `accepts_notifications` from then on; in the stateless protocol, from the
    first request that names the client.
    """

    def __init__(self, surface: Surface, open_for: MemoryOpener, caller: Caller, metrics: Metrics) -> None:
        self._surface = surface
        self._caller = caller
        self._plain_calls = PlainCalls(lambda: surface, CountedCalls(open_for, metrics))
        self._about = ServerInfo(surface.name)
        self._stateless = StatelessProtocol(self._about)
        self._initialized_client: StdioClient | None = None
        self.is_ready = False
        self.accepts_notifications = False
        self._had_request = False

    def reply(self, message: Any) -> Reply | None:
        """The reply, or none if the message is for the SDK."""
        if not is_message(message):
            ident = message.get("id") if isinstance(message, dict) else None
            return ImmediateReply(
                error_line(ident if is_request_id(ident) else None, INVALID_REQUEST, "not a JSON-RPC 2.0 message")
            )
        if "method" in message and "id" in message and not is_request_id(message["id"]):
            return ImmediateReply(error_line(None, INVALID_REQUEST, "the id should be a string or an integer"))
        if not message.keys() <= _MESSAGE_KEYS:
            return None
        return self._handle_request(message) if "id" in message else self._handle_notification(message)

    def _handle_notification(self, message: Json) -> Reply | None:
        if message.get("method") != "notifications/initialized" or self._initialized_client is None or self.is_ready:
            return None
        self.is_ready = self.accepts_notifications = True
        return ImmediateReply(is_handshake=True)

    def _handle_request(self, message: Json) -> Reply | None:
        first, self._had_request = not self._had_request, True
        ident, params = message["id"], message.get("params")
        if message.get("method") == "initialize":
            return self._initialize(ident, params) if first else None
        client = self._initialized_client if self.is_ready else client_from_meta(params)
        if client is None:
            return None
        self.accepts_notifications = True
        era: ProtocolVersion = HandshakeProtocol() if self.is_ready else self._stateless
        match message.get("method"):
            case "tools/call":
                return self._call(ident, params, client, era)
            case "tools/list":
                return self._list(ident, params, era)
            case "ping" if self.is_ready and not params:
                return ImmediateReply(result_line(ident, {}))
            case "server/discover" if not self.is_ready and set(params or ()) == _LIST_KEYS:
                return ImmediateReply(result_line(ident, self._stateless.discovered()))
            case _:
                return None

    def _initialize(self, ident: Id, params: Any) -> Reply | None:
        self._initialized_client = client_from_initialize(params)
        if self._initialized_client is None:
            return None
        return ImmediateReply(
            result_line(ident, initialize_result(self._about, params["protocolVersion"])), is_handshake=True
        )

    def _list(self, ident: Id, params: Any, era: ProtocolVersion) -> Reply | None:
        if not (params is None or isinstance(params, dict)) or not (params or {}).keys() <= _LIST_KEYS:
            return None
        if self._surface.render_external_failure is not None:
            return None
        return ImmediateReply(result_line(ident, era.tools(list_tools(self._surface, self._caller))))

    def _call(self, ident: Id, params: Any, client: StdioClient, era: ProtocolVersion) -> Reply | None:
        tool = self._plain_calls.tool(params, offers_sampling=client.offers_sampling, can_ask=client.can_ask)
        if tool is None:
            return None
        caller = self._caller.with_client(client.name)
        calls = self._plain_calls
        return DeferredReply(
            ident,
            partial(calls.answer_line, ident, tool, caller, params, era),
            lambda deadline: calls.late_line(ident, tool, deadline, era),
        )
