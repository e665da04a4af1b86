"""A call of a declared tool: what is taken, what is refused, what comes back."""

import json
import logging
from typing import Any

import pytest

from recollect.errors import Unavailable
from recollect.settings import Settings
from recollect.surfaces.declarations import Answer, Surface
from recollect.surfaces.dispatch import call
from tests.support.toy_surface import Notes


def ask(toy: Surface, name: str, arguments: dict[str, Any], memory: Notes | None = None) -> Answer:
    kept = memory or Notes()
    return call(toy.find(name), lambda _: kept, arguments)


def refusal(toy: Surface, name: str, arguments: dict[str, Any]) -> tuple[Any, Any]:
    answer = ask(toy, name, arguments)
    assert answer.is_error
    assert answer.structured["message"].startswith(answer.structured["field"])
    return answer.structured["field"], answer.structured["problem"]


def test_an_answer_is_structured_and_the_same_json_is_its_text(toy: Surface) -> None:
    answer = ask(toy, "find_note", {"name": "first"})
    assert answer.structured == {"note": {"name": "first", "text": "hello"}}
    assert answer.texts == ('{"note":{"name":"first","text":"hello"}}',)


def test_more_text_and_meta_come_behind_the_value(toy: Surface) -> None:
    answer = ask(toy, "find_note", {"name": "second", "as_of": "tx:4"})
    assert answer == Answer({"note": None}, ('{"note":null}', "nothing by that name"), meta={"as_of": "tx:4"})


def test_a_list_stands_under_result(toy: Surface) -> None:
    assert ask(toy, "list_notes", {}).structured == {"result": [{"name": "first", "text": "hello"}]}


@pytest.mark.parametrize(
    ("arguments", "field", "problem"),
    [
        ({}, "name", "missing"),
        ({"name": None}, "name", "wrong_type"),
        ({"name": 3}, "name", "wrong_type"),
        ({"name": " "}, "name", "bad_value"),
        ({"name": "x" * 501}, "name", "bad_value"),
        ({"name": "a\0b"}, "name", "bad_value"),
        ({"name": "first", "asof": "2026"}, "asof", "unknown"),
        ({"name": "first", "title": "second"}, "title", "both_names"),
        ({"name": "first", "title": "first"}, "title", "both_names"),
        ({"name": "first", "as_of": True}, "as_of", "bad_value"),
        ({"name": "first", "as_of": -1}, "as_of", "bad_value"),
        ({"name": "first", "as_of": "2026-02-30"}, "as_of", "bad_value"),
        ({"name": "first", "as_of": "yesterday"}, "as_of", "bad_value"),
    ],
)
def test_a_bad_argument_is_refused_by_name(toy: Surface, arguments: dict[str, Any], field: str, problem: str) -> None:
    assert refusal(toy, "find_note", arguments) == (field, problem)


@pytest.mark.parametrize(
    ("tags", "field", "problem"),
    [
        ("no list", "tags", "wrong_type"),
        ([{"key": "a"}], "tags[0].value", "missing"),
        ([{"key": "a", "value": 4}], "tags[0].value", "wrong_type"),
        ([{"key": "a", "value": "b", "more": 1}], "tags[0].more", "unknown"),
    ],
)
def test_a_fault_deep_inside_is_named_by_its_place(toy: Surface, tags: Any, field: str, problem: str) -> None:
    assert refusal(toy, "write_note", {"name": "a", "text": "b", "tags": tags}) == (field, problem)


def test_arguments_nested_without_end_are_refused_like_any_other(toy: Surface) -> None:
    nested: Any = "x"
    for _ in range(5_000):
        nested = [nested]
    assert refusal(toy, "write_note", {"name": "a", "text": "b", "tags": nested}) == ("tags", "bad_value")


@pytest.mark.parametrize("limit", ["5", 5.5, True, 0, 1001])
def test_numbers_are_strict_and_never_clamped(toy: Surface, limit: Any) -> None:
    assert ask(toy, "list_notes", {"limit": limit}).is_error


def test_a_whole_float_is_an_integer(toy: Surface) -> None:
    assert not ask(toy, "list_notes", {"limit": 5.0}).is_error


@pytest.mark.parametrize("as_of", ["12", 12, "tx:12", "2026-05-20", "2026-05-20T10:00:00Z", " 2026-05-20T10:00+02:00 "])
def test_as_of_takes_an_instant_a_date_or_a_number(toy: Surface, as_of: Any) -> None:
    assert not ask(toy, "find_note", {"name": "first", "as_of": as_of}).is_error


def test_null_for_an_optional_argument_is_absent(toy: Surface) -> None:
    assert not ask(toy, "list_notes", {"order": None, "limit": None}).is_error


def test_an_older_name_is_taken(toy: Surface) -> None:
    assert ask(toy, "find_note", {"note_name": "first"}).structured["note"] is not None


def test_a_choice_ignores_case_and_an_unknown_one_lists_all(toy: Surface) -> None:
    assert not ask(toy, "list_notes", {"order": " Newest "}).is_error
    assert ask(toy, "list_notes", {"order": "best"}).structured["accepted"] == ["oldest", "newest"]


def test_an_unknown_argument_lists_those_that_are_known(toy: Surface) -> None:
    assert ask(toy, "find_note", {"name": "a", "asof": 1}).structured["accepted"] == ["name", "as_of"]


def test_an_unknown_key_of_an_item_lists_those_that_are_known(toy: Surface) -> None:
    tags = [{"key": "a", "value": "b", "more": 1}]
    said = ask(toy, "write_note", {"name": "a", "text": "b", "tags": tags}).structured
    assert said["accepted"] == ["key", "value"]
    assert said["message"] == "tags[0].more is not known here; known are key, value"


def test_an_expected_failure_keeps_its_code(toy: Surface) -> None:
    answer = ask(toy, "find_note", {"name": "nobody"})
    assert (answer.structured["error"], answer.outcome) == ("not_found", "failed")


def test_a_crash_tells_the_caller_a_reference_and_the_log_no_words(
    toy: Surface, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "recollect.call"):
        answer = ask(toy, "find_note", {"name": "crash"})
    assert (answer.structured["error"], answer.outcome) == ("internal", "crashed")
    reference = answer.structured["message"].split()[-1].rstrip(")")
    assert reference in caplog.text
    assert "secret words" not in caplog.text + json.dumps(answer.structured)


def test_a_reader_may_not_write(toy: Surface) -> None:
    memory = Notes(may_write=False)
    answer = ask(toy, "write_note", {"name": "second", "text": "x"}, memory)
    assert answer.structured["error"] == "forbidden"
    assert "second" not in memory.notes


def test_a_reader_is_not_shown_what_writes(toy: Surface) -> None:
    assert [tool.name for tool in toy.listed_tools(may_write=False)] == ["find_note", "list_notes"]


def test_a_tool_under_an_old_name_answers_but_is_not_listed(toy: Surface) -> None:
    assert "old_find" not in [tool.name for tool in toy.listed_tools(may_write=True)]
    assert not ask(toy, "old_find", {"name": "first"}).is_error


def test_a_store_that_cannot_be_reached_is_said_in_the_surface_s_words(toy: Surface) -> None:
    def unreachable(_: object) -> Notes:
        raise Unavailable("the database is locked")

    answer = call(toy.find("list_notes"), unreachable, {})
    assert answer.structured == {"error": "unavailable", "message": "the database is locked"}


def test_settings_reach_the_style(toy: Surface) -> None:
    memory = Notes(settings=Settings(environment={"RECOLLECT_TOY_MARK_ERRORS": "false"}))
    assert not ask(toy, "find_note", {}, memory).is_error
