"""Values that end twice, come back, or replace what is over already."""

from typing import Any

import pytest
from tests.ingest.notes.remembering import claims, tell
from tests.surfaces.recollect.test_changing import Agent
from tests.surfaces.recollect.test_recall_of_past import given
from tests.write.test_undo import state, take_back

from recollect.memory import Memory


@pytest.fixture
def agent(memory: Memory) -> Agent:
    return Agent(memory)


def states(agent: Agent, name: str, **arguments: Any) -> list[tuple[str, str, str | None, str | None]]:
    found = agent.do("recall", query=name, about=name, kinds=["facts"], **arguments)["results"]
    return sorted((each["text"], each["state"], each.get("since"), each.get("until")) for each in found)


@pytest.mark.parametrize(
    ("told", "denied", "expected"),
    [
        (
            "Tim worked at Arko from 2015 until 2020.",
            "Tim no longer works at Arko.",
            ("Tim works at Arko", "ended", "2015", "2020"),
        ),
        (
            "Tim owned a kayak until 2024.",
            "Tim no longer owns a kayak.",
            ("Tim owns a kayak", "ended", None, "2024"),
        ),
    ],
)
def test_what_has_ended_ends_no_second_time(
    agent: Agent, told: str, denied: str, expected: tuple[str, str, str | None, str | None]
) -> None:
    agent.do("remember", text=told, source_at="2026-01-05")
    before = state(agent.memory)
    done = agent.do("remember", text=denied, source_at="2026-03-05")
    assert (done["facts"][0]["outcome"], done["not_understood"]) == ("confirmed", [])
    assert states(agent, "Tim") == [expected]
    take_back(agent.memory, done["undo"])
    assert state(agent.memory) == before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I switched from Trados back to memoQ.", ["uses Trados", "uses memoQ"]),
        ("I switched back from Trados to memoQ again.", ["uses Trados", "uses memoQ"]),
        ("My rent is 900 again.", ["rent 900"]),
        ("My rent is back down to 900.", ["rent 900"]),
        ("My boss is Ines again.", ["reports_to Ines"]),
        ("I use Zulip for work and Signal for friends.", ["uses Zulip", "uses Signal"]),
    ],
)
def test_back_and_again_are_no_part_of_a_value(memory: Memory, text: str, expected: list[str]) -> None:
    told = tell(memory, text)
    assert [f"{predicate} {value}" for _, predicate, value, _ in claims(memory, told)] == expected
    assert told.not_understood == ()


def test_what_holds_again_replaces_what_held_between(agent: Agent) -> None:
    for text, day in (("My boss is Ines.", "01"), ("My boss is now Karim.", "02"), ("My boss is Ines again.", "03")):
        agent.do("remember", text=text, source_at=f"2026-{day}-05")
    current = [text for text, state_, *_ in states(agent, "me") if state_ == "current"]
    assert current == ["I report to Ines"]


OLA = ("Ola lives in Oslo.", "Ola moved to Bergen on 1 March 2026.", "Ola moved back to Oslo on 15 March 2026.")
BACK_IN_OSLO = [
    ("Ola lives in Bergen", "ended", "2026-03-01", "2026-03-14"),
    ("Ola lives in Oslo", "current", "2026-03-15", None),
]


def test_moving_back_is_current_though_all_was_told_on_one_day(agent: Agent) -> None:
    for text in OLA[:2]:
        agent.do("remember", text=text, source_at="2026-03-20")
    before = state(agent.memory)
    done = agent.do("remember", text=OLA[2], source_at="2026-03-20")
    assert states(agent, "Ola") == BACK_IN_OSLO
    take_back(agent.memory, done["undo"])
    assert state(agent.memory) == before


def test_moving_back_is_current_though_all_was_told_in_one_text(agent: Agent) -> None:
    agent.do("remember", text=" ".join(OLA), source_at="2026-03-20")
    assert states(agent, "Ola") == BACK_IN_OSLO


def budget(agent: Agent, value: int, at: str, **more: Any) -> dict[str, Any]:
    return given(agent, "Kitchen", "budget", value, at, **more)


def test_replacing_a_value_that_is_over_replaces_the_one_that_holds(agent: Agent) -> None:
    first = budget(agent, 20_000, "2026-02-01")
    budget(agent, 23_000, "2026-03-01")
    latest = budget(agent, 25_000, "2026-05-10", replaces=first["id"])
    assert [each["text"] for each in latest["replaced"]] == ["Kitchen's budget is 23000"]
    assert states(agent, "Kitchen") == [
        ("Kitchen's budget is 20000", "ended", None, "2026-02-28"),
        ("Kitchen's budget is 23000", "ended", "2026-03-01", "2026-05-09"),
        ("Kitchen's budget is 25000", "current", "2026-05-10", None),
    ]


def test_a_fact_about_something_else_is_not_replaced(agent: Agent) -> None:
    kitchen = budget(agent, 20_000, "2026-02-01")
    for other in ({"subject": "Bath", "predicate": "budget"}, {"subject": "Kitchen", "predicate": "size"}):
        fact = {**other, "value": 9_000}
        error = agent.fail("remember", "invalid_input", facts=[{**fact, "replaces": kitchen["id"]}])
        assert error["field"] == "facts[0].replaces"
        assert error["example"] == {"facts": [fact]}


def test_a_second_date_of_birth_is_a_conflict(agent: Agent) -> None:
    agent.do("remember", text="Kim was born on 3 May 1990.", source_at="2026-01-05")
    [second] = agent.do("remember", text="Kim was born on 4 May 1991.", source_at="2026-02-05")["facts"]
    assert second["outcome"] == "conflicts"
    assert [each[1:] for each in states(agent, "Kim")] == [("disputed", None, None), ("disputed", None, None)]
    assert [each["kind"] for each in agent.do("review")["items"]] == ["conflict"]


def test_a_date_of_birth_may_become_more_exact(agent: Agent) -> None:
    given(agent, "Kim", "birthday", "3 May", "2026-01-05")
    assert given(agent, "Kim", "birthday", "3 May 1990", "2026-02-05")["outcome"] == "replaced"
    assert states(agent, "Kim") == [
        ("Kim's birthday is 3 May", "stale", None, None),
        ("Kim's birthday is 3 May 1990", "current", None, None),
    ]
