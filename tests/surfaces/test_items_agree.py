"""Open, overdue and closed on every view, whatever is told through which surface and in which order it arrives."""

from collections.abc import Set
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.change_listeners import standard_listeners
from recollect.memory import Memory, open_memory
from recollect.when.clock import clock_from
from tests.conftest import BY_RULES, START, MovingClock
from tests.support.calls import ask
from tests.support.facts import take_line
from tests.support.properties import examples
from tests.surfaces.test_open_items import tell

ODILE, AUDIT = "Odile Ferrant", {"type": "project", "name": "Lumen Audit"}
BLOCKERS = ("building permit", "missing certificate")
PROMISES = ("deliver the ledger", "print the brochure")
DAYS = tuple(f"2026-05-{day:02}T09:00:00Z" for day in (4, 8, 12, 16))
Step = tuple[str, int, int]

DEEDS = (
    "block", "block by record", "block by mail", "resolve", "resolve by record", "cancel block", "promise",
    "promise by mail", "complete", "complete by mail", "cancel", "move", "undo",
)  # fmt: skip
steps = st.lists(
    st.tuples(
        st.sampled_from(DEEDS),
        st.integers(0, 1),
        st.integers(0, len(DAYS) - 1),
    ),
    min_size=1,
    max_size=7,
)


def remember(memory: Memory, at: str, subject: Any, predicate: str, value: str, **more: Any) -> None:
    fact = {"subject": subject, "predicate": predicate, "value": value, **more}
    ask(memory, "recollect", "remember", facts=[fact], source_at=at)


def take(memory: Memory, step: Step) -> None:
    what, number, day = step
    blocker, promise, at = BLOCKERS[number], PROMISES[number], DAYS[day]
    reported = {"subject": AUDIT, "object": {"literal": blocker}}
    promised = f"{ODILE} will {promise}"
    match what:
        case "block":
            remember(memory, at, AUDIT, "blocked_by", blocker, valid_until=DAYS[-1 - day][:10])
        case "block by record":
            ask(memory, "cognitive-graph", "record_fact", predicate="blocked_by", **reported)
        case "block by mail":
            tell(memory, at, ODILE, "ASSERTED/blocker", "Lumen Audit", f"Lumen Audit is blocked by the {blocker}")
        case "resolve":
            remember(memory, at, AUDIT, "resolution", blocker)
        case "resolve by record":
            ask(memory, "cognitive-graph", "record_fact", predicate="resolved_by", **reported)
        case "cancel block":
            remember(memory, at, AUDIT, "cancellation", blocker)
        case "promise" | "move":
            remember(memory, at, ODILE, "commitment", promise, valid_until="2026-05-18" if what == "promise" else at)
        case "promise by mail":
            tell(memory, at, ODILE, "ASSERTED/commitment", "Lumen Audit", promised, valid_until="2026-05-30")
        case "complete" | "cancel":
            remember(memory, at, ODILE, "completion" if what == "complete" else "cancellation", promise)
        case "complete by mail":
            tell(memory, at, ODILE, "TRANSITIONED/completion", "Lumen Audit", f"{ODILE} did {promise}")
        case _:
            ask(memory, "recollect", "undo")


def pearscarf(memory: Memory, entity: str, kind: str) -> dict[str, bool]:
    found = ask(memory, "pearscarf", "get_facts", entity=entity, fact_type=kind, limit=100)["facts"]
    return {each["id"]: each["overdue"] for each in found}


def assert_views_agree(memory: Memory) -> None:
    items = ask(memory, "recollect", "open_items", limit=100)["items"]
    listed = {each["id"]: each["state"] == "overdue" for each in items}
    seen: dict[str, bool] = {}
    for entity in (ODILE, AUDIT["name"]):
        for kind in ("blocker", "commitment"):
            seen |= pearscarf(memory, entity, kind)
    assert {each: seen.get(each) for each in listed} == listed
    told = [thing_in(each["fact"]) for each in blockers(memory, AUDIT["name"])]
    assert len(told) == len(set(told))
    assert_other_spellings(memory, seen.keys() - listed.keys(), seen, items)
    every = ask(memory, "recollect", "open_items", include_closed=True, limit=100)
    assert sum(every["counts"].values()) == len(every["items"])
    rolled = ask(memory, "cognitive-graph", "weekly_rollup")["blockers"]
    assert {each["id"] for each in rolled} <= seen.keys()
    blocking = [thing_in(each["text"]) for each in items if each["kind"] == "blocker"]
    assert sorted(thing_in(str(each["object"])) for each in rolled) == sorted(blocking)


def assert_other_spellings(memory: Memory, others: Set[str], overdue: dict[str, bool], items: list[Any]) -> None:
    """What is listed once although it was told twice is the blocker of another item, and not late by itself."""
    told = {each["id"]: each["fact"] for each in blockers(memory, ODILE) if each["id"] in others}
    assert told.keys() == others
    for other, text in told.items():
        [same] = [each for each in items if each["kind"] == "blocker" and thing_in(each["text"]) == thing_in(text)]
        assert not overdue[other] or same["state"] == "overdue"


def blockers(memory: Memory, entity: str) -> list[Any]:
    asked: dict[str, Any] = {"entity": entity, "fact_type": "blocker", "limit": 100}
    return list(ask(memory, "pearscarf", "get_facts", **asked)["facts"])


def thing_in(text: str) -> str:
    return next(each for each in BLOCKERS if each in text)


@settings(max_examples=examples(25))
@given(steps)
@example([("block by mail", 0, 0), ("block", 0, 0)])
@example([("promise", 1, 3), ("block by mail", 1, 2), ("block by record", 1, 0)])
def test_all_views_agree_on_what_is_open(taken: list[Step]) -> None:
    clock = MovingClock(clock_from(START).now())
    with TemporaryDirectory() as folder:
        memory = open_memory(
            str(Path(folder) / "memory.db"), settings=BY_RULES, clock=clock, followers=standard_listeners()
        )
        try:
            people = [{"name": ODILE, "type": "Person"}, {"name": AUDIT["name"], "type": "Project"}]
            take_line(memory, {"entities": people})
            for minute, step in enumerate(taken):
                clock.set(f"2026-05-20T10:{minute + 1:02}:00Z")
                try:
                    take(memory, step)
                except AssertionError:
                    assert step[0] == "undo" or "mail" in step[0]  # nothing left to undo; the same mail twice
                assert_views_agree(memory)
        finally:
            memory.close()
