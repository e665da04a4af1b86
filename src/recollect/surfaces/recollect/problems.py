"""Failures of this surface, and the one envelope in which every tool returns them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from recollect.errors import Conflict, Forbidden, NotKnown, RecollectError, Refused, Unavailable
from recollect.model.ids import format_entity_id
from recollect.settings import Settings
from recollect.store.port import OutcomeUnknown, StoreUnusable
from recollect.surfaces.arguments import read_arguments
from recollect.surfaces.declarations import Failure, Json, Tool
from recollect.surfaces.problems import BadArgument, Crashed
from recollect.surfaces.recollect.views import BriefEntity, BriefFact
from recollect.write.ends import AmbiguousName

Code = Literal[
    "invalid_input", "not_found", "ambiguous", "quote_not_found", "conflict", "forbidden", "unavailable", "internal"
]
Candidates = Sequence[BriefEntity | BriefFact]
NO_EXAMPLE: Mapping[str, Any] = {}
_NEXT: Mapping[str, str] = {
    "invalid_input": "Correct this argument and call again.",
    "not_found": "Check the name or id; `recall` finds what is known.",
    "ambiguous": "Pass the id of the one you mean.",
    "quote_not_found": "Quote the words exactly as they stand in the text.",
    "conflict": "Undo the later transactions first, or correct the fact instead.",
    "forbidden": "Use a token that may write.",
    "unavailable": "Try again in a moment.",
    "internal": "Try again; if it happens again, report the reference.",
}


_NEXT_OF_FIELD: Mapping[str, str] = {
    "transaction": "`history` with `clock: knowledge` lists the transactions.",
    "decide.id": "Call `review` without `decide` to list the open questions.",
}
"""What to do about an unknown id of something that `recall` does not find."""


class EverydayProblem(RecollectError):
    """A failure with the keys of the envelope. `example` is a complete call, or a change to the call that was made."""

    code: Code = "invalid_input"

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        next_step: str | None = None,
        example: Mapping[str, Any] | None = None,
        candidates: Candidates = (),
    ) -> None:
        super().__init__(message)
        self.field = field
        self.next_step = next_step
        self.example = example
        self.candidates = tuple(candidates)


class InvalidInput(EverydayProblem):
    code = "invalid_input"


class NotFound(EverydayProblem):
    code = "not_found"


class AmbiguousReference(EverydayProblem):
    code = "ambiguous"


class QuoteNotFound(EverydayProblem):
    code = "quote_not_found"


class LaterChanges(EverydayProblem):
    """Later transactions build on what the call would change."""

    code = "conflict"


def render_failure(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError, _: Settings) -> Failure:
    return Failure({"error": error_body(tool, arguments, failure)}, is_error=True)


def error_body(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError) -> Json:
    """Code, message and next step; field, candidates and example where there are any."""
    code = _code_of(failure)
    field = getattr(failure, "field", None)
    exceeded = _range_exceeded(tool, arguments, failure)
    body: Json = {"code": code, "message": str(failure)}
    if exceeded is not None:
        body["message"] = f"{field} is {arguments[str(field)]}; it must be {exceeded[0]} to {exceeded[1]}"
    if field:
        body["field"] = field
    body["next"] = f"Send a {field} in this range." if exceeded is not None else _next_step(failure, code)
    candidates = _candidates_of(failure)
    if candidates:
        body["candidates"] = candidates
    example = _example_for(tool, arguments, failure)
    if example is not None:
        body["example"] = example
    return body


def _code_of(failure: RecollectError) -> Code:
    match failure:
        case EverydayProblem(code=code):
            return code
        case AmbiguousName():
            return "ambiguous"
        case Refused():
            return "invalid_input"
        case NotKnown():
            return "not_found"
        case Conflict():
            return "conflict"
        case Forbidden():
            return "forbidden"
        case Unavailable():
            return "unavailable"
        case _:
            return "internal"


def _next_step(failure: RecollectError, code: Code) -> str:
    if isinstance(failure, OutcomeUnknown):
        return "Look with recall or history whether it is there before you send it again."
    if isinstance(failure, StoreUnusable):
        return f"{failure.advice[0].upper()}{failure.advice[1:]}."
    if isinstance(failure, EverydayProblem) and failure.next_step:
        return failure.next_step
    if isinstance(failure, BadArgument):
        match failure.problem:
            case "missing":
                return f"Send {failure.field}."
            case "unknown":
                return "Leave it out, or use one of the arguments named."
            case _ if failure.accepted:
                return f"Send one of: {', '.join(failure.accepted)}."
    return (
        _NEXT_OF_FIELD.get(getattr(failure, "field", None) or "", _NEXT[code]) if code == "not_found" else _NEXT[code]
    )


def _candidates_of(failure: RecollectError) -> list[Any]:
    match failure:
        case EverydayProblem(candidates=candidates):
            return list(candidates)
        case AmbiguousName(candidates=entities):
            return [{"id": format_entity_id(each.id), "name": each.name, "type": each.type} for each in entities]
        case _:
            return []


def _example_for(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError) -> Json | None:
    """A call that the tool accepts and that claims nothing the caller did not; none if there is none."""
    if isinstance(failure, Crashed | Forbidden | Unavailable):
        return None
    if isinstance(failure, EverydayProblem) and failure.example is not None:
        return dict(failure.example) or None
    field = getattr(failure, "field", None)
    example = None
    if isinstance(field, str):
        example = _with_candidate(tool, arguments, failure, field) or repaired(tool, arguments, field)
    return example if example is not None and _is_accepted(tool, example) else None


def _with_candidate(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError, field: str) -> Json | None:
    """A call that reads, for the first of those whom the name may mean."""
    candidates = _candidates_of(failure)
    if not candidates or field not in arguments or not _only_reads(tool, arguments):
        return None
    return {**arguments, field: candidates[0]["id"]}


def repaired(tool: Tool, arguments: Mapping[str, Any], field: str) -> Json | None:
    """The call without the argument at fault, or with a number moved into its range; none if only the caller knows.

    A call that writes loses nothing but names that the tool does not have, and what makes it write: without its
    target, bounds or mode it would do something else.
    """
    name = field.partition(".")[0].partition("[")[0]
    known = {each.name: each for each in tool.parameters}
    others = {key: value for key, value in arguments.items() if key != name}
    if name not in known:
        return others if name in arguments and (others or _only_reads(tool, arguments)) else None
    if name == "decide" or (name == "confirm" and arguments.get("erase") is True):
        return others  # it only lists the questions, or tells what would be erased
    if known[name].required or not _only_reads(tool, arguments):
        return None
    given = arguments.get(name)
    if name != field:
        return _without_member(others, name, given, field)
    nearest = _nearest_allowed(known[name].kind, given)
    return others if nearest is None else others | {name: nearest}


def _only_reads(tool: Tool, arguments: Mapping[str, Any]) -> bool:
    return tool.effect == "read" or (tool.effect == "decide" and "decide" not in arguments)


def _without_member(others: Json, name: str, given: Any, field: str) -> Json:
    """The call without the member of a list that is at fault; without the list if nothing is left of it."""
    rest = [each for at, each in enumerate(given) if f"{name}[{at}]" != field] if isinstance(given, list) else []
    return others | {name: rest} if rest else others


def _nearest_allowed(kind: Any, value: Any) -> int | None:
    """The bound of a numeric argument that is nearest to the value given."""
    allowed = _range_of(kind)
    if type(value) is not int or allowed is None:
        return None
    return min(max(value, allowed[0]), allowed[1])


def _range_exceeded(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError) -> tuple[int, int] | None:
    """The range that a number given as an argument lies outside of."""
    if not isinstance(failure, BadArgument) or type(arguments.get(failure.field)) is not int:
        return None
    allowed = next((_range_of(each.kind) for each in tool.parameters if each.name == failure.field), None)
    return allowed if allowed and not allowed[0] <= arguments[failure.field] <= allowed[1] else None


def _range_of(kind: Any) -> tuple[int, int] | None:
    """The least and the greatest number that an argument accepts."""
    rules = [rule for each in getattr(kind, "__metadata__", ()) for rule in getattr(each, "metadata", ())]
    lows = [int(rule.ge) for rule in rules if getattr(rule, "ge", None) is not None]
    highs = [int(rule.le) for rule in rules if getattr(rule, "le", None) is not None]
    return (lows[0], highs[0]) if lows and highs else None


_NEEDS_ONE_OF: Mapping[str, tuple[str, ...]] = {"remember": ("text", "facts")}
"""Tools that need at least one of some optional arguments."""


def _is_accepted(tool: Tool, example: Mapping[str, Any]) -> bool:
    needed = _NEEDS_ONE_OF.get(tool.name)
    if needed is not None and not any(example.get(name) for name in needed):
        return False
    try:
        read_arguments(tool, example)
    except BadArgument:
        return False
    return True
