"""Everything about one entity in one call equals the separate calls."""

from typing import Any

import pytest
from tests.conftest import MovingClock
from tests.surfaces.pearscarf.pearscarf_world import LEDGER, REVIEW, answer, fact, harrow_bridge, tell

from recollect.memory import Memory


def context(memory: Memory, entity: str = "Lumen Audit", **more: Any) -> dict[str, Any]:
    return answer(memory, "get_entity_context", entity=entity, **more)


def texts(facts: list[dict[str, Any]]) -> list[str]:
    return [each["fact"] for each in facts]


def test_context_equals_the_separate_calls(memory: Memory) -> None:
    harrow_bridge(memory)
    later = fact("Odile Ferrant", "ASSERTED/commitment", "Lumen Audit", LEDGER.replace("9", "8"))
    tell(memory, later, record="mail_32", at="2026-04-03")
    for more in ({}, {"include_stale": True}, {"format": "clustered"}, {"at_time": "2026-04-03"}, {"as_of": 1}):
        found = context(memory, since="2026-04-05", **more)
        assert found["entity"] == answer(memory, "find_entity", name="Lumen Audit")["entity"]
        assert found["current_facts"] == answer(memory, "get_facts", entity="Lumen Audit", **more)["facts"]
        current = {key: value for key, value in more.items() if key in ("at_time", "as_of")}
        connections = answer(memory, "get_connections", entity="Lumen Audit", **current)
        assert found["connections"] == connections["connections"]


def test_the_example_of_the_page(memory: Memory) -> None:
    harrow_bridge(memory)
    found = context(memory, since="2026-04-05")
    assert texts(found["current_facts"]) == [LEDGER, REVIEW]
    assert texts(found["recent_activity"]) == [REVIEW]
    assert [row["entity_name"] for row in found["connections"]] == ["Teo Quist", "Odile Ferrant"]
    assert (found["aliases"], found["since"], found["truncated"]) == ([], "2026-04-05", False)
    assert context(memory, "Odile Ferrant")["aliases"] == ["O. Ferrant"]


def test_the_window_starts_seven_local_days_ago_at_midnight(memory: Memory, clock: MovingClock) -> None:
    with memory.write() as change:
        change.put_setting("timezone", "America/New_York")
    for text, at in (("before", "2026-04-02T03:59:59Z"), ("at midnight", "2026-04-02T04:00:00Z")):
        tell(memory, fact("Ada", "TRANSITIONED/status_change", "Engine", text), record=text, at=at)
    clock.set("2026-04-10T03:00:00Z")
    found = context(memory, "Ada")
    assert (texts(found["recent_activity"]), found["since"]) == (["at midnight"], "2026-04-02")
    clock.set("2026-04-10T04:00:00Z")
    assert context(memory, "Ada")["since"] == "2026-04-03"


def test_recent_activity_is_changes_and_references(memory: Memory) -> None:
    for number, kind in enumerate(("TRANSITIONED/odd", "ASSERTED/reference", "ASSERTED/goal", "AFFILIATED/reference")):
        tell(memory, fact("Ada", kind, "Engine", kind), record=kind, at=f"2026-05-1{5 + number}")
    found = context(memory, "Ada")
    assert texts(found["recent_activity"]) == ["TRANSITIONED/odd", "ASSERTED/reference"]
    assert len(found["current_facts"]) == 4
    clustered = context(memory, "Ada", format="clustered")["recent_activity"]
    assert list(clustered) == ["ASSERTED", "TRANSITIONED"]


def test_an_instant_as_bound_is_said_in_utc(memory: Memory) -> None:
    harrow_bridge(memory)
    assert context(memory, since="2026-04-06T13:00:00+02:00")["since"] == "2026-04-06T11:00:00Z"
    assert texts(context(memory, since="2026-04-06T13:00:00+02:00")["recent_activity"]) == [REVIEW]
    assert context(memory, since="2026-04-06T13:00:01+02:00")["recent_activity"] == []


def test_the_stale_widen_both_fact_lists(memory: Memory) -> None:
    moved = fact("Ada", "TRANSITIONED/completion", "Engine", "done")
    tell(memory, moved, record="r1", at="2026-05-18")
    tell(memory, moved | {"confidence": "retracted"}, record="r2", at="2026-05-18")
    assert (context(memory, "Ada")["current_facts"], context(memory, "Ada")["recent_activity"]) == ([], [])
    wide = context(memory, "Ada", include_stale=True)
    assert (texts(wide["current_facts"]), texts(wide["recent_activity"])) == (["done"], ["done"])
    assert wide["connections"] == []


@pytest.mark.large
def test_lists_are_cut_at_the_limit_and_say_so(memory: Memory) -> None:
    old = [fact("Ada", "TRANSITIONED/odd", f"Thing {n}", f"change {n}") for n in range(3)]
    tell(memory, *old, record="old", at="2026-05-15")
    tell(
        memory,
        *[fact("Ada", "ASSERTED/goal", "Engine", f"goal number {n}") for n in range(500)],
        record="r",
        at="2026-05-16",
    )
    found = context(memory, "Ada", limit=500)
    assert (len(found["current_facts"]), found["truncated"]) == (500, True)
    assert texts(found["recent_activity"]) == [f"change {n}" for n in range(3)]
