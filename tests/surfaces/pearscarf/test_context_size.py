"""The context of a busy entity stays readable."""

import json

import pytest
from tests.telling import fact, tell

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
    tool = find_surface("pearscarf").find("get_entity_context")
    answer = call(tool, lambda _: memory, {"entity": "Lumen Audit"}).structured
    assert answer["truncated"] is True
    assert len(json.dumps(answer)) <= MOST_BYTES
    wide = call(tool, lambda _: memory, {"entity": "Lumen Audit", "limit": 500}).structured
    assert len(wide["current_facts"]) == 500
