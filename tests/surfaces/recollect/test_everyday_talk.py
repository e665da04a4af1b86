"""What people say from day to day: asking somebody who has no name here, reaching a goal, taking back, a new value."""

from typing import Any

import pytest

from recollect.memory import Memory
from tests.conftest import MovingClock
from tests.surfaces.recollect.test_changing import Agent
from tests.surfaces.recollect.test_denied_values import states, told


def items(memory: Memory, **more: Any) -> dict[str, str]:
    found = Agent(memory).do("open_items", include_closed=True, **more)["items"]
    return {item["text"]: item["state"] for item in found}


@pytest.mark.parametrize(
    ("asked", "done"),
    [
        ("I asked the landlord to repair the heating by Friday.", "The landlord repaired the heating."),
        ("We asked our tax advisor to file the return.", "Our tax advisor filed the return."),
    ],
)
def test_what_somebody_unnamed_was_asked_to_do_is_a_request_until_it_is_done(
    memory: Memory, clock: MovingClock, asked: str, done: str
) -> None:
    told(memory, clock, asked)
    assert items(memory, kinds=["request"]) == {f"Me: {asked}": "open"}
    told(memory, clock, asked, done)
    assert set(items(memory, kinds=["request"]).values()) == {"done"}


def test_asking_about_something_is_no_request(memory: Memory, clock: MovingClock) -> None:
    told(
        memory, clock, "I asked the doctor about the rash.", "I asked the neighbour whether he would water the plants."
    )
    assert items(memory) == {}


@pytest.mark.parametrize(
    ("goal", "reached"),
    [
        ("Our goal is to open a second shop by 2027.", "We have opened a second shop."),
        ("My goal is to run a marathon this year.", "I ran a marathon."),
    ],
)
def test_a_goal_is_done_once_its_owner_has_reached_it(
    memory: Memory, clock: MovingClock, goal: str, reached: str
) -> None:
    told(memory, clock, goal, reached)
    assert items(memory) == {f"Me: {goal}": "done"}
    Agent(memory).do("undo")
    assert items(memory) == {f"Me: {goal}": "open"}


@pytest.mark.parametrize(
    "told_later", ["Ben opened a second shop.", "We have opened a bakery.", "We may open a second shop."]
)
def test_a_goal_stays_open_where_others_or_other_things_are_told_of(
    memory: Memory, clock: MovingClock, told_later: str
) -> None:
    told(memory, clock, "Our goal is to open a second shop by 2027.", told_later)
    assert set(items(memory).values()) == {"open"}


def test_the_goal_of_somebody_else_is_not_the_owners(memory: Memory, clock: MovingClock) -> None:
    assert told(memory, clock, "Ben's goal is to learn Spanish.")["facts"] == []
    assert len(told(memory, clock, "This year's goal is to learn Greek.")["facts"]) == 1


@pytest.mark.parametrize(
    ("before", "now", "old", "new"),
    [
        (
            "The pediatrician's phone number is 555-0142.",
            "The pediatrician's phone number changed to 555-0199.",
            "My pediatrician phone number is 555-0142",
            "My pediatrician phone number is 555-0199",
        ),
        (
            "My dog's weight is 10 kg.",
            "My dog's weight went up to 12 kg.",
            "My dog weight is 10 kg",
            "My dog weight is 12 kg",
        ),
    ],
)
def test_a_new_value_of_a_thing_without_a_name_replaces_the_old_one(
    memory: Memory, clock: MovingClock, before: str, now: str, old: str, new: str
) -> None:
    result = told(memory, clock, before, now)
    [fact] = result["facts"]
    assert (fact["text"], fact["outcome"], fact["replaced"][0]["text"]) == (new, "replaced", old)


def test_a_letter_as_a_value_is_no_article(memory: Memory, clock: MovingClock) -> None:
    [fact] = told(memory, clock, "Dad's blood type is A positive.")["facts"]
    assert fact["text"] == "Dad's blood type is A positive"
    assert told(memory, clock, "Dad's blood type is a mystery.")["facts"] == []


def test_a_pronoun_behind_what_has_ended_means_the_same_person(memory: Memory, clock: MovingClock) -> None:
    told(memory, clock, "Nina doesn't like rye bread anymore; she prefers spelt bread.")
    assert states(memory, "Nina") == {"Nina likes rye bread": "ended", "Nina prefers spelt bread": "current"}


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("Pia joined Foam in 2019, left in 2023.", "Pia works at Foam"),
        ("Pia joined Foam in 2019 and left in 2023.", "Pia works at Foam"),
        ("I worked at Foam from 2019, then left in 2023.", "I work at Foam"),
    ],
)
def test_who_joined_and_left_has_both_bounds_and_nothing_is_left_unread(
    memory: Memory, clock: MovingClock, sentence: str, text: str
) -> None:
    result = told(memory, clock, sentence)
    assert [(each["text"], each["since"], each["until"]) for each in result["facts"]] == [(text, "2019", "2023")]
    assert result["not_understood"] == []


@pytest.mark.parametrize(
    "now",
    [
        "Bea quit.",
        "Bea called. She quit.",
        "I had lunch with Bea; she resigned.",
        "Bea was laid off.",
        "Bea has retired.",
    ],
)
def test_who_quit_works_there_no_longer(memory: Memory, clock: MovingClock, now: str) -> None:
    told(memory, clock, "Bea works at Tide.", now)
    assert states(memory, "Bea")["Bea works at Tide"] == "ended"


@pytest.mark.parametrize(
    "now", ["Bea called Ana. She quit.", "She quit.", "Bea said she quit.", "Bea may quit.", "Bea left.", "Ana quit."]
)
def test_who_is_not_known_to_have_quit_still_works_there(memory: Memory, clock: MovingClock, now: str) -> None:
    told(memory, clock, "Bea works at Tide.", now)
    assert states(memory, "Bea")["Bea works at Tide"] == "current"


@pytest.mark.parametrize(
    ("now", "both"),
    [
        ("We use Figma for mockups now.", {"I use Yarn": "current", "I use Figma": "current"}),
        ("We use Jenkins for CI now.", {"I use Yarn": "current", "I use Jenkins": "current"}),
        ("We use pnpm now.", {"I use Yarn": "ended", "I use pnpm": "current"}),
    ],
)
def test_what_is_used_for_something_else_replaces_nothing(
    memory: Memory, clock: MovingClock, now: str, both: dict[str, str]
) -> None:
    told(memory, clock, "We use Yarn.", now)
    assert {text: state for text, state in states(memory, "me").items() if text in both} == both


def test_what_a_project_uses_now_is_replaced(memory: Memory, clock: MovingClock) -> None:
    told(memory, clock, "We use npm for shop-web.", "We use bun for shop-web now.")
    assert states(memory, "shop-web") == {"shop-web uses npm": "ended", "shop-web uses bun": "current"}


@pytest.mark.parametrize(
    ("before", "now", "answer"),
    [
        ("My rent is 900.", "My rent is now 950.", "My rent is 950"),
        ("My bank is Nordea.", "Actually, my bank is Danske now.", "My bank is Danske"),
    ],
)
def test_a_note_that_only_says_now_beside_its_fact_is_left_out(
    memory: Memory, clock: MovingClock, before: str, now: str, answer: str
) -> None:
    told(memory, clock, before, now)
    found = Agent(memory).do("recall", query=answer.replace("is", "was"))["results"]
    assert [each["text"] for each in found if each.get("state") in (None, "current")] == [answer]


@pytest.mark.parametrize(
    ("text", "owner", "due"),
    [
        ("Next week Tim will send the files.", "Tim", "2026-05-31"),
        ("On Monday, Tim will send the files.", "Tim", "2026-05-25"),
        ("By Friday, I'll send Eva the plan.", "me", "2026-05-22"),
    ],
)
def test_a_promise_behind_its_time_is_that_of_whom_it_names(memory: Memory, text: str, owner: str, due: str) -> None:
    agent = Agent(memory)
    agent.do("remember", text=text)
    [item] = agent.do("open_items", owner=owner)["items"]
    assert item["due"] == due


@pytest.mark.parametrize(
    ("promised", "done", "count"),
    [
        ("Tim and Zoe will clean the garage by Saturday.", "Tim and Zoe have cleaned the garage.", 2),
        ("Tim will wash the car. Zoe will wash the car.", "Zoe and Tim washed the car.", 2),
    ],
)
def test_what_several_people_report_together_closes_what_each_promised(
    memory: Memory, clock: MovingClock, promised: str, done: str, count: int
) -> None:
    told(memory, clock, promised)
    assert list(items(memory).values()) == ["open"] * count
    told(memory, clock, promised, done)
    assert list(items(memory).values()) == ["done"] * count


@pytest.mark.parametrize("report", ["Tim and Bo washed the van.", "Tim and Zoe almost washed the car."])
def test_what_several_people_did_not_promise_closes_nothing(memory: Memory, clock: MovingClock, report: str) -> None:
    told(memory, clock, "Tim will wash the car. Zoe will wash the car.", report)
    assert set(items(memory, kinds=["commitment"]).values()) == {"open"}


@pytest.mark.parametrize(
    ("blocked", "free"),
    [
        ("Kestrel is blocked by the audit.", "Kestrel is unblocked."),
        ("Kestrel is blocked by the audit.", "Kestrel is no longer blocked."),
        ("We are blocked by the missing visa.", "We're no longer blocked by the visa."),
        (
            "The Delta migration is blocked by the missing rule.",
            "The Delta migration isn't blocked by the rule anymore.",
        ),
        ("I'm blocked by the audit.", "I’m not blocked any more."),
    ],
)
def test_what_is_no_longer_blocked_has_no_blocker(memory: Memory, clock: MovingClock, blocked: str, free: str) -> None:
    told(memory, clock, blocked, free)
    assert set(items(memory).values()) == {"done"}


@pytest.mark.parametrize(
    "said",
    [
        "If Kestrel is unblocked, we ship.",
        "Is Kestrel no longer blocked?",
        "Kestrel is not blocked by the permit anymore.",
        "Heron is unblocked.",
        "Ola says Kestrel is unblocked.",
    ],
)
def test_a_blocker_that_is_not_meant_stays_open(memory: Memory, clock: MovingClock, said: str) -> None:
    told(memory, clock, "Kestrel is blocked by the audit.", said)
    assert items(memory, kinds=["blocker"]) == {"Kestrel is blocked by the audit.": "open"}
