"""Tool calls that need nothing of the MCP SDK: no progress, no sampling, no confirmation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from recollect.deadline import CallDeadline
from recollect.serve.callers import Caller
from recollect.serve.counted_calls import CountedCalls
from recollect.serve.idempotency import KEY_META
from recollect.serve.protocol_versions import Id, ProtocolVersion, call_line
from recollect.surfaces.arguments import is_unstorable
from recollect.surfaces.declarations import Json, Surface, Tool

_CALL_KEYS = frozenset({"name", "arguments", "_meta"})


@dataclass(frozen=True, slots=True)
class PlainCalls:
    """The plain calls of one surface, for every transport."""

    load: Callable[[], Surface]
    calls: CountedCalls

    def tool(self, params: Any, *, offers_sampling: bool = False, can_ask: bool = True) -> Tool | None:
        """The tool of a plain call; none if the SDK must handle it.

        What destroys is plain for a client that cannot ask its user, which is trusted to have asked.
        A call that will be refused for a value that cannot be stored is plain: the SDK would take long to read it.
        """
        if not isinstance(params, dict) or not params.keys() <= _CALL_KEYS or not isinstance(params.get("name"), str):
            return None
        given, meta = params.get("arguments"), params.get("_meta")
        if not isinstance(given, dict | None) or not isinstance(meta, dict | None):
            return None
        tool = self.load().tool_called(params["name"])
        if tool is None:
            return None
        is_plain = not offers_sampling and "progressToken" not in (meta or {}) and _is_simple(tool, can_ask=can_ask)
        return tool if is_plain or is_unstorable(tool, given or {}) else None

    def answer_line(self, ident: Id, tool: Tool, caller: Caller, params: Json, era: ProtocolVersion) -> bytes:
        """Run the tool, count the call and encode the result."""
        arguments, key = params.get("arguments") or {}, (params.get("_meta") or {}).get(KEY_META)
        return call_line(ident, era, self.calls.answer(tool, caller, arguments, key))

    def late_line(self, ident: Id, tool: Tool, deadline: CallDeadline, era: ProtocolVersion) -> bytes:
        """The answer to a call that did not end in time."""
        return call_line(ident, era, self.calls.late_answer(tool, deadline))


def _is_simple(tool: Tool, *, can_ask: bool) -> bool:
    return (tool.effect != "destroy" or not can_ask) and not tool.reports_progress


def is_message(value: Any) -> bool:
    """Whether a value is a JSON-RPC request, notification or response."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return False
    if "method" not in value:
        return "id" in value and ("result" in value or "error" in value)
    return isinstance(value["method"], str) and isinstance(value.get("params", {}), dict | None)


def is_request_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def cancelled_id(message: Any) -> Id | None:
    """The id of the request that a notification cancels."""
    params = message.get("params") if message.get("method") == "notifications/cancelled" else None
    ident = params.get("requestId") if isinstance(params, dict) else None
    return ident if is_request_id(ident) and "id" not in message else None
