"""`review`: questions that wait for a decision, and what each decision does; every one can be undone exactly."""

from typing import Any

import pytest

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.ingest.notes.fact_outcomes import NoteOrigin
from recollect.ingest.notes.fact_recorder import FactRecorder
from recollect.ingest.notes.fact_request import parse_fact
from recollect.memory import Memory
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.undo import undo

Json = dict[str, Any]
AT = "2026-04-02T09:15:00Z"


def answer(memory: Memory, surface: str, tool: str, *, may_write: bool = True, **arguments: Any) -> tuple[bool, Json]:
    declared = find_surface(surface).find(tool)
    found = call(declared, lambda each: memory.as_actor(surface, each.name, may_write=may_write), arguments)
    return found.is_error, dict(found.structured)


def ask(memory: Memory, surface: str, tool: str, **arguments: Any) -> Json:
    is_error, found = answer(memory, surface, tool, **arguments)
    assert not is_error, found
    return found


def tell(memory: Memory, *facts: Json, entities: tuple[Json, ...] = (), at: str = AT) -> None:
    """One record that states facts."""
    mail = {"id": f"{at} {facts} {entities}", "type": "email", "source_at": at}
    with memory.as_actor("cli", "ingest").write() as change:
        assert write_line(change, parse_line({"record": mail, "entities": list(entities), "facts": list(facts)}))


def fact(who: str, kind: str, whom: Any, text: str | None = None, **more: Any) -> Json:
    label, fact_type = kind.split("/")
    stated = {"edge_label": label, "fact_type": fact_type, "from": who, "to": whom, **more}
    return stated if text is None else stated | {"fact": text}


def review(memory: Memory, **arguments: Any) -> list[Json]:
    found: list[Json] = ask(memory, "recollect", "review", **arguments)["items"]
    return found


def decide(memory: Memory, question: Json, choice: str) -> Json:
    return ask(memory, "recollect", "review", decide={"id": question["id"], "choice": choice})


def surfaces(memory: Memory, *names: str) -> list[Json]:
    """What the surfaces show of some entities, and what waits for review."""
    shown = [answer(memory, "pearscarf", "get_facts", entity=name, include_stale=True)[1] for name in names]
    shown += [answer(memory, "pearscarf", "get_entity_context", entity=name)[1] for name in names]
    shown += [answer(memory, "cognitive-graph", "recall_entity", name_or_alias=name)[1] for name in names]
    return [
        *shown,
        ask(memory, "pearscarf", "get_conflicts"),
        ask(memory, "recollect", "review"),
        ask(memory, "recollect", "open_items", include_closed=True),
    ]


def assert_undone_exactly(memory: Memory, question: Json, choice: str, *names: str) -> Json:
    """Decide, undo, and redo; the result of the decision."""
    before = surfaces(memory, *names)
    decided = decide(memory, question, choice)
    assert decided["decided"] == {"id": question["id"], "choice": choice}
    after = surfaces(memory, *names)
    undone = take_back(memory, decided["undo"])
    assert surfaces(memory, *names) == before
    take_back(memory, undone)
    assert surfaces(memory, *names) == after
    return decided


def take_back(memory: Memory, tx: int) -> int:
    with memory.as_actor("recollect", "undo").write() as change:
        return undo(change, tx)


def contract_twice(memory: Memory) -> Json:
    """Two statements of one slot with the same time: a conflict."""
    one, other = "Teo Quist contracts for Harrow Bridge until June", "Teo Quist contracts for Harrow Bridge, open-ended"
    tell(memory, fact("Teo Quist", "AFFILIATED/contractor", "Harrow Bridge", one))
    tell(memory, fact("Teo Quist", "AFFILIATED/contractor", "Harrow Bridge", other))
    [question] = review(memory, kind="conflict")
    return question


def current(memory: Memory, entity: str) -> list[str]:
    return sorted(each["fact"] for each in ask(memory, "pearscarf", "get_facts", entity=entity)["facts"])


@pytest.mark.parametrize(("choice", "kept"), [("keep_a", "a"), ("keep_b", "b")])
def test_keeping_one_fact_makes_the_other_stale(memory: Memory, choice: str, kept: str) -> None:
    question = contract_twice(memory)
    assert question["kind"] == "conflict"
    assert question["choices"] == ["keep_a", "keep_b", "both", "dismiss"]
    decided = assert_undone_exactly(memory, question, choice, "Teo Quist", "Harrow Bridge")
    assert current(memory, "Teo Quist") == [question[kept]["text"]]
    assert {each["state"] for each in decided["facts"]} == {"current", "stale"}
    assert review(memory) == []


@pytest.mark.parametrize("choice", ["both", "dismiss"])
def test_a_conflict_does_not_come_back_after_both_or_dismiss(memory: Memory, choice: str) -> None:
    question = contract_twice(memory)
    assert_undone_exactly(memory, question, choice, "Teo Quist", "Harrow Bridge")
    assert len(current(memory, "Teo Quist")) == 2
    assert review(memory) == []
    is_listed = bool(ask(memory, "pearscarf", "get_conflicts")["conflicts"])
    assert is_listed is (choice == "dismiss")


def born_twice(memory: Memory) -> Json:
    for place in ("Lyon", "Metz"):
        entities = ({"name": "Ada Brandt", "type": "Person"}, {"name": place, "type": "Location"})
        tell(memory, {"predicate": "born", "from": "Ada Brandt", "to": place}, entities=entities)
    [question] = review(memory, kind="conflict")
    return question


@pytest.mark.parametrize("choice", ["keep_a", "both"])
def test_disputed_facts_are_decided_too(memory: Memory, choice: str) -> None:
    question = born_twice(memory)
    assert question["a"]["state"] == question["b"]["state"] == "disputed"
    decided = assert_undone_exactly(memory, question, choice, "Ada Brandt", "Lyon", "Metz")
    states = sorted(each["state"] for each in decided["facts"])
    assert states == (["current", "current"] if choice == "both" else ["current", "stale"])
    assert ask(memory, "pearscarf", "get_conflicts")["conflicts"] == review(memory) == []


def test_both_still_stand_when_a_source_repeats_one_of_them(memory: Memory) -> None:
    decide(memory, born_twice(memory), "both")
    tell(memory, {"predicate": "born", "from": "Ada Brandt", "to": "Metz"}, at="2026-05-01T09:00:00Z")
    facts = ask(memory, "pearscarf", "get_facts", entity="Ada Brandt")["facts"]
    assert [each["disputed"] for each in facts] == [False, False]
    assert review(memory) == []


def test_a_third_value_is_asked_about_although_two_were_accepted(memory: Memory) -> None:
    decide(memory, born_twice(memory), "both")
    entities = ({"name": "Nice", "type": "Location"},)
    tell(memory, {"predicate": "born", "from": "Ada Brandt", "to": "Nice"}, entities=entities)
    assert len(review(memory, kind="conflict")) == 2


def two_addresses(memory: Memory) -> Json:
    for address in ("ada@work.example", "ada@home.example"):
        person = {"name": "Ada Brandt", "type": "Person", "metadata": {"email": address}}
        tell(memory, fact("Ada Brandt", "AFFILIATED/employee", f"Firm of {address}"), entities=(person,))
    [question] = review(memory, kind="duplicate", about=address)
    return question


def test_one_person_with_two_addresses_is_proposed_as_a_duplicate(memory: Memory) -> None:
    question = two_addresses(memory)
    names = "Ada Brandt (ada@work.example) and Ada Brandt (ada@home.example)"
    assert question["question"] == f"Are {names} the same person?"
    assert (question["a"]["name"], question["b"]["type"]) == ("Ada Brandt", "person")
    assert question["choices"] == ["merge", "not_same", "dismiss"]
    assert [each["id"] for each in review(memory, kind="duplicate")] == [question["id"]]


def test_an_ambiguous_name_names_the_proposal(memory: Memory) -> None:
    question = two_addresses(memory)
    is_error, found = answer(memory, "recollect", "open_items", about="Ada Brandt")
    assert is_error
    assert found["error"]["code"] == "ambiguous"
    assert question["id"] in found["error"]["next"]
    _, found = answer(memory, "pearscarf", "get_facts", entity="Ada Brandt")
    assert found["error"] == "ambiguous"
    assert question["id"] in found["message"]
    decide(memory, question, "not_same")
    _, found = answer(memory, "recollect", "open_items", about="Ada Brandt")
    assert "review" not in found["error"]["next"]


def test_merging_joins_the_facts_and_the_name_is_unique(memory: Memory) -> None:
    question = two_addresses(memory)
    names = ("ada@work.example", "ada@home.example", "Ada Brandt")
    decided = assert_undone_exactly(memory, question, "merge", *names)
    assert len(decided["facts"]) == 1
    assert len(current(memory, "Ada Brandt")) == 2
    assert current(memory, "ada@home.example") == current(memory, "ada@work.example")
    assert review(memory) == []


@pytest.mark.parametrize("choice", ["not_same", "dismiss"])
def test_a_rejected_duplicate_is_not_proposed_again(memory: Memory, choice: str) -> None:
    question = two_addresses(memory)
    assert_undone_exactly(memory, question, choice, "Ada Brandt")
    assert review(memory) == review(memory, about="ada@home.example") == []


@pytest.mark.parametrize(
    ("one", "other", "is_near"),
    [
        ("Jonathan Meyer", "Jonathan Meier", True),
        ("Anna Lund", "Anna Lind", False),
        ("Jon Bergmann", "John Bergmann", True),
        ("Ada", "Ada Brandt", True),
        ("Harrow Bridge", "Harrow Bridge Ltd", True),
        ("John Smith", "Jane Smith", False),
        ("Phase 1", "Phase 2", False),
        ("Mark", "Marketing", False),
    ],
)
def test_near_names_are_proposed(memory: Memory, one: str, other: str, is_near: bool) -> None:
    tell(memory, fact(one, "ASSERTED/opinion", None, "It rains"))
    tell(memory, fact(other, "ASSERTED/opinion", None, "It snows"))
    assert bool(review(memory, kind="duplicate")) is is_near
    assert bool(review(memory, kind="duplicate", about=one)) is is_near


def test_a_person_is_no_duplicate_of_a_place_of_that_name(memory: Memory) -> None:
    for type_ in ("Person", "Location"):
        tell(memory, entities=({"name": "Florence", "type": type_},))
    assert review(memory) == []


def test_merging_predicates_moves_facts_and_teaches_the_alias(memory: Memory) -> None:
    def paint(at: str, predicate: str, colour: str) -> None:
        tell(memory, {"predicate": predicate, "from": "Ada Brandt", "to": {"literal": colour}}, at=at)

    paint("2026-04-01T09:00:00Z", "favorite_color", "green")
    paint("2026-04-02T09:00:00Z", "favourite_colour", "green")
    paint("2026-04-03T09:00:00Z", "favorite_color", "blue")
    [question] = review(memory)
    assert (question["kind"], question["a"]["name"], question["b"]["name"]) == (
        "duplicate",
        "favorite_color",
        "favourite_colour",
    )
    assert_undone_exactly(memory, question, "merge", "Ada Brandt")
    shown = ask(memory, "pearscarf", "get_facts", entity="Ada Brandt")["facts"]
    assert sorted((each["predicate"], each["literal"], each["source_count"]) for each in shown) == [
        ("favorite_color", "blue", 1),
        ("favorite_color", "green", 2),
    ]
    assert review(memory) == []


def two_reports(memory: Memory) -> Json:
    for text in ("will send the ledger to the bank", "will send a copy of the ledger to the archive"):
        tell(memory, fact("Odile Ferrant", "ASSERTED/commitment", "Lumen Audit", f"Odile Ferrant {text}"))
    done = fact("Odile Ferrant", "TRANSITIONED/completion", "Lumen Audit", "Odile Ferrant sent the ledger")
    tell(memory, done, at="2026-04-08T09:00:00Z")
    [question] = review(memory, kind="ambiguous")
    return question


def test_a_report_that_fits_several_items_is_asked_about(memory: Memory) -> None:
    question = two_reports(memory)
    assert question["question"] == "Which item does this close: Odile Ferrant sent the ledger?"
    ids = [each["id"] for each in question["candidates"]]
    assert question["choices"] == [*ids, "new", "dismiss"]
    assert review(memory, about="Lumen Audit") == review(memory, about="Odile Ferrant") == [question]
    assert_undone_exactly(memory, question, ids[0], "Odile Ferrant", "Lumen Audit")
    found = ask(memory, "recollect", "open_items", include_closed=True)
    assert {each["id"]: each["state"] for each in found["items"]} == {ids[0]: "done", ids[1]: "open"}
    assert review(memory) == []


@pytest.mark.parametrize("choice", ["new", "dismiss"])
def test_a_report_may_close_none_of_the_items(memory: Memory, choice: str) -> None:
    question = two_reports(memory)
    assert_undone_exactly(memory, question, choice, "Odile Ferrant", "Lumen Audit")
    assert len(ask(memory, "recollect", "open_items")["items"]) == 2
    assert review(memory) == []


def test_open_findings_are_listed_until_dismissed(memory: Memory) -> None:
    rome = {"name": "Ada Brandt", "type": "Person"}
    tell(memory, {"predicate": "born", "from": "Ada Brandt", "to": None, "valid_from": "1990"}, entities=(rome,))
    tell(memory, {"predicate": "died", "from": "Ada Brandt", "to": None, "valid_from": "1950"})
    ask(memory, "lore-engine", "run_consistency_check")
    questions = review(memory, kind="finding")
    assert questions
    for question in questions:
        assert question["choices"] == ["dismiss"]
        assert_undone_exactly(memory, question, "dismiss", "Ada Brandt")
    assert review(memory, kind="finding") == []


def test_conflicts_of_single_values_come_first(memory: Memory) -> None:
    two_addresses(memory)
    contract_twice(memory)
    born_twice_beside(memory)
    kinds = [(each["kind"], each.get("a", {}).get("state")) for each in review(memory)]
    assert kinds == [("conflict", "disputed"), ("conflict", "current"), ("duplicate", None)]
    assert ask(memory, "recollect", "review", limit=1)["count"] == 3


def born_twice_beside(memory: Memory) -> None:
    for place in ("Lyon", "Metz"):
        tell(memory, {"predicate": "born", "from": "Hedda Krull", "to": place})


@pytest.mark.parametrize(("choice", "offered"), [("bogus", None), ("keep-a", "keep_a")])
def test_a_choice_that_there_is_not_is_refused_with_those_that_are(
    memory: Memory, choice: str, offered: str | None
) -> None:
    asked = {"id": born_twice(memory)["id"], "choice": choice}
    _, found = answer(memory, "recollect", "review", decide=asked)
    assert found["error"]["next"] == "Send one of: keep_a, keep_b, both, dismiss."
    example = None if offered is None else asked | {"choice": offered}
    assert found["error"].get("example", {}).get("decide") == example
    assert not example or not answer(memory, "recollect", "review", decide=example)[0]


def test_a_reader_may_list_but_not_decide(memory: Memory) -> None:
    question = contract_twice(memory)
    is_error, found = answer(memory, "recollect", "review", may_write=False)
    assert not is_error
    assert [each["id"] for each in found["items"]] == [question["id"]]
    wanted = {"id": question["id"], "choice": "both"}
    is_error, found = answer(memory, "recollect", "review", may_write=False, decide=wanted)
    assert is_error
    assert found["error"]["code"] == "forbidden"


def test_an_unknown_id_or_choice_is_refused(memory: Memory) -> None:
    question = contract_twice(memory)
    for id_ in ("nonsense", "conflict:A:B", "held:X", "closing:X", "finding:X", "duplicate:A:B", "predicates:a:b"):
        _, found = answer(memory, "recollect", "review", decide={"id": id_, "choice": "dismiss"})
        assert (found["error"]["code"], found["error"]["field"]) == ("not_found", "decide.id")
    _, found = answer(memory, "recollect", "review", decide={"id": question["id"], "choice": "merge"})
    assert (found["error"]["code"], found["error"]["field"]) == ("invalid_input", "decide.choice")
    assert "keep_a" in found["error"]["message"]


def hold(memory: Memory) -> Json:
    """A fact about one of two people with the same name."""
    two_addresses(memory)
    told = parse_fact({"subject": "Ada Brandt", "predicate": "rent", "value": 900}, "facts[0]", no_time)
    with memory.as_actor("recollect", "remember").write() as change:
        outcome = FactRecorder(change, NoteOrigin(change.now, given="chat")).record(told)
        assert outcome.outcome == "ambiguous"
    [question] = review(memory, kind="ambiguous")
    return question


def no_time(text: str, field: str) -> Any:
    raise AssertionError((text, field))


def test_a_held_fact_is_recorded_for_the_candidate_chosen(memory: Memory) -> None:
    question = hold(memory)
    assert question["question"] == "Who or what is meant in: Ada Brandt's rent is 900?"
    one, other = question["candidates"]
    assert question["choices"] == [one["id"], other["id"], "new", "dismiss"]
    decided = assert_undone_exactly(memory, question, other["id"], one["id"], other["id"])
    assert [(each["text"], each["state"]) for each in decided["facts"]] == [("Ada Brandt's rent is 900", "current")]
    assert decided["facts"][0]["source"] == "chat"
    assert review(memory, kind="ambiguous") == []
    assert "rent" not in {each["predicate"] for each in facts_of(memory, one["id"])}
    assert "rent" in {each["predicate"] for each in facts_of(memory, other["id"])}


def facts_of(memory: Memory, entity: str) -> list[Json]:
    found: list[Json] = ask(memory, "pearscarf", "get_facts", entity=entity)["facts"]
    return found


def test_a_held_fact_may_be_about_somebody_new(memory: Memory) -> None:
    question = hold(memory)
    decided = decide(memory, question, "new")
    assert [each["text"] for each in decided["facts"]] == ["Ada Brandt's rent is 900"]
    for known in question["candidates"]:
        assert "rent" not in {each["predicate"] for each in facts_of(memory, known["id"])}


def test_a_held_fact_can_be_dismissed(memory: Memory) -> None:
    question = hold(memory)
    decided = assert_undone_exactly(memory, question, "dismiss")
    assert decided["facts"] == review(memory, kind="ambiguous") == []


def rent_twice(memory: Memory) -> Json:
    for value in (900, 950):
        told = parse_fact({"subject": "Hedda", "predicate": "rent", "value": value}, "facts[0]", no_time)
        with memory.as_actor("recollect", "remember").write() as change:
            FactRecorder(change, NoteOrigin(change.now, given="chat")).record(told)
    [question] = review(memory, kind="conflict")
    return question


@pytest.mark.parametrize("choice", ["keep_a", "keep_b", "both", "dismiss"])
def test_two_values_of_an_attribute_with_one_value_are_decided(memory: Memory, choice: str) -> None:
    question = rent_twice(memory)
    assert question["a"]["state"] == question["b"]["state"] == "disputed"
    assert_undone_exactly(memory, question, choice, "Hedda")
    assert review(memory) == []
    shown = sorted((each["literal"], each["disputed"]) for each in facts_of(memory, "Hedda"))
    expected = {
        "keep_a": [("900", False)],
        "keep_b": [("950", False)],
        "both": [("900", False), ("950", False)],
        "dismiss": [("900", True), ("950", True)],
    }
    assert shown == expected[choice]


def test_two_accepted_values_stay_undisputed_when_one_is_told_again(memory: Memory) -> None:
    decide(memory, rent_twice(memory), "both")
    told = parse_fact({"subject": "Hedda", "predicate": "rent", "value": 900}, "facts[0]", no_time)
    with memory.as_actor("recollect", "remember").write() as change:
        FactRecorder(change, NoteOrigin(change.now, given="chat")).record(told)
    assert [each["disputed"] for each in facts_of(memory, "Hedda")] == [False, False]
    assert review(memory) == []
