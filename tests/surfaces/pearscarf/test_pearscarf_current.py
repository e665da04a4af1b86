"""Current, stale, overdue: what default reads show, and what happened to the rest."""

from typing import Any

import pytest
from tests.conftest import MovingClock
from tests.surfaces.pearscarf.pearscarf_world import (
    LEDGER,
    answer,
    fact,
    facts_of,
    harrow_bridge,
    on_one_engine,
    take_line,
    tell,
    texts_of,
)

from recollect.memory import Memory


def employed(text: str, **more: Any) -> dict[str, Any]:
    return fact("Ada", "AFFILIATED/employee", "Acme", text, **more)


def committed(text: str, **more: Any) -> dict[str, Any]:
    return fact("Ada", "ASSERTED/commitment", "Engine", text, **more)


def states(memory: Memory, entity: str = "Ada") -> dict[str, tuple[bool, str | None]]:
    """By text, whether each fact is stale, and the text of what replaced it."""
    shown = facts_of(memory, entity, include_stale=True)
    texts = {each["id"]: each["fact"] for each in shown}
    return {
        each["fact"]: (each["stale"], texts[each["replaced_by"]] if each["replaced_by"] else None) for each in shown
    }


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_newest_source_is_current_whatever_the_order_of_arrival(memory: Memory, order: tuple[int, ...]) -> None:
    texts = ["Ada writes code", "Ada leads a team", "Ada runs the firm"]
    for number in order:
        tell(memory, employed(texts[number]), record=f"r{number}", at=f"2026-04-0{number + 1}")
    assert texts_of(memory, "Ada") == ["Ada runs the firm"]
    assert states(memory) == {
        "Ada writes code": (True, "Ada leads a team"),
        "Ada leads a team": (True, "Ada runs the firm"),
        "Ada runs the firm": (False, None),
    }


def test_an_old_fact_said_again_by_a_newer_record_is_current_again(memory: Memory) -> None:
    tell(memory, employed("Ada writes code"), record="r1", at="2026-04-01")
    tell(memory, employed("Ada leads a team"), record="r2", at="2026-04-02")
    tell(memory, employed("ada  writes code."), record="r3", at="2026-04-03")
    assert texts_of(memory, "Ada") == ["Ada writes code"]


def test_an_inferred_fact_stales_only_inferred_ones(memory: Memory) -> None:
    tell(memory, employed("Ada is there", confidence="stated"), record="r1", at="2026-04-01")
    tell(memory, employed("Ada writes from acme", confidence="inferred"), record="r2", at="2026-04-02")
    assert texts_of(memory, "Ada") == ["Ada is there", "Ada writes from acme"]


def test_different_commitments_stand_and_the_same_with_a_new_date_supersedes(memory: Memory) -> None:
    tell(
        memory,
        committed("Ada will send the engine drawings to Bob by 4 April", valid_until="2026-04-04"),
        committed("Ada will review PR 418"),
        committed("Ada will review PR 419"),
        record="mail",
        at="2026-04-01",
    )
    later = "Ada will send the engine drawings to Bob by 9 April"
    assert (len(texts_of(memory, "Ada")), answer(memory, "get_conflicts")["count"]) == (3, 0)
    tell(memory, committed(later, valid_until="2026-04-09"), record="mail 2", at="2026-04-02")
    assert texts_of(memory, "Ada") == ["Ada will review PR 418", "Ada will review PR 419", later]


def test_transitions_are_never_stale_and_never_in_conflict(memory: Memory) -> None:
    for number in range(3):
        moved = fact("Ada", "TRANSITIONED/status_change", "Engine", f"Ada moved it to {number}")
        tell(memory, moved, record=f"r{number}", at="2026-04-01")
    assert (len(texts_of(memory, "Ada")), answer(memory, "get_conflicts")["count"]) == (3, 0)


@on_one_engine
@pytest.mark.parametrize(
    ("now", "overdue"),
    [("2026-03-16T23:59:59Z", False), ("2026-03-17T03:59:59Z", False), ("2026-03-17T04:00:00Z", True)],
)
def test_a_deadline_is_over_from_the_first_instant_after_its_day(
    memory: Memory, clock: MovingClock, now: str, overdue: bool
) -> None:
    with memory.write() as change:
        change.put_setting("timezone", "America/New_York")
    tell(memory, committed("Ada will deliver", valid_until="2026-03-16"), record="r", at="2026-03-01")
    clock.set(now)
    [shown] = facts_of(memory, "Ada")
    assert (shown["overdue"], shown["stale"], shown["valid_until"]) == (overdue, False, "2026-03-16")


def test_only_current_items_are_overdue(memory: Memory) -> None:
    items = ("commitment", "promise", "goal", "request", "blocker", "pending_decision")
    kinds = (*items, "decision", "risk")
    for kind in kinds:
        said = fact("Ada", f"ASSERTED/{kind}", "Engine", f"a {kind}", valid_until="2026-04-02")
        tell(memory, said, record=kind, at="2026-04-01")
    retracted = committed("taken back", valid_until="2026-04-02", confidence="retracted")
    tell(memory, retracted, record="retracted", at="2026-04-01")
    tell(
        memory,
        fact("Ada", "TRANSITIONED/goal", "Engine", "moved", valid_until="2026-04-02"),
        record="t",
        at="2026-04-01",
    )
    shown = {each["fact"]: each["overdue"] for each in facts_of(memory, "Ada", include_stale=True)}
    assert {text for text, overdue in shown.items() if overdue} == {f"a {kind}" for kind in items}


def test_at_time_moves_what_is_overdue(memory: Memory) -> None:
    harrow_bridge(memory)
    for at, overdue in (("2026-04-09", False), ("2026-04-10", True), ("2026-04", False), ("2026-05", True)):
        [shown] = facts_of(memory, "Lumen Audit", fact_type="commitment", at_time=at)
        assert (shown["fact"], shown["overdue"]) == (LEDGER, overdue), at


def test_an_ended_or_coming_affiliation_is_not_current_though_not_stale(memory: Memory) -> None:
    tell(memory, employed("Ada was there", valid_from="2024", valid_until="2026-04"), record="r1", at="2024-01-01")
    tell(
        memory,
        fact("Ada", "AFFILIATED/advisor", "Acme", "Ada comes back", valid_from="2026-06-01"),
        record="r2",
        at="2026-01-01",
    )
    assert texts_of(memory, "Ada") == []
    assert states(memory) == {"Ada was there": (False, None), "Ada comes back": (False, None)}
    assert texts_of(memory, "Ada", at_time="2026-04-30") == ["Ada was there"]
    assert texts_of(memory, "Ada", at_time="2026-06-01T00:00:00Z") == ["Ada comes back"]
    assert texts_of(memory, "Ada", at_time="2023") == []


def test_bounds_print_as_they_were_given(memory: Memory) -> None:
    bounds = {"valid_from": "2026-03", "valid_until": "2027-01-02T10:00:00+02:00"}
    tell(memory, employed("Ada is there", **bounds), record="r1", at="2026-04-01")
    [shown] = facts_of(memory, "Ada")
    assert (shown["valid_from"], shown["valid_until"]) == ("2026-03", "2027-01-02T08:00:00Z")


def test_a_fact_that_covers_part_of_the_time_asked_about_is_partial(memory: Memory) -> None:
    tell(memory, employed("Ada was there", valid_from="2024-02", valid_until="2026-04"), record="r1", at="2024-01-01")
    tell(memory, committed("Ada will deliver", valid_until="2026-04-03"), record="r2", at="2026-01-01")
    for at, partial in (("2024", True), ("2025", False), ("2026", True), ("2026-04", False), ("2024-02-01", False)):
        shown = {each["fact"]: each["partial"] for each in facts_of(memory, "Ada", at_time=at)}
        assert shown == {"Ada was there": partial, "Ada will deliver": False}, at


def test_retracted_facts_appear_only_with_the_stale(memory: Memory) -> None:
    tell(memory, employed("Ada writes code"), record="r1", at="2026-04-01")
    tell(memory, employed("Ada leads a team"), record="r2", at="2026-04-02")
    tell(memory, employed("Ada leads a team", confidence="retracted"), record="r3", at="2026-04-03")
    assert texts_of(memory, "Ada") == ["Ada writes code"]
    shown = {each["fact"]: (each["confidence"], each["stale"]) for each in facts_of(memory, "Ada", include_stale=True)}
    assert shown == {"Ada writes code": ("stated", False), "Ada leads a team": ("retracted", False)}


def test_a_declared_successor_replaces_whatever_it_says(memory: Memory) -> None:
    tell(memory, committed("Ada will deliver the drawings"), record="r1", at="2026-04-01")
    new = committed("Bob does it instead", supersedes="Ada will deliver the drawings")
    tell(memory, new, record="r2", at="2026-04-02")
    assert states(memory) == {
        "Ada will deliver the drawings": (True, "Bob does it instead"),
        "Bob does it instead": (False, None),
    }
    [shown] = facts_of(memory, "Ada")
    assert shown["id"] == facts_of(memory, "Ada", include_stale=True)[0]["replaced_by"]


def test_a_world_with_its_own_calendar_is_asked_in_its_own_times(memory: Memory) -> None:
    with memory.write() as change:
        change.put_setting("timeline", "fictional")
    take_line(memory, {"era": {"name": "Third", "start": 1, "end": None}})
    reign = fact(
        "Isil", "AFFILIATED/owner", "Throne", "Isil holds it", valid_from="third.year_10", valid_until="third.year_20"
    )
    tell(memory, reign, record="r", at="2026-04-01")
    assert texts_of(memory, "Isil", at_time="third.year_15") == ["Isil holds it"]
    assert texts_of(memory, "Isil", at_time="third.year_21") == []
    [shown] = facts_of(memory, "Isil", at_time="third")
    assert (shown["partial"], shown["valid_until"]) == (True, "third.year_20")
