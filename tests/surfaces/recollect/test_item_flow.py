"""Items from `remember` to `open_items`: told, closed by id, by words or by correction, undone, and agreed on."""

from collections.abc import Sequence
from typing import Any

import pytest

from recollect.memory import Memory
from recollect.store.fact_index import index_all_facts
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.text_models.closure import ClosurePair, ClosureReading
from tests.conftest import MovingClock
from tests.support.calls import asking

Json = dict[str, Any]

ask = asking("recollect")


def remember(memory: Memory, *facts: Json, **more: Any) -> Json:
    return ask(memory, "remember", facts=list(facts), **more)


def commit(memory: Memory, value: str = "send the ledger", **more: Any) -> Json:
    fact = {"subject": "Odile Ferrant", "predicate": "commitment", "value": value, "object": "Lumen Audit", **more}
    [told] = remember(memory, fact, source_at="2026-05-01")["facts"]
    return dict(told)


def states(memory: Memory) -> dict[str, str]:
    found = ask(memory, "open_items", include_closed=True)
    assert sum(found["counts"].values()) == len(found["items"])
    return {item["id"]: item["state"] for item in found["items"]}


def on_pearscarf(memory: Memory, **more: Any) -> dict[str, bool]:
    """The commitments that pearscarf lists, and whether each is overdue."""
    found = ask(memory, "get_facts", "pearscarf", entity="Odile Ferrant", fact_type="commitment", **more)
    return {fact["id"]: fact["overdue"] for fact in found["facts"]}


def assert_closed(memory: Memory, item: Json, state: str) -> None:
    assert states(memory) == {item["id"]: state}
    assert on_pearscarf(memory) == {}
    assert on_pearscarf(memory, include_stale=True) == {item["id"]: False}


def assert_open(memory: Memory, item: Json, state: str = "open") -> None:
    assert states(memory) == {item["id"]: state}
    assert on_pearscarf(memory) == {item["id"]: state == "overdue"}


def test_an_item_told_is_open_and_overdue_after_its_day(memory: Memory) -> None:
    item = commit(memory, valid_until="2026-05-10")
    assert_open(memory, item, "overdue")
    [listed] = ask(memory, "open_items", owner="Odile Ferrant", about="Lumen Audit")["items"]
    assert (listed["kind"], listed["owner"], listed["about"], listed["due"]) == (
        "commitment",
        "Odile Ferrant",
        "Lumen Audit",
        "2026-05-10",
    )


@pytest.mark.parametrize(
    ("predicate", "state"), [("completion", "done"), ("resolution", "done"), ("cancellation", "cancelled")]
)
def test_remember_with_replaces_closes_the_item(memory: Memory, predicate: str, state: str) -> None:
    item = commit(memory)
    told = remember(memory, {"subject": "me", "predicate": predicate, "replaces": item["id"]})
    assert [each["id"] for each in told["closed"]] == [item["id"]]
    assert_closed(memory, item, state)
    ask(memory, "undo", transaction=told["undo"])
    assert_open(memory, item)


@pytest.mark.parametrize(("value", "state"), [("cancelled", "cancelled"), (None, "done")])
def test_correcting_an_item_as_ended_closes_it(memory: Memory, value: str | None, state: str) -> None:
    item = commit(memory)
    given = {} if value is None else {"value": value}
    corrected = ask(memory, "correct", fact=item["id"], mode="ended", **given)
    assert_closed(memory, item, state)
    ask(memory, "undo", transaction=corrected["undo"])
    assert_open(memory, item)


def test_a_sentence_closes_the_item_by_its_words(memory: Memory) -> None:
    item = commit(memory)
    told = ask(memory, "remember", text="Odile Ferrant has sent the ledger.")
    assert [each["id"] for each in told["closed"]] == [item["id"]]
    assert_closed(memory, item, "done")


def test_repeating_the_item_later_reopens_it(memory: Memory) -> None:
    item = commit(memory)
    remember(memory, {"subject": "me", "predicate": "completion", "replaces": item["id"]}, source_at="2026-05-05")
    again = {"subject": "Odile Ferrant", "predicate": "commitment", "value": "send the ledger", "object": "Lumen Audit"}
    remember(memory, again, source_at="2026-05-15")
    assert_open(memory, item)


def test_at_equal_source_time_the_later_transaction_decides(memory: Memory) -> None:
    item = commit(memory)
    done = {"subject": "me", "predicate": "completion", "replaces": item["id"]}
    remember(memory, done, source_at="2026-05-01")
    assert_closed(memory, item, "done")
    again = commit(memory)
    assert (again["id"], again["outcome"], again["state"]) == (item["id"], "confirmed", "open")
    assert_open(memory, item)
    remember(memory, done, source_at="2026-05-01")
    assert_closed(memory, item, "done")


def test_an_owner_of_whom_nothing_was_told_has_no_items(memory: Memory) -> None:
    commit(memory)
    assert ask(memory, "open_items", owner="me")["items"] == ask(memory, "open_items", about="me")["items"] == []


def test_the_owner_s_items_are_found_under_me(memory: Memory) -> None:
    fact = {"subject": "me", "predicate": "goal", "value": "run a marathon"}
    remember(memory, fact)
    [listed] = ask(memory, "open_items", owner="me")["items"]
    assert listed["kind"] == "goal"


def test_a_request_belongs_to_the_person_asked(memory: Memory) -> None:
    person = {"name": "Teo Quist", "type": "person"}
    remember(memory, {"subject": "me", "predicate": "request", "object": person, "value": "call the bank"})
    [listed] = ask(memory, "open_items", owner="Teo Quist")["items"]
    assert (listed["kind"], listed["owner"]) == ("request", "Teo Quist")


def test_a_closed_blocker_leaves_every_surface(memory: Memory) -> None:
    blocker = {"subject": {"name": "Copper Kettle", "type": "project"}, "predicate": "blocked_by", "value": "no permit"}
    [item] = remember(memory, blocker, source_at="2026-05-01")["facts"]
    assert len(ask(memory, "weekly_rollup", "cognitive-graph")["blockers"]) == 1
    remember(memory, {"subject": "Copper Kettle", "predicate": "resolution", "replaces": item["id"]})
    assert ask(memory, "weekly_rollup", "cognitive-graph")["blockers"] == []
    assert ask(memory, "get_facts", "pearscarf", entity="Copper Kettle", fact_type="blocker")["facts"] == []
    recalled = ask(memory, "recall_entity", "cognitive-graph", name_or_alias="Copper Kettle")
    assert [each["predicate"] for each in recalled["facts"]] == []
    assert states(memory) == {item["id"]: "done"}


def test_a_decision_closes_a_pending_decision(memory: Memory) -> None:
    pending = {"subject": "me", "predicate": "pending_decision", "value": "which supplier to take"}
    [item] = remember(memory, pending, source_at="2026-05-01")["facts"]
    told = remember(memory, {"subject": "me", "predicate": "decision", "value": "Alpha", "replaces": item["id"]})
    assert states(memory) == {item["id"]: "done"}
    ask(memory, "undo", transaction=told["undo"])
    assert states(memory) == {item["id"]: "open"}


def test_a_goal_is_not_closed_by_a_decision_but_by_its_cancellation(memory: Memory) -> None:
    [goal] = remember(memory, {"subject": "Bea", "predicate": "goal", "value": "run daily"})["facts"]
    decision = {"subject": "Bea", "predicate": "decision", "value": "stop running"}
    tool = find_surface("recollect").find("remember")
    given = {"facts": [{**decision, "replaces": goal["id"]}], "source": "chat"}
    refused = call(tool, lambda each: memory.as_actor("recollect", each.name), given)
    error = refused.structured["error"]
    assert (refused.is_error, error["code"], error["field"]) == (True, "invalid_input", "facts[0].replaces")
    assert error["example"] == {"facts": [decision], "source": "chat"}
    assert [each["outcome"] for each in ask(memory, "remember", **error["example"])["facts"]] == ["recorded"]
    assert states(memory) == {goal["id"]: "open"}
    remember(memory, {"subject": "Bea", "predicate": "cancellation", "replaces": goal["id"]})
    assert states(memory) == {goal["id"]: "cancelled"}


class SureMatcher:
    """Takes every text for the end of every item."""

    model = "sure"

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        return [ClosureReading("done", 0.99, True, self.model, True) for _ in pairs]


def test_words_that_only_the_matcher_knows_close_an_item_until_undo(
    memory: Memory, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: SureMatcher())

    item = ask(memory, "remember", text="I will send the slides to Ingrid by Friday.")["facts"][0]["id"]
    clock.set("2026-05-21T12:00:00Z")
    told = ask(memory, "remember", text="Slides are with Ingrid now.")
    assert ([each["id"] for each in told["closed"]], told["not_understood"]) == ([item], [])
    [report] = told["facts"]
    [listed] = ask(memory, "open_items", include_closed=True)["items"]
    assert (listed["state"], listed["closed_by"]["id"]) == ("done", report["id"])
    ask(memory, "undo", transaction=told["undo"])
    assert [(each["id"], each["state"]) for each in ask(memory, "open_items")["items"]] == [(item, "open")]
    of_another = ask(memory, "remember", text="Ingrid: the slides are here.")
    assert "closed" not in of_another


def test_a_report_that_closes_one_item_by_its_words_still_does_when_the_matcher_closes_another(
    memory: Memory, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: SureMatcher())
    ask(memory, "remember", text="I have to hand in the ethics form by Friday. I will read chapter 4 tomorrow.")
    clock.set("2026-05-21T12:00:00Z")
    ask(memory, "remember", text="I handed in the ethics form and read chapter 4.")
    assert set(states(memory).values()) == {"done"}


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("Carla asked me to write the changelog before the release.", "Released 2.4.0 this morning!"),
        ("We can't release until the privacy page is signed.", "The release is planned for Friday at 14:00."),
        ("Tell Ana to update the style guide.", "Ana is leaving us at the end of the year."),
    ],
)
def test_the_matcher_closes_nothing_by_a_name_a_plan_or_what_a_task_is_due_before(
    memory: Memory, clock: MovingClock, monkeypatch: pytest.MonkeyPatch, item: str, said: str
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: SureMatcher())
    ask(
        memory, "remember", facts=[{"subject": {"name": "Ana", "type": "person"}, "predicate": "likes", "value": "tea"}]
    )
    ask(memory, "remember", text=item)
    clock.set("2026-05-21T12:00:00Z")
    assert "closed" not in ask(memory, "remember", text=said)


RENT = "I will book the dentist and pay the rent."
PAPERS = "I will send the contract, the invoice and the plan."
TO_BOTH = "I'll send the report to Ben and Anna."


@pytest.mark.parametrize(
    ("item", "said", "state"),
    [
        (RENT, "I paid the rent.", "open"),
        (RENT, "I booked the dentist and paid the rent.", "done"),
        (PAPERS, "I have sent the invoice.", "open"),
        (PAPERS, "I have sent the contract, the invoice and the plan.", "done"),
        (TO_BOTH, "I sent the report to Ben.", "open"),
        (TO_BOTH, "I sent the report.", "done"),
        ("I'll review chapters 1 and 2.", "I have reviewed chapter 1.", "open"),
        ("I will call Ben and pay the rent.", "I have paid the rent.", "open"),
        ("I will write the research and development plan.", "I have written the plan.", "done"),
        ("I will go and buy milk.", "I bought milk.", "done"),
        ("I will pay the rent on Monday and Tuesday.", "I paid the rent.", "done"),
    ],
)
def test_a_report_on_one_of_the_things_of_an_item_closes_nothing(
    memory: Memory, clock: MovingClock, item: str, said: str, state: str
) -> None:
    ask(memory, "remember", text=item)
    clock.set("2026-05-21T12:00:00Z")
    ask(memory, "remember", text=said)
    assert list(states(memory).values()) == [state]


def test_a_given_report_on_one_of_the_things_of_an_item_closes_nothing(memory: Memory) -> None:
    item = commit(memory, "send the ledger and the receipts")["id"]
    report = {"subject": "Odile Ferrant", "predicate": "completion"}
    remember(memory, {**report, "value": "sent the receipts"})
    assert states(memory) == {item: "open"}
    remember(memory, {**report, "value": "sent the ledger and the receipts"})
    assert states(memory) == {item: "done"}


def test_the_matcher_closes_nothing_by_a_report_on_one_of_the_things_of_an_item(
    memory: Memory, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: SureMatcher())
    ask(memory, "remember", text=RENT)
    clock.set("2026-05-21T12:00:00Z")
    ask(memory, "remember", text="The rent is off my desk.")
    assert list(states(memory).values()) == ["open"]


def test_what_was_missing_and_is_resolved_blocks_no_more(memory: Memory, clock: MovingClock) -> None:
    heron = {"subject": {"name": "Heron", "type": "project"}}
    item = remember(memory, {**heron, "predicate": "blocker", "value": "missing licence"})["facts"][0]["id"]
    clock.set("2026-05-21T12:00:00Z")
    ask(memory, "remember", text="Heron's missing licence is resolved.")
    assert states(memory) == {item: "done"}


@pytest.mark.every_case
def test_a_promise_to_somebody_is_among_the_items_of_that_person(memory: Memory) -> None:
    ask(memory, "remember", text="I'll send Lena the photos by Friday.", source_at="2026-05-18")
    ask(memory, "remember", text="I'll water the plants in Lenas office by Friday.", source_at="2026-05-18")
    ask(memory, "remember", text="Lena lives in Porto.", source_at="2026-05-19")
    [item] = ask(memory, "open_items", about="Lena")["items"]
    assert "the photos" in item["text"]
    ask(memory, "remember", text="I sent Lena the photos.")
    assert ask(memory, "open_items", about="Lena")["counts"]["done"] == 1


def test_a_completion_that_replaces_no_item_is_refused(memory: Memory) -> None:
    [lives] = remember(memory, {"subject": "Lena", "predicate": "lives_in", "object": "Porto"})["facts"]
    done = {"subject": "Lena", "predicate": "completion", "replaces": lives["id"]}
    tool = find_surface("recollect").find("remember")
    refused = call(tool, lambda each: memory.as_actor("recollect", each.name), {"facts": [done]})
    assert refused.is_error
    error = refused.structured["error"]
    assert (error["code"], error["field"]) == ("invalid_input", "facts[0].replaces")
    assert "lives_in" in error["message"]


@pytest.mark.parametrize("closing", ["missing home-care licence", "Missing home care licence"])
def test_a_resolution_on_another_surface_closes_every_spelling_of_a_blocker(
    memory: Memory, clock: MovingClock, closing: str
) -> None:
    kite = {"name": "Kite", "type": "project"}
    remember(memory, {"subject": kite, "predicate": "blocked_by", "value": "missing home-care licence"})
    remember(memory, {"subject": kite, "predicate": "blocker", "value": "Missing home care licence"})
    remember(memory, {"subject": kite, "predicate": "blocked_by", "value": "open budget"})
    assert len(ask(memory, "open_items")["items"]) == 2
    clock.set("2026-06-01T10:00:00Z")
    about = {"subject": kite, "predicate": "resolved_by", "object": {"literal": closing}, "source": "chat"}
    ask(memory, "record_fact", "cognitive-graph", **about)
    assert [each["text"] for each in ask(memory, "open_items")["items"]] == ["Kite is blocked by open budget"]
    listed = ask(memory, "get_facts", "pearscarf", entity="Kite", fact_type="blocker")["facts"]
    assert [each["fact"] for each in listed] == ["Kite blocked by open budget"]
    rolled = ask(memory, "weekly_rollup", "cognitive-graph", project="Kite")["blockers"]
    assert [each["object"]["literal"] for each in rolled] == ["open budget"]


@pytest.mark.parametrize("is_corrected", [False, True])
def test_closing_one_spelling_of_an_item_by_its_id_closes_the_others(
    memory: Memory, clock: MovingClock, *, is_corrected: bool
) -> None:
    kite = {"name": "Kite", "type": "project"}
    first = {"subject": kite, "predicate": "blocked_by", "value": "missing home-care licence"}
    remember(memory, first)
    remember(memory, {"subject": kite, "predicate": "blocker", "value": "Missing home care licence"})
    clock.set("2026-06-01T10:00:00Z")
    [item] = ask(memory, "open_items")["items"]
    if is_corrected:
        ask(memory, "correct", fact=item["id"], mode="ended")
    else:
        told = remember(memory, {"subject": kite, "predicate": "resolution", "replaces": item["id"]})
        assert [each["id"] for each in told["closed"]] == [item["id"]]
    assert ask(memory, "open_items")["items"] == []
    assert set(states(memory).values()) == {"done"}
    assert ask(memory, "get_facts", "pearscarf", entity="Kite", fact_type="blocker")["facts"] == []
    assert ask(memory, "weekly_rollup", "cognitive-graph", project="Kite")["blockers"] == []
    ask(memory, "undo")
    assert len(ask(memory, "open_items")["items"]) == 1
    ask(memory, "undo", transaction=ask(memory, "undo")["undo"])
    clock.set("2026-06-02T10:00:00Z")
    remember(memory, first)
    assert len(ask(memory, "open_items")["items"]) == 1


def test_a_report_on_a_blocker_closes_no_promise_that_shares_only_the_project(
    memory: Memory, clock: MovingClock
) -> None:
    orion = {"name": "Orion", "type": "project"}
    blocker = {"subject": orion, "predicate": "blocked_by", "value": "missing API key"}
    promise = {"subject": "me", "predicate": "commitment", "value": "send the Orion plan", "object": "Orion"}
    remember(memory, blocker, promise)
    clock.set("2026-06-10T09:00:00Z")
    told = ask(memory, "remember", text="The missing API key of Orion is resolved.", source="Kim")
    assert [each["text"] for each in told["closed"]] == ["Orion is blocked by missing API key"]
    assert [(each["predicate"], each["source"]) for each in told["facts"]] == [("resolution", "Kim")]
    assert [each["kind"] for each in ask(memory, "open_items")["items"]] == ["commitment"]


@pytest.mark.parametrize("is_indexed", [False, True])
@pytest.mark.parametrize(
    ("told", "later", "state"),
    [
        ("The deploy is blocked by a missing API key.", "The missing API key is resolved.", "done"),
        ("The broken pump is blocking the mill.", "The pump is fixed.", "done"),
        ("The launch is blocked by legal.", "Legal gave the green light.", "done"),
        ("The launch is blocked by legal.", "Legal approved the launch.", "done"),
        ("The launch is blocked by legal.", "Legal approved it.", "done"),
        ("The launch is blocked by legal.", "Finance approved it.", "open"),
        ("We are waiting on the board before we can launch.", "The board gave us the go-ahead.", "done"),
        ("The release is blocked by the failing tests.", "Ben fixed the failing tests.", "done"),
        ("The release is blocked by the failing tests.", "Ben fixed the login page.", "open"),
        ("The release is blocked by the failing tests.", "The tests pass again.", "done"),
        ("The release is blocked by the failing tests.", "The tests ran again.", "open"),
        ("CI is blocked by the expired deploy token.", "The deploy token was renewed.", "done"),
        ("CI is blocked by the expired deploy token.", "Omar rotated the deploy token.", "done"),
        ("CI is blocked by the expired deploy token.", "The deploy key was renewed.", "open"),
        ("CI is blocked by the expired deploy token.", "The deploy token will be renewed.", "open"),
        ("The launch is blocked by legal.", "Finance gave the green light.", "open"),
        ("The launch is blocked by legal.", "Legal has not given the green light.", "open"),
        ("The launch is blocked by legal and by finance.", "Legal gave the green light.", "open"),
        ("Copper Kettle is blocked by a missing certificate.", "The certificate has arrived.", "done"),
        ("Kestrel is stuck on the failing tests.", "The failing tests are fixed.", "done"),
        ("Project Kestrel is blocked by legal.", "Legal gave the green light.", "done"),
        ("Kestrel is blocked by a missing visa.", "The visa of Osprey has arrived.", "open"),
        ("Legal is blocked by the missing contract.", "Legal gave the green light.", "open"),
        ("I will write the report.", "I won't write the report after all, Ben did it.", "cancelled"),
        ("I will write the report.", "I won't write the report any more, unless Ben asks.", "open"),
    ],
)
def test_a_later_sentence_closes_what_it_is_about_on_every_surface(
    memory: Memory, told: str, later: str, state: str, *, is_indexed: bool
) -> None:
    ask(memory, "remember", text=told, source_at="2026-05-01")
    if is_indexed:
        with memory.write() as change:
            index_all_facts(change)
    ask(memory, "remember", text=later, source_at="2026-05-02")
    found = ask(memory, "open_items", include_closed=True)["items"]
    assert [each["state"] for each in found] == [state]
    blockers = [each["id"] for each in found if each["kind"] == "blocker" and each["state"] == "open"]
    assert [each["id"] for each in ask(memory, "weekly_rollup", "cognitive-graph")["blockers"]] == blockers


def test_a_sentence_closes_every_spelling_of_a_blocker(memory: Memory) -> None:
    kite = {"name": "Kite", "type": "project"}
    remember(memory, {"subject": kite, "predicate": "blocked_by", "value": "missing home-care licence"})
    ask(memory, "remember", text="Kite is blocked by a missing home care licence.")
    assert len(ask(memory, "open_items")["items"]) == 1
    ask(memory, "remember", text="The home care licence has arrived.")
    assert ask(memory, "open_items")["items"] == []
    assert ask(memory, "weekly_rollup", "cognitive-graph")["blockers"] == []
    assert ask(memory, "get_facts", "pearscarf", entity="Kite", fact_type="blocker")["facts"] == []
