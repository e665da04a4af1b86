"""Tools of other servers stand beside ours; whatever those servers do, ours answer as always."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.processes import COMMAND, Spoken, environment, stdio

GUEST = Path(__file__).parents[1] / "clients" / "guest.py"
Json = dict[str, Any]


class Host:
    """A workspace with guests, set up by the commands that people use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.run("workspace", "set", "carabase.external_mcp", "true")

    def run(self, *words: str, fails: bool = False) -> Any:
        done = subprocess.run(
            [*COMMAND, *words, "--json"],
            check=False,
            env=environment(self.folder),
            cwd=self.folder,
            capture_output=True,
            text=True,
        )
        assert (done.returncode != 0) == fails, done.stderr
        return done.stderr if fails else json.loads(done.stdout)

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
    for number in range(100, 110):
        tools = _tools(client, number)
        if any("__" in name for name in tools):
            return tools
    raise AssertionError("no guest arrived")


def _call(client: Spoken, number: int, name: str, **arguments: Any) -> Json:
    found: Json = client.ask(number, "tools/call", {"name": name, "arguments": arguments})["result"]
    return found


def test_a_live_guest_is_shown_and_called_while_a_dead_and_a_hanging_one_are_left_out(host: Host) -> None:
    host.invite("live", "answers", "--timeout", "20")
    host.invite("hung", "hangs", "--timeout", "20")
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
    host.invite("odd", "answers", "--timeout", "3")
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
    host.invite("live", "answers")
    host.invite("off", "answers", on=False)
    shown = {each["name"]: each for each in host.run("external", "list")}
    assert (shown["live"]["state"], shown["live"]["offered"], shown["live"]["not_offered"]) == (
        "up",
        5,
        ["no good name!"],
    )
    assert shown["off"]["state"] == "off"
    host.run("external", "remove", "live")
    assert [each["name"] for each in host.run("external", "list")] == ["off"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["Bad_Name", "--command", "x"], "name"),
        (["a"], "url"),
        (["a", "--url", "http://127.0.0.1:8377/mcp"], "our own address"),
        (["a", "--url", "ftp://x.example"], "http"),
        (["a", "--command", "x", "--env", "A=secret"], "names of variables"),
        (["a", "--command", "x", "--timeout", "0"], "timeout"),
    ],
)
def test_a_guest_that_cannot_be_is_refused(host: Host, words: list[str], why: str) -> None:
    assert why in host.run("external", "add", *words, fails=True)
