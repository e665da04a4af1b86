"""Tools of other servers stand beside ours; whatever those servers do, ours answer as always."""

import asyncio
import itertools
import json
import shlex
import subprocess
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

import mcp_types as types
import pytest
from click.testing import CliRunner
from mcp import Client

from recollect.keep.external_servers import is_own_address
from recollect.serve.cli.main import main
from recollect.serve.external_connection_pool import wait_until_tried
from tests.support.processes import COMMAND, LONGEST_WAIT, Spoken, environment, http, stdio

if TYPE_CHECKING:
    from recollect.serve.external_connection import ServerConnection

GUEST = Path(__file__).parents[1] / "clients" / "guest.py"
PATIENTLY = ("--timeout", str(LONGEST_WAIT))
Json = dict[str, Any]


class Host:
    """A workspace with guests, set up by the commands that people use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.run("workspace", "set", "carabase.external_mcp", "true")

    def run(self, *words: str, fails: bool = False) -> Any:
        done = CliRunner().invoke(main, [*words, "--json"], env=environment(self.folder))
        assert (done.exit_code != 0) == fails, done.stderr
        return done.stderr if fails else json.loads(done.stdout)

    def list(self) -> Any:
        """How all guests answer; they are programs of their own, and want the real pipes of one."""
        asked = [*COMMAND, "external", "list", "--json"]
        done = subprocess.run(asked, env=environment(self.folder), capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def invite(self, name: str, manner: str, *options: str, on: bool = True) -> None:
        self.run("external", "add", name, "--command", shlex.join([sys.executable, str(GUEST), manner]), *options)
        if on:
            self.run("external", "enable", name)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def _tools(client: Spoken, number: int = 1) -> dict[str, Json]:
    return {tool["name"]: tool for tool in client.ask(number, "tools/list")["result"]["tools"]}


def _tools_with_guests(client: Spoken) -> dict[str, Json]:
    """The tools once a guest has arrived; on a busy machine that may take longer than one listing waits."""
    latest = monotonic() + LONGEST_WAIT
    for number in itertools.count(100):
        tools = _tools(client, number)
        if any("__" in name for name in tools):
            break
        assert monotonic() < latest, "no guest arrived"
    return tools


def _call(client: Spoken, number: int, name: str, **arguments: Any) -> Json:
    found: Json = client.ask(number, "tools/call", {"name": name, "arguments": arguments})["result"]
    return found


def test_a_live_guest_is_shown_and_called_while_a_dead_and_a_hanging_one_are_left_out(host: Host) -> None:
    host.invite("live", "answers", *PATIENTLY)
    host.invite("hung", "hangs", *PATIENTLY)
    host.run("external", "add", "dead", "--command", "/no/such/program")
    host.run("external", "enable", "dead")
    with stdio(host.folder, "--surface", "carabase") as client:
        client.greet()
        tools = _tools_with_guests(client)
        guests = sorted(name for name in tools if "__" in name)
        assert guests == ["live__die", "live__echo", "live__lie", "live__sleep", "live__write"]
        assert tools["live__echo"]["description"].startswith("[external: live] Says it again.")
        assert len(tools["live__echo"]["description"]) <= 1024
        assert tools["live__write"]["annotations"]["destructiveHint"] is True
        answer = _call(client, 2, "live__echo", text="hello")
        assert (answer["content"], answer["structuredContent"]) == (
            [{"type": "text", "text": "echo hello"}],
            {"said": "hello"},
        )
        assert _call(client, 3, "dead__echo")["structuredContent"]["error"]["code"] == "EXTERNAL_UNAVAILABLE"


def test_a_guest_that_sleeps_lies_or_dies_is_unavailable_and_ours_go_on(host: Host) -> None:
    host.invite("odd", "answers", "--timeout", "1")
    with stdio(host.folder, "--surface", "carabase") as client:
        client.greet()
        ours = [name for name in _tools_with_guests(client) if "__" not in name]
        for number, tool in enumerate(("sleep", "lie", "die"), start=2):
            answer = _call(client, number, f"odd__{tool}", text="x")
            assert answer["isError"] is True
            assert answer["structuredContent"]["error"]["code"] == "EXTERNAL_UNAVAILABLE"
            assert answer["structuredContent"]["_hint"]["shape"] == "externalUnavailable"
            assert answer["content"][0]["text"].splitlines()[-1].startswith("[trace: ")
        assert [name for name in _tools(client, 9) if "__" not in name] == ours


def test_a_guest_that_lied_is_still_asked_for_its_other_tools(host: Host) -> None:
    host.invite("live", "answers", *PATIENTLY)
    with stdio(host.folder, "--surface", "carabase") as client:
        client.greet()
        _tools_with_guests(client)
        assert _call(client, 2, "live__lie")["structuredContent"]["error"]["code"] == "EXTERNAL_UNAVAILABLE"
        assert _call(client, 3, "live__echo", text="again")["content"][0]["text"] == "echo again"


def test_a_name_that_a_guest_lists_twice_is_not_offered_and_reported(host: Host) -> None:
    host.invite("pair", "twins", *PATIENTLY)
    with stdio(host.folder, "--surface", "carabase") as client:
        client.greet()
        assert [name for name in _tools_with_guests(client) if "__" in name] == ["pair__write"]
    [listed] = host.list()
    assert (listed["offered"], listed["not_offered"]) == (1, ["echo"])


@pytest.mark.parametrize(
    ("url", "is_ours"),
    [
        ("http://127.0.0.1:8377/mcp", True),
        ("http://localhost:8377/mcp/sse", True),
        ("http://[::1]:8377/mcp", True),
        ("http://127.0.0.1:8378/mcp", False),
        ("https://memory.example:8377/mcp", False),
        ("http://localhost/mcp", False),
        (None, False),
    ],
)
def test_our_own_address_is_known_by_its_port(url: str | None, is_ours: bool) -> None:
    assert is_own_address(url, frozenset({8377})) is is_ours


def test_no_guest_is_asked_unless_the_setting_and_the_guest_are_on(host: Host) -> None:
    host.invite("live", "answers", on=False)
    with stdio(host.folder, "--surface", "carabase") as client:
        client.greet()
        assert not [name for name in _tools(client) if "__" in name]
    host.run("external", "enable", "live")
    host.run("workspace", "set", "carabase.external_mcp", "false")
    with stdio(host.folder, "--surface", "carabase") as client:
        client.greet()
        assert not [name for name in _tools(client) if "__" in name]
        assert _call(client, 2, "live__echo")["structuredContent"]["error"]["code"] == "UNKNOWN_TOOL"


def test_the_list_of_guests_says_how_they_answer(host: Host) -> None:
    host.invite("live", "answers", *PATIENTLY)
    host.invite("off", "answers", on=False)
    shown = {each["name"]: each for each in host.list()}
    assert (shown["live"]["state"], shown["live"]["offered"], shown["live"]["not_offered"]) == (
        "up",
        5,
        ["no good name!"],
    )
    assert shown["off"]["state"] == "off"
    host.run("external", "remove", "live")
    assert [each["name"] for each in host.list()] == ["off"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["Bad_Name", "--command", "x"], "name"),
        (["a"], "url"),
        (["a", "--url", "http://127.0.0.1:8377/mcp"], "address of this server"),
        (["a", "--url", "ftp://x.example"], "http"),
        (["a", "--command", "x", "--env", "A=secret"], "names of variables"),
        (["a", "--command", "x", "--timeout", "0"], "timeout"),
    ],
)
def test_a_guest_that_cannot_be_is_refused(host: Host, words: list[str], why: str) -> None:
    assert why in host.run("external", "add", *words, fails=True)


def test_clients_over_streamable_http_are_told_when_a_guest_comes_or_goes(host: Host) -> None:
    host.invite("live", "answers", *PATIENTLY, on=False)

    async def run(address: str) -> tuple[bool | None, list[list[str]]]:
        told = asyncio.Queue[None]()

        async def heard(message: object) -> None:
            if isinstance(message, types.ToolListChangedNotification):
                told.put_nowait(None)

        async def guests(client: Client) -> list[str]:
            listed = await client.list_tools(cache_mode="bypass")
            return [tool.name for tool in listed.tools if "__" in tool.name]

        async with Client(f"{address}/mcp/carabase", mode="legacy", message_handler=heard) as client:
            promised = client.server_capabilities.tools
            seen = [await guests(client)]
            for step in ("enable", "disable"):
                await asyncio.to_thread(host.run, "external", step, "live")
                async with asyncio.timeout(LONGEST_WAIT):
                    await told.get()
                seen.append(await guests(client))
        return promised.list_changed if promised else None, seen

    with http(host.folder) as address:
        promised, seen = asyncio.run(run(address))
    assert promised is True
    assert seen == [[], ["live__echo", "live__write", "live__die", "live__sleep", "live__lie"], []]


class Guest:
    """A link as listings see it."""

    def __init__(self, *, answers: bool) -> None:
        self.is_late = False
        self._answers = answers

    async def wait_until_tried(self) -> None:
        if not self._answers:
            await asyncio.Event().wait()


def test_a_guest_that_a_listing_waited_for_in_vain_is_late_and_one_that_answered_is_not() -> None:
    mute, live = Guest(answers=False), Guest(answers=True)
    asyncio.run(wait_until_tried(cast("list[ServerConnection]", [mute, live]), 0.05))
    assert (mute.is_late, live.is_late) == (True, False)
