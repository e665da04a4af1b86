"""Arguments: all are checked before anything is looked up, and each refusal names its field."""

from typing import Any

import apsw
import psycopg
import pytest
from tests.conftest import MovingClock
from tests.surfaces.pearscarf.pearscarf_world import answer, ask, facts_of, harrow_bridge, on_one_engine, refusal

from recollect.memory import Memory
from recollect.store.port import StoreUnavailable
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

TOOLS = ["find_entity", "get_facts", "get_connections", "get_relationship", "get_conflicts", "get_entity_context"]
UNKNOWN: dict[str, dict[str, Any]] = {
    "find_entity": {"name": "nobody"},
    "get_relationship": {"entity_a": "nobody", "entity_b": "noone"},
}


def arguments_of(tool: str) -> dict[str, Any]:
    return UNKNOWN.get(tool, {"entity": "nobody"})


def test_there_are_exactly_six_tools_and_all_only_read() -> None:
    surface = find_surface("pearscarf")
    assert sorted(surface.tools) == sorted(TOOLS)
    assert {(tool.effect, tool.idempotent) for tool in surface.tools.values()} == {("read", True)}


def test_the_database_itself_refuses_to_write_while_reading(memory: Memory) -> None:
    with (
        memory.read() as view,
        pytest.raises((apsw.ReadOnlyError, psycopg.errors.ReadOnlySqlTransaction)),
    ):
        view.connection.run("content_add", {"ws": view.ws, "hash": "h", "text": "t"})


@on_one_engine
@pytest.mark.parametrize(
    ("tool", "bad", "field"),
    [
        ("find_entity", {"name": " "}, "name"),
        ("find_entity", {"name": ""}, "name"),
        ("find_entity", {"name": None}, "name"),
        ("find_entity", {"name": 7}, "name"),
        ("find_entity", {"name": "x" * 501}, "name"),
        ("find_entity", {"entity_type": 3}, "entity_type"),
        ("find_entity", {"at_time": "2026"}, "at_time"),
        ("get_facts", {"edge_label": "LIKES"}, "edge_label"),
        ("get_facts", {"edge_label": ["ASSERTED"]}, "edge_label"),
        ("get_facts", {"fact_type": "x" * 101}, "fact_type"),
        ("get_facts", {"fact_type": ["goal"]}, "fact_type"),
        ("get_facts", {"since": "last week"}, "since"),
        ("get_facts", {"since": "2026-02-30"}, "since"),
        ("get_facts", {"since": "2026-04"}, "since"),
        ("get_facts", {"since": 20260401}, "since"),
        ("get_facts", {"until": "2026-04-01T25:00:00Z"}, "until"),
        ("get_facts", {"include_stale": "true"}, "include_stale"),
        ("get_facts", {"include_stale": 1}, "include_stale"),
        ("get_facts", {"format": "table"}, "format"),
        ("get_facts", {"as_of": "yesterday"}, "as_of"),
        ("get_facts", {"at_time": "yesterday"}, "at_time"),
        ("get_facts", {"at_time": "2026-13"}, "at_time"),
        ("get_facts", {"at_time": 2026}, "at_time"),
        ("get_facts", {"limit": 0}, "limit"),
        ("get_facts", {"limit": 5001}, "limit"),
        ("get_facts", {"limit": "5"}, "limit"),
        ("get_facts", {"limit": True}, "limit"),
        ("get_connections", {"limit": 5001}, "limit"),
        ("get_connections", {"edge_label": "none"}, "edge_label"),
        ("get_connections", {"fact_type": "goal"}, "fact_type"),
        ("get_relationship", {"entity_b": " "}, "entity_b"),
        ("get_relationship", {"max_hops": 5}, "max_hops"),
        ("get_relationship", {"max_hops": 0}, "max_hops"),
        ("get_relationship", {"at_time": "soon"}, "at_time"),
        ("get_conflicts", {"limit": 1001}, "limit"),
        ("get_conflicts", {"entity": ""}, "entity"),
        ("get_conflicts", {"at_time": "2026"}, "at_time"),
        ("get_entity_context", {"since": "soon"}, "since"),
        ("get_entity_context", {"limit": 5001}, "limit"),
        ("get_entity_context", {"asof": 3}, "asof"),
    ],
)
def test_a_bad_argument_is_named_before_any_lookup(memory: Memory, tool: str, bad: dict[str, Any], field: str) -> None:
    said = refusal(memory, tool, **(arguments_of(tool) | bad))
    assert (said["error"], said["field"]) == ("invalid_input", field)
    assert set(said) - {"accepted"} == {"error", "field", "message"}


@on_one_engine
@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool != "get_conflicts"])
def test_a_missing_name_is_bad_input(memory: Memory, tool: str) -> None:
    assert refusal(memory, tool)["error"] == "invalid_input"


def test_a_closed_set_is_listed(memory: Memory) -> None:
    said = refusal(memory, "get_facts", entity="nobody", edge_label="LIKES")
    assert said["accepted"] == ["AFFILIATED", "ASSERTED", "TRANSITIONED"]
    said = refusal(memory, "get_facts", entity="nobody", format="table")
    assert said["accepted"] == ["chronological", "clustered"]


def test_null_for_an_optional_argument_is_absent(memory: Memory) -> None:
    harrow_bridge(memory)
    optional = ("edge_label", "fact_type", "since", "include_stale", "format", "until", "as_of", "at_time", "limit")
    given = answer(memory, "get_facts", entity="Lumen Audit", **dict.fromkeys(optional))
    assert given == answer(memory, "get_facts", entity="Lumen Audit")
    assert answer(memory, "get_conflicts", entity=None)["count"] == 0


def test_older_names_of_arguments_are_taken(memory: Memory) -> None:
    harrow_bridge(memory)
    for older in ("entity", "entity_name"):
        assert answer(memory, "find_entity", **{older: "Teo Quist"})["entity"]["name"] == "Teo Quist"
    for tool in ("get_facts", "get_connections", "get_conflicts", "get_entity_context"):
        assert answer(memory, tool, entity_name="Teo Quist") == answer(memory, tool, entity="Teo Quist")


def test_labels_formats_and_types_ignore_case(memory: Memory) -> None:
    harrow_bridge(memory)
    plain = facts_of(memory, "Lumen Audit", edge_label="TRANSITIONED", fact_type="stage_change")
    assert len(plain) == 1
    for fact_type in ("Stage Change", "STAGE_CHANGE", "stageChange", "stage-change"):
        assert facts_of(memory, "Lumen Audit", edge_label="transitioned", fact_type=fact_type) == plain
    clustered = answer(memory, "get_facts", entity="Lumen Audit", format="Clustered")["facts"]
    assert list(clustered) == ["ASSERTED", "TRANSITIONED"]


def test_a_store_that_cannot_be_read_is_unavailable() -> None:
    def unreachable(_: object) -> Memory:
        raise StoreUnavailable("BusyError")

    answered = call(find_surface("pearscarf").find("get_conflicts"), unreachable, {})
    assert answered.is_error
    assert answered.structured["error"] == "unavailable"
    assert set(answered.structured) == {"error", "message"}


def test_anything_unforeseen_is_internal_and_the_next_call_works(memory: Memory, clock: MovingClock) -> None:
    harrow_bridge(memory)
    moment = clock.instant
    clock.instant = None  # type: ignore[assignment]
    broken = ask(memory, "get_facts", {"entity": "Lumen Audit"})
    assert broken.is_error
    assert (broken.structured["error"], set(broken.structured)) == ("internal", {"error", "message"})
    clock.instant = moment
    assert len(facts_of(memory, "Lumen Audit")) == 2
