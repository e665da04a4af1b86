"""`correct`, `forget`, `undo` and `history` as an agent calls them."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from recollect.memory import Memory
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from tests.conftest import MovingClock
from tests.support.calls import last_tx
from tests.support.facts import fact, facts_of, take_line, tell, texts
from tests.surfaces.lore_engine.telling_tools import Builder

Json = dict[str, Any]


@dataclass
class Agent:
    """Calls tools of the everyday surface under one name."""

    memory: Memory
    name: str = "local"

    def answer(self, tool: str, arguments: Mapping[str, Any], surface: str = "recollect") -> Answer:
        found = find_surface(surface).find(tool)
        return call(found, lambda each: self.memory.as_actor(surface, each.name, self.name), arguments)

    def do(self, tool: str, surface: str = "recollect", **arguments: Any) -> Json:
        answer = self.answer(tool, arguments, surface)
        assert not answer.is_error, answer.structured
        assert answer.texts[0].strip()
        return answer.structured

    def fail(self, tool: str, code: str, **arguments: Any) -> Json:
        """A refused call, which leaves no trace; its example, if it has one, is accepted."""
        before = self.tx
        answer = self.answer(tool, arguments)
        assert answer.is_error, answer.structured
        error: Json = answer.structured["error"]
        assert (error["code"], self.tx) == (code, before), error
        assert error["message"]
        assert error["next"]
        if "example" in error:
            assert not self.answer(tool, error["example"]).is_error, error
        return error

    @property
    def tx(self) -> int:
        return last_tx(self.memory)


@pytest.fixture
def agent(memory: Memory) -> Agent:
    return Agent(memory)


def npm(memory: Memory, **more: Any) -> None:
    tell(memory, fact("acme-web", "uses", "npm", **more), id="a", source_at="2026-01-01T00:00:00Z")


def test_a_changed_fact_is_shown_before_and_after(agent: Agent) -> None:
    npm(agent.memory)
    done = agent.do("correct", fact="acme-web uses npm", mode="changed", object="pnpm", reason="chat")
    old, new = done["after"]
    assert (done["before"]["state"], done["before"]["text"]) == ("current", "acme-web uses npm")
    assert (old["id"], old["state"], old["until"]) == (done["before"]["id"], "ended", "2026-05-19")
    assert (new["text"], new["state"], new["since"], new["source"]) == (
        "acme-web uses pnpm",
        "current",
        "2026-05-20",
        "chat",
    )
    assert done["undo"] == agent.tx


def test_undo_without_arguments_goes_further_back_each_time(agent: Agent) -> None:
    npm(agent.memory)
    first = agent.do("correct", fact="acme-web uses npm", mode="changed", object="pnpm")
    second = agent.do("correct", fact="acme-web uses pnpm", mode="wrong")
    assert agent.do("undo")["undone"] == second["undo"]
    back = agent.do("undo")
    assert (back["undone"], back["undo"]) == (first["undo"], agent.tx)
    assert back["changes"] == [
        "changed back: acme-web uses npm",
        "withdrawn: acme-web uses pnpm",
        "withdrawn: pnpm (unknown)",
    ]
    assert texts(agent.memory, "acme-web") == ["acme-web uses npm"]
    error = agent.fail("undo", "not_found")
    assert "example" not in error
    assert agent.do("undo", transaction=back["undo"])["undone"] == back["undo"]
    assert texts(agent.memory, "acme-web") == ["acme-web uses pnpm"]


def test_undo_leaves_what_others_did_unless_it_is_named(agent: Agent) -> None:
    npm(agent.memory)
    mine = agent.do("correct", fact="acme-web uses npm", mode="wrong")
    tell(agent.memory, fact("beta", "uses", "npm"), id="b")
    other = Agent(agent.memory, "desk")
    other.fail("undo", "not_found")
    assert agent.do("undo")["undone"] == mine["undo"]
    assert other.do("undo", transaction=mine["undo"] + 1)["changes"] == [
        "withdrawn: beta uses npm",
        "withdrawn: note “b”",
        "withdrawn: beta (unknown)",
    ]


def test_undo_is_refused_if_a_later_transaction_changed_the_same_fact(agent: Agent) -> None:
    npm(agent.memory)
    later = agent.do("correct", fact="acme-web uses npm", mode="ended")["undo"]
    error = agent.fail("undo", "conflict", transaction=1)
    assert error["next"] == f"Undo {later} first; or use `correct` on the fact."
    agent.fail("undo", "not_found", transaction=99)
    agent.do("undo", transaction=later)
    error = agent.fail("undo", "conflict", transaction=later)
    assert f"Undo {agent.tx} to do it again" in error["next"]


def test_undo_keeps_what_later_changes_use(agent: Agent) -> None:
    npm(agent.memory)
    take_line(agent.memory, {"facts": [fact("acme-web", "owner", "Ada")]})
    assert agent.do("undo", transaction=1)["kept"] == ["acme-web (unknown)"]


def test_a_fact_is_found_by_id_or_text_and_others_are_proposed(agent: Agent) -> None:
    tell(agent.memory, *(fact("acme-web", "uses", each) for each in ("npm", "make")), id="a")
    missing = agent.fail("correct", "not_found", fact="acme-web uses yarn", mode="wrong")
    assert {each["text"] for each in missing["candidates"]} == {"acme-web uses npm", "acme-web uses make"}
    several = agent.fail("correct", "ambiguous", fact="acme-web uses", mode="wrong")
    assert len(several["candidates"]) == 2
    assert agent.do("correct", fact=several["candidates"][0]["id"], mode="wrong")["after"][0]["state"] == "retracted"
    agent.fail("correct", "not_found", fact="nothing of the kind", mode="wrong")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"mode": "changed"}, "value"),
        ({"mode": "ended", "value": "pnpm"}, "value"),
        ({"mode": "wrong", "object": "npm"}, "value"),
        ({"mode": "wrong", "value": "a", "object": "b"}, "object"),
        ({"mode": "ended", "when": "the day of the heron"}, "when"),
        ({"mode": "gone"}, "mode"),
        ({"mode": "ended", "until": "2026"}, "until"),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused(agent: Agent, arguments: Json, field: str) -> None:
    npm(agent.memory)
    assert agent.fail("correct", "invalid_input", fact="acme-web uses npm", **arguments)["field"] == field


def test_a_corrected_number_is_a_value(agent: Agent) -> None:
    tell(agent.memory, fact("Ada", "rent", {"literal": "900"}, predicate="rent"), id="a")
    done = agent.do("correct", fact="Ada's rent is 900", mode="changed", value=950, when="2026-06")
    assert [each["text"] for each in done["after"]] == ["Ada's rent is 900", "Ada's rent is 950"]


def test_an_item_that_has_ended_is_done(agent: Agent) -> None:
    item = fact("Ada", "commitment", "Boat", "Ada paints the hull", label="ASSERTED", valid_until="2026-06-01")
    tell(agent.memory, item, id="a", source_at="2026-05-01T00:00:00Z")
    done = agent.do("correct", fact="Ada paints the hull", mode="ended")
    assert [each["text"] for each in done["after"]] == ["Ada paints the hull", "Done: Ada paints the hull"]
    facts = agent.do("get_facts", "pearscarf", entity="Ada", edge_label="ASSERTED")
    assert facts["facts"] == []


def test_an_item_is_found_by_its_own_words_without_its_subject(agent: Agent) -> None:
    items = ["order a birthday cake for Helga", "order a birthday card for Jonas"]
    facts = [{"subject": "me", "predicate": "commitment", "value": each} for each in items]
    agent.do("remember", facts=[*facts, {"subject": "Helga", "predicate": "lives_in", "object": "Graz"}])
    done = agent.do("correct", fact="Order a birthday cake for Helga", mode="ended")
    assert done["after"][0]["state"] == "done"
    error = agent.fail("correct", "not_found", fact="order birthday balloons", mode="ended")
    assert "birthday card" in str(error["candidates"])


def test_text_that_names_no_subject_gets_the_nearest_facts(agent: Agent) -> None:
    agent.do("remember", facts=[{"subject": "Helga", "predicate": "lives_in", "object": "Graz"}])
    agent.do("recall", query="Helga")
    error = agent.fail("correct", "not_found", fact="she lives near Graz somewhere", mode="ended")
    assert "Graz" in str(error["candidates"])


def test_a_hidden_fact_is_gone_everywhere_until_undo(agent: Agent) -> None:
    npm(agent.memory)
    done = agent.do("forget", target="acme-web uses npm")
    assert (done["status"], done["target"]["kind"], done["counts"]) == (
        "hidden",
        "fact",
        {"facts": 1, "documents": 0, "entities": 0},
    )
    assert agent.do("get_facts", "pearscarf", entity="acme-web", include_stale=True)["facts"] == []
    assert agent.do("graph_edge_get", "entity-core", includeDeleted=True)["edges"] == []
    ident = done["target"]["id"]
    assert agent.do("graph_edge_get", "entity-core", id=ident, includeDeleted=True)["edges"] == []
    agent.fail("forget", "not_found", target=done["target"]["id"])
    agent.fail("correct", "not_found", fact=done["target"]["id"], mode="wrong")
    agent.do("undo", transaction=done["undo"])
    assert texts(agent.memory, "acme-web") == ["acme-web uses npm"]


def test_a_hidden_document_takes_the_facts_that_only_it_states(agent: Agent) -> None:
    both, alone = fact("acme-web", "uses", "npm"), fact("acme-web", "owner", "Ada")
    tell(agent.memory, both, alone, id="a", content="acme-web uses npm; Ada owns it.", title="Letter")
    tell(agent.memory, both, id="b", content="acme-web uses npm.")
    done = agent.do("forget", target="a")
    assert (done["target"]["kind"], done["target"]["text"], done["counts"]) == (
        "note",
        "Letter",
        {"facts": 2, "documents": 1, "entities": 0},
    )
    assert [row.text for row in facts_of(agent.memory, "acme-web", every=True)] == ["acme-web uses npm"]
    again: Json = {"id": "a", "content": "acme-web uses npm; Ada owns it, and pays for it.", "title": "Letter"}
    assert not tell(agent.memory, both, alone, **again)
    assert [row.text for row in facts_of(agent.memory, "acme-web", every=True)] == ["acme-web uses npm"]
    agent.do("undo")
    assert sorted(texts(agent.memory, "acme-web")) == ["acme-web owner Ada", "acme-web uses npm"]


def test_a_hidden_entity_is_gone_everywhere_until_undo(agent: Agent) -> None:
    npm(agent.memory)
    done = agent.do("forget", target="ACME-WEB")
    assert (done["target"]["kind"], done["counts"]) == ("entity", {"facts": 1, "documents": 0, "entities": 1})
    nodes = agent.do("graph_node_list", "entity-core", includeDeleted=True)["nodes"]
    assert [node["label"] for node in nodes] == ["npm"]
    node = agent.answer("graph_node_get", {"id": done["target"]["id"], "includeDeleted": True}, "entity-core")
    assert node.structured.get("node") is None
    assert agent.do("history", about="acme-web", clock="knowledge")["entries"][-1]["change"] == "hidden"
    agent.do("undo")
    assert texts(agent.memory, "acme-web") == ["acme-web uses npm"]


def test_a_hidden_memory_is_not_listed_among_the_deleted(agent: Agent) -> None:
    day = {"granularity": "daily", "date": "2026-05-12", "instanceId": "desk"}
    agent.do("memory_create", "entity-core", content="- Noor lit the kiln", **day)
    done = agent.do("forget", target="daily-2026-05-12_desk")
    assert done["target"]["kind"] == "memory"
    assert agent.do("memory_list", "entity-core", includeDeleted=True)["memories"] == []
    assert (
        agent.answer("memory_create", {"content": "- Noor lit the kiln", **day}, "entity-core").structured["success"]
        is False
    )
    agent.do("undo")
    assert len(agent.do("memory_list", "entity-core")["memories"]) == 1


def test_erasing_takes_two_calls_for_the_same_target_within_ten_minutes(agent: Agent, clock: MovingClock) -> None:
    tell(agent.memory, fact("Ada", "owner", "Boat"), id="a", content="Ada owns the Zarathustrian boat.")
    tell(agent.memory, fact("Bob", "owner", "Loom"), id="b", content="Bob owns the loom.")
    asked = agent.do("forget", target="a", erase=True)
    other = agent.do("forget", target="b", erase=True)
    assert (asked["status"], asked["counts"]["documents"]) == ("needs_confirmation", 1)
    assert agent.tx == 2
    agent.fail("forget", "invalid_input", target="a", erase=True, confirm=other["confirm"])
    agent.fail("forget", "invalid_input", target="a", erase=True, confirm="yes")
    agent.fail("forget", "invalid_input", target="a", confirm=asked["confirm"])
    clock.set("2026-05-20T10:10:01Z")
    late = agent.fail("forget", "invalid_input", target="a", erase=True, confirm=asked["confirm"])
    assert "expired" in late["message"]
    fresh = agent.do("forget", target="a", erase=True)
    clock.set("2026-05-20T10:20:00Z")
    erased = agent.answer("forget", {"target": "a", "erase": True, "confirm": fresh["confirm"]})
    assert erased.structured["status"] == "erased"
    assert "undo" not in erased.structured
    assert "Zarathustrian" not in str(erased)
    agent.fail("forget", "not_found", target="a", erase=True)
    agent.fail("undo", "conflict", transaction=agent.tx)


def test_a_person_who_agreed_is_not_asked_again(agent: Agent) -> None:
    tell(agent.memory, id="a", content="Ada owns the boat.")
    agreed = Agent(agent.memory.with_parts(is_confirmed=True))
    assert agreed.do("forget", target="a", erase=True)["status"] == "erased"


def test_an_ambiguous_target_lists_candidates(agent: Agent) -> None:
    for number in (1, 2):
        take_line(
            agent.memory,
            {"entities": [{"name": "Sam", "type": "Person", "metadata": {"email": f"s{number}@x.example"}}]},
        )
    assert len(agent.fail("forget", "ambiguous", target="Sam")["candidates"]) == 2
    agent.fail("forget", "not_found", target="Nobody")


def test_history_tells_both_clocks(agent: Agent, clock: MovingClock) -> None:
    npm(agent.memory, valid_from="2025")
    clock.set("2026-05-21T10:00:00Z")
    agent.do("correct", fact="acme-web uses npm", mode="changed", object="pnpm", reason="chat")
    world = agent.do("history", about="acme-web")
    assert world["about"]["name"] == "acme-web"
    assert [(each["when"], each["change"], each["text"]) for each in world["entries"]] == [
        ("2025", "began", "acme-web uses npm"),
        ("2026-05-20", "ended", "acme-web uses npm"),
        ("2026-05-21", "began", "acme-web uses pnpm"),
    ]
    known = agent.do("history", clock="knowledge", since="today")
    assert [(each["change"], each["transaction"], each["source"]) for each in known["entries"]] == [
        ("replaced", 2, "chat"),
        ("learned", 2, "chat"),
    ]
    one = agent.do("history", about=known["entries"][0]["fact"], clock="knowledge")
    assert [each["change"] for each in one["entries"]] == ["learned", "replaced"]
    assert agent.do("history", clock="knowledge", limit=1)["truncated"] is True
    assert agent.do("history", since="2030") == {"clock": "world", "entries": [], "truncated": False}
    assert agent.fail("history", "invalid_input", limit=900)["example"] == {"limit": 500}
    agent.fail("history", "not_found", about="Nobody")
    agent.fail("history", "invalid_input", since="whenever")


def test_history_of_the_world_says_how_many_facts_have_no_date(agent: Agent) -> None:
    undated = [{"subject": "Helga", "predicate": "likes", "value": each} for each in ("tea", "chess")]
    dated = {"subject": "Helga", "predicate": "lives_in", "object": "Graz", "valid_from": "2020"}
    agent.do("remember", facts=[*undated, dated])
    shown = agent.answer("history", {"about": "Helga"}).texts[0]
    assert "Graz" in shown
    assert "2 facts are known without a date; `clock: knowledge`" in shown
    assert "without a date" not in agent.answer("history", {"about": "Helga", "clock": "knowledge"}).texts[0]


def test_the_end_of_a_fact_that_has_ended_is_corrected_only_by_a_given_time(agent: Agent) -> None:
    npm(agent.memory, valid_from="2024", valid_until="2025-03")
    ident = facts_of(agent.memory, "acme-web", every=True)[0].fact.id
    assert agent.fail("correct", "invalid_input", fact=ident, mode="ended")["field"] == "when"
    old, new = agent.do("correct", fact=ident, mode="changed", object="pnpm")["after"]
    assert (old["until"], new["since"]) == ("2025-03", "2026-05-20")
    assert agent.do("correct", fact=ident, mode="ended", when="2025-06")["after"][0]["until"] == "2025-05"


def test_a_world_with_its_own_calendar_is_corrected_in_its_own_time(agent: Agent) -> None:
    builder = Builder(agent.memory).tides()
    stated = {"from": "Halden", "relation": "RULED_BY", "to": "Mira", "valid_from": "second_tide.year_64"}
    ident = builder.do("add_relation", **stated)["id"]
    changed = agent.do("correct", fact=ident, mode="changed", object="Sela", when="second_tide.year_70")
    old, new = changed["after"]
    assert (old["until"], new["since"]) == ("second_tide.year_69", "second_tide.year_70")
    assert agent.do("correct", fact=new["id"], mode="ended")["after"][0]["until"] == "second_tide.year_79"
    assert [each["when"] for each in agent.do("history", about="Mira")["entries"]] == [
        "second_tide.year_64",
        "second_tide.year_69",
        "second_tide.year_70",
        "second_tide.year_79",
    ]
    known = agent.do("history", about="Mira", clock="knowledge", since="2026-05-20", until="today")
    assert [each["change"] for each in known["entries"]] == ["learned", "replaced", "learned", "ended"]


def test_the_text_of_a_history_names_the_eras_of_a_world(agent: Agent) -> None:
    builder = Builder(agent.memory).tides()
    stated = {"from": "Halden", "relation": "RULED_BY", "to": "Mira", "valid_from": "second_tide.year_64"}
    builder.do("add_relation", **stated)
    answer = agent.answer("history", {"about": "Halden"})
    assert answer.structured["entries"][0]["when"] == "second_tide.year_64"
    assert answer.texts[0].startswith("- 64 ST ")


@pytest.mark.parametrize(
    ("tool", "arguments", "example"),
    [
        ("recall", {"query": "rent", "kinds": ["facts", "fact"]}, {"query": "rent", "kinds": ["facts"]}),
        ("recall", {"query": "rent", "kinds": ["fact"]}, {"query": "rent"}),
        ("recall", {"query": "rent", "since": "2027", "until": "2020"}, {"query": "rent", "since": "2027"}),
        ("recall", {"query": "rent", "about": "Nobody", "at": "whenever"}, {"query": "rent", "about": "Nobody"}),
        ("recall", {"query": "rent", "since": "3 days"}, {"query": "rent"}),
        ("history", {"since": "2027", "until": "2020"}, {"since": "2027"}),
        ("open_items", {"kinds": ["todo"]}, {}),
        ("review", {"kind": "conflicts", "limit": 5}, {"limit": 5}),
        ("review", {"limit": 0}, {"limit": 1}),
        ("review", {"knd": "conflict"}, {}),
        ("history", {"about": "acme-web", "clock": "knowledge", "limit": 900}, {"clock": "knowledge", "limit": 500}),
        ("history", {"about": "acme-web", "since": "whenever", "limit": 900}, {"limit": 500}),
        ("open_items", {"owner": "zz", "limit": 0}, {"limit": 1}),
        ("review", {"about": "zz", "limit": 0}, {"limit": 1}),
        ("unread", {"about": "zz", "limit": 0}, {"limit": 1}),
    ],
)
def test_a_refused_read_says_how_to_ask(
    agent: Agent, tool: str, arguments: dict[str, Any], example: dict[str, Any]
) -> None:
    assert agent.fail(tool, "invalid_input", **arguments)["example"] == example


def test_a_refused_write_does_not_wait_for_another_writer_to_try_its_example(agent: Agent) -> None:
    is_writing, is_answered = threading.Event(), threading.Event()

    def write() -> None:
        with agent.memory.write():
            is_writing.set()
            is_answered.wait()

    npm(agent.memory)
    call = {"fact": "acme-web uses npm", "mode": "ended"}
    refused = {**call, "extra": 3}
    assert agent.answer("correct", refused).structured["error"]["example"] == call
    writer = threading.Thread(target=write)
    writer.start()
    is_writing.wait()
    try:
        error = agent.answer("correct", refused).structured["error"]
    finally:
        is_answered.set()
        writer.join()
    assert (error["field"], "example" in error) == ("extra", False)


CLAIM = {"subject": "Ada", "predicate": "likes", "value": "tea"}


@pytest.mark.parametrize(
    ("tool", "arguments", "example"),
    [
        ("correct", {"fact": "nonexistent thing", "mode": "ended", "extra": 3}, None),
        ("forget", {"target": "nonexistent thing", "erase": True, "confirm": "x", "extra": 3}, None),
        ("undo", {"transaction": 999, "extra": 3}, None),
        ("remember", {"facts": [{**CLAIM, "bogus": 1, "more": 2}]}, {"facts": [CLAIM]}),
        ("remember", {"facts": [{**CLAIM, "confidence": "Stated."}]}, {"facts": [{**CLAIM, "confidence": "stated"}]}),
        ("remember", {"facts": [{**CLAIM, "confidence": "maybe"}]}, {"facts": [{**CLAIM, "confidence": "inferred"}]}),
        ("remember", {"facts": [{**CLAIM, "confidence": 2, "valid_from": "whenever"}]}, None),
        ("remember", {"facts": [{**CLAIM, "bogus": 1, "replaces": "fact_01"}]}, None),
    ],
)
def test_the_example_of_a_refused_write_is_accepted_or_absent(
    agent: Agent, tool: str, arguments: dict[str, Any], example: dict[str, Any] | None
) -> None:
    assert agent.fail(tool, "invalid_input", **arguments).get("example") == example


def test_the_right_value_replaces_what_the_wrong_one_replaced(agent: Agent, clock: MovingClock) -> None:
    agent.do("remember", facts=[{"subject": "me", "predicate": "rent", "value": "900"}])
    clock.set("2026-05-20T11:00:00Z")
    agent.do("remember", facts=[{"subject": "me", "predicate": "rent", "value": "950"}])
    agent.do("correct", fact="my rent is 950", mode="wrong", value="960")
    found = agent.do("recall", query="what is my rent")["results"]
    states = {each["text"].rpartition(" ")[2]: each["state"] for each in found if each["kind"] == "fact"}
    assert states["960"] == "current"
    assert states.get("900", "stale") == "stale"
    agent.do("undo")
    agent.do("correct", fact="my rent is 950", mode="wrong")
    [left] = agent.do("recall", query="what is my rent")["results"]
    assert (left["text"].rpartition(" ")[2], left["state"]) == ("900", "current")


def test_facts_that_share_only_the_name_of_their_subject_are_not_proposed(agent: Agent) -> None:
    agent.do("remember", facts=[{"subject": "Nora Lind", "predicate": "commitment", "value": "buy milk"}])
    error = agent.fail("correct", "not_found", fact="Nora's locker code", mode="wrong")
    assert "milk" not in str(error.get("candidates"))


def test_an_event_that_is_still_to_come_is_due(agent: Agent) -> None:
    events = (("Opening", "2026-05-01"), ("Launch", "2027-02-15"))
    told = [fact(name, "event", None, f"{name} day", label="TRANSITIONED", valid_from=day) for name, day in events]
    tell(agent.memory, *told, id="a")
    changes = {each["text"]: each["change"] for each in agent.do("history")["entries"]}
    assert changes == {"Opening day": "happened", "Launch day": "due"}


def test_a_denial_by_the_owner_ends_the_fact_that_it_denies(agent: Agent) -> None:
    agent.do("remember", text="I'm allergic to shellfish. I'm allergic to nuts.")
    told = agent.do("remember", text="I'm not allergic to shellfish.")
    assert [(each["text"], each["state"]) for each in told["denied"]] == [("I am allergic to shellfish", "ended")]
    assert [each["text"] for each in told["facts"]] == ["I am allergic to shellfish"]
    held = agent.do("recall", query="allergic", about="me", kinds=["facts"])["results"]
    assert {each["text"]: each["state"] for each in held}["I am allergic to nuts"] == "current"
    assert "denied" not in agent.do("remember", text="I'm not fond of opera.")


def test_a_value_from_a_later_day_replaces_what_would_hold_then(agent: Agent) -> None:
    def rides(what: str, since: str) -> Json:
        said = {"subject": "Emmy", "predicate": "rides", "value": what, "valid_from": since, "replaces": True}
        [told] = agent.do("remember", facts=[said])["facts"]
        return {"outcome": told["outcome"], **{each["text"]: each.get("until") for each in told.get("replaced", [])}}

    assert rides("bus", "2025") == {"outcome": "recorded"}
    assert rides("bike", "2027-09-07") == {"outcome": "replaced", "Emmy rides bus": "2027-09-06"}
    assert rides("scooter", "2027-10-07") == {"outcome": "replaced", "Emmy rides bike": "2027-10-06"}
    assert rides("pony", "2027-10-07") == {"outcome": "replaced", "Emmy rides scooter": None}
    assert agent.do("recall", query="Emmy rides", at="2027-12", kinds=["facts"])["results"][0]["text"] == (
        "Emmy rides pony"
    )


@pytest.mark.parametrize("target", ["the alarm code", "my alarm code", "The alarm code is 4417"])
def test_what_is_to_be_forgotten_is_proposed_where_its_text_is_not_exact(agent: Agent, target: str) -> None:
    [fact_] = agent.do("remember", text="The alarm code is 4417.")["facts"]
    error = agent.fail("forget", "not_found", target=target)
    assert [each["id"] for each in error["candidates"]] == [fact_["id"]]
