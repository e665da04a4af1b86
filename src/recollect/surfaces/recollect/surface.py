"""The surface itself, and the one envelope in which its tools return their failures."""

from collections.abc import Mapping
from typing import Any

from recollect.deadline import CallStopped
from recollect.errors import Conflict, Forbidden, NotKnown, RecollectError, Refused, Unavailable
from recollect.memory import UnknownWorkspace
from recollect.settings import Settings
from recollect.store.idempotency import KeyConflict
from recollect.store.port import OutcomeUnknown, StoreUnusable
from recollect.surfaces.call_errors import BadArgument, NotConfirmed, code_by_class
from recollect.surfaces.declarations import Failure, Json, Surface, Tool
from recollect.surfaces.recollect.error_examples import candidates_of, check_example, example_for, range_exceeded
from recollect.surfaces.recollect.failures import Code, EverydayProblem
from recollect.write.entity_refs import AmbiguousName

_NEXT: Mapping[str, str] = {
    "invalid_input": "Correct this argument and call again.",
    "not_found": "Check the name or id; `recall` finds what is known.",
    "ambiguous": "Pass the id of the one you mean.",
    "quote_not_found": "Quote the words exactly as they stand in the text.",
    "conflict": "Undo the later transactions first, or correct the fact instead.",
    "idempotency_conflict": "Send another key with another call; repeat the same one later.",
    "forbidden": "Use a token that may write.",
    "unavailable": "Try again in a moment.",
    "internal": "Try again; if it happens again, report the reference.",
}


_NEXT_OF_FIELD: Mapping[str, str] = {
    "transaction": "`history` with `clock: knowledge` lists the transactions.",
    "decide.id": "Call `review` without `decide` to list the open questions.",
}
"""What to do about an unknown id of something that `recall` does not find."""


def render_failure(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError, _: Settings) -> Failure:
    return Failure({"error": error_body(tool, arguments, failure)}, is_error=True)


def error_body(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError) -> Json:
    """Code, message and next step; field, candidates and example where there are any."""
    code = code_of(failure)
    field = getattr(failure, "field", None)
    exceeded = range_exceeded(tool, arguments, failure)
    body: Json = {"code": code, "message": str(failure)}
    if exceeded is not None:
        body["message"] = f"{field} is {arguments[str(field)]}; it must be {exceeded[0]} to {exceeded[1]}"
    if field:
        body["field"] = field
    body["next"] = f"Send a {field} in this range." if exceeded is not None else _next_step(failure, code)
    candidates = candidates_of(failure)
    if candidates:
        body["candidates"] = candidates
    retry_after = getattr(failure, "retry_after", None)
    if retry_after is not None:
        body |= {"next": f"Wait {retry_after} seconds, then call again.", "retry_after": retry_after}
    example = example_for(tool, arguments, failure)
    if example is not None:
        body["example"] = example
    return body


_CODES: Mapping[type[RecollectError], Code] = {
    AmbiguousName: "ambiguous",
    Refused: "invalid_input",
    NotKnown: "not_found",
    Conflict: "conflict",
    KeyConflict: "idempotency_conflict",
    Forbidden: "forbidden",
    Unavailable: "unavailable",
}


def code_of(failure: RecollectError) -> Code:
    """The code of a failure in the envelope."""
    return failure.code if isinstance(failure, EverydayProblem) else code_by_class(failure, _CODES, "internal")


def _next_step(failure: RecollectError, code: Code) -> str:
    if isinstance(failure, OutcomeUnknown) or (isinstance(failure, CallStopped) and failure.retry_after is None):
        return "Look with recall or history whether it is there before you send it again."
    if isinstance(failure, NotConfirmed):
        return "Leave it as it is unless the user asks for it again."
    if isinstance(failure, StoreUnusable):
        return f"{failure.advice[0].upper()}{failure.advice[1:]}."
    if isinstance(failure, UnknownWorkspace):
        return "`recollect workspace list` shows the workspaces."
    if isinstance(failure, EverydayProblem) and failure.next_step:
        return failure.next_step
    if isinstance(failure, BadArgument):
        match failure.problem:
            case "missing":
                return f"Send {failure.field}."
            case "unknown":
                return "Leave it out, or use one of the arguments named."
    if isinstance(failure, Refused) and failure.accepted:
        return f"Send one of: {', '.join(failure.accepted)}."
    return (
        _NEXT_OF_FIELD.get(getattr(failure, "field", None) or "", _NEXT[code]) if code == "not_found" else _NEXT[code]
    )


_TOOL_ORDER = ("remember", "recall", "correct", "forget", "history", "open_items", "review", "undo", "unread")

surface = Surface(
    "recollect",
    "Everyday memory: what an agent was told, found again by meaning, corrected, and forgotten on request.",
    render_failure,
    check_failure=check_example,
    brief=True,
    blank_is_absent=True,
    reads_personal=True,
    tool_order=_TOOL_ORDER,
)
