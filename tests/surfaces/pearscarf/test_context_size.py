"""The context of a busy entity is short unless more is asked for, and says when it is cut."""

from typing import Any

import pytest
from tests.support.facts import fact, tell

from recollect.memory import Memory
from recollect.surfaces.dispatch import call, json_bytes
from recollect.surfaces.registry import find_surface

MOST_BYTES = 100_000
ASKED = {"entity": "Lumen Audit"}


@pytest.mark.large
def test_the_context_of_a_busy_entity_is_cut_and_says_so(memory: Memory) -> None:
    tell_of_busy_entity(memory)
    context = answer(memory, "get_entity_context", ASKED)
    assert (context["truncated"], sizes(context)) == (True, (100, 100, 3))
    assert len(json_bytes(context)) < MOST_BYTES
    listed = {**ASKED, "limit": 100}
    assert context["current_facts"] == answer(memory, "get_facts", listed)["facts"]
    assert context["connections"] == answer(memory, "get_connections", listed)["connections"]


@pytest.mark.large
def test_a_larger_limit_gives_more_of_the_context_of_a_busy_entity(memory: Memory) -> None:
    tell_of_busy_entity(memory, changes=500)
    wide = answer(memory, "get_entity_context", {**ASKED, "limit": 500})
    assert (wide["truncated"], sizes(wide)) == (True, (500, 500, 500))
    whole = answer(memory, "get_entity_context", {**ASKED, "limit": 5000})
    assert (whole["truncated"], sizes(whole)) == (False, (1_997, 500, 500))


def tell_of_busy_entity(memory: Memory, changes: int = 3) -> None:
    """1,500 facts about a project, of which some are changes of the last week, told by 500 people."""
    updates = [
        fact("Lumen Audit", "update", None, f"Update {number}: ledger {number} is missing again.", "ASSERTED")
        for number in range(997)
    ]
    staff = [fact(f"Person {number}", "works_at", {"name": "Lumen Audit"}) for number in range(500)]
    moves = [
        fact("Lumen Audit", "status_change", None, f"Lumen Audit moved to stage {number}", "TRANSITIONED")
        for number in range(changes)
    ]
    tell(memory, *updates, *staff, *moves, id="n1", title="Log", source_at="2026-05-19T08:00:00Z")


def sizes(context: dict[str, Any]) -> tuple[int, ...]:
    return tuple(len(context[each]) for each in ("current_facts", "connections", "recent_activity"))


def answer(memory: Memory, tool: str, arguments: dict[str, Any]) -> Any:
    return call(find_surface("pearscarf").find(tool), lambda _: memory, arguments).structured
