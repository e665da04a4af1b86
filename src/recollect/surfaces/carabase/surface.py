"""The surface that the tools of this package are declared on, its errors, and how failures print."""

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.errors import Forbidden, RecollectError, Refused, Unavailable
from recollect.settings import Settings
from recollect.surfaces.call_errors import BadArgument, Crashed, code_by_class
from recollect.surfaces.carabase.hints import Hint, fit_trace, quote, trailer_lines
from recollect.surfaces.declarations import Failure, Json, Surface, Tool
from recollect.text.fold import one_line, shorten

AcceptedValues = Sequence[Any] | None
_MAX_PRINTED_NUMBER = 10**18


class CarabaseError(Refused):
    """A failure with this surface's own code; `more` are further fields of its `error`."""

    code = "INVALID_ARGUMENT"

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        accepted: AcceptedValues = None,
        hint: Hint | None = None,
        trace: Sequence[str] = (),
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message, field=field)
        self.allowed = accepted
        self.hint = hint
        self.trace = tuple(trace)
        self.more = dict(more or {})


class BadInput(CarabaseError):
    """An invalid argument."""


class RangeReversed(CarabaseError):
    code = "INVALID_RANGE"

    def __init__(self, first: str, last: str) -> None:
        super().__init__(f"{first} lies after {last}; swap them or drop one", field=first)


def render_failure(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError, _: Settings) -> Failure:
    """The failure as an error result."""
    error: Json = {
        "code": _code_of(failure),
        "message": str(failure),
        "field": getattr(failure, "field", None) or None,
        "accepted": _accepted_values(failure),
    }
    hint, trace = _hint_and_trace(tool, arguments, failure)
    if isinstance(failure, CarabaseError):
        error |= failure.more
    return _build_failure(error, hint, trace)


def render_unknown_tool(name: str) -> Failure:
    message = f"there is no tool {quote(name)} on this surface"
    hint = Hint("generic", "List the tools of this surface with tools/list and call one by its name there.")
    error: Json = {"code": "UNKNOWN_TOOL", "message": message, "field": None, "accepted": None}
    return _build_failure(error, hint, [f"find tool {quote(name)} → unknown"])


def render_external_failure(name: str, failure: RecollectError) -> Failure:
    """The failure of a call to an external server's tool."""
    server = name.partition("__")[0]
    error: Json = {"code": "FORBIDDEN", "message": str(failure), "field": None, "accepted": None}
    if isinstance(failure, Forbidden):
        hint = Hint("generic", "This token may only read. Ask the owner of the memory for one that may write.")
        return _build_failure(error, hint, [f"authorize {quote(name)} → refused"])
    error["code"] = "EXTERNAL_UNAVAILABLE"
    text = f"The external server {quote(server)} did not answer. Try again later; our own tools work as always."
    return _build_failure(error, Hint("externalUnavailable", text), [f"call {quote(name)} → unavailable"])


def _build_failure(error: Json, hint: Hint, trace: Sequence[str]) -> Failure:
    shown, steps = hint.to_json(), fit_trace(trace)
    text = "\n".join([one_line(f"Error {error['code']}: {error['message']}"), *trailer_lines(shown, steps)])
    return Failure({"error": error, "_hint": shown, "_trace": steps}, True, text)


_CODES: Mapping[type[RecollectError], str] = {
    Refused: "INVALID_ARGUMENT",
    Forbidden: "FORBIDDEN",
    Unavailable: "STORE_UNAVAILABLE",
}


def _code_of(failure: RecollectError) -> str:
    return failure.code if isinstance(failure, CarabaseError) else code_by_class(failure, _CODES, "INTERNAL")


def _accepted_values(failure: RecollectError) -> list[Any] | None:
    if isinstance(failure, CarabaseError):
        return None if failure.allowed is None else list(failure.allowed)
    found = failure.accepted if isinstance(failure, Refused) else ()
    return [int(each) if each.isdecimal() else each for each in found] or None


def _hint_and_trace(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError) -> tuple[Hint, Sequence[str]]:
    if isinstance(failure, CarabaseError) and failure.hint is not None:
        return failure.hint, failure.trace or (_validation_step(arguments, failure),)
    match failure:
        case Refused():
            return _bad_input_hint(tool, failure), getattr(failure, "trace", ()) or (
                _validation_step(arguments, failure),
            )
        case Forbidden():
            text = "This token may only read. Ask the owner of the memory for one that may write."
            return Hint("generic", text), [f"authorize {tool.name} → refused"]
        case Unavailable():
            return Hint("generic", "The store cannot be reached just now. Try again in a moment."), [
                f"open store for {tool.name} → unavailable"
            ]
        case Crashed(reference=reference):
            text = "This is a fault of the server, not of the call. Report the incident id; other calls still work."
            return Hint("generic", text), [f"run {tool.name} → incident {reference}"]
        case _:
            return Hint("generic", shorten(str(failure), 300)), [f"run {tool.name} → {failure.code}"]


def _bad_input_hint(tool: Tool, failure: Refused) -> Hint:
    """A hint that says what the field accepts."""
    allowed = _accepted_values(failure)
    said = (
        f"{failure}. "
        if failure.field is None or str(failure).startswith(failure.field)
        else f"{failure.field}: {failure}. "
    )
    taken = f"Accepted: {', '.join(map(str, allowed))}. " if allowed else ""
    return Hint("badInput", f"{said}{taken}Correct it and call `{tool.name}` again.")


def _validation_step(arguments: Mapping[str, Any], failure: Refused) -> str:
    field = failure.field or "arguments"
    given = arguments.get(field)
    is_short = isinstance(given, float) or (isinstance(given, int) and abs(given) < _MAX_PRINTED_NUMBER)
    shown = f"={quote(given)}" if isinstance(given, str) else f"={given}" if is_short else ""
    if isinstance(failure, BadArgument) and failure.problem == "missing":
        return f"validate {field} → missing"
    return f"validate {shorten(field, 80)}{shown} → refused"


_SAME_WITHOUT_PREFIX = (
    "search_semantic",
    "search_graph",
    "query_metadata",
    "find_entity_candidates",
    "route_and_execute",
    "query_timeseries",
    "resolve_mesh_uri",
    "traverse_memory_network",
    "verify_hypothesis",
)

_TOOL_ORDER = (
    "carabase_find_entity_candidates",
    "commit_to_folio",
    "carabase_search_graph",
    "carabase_resolve_mesh_uri",
    "carabase_query_metadata",
    "carabase_traverse_memory_network",
    "carabase_route_and_execute",
    "carabase_search_semantic",
    "carabase_query_timeseries",
    "carabase_verify_hypothesis",
)

surface = Surface(
    "carabase",
    "Retrieval with hints: search by meaning, graph, place and time; memories, claims, series and folios.",
    render_failure,
    allows_equal_duplicates=True,
    brief=True,
    blank_is_absent=True,
    enforces_retention=True,
    aliases={
        **{name: f"carabase_{name}" for name in _SAME_WITHOUT_PREFIX},
        "query_graph": "carabase_search_graph",
        "carabase_commit_to_folio": "commit_to_folio",
    },
    render_unknown_tool=render_unknown_tool,
    render_external_failure=render_external_failure,
    tool_order=_TOOL_ORDER,
)
