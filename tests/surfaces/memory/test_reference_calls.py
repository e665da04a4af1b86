"""The calls of a client of the reference memory server get the answers that server gave."""

import json
from pathlib import Path
from typing import Any

from recollect.memory import Memory
from recollect.serve.mcp import tool_result
from recollect.serve.protocol_versions import HandshakeProtocol, call_line
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

SURFACE = find_surface("memory")
CALLS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("reference_calls.json").read_text(encoding="utf-8"))


def ordered(value: Any) -> Any:
    """The value with every list sorted: the two servers need not agree on order."""
    if isinstance(value, dict):
        return {key: ordered(each) for key, each in value.items()}
    if isinstance(value, list):
        return sorted((ordered(each) for each in value), key=lambda each: json.dumps(each, sort_keys=True))
    return value


def is_without_structure(answer: Answer) -> bool:
    """Whether both ways to a client send a failure as text alone, as the reference server does."""
    line = json.loads(call_line(1, HandshakeProtocol(), answer))["result"]
    return "structuredContent" not in line and tool_result(answer).structured_content is None and line["isError"]


def test_every_recorded_call_gets_the_recorded_answer(memory: Memory) -> None:
    for number, each in enumerate(CALLS):
        answer = call(SURFACE.find(each["tool"]), lambda tool: memory.as_actor("memory", tool.name), each["arguments"])
        told = f"call {number}: {each['tool']} {each['arguments']}"
        assert answer.is_error == each["is_error"], told
        if each["is_error"]:
            assert answer.texts == (each["text"],), told
            assert is_without_structure(answer), told
            continue
        assert ordered(answer.structured) == ordered(each["structured"]), told
        assert answer.texts[0].startswith(("[", "{")) == each["text"].startswith(("[", "{")), told
        if not each["text"].startswith(("[", "{")):
            assert answer.texts == (each["text"],), told


def test_the_tools_are_those_of_the_reference_server() -> None:
    assert list(SURFACE.tools) == [
        "create_entities",
        "create_relations",
        "add_observations",
        "delete_entities",
        "delete_observations",
        "delete_relations",
        "read_graph",
        "search_nodes",
        "open_nodes",
    ]


def test_what_another_surface_names_is_an_entity_here(memory: Memory) -> None:
    relation = {"from": "Ada", "relation": "OWNS", "to": "Boat", "valid_from": "2024"}
    add = find_surface("lore-engine").find("add_relation")
    assert not call(add, lambda tool: memory.as_actor("lore-engine", tool.name), relation).is_error
    opened = call(SURFACE.find("open_nodes"), lambda tool: memory.as_actor("memory", tool.name), {"names": ["Ada"]})
    assert [each["name"] for each in opened.structured["entities"]] == ["Ada"]
    assert [each["to"] for each in opened.structured["relations"]] == ["Boat"]
