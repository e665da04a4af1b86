"""`open_items`: the list of items, and how they are closed; every surface agrees."""

from random import Random
from typing import Any

import pytest

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory, create_workspace
from recollect.model.fact import Fact
from recollect.model.ids import FACT_PREFIX, FactId
from recollect.write.retract import retract_fact
from recollect.write.undo import undo
from tests.conftest import MovingClock
from tests.support.calls import ask
from tests.support.properties import seeded

Json = dict[str, Any]
PEOPLE = ("Odile Ferrant", "Teo Quist", "Marcus Webb")
PROJECTS = ("Lumen Audit", "Copper Kettle")
LEDGER = "Odile Ferrant will hand over the ledger by 9 April"
INVOICE = "Odile Ferrant will send the invoice"


def tell(memory: Memory, at: str, who: str, kind: str, whom: Any, text: str, **more: Any) -> FactId:
    """One record that states one fact; `kind` is written LABEL/fact_type."""
    label, fact_type = kind.split("/")
    thread = more.pop("thread", None)
    fact = {"edge_label": label, "fact_type": fact_type, "from": who, "to": whom, "fact": text, **more}
    entities = [{"name": name, "type": "Person"} for name in PEOPLE]
    entities += [{"name": name, "type": "Project"} for name in PROJECTS]
    mail: Json = {"id": f"{at} {text}", "type": "email", "source_at": at}
    if thread is not None:
        mail["metadata"] = {"thread_id": thread}
    with memory.as_actor("cli", "ingest").write() as change:
        assert write_line(change, parse_line({"record": mail, "entities": entities, "facts": [fact]}))
    return newest(memory, text)


def newest(memory: Memory, text: str) -> FactId:
    found = [each for each in every_fact(memory) if each.words == text]
    return max(found, key=lambda each: each.recorded_at).id


def every_fact(memory: Memory) -> list[Fact]:
    with memory.read() as view:
        names = [*PEOPLE, *PROJECTS]
        ids = {row.entity for name in names for row in view.names_matching(name.casefold())}
        return [fact for entity in sorted(ids) for fact in view.facts_touching(entity)]


def listed(memory: Memory, **arguments: Any) -> Json:
    return ask(memory, "recollect", "open_items", **arguments)


def texts(memory: Memory, **arguments: Any) -> list[str]:
    return [item["text"] for item in listed(memory, **arguments)["items"]]


def promise(memory: Memory, text: str = LEDGER, due: str | None = "2026-04-09", **more: Any) -> FactId:
    at = more.pop("at", "2026-04-02T09:15:00Z")
    bounds = {} if due is None else {"valid_until": due}
    return tell(memory, at, "Odile Ferrant", "ASSERTED/commitment", "Lumen Audit", text, **bounds, **more)


def test_items_are_listed_with_kind_owner_topic_and_due_date(memory: Memory) -> None:
    promise(memory)
    tell(memory, "2026-04-03T09:00:00Z", "Marcus Webb", "ASSERTED/request", "Teo Quist", "Marcus asked Teo for a quote")
    tell(memory, "2026-04-04T09:00:00Z", "Teo Quist", "ASSERTED/blocker", "Copper Kettle", "Teo: the permit is missing")
    tell(memory, "2026-04-05T09:00:00Z", "Teo Quist", "ASSERTED/goal", None, "Teo wants to run a marathon")
    tell(
        memory,
        "2026-04-06T09:00:00Z",
        "Odile Ferrant",
        "ASSERTED/pending_decision",
        "Copper Kettle",
        "Odile has to choose a supplier",
        valid_until="2026-12-01",
    )
    found = listed(memory)
    shown = [
        (each["kind"], each.get("owner"), each.get("about"), each.get("due"), each["state"]) for each in found["items"]
    ]
    assert shown == [
        ("commitment", "Odile Ferrant", "Lumen Audit", "2026-04-09", "overdue"),
        ("decision", "Odile Ferrant", "Copper Kettle", "2026-12-01", "open"),
        ("request", "Teo Quist", "Marcus Webb", None, "open"),
        ("blocker", None, "Copper Kettle", None, "open"),
        ("goal", "Teo Quist", None, None, "open"),
    ]
    assert found["counts"] == {"open": 4, "overdue": 1, "done": 0, "cancelled": 0}
    assert found["truncated"] is False


def test_filters_combine(memory: Memory) -> None:
    promise(memory)
    promise(memory, INVOICE, None)
    tell(memory, "2026-04-03T09:00:00Z", "Marcus Webb", "ASSERTED/request", "Teo Quist", "Marcus asked Teo for a quote")
    assert texts(memory, owner="Odile Ferrant") == texts(memory, kinds=["commitment"]) == [LEDGER, INVOICE]
    assert texts(memory, owner="Odile Ferrant", about="Copper Kettle") == []
    assert texts(memory, about="Marcus Webb") == ["Marcus asked Teo for a quote"]
    assert texts(memory, owner="Marcus Webb") == []
    assert texts(memory, due_before="2026-04-09") == [LEDGER]
    assert texts(memory, due_before="2026-04-08") == []


def test_counts_are_complete_where_the_list_is_cut(memory: Memory) -> None:
    for number in range(5):
        promise(memory, f"Odile Ferrant will file form {number}", f"2026-04-1{number}")
    promise(memory, "Odile Ferrant will paint the fence", "2026-12-01")
    finish(memory, "Odile Ferrant filed form 3")
    for scope in ({}, {"owner": "Odile Ferrant"}):
        found = listed(memory, limit=2, **scope)
        assert [item["due"] for item in found["items"]] == ["2026-04-10", "2026-04-11"]
        assert found["counts"] == {"open": 1, "overdue": 4, "done": 1, "cancelled": 0}
        assert found["truncated"] is True


def finish(memory: Memory, text: str, kind: str = "completion", **more: Any) -> FactId:
    at = more.pop("at", "2026-04-08T09:00:00Z")
    who, whom = more.pop("who", "Odile Ferrant"), more.pop("whom", "Lumen Audit")
    return tell(memory, at, who, f"TRANSITIONED/{kind}", whom, text, **more)


@pytest.mark.parametrize(
    ("kind", "state"), [("completion", "done"), ("resolution", "done"), ("cancellation", "cancelled")]
)
def test_an_item_is_closed_by_id_whatever_the_words(memory: Memory, kind: str, state: str) -> None:
    item = promise(memory)
    closing = finish(memory, "that is settled", kind, who="Teo Quist", whom="Copper Kettle", supersedes=id_text(item))
    assert listed(memory)["items"] == []
    [closed] = listed(memory, include_closed=True)["items"]
    assert (closed["id"], closed["state"], closed["closed_by"]["id"]) == (id_text(item), state, id_text(closing))
    assert listed(memory)["counts"] == {"open": 0, "overdue": 0, "done": 0, "cancelled": 0} | {state: 1}
    assert_gone(memory, "Odile Ferrant", "commitment")
    [shown] = ask(memory, "pearscarf", "get_facts", entity="Odile Ferrant", include_stale=True)["facts"]
    assert (shown["closed_by"], shown["overdue"]) == (id_text(closing), False)


def id_text(fact: FactId) -> str:
    return FACT_PREFIX + fact


def assert_gone(memory: Memory, entity: str, fact_type: str) -> None:
    found = ask(memory, "pearscarf", "get_facts", entity=entity, fact_type=fact_type)
    assert found["facts"] == []
    [closed] = ask(memory, "pearscarf", "get_facts", entity=entity, fact_type=fact_type, include_stale=True)["facts"]
    assert closed["overdue"] is False


def test_a_decision_closes_a_pending_decision_by_id_and_by_words_but_nothing_else(memory: Memory) -> None:
    def pend(text: str) -> FactId:
        at = "2026-04-02T09:00:00Z"
        return tell(memory, at, "Odile Ferrant", "ASSERTED/pending_decision", "Lumen Audit", text)

    first = pend("Odile has to choose the ledger software")
    pend("Odile has to choose the office colour")
    promise(memory, INVOICE, None)
    at = "2026-04-05T09:00:00Z"
    tell(memory, at, "Teo Quist", "ASSERTED/decision", None, "we take the cheap one", supersedes=id_text(first))
    tell(memory, at, "Odile Ferrant", "ASSERTED/decision", "Lumen Audit", "Odile decided the office colour")
    tell(memory, at, "Odile Ferrant", "ASSERTED/decision", "Lumen Audit", "Odile decided the invoice")
    assert texts(memory) == [INVOICE]


def test_a_reply_in_the_thread_closes_an_item_of_somebody_else(memory: Memory) -> None:
    promise(memory, thread="t-1")
    other = promise(memory, INVOICE, None, thread="t-2")
    finish(memory, "Teo Quist handed over the ledger", who="Teo Quist", whom=None, thread="t-1")
    finish(memory, "Teo Quist sent the invoice", who="Teo Quist", whom=None, thread="t-1")
    assert texts(memory) == texts(memory, owner="Odile Ferrant") == [INVOICE]
    assert [each["id"] for each in listed(memory)["items"]] == [id_text(other)]
    found = ask(memory, "pearscarf", "get_facts", entity="Odile Ferrant", fact_type="commitment")
    assert [each["fact"] for each in found["facts"]] == [INVOICE]


def test_two_spellings_of_one_blocker_are_one(memory: Memory) -> None:
    kettle = {"type": "project", "name": "Copper Kettle"}

    def block(literal: str) -> None:
        arguments = {"subject": kettle, "predicate": "blocked_by", "object": {"literal": literal}}
        ask(memory, "cognitive-graph", "record_fact", **arguments)

    block("supplier contract unsigned")
    block("Supplier contract: unsigned.")
    assert len(texts(memory)) == len(ask(memory, "cognitive-graph", "weekly_rollup")["blockers"]) == 1
    tell(memory, "2026-05-21T09:00:00Z", "Teo Quist", "TRANSITIONED/resolution", "Copper Kettle", "contract resolved")
    assert texts(memory) == ask(memory, "cognitive-graph", "weekly_rollup")["blockers"] == []
    assert ask(memory, "pearscarf", "get_facts", entity="Copper Kettle", fact_type="blocker")["facts"] == []


def test_recall_entity_does_not_list_a_closed_blocker(memory: Memory) -> None:
    kettle = {"type": "project", "name": "Copper Kettle"}
    permit = {"type": "concept", "name": "Permit"}
    ask(memory, "cognitive-graph", "record_fact", subject=kettle, predicate="blocked_by", object=permit)
    granted = {"literal": "permit granted"}
    ask(memory, "cognitive-graph", "record_fact", subject=kettle, predicate="resolved_by", object=granted)
    found = ask(memory, "cognitive-graph", "recall_entity", name_or_alias="Copper Kettle")
    assert [each["predicate"] for each in found["facts"]] == ["resolved_by"]
    assert found["related_entities"] == []


@pytest.mark.parametrize("undone", [False, True])
@pytest.mark.parametrize("by_id", [False, True])
def test_taking_the_closing_fact_back_reopens_the_item(memory: Memory, undone: bool, by_id: bool) -> None:
    item = promise(memory)
    before = listed(memory), ask(memory, "pearscarf", "get_facts", entity="Lumen Audit")
    closing = finish(memory, "Odile Ferrant handed over the ledger", **({"supersedes": id_text(item)} if by_id else {}))
    assert texts(memory) == []
    with memory.as_actor("python", "api").write() as change:
        if undone:
            undo(change, change.tx - 1)
        else:
            retract_fact(change, closing)
    assert (listed(memory), ask(memory, "pearscarf", "get_facts", entity="Lumen Audit")) == before


@pytest.mark.parametrize("by_id", [False, True])
def test_repeating_an_item_later_reopens_it(memory: Memory, by_id: bool) -> None:
    item = promise(memory)
    finish(memory, "Odile Ferrant handed over the ledger", **({"supersedes": id_text(item)} if by_id else {}))
    promise(memory, at="2026-04-20T09:00:00Z", due="2026-06-30")
    [again] = listed(memory)["items"]
    assert (again["id"], again["state"], again["due"]) == (id_text(item), "open", "2026-06-30")


def test_an_item_closed_by_id_later_leaves_an_earlier_report_ambiguous(memory: Memory) -> None:
    first = promise(memory, "Odile Ferrant will send the ledger to the bank", None)
    second = "Odile Ferrant will send a copy of the ledger to the archive"
    promise(memory, second, None)
    finish(memory, "Odile Ferrant sent the ledger")
    finish(memory, "settled", at="2026-04-10T09:00:00Z", supersedes=id_text(first))
    assert texts(memory) == [second]


def test_recalling_states_of_items_agrees_with_the_list(memory: Memory, clock: MovingClock) -> None:
    promise(memory, due="2026-12-01")
    assert listed(memory)["items"][0]["state"] == "open"
    clock.set("2026-12-02T00:00:00Z")
    assert listed(memory)["items"][0]["state"] == "overdue"
    [fact] = ask(memory, "pearscarf", "get_facts", entity="Odile Ferrant")["facts"]
    assert fact["overdue"] is True


Told = tuple[str, str, str, Any, str, str | None]
"""When, who, label and type, about whom or what, in which words, and in which thread."""


def story(random: Random) -> list[Told]:
    """Statements about a few things, each at a time of its own; some repeat others."""
    things = ["the ledger", "the invoice", "the bank statement", "the office lease"]
    told: list[Told] = []
    for day in random.sample(range(1, 29), 16):
        who, thing = random.choice(PEOPLE[:2]), random.choice(things)
        first = who.split()[0]
        kind, text = random.choice(
            [
                ("ASSERTED/commitment", f"{who} will send {thing}"),
                ("ASSERTED/goal", f"{who} wants {thing} in order"),
                ("ASSERTED/blocker", f"{first}: blocked by {thing}"),
                ("ASSERTED/pending_decision", f"{who} has to choose {thing}"),
                ("TRANSITIONED/completion", f"{who} sent {thing}"),
                ("TRANSITIONED/cancellation", f"{who} cancelled {thing}"),
                ("TRANSITIONED/resolution", f"{first} resolved {thing}"),
                ("ASSERTED/decision", f"{who} decided {thing}"),
                ("TRANSITIONED/resolved_by", f"{thing} resolved at last"),
                ("ASSERTED/blocked_by", f"blocked by {thing}"),
            ]
        )
        whom: Any = random.choice([*PROJECTS, None])
        if kind.endswith("_by"):
            who, whom = random.choice(PROJECTS), {"literal": thing}
        told.append((f"2026-04-{day:02}T09:00:00Z", who, kind, whom, text, random.choice(["t-1", "t-2", None])))
    return told


def surfaces(memory: Memory) -> dict[str, Any]:
    """What each surface shows of the items."""
    kinds = ("commitment", "goal", "blocker", "pending_decision")
    shown: Json = {
        name: sorted(
            (fact["fact"], fact["overdue"])
            for kind in kinds
            for fact in ask(memory, "pearscarf", "get_facts", entity=name, fact_type=kind)["facts"]
        )
        for name in (*PEOPLE[:2], *PROJECTS)
    }
    found = listed(memory, include_closed=True)
    items = sorted(
        (item["text"], item["state"], item.get("about", ""), item.get("owner", "")) for item in found["items"]
    )
    rollup = ask(memory, "cognitive-graph", "weekly_rollup")["blockers"]
    blocked = sorted((each["subject"]["name"], str(each["object"].get("literal"))) for each in rollup)
    return {"pearscarf": shown, "items": items, "counts": found["counts"], "blocked": blocked}


@pytest.mark.every_case
@seeded(12)
def test_the_order_of_arrival_never_matters(memory: Memory, seed: int) -> None:
    random = Random(seed)
    told = story(random)
    one, other = memory, memory.for_workspace(create_workspace(memory.engine, "other", memory.clock))
    for each in told:
        state(one, each)
    shuffled = told[:]
    random.shuffle(shuffled)
    for each in shuffled:
        state(other, each)
    assert surfaces(one) == surfaces(other)


def state(memory: Memory, said: Told) -> None:
    at, who, kind, whom, text, thread = said
    label, name = kind.split("/")
    if name.endswith("_by"):
        type_ = "blocker" if name == "blocked_by" else "resolution"
        tell(memory, at, who, f"{label}/{type_}", whom, text, predicate=name, thread=thread)
    else:
        tell(memory, at, who, kind, whom, text, thread=thread)


@pytest.mark.every_case
@seeded(8)
def test_surfaces_agree_on_what_is_open(memory: Memory, seed: int) -> None:
    for each in story(Random(seed)):
        state(memory, each)
    kinds = ["commitment", "goal", "decision"]
    everywhere = {item["id"] for item in listed(memory, kinds=kinds)["items"]}
    for name in (*PEOPLE[:2], *PROJECTS):
        shown = {
            fact["id"]
            for kind in ("commitment", "goal", "pending_decision")
            for fact in ask(memory, "pearscarf", "get_facts", entity=name, fact_type=kind)["facts"]
        }
        assert {item["id"] for item in listed(memory, about=name, kinds=kinds)["items"]} == shown
        assert shown <= everywhere
        blocked = ask(memory, "pearscarf", "get_facts", entity=name, fact_type="blocker")["facts"]
        assert bool(blocked) == bool(listed(memory, about=name, kinds=["blocker"])["items"])
