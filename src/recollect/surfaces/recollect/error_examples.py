"""The example of an error: a call that the tool accepts, repaired from the one that was refused."""

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from recollect.errors import Forbidden, RecollectError, Refused, Unavailable
from recollect.ingest.notes.fact_request import CONFIDENCES, KEYS
from recollect.memory import Memory
from recollect.model.ids import format_entity_id
from recollect.surfaces.arguments import read_arguments
from recollect.surfaces.call_errors import BadArgument, Crashed
from recollect.surfaces.declarations import Answer, Failure, Json, Tool
from recollect.surfaces.dispatch import call
from recollect.surfaces.recollect.failures import EverydayProblem
from recollect.write.entity_refs import AmbiguousName

WAIT_SECONDS = 0.5
"""How long an example waits for another writer before it is left out."""
WEAKEST_CONFIDENCE = "inferred"
"""The confidence of an example: it must not claim more than the caller did."""


def example_for(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError) -> Json | None:
    """A call of the right form that claims nothing the caller did not; none if there is none."""
    if isinstance(failure, Crashed | Forbidden | Unavailable):
        return None
    if isinstance(failure, EverydayProblem) and failure.example is not None:
        return dict(failure.example) or None
    field = getattr(failure, "field", None)
    example = None
    if isinstance(field, str):
        example = _with_candidate(tool, arguments, failure, field)
        example = _with_choice(arguments, failure, field) if example is None else example
        example = _repair_call(tool, arguments, field) if example is None else example
    return example if example is not None and example != arguments and _is_well_formed(tool, example) else None


def check_example(tool: Tool, memory: Memory, failure: Failure) -> Failure:
    """The failure with an example that was tried; one that fails itself gives way to its own example, or to none."""
    example = failure.structured["error"].get("example")
    if example is None:
        return failure
    answer = _try(tool, memory, example)
    if answer is not None and not answer.is_error:
        return failure
    body: Json = {key: value for key, value in failure.structured["error"].items() if key != "example"}
    better = None if answer is None else answer.structured["error"].get("example")
    return replace(failure, structured={"error": body if better is None else body | {"example": better}})


def _try(tool: Tool, memory: Memory, example: Json) -> Answer | None:
    """The answer to a call that leaves no trace; none while the store cannot be used."""
    if _only_reads(tool, example):
        return call(tool, lambda _: memory.with_parts(may_write=False), example)
    harmless = {key: value for key, value in example.items() if key != "confirm"}
    try:
        with memory.with_parts(claim=None, is_confirmed=False).nested(wait=WAIT_SECONDS, dry_run=True) as tried:
            return call(tool, lambda _: tried, harmless)
    except RecollectError:
        return None


def _with_candidate(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError, field: str) -> Json | None:
    """A call that reads, for the first of those whom the name may mean."""
    candidates = candidates_of(failure)
    if not candidates or field not in arguments or not _only_reads(tool, arguments):
        return None
    return {**arguments, field: candidates[0]["id"]}


def _with_choice(arguments: Mapping[str, Any], failure: RecollectError, field: str) -> Json | None:
    """A decision with the choice that was misspelled."""
    decision = arguments.get("decide")
    if field != "decide.choice" or not isinstance(decision, Mapping) or not isinstance(failure, Refused):
        return None
    near = get_close_matches(str(decision.get("choice")), failure.accepted, n=1)
    return {**arguments, "decide": {**decision, "choice": near[0]}} if near else None


def _repair_call(tool: Tool, arguments: Mapping[str, Any], field: str) -> Json | None:
    """The call without the argument at fault, or with a number moved into its range; none if only the caller knows.

    A call that writes loses nothing but names that the tool does not have, and what makes it write: without its
    target, bounds or mode it would do something else.
    """
    name = field.partition(".")[0].partition("[")[0]
    known = {each.name: each for each in tool.parameters}
    others = {key: value for key, value in arguments.items() if key != name}
    if name not in known:
        return others if name in arguments and (others or _only_reads(tool, arguments)) else None
    if field == "decide.id" or (name == "confirm" and arguments.get("erase") is True):
        return others  # it only lists the questions, or tells what would be erased
    if name == "facts":
        return _with_repaired_fact(arguments, field)
    if known[name].required or not _only_reads(tool, arguments):
        return None
    given = arguments.get(name)
    if name != field:
        return _without_member(others, name, given, field)
    nearest = _nearest_allowed(known[name].kind, given)
    return others if nearest is None else others | {name: nearest}


def _only_reads(tool: Tool, arguments: Mapping[str, Any]) -> bool:
    return tool.effect == "read" or (tool.effect == "decide" and "decide" not in arguments)


def _with_repaired_fact(arguments: Mapping[str, Any], field: str) -> Json | None:
    """The call with one of its facts mended: without an unknown key, or with a confidence that there is."""
    place = re.fullmatch(r"facts\[(\d+)\]\.(.+)", field, re.DOTALL)
    facts = arguments.get("facts")
    if place is None or not isinstance(facts, list) or not isinstance(facts[int(place[1])], Mapping):
        return None
    at, key = int(place[1]), place[2]
    mended = dict(facts[at])
    given = mended.pop(key, None)
    if key == "confidence":
        near = get_close_matches(str(given).casefold(), CONFIDENCES, n=1)
        mended[key] = near[0] if near else WEAKEST_CONFIDENCE
    elif key in KEYS:
        return None
    return {**arguments, "facts": [*facts[:at], mended, *facts[at + 1 :]]}


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


def range_exceeded(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError) -> tuple[int, int] | None:
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


def _is_well_formed(tool: Tool, example: Mapping[str, Any]) -> bool:
    needed = _NEEDS_ONE_OF.get(tool.name)
    if needed is not None and not any(example.get(name) for name in needed):
        return False
    try:
        read_arguments(tool, example)
    except BadArgument:
        return False
    return True


def candidates_of(failure: RecollectError) -> list[Any]:
    match failure:
        case EverydayProblem(candidates=candidates):
            return list(candidates)
        case AmbiguousName(candidates=entities):
            return [{"id": format_entity_id(each.id), "name": each.name, "type": each.type} for each in entities]
        case _:
            return []
