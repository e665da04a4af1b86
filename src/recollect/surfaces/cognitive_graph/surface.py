"""The surface itself, and how failures print: ordinary results with a code and an example that works."""

import re
from collections.abc import Mapping
from typing import Any, NotRequired

from typing_extensions import TypedDict

from recollect.errors import Forbidden, RecollectError, Refused, Unavailable
from recollect.settings import BadSetting, Settings
from recollect.store.port import OutcomeUnknown
from recollect.surfaces.call_errors import BadArgument
from recollect.surfaces.cognitive_graph.error_codes import (
    ConfidenceOutOfRange,
    EndRejected,
    FactRejected,
    NameTooLong,
    PredicateUnknown,
    ProjectNotFound,
    SourceInvalid,
    quote,
)
from recollect.surfaces.cognitive_graph.fact_ends import parse_object, parse_subject
from recollect.surfaces.cognitive_graph.vocabulary import known_predicate
from recollect.surfaces.declarations import Failure, Surface, Tool
from recollect.write.tombstones import ErasedContent

EXAMPLE: Mapping[str, Any] = {
    "subject": {"type": "project", "name": "Copper Kettle"},
    "predicate": "blocked_by",
    "object": {"literal": "supplier contract unsigned"},
    "source": "call notes 19 May",
    "confidence": 0.9,
}

# The form alone: what a refused call claimed is not known, and another claim might be taken for true.
_EXAMPLE_OF_FORM: Mapping[str, Any] = {
    "subject": {"type": "concept", "name": "Example"},
    "predicate": "tagged",
    "object": {"literal": "example"},
}

_WRITING_TOOL = "record_fact"
_WRITE_FAILED = "GRAPH_WRITE_FAILED"
_LEGACY_CODES = {PredicateUnknown.code: "PREDICATE_NOT_IN_VOCABULARY"}
_CODES_BY_ARGUMENT = {
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
_HINTS_BY_ARGUMENT = {
    "predicate": PredicateUnknown.hint,
    "confidence": ConfidenceOutOfRange.hint,
    "source": SourceInvalid.hint,
}
_PROJECT_CODES = {"recall_decisions": "PROJECT_REQUIRED", "weekly_rollup": ProjectNotFound.code}


class FailureEnvelope(TypedDict):
    """A failure as an ordinary result."""

    error: str
    message: str
    hint: NotRequired[str]
    example: NotRequired[dict[str, Any]]


def render_failure(tool: Tool, given: Mapping[str, Any], failure: RecollectError, settings: Settings) -> Failure:
    code = _code_of(tool, failure)
    if _is_enabled(settings, "cognitive_graph.legacy_predicate_code"):
        code = _LEGACY_CODES.get(code, code)
    said: dict[str, Any] = {"error": code, "message": str(failure)}
    if isinstance(failure, BadArgument) and failure.problem == "unknown":
        said["message"] = f"{quote(failure.field)} is not an argument of {tool.name}; it takes {_parameter_names(tool)}"
    return Failure(said | _advice(tool, given, failure), _is_enabled(settings, "cognitive_graph.mark_errors"))


def _code_of(tool: Tool, failure: RecollectError) -> str:
    match failure:
        case FactRejected() | NameTooLong() | ProjectNotFound():
            return failure.code
        case BadArgument(problem="unknown"):
            return "ARGUMENT_UNKNOWN"
        case Refused(field=str(field)) if field == "project":
            return _PROJECT_CODES[tool.name]
        case Refused(field=str(field)) if _argument_of(field) in _CODES_BY_ARGUMENT:
            return _CODES_BY_ARGUMENT[_argument_of(field)]
        case Forbidden():
            return "FORBIDDEN"
        case Unavailable():
            return _WRITE_FAILED if tool.name == _WRITING_TOOL else "GRAPH_UNAVAILABLE"
        case ErasedContent():
            return _WRITE_FAILED
        case _:
            return "INTERNAL_ERROR"


def _argument_of(field: str) -> str:
    """The argument that a path such as `object.literal` belongs to."""
    return re.split(r"[.\[]", field, maxsplit=1)[0]


def _advice(tool: Tool, given: Mapping[str, Any], failure: RecollectError) -> dict[str, Any]:
    """What to send instead, after bad input to the writing tool."""
    if isinstance(failure, FactRejected):
        return _hint_with_example(failure.hint, failure.example)
    if tool.name == _WRITING_TOOL and isinstance(failure, BadArgument):
        return _hint_with_example(_hint_for(tool, failure), _drop_argument(given, tool, failure))
    if tool.name == _WRITING_TOOL and isinstance(failure, OutcomeUnknown):
        return {"hint": "It may have been written. Look with recall_entity before you send it again."}
    if tool.name == _WRITING_TOOL and isinstance(failure, Unavailable):
        return {"hint": "Nothing was written. Try once more."}
    if isinstance(failure, ErasedContent):
        return {"hint": "Nothing was written. Try once more with another name or in other words."}
    return {}


def _hint_with_example(hint: str, example: Mapping[str, Any] | None) -> dict[str, Any]:
    if example is None:
        return {"hint": f"{hint} The example shows the form only.", "example": dict(_EXAMPLE_OF_FORM)}
    return {"hint": hint, "example": dict(example)}


def _drop_argument(given: Mapping[str, Any], tool: Tool, failure: BadArgument) -> dict[str, Any] | None:
    """The call without unknown or invalid arguments; none if it would still be rejected."""
    known = {each.name for each in tool.parameters} - {_argument_of(failure.field)}
    kept = {key: value for key, value in given.items() if key in known}
    if failure.field == "predicate":
        kept["predicate"] = "tagged"
    try:
        parse_subject(kept.get("subject"))
        predicate = known_predicate(kept.get("predicate"))
        parse_object(kept.get("object"), predicate or "")
    except FactRejected:
        return None
    return kept if predicate is not None else None


def _hint_for(tool: Tool, failure: BadArgument) -> str:
    argument = _argument_of(failure.field)
    if argument in ("subject", "object"):
        return EndRejected(argument, "is missing").hint
    return _HINTS_BY_ARGUMENT.get(argument, f"Send only {_parameter_names(tool)}.")


def _parameter_names(tool: Tool) -> str:
    return ", ".join(each.name for each in tool.parameters)


def _is_enabled(settings: Settings, key: str) -> bool:
    try:
        return settings.flag(key)
    except BadSetting:
        # This renders a failure already; a second one would leave the caller without an answer.
        return False


_TOOL_ORDER = (
    "recall_decisions",
    "recall_entity",
    "record_fact",
    "weekly_rollup",
)

surface = Surface(
    "cognitive-graph",
    "Working memory: people, projects, decisions, concepts and sources, joined by eight kinds of fact.",
    render_failure,
    loose=True,
    envelope=FailureEnvelope,
    tool_order=_TOOL_ORDER,
)
