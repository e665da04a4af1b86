"""Items that last until a day: open up to it, done and never overdue after it, on every surface."""

from pathlib import Path
from typing import Any

import pytest

from recollect.memory import Memory
from recollect.reason.items.item_list import ItemFilter, list_items
from tests.conftest import MovingClock
from tests.ingest.records import MARCUS, Reading, email
from tests.support.calls import ask

Json = dict[str, Any]
HOLD = "I'll hold the price until Friday."
SEND = "I'll send the form by Friday."
AFTER = "2026-03-16T09:00:00Z"


@pytest.fixture
def told(memory: Memory, clock: MovingClock, tmp_path: Path) -> Memory:
    """A promise that lasts until Friday 13 March and one that is due then, on the Wednesday before."""
    clock.set("2026-03-11T10:00:00Z")
    Reading(memory, tmp_path / "mail.jsonl")(email("m1", f"{HOLD}\n\n{SEND}", sender=MARCUS))
    return memory


def items(memory: Memory, **arguments: Any) -> dict[str, Json]:
    found = ask(memory, "recollect", "open_items", include_closed=True, **arguments)["items"]
    return {each["text"].partition(": ")[2]: each for each in found}


@pytest.mark.parametrize("wanted", [{}, {"owner": "Marcus Webb"}])
def test_what_lasts_until_a_day_is_open_up_to_it_and_done_after_it(
    told: Memory, clock: MovingClock, wanted: Json
) -> None:
    assert {text: each["state"] for text, each in items(told, **wanted).items()} == {HOLD: "open", SEND: "open"}
    clock.set(AFTER)
    after = items(told, **wanted)
    assert {text: each["state"] for text, each in after.items()} == {HOLD: "done", SEND: "overdue"}
    assert after[HOLD]["due"] == "2026-03-13"
    assert "closed_by" not in after[HOLD]


@pytest.mark.parametrize("limit", [1, 50])
def test_what_is_over_counts_as_done(told: Memory, clock: MovingClock, limit: int) -> None:
    clock.set(AFTER)
    counts = ask(told, "recollect", "open_items", limit=limit)["counts"]
    assert counts == {"open": 0, "overdue": 1, "done": 1, "cancelled": 0}


def test_get_facts_lists_what_is_over_no_longer_and_never_as_overdue(told: Memory, clock: MovingClock) -> None:
    clock.set(AFTER)
    standing = ask(told, "pearscarf", "get_facts", entity_name="Marcus Webb")["facts"]
    assert [(each["quote"], each["overdue"]) for each in standing if each["fact_type"] == "commitment"] == [
        (SEND, True)
    ]
    every = ask(told, "pearscarf", "get_facts", entity_name="Marcus Webb", include_stale=True)["facts"]
    [over] = [each for each in every if each["quote"] == HOLD]
    assert (over["valid_until"], over["overdue"], over["closed_by"]) == ("2026-03-13", False, None)


def test_a_moment_before_the_day_shows_it_as_open(told: Memory, clock: MovingClock) -> None:
    clock.set(AFTER)
    with told.read() as view:
        found = list_items(view, ItemFilter(at=view.world.read("2026-03-12").span)).items
    assert sorted((each.item.text.partition(": ")[2], each.state) for each in found) == [(HOLD, "open"), (SEND, "open")]


def test_the_graph_has_no_current_edge_for_what_is_over(told: Memory, clock: MovingClock) -> None:
    def edges() -> list[Json]:
        found = ask(told, "carabase", "carabase_search_graph", start_entity="Marcus Webb", include_history=True)[
            "edges"
        ]
        return [each for each in found if each["text"].endswith(HOLD)]

    assert [(each["current"], each["overdue"]) for each in edges()] == [(True, False)]
    clock.set(AFTER)
    assert [(each["current"], each["overdue"]) for each in edges()] in ([], [(False, False)])
