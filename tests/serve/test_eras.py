"""Whatever is answered without the SDK is what the SDK would have answered, in every way of greeting."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from recollect.serve.metrics import Metrics
from recollect.serve.open_store import OpenStore
from recollect.serve.protocol_versions import CAPABILITIES, CLIENT, HANDSHAKE_VERSIONS, STATELESS_VERSION, VERSION
from recollect.serve.stdio.fast_path import DeferredReply, FastPath, ImmediateReply
from recollect.serve.stdio.sdk_bridge import start_sdk
from recollect.settings import Settings
from recollect.surfaces.registry import find_surface

Json = dict[str, Any]
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
FIND = {"name": "recall_entity", "arguments": {"name_or_alias": "Nobody"}}
META = {VERSION: STATELESS_VERSION, CLIENT: {"name": "t", "version": "1"}, CAPABILITIES: {}}


def _hello(version: str) -> Json:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def _ask(ident: int | str, method: str, params: Json | None = None) -> Json:
    asked = {"jsonrpc": "2.0", "id": ident, "method": method}
    return asked if params is None else asked | {"params": params}


def _greeted(version: str) -> list[Json]:
    listed = [_ask(2, "tools/list"), _ask("three", "tools/list", {}), _ask(4, "ping")]
    return [_hello(version), READY, *listed, _ask(5, "tools/call", FIND)]


def _stateless() -> list[Json]:
    meta = {"_meta": META}
    return [_ask(1, "server/discover", meta), _ask(2, "tools/list", meta), _ask(3, "tools/call", FIND | meta)]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenStore]:
    with OpenStore(Settings(environment={"RECOLLECT_DB": str(tmp_path / "m.db")})) as opened:
        yield opened


def _straight(opened: OpenStore, surface: str, said: list[Json]) -> dict[Any, Json | None]:
    """By id, the answers; none where a message is left to the SDK."""
    straight = FastPath(find_surface(surface), opened.open_for, opened.local, Metrics())
    heard: dict[Any, Json | None] = {}
    for message in said:
        match straight.reply(message):
            case ImmediateReply(line) | DeferredReply(line=line):
                text = line() if callable(line) else line
                if text:
                    heard[message["id"]] = json.loads(text)
            case None:
                heard[message.get("id")] = None
    return heard


def _through_the_sdk(opened: OpenStore, surface: str, said: list[Json]) -> dict[Any, Json]:
    lines: list[bytes] = []
    sdk = start_sdk(find_surface(surface), opened, opened.local, Metrics(), lines.append, [])
    for message in said:
        sdk.send(json.dumps(message) + "\n", message)
        sdk.drain()
    sdk.end()
    return {answer["id"]: answer for answer in map(json.loads, lines) if "id" in answer}


@pytest.mark.parametrize("surface", ["cognitive-graph", "carabase"])
@pytest.mark.parametrize(
    "said", [*map(_greeted, HANDSHAKE_VERSIONS), _stateless()], ids=[*HANDSHAKE_VERSIONS, STATELESS_VERSION]
)
def test_what_is_answered_straight_equals_what_the_sdk_answers(
    opened: OpenStore, surface: str, said: list[Json]
) -> None:
    straight = _straight(opened, surface, said)
    through = _through_the_sdk(opened, surface, said)
    assert {ident: answer for ident, answer in straight.items() if answer} == {
        ident: answer for ident, answer in through.items() if straight[ident]
    }


@pytest.mark.parametrize(
    "said", [*map(_greeted, HANDSHAKE_VERSIONS), _stateless()], ids=[*HANDSHAKE_VERSIONS, STATELESS_VERSION]
)
def test_an_ordinary_conversation_needs_no_sdk(opened: OpenStore, said: list[Json]) -> None:
    assert None not in _straight(opened, "cognitive-graph", said).values()


def test_the_versions_are_those_of_the_sdk() -> None:
    assert set(HANDSHAKE_VERSIONS) < set(HANDSHAKE_PROTOCOL_VERSIONS)
    assert (STATELESS_VERSION,) == MODERN_PROTOCOL_VERSIONS


@pytest.mark.parametrize(
    "said",
    [
        _hello("2024-11-05"),
        _hello("1999-01-01"),
        _ask(1, "initialize", {"protocolVersion": HANDSHAKE_VERSIONS[0]}),
        _ask(1, "initialize"),
        _ask(1, "tools/list"),
        _ask(1, "tools/list", {"cursor": "x", "_meta": META}),
        _ask(1, "tools/list", {"_meta": META | {VERSION: HANDSHAKE_VERSIONS[0]}}),
        _ask(1, "tools/list", {"_meta": {VERSION: STATELESS_VERSION}}),
        _ask(1, "tools/call", FIND | {"_meta": META | {CAPABILITIES: {"sampling": {}}}}),
        _ask(1, "tools/call", FIND | {"_meta": META | {"progressToken": 1}}),
        _ask(1, "tools/call", {"name": "nothing", "arguments": {}, "_meta": META}),
        _ask(1, "resources/list", {"_meta": META}),
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "more": 1},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
    ],
    ids=lambda said: json.dumps(said)[-70:],
)
def test_anything_unusual_is_left_to_the_sdk(opened: OpenStore, said: Any) -> None:
    straight = FastPath(find_surface("cognitive-graph"), opened.open_for, opened.local, Metrics())
    assert straight.reply(said) is None
