"""Requests answered without loading the SDK: initialize, tools/list and ordinary tool calls."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

from recollect.serve.callers import Caller, MemoryOpener
from recollect.serve.metrics import Metrics
from recollect.serve.server_info import ServerInfo, list_tools
from recollect.serve.stdio.protocol_versions import (
    INVALID_REQUEST,
    HandshakeProtocol,
    Id,
    ProtocolVersion,
    StatelessProtocol,
    StdioClient,
    call_line,
    client_from_initialize,
    client_from_meta,
    error_line,
    initialize_result,
    result_line,
)
from recollect.surfaces.declarations import Json, Surface, Tool
from recollect.surfaces.dispatch import call

_MESSAGE = frozenset({"jsonrpc", "id", "method", "params"})
_CALL = frozenset({"name", "arguments", "_meta"})
_LIST = frozenset({"_meta"})


@dataclass(frozen=True, slots=True)
class ImmediateReply:
    """The answer itself; nothing, to a message that wants none."""

    line: bytes = b""
    is_greeting: bool = False


@dataclass(frozen=True, slots=True)
class DeferredReply:
    """An answer that takes a thread."""

    ident: Id
    line: Callable[[], bytes]


Reply = ImmediateReply | DeferredReply


class FastPath:
    """One client's conversation, as far as it can be followed without the SDK.

    `is_ready` once the client has greeted; `may_be_told` what it did not ask about from then on, or, where there is
    no greeting, since it first said who it is.
    """

    def __init__(self, surface: Surface, open_for: MemoryOpener, caller: Caller, metrics: Metrics) -> None:
        self._surface = surface
        self._open_for = open_for
        self._caller = caller
        self._metrics = metrics
        self._about = ServerInfo(surface.name)
        self._stateless = StatelessProtocol(self._about)
        self._greeter: StdioClient | None = None
        self.is_ready = False
        self.may_be_told = False
        self._has_spoken = False

    def reply(self, message: Any) -> Reply | None:
        """What to answer, or none if the message is for the SDK."""
        if not is_message(message):
            ident = message.get("id") if isinstance(message, dict) else None
            return ImmediateReply(
                error_line(ident if _is_id(ident) else None, INVALID_REQUEST, "not a message of JSON-RPC 2.0")
            )
        if not message.keys() <= _MESSAGE:
            return None
        if "id" not in message:
            return self._noted(message)
        return self._answered(message) if _is_id(message["id"]) else None

    def _noted(self, message: Json) -> Reply | None:
        if message.get("method") != "notifications/initialized" or self._greeter is None or self.is_ready:
            return None
        self.is_ready = self.may_be_told = True
        return ImmediateReply(is_greeting=True)

    def _answered(self, message: Json) -> Reply | None:
        first, self._has_spoken = not self._has_spoken, True
        ident, params = message["id"], message.get("params")
        if message.get("method") == "initialize":
            return self._greeted(ident, params) if first else None
        client = self._greeter if self.is_ready else client_from_meta(params)
        if client is None:
            return None
        self.may_be_told = True
        era: ProtocolVersion = HandshakeProtocol() if self.is_ready else self._stateless
        match message.get("method"):
            case "tools/call":
                return self._call(ident, params, client, era)
            case "tools/list":
                return self._list(ident, params, era)
            case "ping" if self.is_ready and not params:
                return ImmediateReply(result_line(ident, {}))
            case "server/discover" if not self.is_ready and set(params or ()) == _LIST:
                return ImmediateReply(result_line(ident, self._stateless.discovered()))
            case _:
                return None

    def _greeted(self, ident: Id, params: Any) -> Reply | None:
        self._greeter = client_from_initialize(params)
        if self._greeter is None:
            return None
        return ImmediateReply(
            result_line(ident, initialize_result(self._about, params["protocolVersion"])), is_greeting=True
        )

    def _list(self, ident: Id, params: Any, era: ProtocolVersion) -> Reply | None:
        if not (params is None or isinstance(params, dict)) or not (params or {}).keys() <= _LIST:
            return None
        if self._surface.render_external_failure is not None:
            return None
        return ImmediateReply(result_line(ident, era.tools(list_tools(self._surface, self._caller))))

    def _call(self, ident: Id, params: Any, client: StdioClient, era: ProtocolVersion) -> Reply | None:
        tool = None if client.lends_model else self._ordinary(params)
        if tool is None:
            return None
        caller = self._caller.through(client.name)
        return DeferredReply(ident, partial(self._line, ident, tool, caller, params.get("arguments") or {}, era))

    def _ordinary(self, params: Any) -> Tool | None:
        if not isinstance(params, dict) or not params.keys() <= _CALL or not isinstance(params.get("name"), str):
            return None
        given, meta = params.get("arguments"), params.get("_meta")
        if not isinstance(given, dict | None) or not isinstance(meta, dict | None) or "progressToken" in (meta or {}):
            return None
        tool = self._surface.tool_called(params["name"])
        return None if tool is None or tool.effect == "destroy" or tool.reports_progress else tool

    def _line(self, ident: Id, tool: Tool, caller: Caller, arguments: Json, era: ProtocolVersion) -> bytes:
        began = perf_counter()
        answer = call(tool, partial(self._open_for, caller), arguments)
        self._metrics.note(tool, answer, perf_counter() - began)
        return call_line(ident, era, answer)


def is_message(value: Any) -> bool:
    """Whether it is a question, a notice or an answer at all."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return False
    if "method" not in value:
        return "id" in value and ("result" in value or "error" in value)
    return isinstance(value["method"], str) and isinstance(value.get("params", {}), dict | None)


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)
