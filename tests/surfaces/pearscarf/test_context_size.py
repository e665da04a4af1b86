"""The context of a busy entity is whole up to 500 of each list, and short where that is asked for."""

import json
from typing import Any

import pytest
from tests.support.facts import fact, tell

from recollect.memory import Memory
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

MOST_BYTES = 110_000


@pytest.mark.large
def test_the_context_of_a_busy_entity_is_cut_and_says_so(memory: Memory) -> None:
    busy = [
        fact("Lumen Audit", "update", None, f"Update {number}: ledger {number} is missing again.", "ASSERTED")
        for number in range(300)
    ]
    staff = [fact(f"Person {number}", "works_at", {"name": "Lumen Audit"}) for number in range(300)]
    tell(memory, *busy, *staff, id="n1", title="Log", source_at="2026-05-19T08:00:00Z")
    asked = {"entity": "Lumen Audit"}
    context, facts = answer(memory, "get_entity_context", asked), answer(memory, "get_facts", asked)
    assert (context["truncated"], context["current_facts"]) == (True, facts["facts"])
    assert context["connections"] == answer(memory, "get_connections", asked)["connections"]
    assert (len(context["current_facts"]), len(context["connections"])) == (500, 300)
    short = answer(memory, "get_entity_context", {**asked, "limit": 50})
    assert (short["truncated"], len(short["current_facts"]), len(short["connections"])) == (True, 50, 50)
    assert len(json.dumps(short)) <= MOST_BYTES


def answer(memory: Memory, tool: str, arguments: dict[str, Any]) -> Any:
    return call(find_surface("pearscarf").find(tool), lambda _: memory, arguments).structured
