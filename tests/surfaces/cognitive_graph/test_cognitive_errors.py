"""The error envelope: codes, hints, examples that work, nothing written, the server goes on."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.surfaces.cognitive_graph.asking import SURFACE, Asking, entity, literal

from recollect.keep.forgetting.erasure import forget
from recollect.store.port import FOREVER, Connection, StoreUnavailable
from recollect.surfaces.cognitive_graph.vocabulary import PREDICATES, TYPES
from recollect.surfaces.registry import find_surface
from recollect.surfaces.schema import input_schema, output_schema

KETTLE = entity("project", "Copper Kettle")
BUSY = literal("busy")
FORM = literal("example")
NOBODY = "ent_01JVQ3T8DYH7P2S5G4N9A6QKXM"

BAD_SUBJECTS: list[Any] = [
    None,
    "Copper Kettle",
    '["Copper Kettle"]',
    '"Copper Kettle"',
    7,
    [],
    {},
    {"name": "Copper Kettle"},
    {"type": None, "name": "Copper Kettle"},
    {"type": "project"},
    {"type": "project", "name": None, "id": None},
    {"type": "project", "name": "  "},
    {"type": "project", "name": 7},
    {"type": "project", "name": "x" * 201},
    {"type": "project", "name": "a\0b"},
    {"type": "project", "name": "a\ud800"},
    {"type": "project", "name": "Copper Kettle", "colour": "red"},
    {"type": "project", "id": NOBODY},
    {"type": "project", "id": NOBODY, "name": "Copper Kettle"},
    {"type": "project", "id": "fact_01JVQ3T8DYH7P2S5G4N9A6QKXM"},
    {"type": "project", "id": ""},
    {"type": "project", "id": 7},
]
BAD_OBJECTS: list[Any] = [
    {"literal": "busy", "type": "concept"},
    {"literal": "busy", "name": "Busy"},
    {"literal": "busy", "id": NOBODY},
    {"literal": "busy", "more": 1},
    {"literal": " "},
    {"literal": "x" * 1001},
    {"literal": 7},
    {"literal": "a\0b"},
    {"literal": "alias:  "},
    {"literal": "ALIAS:" + "x" * 201},
]
ENVELOPE = {"error", "message", "hint", "example"}


def assert_refused(graph: Asking, said: dict[str, Any], code: str) -> None:
    """The envelope is there, and its example works when sent."""
    assert (said["error"], set(said)) == (code, ENVELOPE)
    assert said["hint"]
    assert "error" not in graph.ask("record_fact", **said["example"])


@pytest.mark.parametrize("subject", BAD_SUBJECTS, ids=str)
def test_a_bad_subject_is_refused_and_leaves_no_trace(graph: Asking, subject: Any) -> None:
    said = graph.refusal(subject, "tagged", entity("concept", "Glass"))
    assert graph.tx == 0
    assert_refused(graph, said, "SUBJECT_REQUIRED")


@pytest.mark.parametrize("object_", [*BAD_SUBJECTS, *BAD_OBJECTS], ids=str)
def test_a_bad_object_after_a_new_subject_creates_nothing(graph: Asking, object_: Any) -> None:
    said = graph.refusal(KETTLE, "tagged", object_)
    assert graph.tx == 0
    assert graph.recall("Copper Kettle")["entity"] is None
    assert_refused(graph, said, "OBJECT_REQUIRED")


@pytest.mark.parametrize("text", ["Copper Kettle", "[1]", "{not json", "7"])
def test_a_plain_string_is_called_one(graph: Asking, text: str) -> None:
    assert "plain string" in graph.refusal(text, "tagged", BUSY)["message"]
    assert "plain string" in graph.refusal(KETTLE, "tagged", text)["message"]


def test_the_example_keeps_what_was_right(graph: Asking) -> None:
    said = graph.refusal({"type": "team", "name": "Kitchen"}, "tagged", BUSY)
    assert said == {
        "error": "ENTITY_TYPE_UNKNOWN",
        "message": 'subject.type "team" is not a known type.',
        "hint": "Use one of person, project, decision, concept, source. When unsure, concept.",
        "example": {"subject": entity("concept", "Kitchen"), "predicate": "tagged", "object": BUSY},
    }


@pytest.mark.parametrize(
    ("predicate", "object_", "literal_"),
    [
        ("likes", BUSY, "likes busy"),
        ("works_at", entity("concept", "Acme"), "works at Acme"),
        ("Works With", {"type": "team", "name": "Kitchen"}, "Works With Kitchen"),
        ("likes", "green tea", "likes green tea"),
        ("weighs", {"literal": 7}, "weighs 7"),
        ("blocked by", BUSY, "blocked by busy"),
    ],
)
def test_an_unknown_predicate_becomes_a_tag_that_keeps_the_claim(
    graph: Asking, predicate: str, object_: Any, literal_: str
) -> None:
    said = graph.refusal(KETTLE, predicate, object_, source="call notes", confidence=0.8)
    assert said["example"] == {
        "subject": KETTLE,
        "predicate": "tagged",
        "object": literal(literal_),
        "source": "call notes",
        "confidence": 0.8,
    }
    assert_refused(graph, said, "PREDICATE_UNKNOWN")


def test_an_unknown_predicate_names_the_object_of_an_id(graph: Asking) -> None:
    made = graph.record(entity("concept", "Acme"), "tagged", BUSY)["subject"]["id"]
    said = graph.refusal(KETTLE, "works_at", {"type": "concept", "id": made})
    assert said["example"]["object"] == literal("works at Acme")


@pytest.mark.parametrize(
    ("subject", "predicate", "object_"),
    [
        (None, "tagged", BUSY),
        ({"type": "project", "id": NOBODY}, "tagged", BUSY),
        (entity("project", "x" * 201), "tagged", BUSY),
        (["Copper", "Kettle"], "tagged", BUSY),
        (KETTLE, "tagged", None),
        (KETTLE, "likes", None),
        (KETTLE, "tagged", literal("x" * 1001)),
        (KETTLE, "likes", literal("x" * 1000)),
        (KETTLE, "alias:", literal("Kettle Two")),
    ],
    ids=str,
)
def test_the_example_of_a_claim_that_cannot_be_kept_shows_the_form_and_claims_nothing(
    graph: Asking, subject: Any, predicate: Any, object_: Any
) -> None:
    said = graph.refusal(subject, predicate, object_)
    assert said["example"] == {"subject": entity("concept", "Example"), "predicate": "tagged", "object": FORM}
    assert_refused(graph, said, said["error"])


def test_a_call_without_arguments_is_shown_the_form(graph: Asking) -> None:
    for given in ({}, {"subject": KETTLE, "bogus": 1}):
        assert_refused(graph, said := graph.ask("record_fact", **given), said["error"])


@pytest.mark.parametrize(
    ("subject", "predicate", "object_", "example"),
    [
        (["Glass"], "tagged", BUSY, (entity("concept", "Glass"), BUSY)),
        ([KETTLE], "tagged", ["busy"], (KETTLE, BUSY)),
        (KETTLE, None, BUSY, (KETTLE, BUSY)),
        (KETTLE, " ", entity("concept", "Glass"), (KETTLE, entity("concept", "Glass"))),
        (KETTLE, 7, BUSY, (KETTLE, BUSY)),
        (KETTLE, "tagged", {"literal": "busy", "name": "Glass", "type": "concept"}, (KETTLE, BUSY)),
    ],
    ids=str,
)
def test_the_example_takes_what_can_only_be_meant_so(
    graph: Asking, subject: Any, predicate: Any, object_: Any, example: tuple[Any, Any]
) -> None:
    said = graph.refusal(subject, predicate, object_)
    assert said["example"] == {"subject": example[0], "predicate": "tagged", "object": example[1]}
    assert_refused(graph, said, said["error"])


def test_a_call_without_predicate_is_shown_as_a_tag(graph: Asking) -> None:
    said = graph.ask("record_fact", subject=KETTLE, object=BUSY)
    assert said["example"] == {"subject": KETTLE, "predicate": "tagged", "object": BUSY}
    assert_refused(graph, said, "PREDICATE_UNKNOWN")


def test_the_example_keeps_a_readable_confidence_and_as_much_of_the_source_as_fits(graph: Asking) -> None:
    said = graph.refusal(KETTLE, "tagged", BUSY, source="mail", confidence="0.5")
    assert said["example"] == {
        "subject": KETTLE,
        "predicate": "tagged",
        "object": BUSY,
        "source": "mail",
        "confidence": 0.5,
    }
    long = graph.refusal(KETTLE, "tagged", BUSY, source="x" * 2001, confidence=0.3)["example"]
    assert (long["confidence"], long["source"]) == (0.3, "x" * 1999 + "…")


def test_an_example_without_the_unknown_argument_keeps_the_rest(graph: Asking) -> None:
    given = {"subject": KETTLE, "predicate": "blocked_by", "object": BUSY, "source": "mail"}
    assert graph.ask("record_fact", **given, certainty="high")["example"] == given


def test_the_example_takes_a_known_name_for_what_it_is(graph: Asking) -> None:
    graph.record(KETTLE, "tagged", BUSY)
    assert graph.refusal("copper kettle", "tagged", BUSY)["example"]["subject"]["type"] == "project"


@pytest.mark.parametrize("type_", ["team", "", 7, ["person"]])
def test_a_sixth_type_is_refused_with_the_full_list(graph: Asking, type_: Any) -> None:
    for subject, object_ in (({"type": type_, "name": "A"}, BUSY), (KETTLE, {"type": type_, "name": "A"})):
        said = graph.refusal(subject, "tagged", object_)
        assert all(each in said["hint"] for each in TYPES)
        assert_refused(graph, said, "ENTITY_TYPE_UNKNOWN")
    assert graph.recall("A", type="team")["error"] == "ENTITY_TYPE_UNKNOWN"


@pytest.mark.parametrize("predicate", ["likes", "", None, 7, "blocked by"])
def test_a_ninth_predicate_is_refused_with_the_full_list(graph: Asking, predicate: Any) -> None:
    said = graph.refusal(KETTLE, predicate, BUSY)
    assert all(each in said["hint"] for each in PREDICATES)
    assert_refused(graph, said, "PREDICATE_UNKNOWN")


@pytest.mark.parametrize("confidence", [-0.01, 1.01, True, "0.5", float("nan"), float("inf"), [1]])
def test_confidence_is_a_number_from_0_to_1(graph: Asking, confidence: Any) -> None:
    assert_refused(graph, graph.refusal(KETTLE, "tagged", BUSY, confidence=confidence), "CONFIDENCE_OUT_OF_RANGE")


@pytest.mark.parametrize("source", [7, "x" * 2001, ["mail"], "a\0b"])
def test_a_source_is_a_text_of_2000_characters(graph: Asking, source: Any) -> None:
    assert_refused(graph, graph.refusal(KETTLE, "tagged", BUSY, source=source), "SOURCE_INVALID")


def test_the_longest_texts_are_taken(graph: Asking) -> None:
    graph.record(entity("project", "n" * 200), "tagged", literal("l" * 1000), source="s" * 2000)
    assert graph.recall("n" * 200)["facts"][0]["source"] == "s" * 2000


def test_a_blank_source_is_none(graph: Asking) -> None:
    graph.record(KETTLE, "tagged", BUSY, source="  ")
    assert graph.recall("Copper Kettle")["facts"][0]["source"] is None


def test_an_id_of_another_type_is_refused(graph: Asking) -> None:
    held = graph.record(KETTLE, "tagged", BUSY)["subject"]["id"]
    said = graph.refusal({"type": "person", "id": held}, "tagged", BUSY)
    assert said["example"]["subject"] == {"type": "project", "id": held}
    assert_refused(graph, said, "SUBJECT_REQUIRED")


@pytest.mark.parametrize("missing", ["subject", "predicate", "object"])
def test_a_missing_argument_has_its_code(graph: Asking, missing: str) -> None:
    given = {"subject": KETTLE, "predicate": "tagged", "object": BUSY}
    said = graph.ask("record_fact", **{key: value for key, value in given.items() if key != missing})
    code = "PREDICATE_UNKNOWN" if missing == "predicate" else f"{missing.upper()}_REQUIRED"
    assert_refused(graph, said, code)


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("recall_entity", {}, "NAME_OR_ALIAS_REQUIRED"),
        ("recall_entity", {"name_or_alias": None}, "NAME_OR_ALIAS_REQUIRED"),
        ("recall_entity", {"name_or_alias": 7}, "NAME_OR_ALIAS_REQUIRED"),
        ("recall_entity", {"name_or_alias": " \t"}, "NAME_OR_ALIAS_REQUIRED"),
        ("recall_entity", {"name_or_alias": "x" * 201}, "NAME_OR_ALIAS_TOO_LONG"),
        ("recall_entity", {"name_or_alias": "x", "type": "team"}, "ENTITY_TYPE_UNKNOWN"),
        ("recall_entity", {"name_or_alias": "x", "type": 7}, "ENTITY_TYPE_UNKNOWN"),
        ("recall_entity", {"name_or_alias": "x", "as_of": "soon"}, "AS_OF_INVALID"),
        ("recall_entity", {"name_or_alias": "x", "as_of": True}, "AS_OF_INVALID"),
        ("recall_entity", {"name_or_alias": "x", "as_of": -1}, "AS_OF_INVALID"),
        ("recall_entity", {"name_or_alias": "x", "as_of": "2026-02-30"}, "AS_OF_INVALID"),
        ("recall_entity", {"name_or_alias": "x", "as_of": []}, "AS_OF_INVALID"),
        ("recall_decisions", {}, "PROJECT_REQUIRED"),
        ("recall_decisions", {"project": None}, "PROJECT_REQUIRED"),
        ("recall_decisions", {"project": ""}, "PROJECT_REQUIRED"),
        ("recall_decisions", {"project": ["x"]}, "PROJECT_REQUIRED"),
        ("recall_decisions", {"project": "x" * 201}, "PROJECT_REQUIRED"),
        ("recall_decisions", {"project": "x", "since": "2026-02-30"}, "SINCE_INVALID"),
        ("recall_decisions", {"project": "x", "since": "2026-5-1"}, "SINCE_INVALID"),
        ("recall_decisions", {"project": "x", "since": "20260501"}, "SINCE_INVALID"),
        ("recall_decisions", {"project": "x", "since": "2026-05-01T00:00:00Z"}, "SINCE_INVALID"),
        ("recall_decisions", {"project": "x", "since": "last week"}, "SINCE_INVALID"),
        ("recall_decisions", {"project": "x", "since": 20260501}, "SINCE_INVALID"),
        ("recall_decisions", {"project": "x", "as_of": "soon"}, "AS_OF_INVALID"),
        ("weekly_rollup", {"project": "Nothing"}, "PROJECT_NOT_FOUND"),
        ("weekly_rollup", {"project": 7}, "PROJECT_NOT_FOUND"),
        ("weekly_rollup", {"project": "x" * 201}, "PROJECT_NOT_FOUND"),
        ("weekly_rollup", {"as_of": "soon"}, "AS_OF_INVALID"),
    ],
)
def test_a_reader_s_error_is_a_code_and_a_message(
    graph: Asking, tool: str, arguments: dict[str, Any], code: str
) -> None:
    answer = graph.answer(tool, arguments)
    assert (answer.structured["error"], set(answer.structured)) == (code, {"error", "message"})
    assert not answer.is_error
    assert answer.texts == (json.dumps(answer.structured, ensure_ascii=False, separators=(",", ":")),)


@pytest.mark.parametrize("name", ["asof", "x" * 5000, "töñ"])
def test_an_unknown_argument_is_named(graph: Asking, name: str) -> None:
    for tool in ("recall_entity", "recall_decisions", "weekly_rollup"):
        said = graph.ask(tool, **{**find_surface(SURFACE).find(tool).example, name: 1})
        assert (said["error"], set(said)) == ("ARGUMENT_UNKNOWN", {"error", "message"})
        assert name[:70] in said["message"]
    said = graph.ask("record_fact", **{"subject": KETTLE, "predicate": "tagged", "object": BUSY, name: 1})
    assert_refused(graph, said, "ARGUMENT_UNKNOWN")


def test_a_token_that_may_only_read_is_forbidden_to_write(graph: Asking) -> None:
    graph.may_write = False
    said = graph.ask("record_fact", subject=KETTLE, predicate="tagged", object=BUSY)
    assert (said["error"], set(said)) == ("FORBIDDEN", {"error", "message"})


class Away:
    """An engine whose database cannot be reached."""

    name = "away"

    @contextmanager
    def reading(self, ws: int | None = None, as_of_tx: int | None = None) -> Iterator[Connection]:
        del ws, as_of_tx
        raise StoreUnavailable("gone")
        yield

    @contextmanager
    def writing(self, ws: int | None = None, *, wait: float = FOREVER) -> Iterator[Connection]:
        del ws, wait
        raise StoreUnavailable("gone")
        yield


def test_a_store_that_is_away_is_said_and_the_next_call_goes_on(graph: Asking) -> None:
    here = graph.memory
    graph.memory = replace(here, engine=Away())  # type: ignore[arg-type]
    for tool in ("recall_entity", "recall_decisions", "weekly_rollup"):
        said = graph.ask(tool, **find_surface(SURFACE).find(tool).example)
        assert (said["error"], set(said)) == ("GRAPH_UNAVAILABLE", {"error", "message"})
    said = graph.ask("record_fact", subject=KETTLE, predicate="tagged", object=BUSY)
    assert (said["error"], set(said)) == ("GRAPH_WRITE_FAILED", {"error", "message", "hint"})
    assert "once more" in said["hint"]
    graph.memory = here
    assert graph.tx == 0
    graph.record(KETTLE, "tagged", BUSY)


def test_what_nobody_foresaw_is_an_internal_error(graph: Asking) -> None:
    graph.set_settings(type_extensions={"entity_types": {"team": {"base": "gang"}}})
    assert graph.rollup()["error"] == "INTERNAL_ERROR"


def test_older_clients_may_have_the_older_code_and_the_error_mark(graph: Asking) -> None:
    graph.set_settings(legacy_predicate_code=True, mark_errors="true")
    answer = graph.answer("record_fact", {"subject": KETTLE, "predicate": "likes", "object": BUSY})
    assert (answer.structured["error"], answer.is_error) == ("PREDICATE_NOT_IN_VOCABULARY", True)
    assert not graph.answer("recall_entity", {"name_or_alias": "nobody"}).is_error


def test_a_setting_that_makes_no_sense_does_not_hide_the_error(graph: Asking) -> None:
    graph.set_settings(mark_errors="perhaps")
    assert graph.recall("")["error"] == "NAME_OR_ALIAS_REQUIRED"


def test_there_are_exactly_four_tools_and_one_writes(graph: Asking) -> None:
    tools = find_surface(SURFACE).tools
    assert {name: (tool.effect, tool.idempotent) for name, tool in tools.items()} == {
        "recall_entity": ("read", True),
        "recall_decisions": ("read", True),
        "weekly_rollup": ("read", True),
        "record_fact": ("write", False),
    }
    assert graph.tx == 0


def test_published_schemas_let_bad_calls_through_and_admit_their_errors(graph: Asking) -> None:
    for tool in find_surface(SURFACE).tools.values():
        wrong = {each.name: 7 for each in tool.parameters} | {"more": 1}
        given, answered = (Draft202012Validator(schema(tool)) for schema in (input_schema, output_schema))
        problems = [*given.iter_errors(wrong), *given.iter_errors({})]
        assert [*problems, *answered.iter_errors(graph.ask(tool.name, **wrong))] == []


def test_what_was_forgotten_is_refused_as_such_and_leaves_no_trace(graph: Asking) -> None:
    said = graph.record(KETTLE, "reports_to", entity("person", "Bo"))
    forget(graph.memory, [said["fact_id"]])
    before = graph.tx
    refused = graph.refusal(KETTLE, "reports_to", entity("person", "Bo"))
    assert (refused["error"], set(refused)) == ("GRAPH_WRITE_FAILED", {"error", "message", "hint"})
    assert graph.tx == before


@pytest.mark.parametrize(("argument", "value"), [("confidence", float("inf")), ("source", "\ud800")])
def test_the_hint_is_about_the_argument_that_was_wrong(graph: Asking, argument: str, value: object) -> None:
    refused = graph.refusal(KETTLE, "tagged", literal("x"), **{argument: value})
    assert argument in refused["hint"]
    assert "Send only" not in refused["hint"]
    assert "error" not in graph.ask("record_fact", **refused["example"])
