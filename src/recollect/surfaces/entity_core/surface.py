"""The surface itself, its failures, the acting instance and write receipts."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NotRequired

from typing_extensions import TypedDict

from recollect.errors import Conflict, Forbidden, NotKnown, RecollectError, Refused, Unavailable, Unsupported
from recollect.keep.call_conflicts import (
    Ambiguous,
    ContentTooLarge,
    ItemNotFound,
    ResolvableConflict,
    choices_of,
)
from recollect.keep.memory_formats import sanitize_instance
from recollect.memory import Memory
from recollect.model.actor import LOCAL
from recollect.settings import Settings
from recollect.store.change import Change
from recollect.surfaces.call_errors import code_by_class
from recollect.surfaces.declarations import Failure, Json, Surface, Tool
from recollect.write.entity_refs import AmbiguousName

PLAIN_FAILURE_CODES = frozenset(
    {"not_found", "ambiguous", "already_exists", "name_taken", "version_conflict", "needs_forget"}
)


class FailureView(TypedDict):
    """A failure of any tool."""

    success: bool
    error: str
    message: str
    field: NotRequired[str]
    accepted: NotRequired[str | list[str]]
    choices: NotRequired[list[Any]]


def render_failure(_tool: Tool, _arguments: Mapping[str, Any], failure: RecollectError, _: Settings) -> Failure:
    """The failure as an object; marked as an error only for invalid calls and store failures."""
    code = _code_of(failure)
    said: Json = {"success": False, "error": code, "message": f"{failure}{_next_tool(failure)}"}
    field, accepted, choices = getattr(failure, "field", None), getattr(failure, "accepted", ()), choices_of(failure)
    if field:
        said["field"] = field
    if accepted:
        said["accepted"] = list(accepted)
    if choices:
        said["choices"] = list(choices)
    return Failure(said, is_error=code not in PLAIN_FAILURE_CODES)


def _next_tool(failure: RecollectError) -> str:
    """The tool to use instead, or the one that lists what exists."""
    match failure:
        case ResolvableConflict(instead=str(other)):
            return f"; correct it with {other}"
        case ItemNotFound(listed_by=str(lister)):
            return f"; {lister} shows what exists"
        case _:
            return ""


_CODES: Mapping[type[RecollectError], str] = {
    AmbiguousName: Ambiguous.code,
    Refused: "invalid_input",
    NotKnown: "not_found",
    Forbidden: "forbidden",
    Unavailable: "unavailable",
    Unsupported: "invalid_input",
    Conflict: "invalid_input",
}


def _code_of(failure: RecollectError) -> str:
    has_own = isinstance(failure, ResolvableConflict | ContentTooLarge) or failure.code == "busy"
    return failure.code if has_own else code_by_class(failure, _CODES, "internal")


_CAMEL_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")


def snake_case(name: str) -> str:
    """`instanceId` as `instance_id`."""
    return _CAMEL_HUMP.sub(r"_\1", name).lower()


def camel_case(name: str) -> str:
    """`as_of` as `asOf`."""
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


def other_spellings(name: str) -> tuple[str, ...]:
    """The name in the other spelling (camelCase or snake_case), if it differs."""
    return tuple(spelled for spelled in (snake_case(name), camel_case(name)) if spelled != name)


_TOOL_ORDER = tuple(
    """
    entity_export entity_import graph_edge_create graph_edge_get graph_edge_update graph_edge_delete
    graph_node_search graph_node_list graph_node_create graph_node_get graph_node_update graph_node_delete
    graph_insights graph_stats graph_write_transaction graph_traverse graph_subgraph identity_get_all
    identity_get_meta identity_set_meta identity_delete_custom identity_write identity_append identity_prepend
    identity_update_section identity_rewrite_section memory_consolidate memory_search memory_grep memory_list
    memory_read memory_embedding_purge memory_embedding_rebuild embedding_rebuild_all memory_create
    memory_update memory_delete plugin_status snapshot_create snapshot_list snapshot_get snapshot_restore
    sync_pull sync_push sync_status
    """.split()
)

surface = Surface(
    "entity-core",
    "Who I am, what I have lived through and what I know, shared by all my embodiments.",
    render_failure,
    envelope=FailureView,
    allows_equal_duplicates=True,
    indent=2,
    brief=True,
    other_spellings=other_spellings,
    tool_order=_TOOL_ORDER,
)


class WriteReceipt(TypedDict):
    """The number of the transaction, or of the latest one where nothing changed."""

    tx: int
    unchanged: NotRequired[bool]


class WriteResult(WriteReceipt):
    """What most writes answer with: that it is done, and what was done in words."""

    success: bool
    message: str


def write_receipt(change: Change) -> WriteReceipt:
    """The receipt; called inside the transaction after all writes."""
    if change.has_changed:
        return {"tx": change.tx}
    return {"tx": change.last_tx, "unchanged": True}


def instance_of(memory: Memory, given: str | None) -> str:
    """The instance that acts; a caller without a name is `unknown`."""
    if given is not None:
        return given
    actor = memory.actor
    return sanitize_instance(actor.client or (None if actor.name == LOCAL else actor.name))


def acting_as(memory: Memory, given: str | None) -> Memory:
    """The memory with the instance as the actor of its transactions."""
    return replace(memory, actor=replace(memory.actor, name=instance_of(memory, given)))
