"""Applying the changes of a client: each item is merged with the stored one, and neither side is lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from recollect.keep import identity_files as identity
from recollect.keep.call_conflicts import ContentTooLarge
from recollect.keep.client_sync.merge import (
    LabelledText,
    MergeBase,
    MergeCase,
    MergeStatus,
    MergeVerdict,
    Resolution,
    Side,
    decide_last_write,
    decide_merge,
    later_side,
    merge_lines,
    suggest_resolution,
)
from recollect.keep.client_sync.pull import EntityType
from recollect.keep.document_versions import remaining_text, tx_before, version_at, version_number
from recollect.keep.identity_files import IdentityPath
from recollect.keep.markdown import chat_ids_in, first_heading
from recollect.keep.memories.memory_store import edited_by_hand, extend_draft, find_memory, put_memory, remove_memory
from recollect.keep.memory_formats import CONTENT_LIMIT, is_visible
from recollect.keep.memory_index.stored_memory import MemoryDraft, draft_of, draft_properties
from recollect.keep.snapshot_store import (
    Snapshot,
    SnapshotSubject,
    create_snapshot,
    create_snapshots,
    file_subject,
    keep_losing_text,
    memory_subject,
)
from recollect.model.document import Document
from recollect.store.activity_queries import transactions
from recollect.store.change import Change
from recollect.store.document_queries import versions_of
from recollect.store.view import View
from recollect.when.instant import SECOND, Instant

PLACEHOLDER_VERSION = 1
"""The version that entity-core's own host sends with every item, whatever its base."""
CLOCK_SKEW = 5 * 60 * SECOND


@dataclass(frozen=True, slots=True)
class FileSyncItem:
    """An identity file of a client; without a text it was deleted there."""

    field: str
    place: IdentityPath
    text: str | None
    label: str | None
    version: int | None
    at: Instant | None
    by: str

    kind: EntityType = "identity"

    @property
    def id(self) -> str:
        return self.place.key

    @property
    def subject(self) -> SnapshotSubject:
        return file_subject(*self.place)


@dataclass(frozen=True, slots=True)
class MemorySyncItem:
    """A memory of a client; without a text it was deleted there."""

    field: str
    draft: MemoryDraft
    text: str | None
    version: int | None
    at: Instant | None

    kind: EntityType = "memory"

    @property
    def id(self) -> str:
        return self.draft.id

    @property
    def subject(self) -> SnapshotSubject:
        return memory_subject(self.id)

    @property
    def label(self) -> None:
        return None


SyncItem = FileSyncItem | MemorySyncItem


@dataclass(frozen=True, slots=True)
class SyncConflict:
    """Both sides changed an item, or one changed what the other deleted."""

    local_version: int | None
    server_version: int
    suggested: Resolution
    applied: Side


@dataclass(frozen=True, slots=True)
class PushOutcome:
    """The outcome of one item."""

    item: SyncItem
    status: MergeStatus
    version: int
    snapshot: Snapshot | None = None
    conflict: SyncConflict | None = None


def push(change: Change, items: Sequence[SyncItem], since: int | None) -> list[PushOutcome]:
    """Apply every item in order."""
    return [_apply_item(change, item, since) for item in items]


def _apply_item(change: Change, item: SyncItem, since: int | None) -> PushOutcome:
    stored = change.document_named(item.kind, item.id)
    number = version_number(change, stored) if stored else 0
    if item.text is not None:
        left = remaining_text(change, item.kind, item.text)
        if left is None:
            return PushOutcome(item, "kept_server", number)
        item = replace(item, text=left)
    case = _merge_case(change, stored, item, _base_version(change, stored, number, item, since))
    has_base = since is not None or item.version != PLACEHOLDER_VERSION or not _is_overtaken(case)
    verdict = decide_merge(case) if has_base else _decide_without_base(change, item, stored, case)
    match verdict.status:
        case "kept_server" if not has_base and not case.is_live_day and _may_be_newer(change, item, stored):
            return PushOutcome(item, "kept_server", number, conflict=_disagreement(change, item, stored, number))
        case "unchanged" | "kept_server":
            return PushOutcome(item, verdict.status, number)
        case "conflict":
            return _resolve_conflict(change, item, stored, number, case)
        case "applied" | "merged":
            if verdict.text == case.server:
                return PushOutcome(item, verdict.status, number)
            snapshot = _snapshot_before(change, item, case.server, verdict.text)
            return PushOutcome(item, verdict.status, _put_item(change, item, stored, verdict.text), snapshot)


def _is_overtaken(case: MergeCase) -> bool:
    """Whether the server has changed since the base, and the client sends yet another text."""
    if case.client is None or (case.base is not None and case.base.is_current):
        return False
    if case.server is None:
        return case.last_deleted_text is not None
    base = case.base and case.base.text
    return case.server.text not in (case.client.text, base.text if base else None)


def _decide_without_base(change: Change, item: SyncItem, stored: Document | None, case: MergeCase) -> MergeVerdict:
    """A client that follows its own push is applied; else both texts are merged if that loses nothing."""
    versions = versions_of(change, stored.id) if stored else []
    texts = [_text_of(change, version) for version in versions[:3]]
    is_own = _is_own_text(_are_pushes_of_client(change, versions), texts, is_daily=case.is_daily)
    side = _later_side(change, item, stored)
    if is_own and _may_be_newer(change, item, stored):
        # Its last write has our timestamp, and its own clock may be slightly behind.
        side = None if side == "server" else side
    is_successor = len(versions) == PLACEHOLDER_VERSION + 1
    return decide_last_write(case, side, is_own=is_own, is_successor=is_successor)


def _may_be_newer(change: Change, item: SyncItem, stored: Document | None) -> bool:
    """Whether the client's copy may be newer than the server's, by a clock that may be slightly behind."""
    return item.at is not None and _changed_at(stored, change.now) - item.at <= CLOCK_SKEW


def _are_pushes_of_client(change: Change, versions: Sequence[Document]) -> list[bool]:
    """Of each version, whether this client pushed it."""
    writes = transactions(change, {version.tx_from for version in versions})
    client = (change.actor.tool, change.actor.name)
    return [(writes[version.tx_from].tool, writes[version.tx_from].actor) == client for version in versions]


def _is_own_text(are_own: Sequence[bool], texts: Sequence[LabelledText | None], *, is_daily: bool) -> bool:
    """Whether the stored text is what the client pushed last, and no merge with what another wrote."""
    if is_daily:
        return all(are_own)
    match are_own, texts:
        case [_, False, True], [LabelledText(base), LabelledText(before), LabelledText(now)]:
            return merge_lines(base, before, now) != now
        case _:
            return any(are_own[-1:])


def _later_side(change: Change, item: SyncItem, stored: Document | None) -> Side | None:
    return later_side(None if item.at is None else min(item.at, change.now), _changed_at(stored, change.now))


def _merge_case(change: Change, stored: Document | None, item: SyncItem, base: MergeBase | None) -> MergeCase:
    server = _text_of(change, stored)
    deleted = _last_live_text(change, stored) if stored and server is None else None
    # A label that was not sent is unchanged.
    known = server or (base.text if base else None) or deleted
    label = item.label or (known.label if known else None)
    if label is None and isinstance(item, FileSyncItem):
        label = item.place.default_label
    client = None if item.text is None else LabelledText(item.text, label)
    is_daily = isinstance(item, MemorySyncItem) and item.draft.period.granularity == "daily"
    return MergeCase(client, server, base, deleted, is_daily)


def _text_of(view: View, document: Document | None) -> LabelledText | None:
    if document is None or document.deleted:
        return None
    label = identity.label_of(identity.path_of_key(document.key), document) if document.kind == identity.KIND else None
    return LabelledText(view.text_of(document) or "", label)


def _last_live_text(view: View, document: Document) -> LabelledText | None:
    """The last text of a deleted document."""
    live = [version for version in versions_of(view, document.id) if not version.deleted]
    return _text_of(view, live[-1]) if live else None


def _base_version(
    change: Change, stored: Document | None, number: int, item: SyncItem, since: int | None
) -> MergeBase | None:
    """The base of the client's change: the version it names, else the state of its last sync."""
    if item.version is not None:
        if item.version > number:
            return None
        if stored is None or item.version == 0:
            return MergeBase(None, is_current=stored is None)
        version = version_at(change, stored, item.version)
        return MergeBase(_text_of(change, version), is_current=item.version == number) if version else None
    if since is None or since > tx_before(change):
        return None
    then = change.at(since).document_named(item.kind, item.id)
    return MergeBase(_text_of(change, then), is_current=(then and then.tx_from) == (stored and stored.tx_from))


def _resolve_conflict(
    change: Change, item: SyncItem, stored: Document | None, number: int, case: MergeCase
) -> PushOutcome:
    """The later side becomes current; the other text is kept in a flagged snapshot."""
    side = _later_side(change, item, stored)
    applied: Side = "local" if case.server is None or (case.client is not None and side == "local") else "server"
    snapshot = None
    if case.server is not None and case.client is not None:
        snapshot = (
            create_snapshots(change, (item.subject,), "conflict", flagged=True)[0]
            if applied == "local"
            else _keep_client_text(change, item, stored, case.client)
        )
    version = _put_item(change, item, stored, case.client) if applied == "local" else number
    conflict = SyncConflict(item.version, number, suggest_resolution(side), applied)
    return PushOutcome(item, "conflict", version, snapshot, conflict)


def _disagreement(change: Change, item: SyncItem, stored: Document | None, number: int) -> SyncConflict:
    return SyncConflict(item.version, number, suggest_resolution(_later_side(change, item, stored)), "server")


def _changed_at(stored: Document | None, now: Instant) -> Instant:
    if stored is None:
        return now
    return stored.source_at if stored.kind == identity.KIND else draft_of(stored).updated_at


def _keep_client_text(change: Change, item: SyncItem, stored: Document | None, text: LabelledText) -> Snapshot:
    return keep_losing_text(change, item.subject, text.text, text.label, _version_metadata(item, stored, text))


def _version_metadata(item: SyncItem, stored: Document | None, text: LabelledText) -> Mapping[str, Any]:
    """The title and properties that a text would have as a version."""
    if isinstance(item, FileSyncItem):
        return {"title": item.id, "properties": _with_label({}, item.place, text) | {identity.MODIFIED_BY: item.by}}
    draft = _merge_draft(draft_of(stored), item, text.text, item.at) if stored else item.draft
    return {"title": first_heading(text.text), "properties": draft_properties(draft)}


def _snapshot_before(
    change: Change, item: SyncItem, server: LabelledText | None, text: LabelledText | None
) -> Snapshot | None:
    if server is not None and text is None:
        return create_snapshot(change, item.subject, "pre-delete")
    if isinstance(item, FileSyncItem) and server is not None and is_visible(server.text):
        return create_snapshot(change, item.subject, "pre-replace")
    return None


def _put_item(change: Change, item: SyncItem, stored: Document | None, text: LabelledText | None) -> int:
    """Make a text or a deletion current; the resulting version number."""
    if text is not None and len(text.text.encode()) > CONTENT_LIMIT:
        raise ContentTooLarge(f"{item.field}.content", "1 MiB of UTF-8, with what is there already")
    if isinstance(item, FileSyncItem):
        return _put_file(change, item, stored, text)
    return _put_memory(change, item, stored, text)


def _put_file(change: Change, item: FileSyncItem, stored: Document | None, text: LabelledText | None) -> int:
    if text is None:
        if stored is not None:
            identity.remove_file(change, stored)
        return version_number(change, stored) if stored else 0
    properties = _with_label(stored.properties if stored and not stored.deleted else {}, item.place, text)
    at = min(item.at, change.now) if stored is None and item.at is not None else None
    return identity.put_file(change, item.place, text.text, properties, item.by, at).version


def _with_label(properties: Mapping[str, Any], place: IdentityPath, text: LabelledText) -> dict[str, Any]:
    kept = {key: value for key, value in properties.items() if key != identity.LABEL}
    return kept if text.label in (None, place.default_label) else kept | {identity.LABEL: text.label}


def _put_memory(change: Change, item: MemorySyncItem, stored: Document | None, text: LabelledText | None) -> int:
    live = find_memory(change, item.id)
    if text is None:
        if live is not None:
            remove_memory(change, live)
        return version_number(change, stored) if stored else 0
    draft = _merge_draft(live.draft, item, text.text, change.now) if live else _first_draft(item, change.now)
    return put_memory(change, draft, text.text).version


def _merge_draft(stored: MemoryDraft, item: MemorySyncItem, text: str, at: Instant | None) -> MemoryDraft:
    return replace(
        extend_draft(stored, (*item.draft.chats, *chat_ids_in(text)), item.draft.participants),
        updated_at=at or stored.updated_at,
        edited_by=item.draft.edited_by or stored.edited_by,
        summary=edited_by_hand(stored.summary),
    )


def _first_draft(item: MemorySyncItem, now: Instant) -> MemoryDraft:
    """A memory that is new here keeps its own times, limited to now."""
    created, updated = min(item.draft.created_at, now), min(item.draft.updated_at, now)
    return replace(item.draft, created_at=created, updated_at=updated)
