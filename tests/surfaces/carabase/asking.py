"""Calls of the surface through the real dispatcher; every answer's trailers are checked on the way."""

import json
import re
from typing import Any

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call, unknown_tool_answer
from recollect.surfaces.registry import find_surface

Json = dict[str, Any]
TRAILER = re.compile(r"\[(mesh-tier|hint|trace): (.*)\]")


def ask(memory: Memory, tool: str, arguments: Json, *, may_write: bool = True) -> Answer:
    surface = find_surface("carabase")
    declared = surface.tool_called(tool)
    if declared is None:
        answer = unknown_tool_answer(surface, tool)
    else:
        answer = call(
            declared, lambda each: memory.as_actor("carabase", each.name, "ann", may_write=may_write), arguments
        )
    assert_trailers(answer)
    return answer


def assert_trailers(answer: Answer) -> None:
    """The last lines of the text say what the fields say."""
    [text] = answer.texts
    lines = text.split("\n")
    hint, trace = answer.structured["_hint"], answer.structured["_trace"]
    shown = [TRAILER.fullmatch(line) for line in lines[-3:]]
    trailers = [(each[1], each[2]) for each in shown if each]
    said = {kind: words for kind, words in trailers if kind != "mesh-tier"}
    expected = ({} if hint is None else {"hint": hint["text"]}) | ({"trace": "; ".join(trace)} if trace else {})
    assert said == expected
    assert list(said) == [kind for kind in ("hint", "trace") if kind in expected]
    assert all(len(said.get(kind, "")) <= most for kind, most in (("hint", 400), ("trace", 300)))
    if hint is not None:
        assert trace
        assert len(hint["next"]) <= 3
    if answer.is_error:
        error = answer.structured["error"]
        assert hint is not None
        assert lines[0].startswith(f"Error {error['code']}: ")
        assert {"code", "message", "field", "accepted"} <= error.keys()
    else:
        assert "error" not in answer.structured


def found(memory: Memory, tool: str, **arguments: Any) -> Json:
    """What a call that finds something answers: it has no hint."""
    answer = ask(memory, tool, arguments)
    assert not answer.is_error, answer.structured
    assert answer.structured["_hint"] is None, answer.structured["_hint"]
    return answer.structured


def empty(memory: Memory, tool: str, shape: str, **arguments: Any) -> Json:
    """What a call that finds nothing answers; every call its hint proposes is taken as it is, and is another."""
    answer = ask(memory, tool, arguments)
    assert not answer.is_error, answer.structured
    hint = answer.structured["_hint"]
    assert hint is not None, answer.structured
    assert hint["shape"] == shape, hint
    follow(memory, tool, arguments, hint)
    return answer.structured


def follow(memory: Memory, tool: str, arguments: Json, hint: Json) -> None:
    for each in hint["next"]:
        assert (each["tool"], each["args"]) != (tool, arguments)
        assert each["tool"] in find_surface("carabase").tools
        again = ask(memory, each["tool"], each["args"])
        assert not again.is_error, again.structured


def refusal(memory: Memory, tool: str, code: str = "INVALID_ARGUMENT", **arguments: Any) -> Json:
    """What a call that fails says."""
    answer = ask(memory, tool, arguments)
    assert answer.is_error, answer.structured
    assert answer.structured["error"]["code"] == code, answer.structured
    follow(memory, tool, arguments, answer.structured["_hint"])
    return answer.structured


def text_of(memory: Memory, tool: str, **arguments: Any) -> str:
    return ask(memory, tool, arguments).texts[0]


def take_line(memory: Memory, line: Json) -> None:
    with memory.as_actor("cli", "ingest").write() as change:
        write_line(change, parse_line(line))


def tell(memory: Memory, record: Json | None = None, *facts: Json, entities: tuple[Json, ...] = ()) -> None:
    """Take in one line: a record, entities and facts."""
    line: Json = {"facts": list(facts), "entities": list(entities)}
    if record is not None:
        line["record"] = record
    take_line(memory, line)


def note(id_: str, content: str, at: str = "2026-05-10T09:00:00Z", **more: Any) -> Json:
    return {"id": id_, "type": "note", "source_at": at, "content": content, **more}


def edge(one: Any, predicate: str, other: Any, **more: Any) -> Json:
    return {"from": one, "predicate": predicate, "to": other, **more}


def same(value: Any) -> str:
    """One text for equal answers."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
