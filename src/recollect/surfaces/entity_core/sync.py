"""`sync_pull` and `sync_push`: exchange with my embodiments."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import Annotated, Any, NotRequired

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from recollect.keep.call_conflicts import ContentTooLarge
from recollect.keep.client_sync.pull import (
    BadCursor,
    SyncPage,
    find_instance,
    first_page,
    parse_cursor,
    pull,
    record_sync,
)
from recollect.keep.client_sync.push import FileSyncItem, MemorySyncItem, SyncItem, push
from recollect.keep.identity_files import IdentityPath
from recollect.keep.markdown import chat_ids_in
from recollect.keep.memories.memory_store import derive_slug, find_memory, merge_unique
from recollect.keep.memory_formats import CONTENT_LIMIT, is_visible, normalize_newlines, parse_period
from recollect.keep.memory_index.stored_memory import SUMMARY_GRANULARITIES, MemoryDraft, SummaryProvenance
from recollect.keep.snapshot_store import drop_expired
from recollect.memory import Memory
from recollect.store.client_sync_queries import SyncInstance
from recollect.store.view import View
from recollect.surfaces.call_errors import BadArgument
from recollect.surfaces.entity_core.memory_types import render_memory
from recollect.surfaces.entity_core.parameters import (
    Author,
    Category,
    ChatIds,
    Filename,
    Granularity,
    InstanceId,
    Instances,
    InstanceType,
    PromptLabel,
    Slug,
    text_up_to,
    to_camel_keys,
)
from recollect.surfaces.entity_core.surface import acting_as, surface, write_receipt
from recollect.surfaces.entity_core.sync_results import (
    SyncPullResult,
    SyncPushResult,
    render_conflicts,
    render_files,
    render_outcome,
    render_token,
    render_tombstone,
)
from recollect.surfaces.parameter_types import Flag, IntegralFloat, bad_value
from recollect.when.instant import Instant, read_instant
from recollect.when.time_errors import BadTime

MAX_ITEMS = 5000
MAX_BYTES = 32 << 20
DERIVED_KEYS = frozenset({"id", "title", "summary", "tx"})
"""Fields of a memory that `sync_pull` prints and a push ignores."""


def _check_no_nul(text: str) -> str:
    if "\0" in text:
        raise bad_value("should not contain NUL")
    return normalize_newlines(text)


def _drop_derived_keys(value: Any) -> Any:
    """The item without derived fields of a pull; its id is dropped only if it matches the item."""
    item = to_camel_keys(value)
    if not isinstance(item, dict) or (item.get("id") and not _is_own_id(item)):
        return item
    return {key: inner for key, inner in item.items() if key not in DERIVED_KEYS}


def _is_own_id(item: Mapping[str, Any]) -> bool:
    start = f"{item.get('granularity')}-{item.get('date')}"
    rest = {"daily": item.get("sourceInstance"), "significant": item.get("slug")}.get(item.get("granularity", ""))
    return bool(item["id"] == (f"{start}_{rest}" if rest else start))


CamelKeys = BeforeValidator(to_camel_keys)
PulledKeys = BeforeValidator(_drop_derived_keys)
BaseVersion = Annotated[int, Field(ge=0, description="The version it started from"), IntegralFloat]
InstantText = Annotated[str, Field(max_length=64, description="ISO 8601")]
PushedText = Annotated[str, AfterValidator(_check_no_nul)]


@with_config(ConfigDict(extra="forbid", strict=True))
class InstanceInput(TypedDict):
    """Who pushes."""

    id: InstanceId
    type: InstanceType
    name: NotRequired[Annotated[str, text_up_to(200)]]
    version: NotRequired[float]


@with_config(ConfigDict(extra="forbid", strict=True))
class FileInput(TypedDict):
    """An identity file as the embodiment has it."""

    category: Category
    filename: Filename
    content: NotRequired[PushedText]
    version: NotRequired[BaseVersion]
    lastModified: NotRequired[InstantText]
    modifiedBy: NotRequired[Author]
    promptLabel: NotRequired[PromptLabel]
    deleted: NotRequired[Flag]


@with_config(ConfigDict(extra="forbid", strict=True))
class MemoryInput(TypedDict):
    """A memory as the embodiment has it."""

    granularity: Granularity
    date: Annotated[str, Field(max_length=10)]
    sourceInstance: InstanceId
    content: NotRequired[PushedText]
    chatIds: NotRequired[ChatIds]
    participatingInstances: NotRequired[Instances]
    version: NotRequired[BaseVersion]
    createdAt: NotRequired[InstantText]
    updatedAt: NotRequired[InstantText]
    slug: NotRequired[Slug]
    editedBy: NotRequired[Author]
    deleted: NotRequired[Flag]


PusherInput = Annotated[InstanceInput, CamelKeys, Field(description="The embodiment that pushes")]
FileInputs = Annotated[list[Annotated[FileInput, CamelKeys]], Field(description="Identity files it changed")]
MemoryInputs = Annotated[list[Annotated[MemoryInput, PulledKeys]], Field(description="Memories it changed")]


def parse_items(view: View, pusher: str, files: list[FileInput], memories: list[MemoryInput]) -> list[SyncItem]:
    """All items, validated and without duplicates."""
    if len(files) + len(memories) > MAX_ITEMS:
        raise ContentTooLarge("memoryChanges" if memories else "identityChanges", f"{MAX_ITEMS} changes in all")
    if sum(len(each.get("content", "").encode()) for each in (*files, *memories)) > MAX_BYTES:
        raise ContentTooLarge("memoryChanges" if memories else "identityChanges", "32 MiB in all")
    zone = view.world.zone
    found: list[SyncItem] = [_parse_file(each, f"identityChanges[{at}]", pusher, zone) for at, each in enumerate(files)]
    taken: dict[str, str | None] = {}
    for at, each in enumerate(memories):
        item = _parse_memory(view, each, f"memoryChanges[{at}]")
        if "slug" not in each and not each.get("version"):
            item = _with_free_slug(view, item, taken)
        taken[item.id] = item.text
        found.append(item)
    _check_unique(found)
    return found


def _with_free_slug(view: View, item: MemorySyncItem, taken: Mapping[str, str | None]) -> MemorySyncItem:
    """A significant memory without a slug gets one that no other text has."""
    slug, count = item.draft.slug, 1
    while item.draft.slug is not None:
        stored = find_memory(view, item.id)
        if taken.get(item.id, stored.content if stored else item.text) == item.text:
            break
        count += 1
        item = replace(item, draft=replace(item.draft, slug=f"{slug}-{count}"))
    return item


def _check_unique(items: list[SyncItem]) -> None:
    seen: dict[tuple[str, str], str] = {}
    for item in items:
        first = seen.setdefault((item.kind, item.id), item.field)
        if first != item.field:
            raise BadArgument(item.field, "bad_value", f"{item.field} is the same item as {first}: {item.id}")


def _parse_file(given: FileInput, field: str, pusher: str, zone: tzinfo) -> FileSyncItem:
    place = IdentityPath(given["category"], given["filename"])
    is_deleted = given.get("deleted", False)
    if is_deleted and place.category != "custom":
        raise BadArgument(f"{field}.deleted", "bad_value", f"{field}.deleted is for files of category custom only")
    text = None if is_deleted else _require_content(given, field, is_enough=bool)
    at = _parse_instant(given, "lastModified", field, zone)
    by = given.get("modifiedBy", pusher)
    return FileSyncItem(field, place, text, given.get("promptLabel"), given.get("version"), at, by)


def _parse_memory(view: View, given: MemoryInput, field: str) -> MemorySyncItem:
    granularity, zone = given["granularity"], view.world.zone
    period = parse_period(granularity, given["date"], f"{field}.date")
    if "slug" in given and granularity != "significant":
        raise BadArgument(f"{field}.slug", "bad_value", f"{field}.slug belongs to significant memories only")
    text = None if given.get("deleted") else _require_content(given, field, is_enough=is_visible)
    if granularity == "significant" and "slug" not in given and text is None:
        raise BadArgument(f"{field}.slug", "missing", f"{field}.slug is required to say which memory was deleted")
    updated = _parse_instant(given, "updatedAt", field, zone)
    draft = MemoryDraft(
        period,
        given["sourceInstance"],
        merge_unique(given.get("participatingInstances") or (given["sourceInstance"],)),
        merge_unique(given.get("chatIds", ()), chat_ids_in(text or "")),
        _parse_instant(given, "createdAt", field, zone) or updated or view.now,
        updated or view.now,
        (given.get("slug") or derive_slug(text or "")) if granularity == "significant" else None,
        given.get("editedBy"),
        SummaryProvenance("hand") if granularity in SUMMARY_GRANULARITIES else None,
    )
    return MemorySyncItem(field, draft, text, given.get("version"), updated)


def _require_content(given: FileInput | MemoryInput, field: str, is_enough: Callable[[str], bool]) -> str:
    text = given.get("content", "")
    if not is_enough(text):
        raise BadArgument(f"{field}.content", "missing", f"{field}.content should not be empty, unless it is deleted")
    if len(text.encode()) > CONTENT_LIMIT:
        raise ContentTooLarge(f"{field}.content", "1 MiB of UTF-8")
    return text


def _parse_instant(given: Mapping[str, Any], key: str, field: str, zone: tzinfo) -> Instant | None:
    if key not in given:
        return None
    try:
        return read_instant(given[key], zone)
    except BadTime as problem:
        raise BadArgument(f"{field}.{key}", "bad_value", f"{field}.{key}: {problem}") from None


# ruff: noqa: N803 the published names


LastSyncVersion = Annotated[
    int, Field(ge=0, description="serverVersion of the last token; none: everything"), IntegralFloat
]
PULL_EXAMPLE = {"instanceId": "st-attic", "lastSyncVersion": 0}
PUSH_EXAMPLE = {
    "instance": {"id": "st-attic", "type": "sillytavern"},
    "identityChanges": [{"category": "user", "filename": "user_notes.md", "content": "Noor likes fog.", "version": 0}],
}


@surface.tool("write", example=PULL_EXAMPLE, idempotent=True)
def sync_pull(
    memory: Memory,
    instanceId: InstanceId,
    lastSyncVersion: LastSyncVersion | None = None,
    limit: Annotated[int, Field(ge=1, le=5000, description="At most so many memories; default all"), IntegralFloat]
    | None = None,
    cursor: Annotated[str, Field(max_length=80, description="From the previous page")] | None = None,
) -> SyncPullResult:
    """I use this to bring an embodiment of mine up to date, with all or only what changed."""
    with acting_as(memory, instanceId).write() as change:
        page = _current_page(cursor, change.last_tx, lastSyncVersion)
        state = change.at(page.known)
        found = pull(state, page, limit)
        record_sync(change, find_instance(change, instanceId), None if found.next else page.known)
        shown: SyncPullResult = {
            "success": True,
            "full": page.since is None,
            "identityFiles": render_files(found.files),
            "memories": [render_memory(state, each) for each in found.memories],
            "deleted": [render_tombstone(each) for each in found.gone],
            "newSyncToken": None if found.next else render_token(change, page.known),
            "hasMore": found.next is not None,
        }
        return shown if found.next is None else {**shown, "cursor": found.next.to_cursor()}


def _current_page(cursor: str | None, last_tx: int, since: int | None) -> SyncPage:
    if cursor is None:
        return first_page(last_tx, since)
    page = parse_cursor(cursor, last_tx)
    if since is not None and first_page(page.known, since).since != page.since:
        raise BadCursor
    return page


@surface.tool("write", example=PUSH_EXAMPLE)
def sync_push(
    memory: Memory,
    instance: PusherInput,
    identityChanges: FileInputs | None = None,
    memoryChanges: MemoryInputs | None = None,
    lastSyncVersion: LastSyncVersion | None = None,
) -> SyncPushResult:
    """I use this to take over what an embodiment of mine changed; no text is ever lost."""
    with acting_as(memory, instance["id"]).write() as change:
        items = parse_items(change, instance["id"], identityChanges or [], memoryChanges or [])
        drop_expired(change, memory.settings)
        outcomes = push(change, items, lastSyncVersion)
        server_version = change.last_tx
        pusher = SyncInstance(instance["id"], instance["type"], instance.get("name"), instance.get("version"))
        record_sync(change, pusher, server_version)
        return {
            "success": True,
            "newSyncToken": render_token(change, server_version),
            "conflicts": render_conflicts(outcomes),
            "results": [render_outcome(each) for each in outcomes],
            **write_receipt(change),
        }
