"""The surface itself, its errors, and how failures print."""

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.errors import Conflict, Forbidden, NotKnown, RecollectError, Refused, Unavailable
from recollect.settings import Settings
from recollect.surfaces.call_errors import code_by_class
from recollect.surfaces.declarations import Failure, Json, Surface, Tool
from recollect.surfaces.lore_engine.results import EntitySuggestionView, NamesakeView
from recollect.write.entity_refs import AmbiguousName as SeveralNamed

_CODES_BY_CODE = {
    "bad_time": "BAD_TIME",
    "unknown_era": "UNKNOWN_ERA",
    "timeline_fixed": "TIMELINE_FIXED",
    "no_current_time": "NO_CURRENT_TIME",
    "era_conflict": "ERA_CONFLICT",
    "too_large": "TOO_LARGE",
}


class RejectedInput(Refused):
    """An argument that is well formed but makes no sense here."""

    code = "BAD_INPUT"


class EntityNotFound(NotKnown):
    code = "ENTITY_NOT_FOUND"

    def __init__(self, name: str, field: str, suggestions: Sequence[EntitySuggestionView]) -> None:
        did_you_mean = f"; did you mean {suggestions[0]['name']!r}?" if suggestions else ""
        super().__init__(f"there is no entity {name!r}{did_you_mean}")
        self.field = field
        self.more = {"suggestions": list(suggestions)}


class AmbiguousEntityName(NotKnown):
    code = "AMBIGUOUS_NAME"

    def __init__(self, name: str, field: str, candidates: Sequence[NamesakeView]) -> None:
        super().__init__(f"{name!r} may be any of {len(candidates)} entities; pass the id of one of the candidates")
        self.field = field
        self.more = {"candidates": list(candidates)}


class UnknownRelation(NotKnown):
    code = "UNKNOWN_RELATION"

    def __init__(self, given: str, field: str, nearest: Sequence[str]) -> None:
        did_you_mean = f"; the nearest are {', '.join(nearest)}" if nearest else ""
        super().__init__(f"the relation {given!r} has never been used{did_you_mean}")
        self.field = field
        self.more = {"suggestions": list(nearest)}


class UnknownId(NotKnown):
    """An unknown id of a relation, document, finding, rule or run."""

    code = "NOT_FOUND"

    def __init__(self, what: str, given: str, field: str) -> None:
        super().__init__(f"there is no {what} {given!r}")
        self.field = field


class AliasConflict(Conflict):
    code = "ALIAS_CONFLICT"

    def __init__(self, alias: str, candidates: Sequence[NamesakeView]) -> None:
        super().__init__(f"{alias!r} already names another entity")
        self.more = {"candidates": list(candidates)}


def render_failure(_tool: Tool, _arguments: Mapping[str, Any], failure: RecollectError, _: Settings) -> Failure:
    """The failure as an error result; errors with an upper-case code keep it."""
    code, message = code_of(failure), str(failure)
    said: Json = {"error": code, "message": message}
    for key in ("field", "hint"):
        value = getattr(failure, key, None)
        if value:
            said[key] = value
    accepted = getattr(failure, "accepted", ())
    if accepted:
        said["accepted"] = list(accepted)
    return Failure({**said, **getattr(failure, "more", {})}, is_error=True, text=f"{code}: {message}")


_CODES: Mapping[type[RecollectError], str] = {
    SeveralNamed: AmbiguousEntityName.code,
    Refused: RejectedInput.code,
    NotKnown: UnknownId.code,
    Conflict: "CONFLICT",
    Forbidden: "FORBIDDEN",
    Unavailable: "UNAVAILABLE",
}


def code_of(failure: RecollectError) -> str:
    """The code of a failure on this surface."""
    if failure.code.isupper():
        return failure.code
    return _CODES_BY_CODE.get(failure.code) or code_by_class(failure, _CODES, "INTERNAL")


_TOOL_ORDER = tuple(
    """
    lookup entity_context expand_context was_true_at state_at entities_present event_chain cite
    lore_about run_consistency_check latest_run define_era define_calendar define_date delete_node true_during
    log_encounter add_entity set_alias merge_entities events_during get_context explain_violation
    get_contradictions get_anachronisms get_ontology_violations get_orphans flag_for_review location_hierarchy
    list_offspring ancestors_of descendants_of list_lineage summarize_chain narrate_arc query_as_npc
    get_person_profile add_relation add_ontology_rule list_ontology_rules semantic_search add_lore_source
    timeline get_unresolved graph_traverse
    """.split()
)

surface = Surface(
    "lore-engine",
    "A world in time: what was true and when, who was there, who knew it, and what cannot be so.",
    render_failure,
    brief=True,
    tool_order=_TOOL_ORDER,
)
