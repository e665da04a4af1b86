"""`recollect serve` as a process."""

import asyncio
import json
import socket
import subprocess
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from recollect.serve.cli.serve import CannotListen, bound_socket, greeting
from recollect.serve.clients.launch import reachable_host
from tests.support.processes import COMMAND, LONGEST_WAIT, environment, http


def get(address: str, path: str, **headers: str) -> tuple[int, str]:
    try:
        with urlopen(Request(address + path, headers=headers), timeout=LONGEST_WAIT) as reply:
            return reply.status, reply.read().decode()
    except HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode()


def recollect(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [*COMMAND, *words]
    return subprocess.run(
        command,
        env=environment(folder),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LONGEST_WAIT,
        check=False,
    )


def test_a_fresh_server_is_healthy_and_says_what_it_serves(tmp_path: Path) -> None:
    with http(tmp_path) as address:
        assert get(address, "/healthz") == (200, '{"status":"ok"}')
        status, page = get(address, "/")
        assert status == 200
        assert 'data-page="home"' in page
        assert "recollect_tx 0" in get(address, "/metrics")[1]


def test_a_token_made_meanwhile_opens_at_once_and_is_revoked_at_once(tmp_path: Path) -> None:
    with http(tmp_path, "--require-token") as address:
        made = json.loads(recollect(tmp_path, "token", "create", "ann", "--json").stdout)
        ours = {"Authorization": f"Bearer {made['token']}"}
        assert [get(address, "/metrics")[0], get(address, "/metrics", **ours)[0]] == [401, 200]
        recollect(tmp_path, "token", "revoke", made["id"])
        assert get(address, "/metrics", **ours)[0] == 401


def test_beyond_this_machine_a_token_is_needed_from_the_start(tmp_path: Path) -> None:
    with http(tmp_path, "--host", "0.0.0.0") as address:
        port = address.rpartition(":")[2]
        here = f"http://127.0.0.1:{port}"
        assert get(here, "/mcp")[0] == 401
        assert get(here, "/healthz")[0] == 200
        assert get(here, "/healthz", Host="evil.example")[0] == 421


def test_a_store_that_is_away_makes_the_server_unhealthy_not_dead(tmp_path: Path) -> None:
    with http(tmp_path, "--db", str(tmp_path)) as address:
        assert get(address, "/healthz")[0] == 503
        assert get(address, "/mcp", Authorization="Bearer rcl_a")[0] == 503


@pytest.mark.parametrize("port", ["70000", "1"])
def test_a_port_that_cannot_be_had_is_one_line_and_exit_1(tmp_path: Path, port: str) -> None:
    if port == "1":
        with http(tmp_path) as address:
            port = address.rpartition(":")[2]
            ended = recollect(tmp_path, "serve", "--port", port)
    else:
        ended = recollect(tmp_path, "serve", "--port", port)
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert ended.stderr.startswith("recollect: cannot listen on 127.0.0.1")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_answers_over_http_do_not_wait_for_acknowledgements(host: str) -> None:
    try:
        listening = bound_socket(host, 0)
    except CannotListen:
        pytest.skip(f"this machine has no {host}")

    async def accepted_without_delay() -> bool:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def look(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            found.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        async with await asyncio.start_server(look, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
            has_no_delay = bool(await found)
            writer.close()
            return has_no_delay

    assert asyncio.run(accepted_without_delay())


@pytest.mark.parametrize(
    ("bound", "host"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("10.0.0.2", "10.0.0.2")]
)
def test_a_server_that_listens_everywhere_names_an_address_that_clients_can_use(bound: str, host: str) -> None:
    assert reachable_host(bound) == host


def test_the_greeting_says_what_is_served_and_how_clients_connect() -> None:
    lines = greeting("http://127.0.0.1:9", "/data/memory.db", "acme").splitlines()
    assert lines[0] == "Recollect at http://127.0.0.1:9"
    assert [line.split()[-1] for line in lines[1:4]] == ["/data/memory.db", "acme", "http://127.0.0.1:9/"]
    assert lines[4].endswith("claude mcp add --scope user --transport http recollect http://127.0.0.1:9/mcp")
    assert lines[5].endswith("recollect connect cursor --url http://127.0.0.1:9/mcp")


def test_a_server_that_asks_for_tokens_says_so_and_how_a_client_gives_one() -> None:
    lines = greeting("http://127.0.0.1:9", "memory.db", "default", needs_token=True).splitlines()
    assert lines[4].endswith('http://127.0.0.1:9/mcp --header "Authorization: Bearer TOKEN"')
    assert "recollect token create NAME --scope write" in lines[-1]
