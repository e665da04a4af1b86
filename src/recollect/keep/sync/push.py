"""Taking over what an embodiment changed: each item joined with what is there, and neither side ever lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from recollect.keep.artifacts.versions import past, tx_before, version_at, version_number, versions_of
from recollect.keep.forgetting.tombstones import left_of
from recollect.keep.forms import CONTENT_LIMIT, is_visible
from recollect.keep.identity import files as identity
from recollect.keep.identity.blocks import chats_in, title_of
from recollect.keep.identity.files import Place
from recollect.keep.memories.entry import MemoryDraft, Summary, draft_of, properties_of
from recollect.keep.memories.keeping import find_memory, put_memory, remove_memory, union
from recollect.keep.problems import TooLarge
from recollect.keep.snapshots.naming import Snapshot, Subject, name_one, name_state, of_file, of_memory, snapshots_of
from recollect.keep.sync.pull import EntityType
from recollect.keep.sync.reconcile import (
    Base,
    Case,
    Resolution,
    Side,
    Status,
    Text,
    Verdict,
    decide,
    decide_last_write,
    later,
    resolution,
)
from recollect.model.document import Document
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import SECOND, Instant

PLACEHOLDER_VERSION = 1
"""What entity-core's own host sends with every item, whatever version it started from."""
CLOCK_SKEW = 5 * 60 * SECOND


@dataclass(frozen=True, slots=True)
class FileItem:
    """An identity file as an embodiment has it; without a text it was deleted there."""

    field: str
    place: Place
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
    def subject(self) -> Subject:
        return of_file(*self.place)


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """A memory as an embodiment has it; without a text it was deleted there."""

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
    def subject(self) -> Subject:
        return of_memory(self.id)

    @property
    def label(self) -> None:
        return None


Item = FileItem | MemoryItem


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Both sides changed, or one changed what the other deleted."""

    local_version: int | None
    server_version: int
    suggested: Resolution
    applied: Side


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one item."""

    item: Item
    status: Status
    version: int
    snapshot: Snapshot | None = None
    conflict: Disagreement | None = None


def push(change: Change, items: Sequence[Item], since: int | None) -> list[Outcome]:
    """Take over every item, in their order."""
    return [_take(change, item, since) for item in items]


def _take(change: Change, item: Item, since: int | None) -> Outcome:
    held = change.document_named(item.kind, item.id)
    number = version_number(change, held) if held else 0
    if item.text is not None:
        left = left_of(change, item.kind, item.text)
        if left is None:
            return Outcome(item, "kept_server", number)
        item = replace(item, text=left)
    case = _case(change, held, item, _base(change, held, number, item, since))
    has_base = since is not None or item.version != PLACEHOLDER_VERSION or not _is_overtaken(case)
    if not has_base and isinstance(item, MemoryItem) and item.at is None:
        # The host takes a memory without a time for one that was written just now.
        item = replace(item, at=change.now)
    verdict = decide(case) if has_base else _last_write(change, item, held, case)
    match verdict.status:
        case "kept_server" if not has_base:
            return Outcome(item, "kept_server", number, conflict=_disagreement(change, item, held, number, "server"))
        case "unchanged" | "kept_server":
            return Outcome(item, verdict.status, number)
        case "conflict":
            return _settle(change, item, held, number, case)
        case "applied" | "merged":
            if verdict.text == case.server:
                return Outcome(item, verdict.status, number)
            snapshot = _name_before(change, item, case.server, verdict.text)
            return Outcome(item, verdict.status, _put(change, item, held, verdict.text), snapshot)


def _is_overtaken(case: Case) -> bool:
    """Whether the text of the server is no longer the base, and the client sends another one."""
    if case.client is None or (case.base is not None and case.base.is_current):
        return False
    if case.server is None:
        return case.buried is not None
    base = case.base and case.base.text
    return case.server.text not in (case.client.text, base.text if base else None)


def _last_write(change: Change, item: Item, held: Document | None, case: Case) -> Verdict:
    """The later write wins; a write of the pusher itself is followed, not disputed."""
    written = change.transaction(held.tx_from) if held else None
    is_own = written is not None and written.actor == change.actor.name
    side = _later_side(change, item, held)
    if is_own and item.at is not None and _changed_at(held, change.now) - item.at <= CLOCK_SKEW:
        # The stamp of its last write is ours, its own clock may be a little behind.
        side = None if side == "server" else side
    return decide_last_write(case, side, is_own=is_own)


def _later_side(change: Change, item: Item, held: Document | None) -> Side | None:
    return later(None if item.at is None else min(item.at, change.now), _changed_at(held, change.now))


def _case(change: Change, held: Document | None, item: Item, base: Base | None) -> Case:
    server = _text(change, held)
    buried = _buried(change, held) if held and server is None else None
    # A label that was not sent is one that was not touched.
    known = server or (base.text if base else None) or buried
    label = item.label or (known.label if known else None)
    if label is None and isinstance(item, FileItem):
        label = item.place.default_label
    client = None if item.text is None else Text(item.text, label)
    is_daily = isinstance(item, MemoryItem) and item.draft.period.granularity == "daily"
    return Case(client, server, base, buried, is_daily)


def _text(view: View, document: Document | None) -> Text | None:
    if document is None or document.deleted:
        return None
    label = identity.label_of(identity.place_of(document.key), document) if document.kind == identity.KIND else None
    return Text(view.text_of(document) or "", label)


def _buried(view: View, document: Document) -> Text | None:
    """The last text that a deleted thing had."""
    lived = [version for version in versions_of(view, document.id) if not version.deleted]
    return _text(view, lived[-1]) if lived else None


def _base(change: Change, held: Document | None, number: int, item: Item, since: int | None) -> Base | None:
    """What the embodiment started from: the version it names, else what there was when it last synced."""
    if item.version is not None:
        if item.version > number:
            return None
        if held is None or item.version == 0:
            return Base(None, is_current=held is None)
        version = version_at(change, held, item.version)
        return Base(_text(change, version), is_current=item.version == number) if version else None
    if since is None or since > tx_before(change):
        return None
    then = past(change, since).document_named(item.kind, item.id)
    return Base(_text(change, then), is_current=(then and then.tx_from) == (held and held.tx_from))


def _settle(change: Change, item: Item, held: Document | None, number: int, case: Case) -> Outcome:
    """The side with the later time becomes current; the other text is kept under a name that stays."""
    side = _later_side(change, item, held)
    applied: Side = "local" if case.server is None or (case.client is not None and side == "local") else "server"
    snapshot = None
    if case.server is not None and case.client is not None:
        snapshot = (
            name_state(change, (item.subject,), "conflict", flagged=True)[0]
            if applied == "local"
            else _keep_loser(change, item, held, case.client)
        )
    version = _put(change, item, held, case.client) if applied == "local" else number
    conflict = Disagreement(item.version, number, resolution(side), applied)
    return Outcome(item, "conflict", version, snapshot, conflict)


def _disagreement(change: Change, item: Item, held: Document | None, number: int, applied: Side) -> Disagreement:
    return Disagreement(item.version, number, resolution(_later_side(change, item, held)), applied)


def _changed_at(held: Document | None, now: Instant) -> Instant:
    if held is None:
        return now
    return held.source_at if held.kind == identity.KIND else draft_of(held).updated_at


def _keep_loser(change: Change, item: Item, held: Document | None, text: Text) -> Snapshot:
    """The name of a text that did not become a version; the same text is kept once."""
    for known in snapshots_of(change, item.subject):
        if known.held and (known.held["text"], known.held.get("label")) == (text.text, text.label):
            return known
    # A text that can be read is more than bookkeeping, so it has its transaction.
    kept = {"text": text.text, "label": text.label, "tx": change.tx, **_belonging(item, held, text)}
    return name_state(change, (item.subject,), "conflict", flagged=True, held=kept)[0]


def _belonging(item: Item, held: Document | None, text: Text) -> Mapping[str, Any]:
    """The title and properties that a text would have as a version."""
    if isinstance(item, FileItem):
        return {"title": item.id, "properties": _labelled({}, item.place, text) | {identity.MODIFIED_BY: item.by}}
    draft = _joined_draft(draft_of(held), item, text.text, item.at) if held else item.draft
    return {"title": title_of(text.text), "properties": properties_of(draft)}


def _name_before(change: Change, item: Item, server: Text | None, text: Text | None) -> Snapshot | None:
    if server is not None and text is None:
        return name_one(change, item.subject, "pre-delete")
    if isinstance(item, FileItem) and server is not None and is_visible(server.text):
        return name_one(change, item.subject, "pre-replace")
    return None


def _put(change: Change, item: Item, held: Document | None, text: Text | None) -> int:
    """Make a text, or a deletion, current; the number of the version that it is."""
    if text is not None and len(text.text.encode()) > CONTENT_LIMIT:
        raise TooLarge(f"{item.field}.content", "1 MiB of UTF-8, with what is there already")
    if isinstance(item, FileItem):
        return _put_file(change, item, held, text)
    return _put_memory(change, item, held, text)


def _put_file(change: Change, item: FileItem, held: Document | None, text: Text | None) -> int:
    if text is None:
        if held is not None:
            identity.remove_file(change, held)
        return version_number(change, held) if held else 0
    properties = _labelled(held.properties if held and not held.deleted else {}, item.place, text)
    at = min(item.at, change.now) if held is None and item.at is not None else None
    return identity.put_file(change, item.place, text.text, properties, item.by, at).version


def _labelled(properties: Mapping[str, Any], place: Place, text: Text) -> dict[str, Any]:
    kept = {key: value for key, value in properties.items() if key != identity.LABEL}
    return kept if text.label in (None, place.default_label) else kept | {identity.LABEL: text.label}


def _put_memory(change: Change, item: MemoryItem, held: Document | None, text: Text | None) -> int:
    live = find_memory(change, item.id)
    if text is None:
        if live is not None:
            remove_memory(change, live)
        return version_number(change, held) if held else 0
    draft = _joined_draft(live.draft, item, text.text, change.now) if live else _first_draft(item, change.now)
    return put_memory(change, draft, text.text).version


def _joined_draft(held: MemoryDraft, item: MemoryItem, text: str, at: Instant | None) -> MemoryDraft:
    return replace(
        held,
        chats=union(held.chats, item.draft.chats, chats_in(text)),
        participants=union(held.participants, item.draft.participants),
        updated_at=at or held.updated_at,
        edited_by=item.draft.edited_by or held.edited_by,
        summary=Summary("hand", held.summary.sources) if held.summary else None,
    )


def _first_draft(item: MemoryItem, now: Instant) -> MemoryDraft:
    """A memory that is new here keeps the times it brings, but none of the future."""
    created, updated = min(item.draft.created_at, now), min(item.draft.updated_at, now)
    return replace(item.draft, created_at=created, updated_at=updated)
