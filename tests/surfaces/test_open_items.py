"""Open and closed items: every surface agrees on what is still open, whichever door closed it."""

from collections.abc import Mapping
from itertools import permutations
from typing import Any

import pytest

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory
from recollect.model.ids import FACT_PREFIX, FactId, read_id
from recollect.store.view import View
from recollect.write.retract import retract_fact
from recollect.write.undo import undo
from tests.conftest import MovingClock
from tests.support.calls import ask

Json = dict[str, Any]

KETTLE = {"type": "project", "name": "Copper Kettle"}
UNSIGNED = {"literal": "supplier contract unsigned"}
AUDIT = {"type": "project", "name": "Lumen Audit"}
PERMIT = "Lumen Audit is blocked by the building permit"
PEOPLE = ("Odile Ferrant", "Teo Quist", "Marcus Webb")
LEDGER = "Odile Ferrant will hand over the Lumen Audit ledger by 9 April"
HANDED_OVER = "Odile Ferrant handed over the ledger"


def record(memory: Memory, subject: Json, predicate: str, object_: Json, **more: Any) -> Json:
    return ask(memory, "cognitive-graph", "record_fact", subject=subject, predicate=predicate, object=object_, **more)


def tell(memory: Memory, at: str, who: str, kind: str, whom: Any, text: str, **more: Any) -> None:
    """One record that states one fact; `kind` is written LABEL/fact_type."""
    label, fact_type = kind.split("/")
    fact = {"edge_label": label, "fact_type": fact_type, "from": who, "to": whom, "fact": text, **more}
    entities = [{"name": name, "type": "Person"} for name in PEOPLE] + [{"name": "Lumen Audit", "type": "Project"}]
    mail = {"id": f"{at} {text}", "type": "email", "source_at": at}
    with memory.as_actor("cli", "ingest").write() as change:
        assert write_line(change, parse_line({"record": mail, "entities": entities, "facts": [fact]}))


def promise_ledger(memory: Memory) -> None:
    tell(
        memory,
        "2026-04-02T09:15:00Z",
        "Odile Ferrant",
        "ASSERTED/commitment",
        "Lumen Audit",
        LEDGER,
        valid_until="2026-04-09",
    )


def hand_over_ledger(memory: Memory, text: str = HANDED_OVER, kind: str = "TRANSITIONED/completion") -> None:
    tell(memory, "2026-04-08T09:00:00Z", "Odile Ferrant", kind, "Lumen Audit", text)


def facts(memory: Memory, entity: str, **more: Any) -> list[Json]:
    found: list[Json] = ask(memory, "pearscarf", "get_facts", entity=entity, **more)["facts"]
    return found


def texts(memory: Memory, entity: str, fact_type: str, **more: Any) -> list[str]:
    return [each["fact"] for each in facts(memory, entity, fact_type=fact_type, **more)]


def context(memory: Memory, entity: str, **more: Any) -> Mapping[str, Any]:
    return ask(memory, "pearscarf", "get_entity_context", entity=entity, **more)


def in_context(memory: Memory, entity: str, fact_type: str, **more: Any) -> list[str]:
    shown = context(memory, entity, **more)["current_facts"]
    return [each["fact"] for each in shown if each["fact_type"] == fact_type]


def open_commitments(memory: Memory) -> list[str]:
    return texts(memory, "Odile Ferrant", "commitment")


def test_a_resolved_blocker_is_no_longer_listed(memory: Memory) -> None:
    record(memory, KETTLE, "blocked_by", UNSIGNED)
    assert len(texts(memory, "Copper Kettle", "blocker")) == len(in_context(memory, "Copper Kettle", "blocker")) == 1
    record(memory, KETTLE, "resolved_by", {"literal": "supplier contract unsigned: signed at last"})
    assert texts(memory, "Copper Kettle", "blocker") == in_context(memory, "Copper Kettle", "blocker") == []
    assert ask(memory, "cognitive-graph", "weekly_rollup")["blockers"] == []
    assert len(texts(memory, "Copper Kettle", "blocker", include_stale=True)) == 1
    assert len(in_context(memory, "Copper Kettle", "blocker", include_stale=True)) == 1


def test_count_and_connections_leave_closed_items_out(memory: Memory) -> None:
    record(memory, KETTLE, "blocked_by", {"type": "concept", "name": "Permit"})
    record(memory, KETTLE, "resolved_by", {"literal": "permit granted"})
    said = ask(memory, "pearscarf", "get_facts", entity="Copper Kettle", limit=1)
    assert (said["count"], said["truncated"]) == (1, False)
    assert ask(memory, "pearscarf", "get_connections", entity="Copper Kettle")["connections"] == []
    assert context(memory, "Permit")["connections"] == []


def test_a_resolution_of_one_blocker_leaves_the_other_listed(memory: Memory) -> None:
    record(memory, KETTLE, "blocked_by", UNSIGNED)
    record(memory, KETTLE, "blocked_by", {"literal": "no budget"})
    record(memory, KETTLE, "resolved_by", {"literal": "no budget any more: paid"})
    assert texts(memory, "Copper Kettle", "blocker") == ["Copper Kettle blocked by supplier contract unsigned"]


def test_a_blocker_recorded_again_is_open_again(memory: Memory) -> None:
    record(memory, KETTLE, "blocked_by", UNSIGNED)
    record(memory, KETTLE, "resolved_by", {"type": "person", "name": "Amara Vint"})
    assert texts(memory, "Copper Kettle", "blocker") == []
    record(memory, KETTLE, "blocked_by", UNSIGNED)
    assert len(texts(memory, "Copper Kettle", "blocker")) == 1


@pytest.mark.parametrize("undone", [False, True])
def test_taking_the_closing_fact_back_reopens_the_item(memory: Memory, undone: bool) -> None:
    record(memory, KETTLE, "blocked_by", UNSIGNED)
    closing = record(memory, KETTLE, "resolved_by", {"literal": "all signed"})
    with memory.as_actor("python", "api").write() as change:
        if undone:
            undo(change, change.tx - 1)
        else:
            retract_fact(change, FactId(read_id(closing["fact_id"], FACT_PREFIX)))
    assert len(texts(memory, "Copper Kettle", "blocker")) == 1


def test_as_of_before_the_resolution_the_blocker_is_open(memory: Memory) -> None:
    record(memory, KETTLE, "blocked_by", UNSIGNED)
    record(memory, KETTLE, "resolved_by", {"literal": "all signed"})
    assert len(texts(memory, "Copper Kettle", "blocker", as_of=1)) == 1
    assert texts(memory, "Copper Kettle", "blocker", as_of=2) == []


def test_a_reported_blocker_is_closed_by_a_resolution_that_repeats_its_words(memory: Memory) -> None:
    blocked = "Teo Quist: we are blocked by the missing API key"
    tell(memory, "2026-04-02T09:00:00Z", "Teo Quist", "ASSERTED/blocker", "Lumen Audit", blocked)
    tell(memory, "2026-04-03T09:00:00Z", "Teo Quist", "ASSERTED/blocker", "Lumen Audit", "Teo Quist: no test data")
    key = "Marcus Webb resolved the missing API key"
    tell(memory, "2026-04-05T09:00:00Z", "Marcus Webb", "TRANSITIONED/resolution", "Lumen Audit", key)
    assert (
        texts(memory, "Lumen Audit", "blocker") == texts(memory, "Teo Quist", "blocker") == ["Teo Quist: no test data"]
    )


def test_a_blocker_closed_by_an_ingested_resolution_leaves_the_rollup(memory: Memory, clock: MovingClock) -> None:
    record(memory, KETTLE, "blocked_by", UNSIGNED)
    fixed = "Teo Quist: we resolved the unsigned supplier contract"
    tell(memory, "2026-05-21T09:00:00Z", "Teo Quist", "TRANSITIONED/resolution", "Copper Kettle", fixed)
    clock.set("2026-05-22T10:00:00Z")
    for project in (None, "Copper Kettle"):
        said = ask(memory, "cognitive-graph", "weekly_rollup", project=project)
        assert (said["blockers"], said["next_actions"]) == ([], [])
    assert texts(memory, "Copper Kettle", "blocker") == []


@pytest.mark.parametrize("kind", ["completion", "cancellation", "resolution"])
def test_a_completed_commitment_is_not_overdue(memory: Memory, kind: str) -> None:
    promise_ledger(memory)
    [late] = facts(memory, "Odile Ferrant", fact_type="commitment")
    assert late["overdue"]
    hand_over_ledger(memory, kind=f"TRANSITIONED/{kind}")
    for entity in ("Odile Ferrant", "Lumen Audit"):
        assert texts(memory, entity, "commitment") == in_context(memory, entity, "commitment") == []
        [closed] = facts(memory, entity, fact_type="commitment", include_stale=True)
        assert (closed["overdue"], closed["stale"]) == (False, False)
    between = ask(memory, "pearscarf", "get_relationship", entity_a="Odile Ferrant", entity_b="Lumen Audit")
    assert [each["fact_type"] for each in between["direct_facts"]] == [kind]


def test_the_order_of_arrival_does_not_matter(memory: Memory) -> None:
    hand_over_ledger(memory)
    promise_ledger(memory)
    assert open_commitments(memory) == []


def test_a_completion_before_the_commitment_does_not_close_it(memory: Memory) -> None:
    tell(memory, "2026-03-01T09:00:00Z", "Odile Ferrant", "TRANSITIONED/completion", "Lumen Audit", HANDED_OVER)
    promise_ledger(memory)
    assert open_commitments(memory) == [LEDGER]


@pytest.mark.parametrize(
    "text",
    [
        "Odile Ferrant: I've handed over the ledger",
        "The Lumen Audit ledger was finally handed over on 8 April",
        "Odile completed the ledger",
        "Ledger: done",
    ],
)
def test_a_completion_answers_by_its_content_words(memory: Memory, text: str) -> None:
    promise_ledger(memory)
    hand_over_ledger(memory, text)
    assert open_commitments(memory) == []


@pytest.mark.parametrize(
    "text",
    [
        "Odile Ferrant handed over the ledger index",
        "Odile Ferrant did not hand over the ledger",
        "Odile Ferrant hasn't handed over the ledger",
        "Odile Ferrant completed Lumen Audit",
        "Odile Ferrant finished",
        "Odile Ferrant handed over ledger 2",
    ],
)
def test_a_completion_of_something_else_closes_nothing(memory: Memory, text: str) -> None:
    promise_ledger(memory)
    hand_over_ledger(memory, text)
    assert open_commitments(memory) == [LEDGER]


def test_a_completion_by_somebody_else_on_something_else_closes_nothing(memory: Memory) -> None:
    promise_ledger(memory)
    tell(
        memory, "2026-04-08T09:00:00Z", "Teo Quist", "TRANSITIONED/completion", None, "Teo Quist handed over the ledger"
    )
    assert open_commitments(memory) == [LEDGER]


def test_a_completion_that_fits_several_items_closes_none(memory: Memory) -> None:
    promise_ledger(memory)
    other = "Odile Ferrant will send a copy of the ledger to the bank"
    tell(memory, "2026-04-03T09:00:00Z", "Odile Ferrant", "ASSERTED/promise", None, other)
    hand_over_ledger(memory, "Odile Ferrant completed the ledger")
    assert open_commitments(memory) == [LEDGER]
    # Seen from the project, the other promise is not at hand, but it counts all the same.
    assert texts(memory, "Lumen Audit", "commitment") == [LEDGER]


@pytest.mark.parametrize("order", list(permutations(range(4)))[::5])
def test_each_report_closes_the_promise_before_it(memory: Memory, order: tuple[int, ...]) -> None:
    said = [
        ("2026-04-01T09:00:00Z", "ASSERTED/promise", "Odile Ferrant will send the weekly report for 3 April"),
        ("2026-04-03T09:00:00Z", "TRANSITIONED/completion", "Odile Ferrant sent the weekly report"),
        ("2026-04-06T09:00:00Z", "ASSERTED/promise", "Odile Ferrant is to send the next weekly report, on the 10th"),
        ("2026-04-10T09:00:00Z", "TRANSITIONED/completion", "Odile Ferrant has sent the weekly report again"),
    ]
    for number in order:
        at, kind, text = said[number]
        tell(memory, at, "Odile Ferrant", kind, "Lumen Audit", text)
    assert texts(memory, "Odile Ferrant", "promise") == []


def test_a_request_is_closed_by_whoever_was_asked(memory: Memory) -> None:
    asked = "Marcus Webb asked Odile Ferrant to send the bank statement"
    tell(memory, "2026-04-01T09:00:00Z", "Marcus Webb", "ASSERTED/request", "Odile Ferrant", asked)
    tell(
        memory, "2026-04-02T09:00:00Z", "Marcus Webb", "TRANSITIONED/completion", None, "Marcus Webb sent the statement"
    )
    assert texts(memory, "Marcus Webb", "request") == [asked]
    sent = "Odile Ferrant sent the bank statement"
    tell(memory, "2026-04-03T09:00:00Z", "Odile Ferrant", "TRANSITIONED/completion", None, sent)
    assert texts(memory, "Marcus Webb", "request") == []


def test_a_closed_item_is_not_current_on_carabase(memory: Memory) -> None:
    promise_ledger(memory)
    hand_over_ledger(memory)
    now = ask(memory, "carabase", "carabase_search_graph", start_entity="Odile Ferrant")
    assert [edge["type"] for edge in now["edges"]] == ["completion"]
    ever = ask(memory, "carabase", "carabase_search_graph", start_entity="Odile Ferrant", include_history=True)
    assert {edge["type"]: (edge["current"], edge["overdue"]) for edge in ever["edges"]} == {
        "commitment": (False, False),
        "completion": (True, False),
    }


def test_a_closed_item_is_in_conflict_with_nothing(memory: Memory) -> None:
    for text in (LEDGER, LEDGER.replace("9 April", "10 April")):
        tell(memory, "2026-04-02T09:15:00Z", "Odile Ferrant", "ASSERTED/commitment", "Lumen Audit", text)
    assert ask(memory, "pearscarf", "get_conflicts")["count"] == 1
    hand_over_ledger(memory)
    assert ask(memory, "pearscarf", "get_conflicts")["count"] == 0


def test_no_path_leads_over_a_closed_item(memory: Memory) -> None:
    promise_ledger(memory)
    asked = {"entity_a": "Odile Ferrant", "entity_b": "Lumen Audit"}
    assert ask(memory, "pearscarf", "get_relationship", **asked)["hops"] == 1
    tell(memory, "2026-04-08T09:00:00Z", "Odile Ferrant", "TRANSITIONED/completion", None, HANDED_OVER)
    assert ask(memory, "pearscarf", "get_relationship", **asked)["path"] == []


def test_a_closed_item_is_not_valid_on_entity_core(memory: Memory) -> None:
    promise_ledger(memory)
    hand_over_ledger(memory)
    every = ask(memory, "entity-core", "graph_edge_get")["edges"]
    assert {edge["type"]: edge["valid"] for edge in every} == {"commitment": False, "completion": True}
    owner = every[0]["fromId"]
    for scope in ({}, {"fromId": owner}, {"type": "completion"}):
        valid = ask(memory, "entity-core", "graph_edge_get", onlyValid=True, **scope)
        assert [edge["type"] for edge in valid["edges"]] == ["completion"]


def test_reading_an_entity_takes_as_many_queries_with_many_items_as_with_few(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    rows = View.rows

    def counted(view: View, query: str, **parameters: Any) -> Any:
        asked.append(query)
        return rows(view, query, **parameters)

    promise_ledger(memory)
    hand_over_ledger(memory)
    monkeypatch.setattr(View, "rows", counted)
    facts(memory, "Odile Ferrant")
    few = len(asked)
    monkeypatch.setattr(View, "rows", rows)
    for number in range(20):
        text = f"Odile Ferrant will file form {number} with registry office"
        tell(memory, f"2026-04-03T09:00:{number:02}Z", "Odile Ferrant", "ASSERTED/commitment", f"Desk {number}", text)
        done = f"Odile Ferrant filed form {number}"
        tell(memory, f"2026-04-04T09:00:{number:02}Z", "Odile Ferrant", "TRANSITIONED/completion", None, done)
    asked.clear()
    monkeypatch.setattr(View, "rows", counted)
    assert texts(memory, "Odile Ferrant", "commitment") == []
    assert len(asked) <= few + 2


@pytest.mark.parametrize("listing", [texts, in_context])
def test_two_spellings_of_one_blocker_are_listed_as_one_with_the_sources_of_both(memory: Memory, listing: Any) -> None:
    tell(memory, "2026-04-02T09:15:00Z", "Odile Ferrant", "ASSERTED/blocker", "Lumen Audit", PERMIT)
    record(memory, AUDIT, "blocked_by", {"literal": "building permit"})
    record(memory, AUDIT, "blocked_by", {"literal": "missing certificate"})
    [one, other] = listing(memory, "Lumen Audit", "blocker")
    assert (one, other) == ("Lumen Audit blocked by building permit", "Lumen Audit blocked by missing certificate")
    found = ask(memory, "pearscarf", "get_facts", entity="Lumen Audit", fact_type="blocker")
    assert (found["count"], [each["source_count"] for each in found["facts"]]) == (2, [2, 1])
    assert found["facts"] == ask(memory, "pearscarf", "get_entity_context", entity="Lumen Audit")["current_facts"]
    listed = [each["id"] for each in ask(memory, "recollect", "open_items", kinds=["blocker"])["items"]]
    assert {each["id"] for each in found["facts"]} == set(listed)
    every = ask(memory, "pearscarf", "get_facts", entity="Lumen Audit", include_stale=True)
    assert every["count"] == 3
