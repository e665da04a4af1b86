"""`record_fact`: what is taken, what a repeat means, how ends are found."""

import json

import pytest
from tests.surfaces.cognitive_graph.asking import Asking, entity, link, literal

from recollect.surfaces.cognitive_graph.vocabulary import PREDICATES, TYPES

KETTLE = entity("project", "Copper Kettle")
UNSIGNED = literal("supplier contract unsigned")


def test_a_first_fact_answers_with_exactly_the_published_keys(graph: Asking) -> None:
    said = graph.record(KETTLE, "blocked_by", UNSIGNED, source="call notes 19 May", confidence=0.9)
    made = {"type": "project", "id": said["subject"]["id"], "name": "Copper Kettle"}
    assert said == {
        "fact_id": said["fact_id"],
        "recorded_at": "2026-05-20T10:00:00Z",
        "subject": made,
        "predicate": "blocked_by",
        "object": {"literal": "supplier contract unsigned"},
        "deduplicated": False,
        "auto_created_entities": [made],
    }
    assert said["fact_id"].startswith("fact_")
    assert len(said["subject"]["id"]) == len("ent_") + 26


@pytest.mark.parametrize("predicate", PREDICATES)
def test_every_predicate_is_taken_in_any_case(graph: Asking, predicate: str) -> None:
    said = graph.record(KETTLE, f"  {predicate.upper()} ", entity("concept", "Glass"))
    assert said["predicate"] == predicate


@pytest.mark.parametrize("type_", TYPES)
def test_every_type_is_taken_in_any_case(graph: Asking, type_: str) -> None:
    assert graph.record(entity(f" {type_.title()} ", "Anything"), "tagged", literal("x"))["subject"]["type"] == type_


def test_both_new_ends_are_named_subject_first(graph: Asking) -> None:
    said = graph.record(entity("person", "Amara Vint"), "reports_to", entity("person", "Bo Lund"))
    assert [made["name"] for made in said["auto_created_entities"]] == ["Amara Vint", "Bo Lund"]


def test_a_subject_may_be_its_own_object(graph: Asking) -> None:
    said = graph.record(KETTLE, "depends_on", KETTLE)
    assert said["subject"] == said["object"]
    assert len(said["auto_created_entities"]) == 1


def test_ends_may_come_as_json_text(graph: Asking) -> None:
    said = graph.record(json.dumps(KETTLE), "blocked_by", json.dumps(UNSIGNED))
    assert (said["subject"]["name"], said["object"]) == ("Copper Kettle", UNSIGNED)


def test_null_means_absent(graph: Asking) -> None:
    graph.record(KETTLE | {"id": None}, "tagged", literal("x") | {"type": None}, source=None, confidence=None)
    [fact] = graph.recall("Copper Kettle")["facts"]
    assert (fact["confidence"], fact["source"]) == (1.0, None)


def test_a_repeat_keeps_id_and_time_and_takes_the_highest_confidence(graph: Asking) -> None:
    first = graph.record(KETTLE, "blocked_by", UNSIGNED, confidence=0.8)
    again = graph.record(KETTLE, "blocked_by", UNSIGNED, at="2026-05-21T10:00:00Z", confidence=0.5, source="mail")
    same = ("fact_id", "recorded_at", "subject", "object")
    assert [again[key] for key in same] == [first[key] for key in same]
    assert (again["deduplicated"], again["auto_created_entities"]) == (True, [])
    [fact] = graph.recall("Copper Kettle")["facts"]
    assert (fact["confidence"], fact["source"]) == (0.8, "mail")
    graph.record(KETTLE, "blocked_by", UNSIGNED, confidence=0.95, source="later")
    [fact] = graph.recall("Copper Kettle")["facts"]
    assert (fact["confidence"], fact["source"], fact["recorded_at"]) == (0.95, "mail", "2026-05-20T10:00:00Z")


def test_case_counts_in_literals_and_outer_spaces_do_not(graph: Asking) -> None:
    first = graph.record(KETTLE, "tagged", literal("  Urgent  now "))
    assert first["object"] == {"literal": "Urgent  now"}
    assert graph.record(KETTLE, "tagged", literal("Urgent  now"))["deduplicated"]
    assert not graph.record(KETTLE, "tagged", literal("urgent  now"))["deduplicated"]


def test_the_first_spelling_of_a_name_stays(graph: Asking) -> None:
    first = graph.record(entity("person", "Sarah Lind"), "tagged", literal("a"))
    again = graph.record(entity("person", " sarah   LIND "), "tagged", literal("b"))
    assert again["subject"] == first["subject"]


def test_an_ended_affiliation_is_not_reopened(graph: Asking) -> None:
    amara, bo = {"name": "Amara Vint", "type": "Person"}, {"name": "Bo Lund", "type": "Person"}
    graph.ingest(link(amara, "reports_to", bo, valid_until="2026-04-30"), at="2026-04-01T09:00:00Z")
    assert graph.recall("Amara Vint")["facts"] == []
    said = graph.record(entity("person", "Amara Vint"), "reports_to", entity("person", "Bo Lund"))
    assert (said["deduplicated"], said["recorded_at"]) == (False, "2026-05-20T10:00:00Z")
    assert [fact["id"] for fact in graph.recall("Amara Vint")["facts"]] == [said["fact_id"]]


def test_a_retracted_fact_said_again_is_current_under_its_id(graph: Asking) -> None:
    first = graph.record(KETTLE, "blocked_by", UNSIGNED)
    graph.retract(first["fact_id"])
    assert graph.recall("Copper Kettle")["facts"] == []
    again = graph.record(KETTLE, "blocked_by", UNSIGNED, at="2026-05-21T10:00:00Z")
    assert (again["fact_id"], again["deduplicated"]) == (first["fact_id"], True)
    assert len(graph.recall("Copper Kettle")["facts"]) == 1


def test_the_same_fact_in_other_words_is_the_same_fact(graph: Asking) -> None:
    project = {"name": "Copper Kettle", "type": "Project"}
    graph.ingest(link(project, "blocked_by", UNSIGNED, fact="The supplier has not signed yet"))
    assert graph.record(KETTLE, "blocked_by", UNSIGNED)["deduplicated"]


def test_a_concept_finds_an_organization_of_that_name(graph: Asking) -> None:
    graph.ingest(entities=[{"name": "Acme", "type": "Organization"}])
    said = graph.record(entity("concept", "ACME"), "tagged", literal("client"))
    assert (said["subject"]["name"], said["auto_created_entities"]) == ("Acme", [])
    assert graph.known("Acme").type == "organization"


def test_of_several_the_one_stored_under_the_word_is_taken(graph: Asking) -> None:
    made = graph.record(entity("concept", "Acme"), "tagged", literal("x"))
    graph.ingest(entities=[{"name": "Acme", "type": "Organization"}])
    assert graph.record(entity("concept", "Acme"), "tagged", literal("y"))["subject"] == made["subject"]


def test_several_that_fit_are_refused_and_the_hint_asks_for_an_id(graph: Asking) -> None:
    graph.ingest(entities=[{"name": "Acme", "type": "Organization"}])
    graph.ingest(entities=[{"name": "Acme", "type": "Tool"}])
    before = graph.tx
    said = graph.refusal(entity("concept", "Acme"), "tagged", literal("x"))
    assert said["error"] == "SUBJECT_REQUIRED"
    assert " id " in said["hint"]
    assert graph.tx == before
    # which of them is meant, only the caller knows
    assert said["example"]["subject"] == entity("concept", "Example")


def test_an_id_that_does_not_fit_says_what_to_send_instead(graph: Asking) -> None:
    known = graph.record(entity("project", "Kettle"), "tagged", literal("x"))["subject"]
    said = graph.refusal({"type": "person", "id": known["id"]}, "tagged", literal("y"))
    assert said["hint"] == "Send the type project with this id, or another id."
    unknown = graph.refusal({"type": "person", "id": "ent_00000000000000000000000000"}, "tagged", literal("y"))
    assert "an id that recall_entity prints" in unknown["hint"]


def test_an_entity_whose_type_nobody_gave_takes_the_given_one(graph: Asking) -> None:
    graph.ingest(link({"name": "Bo Lund", "type": "Person"}, "depends_on", "Mystery"))
    assert graph.recall("Mystery")["entity"]["type"] == "concept"
    said = graph.record(entity("project", "Mystery"), "tagged", literal("x"))
    assert (said["subject"]["type"], said["auto_created_entities"]) == ("project", [])
    assert graph.recall("Mystery", type="project")["entity"]["type"] == "project"


def test_an_end_is_found_by_alias_and_by_address(graph: Asking) -> None:
    graph.ingest(
        entities=[{"name": "Odile Ferrant", "type": "Person", "aliases": ["Odi"], "metadata": {"email": "o@x.example"}}]
    )
    for name in ("odi", "O@x.example"):
        said = graph.record(entity("person", name), "tagged", literal("x"))
        assert said["subject"]["name"] == "Odile Ferrant"


def test_likeness_is_never_enough_to_write(graph: Asking) -> None:
    graph.record(entity("person", "Sarah Lind"), "tagged", literal("x"))
    assert graph.record(entity("person", "Sara Lind"), "tagged", literal("x"))["auto_created_entities"] != []


def test_an_id_wins_over_the_name_beside_it(graph: Asking) -> None:
    held = graph.record(KETTLE, "tagged", literal("x"))["subject"]["id"]
    said = graph.record({"type": "project", "id": held, "name": "Other"}, "tagged", literal("y"))
    assert said["subject"]["name"] == "Copper Kettle"


def test_an_id_in_the_place_of_a_name_is_the_id_and_makes_nothing(graph: Asking) -> None:
    held = graph.record(KETTLE, "tagged", literal("x"))["subject"]["id"]
    assert graph.record(entity("project", held), "tagged", literal("y"))["subject"]["id"] == held
    nobody = entity("project", f"ent_{'0' * 26}")
    assert graph.refusal(nobody, "tagged", literal("y"))["error"] == "SUBJECT_REQUIRED"


def test_an_alias_works_at_once_for_reading_and_writing(graph: Asking) -> None:
    sarah = graph.record(entity("person", "Sarah Lind"), "tagged", literal("Alias:  The  Boss "))["subject"]
    found = graph.recall("the boss")
    assert (found["entity"]["id"], found["entity"]["aliases"]) == (sarah["id"], ["The Boss"])
    assert found["resolution"] == {"method": "alias", "score": 0.95}
    assert [fact["object"] for fact in found["facts"]] == [{"literal": "Alias:  The  Boss"}]
    assert graph.record(entity("person", "THE BOSS"), "tagged", literal("x"))["subject"] == sarah


def test_an_alias_equal_to_the_name_changes_nothing_more(graph: Asking) -> None:
    graph.record(entity("person", "Sarah Lind"), "tagged", literal("alias:sarah lind"))
    assert graph.recall("Sarah Lind")["entity"]["aliases"] == []


def test_only_a_tag_makes_an_alias(graph: Asking) -> None:
    graph.record(KETTLE, "blocked_by", literal("alias:"))
    assert graph.recall("Copper Kettle")["entity"]["aliases"] == []


def test_a_url_given_as_source_is_the_url_of_the_assertion(graph: Asking) -> None:
    graph.record(KETTLE, "tagged", literal("a"), source="https://notes.example/1")
    graph.record(KETTLE, "tagged", literal("b"), source="  see https://notes.example/1")
    with graph.memory.read() as view:
        [one, other] = [
            assertion
            for fact in view.facts_touching(graph.known("Copper Kettle").id)
            for assertion in view.assertions(fact.id)
        ]
    assert {one.source_url, other.source_url} == {"https://notes.example/1", None}
    assert {one.given, other.given} == {"https://notes.example/1", "  see https://notes.example/1"}
    assert one.source_key == "tool:cognitive-graph.record_fact"


@pytest.mark.parametrize(
    ("predicate", "label", "fact_type"),
    [
        ("mentioned_in", "ASSERTED", "reference"),
        ("decided_in", "ASSERTED", "decision"),
        ("blocked_by", "ASSERTED", "blocker"),
        ("tagged", "ASSERTED", "tagged"),
        ("resolved_by", "TRANSITIONED", "resolution"),
        ("reports_to", "AFFILIATED", "reports_to"),
        ("depends_on", "AFFILIATED", "depends_on"),
        ("belongs_to", "AFFILIATED", "belongs_to"),
    ],
)
def test_a_fact_stands_in_the_graph_under_its_label_and_type(
    graph: Asking, predicate: str, label: str, fact_type: str
) -> None:
    graph.record(KETTLE, predicate, entity("concept", "Glass"), confidence=0.7)
    with graph.memory.read() as view:
        [fact] = view.facts_touching(graph.known("Glass").id)
        [seen] = view.fact_rows([fact.id])
    assert (fact.label, fact.fact_type, fact.certainty, fact.source_kind) == (label, fact_type, "inferred", "inferred")
    assert seen.text == f"Copper Kettle {predicate.replace('_', ' ')} Glass"


@pytest.mark.parametrize(("confidence", "certainty"), [(0.75, "stated"), (0.7499, "inferred"), (0, "inferred")])
def test_certainty_follows_the_number(graph: Asking, confidence: float, certainty: str) -> None:
    graph.record(KETTLE, "tagged", literal("x"), confidence=confidence)
    with graph.memory.read() as view:
        [fact] = view.facts_touching(graph.known("Copper Kettle").id)
    assert (fact.certainty, fact.confidence) == (certainty, confidence)


def test_none_of_the_predicates_is_single_valued(graph: Asking) -> None:
    amara = entity("person", "Amara Vint")
    for predicate in PREDICATES:
        graph.record(amara, predicate, entity("concept", "One"))
        graph.record(amara, predicate, entity("concept", "Two"), at="2026-05-21T10:00:00Z")
    assert len(graph.recall("Amara Vint")["facts"]) == 2 * len(PREDICATES)


def in_the_third_age(graph: Asking) -> None:
    """A made-up world whose now is the year 200."""
    graph.define("era", name="Third Age", start=1, end=3000)
    graph.define("date", slug="current", label="Now", era="third_age", year=200)


def test_in_a_fictional_workspace_facts_are_recorded_and_shown_too(graph: Asking) -> None:
    in_the_third_age(graph)
    said = graph.record(KETTLE, "belongs_to", entity("concept", "Guild"))
    assert [fact["id"] for fact in graph.recall("Copper Kettle")["facts"]] == [said["fact_id"]]
    assert graph.record(KETTLE, "belongs_to", entity("concept", "Guild"))["deduplicated"]
    assert graph.rollup()["period"] == {"start": "2026-05-14", "end": "2026-05-20"}


def test_in_a_fictional_workspace_an_ended_affiliation_begins_anew_at_the_world_s_now(graph: Asking) -> None:
    in_the_third_age(graph)
    guild = {"name": "Guild", "type": "Faction"}
    graph.ingest(
        link({"name": "Copper Kettle", "type": "Project"}, "belongs_to", guild, valid_until="third_age.year_100")
    )
    assert graph.recall("Copper Kettle")["facts"] == []
    said = graph.record(KETTLE, "belongs_to", entity("concept", "Guild"))
    assert not said["deduplicated"]
    assert [fact["id"] for fact in graph.recall("Copper Kettle")["facts"]] == [said["fact_id"]]
    assert graph.record(KETTLE, "belongs_to", entity("concept", "Guild"))["fact_id"] == said["fact_id"]
