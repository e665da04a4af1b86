"""Every transport answers a call in time and lets its client cancel it."""

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import anyio
import httpx2
import pytest

from recollect.deadline import CallDeadline, check_deadline, current_deadline
from recollect.serve import call_deadlines, guard, http
from recollect.serve.call_deadlines import run_call, while_connected
from recollect.serve.guard import ListenPolicy
from recollect.serve.metrics import Metrics
from recollect.serve.stdio import session as stdio_session
from recollect.serve.stdio.fast_path import FastPath
from recollect.serve.stdio.session import StdioSession
from tests.serve.test_http import Running, get, post, server_thread
from tests.serve.test_http_fast_path import call, open_session, result_of
from tests.serve.test_straight import FIRST_WORDS, _never_woken
from tests.support.processes import LONGEST_WAIT
from tests.support.toy_surface import ToyServed, toy_surface

__all__ = ["server_thread"]

FIND = {"name": "find_note", "arguments": {"name": "first"}}


class SlowNotes(dict[str, str]):
    """Notes whose reader does not return before it is released; it may notice that its call was stopped."""

    def __init__(self, *, checks: bool) -> None:
        self.checks = checks
        self.begun = threading.Event()
        self.release = threading.Event()

    def get(self, *_: Any) -> Any:
        self.begun.set()
        while not self.release.wait(0.01):
            if self.checks:
                check_deadline()


@pytest.fixture(autouse=True)
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_deadlines, "GRACE_SECONDS", 0.05)
    monkeypatch.setattr(stdio_session, "GRACE_SECONDS", 0.05)


@pytest.fixture(params=[True, False], ids=["checking", "deaf"])
def notes(request: pytest.FixtureRequest) -> Iterator[SlowNotes]:
    slow = SlowNotes(checks=request.param)
    yield slow
    slow.release.set()


def conversation(served: ToyServed, surface: Any, said: list[bytes]) -> StdioSession:
    path = FastPath(surface, served.open_for, served.local, Metrics())
    return StdioSession(path, said.append, _never_woken, served.call_seconds)


def request_line(ident: int) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": ident, "method": "tools/call", "params": FIND})


def test_stdio_answers_a_call_that_takes_too_long(notes: SlowNotes) -> None:
    said: list[bytes] = []
    with toy_surface() as surface:
        served = ToyServed(call_seconds=0.1)
        served.memory.notes = notes
        conversation(served, surface, said).run([*FIRST_WORDS[0], request_line(7)])
    answer = json.loads(said[-1])
    assert answer["id"] == 7
    assert answer["result"]["structuredContent"]["error"] == "deadline_exceeded"
    assert "nothing was written" in answer["result"]["structuredContent"]["message"]


def test_a_call_cancelled_over_stdio_gets_no_answer(notes: SlowNotes) -> None:
    said: list[bytes] = []

    def lines() -> Iterator[str]:
        yield from [*FIRST_WORDS[0], request_line(7)]
        notes.begun.wait(LONGEST_WAIT)
        yield '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}'
        if not notes.checks:
            notes.release.set()

    with toy_surface() as surface:
        served = ToyServed()
        served.memory.notes = notes
        conversation(served, surface, said).run(lines())
    assert [json.loads(line)["id"] for line in said] == [0]


@pytest.fixture(scope="module")
def hurried(server_thread: Any) -> Running:
    running: Running = server_thread(ListenPolicy("127.0.0.1"), call_seconds=0.1)
    return running


def test_http_answers_a_call_that_takes_too_long(hurried: Running, notes: SlowNotes) -> None:
    hurried.served.memory.notes = notes
    headers = open_session(hurried, {})
    for reply in (call(hurried, headers), call(hurried, headers)):
        assert result_of(reply)["result"]["structuredContent"]["error"] == "deadline_exceeded"


def test_a_call_can_be_cancelled_over_http(server_thread: Any) -> None:
    running: Running = server_thread(ListenPolicy("127.0.0.1"))
    headers = open_session(running, {})
    call(running, headers)
    running.served.memory.notes = slow = SlowNotes(checks=True)
    replies: list[httpx2.Response] = []
    caller = threading.Thread(target=lambda: replies.append(call(running, headers)))
    caller.start()
    slow.begun.wait(LONGEST_WAIT)
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
    assert post(running, "/mcp", headers, json=cancelled).status_code == 202
    caller.join(LONGEST_WAIT)
    assert result_of(replies[0])["result"]["structuredContent"]["error"] == "cancelled"


def test_work_for_a_client_that_has_gone_is_cancelled() -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    assert anyio.run(while_connected, receive, anyio.sleep_forever) is None


def test_work_for_a_client_that_waits_is_done() -> None:
    async def receive() -> dict[str, Any]:
        await anyio.sleep_forever()
        raise AssertionError

    async def work() -> int:
        return 7

    assert anyio.run(while_connected, receive, work) == 7


def test_a_call_that_waits_for_others_is_answered_in_time_and_not_begun() -> None:
    begun = threading.Event()

    def begin() -> str:
        begun.set()
        return "done"

    async def run() -> str:
        limiter = anyio.CapacityLimiter(1)
        await limiter.acquire_on_behalf_of("another call")
        return await run_call(CallDeadline(0.01), begin, limiter, lambda: "late")

    assert anyio.run(run) == "late"
    assert not begun.is_set()


def wait_for_stop(*_: Any, **__: Any) -> Any:
    """What a database that is silent does to a call."""
    deadline = current_deadline()
    assert deadline is not None
    while True:
        deadline.check()
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/api/v1/sync", "POST", 503),
        ("/hooks/github", "POST", 503),
        ("/w/default/search", "GET", 503),
        ("/metrics", "GET", 200),
        ("/nowhere", "GET", 404),
    ],
)
def test_every_route_ends_in_time(
    server_thread: Any, path: str, method: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "HEALTH_SECONDS", 0.1)
    running: Running = server_thread(ListenPolicy("127.0.0.1"), call_seconds=0.1)
    for name in ("workspace", "gauges", "open_as"):
        monkeypatch.setattr(type(running.served), name, wait_for_stop)
    headers = running.token("admin")
    reply = httpx2.request(method, running.address + path, headers=headers, timeout=LONGEST_WAIT)
    assert reply.status_code == status
    if status == 503:
        assert "nothing was written" in reply.text
        assert int(reply.headers["retry-after"]) > 0


def test_a_token_is_known_or_refused_in_time(server_thread: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "IDENTIFY_SECONDS", 0.1)
    running: Running = server_thread(ListenPolicy("127.0.0.1"))
    monkeypatch.setattr(type(running.served.tokens), "find", wait_for_stop)
    reply = get(running, "/metrics", Authorization="Bearer rk_x")
    assert reply.status_code == 503
    assert int(reply.headers["retry-after"]) > 0
