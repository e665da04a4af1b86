"""`recollect stdio` as a process: only protocol on stdout, and nothing a client says ends it."""

import json
import subprocess
from pathlib import Path

import pytest

from recollect.serve.stdio.session import MAX_LINE_LENGTH
from recollect.surfaces.registry import find_surface
from tests.support.processes import COMMAND, LONGEST_WAIT, environment, stdio

MALFORMED = [
    "",
    "not json",
    "{",
    "[]",
    "null",
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"1.0","id":7,"method":"ping"}',
    '{"jsonrpc":"2.0","id":7,"method":"no/such"}',
    '{"jsonrpc":"2.0","id":7,"method":"tools/call"}',
    '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":3}}',
    '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":[]}}',
    '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"no_such_tool","arguments":{}}}',
    '{"jsonrpc":"2.0","method":"notifications/nothing"}',
    "\\u0000\\ud800",
]


def test_nothing_malformed_ends_the_server_and_stdout_is_protocol_only(tmp_path: Path) -> None:
    with stdio(tmp_path) as spoken:
        assert spoken.greet()["result"]["serverInfo"]["name"] == "recollect"
        for line in MALFORMED:
            spoken.say(line)
        assert spoken.ask(99, "ping")["result"] is not None
        assert "tools" in spoken.ask(100, "tools/list")["result"]
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in spoken.lines)


def test_a_request_that_is_too_long_is_answered_under_its_id_and_the_next_one_too(tmp_path: Path) -> None:
    much = "x" * MAX_LINE_LENGTH
    with stdio(tmp_path) as spoken:
        spoken.greet()
        for ident, line in (
            (7, f'{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"id":1,"much":"{much}"}}}}'),
            ("b", f'{{"method":"tools/call","params":{{"much":"{much}","id":1}},"jsonrpc":"2.0","id":"b"}}'),
            (None, f'{{"method":"tools/call","params":{{"much":"{much}","id":1}}}}'),
        ):
            spoken.say(line)
            reply = spoken.reply_to(ident)
            assert reply["error"]["code"] == -32600
            assert "at most 64 MiB" in reply["error"]["message"]
        assert spoken.ask(8, "ping")["result"] is not None


NO_MESSAGES: list[tuple[str, int | str | None, int]] = [
    ("not json", None, -32700),
    ("[" * 100_000, None, -32700),
    ("[]", None, -32600),
    ("7", None, -32600),
    ('{"jsonrpc":"2.0"}', None, -32600),
    ('{"jsonrpc":"2.0","id":7}', 7, -32600),
    ('{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, -32600),
    ('{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}', "a", -32600),
    ('{"jsonrpc":"2.0","id":true,"method":7}', None, -32600),
]


def test_what_is_no_message_is_answered_so(tmp_path: Path) -> None:
    with stdio(tmp_path) as spoken:
        for line, _, _ in NO_MESSAGES:
            spoken.say(line)
            spoken.say("")
        spoken.greet()
    *refused, _ = map(json.loads, spoken.lines)
    assert [(each["id"], each["error"]["code"]) for each in refused] == [
        (ident, code) for _, ident, code in NO_MESSAGES
    ]


def test_half_a_letter_is_marked_and_whole_ones_stay(tmp_path: Path) -> None:
    with stdio(tmp_path, "--surface", "carabase") as spoken:
        spoken.greet()
        for number, asked, heard in (
            (1, "a\ud800b", "a\ufffdb"),
            (2, "\udc00 😀", "\ufffd 😀"),
            (3, r"\ud800", r"\ud800"),
        ):
            called = {"name": "carabase_search_semantic", "arguments": {"query": asked}}
            answer = spoken.ask(number, "tools/call", called)["result"]
            assert answer["structuredContent"]["query"] == heard
        unknown = spoken.ask(4, "tools/call", {"name": "no\ud800", "arguments": {}})["result"]
        assert unknown["structuredContent"]["error"]["code"] == "UNKNOWN_TOOL"
        assert "error" in spoken.ask(5, "resources/read", {"uri": "carabase://artifact/\ud800"})


def test_the_server_ends_when_the_client_goes(tmp_path: Path) -> None:
    with stdio(tmp_path) as spoken:
        spoken.greet()
    assert spoken.process.returncode == 0


def test_an_unknown_surface_is_refused_before_anything_is_served(tmp_path: Path) -> None:
    with stdio(tmp_path, "--surface", "nowhere") as spoken:
        pass
    assert (spoken.process.returncode, spoken.lines) == (1, [])


def test_a_store_that_cannot_be_opened_is_said_by_the_call_not_by_dying(tmp_path: Path) -> None:
    with stdio(tmp_path, "--db", str(tmp_path)) as spoken:
        spoken.greet()
        call = {"name": "recall_entity", "arguments": {"name_or_alias": "Ada"}}
        answer = spoken.ask(1, "tools/call", call)["result"]["structuredContent"]
        assert answer["error"] == "GRAPH_UNAVAILABLE"


COUNTS = {
    "cognitive-graph": 4,
    "pearscarf": 6,
    "carabase": 10,
    "entity-core": 45,
    "lore-engine": 45,
    "recollect": 9,
}


@pytest.mark.parametrize("surface", COUNTS)
def test_a_surface_has_exactly_its_tools(surface: str) -> None:
    assert len(find_surface(surface).tools) == COUNTS[surface]


@pytest.mark.parametrize("surface", ["entity-core", "carabase"], ids=["straight", "through the SDK"])
def test_a_surface_shows_exactly_its_tools(tmp_path: Path, surface: str) -> None:
    with stdio(tmp_path, "--surface", surface) as spoken:
        spoken.greet()
        tools = spoken.ask(1, "tools/list")["result"]["tools"]
    assert [tool["name"] for tool in tools] == list(find_surface(surface).tools)
    assert all({"inputSchema", "outputSchema", "annotations", "description"} <= set(tool) for tool in tools)


def test_whoever_closes_right_behind_the_last_question_still_gets_the_answers(tmp_path: Path) -> None:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    find = {"name": "recall_entity", "arguments": {"name_or_alias": "nobody"}}
    said = [
        {"jsonrpc": "2.0", "id": "é", "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": find},
    ]
    text = "".join(json.dumps(each) + "\n" for each in said)
    ended = subprocess.run(
        [*COMMAND, "stdio", "--surface", "cognitive-graph"],
        input=text,
        capture_output=True,
        text=True,
        env=environment(tmp_path),
        timeout=LONGEST_WAIT,
        check=True,
    )
    assert [json.loads(line)["id"] for line in ended.stdout.splitlines()] == ["é", 2, 3]
