"""A conversation goes on while calls run, and none of their answers is lost."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from recollect.serve.callers import Caller
from recollect.serve.metrics import Metrics
from recollect.serve.stdio.fast_path import FastPath
from recollect.serve.stdio.sdk_bridge import SdkBridge
from recollect.serve.stdio.session import MAX_CONCURRENT_CALLS, StdioSession
from tests.support.processes import LONGEST_WAIT
from tests.support.toy_surface import Notes, toy_surface

Json = dict[str, Any]
CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
HELLO = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": CLIENT}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class SlowNotes(dict[str, str]):
    """Notes that nobody can read before they are let go."""

    def __init__(self) -> None:
        super().__init__(first="hello")
        self.go = threading.Event()

    def get(self, key: str, default: Any = None) -> Any:
        assert self.go.wait(LONGEST_WAIT)
        return super().get(key, default)


def answered(*messages: Json) -> list[Any]:
    """Whose answers come, in their order, when calls go on until everything was said."""
    notes, said = SlowNotes(), list[bytes]()

    def lines() -> Iterator[str]:
        yield from map(json.dumps, (HELLO, READY, *messages))
        notes.go.set()

    with toy_surface() as surface:
        straight = FastPath(surface, lambda *_: Notes(notes), Caller("local", "default", "admin"), Metrics())
        StdioSession(straight, said.append, partial(_never_woken, notes)).run(lines())
    return [json.loads(line)["id"] for line in said]


def _never_woken(notes: SlowNotes, _: list[str]) -> SdkBridge:
    notes.go.set()
    raise AssertionError("this was for the SDK")


def call(ident: int) -> Json:
    params = {"name": "find_note", "arguments": {"name": "first"}}
    return {"jsonrpc": "2.0", "id": ident, "method": "tools/call", "params": params}


def ping(ident: int) -> Json:
    return {"jsonrpc": "2.0", "id": ident, "method": "ping"}


def test_a_slow_call_keeps_no_ping_waiting() -> None:
    assert answered(call(1), ping(2), ping(3)) == [0, 2, 3, 1]


@pytest.mark.parametrize("calls", [1, MAX_CONCURRENT_CALLS, 3 * MAX_CONCURRENT_CALLS])
def test_calls_that_go_on_when_the_client_has_gone_are_each_answered_once(calls: int) -> None:
    assert sorted(answered(*map(call, range(1, calls + 1)))) == list(range(calls + 1))


def test_more_calls_than_run_at_once_keep_no_ping_waiting() -> None:
    calls = range(2, 2 * MAX_CONCURRENT_CALLS)
    assert answered(*map(call, calls), ping(1))[:2] == [0, 1]


def test_a_call_taken_back_while_it_goes_on_is_not_answered() -> None:
    taken_back = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert answered(call(1), call(2), taken_back) == [0, 2]


def test_a_call_under_the_number_of_one_that_goes_on_is_left_to_the_sdk() -> None:
    with pytest.raises(AssertionError, match="for the SDK"):
        answered(call(1), call(1))
