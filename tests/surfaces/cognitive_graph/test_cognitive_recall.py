"""`recall_entity`: resolving, facts, neighbours, limits, what is shown."""

import json
from typing import Any

import pytest
from tests.surfaces.cognitive_graph.asking import Asking, entity, link, literal

KETTLE = entity("project", "Copper Kettle")
NOTHING: dict[str, Any] = {
    "entity": None,
    "facts": [],
    "related_entities": [],
    "resolution": {"method": "none", "score": 0},
    "truncated_facts": False,
}


def ingested(graph: Asking, start: int, count: int) -> None:
    """The project depends on this many things, said by one mail."""
    project = {"name": "Copper Kettle", "type": "Project"}
    facts = [link(project, "depends_on", {"name": f"Part {n}", "type": "Tool"}) for n in range(start, start + count)]
    graph.ingest(*facts)


def test_the_example_of_the_page(graph: Asking) -> None:
    said = graph.record(KETTLE, "blocked_by", literal("supplier contract unsigned"), source="notes", confidence=0.9)
    project = said["subject"]
    answer = graph.answer("recall_entity", {"name_or_alias": "coper kettle"})
    assert answer.structured == {
        "entity": {**project, "aliases": [], "created_at": "2026-05-20T10:00:00Z"},
        "facts": [
            {
                "id": said["fact_id"],
                "subject": project,
                "predicate": "blocked_by",
                "object": {"literal": "supplier contract unsigned"},
                "confidence": 0.9,
                "recorded_at": "2026-05-20T10:00:00Z",
                "source": "notes",
            }
        ],
        "related_entities": [],
        "resolution": {"method": "fuzzy", "score": 0.923},
        "truncated_facts": False,
    }
    assert [json.loads(text) for text in answer.texts] == [answer.structured]


def test_nothing_found_is_a_success_with_all_keys(graph: Asking) -> None:
    assert graph.recall("Nobody") == NOTHING
    assert graph.recall("ent_01JVQ3T8DYH7P2S5G4N9A6QKXM") == NOTHING
    assert graph.recall("x", as_of=0, type=None) == NOTHING


@pytest.mark.parametrize(
    ("text", "name", "method", "score"),
    [
        ("roberto  DIAZ", "Roberto Diaz", "exact", 1.0),
        ("bobby", "Roberto Diaz", "alias", 0.95),
        ("r@x.example", "Roberto Diaz", "alias", 0.95),
        ("Roberto", "Roberto Diaz", "fuzzy", 0.9),
        ("Rob", "Roberto Diaz", "fuzzy", 0.8),
        ("Robrto Diaz", "Roberto Diaz", "fuzzy", 0.917),
        ("Roberta Smith", None, "none", 0),
        ("Phase 2", None, "none", 0),
        ("Mark", None, "none", 0),
        ("Roberto and Priya", None, "none", 0),
        ("ro", None, "none", 0),
    ],
)
def test_a_name_resolves_as_strictly_as_published(
    graph: Asking, text: str, name: str | None, method: str, score: float
) -> None:
    person = {"name": "Roberto Diaz", "type": "Person", "aliases": ["Bobby"], "metadata": {"email": "r@x.example"}}
    others = [("Priya Nair", "Person"), ("Phase 1", "Project"), ("Marketing", "Topic")]
    graph.ingest(entities=[person, *({"name": name, "type": type_} for name, type_ in others)])
    found = graph.recall(text)
    assert (found["entity"] and found["entity"]["name"]) == name
    assert found["resolution"] == {"method": method, "score": score}


def test_an_id_resolves_in_both_its_forms(graph: Asking) -> None:
    held = graph.record(KETTLE, "tagged", literal("x"))["subject"]["id"]
    assert graph.recall(held)["resolution"] == {"method": "exact", "score": 1.0}
    assert graph.recall(held, type="person") == NOTHING


def test_two_of_one_name_give_null_and_a_list_until_type_or_id_decides(graph: Asking) -> None:
    ids = [
        graph.record(entity(type_, "Mercury"), "tagged", literal("x"))["subject"]["id"]
        for type_ in ("project", "person")
    ]
    answer = graph.answer("recall_entity", {"name_or_alias": "mercury"})
    assert answer.structured == NOTHING
    assert len(answer.texts) == 2
    assert all(part in answer.texts[1] for part in (*ids, "project", "person", "Mercury"))
    assert graph.recall("mercury", type=" Person ")["entity"]["id"] == ids[1]
    assert graph.recall(ids[0])["entity"]["type"] == "project"


def test_at_most_five_candidates_are_listed(graph: Asking) -> None:
    for type_ in ("Organization", "Tool", "Topic", "Event", "Place", "Project", "Person"):
        graph.ingest(entities=[{"name": "Mercury", "type": type_}])
    assert graph.answer("recall_entity", {"name_or_alias": "Mercury"}).texts[1].count("ent_") == 5


def test_aliases_come_first_learned_first(graph: Asking) -> None:
    for alias in ("Zed", "Amy", "Kit"):
        graph.record(KETTLE, "tagged", literal(f"alias:{alias}"))
    assert graph.recall("Copper Kettle")["entity"]["aliases"] == ["Zed", "Amy", "Kit"]


def test_facts_come_newest_first_and_a_repeat_does_not_move_them(graph: Asking) -> None:
    for at, tag in (("2026-05-20T10:00:00Z", "a"), ("2026-05-20T10:00:00Z", "b"), ("2026-05-21T10:00:00Z", "c")):
        graph.record(KETTLE, "tagged", literal(tag), at=at)
    graph.record(KETTLE, "tagged", literal("a"), at="2026-05-22T10:00:00Z")
    assert [fact["object"]["literal"] for fact in graph.recall("Copper Kettle")["facts"]] == ["c", "b", "a"]


def test_501_facts_give_500_and_neighbours_count_them_all(graph: Asking) -> None:
    ingested(graph, 0, 499)
    assert not graph.recall("Copper Kettle")["truncated_facts"]
    for predicate in ("depends_on", "mentioned_in"):
        graph.ingest(
            link({"name": "Part 0", "type": "Tool"}, predicate, {"name": "Copper Kettle", "type": "Project"}),
            at="2026-05-19T09:00:00Z",
        )
    found = graph.recall("Copper Kettle")
    assert (len(found["facts"]), found["truncated_facts"], len(found["related_entities"])) == (500, True, 20)
    first, second = found["related_entities"][:2]
    assert (first["name"], first["co_occurrence_count"]) == ("Part 0", 3)
    assert (second["name"], second["co_occurrence_count"]) == ("Part 1", 1)


@pytest.mark.large
def test_exactly_500_facts_are_not_cut(graph: Asking) -> None:
    ingested(graph, 0, 500)
    found = graph.recall("Copper Kettle")
    assert (len(found["facts"]), found["truncated_facts"]) == (500, False)


def test_21_neighbours_give_20_in_order_of_count_time_and_name(graph: Asking) -> None:
    ingested(graph, 10, 19)
    graph.record(entity("person", "Zoe"), "belongs_to", KETTLE, at="2026-05-19T10:00:00Z")
    graph.record(KETTLE, "mentioned_in", entity("person", "Zoe"))
    graph.record(KETTLE, "depends_on", KETTLE)
    graph.record(KETTLE, "depends_on", entity("concept", "Newest"), at="2026-05-22T10:00:00Z")
    beside = graph.recall("Copper Kettle")["related_entities"]
    assert len(beside) == 20
    assert [each["name"] for each in beside[:3]] == ["Zoe", "Newest", "Part 10"]
    assert beside[0] == {**beside[0], "type": "person", "co_occurrence_count": 2}
    assert set(beside[0]) == {"id", "type", "name", "co_occurrence_count"}
    assert all(each["name"] != "Copper Kettle" for each in beside)


def test_other_predicates_and_facts_without_object_are_neither_shown_nor_counted(graph: Asking) -> None:
    project = {"name": "Copper Kettle", "type": "Project"}
    bo = {"name": "Bo Lund", "type": "Person"}
    graph.ingest(link(bo, "works_at", project), link(bo, "blocked_by", None), link(bo, "belongs_to", project))
    found = graph.recall("Bo Lund")
    assert [fact["predicate"] for fact in found["facts"]] == ["belongs_to"]
    assert [each["co_occurrence_count"] for each in found["related_entities"]] == [1]


@pytest.mark.parametrize(
    ("stored", "printed"),
    [
        ("npc", "person"),
        ("character", "person"),
        ("lore_source", "source"),
        ("document", "source"),
        ("organization", "concept"),
        ("event", "concept"),
        ("decision", "decision"),
    ],
)
def test_foreign_types_read_as_their_projection(graph: Asking, stored: str, printed: str) -> None:
    graph.ingest(entities=[{"name": "Something", "type": stored}])
    assert graph.recall("Something")["entity"]["type"] == printed
    assert graph.recall("Something", type=printed)["entity"] is not None
    assert graph.recall("Something", type="project") == NOTHING


def test_a_deleted_end_hides_its_facts_and_does_not_resolve(graph: Asking) -> None:
    graph.record(KETTLE, "depends_on", entity("concept", "Glass"))
    graph.delete("Glass")
    assert graph.recall("Glass")["entity"] is None
    found = graph.recall("Copper Kettle")
    assert (found["facts"], found["related_entities"]) == ([], [])


def test_a_source_is_the_url_of_a_document_or_its_key(graph: Asking) -> None:
    bo = {"name": "Bo Lund", "type": "Person"}
    for number, url in ((1, "https://mail.example/1"), (2, None)):
        record = {"id": f"mail_{number}", "type": "email", "source_at": "2026-05-01T10:00:00Z", "content": "…"}
        graph.ingest(link(bo, "tagged", literal(f"t{number}")), record={**record, **({"url": url} if url else {})})
    sources = {fact["object"]["literal"]: fact for fact in graph.recall("Bo Lund")["facts"]}
    assert (sources["t1"]["source"], sources["t2"]["source"]) == ("https://mail.example/1", "mail_2")
    assert sources["t1"]["confidence"] == 0.9


def test_as_of_answers_as_the_graph_stood_then(graph: Asking) -> None:
    graph.record(KETTLE, "tagged", literal("a"), at="2026-05-20T10:00:00Z")
    graph.record(KETTLE, "tagged", literal("alias:Pot"), at="2026-05-21T10:00:00Z")

    def tags(as_of: Any) -> int:
        return len(graph.recall("Copper Kettle", as_of=as_of)["facts"])

    assert [tags(at) for at in (None, 2, "tx:2", "2026-05-21", "2026-05-20", "1", "2026-05-20T09:00:00Z")] == [
        2, 2, 2, 2, 1, 1, 0,
    ]  # fmt: skip
    assert graph.recall("Pot", as_of="2026-05-20")["entity"] is None


def test_declared_extensions_are_shown_as_their_base(graph: Asking) -> None:
    bo = {"name": "Bo Lund", "type": "Person"}
    graph.ingest(link({"name": "Night Shift", "type": "Crew"}, "waits_for", bo))
    assert graph.recall("Night Shift")["facts"] == []
    graph.set_settings(
        type_extensions={
            "entity_types": {"Crew": {"base": "project"}},
            "predicates": {"WAITS_FOR": {"base": "blocked_by"}},
        }
    )
    found = graph.recall("Night Shift")
    assert (found["entity"]["type"], found["facts"][0]["predicate"]) == ("project", "blocked_by")
    assert graph.recall("Night Shift", type="concept") == NOTHING
    assert graph.rollup(project="Night Shift")["blockers"] == found["facts"]
    assert graph.refusal(entity("crew", "X"), "tagged", literal("x"))["error"] == "ENTITY_TYPE_UNKNOWN"


def test_other_facts_hold_what_has_no_place_among_the_eight_predicates(graph: Asking) -> None:
    graph.ingest(
        {
            "from": {"name": "Odile Ferrant", "type": "Person"},
            "to": {"name": "Harrow Bridge", "type": "Organization"},
            "edge_label": "AFFILIATED",
            "fact_type": "employee",
            "fact": "Odile Ferrant audits for Harrow Bridge",
            "valid_from": "2024",
        },
        record={"id": "mail_31", "type": "email", "source_at": "2026-04-02T09:15:00Z"},
    )
    graph.ingest(
        {
            "from": "Odile Ferrant",
            "to": "Lumen Audit",
            "edge_label": "ASSERTED",
            "fact_type": "commitment",
            "fact": "Odile Ferrant will hand over the ledger",
            "valid_until": "2026-06-01",
        },
        record={
            "id": "mail_32",
            "type": "email",
            "source_at": "2026-04-03T09:15:00Z",
            "url": "https://mail.example/32",
        },
    )
    graph.record(entity("person", "Odile Ferrant"), "tagged", literal("auditor"))
    said = graph.recall("Odile Ferrant")
    assert [each["predicate"] for each in said["facts"]] == ["tagged"]
    assert [{key: each[key] for key in each if key != "id"} for each in said["other_facts"]] == [
        {
            "text": "Odile Ferrant will hand over the ledger",
            "until": "2026-06-01",
            "source": "https://mail.example/32",
        },
        {"text": "Odile Ferrant audits for Harrow Bridge", "since": "2024", "source": "mail_31"},
    ]
    assert "truncated_other_facts" not in said


def test_without_other_facts_there_is_no_such_key(graph: Asking) -> None:
    graph.record(entity("person", "Odile Ferrant"), "tagged", literal("auditor"))
    for name in ("Odile Ferrant", "nobody"):
        assert set(graph.recall(name)) == {"entity", "facts", "related_entities", "resolution", "truncated_facts"}


def test_other_facts_are_current_and_follow_as_of(graph: Asking) -> None:
    ended = {"from": "Bo", "to": "Acme", "edge_label": "AFFILIATED", "fact_type": "employee", "valid_until": "2025"}
    graph.ingest(ended)
    before = graph.tx
    graph.ingest(
        {"from": "Bo", "to": "Acme", "edge_label": "ASSERTED", "fact_type": "opinion", "fact": "Bo likes Acme"}
    )
    assert [each["text"] for each in graph.recall("Bo")["other_facts"]] == ["Bo likes Acme"]
    assert "other_facts" not in graph.recall("Bo", as_of=before)


def test_more_than_a_hundred_other_facts_are_cut_to_the_newest(graph: Asking) -> None:
    for number in range(101):
        note = {"from": "Bo", "to": None, "edge_label": "ASSERTED", "fact_type": "update", "fact": f"Bo: note {number}"}
        graph.ingest(note, at=f"2026-05-01T09:{number // 60:02}:{number % 60:02}Z")
    said = graph.recall("Bo")
    assert [each["text"] for each in said["other_facts"]] == [f"Bo: note {number}" for number in range(100, 0, -1)]
    assert (said["truncated_other_facts"], said["truncated_facts"]) == (True, False)
