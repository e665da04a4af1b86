"""Ordinary tool calls over stdin and stdout, answered without the SDK's round of models.

That round costs more than most calls themselves. What is the least bit unusual is left to the SDK: other methods,
malformed calls, tools that ask before they destroy, clients that offer us their model, and every client that did not
greet the older way.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from recollect.serve.callers import Caller, OpenFor
from recollect.serve.metrics import Metrics
from recollect.surfaces.declare import Answer, Surface, Tool
from recollect.surfaces.dispatch import call

if TYPE_CHECKING:
    from recollect.serve.pipes import Open

AT_ONCE = 16
_KNOWN = frozenset({"name", "arguments", "_meta"})
_MESSAGE = frozenset({"jsonrpc", "id", "method", "params"})

Id = str | int
Say = Callable[[str], Awaitable[None]]


class Straight:
    """The calls of one client that is past its greeting."""

    def __init__(self, surface: Surface, open_for: OpenFor, caller: Caller, metrics: Metrics) -> None:
        self._surface = surface
        self._open_for = open_for
        self._caller = caller
        self._metrics = metrics
        self._threads = ThreadPoolExecutor(AT_ONCE, "call")
        self._running: dict[Id, asyncio.Task[None]] = {}
        self._greeted = self._ready = False

    def takes(self, message: Any, say: Say, still_open: "Open") -> bool:
        """Whether this message is dealt with here."""
        if not isinstance(message, dict):
            return False
        method = message.get("method")
        if method == "tools/call":
            return self._ready and self._call(message, say)
        if method == "notifications/cancelled":
            return self._cancel(message.get("params"), still_open)
        if method == "initialize":
            self._greeted = not _offers_a_model(message.get("params"))
            self._caller = replace(self._caller, client=_client_name(message.get("params")))
        self._ready = self._ready or (self._greeted and method == "notifications/initialized")
        return False

    def _call(self, message: dict[str, Any], say: Say) -> bool:
        ident: Any = message.get("id")
        params: Any = message.get("params")
        tool = self._ordinary(params) if _is_id(ident) and message.keys() <= _MESSAGE else None
        if tool is None or ident in self._running:
            return False
        task = asyncio.create_task(self._answer(ident, tool, params.get("arguments") or {}, say))
        self._running[ident] = task
        task.add_done_callback(lambda _: self._running.pop(ident, None))
        return True

    def _ordinary(self, params: Any) -> Tool | None:
        if not isinstance(params, dict) or not params.keys() <= _KNOWN or not isinstance(params.get("name"), str):
            return None
        if not isinstance(params.get("arguments") or {}, dict) or not isinstance(params.get("_meta") or {}, dict):
            return None
        tool = self._surface.called(params["name"])
        return None if tool is None or tool.effect == "destroy" else tool

    def _cancel(self, params: Any, still_open: "Open") -> bool:
        ident: Any = params.get("requestId") if isinstance(params, dict) else None
        task = self._running.get(ident) if _is_id(ident) else None
        if task is None:
            return False
        task.cancel()
        still_open.dropped(ident)
        return True

    async def _answer(self, ident: Id, tool: Tool, arguments: dict[str, Any], say: Say) -> None:
        began = perf_counter()
        job = partial(call, tool, partial(self._open_for, self._caller), arguments)
        answer = await asyncio.get_running_loop().run_in_executor(self._threads, job)
        self._metrics.note(tool, answer, perf_counter() - began)
        await say(line_of(ident, answer))


def _offers_a_model(params: Any) -> bool:
    offered = params.get("capabilities") if isinstance(params, dict) else None
    return isinstance(offered, dict) and "sampling" in offered


def _client_name(params: Any) -> str | None:
    info = params.get("clientInfo") if isinstance(params, dict) else None
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) else None


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def line_of(ident: Id, answer: Answer) -> str:
    """The answer as one line of the protocol."""
    result: dict[str, Any] = {
        "content": [{"type": "text", "text": text} for text in answer.texts],
        "structuredContent": answer.structured,
        "isError": answer.is_error,
    }
    if answer.meta:
        result = {"_meta": dict(answer.meta), **result}
    return f"{to_json({'jsonrpc': '2.0', 'id': ident, 'result': result}).decode()}\n"
