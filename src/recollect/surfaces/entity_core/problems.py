"""How this surface says that a call failed: one object for all tools."""

from collections.abc import Mapping
from typing import Any, NotRequired

from typing_extensions import TypedDict

from recollect.errors import Conflict, Forbidden, NotKnown, RecollectError, Refused, Unavailable, Unsupported
from recollect.keep.problems import (
    AlreadyExists,
    Ambiguous,
    HonestNo,
    NameTaken,
    NeedsForget,
    NotFound,
    TooLarge,
    VersionConflict,
    choices_of,
)
from recollect.settings import Settings
from recollect.surfaces.declare import Failure, Json, Tool
from recollect.write.ends import AmbiguousName

__all__ = [
    "AlreadyExists",
    "Ambiguous",
    "FailureShown",
    "HonestNo",
    "NameTaken",
    "NeedsForget",
    "NotFound",
    "TooLarge",
    "VersionConflict",
    "say_failure",
]

HONEST = frozenset({"not_found", "ambiguous", "already_exists", "name_taken", "version_conflict", "needs_forget"})


class FailureShown(TypedDict):
    """A failure of any tool."""

    success: bool
    error: str
    message: str
    field: NotRequired[str]
    accepted: NotRequired[str | list[str]]
    choices: NotRequired[list[Any]]


def say_failure(tool: Tool, _arguments: Mapping[str, Any], failure: RecollectError, _: Settings) -> Failure:
    """The failure as an object; an error of the protocol only if the call was wrong or the store is in trouble."""
    code = _code(failure)
    said: Json = {"success": False, "error": code, "message": f"{failure}{_pointer(tool, failure)}"}
    field, accepted, choices = getattr(failure, "field", None), getattr(failure, "accepted", ()), choices_of(failure)
    if field:
        said["field"] = field
    if accepted:
        said["accepted"] = list(accepted)
    if choices:
        said["choices"] = list(choices)
    return Failure(said, is_error=code not in HONEST)


def _pointer(tool: Tool, failure: RecollectError) -> str:
    """Which tool would do instead, if the caller has it at hand."""
    other = failure.instead if isinstance(failure, HonestNo) else None
    return f"; correct it with {other}" if other and (tool.beside is None or other in tool.beside) else ""


def _code(failure: RecollectError) -> str:
    match failure:
        case HonestNo() | TooLarge():
            return failure.code
        case AmbiguousName():
            return Ambiguous.code
        case Refused():
            return "invalid_input"
        case NotKnown():
            return "not_found"
        case Forbidden():
            return "forbidden"
        case Unavailable():
            return "busy" if failure.code == "busy" else "unavailable"
        case Unsupported() | Conflict():
            return "invalid_input"
        case _:
            return "internal"
