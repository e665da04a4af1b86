"""How this surface says that a call failed: a code, a hint and a trace, in text and as fields."""

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.errors import Forbidden, RecollectError, Refused, Unavailable
from recollect.settings import Settings
from recollect.surfaces.carabase.trailers import Hint, clipped, quoted, shown_trace, trailer_lines
from recollect.surfaces.declare import Failure, Json, Tool
from recollect.surfaces.problems import BadArgument, Crashed

Accepted = Sequence[Any] | None
_LONGEST_NUMBER = 10**18


class Problem(Refused):
    """A failure with this surface's own code; `more` are further fields of its `error`."""

    code = "INVALID_ARGUMENT"

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        accepted: Accepted = None,
        hint: Hint | None = None,
        trace: Sequence[str] = (),
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message, field=field)
        self.allowed = accepted
        self.hint = hint
        self.trace = tuple(trace)
        self.more = dict(more or {})


class BadInput(Problem):
    """An argument that cannot be taken."""


class RangeReversed(Problem):
    code = "INVALID_RANGE"

    def __init__(self, first: str, last: str) -> None:
        super().__init__(f"{first} lies after {last}; swap them or drop one", field=first)


def say_failure(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError, _: Settings) -> Failure:
    """The failure as an error result."""
    error: Json = {
        "code": _code(failure),
        "message": str(failure),
        "field": getattr(failure, "field", None) or None,
        "accepted": _accepted(failure),
    }
    hint, trace = _trailers(tool, arguments, failure)
    if isinstance(failure, Problem):
        error |= failure.more
    return _failure(error, hint, trace)


def say_unknown(name: str) -> Failure:
    """The call of a tool that is not on this surface."""
    message = f"there is no tool {quoted(name)} on this surface"
    hint = Hint("generic", "List the tools of this surface with tools/list and call one by its name there.")
    error: Json = {"code": "UNKNOWN_TOOL", "message": message, "field": None, "accepted": None}
    return _failure(error, hint, [f"find tool {quoted(name)} → unknown"])


def say_external(name: str, failure: RecollectError) -> Failure:
    """The call of another server's tool that was not answered, or not allowed."""
    server = name.partition("__")[0]
    error: Json = {"code": "FORBIDDEN", "message": str(failure), "field": None, "accepted": None}
    if isinstance(failure, Forbidden):
        hint = Hint("generic", "This token may only read. Ask the owner of the memory for one that may write.")
        return _failure(error, hint, [f"authorize {quoted(name)} → refused"])
    error["code"] = "EXTERNAL_UNAVAILABLE"
    text = f"The external server {quoted(server)} did not answer. Try again later; our own tools work as always."
    return _failure(error, Hint("externalUnavailable", text), [f"call {quoted(name)} → unavailable"])


def _failure(error: Json, hint: Hint, trace: Sequence[str]) -> Failure:
    shown, steps = hint.shown(), shown_trace(trace)
    text = "\n".join([f"Error {error['code']}: {error['message']}", *trailer_lines(shown, steps)])
    return Failure({"error": error, "_hint": shown, "_trace": steps}, True, text)


def _code(failure: RecollectError) -> str:
    match failure:
        case Problem():
            return failure.code
        case Refused():
            return "INVALID_ARGUMENT"
        case Forbidden():
            return "FORBIDDEN"
        case Unavailable():
            return "STORE_UNAVAILABLE"
        case _:
            return "INTERNAL"


def _accepted(failure: RecollectError) -> list[Any] | None:
    if isinstance(failure, Problem):
        return None if failure.allowed is None else list(failure.allowed)
    found = failure.accepted if isinstance(failure, Refused) else ()
    return [int(each) if each.isdecimal() else each for each in found] or None


def _trailers(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError) -> tuple[Hint, Sequence[str]]:
    if isinstance(failure, Problem) and failure.hint is not None:
        return failure.hint, failure.trace or (_validated(arguments, failure),)
    match failure:
        case Refused():
            return _bad_input(tool, failure), getattr(failure, "trace", ()) or (_validated(arguments, failure),)
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
            return Hint("generic", clipped(str(failure), 300)), [f"run {tool.name} → {failure.code}"]


def _bad_input(tool: Tool, failure: Refused) -> Hint:
    """What the field takes, in words."""
    allowed = _accepted(failure)
    said = (
        f"{failure}. "
        if failure.field is None or str(failure).startswith(failure.field)
        else f"{failure.field}: {failure}. "
    )
    taken = f"Accepted: {', '.join(map(str, allowed))}. " if allowed else ""
    return Hint("badInput", f"{said}{taken}Correct it and call `{tool.name}` again.")


def _validated(arguments: Mapping[str, Any], failure: Refused) -> str:
    field = failure.field or "arguments"
    given = arguments.get(field)
    is_short = isinstance(given, float) or (isinstance(given, int) and abs(given) < _LONGEST_NUMBER)
    shown = f"={quoted(given)}" if isinstance(given, str) else f"={given}" if is_short else ""
    if isinstance(failure, BadArgument) and failure.problem == "missing":
        return f"validate {field} → missing"
    return f"validate {clipped(field, 80)}{shown} → refused"
