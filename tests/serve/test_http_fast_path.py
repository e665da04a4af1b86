"""Plain calls over HTTP bypass the SDK's streams once it has accepted the session, with the same answers."""

import json
from typing import Any

import httpx2
import pytest

import recollect.serve.http_fast_path as http_fast_path
from tests.serve.test_http import Running, local, post, server_thread

__all__ = ["local", "server_thread"]

ACCEPT = {"Accept": "application/json, text/event-stream"}
FIND = {"name": "find_note", "arguments": {"name": "first"}}


def request(method: str, params: Any, ident: int = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}


def open_session(running: Running, who: dict[str, str], capabilities: dict[str, Any] | None = None) -> dict[str, str]:
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities or {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    opened = post(running, "/mcp", who | ACCEPT, json=request("initialize", hello))
    headers = who | ACCEPT | {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
    post(running, "/mcp", headers, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
    return headers


def call(running: Running, headers: dict[str, str], params: Any = FIND) -> httpx2.Response:
    return post(running, "/mcp", headers, json=request("tools/call", params, 7))


def result_of(reply: httpx2.Response) -> Any:
    events = [line.removeprefix("data: ") for line in reply.text.splitlines() if line.startswith("data: {")]
    return json.loads(events[-1] if events else reply.text)


def is_fast(reply: httpx2.Response) -> bool:
    """The SDK answers with a stream of events, the fast path with one JSON document."""
    return reply.headers["content-type"] == "application/json"


def test_the_second_call_of_a_session_bypasses_the_sdk_with_the_same_answer(local: Running) -> None:
    headers = open_session(local, {})
    first, second = call(local, headers), call(local, headers)
    assert (is_fast(first), is_fast(second)) == (False, True)
    assert result_of(first) == result_of(second)
    assert second.headers["mcp-session-id"] == headers["Mcp-Session-Id"]


@pytest.mark.parametrize("params", [{"name": "no_such"}, {"name": 7}, {**FIND, "_meta": {"progressToken": 1}}, []])
def test_anything_but_a_plain_call_is_left_to_the_sdk(local: Running, params: Any) -> None:
    headers = open_session(local, {})
    call(local, headers)
    before = call(local, open_session(local, {}), params)
    after = call(local, headers, params)
    assert (after.status_code, result_of(after)) == (before.status_code, result_of(before))


def test_a_client_that_offers_sampling_always_gets_the_sdk(local: Running) -> None:
    headers = open_session(local, {}, {"sampling": {}})
    assert not is_fast(call(local, headers))
    assert not is_fast(call(local, headers))


def test_a_session_that_was_ended_is_not_answered_any_more(local: Running) -> None:
    headers = open_session(local, {})
    call(local, headers)
    httpx2.delete(f"{local.address}/mcp", headers=headers)
    assert call(local, headers).status_code == 404


def test_another_token_cannot_use_the_session(local: Running) -> None:
    headers = open_session(local, local.token())
    call(local, headers)
    assert call(local, headers | local.token(name="bob")).status_code == 404
    assert call(local, {name: value for name, value in headers.items() if name != "Authorization"}).status_code == 404


def test_the_sdk_sees_a_session_often_enough_to_keep_it(local: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_fast_path, "TRUSTED_SECONDS", -1)
    headers = open_session(local, {})
    assert not is_fast(call(local, headers))
    assert not is_fast(call(local, headers))
