"""A date with slashes as an argument: the workspace's order decides, and where none is known it is refused."""

import pytest

from recollect.memory import Memory
from tests.surfaces.recollect.test_changing import Agent
from tests.surfaces.recollect.test_remember import refusal, remember


def since(memory: Memory, text: str) -> str:
    [fact] = remember(memory, facts=[{"subject": "Acme", "predicate": "uses", "value": text, "valid_from": text}])[
        "facts"
    ]
    return str(fact["since"])


def set_order(memory: Memory, order: str) -> None:
    with memory.write() as change:
        change.put_setting("reading.date_order", order)


def test_a_date_that_may_be_two_days_is_refused_with_both(memory: Memory) -> None:
    error = refusal(
        memory, facts=[{"subject": "Acme", "predicate": "uses", "value": "pnpm", "valid_from": "10/03/2026"}]
    )
    assert (error["code"], error["field"]) == ("invalid_input", "facts[0].valid_from")
    assert "2026-03-10 or 2026-10-03" in error["message"]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("25/03/2026", "2026-03-25"),
        ("3/25/26", "2026-03-25"),
        ("05/05/2026", "2026-05-05"),
        ("10.03.2026", "2026-03-10"),
    ],
)
def test_a_date_that_can_only_be_one_day_is_read(memory: Memory, text: str, day: str) -> None:
    assert since(memory, text) == day


@pytest.mark.parametrize(("order", "day"), [("dmy", "2026-03-10"), ("mdy", "2026-10-03")])
def test_the_order_of_the_workspace_decides(memory: Memory, order: str, day: str) -> None:
    set_order(memory, order)
    assert since(memory, "10/03/2026") == since(memory, "10-03-2026") == day


@pytest.mark.parametrize(
    ("tool", "field", "more"),
    [
        ("recall", "at", {"query": "Acme"}),
        ("recall", "as_of", {"query": "Acme"}),
        ("recall", "since", {"query": "Acme"}),
        ("history", "until", {}),
        ("open_items", "due_before", {}),
        ("correct", "when", {"fact": "Acme uses pnpm", "mode": "ended"}),
    ],
)
def test_every_argument_that_is_a_time_refuses_it(memory: Memory, tool: str, field: str, more: dict[str, str]) -> None:
    remember(memory, facts=[{"subject": "Acme", "predicate": "uses", "value": "pnpm"}])
    assert Agent(memory).fail(tool, "invalid_input", **more, **{field: "10/03/2026"})["field"] == field
