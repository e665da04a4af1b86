"""The surface itself, its errors, and how failures print."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from recollect.errors import NotKnown, RecollectError, Refused, Unavailable
from recollect.model.review_ids import ReviewId
from recollect.settings import Settings
from recollect.surfaces.declarations import Failure, Json, Surface, Tool
from recollect.surfaces.pearscarf.results import CandidateView

_SEVERAL = "fits several entities; pass the id or the email address of one"
_NEAR = "is not known; pass the id of a candidate if you mean one, or another name, an alias or an email address"
_NONE = "is not known; check the spelling, or pass another name, an alias, an email address or an id"

NameField = Literal["name", "entity", "entity_a", "entity_b"]


class UnresolvedName(NotKnown):
    """A name that matches no entity (with suggestions) or several (with candidates)."""

    def __init__(
        self,
        name: str,
        field: NameField,
        error: Literal["not_found", "ambiguous"],
        candidates: Sequence[CandidateView],
        proposal: ReviewId | None = None,
    ) -> None:
        advice = _SEVERAL if error == "ambiguous" else _NEAR if candidates else _NONE
        merging = "" if proposal is None else f"; if they are one, `recollect review` merges them: question {proposal}"
        super().__init__(f"{name!r} {advice}{merging}")
        self.name = name
        self.field = field
        self.error = error
        self.candidates = tuple(candidates)


def render_failure(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError, _: Settings) -> Failure:
    """The failure as an error result."""
    return Failure(_failure_json(tool, arguments, failure), is_error=True)


def _failure_json(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError) -> Json:
    message = str(failure)
    match failure:
        case UnresolvedName():
            name = _name_as_given(tool, arguments, failure)
            candidates = list(failure.candidates)
            return {
                "error": failure.error,
                "name": name,
                "candidates": candidates,
                "field": failure.field,
                "message": message,
            }
        case Refused(field=field, accepted=accepted):
            said: Json = {"error": "invalid_input", "field": field or "", "message": message}
            return said | {"accepted": list(accepted)} if accepted else said
        case Unavailable():
            return {"error": "unavailable", "message": message}
        case _:
            return {"error": "internal", "message": message}


def _name_as_given(tool: Tool, arguments: Mapping[str, Any], failure: UnresolvedName) -> str:
    """The name exactly as the caller wrote it, under the current or an older argument name."""
    [parameter] = [each for each in tool.parameters if each.name == failure.field]
    given = (arguments.get(name) for name in (parameter.name, *parameter.older))
    return next((text for text in given if isinstance(text, str)), failure.name)


_TOOL_ORDER = (
    "get_conflicts",
    "get_connections",
    "get_entity_context",
    "get_facts",
    "find_entity",
    "get_relationship",
)

surface = Surface(
    "pearscarf",
    "Operational memory: who is connected to whom, what was said, what changed, and which record says so.",
    render_failure,
    tool_order=_TOOL_ORDER,
)
