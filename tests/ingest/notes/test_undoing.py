"""Undoing a call of `remember` restores everything as it was before it."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import MovingClock
from tests.ingest.notes.remembering import outcomes, states, tell
from tests.support.calls import last_tx
from tests.support.properties import examples
from tests.write.test_undo import state, take_back

from recollect.memory import Memory
from recollect.store.tables import OPEN, VERSIONED
from recollect.write.entity_refs import NamedRef, create

VALUES = ("npm", "pnpm", "yarn")
SUBJECTS = ("acme-web", "me", "Lena", "Twin")
PREDICATES = ("uses", "rent", "lives_in", "commitment", "spouse_of", "completion", "name")
TEXTS = (
    "My name is Ada Brandt.",
    "I live in Porto. I will pay the garage invoice by Friday.",
    "I moved to Rome in March 2026. We use npm.",
    "We switched from npm to pnpm. Nothing else.",
    "I have paid the garage invoice.",
    "Lena works at Acme and lives in Porto. We no longer use npm.",
    "Maybe.",
)
TIMES = (None, "2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z")

facts = st.fixed_dictionaries(
    {"subject": st.sampled_from(SUBJECTS), "predicate": st.sampled_from(PREDICATES), "value": st.sampled_from(VALUES)},
    optional={
        "replaces": st.booleans(),
        "valid_from": st.sampled_from(("2025", "2026-02")),
        "confidence": st.sampled_from(("stated", "inferred")),
    },
)
calls = st.tuples(st.none() | st.sampled_from(TEXTS), st.lists(facts, max_size=2), st.sampled_from(TIMES))


def empty(memory: Memory) -> None:
    """Undo whatever stands, so that the next example starts from nothing."""
    with memory.write() as change:
        for table in VERSIONED:
            for tx in range(1, change.last_tx + 1):
                for row in change.connection.begun_by(table, change.ws, tx):
                    if row[1 + len(table.key) + 1] == OPEN:
                        change.end_version(table, row)
        change.clear_cache()


@pytest.mark.large
@settings(max_examples=examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(calls, min_size=1, max_size=4))
def test_undoing_step_by_step_restores_each_state(
    memory: Memory, clock: MovingClock, told: list[tuple[str | None, list[dict[str, Any]], str | None]]
) -> None:
    empty(memory)
    with memory.write() as change:
        create(change, NamedRef("Twin", "person", properties={"email": "a@x.example"}))
        create(change, NamedRef("Twin", "person", properties={"email": "b@x.example"}))
    history: list[tuple[int, dict[str, list[str]]]] = []
    for day, (text, given_facts, at) in enumerate(told):
        clock.set(f"2026-05-{20 + day}T10:00:00Z")
        before, last = state(memory), last_tx(memory)
        tell(memory, text, *given_facts, at=at)
        if last_tx(memory) > last:
            history.append((last_tx(memory), before))
    for tx, before in reversed(history):
        take_back(memory, tx)
        assert state(memory) == before


def test_of_many_changed_values_the_newest_stands_and_no_other_fact_ends(memory: Memory, clock: MovingClock) -> None:
    unrelated = [{"subject": f"thing {n}", "predicate": p, "value": n} for n in range(40) for p in ("rent", "uses")]
    for first in range(0, len(unrelated), 40):
        tell(memory, None, *unrelated[first : first + 40])
    tell(memory, None, *({"subject": f"home {n}", "predicate": "rent", "value": n} for n in range(50)))
    tell(memory, None, *({"subject": f"app {n}", "predicate": "uses", "value": f"old {n}"} for n in range(50)))
    clock.set("2026-06-10T12:00:00Z")
    changed = tell(memory, None, *({"subject": f"home {n}", "predicate": "rent", "value": n + 500} for n in range(50)))
    assert set(outcomes(changed)) == {"replaced"}
    switched = ({"subject": f"app {n}", "predicate": "uses", "value": f"new {n}", "replaces": True} for n in range(50))
    assert set(outcomes(tell(memory, None, *switched))) == {"replaced"}
    for n in range(50):
        assert states(memory, f"home {n}", "rent") == {str(n): "ended", str(n + 500): "current"}
        assert states(memory, f"app {n}", "uses") == {f"old {n}": "ended", f"new {n}": "current"}
    for n in range(40):
        assert states(memory, f"thing {n}", "rent") == {str(n): "current"}
        assert states(memory, f"thing {n}", "uses") == {str(n): "current"}


def test_withdrawing_the_note_reopens_what_it_replaced(memory: Memory) -> None:
    from recollect.write.retract import retract_document

    tell(memory, "I live in Berlin.", at="2025-01-01T10:00:00Z")
    moved = tell(memory, "I moved to Porto in March 2026.")
    assert states(memory, "me", "lives_in") == {"Berlin": "ended", "Porto": "current"}
    with memory.write() as change:
        assert moved.note is not None
        note = change.document(moved.note)
        assert note is not None
        retract_document(change, note, "hidden")
    assert states(memory, "me", "lives_in") == {"Berlin": "current", "Porto": "retracted"}
