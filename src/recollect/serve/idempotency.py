"""Calls with an idempotency key: carried out once, however often they are sent, also after a restart."""

import logging
import threading
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from recollect.deadline import without_deadline
from recollect.errors import Refused, Unavailable
from recollect.serve.callers import Caller, MemoryOpener
from recollect.store.idempotency import CallClaim, CallRepeated, KeyConflict
from recollect.surfaces.declarations import Answer, Tool
from recollect.surfaces.dispatch import OpenMemory, answer_or_failure, json_bytes

if TYPE_CHECKING:
    from recollect.memory import Memory

KEY_META = "recollect/idempotencyKey"
"""The key of a call over MCP, in its `_meta`."""
REPLAYED = "recollect/replayed"
MAX_KEY_LENGTH = 255
MAX_ANSWER_BYTES = 1024 * 1024

Outcome = TypeVar("Outcome")

log = logging.getLogger("recollect.call")


class BadIdempotencyKey(Refused):
    def __init__(self) -> None:
        message = f"the idempotency key should be a text of 1 to {MAX_KEY_LENGTH} printable characters"
        super().__init__(message, field=KeyConflict.field)


class KeyedCalls:
    """The calls of this process that have a key and are still running."""

    def __init__(self) -> None:
        self._running: set[tuple[int, str, str]] = set()
        self._lock = threading.Lock()

    def once(
        self,
        given: Any,
        caller: Caller,
        tool: Tool,
        open_for: MemoryOpener,
        arguments: Mapping[str, Any],
        run: Callable[[OpenMemory], Outcome],
    ) -> Outcome | Answer:
        """The answer of `run`, the earlier answer to the same call, or the reason for neither. Never raises."""
        if given is None:
            return answer_or_failure(tool, arguments, lambda: run(partial(open_for, caller)))
        return answer_or_failure(
            tool, arguments, lambda: self._run_keyed(check_key(given), caller, tool, open_for, arguments, run)
        )

    def _run_keyed(
        self,
        key: str,
        caller: Caller,
        tool: Tool,
        open_for: MemoryOpener,
        arguments: Mapping[str, Any],
        run: Callable[[OpenMemory], Outcome],
    ) -> Outcome | Answer:
        from recollect.memory import Memory

        memory = open_for(caller, tool)
        if not isinstance(memory, Memory):
            return run(lambda _: memory)
        claim = _claim(memory, caller, key, tool, arguments)
        self._begin(claim)
        try:
            return _earlier_answer(memory, claim) or _carry_out(memory, claim, run)
        finally:
            self._running.discard(_place(claim))

    def _begin(self, claim: CallClaim) -> None:
        with self._lock:
            if _place(claim) in self._running:
                raise KeyConflict("the first call with this idempotency key is still running; repeat it in a moment")
            self._running.add(_place(claim))


def _place(claim: CallClaim) -> tuple[int, str, str]:
    return claim.ws, claim.subject, claim.key


def _claim(memory: "Memory", caller: Caller, key: str, tool: Tool, arguments: Mapping[str, Any]) -> CallClaim:
    fingerprint = sha256(json_bytes([tool.surface.name, tool.name, arguments])).hexdigest()
    return CallClaim(memory.workspace.ws, caller.subject, key, fingerprint, memory.clock.now())


def _earlier_answer(memory: "Memory", claim: CallClaim) -> Answer | None:
    earlier = claim.find(memory.engine)
    if earlier is None:
        return None
    if earlier.fingerprint != claim.fingerprint:
        raise KeyConflict("this idempotency key was sent with another call; send a new key with a new call")
    if earlier.answer is None:
        raise CallRepeated
    kept = orjson.loads(bytes(earlier.answer))
    meta = {**kept["meta"], REPLAYED: True}
    return Answer(kept["structured"], tuple(kept["texts"]), kept["is_error"], meta, has_json=kept["has_json"])


def _carry_out(memory: "Memory", claim: CallClaim, run: Callable[[OpenMemory], Outcome]) -> Outcome:
    answer = run(lambda _: memory.with_parts(claim=claim))
    if isinstance(answer, Answer):
        fields = {name: getattr(answer, name) for name in ("structured", "texts", "is_error", "meta", "has_json")}
        body = json_bytes(fields | {"meta": dict(answer.meta)})
        if len(body) <= MAX_ANSWER_BYTES:
            _keep_answer(memory, claim, body)
    return answer


def _keep_answer(memory: "Memory", claim: CallClaim, body: bytes) -> None:
    """The call is done, so a store that goes away now does not make a failure of it; a repetition is still refused."""
    try:
        with without_deadline():
            claim.keep(memory.engine, body)
    except Unavailable as failure:
        log.warning("the answer of a call with an idempotency key could not be kept: %s", failure)


def check_key(given: Any) -> str:
    if not isinstance(given, str) or not 1 <= len(given) <= MAX_KEY_LENGTH or not given.isprintable():
        raise BadIdempotencyKey
    return given
