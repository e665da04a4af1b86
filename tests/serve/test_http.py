"""The HTTP door: transports, tokens, hosts and origins, health and numbers."""

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from recollect.model.progress import Progress, Rebuild
from recollect.serve.auth import make_token
from recollect.serve.cli.serve import bound_socket
from recollect.serve.connections import LimitedConnection
from recollect.serve.guard import Access, ListenPolicy
from recollect.serve.http import LARGEST_REQUEST, create_app
from recollect.serve.oauth import OAuthResource
from tests.serve.listening import Listener
from tests.support.processes import LONGEST_WAIT
from tests.support.server_threads import serve_in_thread
from tests.support.toy_surface import ToyServed, toy_surface

OPERATORS = Path(__file__).parents[2] / "docs" / "operators"
ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])


@dataclass
class Running:
    address: str
    served: ToyServed

    def token(self, scope: Any = "write", name: str = "ann") -> dict[str, str]:
        secret, token = make_token(name, "default", scope, 0)
        self.served.tokens.add(token)
        return {"Authorization": f"Bearer {secret}"}


@pytest.fixture(scope="module")
def server_thread() -> Iterator[Callable[..., Running]]:
    running = ExitStack()

    def start(
        reach: ListenPolicy, access: Access | None = None, oauth_issuer: str | None = None, **parts: Any
    ) -> Running:
        served = ToyServed(**parts)
        socket = bound_socket("127.0.0.1", 0)
        if oauth_issuer is not None:
            resource = f"http://127.0.0.1:{socket.getsockname()[1]}/mcp"
            access = Access(OAuthResource(oauth_issuer, resource, workspace="default"))
        app = create_app(served, reach, access=access)
        return Running(running.enter_context(serve_in_thread(app, socket, http=LimitedConnection)), served)

    with toy_surface(), running:
        yield start


@pytest.fixture(scope="module")
def local(server_thread: Callable[..., Running]) -> Running:
    return server_thread(ListenPolicy("127.0.0.1"))


@pytest.fixture(scope="module")
def guarded(server_thread: Callable[..., Running]) -> Running:
    return server_thread(ListenPolicy("0.0.0.0", hosts={"memory.example"}, origins={"https://app.example"}))


def get(running: Running, path: str, **headers: str) -> httpx2.Response:
    return httpx2.get(running.address + path, headers=headers, timeout=LONGEST_WAIT)


def post(running: Running, path: str, headers: dict[str, str], **body: Any) -> httpx2.Response:
    return httpx2.post(running.address + path, headers=headers, timeout=LONGEST_WAIT, **body)


@asynccontextmanager
async def transport(running: Running, path: str, headers: dict[str, str]) -> AsyncIterator[Any]:
    address = running.address + path
    if "sse" in path:
        async with sse_client(address, headers=headers, timeout=LONGEST_WAIT) as streams:
            yield streams
    else:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=LONGEST_WAIT) as http,
            streamable_http_client(address, http_client=http) as both,
        ):
            yield both


def ask(running: Running, path: str, era: str, headers: dict[str, str] | None = None) -> tuple[list[str], Any]:
    """The tools that are listed there, and what `find_note` answers."""

    async def run() -> tuple[list[str], Any]:
        async with Client(transport(running, path, headers or {}), mode=era) as client:
            with anyio.fail_after(LONGEST_WAIT):
                names = [tool.name for tool in (await client.list_tools()).tools]
                return names, (await client.call_tool("find_note", {"name": "first"})).structured_content

    return anyio.run(run)


@ERAS
@pytest.mark.parametrize("path", ["/mcp", "/mcp/toy", "/mcp/sse", "/mcp/sse?surface=toy"])
def test_a_client_lists_and_calls_over_every_transport(local: Running, era: str, path: str) -> None:
    names, found = ask(local, path, era)
    assert names == ["find_note", "list_notes", "write_note", "drop_note"]
    assert found == {"note": {"name": "first", "text": "hello"}}


@ERAS
@pytest.mark.parametrize("path", ["/mcp", "/mcp/sse?surface=toy"])
def test_a_read_token_shows_what_reads(guarded: Running, era: str, path: str) -> None:
    names, _ = ask(guarded, path, era, guarded.token("read"))
    assert names == ["find_note", "list_notes"]


@pytest.mark.parametrize("path", ["/mcp", "/mcp/toy", "/mcp/sse", "/mcp/sse/messages", "/metrics"])
def test_beyond_this_machine_nothing_answers_without_a_token(guarded: Running, path: str) -> None:
    reply = get(guarded, path)
    assert (reply.status_code, reply.headers["www-authenticate"]) == (401, "Bearer")


def test_a_token_that_was_revoked_no_longer_opens(guarded: Running) -> None:
    headers = guarded.token()
    assert get(guarded, "/metrics", **headers).status_code == 200
    guarded.served.tokens.revoke(guarded.served.tokens.tokens[-1].id, 0)
    assert get(guarded, "/metrics", **headers).status_code == 401


def test_a_wrong_token_is_refused_also_on_this_machine(local: Running) -> None:
    assert get(local, "/metrics", Authorization="Bearer rcl_wrong").status_code == 401


def test_at_this_machine_no_token_is_needed_even_where_there_are_some(local: Running) -> None:
    local.token()
    assert get(local, "/metrics").status_code == 200


@pytest.mark.parametrize("header", ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"])
def test_what_a_proxy_passed_on_needs_a_token(local: Running, header: str) -> None:
    passed_on = {header: "for=192.0.2.7"}
    assert get(local, "/metrics", **passed_on).status_code == 401
    assert get(local, "/metrics", **passed_on, **local.token()).status_code == 200


@pytest.mark.parametrize("reach", [{"needs_token": True}, {"hosts": {"memory.example"}}], ids=["asked", "named"])
def test_a_server_that_others_are_led_to_needs_a_token_at_this_machine_too(
    server_thread: Callable[..., Running], reach: dict[str, Any]
) -> None:
    running = server_thread(ListenPolicy("127.0.0.1", **reach))
    assert get(running, "/metrics").status_code == 401
    assert get(running, "/metrics", **running.token()).status_code == 200


def test_a_session_is_only_good_with_the_token_that_opened_it(guarded: Running) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    accept = {"Accept": "application/json, text/event-stream"}
    ann, bob = guarded.token(), guarded.token(name="bob")
    opened = post(guarded, "/mcp", ann | accept, json=hello)
    session = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    statuses = [post(guarded, "/mcp", who | accept | session, json=ping).status_code for who in (ann, bob)]
    assert statuses == [200, 404]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8377", 200),
        ("127.0.0.1", 200),
        ("[::1]:80", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
    ],
)
def test_only_our_own_names_are_answered(local: Running, host: str, status: int) -> None:
    assert get(local, "/healthz", Host=host).status_code == status


@pytest.mark.parametrize(("host", "status"), [("memory.example", 200), ("10.1.2.3:8377", 200), ("evil.example", 421)])
def test_a_name_that_was_allowed_is_answered(guarded: Running, host: str, status: int) -> None:
    assert get(guarded, "/healthz", Host=host).status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [("http://localhost:6274", 200), ("http://127.0.0.1", 200), ("https://evil.example", 403), ("null", 403)],
)
def test_foreign_pages_are_refused(local: Running, origin: str, status: int) -> None:
    assert get(local, "/healthz", Origin=origin).status_code == status


def test_a_page_that_was_allowed_may_call(guarded: Running) -> None:
    assert get(guarded, "/healthz", Origin="https://app.example").status_code == 200
    assert get(guarded, "/healthz", Origin="http://localhost").status_code == 403


def test_an_unknown_surface_is_not_found(local: Running) -> None:
    replies = [get(local, "/mcp/nowhere"), get(local, "/mcp/sse?surface=nowhere")]
    assert [(reply.status_code, reply.json()["error"]) for reply in replies] == [(404, "unknown_surface")] * 2


def test_a_request_beyond_the_limit_is_refused(local: Running) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "y" * LARGEST_REQUEST}})
    reply = post(local, "/mcp", {"Content-Type": "application/json"}, content=body)
    assert reply.status_code == 413


def test_an_argument_of_many_megabytes_gets_to_its_tool(local: Running) -> None:
    async def run() -> Any:
        async with Client(transport(local, "/mcp", {}), mode="legacy") as client:
            with anyio.fail_after(LONGEST_WAIT):
                return (await client.call_tool("find_note", {"name": "x" * (8 << 20)})).structured_content

    assert anyio.run(run)["message"] == "name should have at most 500 characters"


@pytest.mark.parametrize("body", ["", "{", "[]", "null", '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1,"method":"x"}'])
def test_a_malformed_request_is_refused_and_the_server_goes_on(local: Running, body: str) -> None:
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    reply = post(local, "/mcp", headers, content=body)
    assert 400 <= reply.status_code < 500
    assert get(local, "/healthz").json() == {"status": "ok"}


def test_numbers_count_calls_by_tool_and_outcome(server_thread: Callable[..., Running]) -> None:
    running = server_thread(ListenPolicy("127.0.0.1"))
    ask(running, "/mcp", "legacy")
    text = get(running, "/metrics").text
    assert 'recollect_calls_total{surface="toy",tool="find_note",outcome="ok"} 1' in text
    assert 'recollect_call_seconds_count{tool="find_note"} 1' in text
    assert "recollect_tx 7" in text


def test_the_page_and_the_dashboard_name_the_metrics_there_are(local: Running) -> None:
    exposed = set(re.findall(r"^# TYPE (\w+)", get(local, "/metrics").text, re.MULTILINE))
    page = (OPERATORS / "monitoring.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(recollect_\w+)`", page, re.MULTILINE)) == exposed
    dashboard = (OPERATORS / "grafana-dashboard.json").read_text("utf-8")
    used = {name.removesuffix("_bucket") for name in re.findall(r"recollect_\w+", dashboard)}
    assert used == exposed


@pytest.mark.parametrize(("given", "named"), [("req-7.a", True), ("a b", False), ("x" * 65, False)])
def test_a_request_has_a_name_that_comes_back(local: Running, given: str, named: bool) -> None:
    answered = get(local, "/healthz", **{"X-Request-Id": given}).headers["x-request-id"]
    assert (answered == given) is named
    assert re.fullmatch(r"[\w.-]{1,64}", answered)


def test_the_front_page_leads_to_the_workspace_of_the_caller(local: Running, guarded: Running) -> None:
    reply = get(local, "/")
    assert (reply.status_code, reply.headers["location"]) == (303, "/w/default/")
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    assert get(guarded, "/").headers["location"] == "/login"
    assert get(guarded, "/", **guarded.token()).headers["location"] == "/w/default/"


@pytest.mark.parametrize("path", ["/mcp", "/mcp/sse?surface=toy"])
def test_a_rebuild_that_nobody_asked_for_is_told_to_every_client_that_can_be_told(local: Running, path: str) -> None:
    news = Progress(0, 3, "another model", Rebuild("model_change_detected", "all"))

    async def run() -> dict[str, Any]:
        listener = Listener()
        async with Client(transport(local, path, {}), mode="legacy", extensions=[listener]) as client:
            with anyio.fail_after(LONGEST_WAIT):
                await client.list_tools()
                while not listener.heard:
                    # What comes before the client has opened its stream is lost.
                    await anyio.to_thread.run_sync(local.served.listeners.notify, "default", news)
                    with anyio.move_on_after(0.2):
                        await listener.has_heard.wait()
        return listener.heard[0]

    assert anyio.run(run) == {
        "phase": "model_change_detected",
        "scope": "all",
        "done": 0,
        "total": 3,
        "message": "another model",
    }
