"""What `forget` and `undo` do to facts and notes, and what `forget` leaves of the texts that state them."""

from typing import Any

import pytest

from recollect.memory import Memory
from recollect.model.ids import format_fact_id
from recollect.write.entity_refs import NamedRef, create
from tests.support.facts import fact, facts_of, tell
from tests.surfaces.recollect.test_changing import Agent

Json = dict[str, Any]


@pytest.fixture
def agent(memory: Memory) -> Agent:
    return Agent(memory)


def erase(agent: Agent, target: str) -> tuple[Json, Json]:
    """The question before an erasure and its result."""
    asked = agent.do("forget", target=target, erase=True)
    return asked, agent.do("forget", target=target, erase=True, confirm=asked["confirm"])


def test_erasing_the_only_fact_of_a_note_erases_the_note(agent: Agent) -> None:
    stored = agent.do("remember", text="My gym pin is 5511.")
    asked, done = erase(agent, stored["facts"][0]["id"])
    assert (asked["counts"]["documents"], done["counts"]["documents"]) == (1, 1)
    assert "still_in" not in asked
    assert "still_in" not in done
    assert agent.do("recall", query="What is my gym pin?")["results"] == []
    assert "5511" not in str(agent.do("history", clock="knowledge"))
    agent.fail("forget", "not_found", target=stored["note"])


def test_a_note_that_says_more_than_the_erased_fact_is_named(agent: Agent) -> None:
    stored = agent.do("remember", text="My gym pin is 5511. The boiler hums whenever the cellar door stands open.")
    asked = agent.answer("forget", {"target": stored["facts"][0]["id"], "erase": True})
    assert asked.structured["still_in"] == [stored["note"]]
    assert stored["note"] in asked.texts[0]
    token = asked.structured["confirm"]
    done = agent.answer("forget", {"target": stored["facts"][0]["id"], "erase": True, "confirm": token})
    assert (done.structured["counts"]["documents"], done.structured["still_in"]) == (0, [stored["note"]])
    assert stored["note"] in done.texts[0]
    erase(agent, done.structured["still_in"][0])
    assert "5511" not in str(agent.do("recall", query="What is my gym pin?"))


MIXED = "I'm allergic to penicillin. Lena lives in Porto."


@pytest.mark.parametrize("target", ["fact", "entity"])
def test_what_was_erased_is_not_shown_in_notes_that_stay(agent: Agent, target: str) -> None:
    stored = agent.do("remember", text=MIXED)
    lena = next(each["id"] for each in stored["entities"] if each["name"] == "Lena")
    _, done = erase(agent, lena if target == "entity" else stored["facts"][1]["id"])
    assert done["still_in"] == [stored["note"]]
    assert "Porto" not in str(agent.do("recall", query="where does Lena live")["results"])
    assert "penicillin" in str(agent.do("recall", query="what am I allergic to")["results"])
    assert "Porto" not in str(agent.do("unread")["passages"])


@pytest.mark.parametrize("text", [MIXED, "Lena lives in Porto.", "Note that Lena works at Arko."])
def test_a_text_that_says_what_was_erased_is_not_kept(agent: Agent, text: str) -> None:
    stored = agent.do("remember", text=MIXED)
    lena = next(each["id"] for each in stored["entities"] if each["name"] == "Lena")
    erase(agent, lena)
    erase(agent, stored["note"])
    assert "erased" in agent.fail("remember", "invalid_input", text=text)["message"]
    assert agent.do("recall", query="where does Lena live")["results"] == []


def test_another_of_an_erased_name_may_be_told_of_by_a_fuller_one(agent: Agent) -> None:
    erase(agent, next(each["id"] for each in agent.do("remember", text=MIXED)["entities"] if each["name"] == "Lena"))
    refused = agent.fail("remember", "invalid_input", text="Lena works at Arko.")
    assert "fuller" in refused["next"]
    assert agent.do("remember", text="Lena Hofmann works at Arko.")["facts"][0]["text"] == "Lena Hofmann works at Arko"


def test_a_sentence_that_stated_what_was_erased_is_kept_in_no_text(agent: Agent) -> None:
    stored = agent.do("remember", text=MIXED)
    erase(agent, stored["facts"][1]["id"])
    refused = agent.fail("remember", "invalid_input", text="The oven is hot. Lena lives in Porto!")
    assert "erased" in refused["message"]
    assert agent.do("recall", query="is the oven hot")["results"] == []
    [kept] = agent.do("remember", text="Lena plays chess.")["facts"]
    assert kept["state"] == "current"


def test_another_note_with_the_words_of_an_erased_one_is_named(agent: Agent) -> None:
    texts = (
        "The door code is 4711.",
        "Buy oats. Door code: 4711, ask Ada.",
        "The door code has changed.",
        "The door code is 4712.",
    )
    notes = [agent.do("remember", text=each)["note"] for each in texts]
    asked, done = erase(agent, notes[0])
    assert (asked["still_in"], done["still_in"]) == ([notes[1]], [notes[1]])


def test_a_document_that_states_the_erased_fact_stays_and_is_named(agent: Agent) -> None:
    tell(agent.memory, fact("Ada", "lives_in", {"name": "Porto"}), id="mail-1", content="Ada lives in Porto.")
    [known] = facts_of(agent.memory, "Ada")
    asked, done = erase(agent, format_fact_id(known.fact.id))
    assert done["counts"]["documents"] == 0
    assert len(done["still_in"]) == 1
    assert asked["still_in"] == done["still_in"]


def test_a_confirmation_does_not_cover_a_note_that_came_later(agent: Agent) -> None:
    ident = agent.do("remember", text="My gym pin is 5511.")["facts"][0]["id"]
    asked = agent.do("forget", target=ident, erase=True)
    agent.do("remember", text="My gym pin is 5511.")
    refused = agent.fail("forget", "invalid_input", target=ident, erase=True, confirm=asked["confirm"])
    assert "confirm" in refused["message"]
    assert "5511" in str(agent.do("recall", query="What is my gym pin?")["results"])


def test_undo_after_an_erasure_names_the_change_before_it(agent: Agent) -> None:
    kept = agent.do("remember", text="My bike is blue.")
    erase(agent, agent.do("remember", text="My gym pin is 5511.")["facts"][0]["id"])
    error = agent.fail("undo", "conflict")
    assert "cannot be undone" in error["message"]
    named = [word for word in error["next"].rstrip(".").split() if word.isdigit()]
    assert len(named) == 1
    assert int(named[0]) >= kept["undo"]
    agent.do("undo", transaction=int(named[0]))
    agent.do("undo", transaction=kept["undo"])


def test_undo_after_an_erasure_reaches_later_changes(agent: Agent) -> None:
    erase(agent, agent.do("remember", text="My gym pin is 5511.")["facts"][0]["id"])
    later = agent.do("remember", text="My bike is blue.")
    assert agent.do("undo")["undone"] == later["undo"]
    agent.fail("undo", "conflict")


def test_a_note_about_a_hidden_entity_is_not_recalled_until_undo(agent: Agent) -> None:
    agent.do("remember", text="Jonas works at AVL.")
    agent.do("forget", target="Jonas")
    assert agent.do("recall", query="Where does Jonas work?")["results"] == []
    assert agent.do("recall", query="AVL", kinds=["notes"])["results"] == []
    agent.do("undo")
    assert "Jonas" in str(agent.do("recall", query="Where does Jonas work?")["results"])


def test_a_note_that_also_states_something_else_is_still_recalled(agent: Agent) -> None:
    agent.do("remember", text="Jonas works at AVL. Helga lives in Graz.")
    agent.do("forget", target="Jonas")
    assert "Graz" in str(agent.do("recall", query="Where does Helga live?", kinds=["notes"])["results"])


@pytest.mark.parametrize("erase", [False, True])
def test_the_owner_is_forgotten_only_by_id(agent: Agent, erase: bool) -> None:
    agent.do("remember", text="I live in Graz.")
    error = agent.fail("forget", "invalid_input", target="me", erase=erase)
    ident = next(word for word in error["next"].split() if word.startswith("ent_"))
    assert agent.do("forget", target=ident)["target"]["kind"] == "entity"


@pytest.mark.parametrize("name", ["Bo", "X"])
def test_facts_of_somebody_with_a_short_name_are_found_by_their_text(agent: Agent, name: str) -> None:
    agent.do("remember", facts=[{"subject": name, "predicate": "uses", "value": each} for each in ("vim", "jq")])
    corrected = agent.do("correct", fact=f"{name} uses jq", mode="ended")
    hidden = agent.do("forget", target=f"{name} uses vim")
    assert (corrected["before"]["text"], hidden["target"]["text"]) == (f"{name} uses jq", f"{name} uses vim")


def test_undo_names_a_fact_that_was_held(agent: Agent) -> None:
    with agent.memory.write() as change:
        for address in ("a@x.example", "b@x.example"):
            create(change, NamedRef("Lena", "person", properties={"email": address}))
    held = agent.do("remember", facts=[{"subject": "Lena", "predicate": "uses", "value": "vim"}])
    undone = agent.do("undo")
    again = agent.do("undo", transaction=undone["undo"])
    assert (held["facts"][0]["outcome"], undone["changes"], again["changes"]) == (
        "ambiguous",
        ["withdrawn: Lena uses vim (held in review)"],
        ["restored: Lena uses vim (held in review)"],
    )


def test_what_was_hidden_is_recalled_as_of_no_time(agent: Agent) -> None:
    first = agent.do("remember", facts=[{"subject": "Nils", "predicate": "uses", "value": "edlin"}])
    note = agent.do("remember", text="Nils owns a kayak. Nils speaks Danish.")
    agent.do("forget", target=first["facts"][0]["id"])
    agent.do("forget", target=note["facts"][0]["id"])
    then = agent.do("recall", query="Nils edlin kayak Danish", as_of=note["undo"])
    assert not any(word in str(then) for word in ("edlin", "kayak"))
    assert "Danish" in str(then)
    agent.do("forget", target=note["note"])
    assert agent.do("recall", query="Nils edlin kayak Danish", as_of=note["undo"])["results"] == []


def test_a_hidden_fact_that_is_told_again_says_that_it_was_hidden(agent: Agent) -> None:
    stored = agent.do("remember", text="Elin is allergic to peanuts.")
    agent.do("forget", target=stored["note"])
    answer = agent.answer("remember", {"text": "Note that Elin is allergic to peanuts."})
    assert answer.structured["facts"][0]["was_hidden"] is True
    assert "It was hidden by `forget`" in answer.texts[0]
    again = agent.do("remember", text="By the way, Elin is allergic to peanuts.")
    assert "was_hidden" not in again["facts"][0]


def test_a_hidden_text_that_is_told_again_is_a_new_note(agent: Agent) -> None:
    text = "Elin is allergic to peanuts. The garage smells of paint."
    stored = agent.do("remember", text=text)
    agent.do("forget", target=stored["note"])
    hidden = agent.do("recall", query="Elin peanuts garage paint")["results"]
    told = agent.do("remember", text=text)
    assert told["note"] != stored["note"]
    found = str(agent.do("recall", query="Elin peanuts garage paint")["results"])
    assert "peanuts" in found
    assert "paint" in found
    agent.do("undo", transaction=told["undo"])
    assert agent.do("recall", query="Elin peanuts garage paint")["results"] == hidden == []


def test_a_hidden_note_taken_in_again_from_the_same_source_stays_hidden_until_undo(agent: Agent) -> None:
    cv = {"text": "Elin works at Lumen. The garage smells of paint.", "source": "old cv"}
    stored = agent.do("remember", **cv)
    hidden = agent.do("forget", target=stored["note"])
    answer = agent.answer("remember", cv)
    assert answer.structured == {
        "note": stored["note"],
        "facts": [],
        "entities": [],
        "not_understood": [],
        "hidden": True,
    }
    assert "stays so" in answer.texts[0]
    assert agent.do("recall", query="Elin Lumen garage paint")["results"] == []
    assert agent.do("unread")["passages"] == []
    agent.do("undo", transaction=hidden["undo"])
    assert "Lumen" in str(agent.do("recall", query="Elin Lumen")["results"])


def test_facts_given_with_a_hidden_text_are_told_anew_and_may_quote_it(agent: Agent) -> None:
    note = {"text": "The garage smells of paint.", "source": "diary"}
    agent.do("forget", target=agent.do("remember", **note)["note"])
    smell = {"subject": "garage", "predicate": "smell", "value": "paint", "quote": "smells of paint"}
    told = agent.do("remember", **note, facts=[smell])
    assert [each["outcome"] for each in told["facts"]] == ["recorded"]
    assert [each["kind"] for each in agent.do("recall", query="garage paint")["results"]] == ["fact"]


def test_a_forgotten_fact_is_named_by_the_sentence_that_recall_shows(agent: Agent) -> None:
    [stored] = agent.do("remember", facts=[{"subject": "Elin", "predicate": "pin", "value": "4412"}])["facts"]
    asked = agent.do("forget", target=stored["id"], erase=True)
    hidden = agent.do("forget", target=stored["text"])
    assert asked["target"]["text"] == hidden["target"]["text"] == stored["text"] == "Elin's pin is 4412"


def test_a_hidden_text_from_another_source_is_told_anew(agent: Agent) -> None:
    text = "Elin works at Lumen."
    agent.do("forget", target=agent.do("remember", text=text, source="old cv")["note"])
    told = agent.do("remember", text=text, source="Elin herself")
    assert told["facts"][0]["was_hidden"] is True
    assert "Lumen" in str(agent.do("recall", query="Elin")["results"])


def test_a_hidden_fact_that_is_told_again_is_known_whenever_its_source_was_written(agent: Agent) -> None:
    text = "Elin is allergic to peanuts."
    stored = agent.do("remember", text=text)
    agent.do("forget", target=stored["facts"][0]["id"])
    [told] = agent.do("remember", text=text, source_at="2026-05-01")["facts"]
    assert (told["state"], told["was_hidden"], told["sources"]) == ("current", True, 2)
    assert "peanuts" in str(agent.do("recall", query="Elin peanuts")["results"])


def test_a_token_confirms_the_erasure_of_its_own_target_only(agent: Agent) -> None:
    stored = agent.do("remember", text="My gym pin is 5511.")
    asked = agent.do("forget", target=stored["note"], erase=True)
    fact_id = stored["facts"][0]["id"]
    refused = agent.fail("forget", "invalid_input", target=fact_id, erase=True, confirm=asked["confirm"])
    assert "confirm" in refused["message"]
    assert "5511" in str(agent.do("recall", query="What is my gym pin?")["results"])
    erased = agent.do("forget", target=stored["note"], erase=True, confirm=asked["confirm"])
    assert erased["counts"]["documents"] == 1


def test_a_change_is_not_done_again_while_its_entity_is_undone(agent: Agent) -> None:
    agent.do("remember", facts=[{"subject": "Nils", "predicate": "uses", "value": "vim"}])
    agent.do("remember", facts=[{"subject": "Nils", "predicate": "uses", "value": "ed"}])
    second, first = agent.do("undo"), agent.do("undo")
    problem = agent.fail("undo", "conflict", transaction=second["undo"])
    assert str(first["undo"]) in problem["next"]
    agent.do("undo", transaction=first["undo"])
    agent.do("undo", transaction=second["undo"])
    assert len(agent.do("recall", query="Nils uses")["results"]) == 2


def test_others_say_nothing_of_a_hidden_entity_until_undo(agent: Agent) -> None:
    lena = {"subject": "Lena Voss"}
    agent.do(
        "remember",
        facts=[
            {"subject": {"name": "Ben Okri", "type": "person"}, "predicate": "works_at", "object": "Acme"},
            {**lena, "predicate": "remark", "value": "Ben Okri is late"},
            {**lena, "predicate": "commitment", "value": "send Ben Okri the plan"},
            {**lena, "predicate": "remark", "value": "Ben Okri Smith is fine"},
            {"subject": "Ben Okri Smith", "predicate": "likes", "value": "tea"},
        ],
    )
    agent.do("remember", text="Lena Voss told me that Ben Okri snores. Gronk the benefit sideways.")

    def shown() -> list[str]:
        found = agent.do("recall", query="Ben Okri Smith and Lena Voss")["results"]
        lists = [*found, *agent.do("open_items")["items"], *agent.do("unread")["passages"]]
        return sorted(each["text"] for each in lists)

    before = shown()
    assert agent.do("forget", target="Ben Okri")["counts"] == {"facts": 3, "documents": 0, "entities": 1}
    assert shown() == [
        "Ben Okri Smith likes tea",
        "Lena Voss' remark is Ben Okri Smith is fine",
        "… Gronk the benefit sideways.",
        "… Gronk the benefit sideways.",
    ]
    agent.do("undo")
    assert shown() == before


@pytest.mark.every_case
def test_undoing_the_hiding_of_a_promise_leaves_it_done(agent: Agent) -> None:
    promised = agent.do("remember", text="I'll call the landlord by 30 May.")
    agent.do("remember", text="I called the landlord.")
    before = agent.do("open_items", include_closed=True)
    agent.do("forget", target=promised["note"])
    agent.do("undo")
    assert agent.do("open_items", include_closed=True) == before
    assert [each["state"] for each in before["items"]] == ["done"]
