"""The surface itself and its way to say that a call failed: an ordinary result with a code."""

import re
from collections.abc import Mapping
from typing import Any, NotRequired

from typing_extensions import TypedDict

from recollect.errors import Forbidden, RecollectError, Refused, Unavailable
from recollect.settings import BadSetting, Settings
from recollect.surfaces.cognitive_graph.ends import read_object, read_subject
from recollect.surfaces.cognitive_graph.problems import (
    ConfidenceOutOfRange,
    EndRefused,
    FactRefused,
    NameTooLong,
    PredicateUnknown,
    ProjectNotFound,
    SourceInvalid,
    quoted,
)
from recollect.surfaces.cognitive_graph.words import known_predicate
from recollect.surfaces.declare import Failure, Surface, Tool
from recollect.surfaces.problems import BadArgument
from recollect.write.forgotten import Forgotten

EXAMPLE: Mapping[str, Any] = {
    "subject": {"type": "project", "name": "Copper Kettle"},
    "predicate": "blocked_by",
    "object": {"literal": "supplier contract unsigned"},
    "source": "call notes 19 May",
    "confidence": 0.9,
}

_WRITER = "record_fact"
_WRITE_FAILED = "GRAPH_WRITE_FAILED"
_LEGACY_CODES = {PredicateUnknown.code: "PREDICATE_NOT_IN_VOCABULARY"}
_CODES = {
    "name_or_alias": "NAME_OR_ALIAS_REQUIRED",
    "type": "ENTITY_TYPE_UNKNOWN",
    "since": "SINCE_INVALID",
    "as_of": "AS_OF_INVALID",
    "subject": "SUBJECT_REQUIRED",
    "object": "OBJECT_REQUIRED",
    "predicate": PredicateUnknown.code,
    "confidence": ConfidenceOutOfRange.code,
    "source": SourceInvalid.code,
}
_HINTS = {
    "predicate": PredicateUnknown.hint,
    "confidence": ConfidenceOutOfRange.hint,
    "source": SourceInvalid.hint,
}
_PROJECT_CODES = {"recall_decisions": "PROJECT_REQUIRED", "weekly_rollup": ProjectNotFound.code}


class Envelope(TypedDict):
    """A failure, as an ordinary result."""

    error: str
    message: str
    hint: NotRequired[str]
    example: NotRequired[dict[str, Any]]


def say_failure(tool: Tool, given: Mapping[str, Any], failure: RecollectError, settings: Settings) -> Failure:
    code = _code(tool, failure)
    if _is_on(settings, "cognitive_graph.legacy_predicate_code"):
        code = _LEGACY_CODES.get(code, code)
    said: dict[str, Any] = {"error": code, "message": str(failure)}
    if isinstance(failure, BadArgument) and failure.problem == "unknown":
        said["message"] = f"{quoted(failure.field)} is not an argument of {tool.name}; it takes {_taken(tool)}"
    return Failure(said | _advice(tool, given, failure), _is_on(settings, "cognitive_graph.mark_errors"))


def _code(tool: Tool, failure: RecollectError) -> str:
    match failure:
        case FactRefused() | NameTooLong() | ProjectNotFound():
            return failure.code
        case BadArgument(problem="unknown"):
            return "ARGUMENT_UNKNOWN"
        case Refused(field=str(field)) if field == "project":
            return _PROJECT_CODES[tool.name]
        case Refused(field=str(field)) if _argument(field) in _CODES:
            return _CODES[_argument(field)]
        case Forbidden():
            return "FORBIDDEN"
        case Unavailable():
            return _WRITE_FAILED if tool.name == _WRITER else "GRAPH_UNAVAILABLE"
        case Forgotten():
            return _WRITE_FAILED
        case _:
            return "INTERNAL_ERROR"


def _argument(field: str) -> str:
    """The argument that a place inside it, such as `object.literal`, belongs to."""
    return re.split(r"[.\[]", field, maxsplit=1)[0]


def _advice(tool: Tool, given: Mapping[str, Any], failure: RecollectError) -> dict[str, Any]:
    """What to send instead, where bad input to the writing tool was the cause."""
    if isinstance(failure, FactRefused):
        return {"hint": failure.hint} | _shown(failure.example)
    if tool.name == _WRITER and isinstance(failure, BadArgument):
        return {"hint": _hint(tool, failure)} | _shown(_without(given, tool, failure))
    if tool.name == _WRITER and isinstance(failure, Unavailable):
        return {"hint": "Nothing was written. Try once more."}
    if isinstance(failure, Forgotten):
        return {"hint": "Nothing was written. Try once more with another name or in other words."}
    return {}


def _shown(example: Mapping[str, Any] | None) -> dict[str, Any]:
    return {} if example is None else {"example": dict(example)}


def _without(given: Mapping[str, Any], tool: Tool, failure: BadArgument) -> dict[str, Any] | None:
    """The call without arguments that are unknown or cannot be read; none if it would still be refused."""
    known = {each.name for each in tool.parameters} - {_argument(failure.field)}
    kept = {key: value for key, value in given.items() if key in known}
    try:
        read_subject(kept.get("subject"))
        predicate = known_predicate(kept.get("predicate"))
        read_object(kept.get("object"), predicate or "")
    except FactRefused:
        return None
    return kept if predicate is not None else None


def _hint(tool: Tool, failure: BadArgument) -> str:
    argument = _argument(failure.field)
    if argument in ("subject", "object"):
        return EndRefused(argument, "is missing").hint
    return _HINTS.get(argument, f"Send only {_taken(tool)}.")


def _taken(tool: Tool) -> str:
    return ", ".join(each.name for each in tool.parameters)


def _is_on(settings: Settings, key: str) -> bool:
    try:
        return settings.flag(key)
    except BadSetting:
        # This words a failure already; a second one would leave the caller without any answer.
        return False


surface = Surface(
    "cognitive-graph",
    "Working memory: people, projects, decisions, concepts and sources, joined by eight kinds of fact.",
    say_failure,
    loose=True,
    envelope=Envelope,
)
