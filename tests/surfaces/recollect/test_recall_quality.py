"""How well recall answers, with the bundled embedder: paraphrases, unrelated questions, changed values."""

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.memory import Memory
from recollect.write.owner import apply_owner_settings
from tests.support.calls import asking
from tests.support.facts import fact, tell
from tests.support.properties import a_share

SETS = Path(__file__).parents[3] / "evals" / "recall"
ENOUGH = 0.9

ask = asking("recollect")


def results(memory: Memory, query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ask(memory, "recall", query=query)["results"]
    return found


def ids_of(remembered: dict[str, Any]) -> set[str]:
    """The note and the facts that a text became."""
    return {remembered["note"], *(each["id"] for each in remembered["facts"] if "id" in each)}


@pytest.mark.large
@pytest.mark.dealt
@pytest.mark.parametrize(
    "name",
    a_share([
        "held_back", "development", "everyday_development", "plain_development",
        "everyday_held_back", "paraphrases_household", "paraphrases_firm",
    ], 0),
)  # fmt: skip
def test_stored_sentences_answer_paraphrases_and_nothing_answers_unrelated_questions(memory: Memory, name: str) -> None:
    lines = [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text("utf-8").splitlines()]
    told = [line for line in lines if "sentence" in line]
    stored = [ids_of(ask(memory, "remember", text=line["sentence"])) for line in told]
    found = [
        any({each["id"], each.get("document")} & ids for each in results(memory, question)[:3])
        for ids, line in zip(stored, told, strict=True)
        for question in line.get("questions") or [line["question"]]
    ]
    silent = [not results(memory, line["unrelated"]) for line in lines if "unrelated" in line]
    assert len(told) == 30
    assert sum(found) >= ENOUGH * len(found)
    assert sum(silent) >= ENOUGH * len(silent)


def test_a_note_is_found_by_a_word_that_means_what_it_says_in_another(memory: Memory) -> None:
    ask(memory, "remember", text="Mira is lactose intolerant. The lease runs out on 31 May 2027.")
    assert "lactose" in results(memory, "which food is bad for Mira")[0]["text"]
    assert results(memory, "which food does the airline serve") == []


def test_a_sentence_answers_a_question_that_shares_no_word_with_it(memory: Memory) -> None:
    ask(memory, "remember", text="The stopcock is under the kitchen sink.")
    ask(memory, "remember", text="The nightly build is green.")
    assert "stopcock" in results(memory, "how do I turn off the water")[0]["text"]
    assert results(memory, "what is the capital of mongolia") == []


WORDS = ("amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "inlet", "jetty")
TRAITS = ("rent", "version", "budget", "deadline", "status", "address", "price", "salary", "stage", "owner")


@pytest.mark.large
@pytest.mark.dealt
def test_the_newest_of_two_values_comes_first_for_nearly_every_change(memory: Memory) -> None:
    cases = a_share([(f"{word} house", trait) for word in WORDS for trait in TRAITS], 0)
    for number, (subject, trait) in enumerate(cases):
        state(memory, subject, trait, f"old{number}", "2026-04-01", valid_until="2026-04-30")
        state(memory, subject, trait, f"new{number}", "2026-05-01", valid_from="2026-05-01")
    newest = sum(
        f"new{number}" in results(memory, f"What is the {trait} of {subject}?")[0]["text"]
        for number, (subject, trait) in enumerate(cases)
    )
    assert newest >= 0.95 * len(cases)


def state(memory: Memory, subject: str, trait: str, value: str, day: str, **bounds: str) -> None:
    stated = fact({"name": subject, "type": "project"}, trait, {"literal": value}, **bounds)
    tell(memory, stated, id=value, source_at=f"{day}T08:00:00Z", content=f"{subject}: the {trait} is {value}")


def texts(memory: Memory, query: str) -> list[str]:
    return [each["text"] for each in ask(memory, "recall", query=query, kinds=["facts"])["results"]]


def test_a_relation_in_the_question_leads_to_the_facts_about_whoever_it_is(memory: Memory) -> None:
    ask(memory, "remember", text="My sister is Ana. Kim's boss is Bo. My rent is 900.")
    ask(memory, "remember", text="Ana lives in Porto. Bo lives in Rome. Kim lives in Oslo.")
    assert texts(memory, "Which town does my sister live in?")[0] == "Ana lives in Porto"
    assert texts(memory, "Where does Kim's boss live?")[:2] == ["Kim reports to Bo", "Bo lives in Rome"]


def test_a_question_about_one_person_is_not_answered_with_another(memory: Memory) -> None:
    ask(memory, "remember", text="Lukas's birthday is 3 April 1988. Jonas works at AVL.")
    assert texts(memory, "When is Jonas's birthday?") == ["Jonas works at AVL"]  # it shares a name with the question
    assert texts(memory, "Which company employs Jonas?") == ["Jonas works at AVL"]
    assert texts(memory, "When is Stefan's birthday?") == []


@pytest.mark.parametrize("question", ["what city is Ada Brandt in", "which city am I in", "which town am I in"])
def test_a_fact_in_the_first_person_answers_for_its_owner_by_a_related_word(memory: Memory, question: str) -> None:
    with memory.write() as change:
        change.put_setting("me.name", "Ada Brandt")
        apply_owner_settings(change)
    ask(memory, "remember", text="I live in Graz. My rent is 900. I'm allergic to penicillin. Lena works at Helio.")
    assert texts(memory, question) == ["Ada Brandt lives in Graz"]


def test_facts_that_share_only_the_name_give_way_to_what_answers(memory: Memory) -> None:
    ask(memory, "remember", text="Kim likes tea. Kim works at Acme. Kim owns a boat. Kim speaks Danish.")
    ask(memory, "remember", text="Kim's shoe size is 42.")
    assert texts(memory, "What is the shoe size of Kim?") == ["Kim's shoe size is 42"]
    assert len(texts(memory, "Kim")) == 5


def test_a_sentence_that_states_a_hidden_fact_is_left_out_of_its_passage(memory: Memory) -> None:
    told = ask(memory, "remember", text="My rent is 900 euros. My dentist is Dr. Roe, who works near the old harbour.")
    ask(memory, "forget", target=told["facts"][0]["id"])
    assert ask(memory, "recall", query="what is my rent")["results"] == []
    assert not any("900" in each["text"] for each in ask(memory, "recall", query="dentist near the harbour")["results"])
    ask(memory, "undo")
    assert ask(memory, "recall", query="what is my rent")["results"][0]["text"] == "My rent is 900 euros"


def test_the_next_nearest_stand_beside_an_answer_but_answer_nothing_alone(memory: Memory) -> None:
    ask(memory, "remember", text="Bastian is coeliac.")
    assert results(memory, "who cannot have bread or pasta") == []
    ask(memory, "remember", text="I can't eat shrimp, I get hives from it.")
    found = [each["text"] for each in results(memory, "who cannot have bread or pasta")]
    assert "shrimp" in found[0]
    assert any("coeliac" in text for text in found[1:])


def test_what_the_owner_told_is_found_by_a_part_of_the_owners_name(memory: Memory) -> None:
    ask(memory, "remember", text="I live in Porto since 2021.")
    ask(memory, "remember", text="My name is Ada Brandt.")
    assert "Porto" in results(memory, "where does Ada live")[0]["text"]
