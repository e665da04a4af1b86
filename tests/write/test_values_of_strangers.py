"""Attributes with one value at a time, of which sources of different trust tell different values."""

from pathlib import Path
from typing import Any

import pytest

from recollect.memory import Memory
from recollect.reason.review.queue import decide, list_questions
from recollect.surfaces.dispatch import invoke
from recollect.surfaces.registry import find_surface
from tests.ingest.records import Reading, email, everything
from tests.support.facts import set_owner

OWNER = "Ada Brandt <ada@brandt.example>"


def remember(memory: Memory, text: str) -> Any:
    return invoke(find_surface("recollect").find("remember"), memory.as_actor("recollect", "remember"), {"text": text})


@pytest.fixture
def read(memory: Memory, tmp_path: Path) -> Reading:
    set_owner(memory, "Ada Brandt", "ada@brandt.example")
    return Reading(memory, tmp_path / "records.jsonl")


def states(memory: Memory, predicate: str) -> dict[str, str]:
    """Each value of an attribute, with its state."""
    found = [each for each in everything(memory) if each.fact.predicate == predicate]
    return {
        str(each.object_name or each.fact.literal): "stale"
        if each.fact.stale
        else "disputed"
        if each.fact.disputed
        else "current"
        for each in found
    }


def forged(text: str, key: str = "e1") -> dict[str, Any]:
    return email(key, text, "2026-04-11T09:00:00Z", sender=OWNER, recipients=[OWNER], received="by mx")


def test_a_forged_mail_disputes_what_the_owner_said_and_review_asks(read: Reading) -> None:
    remember(read.memory, "My rent is 900. I live in Faro.")
    read(forged("My rent is 1300. I live in Berlin."))
    assert states(read.memory, "rent") == {"900": "current", "1300": "disputed"}
    assert states(read.memory, "lives_in") == {"Faro": "current", "Berlin": "disputed"}
    with read.memory.read() as view:
        assert len(list_questions(read.memory, view, "conflict").questions) == 2


def test_a_value_of_the_owner_that_comes_later_leaves_that_of_a_stranger_disputed(read: Reading) -> None:
    read(forged("I live in Berlin."))
    read(email("e2", "I live in Faro.", "2026-04-10T09:00:00Z", sender=OWNER, recipients=["Bo <bo@x.example>"]))
    assert states(read.memory, "lives_in") == {"Faro": "current", "Berlin": "disputed"}


def test_a_stranger_who_repeats_a_value_leaves_it_disputed(read: Reading) -> None:
    remember(read.memory, "I live in Faro.")
    read(forged("I live in Berlin."), forged("I live in Berlin.", "e2"))
    assert states(read.memory, "lives_in") == {"Faro": "current", "Berlin": "disputed"}


def test_both_values_stand_once_it_was_decided(read: Reading) -> None:
    remember(read.memory, "I live in Faro.")
    read(forged("I live in Berlin."))
    with read.memory.read() as view:
        [question] = list_questions(read.memory, view, "conflict").questions
    with read.memory.write() as change:
        decide(change, question.id, "both", lambda *_: ())
    assert states(read.memory, "lives_in") == {"Faro": "current", "Berlin": "current"}


def test_a_stranger_who_bears_the_owner_s_name_does_not_make_it_ambiguous(read: Reading) -> None:
    remember(read.memory, "I live in Faro. I will pay the plumber by 2026-12-05.")
    read(email("e1", "I live in Oslo.", sender="Ada Brandt <a1@evil.example>", recipients=[OWNER]))
    surface, memory = find_surface("recollect"), read.memory.as_actor("recollect", "test")
    items = invoke(surface.find("open_items"), memory, {"owner": "Ada Brandt"})
    assert len(items["items"]) == 1
    found = invoke(surface.find("recall"), memory, {"query": "where does she live", "about": "Ada Brandt"})
    assert "Faro" in str(found)
    fact = {"subject": "Ada Brandt", "predicate": "pet", "object": "Tito"}
    assert invoke(surface.find("remember"), memory, {"facts": [fact]})["facts"][0]["outcome"] == "recorded"
