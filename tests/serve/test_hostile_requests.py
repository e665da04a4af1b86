"""Requests that no well-behaved client sends are refused at once, and the server goes on."""

import asyncio
import json
import socket
from contextlib import suppress
from typing import Any, cast

import pytest

from recollect.errors import Unavailable
from recollect.serve import connections
from recollect.serve.connections import CoalescingTransport
from recollect.serve.guard import ListenPolicy
from recollect.serve.lenient_json import MAX_COMMAS
from recollect.serve.metrics import Metrics
from recollect.serve.stdio.fast_path import FastPath
from recollect.serve.stdio.session import StdioSession
from tests.serve.test_http import Running, get, guarded, local, post, server_thread
from tests.serve.test_http_fast_path import ACCEPT, call, open_session, request, result_of
from tests.serve.test_straight import FIRST_WORDS, _never_woken
from tests.support.processes import LONGEST_WAIT
from tests.support.toy_surface import ToyServed, toy_surface

__all__ = ["guarded", "local", "server_thread"]

APP = "https://app.example"


def connect(running: Running) -> socket.socket:
    host, _, port = running.address.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=LONGEST_WAIT)


def everything(connection: socket.socket) -> bytes:
    """All that the server sends until it closes the connection."""
    return b"".join(iter(lambda: connection.recv(65_536), b""))


def test_a_body_with_two_lengths_is_refused_and_nothing_after_it_is_read(local: Running) -> None:
    smuggled = b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    head = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connect(local) as connection:
        connection.sendall(head + b"0\r\n\r\n" + smuggled)
        said = everything(connection)
    assert said.startswith(b"HTTP/1.1 400")
    assert said.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize(
    "doubled",
    [
        "Host: 127.0.0.1",
        "Content-Length: 2",
        "Authorization: Bearer rk_other",
        "Idempotency-Key: b",
        "Recollect-Workspace: other",
        "Mcp-Session-Id: other",
        "Content-Type: text/plain",
    ],
)
@pytest.mark.parametrize("path", ["/mcp", "/api/v1/recall", "/hooks/github", "/login", "/w/default/"])
def test_a_header_that_may_stand_once_is_refused_twice(local: Running, doubled: str, path: str) -> None:
    first = {
        "Host": "127.0.0.1", "Content-Length": "2", "Authorization": "Bearer rk_one", "Idempotency-Key": "a",
        "Recollect-Workspace": "default", "Mcp-Session-Id": "one", "Content-Type": "application/json",
    }  # fmt: skip
    head = "".join(f"{name}: {value}\r\n" for name, value in first.items())
    with connect(local) as connection:
        connection.sendall(f"POST {path} HTTP/1.1\r\n{head}{doubled}\r\n\r\n{{}}".encode())
        said = everything(connection)
    assert said.startswith(b"HTTP/1.1 400")
    assert said.count(b"HTTP/1.1") == 1


def test_a_body_that_drips_is_ended(local: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.3)
    with connect(local) as connection:
        connection.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\n{")
        connection.settimeout(0.1)
        sent, said = 0, b""
        while not said and sent < 100:
            sent += 1
            with suppress(TimeoutError):
                said = connection.recv(65_536)
            if not said:
                connection.sendall(b" ")
    assert said.startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
    ],
    ids=["nothing", "half the headers", "half the body"],
)
def test_a_client_that_does_not_finish_its_request_is_disconnected(
    local: Running, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.1)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.1)
    with connect(local) as connection:
        connection.sendall(begun)
        assert everything(connection).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("part", [b"X: " + b"a" * 9_000, b"X: a\r\n" * 1_000], ids=["one header", "many headers"])
def test_headers_without_end_are_refused(local: Running, part: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_HEAD_BYTES", 1_000)
    with connect(local) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n" + part)
        assert everything(connection).startswith(b"HTTP/1.1 431")
    assert get(local, "/healthz").status_code == 200


def test_headers_behind_a_body_are_passed_over(local: Running) -> None:
    head = b"POST /api/v1/recall HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connect(local) as connection:
        connection.sendall(head + b"2\r\n{}\r\n0\r\n" + b"Host: other.example\r\n" * 1_000 + b"\r\n")
        said = everything(connection)
    assert said.count(b"HTTP/1.1") == 1
    assert b"unknown_host" not in said


def test_further_connections_are_refused_with_the_advice_to_wait(
    local: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 0)
    with connect(local) as connection:
        said = everything(connection)
    assert said.startswith(b"HTTP/1.1 503")
    assert b"retry-after: 5" in said
    monkeypatch.undo()
    assert get(local, "/healthz").status_code == 200


def test_a_long_list_is_refused_before_it_is_parsed(local: Running) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[' + b"1," * (MAX_COMMAS + 1) + b"1]}"
    headers = ACCEPT | {"Content-Type": "application/json"}
    reply = post(local, "/mcp", headers, content=body)
    assert (reply.status_code, reply.json()["error"]) == (413, "too_large")
    assert post(local, "/api/v1/recall", headers, content=body).json()["code"] == "too_large"


@pytest.mark.parametrize("depth", [150, 199, 1_000])
def test_a_deeply_nested_argument_is_refused_over_http(local: Running, depth: int) -> None:
    headers = open_session(local, {})
    call(local, headers)
    nested = "[" * depth + "]" * depth
    body = json.dumps(request("tools/call", {"name": "drop_note", "arguments": {"name": "NESTED"}}, 7))
    reply = post(
        local, "/mcp", headers | {"Content-Type": "application/json"}, content=body.replace('"NESTED"', nested)
    )
    assert result_of(reply)["result"]["structuredContent"]["field"] == "name"


@pytest.mark.parametrize("ident", [None, 1.5, True, {}, [1]])
def test_a_request_with_a_wrong_id_gets_an_error_over_stdio(ident: Any) -> None:
    said = in_conversation(json.dumps(request("tools/list", {}) | {"id": ident}))
    assert said["id"] is None
    assert said["error"]["code"] == -32600


@pytest.mark.parametrize("depth", [150, 199, 1_000])
def test_a_deeply_nested_argument_is_refused_over_stdio(depth: int) -> None:
    nested = "[" * depth + "]" * depth
    line = json.dumps(request("tools/call", {"name": "drop_note", "arguments": {"name": "NESTED"}}, 7))
    said = in_conversation(line.replace('"NESTED"', nested))
    assert said["result"]["structuredContent"]["field"] == "name"


def in_conversation(line: str) -> dict[str, Any]:
    said: list[bytes] = []
    with toy_surface() as surface:
        served = ToyServed()
        path = FastPath(surface, served.open_for, served.local, Metrics())
        StdioSession(path, said.append, _never_woken).run([*FIRST_WORDS[0], line])
    answer: dict[str, Any] = json.loads(said[-1])
    return answer


def test_pages_of_an_allowed_origin_may_call(guarded: Running) -> None:
    asked = {"Origin": APP, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    preflight = options(guarded, asked)
    assert preflight.startswith(b"HTTP/1.1 200")
    assert b"access-control-allow-origin: https://app.example" in preflight
    reply = get(guarded, "/mcp", Origin=APP)
    assert (reply.status_code, reply.headers["access-control-allow-origin"]) == (401, APP)


def test_pages_of_another_origin_get_no_permission(guarded: Running) -> None:
    preflight = options(guarded, {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"})
    assert preflight.startswith(b"HTTP/1.1 400")
    assert b"access-control-allow-origin" not in preflight


def options(running: Running, headers: dict[str, str]) -> bytes:
    lines = [f"{name}: {value}" for name, value in (headers | {"Host": "127.0.0.1", "Connection": "close"}).items()]
    with connect(running) as connection:
        connection.sendall("\r\n".join(["OPTIONS /mcp HTTP/1.1", *lines, "", ""]).encode())
        return everything(connection).lower().replace(b"http/1.1", b"HTTP/1.1")


class SilentStore(ToyServed):
    def check(self) -> None:
        raise Unavailable("the database is away")


def test_health_says_that_the_database_is_away(local: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(local.served), "check", SilentStore.check)
    reply = get(local, "/healthz")
    assert (reply.status_code, reply.json()["status"]) == (503, "unavailable")
    assert "away" in reply.json()["message"]


def test_a_policy_without_origins_sends_no_permission(local: Running) -> None:
    assert not ListenPolicy("127.0.0.1").origins
    assert "access-control-allow-origin" not in get(local, "/healthz", Origin="http://localhost").headers


def test_head_and_body_of_a_response_are_sent_together() -> None:
    sent: list[bytes] = []

    class Transport:
        def write(self, data: bytes) -> None:
            sent.append(data)

    async def write() -> None:
        joined = CoalescingTransport(cast(Any, Transport()), asyncio.get_running_loop())
        for part in (b"head ", b"body"):
            joined.write(part)
        await asyncio.sleep(0)
        joined.write(b"later")
        await asyncio.sleep(0)

    asyncio.run(write())
    assert sent == [b"head body", b"later"]
