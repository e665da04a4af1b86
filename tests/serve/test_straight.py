"""A call that goes straight to its tool is answered as the SDK would have answered it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from recollect.model.progress import Progress, Rebuild
from recollect.serve.metrics import Metrics
from recollect.serve.open_store import OpenStore
from recollect.serve.protocol_versions import CAPABILITIES, CLIENT, STATELESS_VERSION, VERSION
from recollect.serve.stdio.fast_path import FastPath
from recollect.serve.stdio.sdk_bridge import SdkBridge
from recollect.serve.stdio.session import StdioSession
from recollect.settings import Settings
from recollect.surfaces.registry import find_surface
from tests.support.processes import Spoken, stdio

Json = dict[str, Any]
_CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
HELLO = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": _CLIENT}


def _fact(name: str) -> Json:
    return {
        "subject": {"type": "person", "name": name},
        "predicate": "decided_in",
        "object": {"type": "project", "name": "Engine"},
        "source": "a letter",
    }


CALLS: tuple[Json, ...] = (
    {"name": "record_fact", "arguments": _fact("Ada")},
    {"name": "recall_entity", "arguments": {"name": "Ada"}},
    {"name": "recall_entity", "arguments": {"name": "Nobody"}},
    {"name": "recall_entity", "arguments": {"nom": "Ada"}},
    {"name": "recall_entity", "arguments": None},
    {"name": "recall_entity"},
    {"name": "get_facts", "arguments": {"entity": "Ada"}, "_meta": {"progressToken": 1}},
    {"name": "no_such_tool", "arguments": {}},
    {"name": 7, "arguments": {}},
    {"name": "get_facts", "arguments": [1]},
    {"name": "weekly_rollup", "arguments": []},
    {"name": "weekly_rollup", "arguments": ""},
    {"name": "weekly_rollup", "_meta": []},
)


def _greet(client: Spoken, capabilities: Json) -> None:
    hello = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"}}
    client.ask(0, "initialize", hello)
    client.say('{"jsonrpc":"2.0","method":"notifications/initialized"}')


def _answers(folder: Path, capabilities: Json) -> list[Json]:
    folder.mkdir()
    with stdio(folder) as client:
        _greet(client, capabilities)
        return [client.ask(number, "tools/call", each) for number, each in enumerate(CALLS, start=1)]


def _without_ids(answer: Json) -> Json:
    """Ids are drawn at random; all else must be the same."""
    scrubbed: Json = json.loads(_ID.sub("ID", json.dumps(answer)))
    return scrubbed


_ID = re.compile(r"(ent|fact)_[0-9A-Z]{26}|[0-9a-f]{8}-[0-9a-f-]{27}")


@pytest.fixture(scope="module")
def both_ways(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Json], list[Json]]:
    folder = tmp_path_factory.mktemp("straight")
    return _answers(folder / "straight", {}), _answers(folder / "sdk", {"sampling": {}})


@pytest.mark.parametrize("number", range(len(CALLS)), ids=[json.dumps(each)[:60] for each in CALLS])
def test_both_ways_give_the_same_answer(both_ways: tuple[list[Json], list[Json]], number: int) -> None:
    straight, through = both_ways
    assert _without_ids(straight[number]) == _without_ids(through[number])


@pytest.mark.parametrize("capabilities", [{}, {"sampling": {}}], ids=["straight", "sdk"])
def test_the_name_a_client_gave_is_the_instance_that_acts(tmp_path: Path, capabilities: Json) -> None:
    with stdio(tmp_path, "--surface", "entity-core") as client:
        _greet(client, capabilities)
        node = {"name": "graph_node_create", "arguments": {"type": "person", "label": "Ada"}}
        made = client.ask(1, "tools/call", node)
        assert made["result"]["structuredContent"]["node"]["sourceInstance"] == "t"


def test_the_sdk_woken_late_knows_whom_it_speaks_to(tmp_path: Path) -> None:
    with stdio(tmp_path) as client:
        _greet(client, {"elicitation": {}})
        client.ask(1, "tools/list")
        assert client.ask(2, "prompts/list")["error"]["code"] == -32601
        assert "result" in client.ask(3, "tools/call", {"name": "recall_entity", "arguments": {"name": "Ada"}})
    assert [json.loads(line)["id"] for line in client.lines] == [0, 1, 2, 3]


def test_notices_wake_nobody_and_end_nothing(tmp_path: Path) -> None:
    with stdio(tmp_path) as client:
        _greet(client, {})
        client.say('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}')
        client.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}')
        assert client.ask(1, "ping")["result"] == {}
    assert [json.loads(line)["id"] for line in client.lines] == [0, 1]


def test_calls_before_the_greeting_are_left_to_the_sdk(tmp_path: Path) -> None:
    with stdio(tmp_path) as client:
        assert "error" in client.ask(1, "tools/call", {"name": "recall_entity", "arguments": {"name": "Ada"}})
        _greet(client, {})
        assert "result" in client.ask(2, "tools/call", {"name": "recall_entity", "arguments": {"name": "Ada"}})


def test_many_calls_at_once_are_each_answered_once(tmp_path: Path) -> None:
    with stdio(tmp_path) as client:
        _greet(client, {})
        for number in range(1, 41):
            params = {"name": "record_fact", "arguments": _fact(f"Person {number}")}
            client.say(json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}))
        client.ask(99, "ping")
        while len(_answered(client)) < 40:
            client.ask(98, "ping")
        kept = client.ask(97, "tools/call", {"name": "recall_entity", "arguments": {"name_or_alias": "Engine"}})
        assert len(kept["result"]["structuredContent"]["facts"]) == 40
        assert sorted(_answered(client)) == list(range(1, 41))


def _answered(client: Spoken) -> list[int]:
    """Which of the forty calls have their answer; the pings in between do not count."""
    replies = [json.loads(line) for line in client.lines]
    return [each["id"] for each in replies if "result" in each and 1 <= each["id"] <= 40]


SPEAKER = {VERSION: STATELESS_VERSION, CLIENT: {"name": "c", "version": "1"}, CAPABILITIES: {}}
FIRST_WORDS = [
    [json.dumps(HELLO), '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
    [json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": SPEAKER}})],
]


@pytest.mark.parametrize("lines", FIRST_WORDS, ids=["greeted", "stateless"])
def test_a_client_that_said_who_it_is_is_told_of_a_rebuild_that_nobody_asked_for(
    tmp_path: Path, lines: list[str]
) -> None:
    said: list[bytes] = []
    with OpenStore(Settings(environment={"RECOLLECT_DB": str(tmp_path / "m.db")})) as opened:
        straight = FastPath(find_surface("cognitive-graph"), opened.open_for, opened.local, Metrics())
        conversation = StdioSession(straight, said.append, _never_woken)
        started = Progress(0, 3, "", Rebuild("started", "memories"))
        conversation.report_progress("default", started)
        assert said == []
        conversation.run(lines)
        conversation.report_progress("default", started)
    told = json.loads(said[-1])
    assert (told["method"], told["params"]["phase"]) == ("notifications/embedding-rebuild", "started")
    assert len(said) == 2


def _never_woken(_: list[str]) -> SdkBridge:
    raise AssertionError("nothing here is for the SDK")


@pytest.mark.parametrize(
    ("capabilities", "is_plain"), [({}, True), ({"elicitation": {}}, False), ({"elicitation": {"form": {}}}, False)]
)
def test_what_destroys_needs_the_sdk_only_where_the_client_can_ask(
    tmp_path: Path, capabilities: Json, is_plain: bool
) -> None:
    deleting = {"name": "delete_entities", "arguments": {"entityNames": ["Ada"]}}
    with OpenStore(Settings(environment={"RECOLLECT_DB": str(tmp_path / "m.db")})) as opened:
        straight = FastPath(find_surface("memory"), opened.open_for, opened.local, Metrics())
        straight.reply({**HELLO, "params": {**_CLIENT, "capabilities": capabilities}})
        straight.reply({"jsonrpc": "2.0", "method": "notifications/initialized"})
        reply = straight.reply({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": deleting})
    assert (reply is not None) is is_plain


def test_a_destructive_call_has_the_same_result_both_ways(tmp_path: Path) -> None:
    made = {
        "name": "create_entities",
        "arguments": {"entities": [{"name": "Ada", "entityType": "p", "observations": []}]},
    }
    gone = {"name": "delete_entities", "arguments": {"entityNames": ["Ada"]}}
    results: list[list[Json]] = []
    offered: list[Json] = [{}, {"sampling": {}}]
    for capabilities in offered:
        folder = tmp_path / str(len(results))
        folder.mkdir()
        with stdio(folder, "--surface", "memory") as client:
            _greet(client, capabilities)
            client.ask(1, "tools/call", made)
            results.append([client.ask(2, "tools/call", gone), client.ask(3, "tools/call", {"name": "read_graph"})])
    assert results[0] == results[1]
    assert results[0][1]["result"]["structuredContent"]["entities"] == []
