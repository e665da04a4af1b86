"""Snapshots: names for transactions, created, found, flagged and expired without copying any data."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any, Literal, NamedTuple, cast, get_args

from recollect.errors import Refused
from recollect.keep.document_versions import tx_before
from recollect.keep.memory_formats import CATEGORIES, FILENAME, MEMORY_ID, matches_format
from recollect.model.actor import LOCAL
from recollect.settings import Settings
from recollect.store import client_sync_queries
from recollect.store.change import Change
from recollect.store.client_sync_queries import SnapshotKey, SnapshotRow
from recollect.store.view import View
from recollect.text.fold import shorten
from recollect.when.instant import DAY, Instant, format_millis, read_instant
from recollect.when.time_errors import BadTime

SnapshotReason = Literal["manual", "scheduled", "pre-replace", "pre-delete", "conflict", "pre-import"]
REASONS: tuple[SnapshotReason, ...] = get_args(SnapshotReason)
MILLISECOND = 1000
SERVER_SOURCE = "entity-core"
MEMORIES = "memories"
EVERYTHING = "all"

_ID = re.compile(r"([a-z]+)/([A-Za-z0-9._-]+)_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)", re.ASCII)


class BadSnapshotId(Refused):
    def __init__(self, given: str) -> None:
        form = "category/stem_2026-05-14T09-30-00-000Z"
        super().__init__(
            f"snapshotId {shorten(given, 80)!r} is not of the form {form}", field="snapshotId", accepted=(form,)
        )


class SnapshotSubject(NamedTuple):
    """What a snapshot covers."""

    category: str
    stem: str

    @property
    def filename(self) -> str:
        return f"{self.stem}.md" if self.category in CATEGORIES else self.stem

    def at(self, instant: Instant) -> SnapshotKey:
        return SnapshotKey(self.category, self.stem, instant)


ALL_MEMORIES = SnapshotSubject(MEMORIES, "all")
WHOLE_STATE = SnapshotSubject(EVERYTHING, "everything")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A name for the state of a subject after a transaction.

    `held` is a text that never became a version here, such as one that lost a conflict, with its metadata.
    """

    subject: SnapshotSubject
    at: Instant
    tx: int
    reason: SnapshotReason
    source: str
    flagged: bool = False
    label: str | None = None
    held: Mapping[str, Any] | None = None

    @property
    def id(self) -> str:
        return format_snapshot_id(self.subject, self.at)


def file_subject(category: str, filename: str) -> SnapshotSubject:
    return SnapshotSubject(category, filename.removesuffix(".md"))


def memory_subject(memory_id: str) -> SnapshotSubject:
    return SnapshotSubject(MEMORIES, memory_id)


def format_snapshot_id(subject: SnapshotSubject, at: Instant) -> str:
    return f"{subject.category}/{subject.stem}_{format_millis(at).replace(':', '-').replace('.', '-')}"


def parse_snapshot_id(text: str) -> tuple[SnapshotSubject, Instant]:
    """The subject and instant that an id names."""
    match = _ID.fullmatch(text)
    if match is None or not _is_subject(SnapshotSubject(match[1], match[2])):
        raise BadSnapshotId(text)
    day, _, time = match[3].partition("T")
    hour, minute, second, milli = time.removesuffix("Z").split("-")
    try:
        at = read_instant(f"{day}T{hour}:{minute}:{second}.{milli}Z", UTC)
    except BadTime:
        raise BadSnapshotId(text) from None
    return SnapshotSubject(match[1], match[2]), at


def _is_subject(subject: SnapshotSubject) -> bool:
    if subject.category in CATEGORIES:
        return matches_format(FILENAME, subject.filename)
    return subject in (ALL_MEMORIES, WHOLE_STATE) or (
        subject.category == MEMORIES and matches_format(MEMORY_ID, subject.stem)
    )


def create_snapshots(
    change: Change,
    subjects: Sequence[SnapshotSubject],
    reason: SnapshotReason,
    *,
    flagged: bool = False,
    label: str | None = None,
    held: Mapping[str, Any] | None = None,
) -> list[Snapshot]:
    """Name the state before this transaction, all under one instant that is unused for each of them."""
    at = _free_instant(change, subjects)
    source = SERVER_SOURCE if change.actor.name == LOCAL else change.actor.name
    tx = tx_before(change)
    created = [Snapshot(each, at, tx, reason, source, flagged, label, held) for each in subjects]
    client_sync_queries.add_snapshots(change, [_row_of(each) for each in created])
    return created


def create_snapshot(change: Change, subject: SnapshotSubject, reason: SnapshotReason) -> Snapshot:
    """Name the state of one subject before this transaction."""
    return create_snapshots(change, (subject,), reason)[0]


def _free_instant(view: View, subjects: Sequence[SnapshotSubject]) -> Instant:
    taken = {snapshot.at for subject in subjects for snapshot in snapshots_of(view, subject)}
    at = view.now - view.now % MILLISECOND
    while at in taken:
        at += MILLISECOND
    return Instant(at)


def _row_of(snapshot: Snapshot) -> SnapshotRow:
    return SnapshotRow(
        *snapshot.subject,
        snapshot.at,
        snapshot.tx,
        snapshot.reason,
        snapshot.source,
        snapshot.flagged,
        snapshot.label,
        snapshot.held,
    )


def _snapshot_of(row: SnapshotRow) -> Snapshot:
    subject = SnapshotSubject(row.category, row.stem)
    reason = cast(SnapshotReason, row.reason)
    return Snapshot(subject, row.at, row.tx, reason, row.source, row.flagged, row.label, row.held)


def keep_losing_text(
    change: Change, subject: SnapshotSubject, text: str, label: str | None, metadata: Mapping[str, Any]
) -> Snapshot:
    """Snapshot a text that lost a conflict and never became a version; the same text is kept once."""
    for known in snapshots_of(change, subject):
        if known.held and (known.held["text"], known.held.get("label")) == (text, label):
            return known
    # The text can be read later, so it needs a transaction of its own.
    held = {"text": text, "label": label, "tx": change.tx, **metadata}
    return create_snapshots(change, (subject,), "conflict", flagged=True, held=held)[0]


def keep_earlier_text(
    change: Change,
    key: SnapshotKey,
    reason: SnapshotReason,
    source: str,
    text: str,
    metadata: Mapping[str, Any],
) -> None:
    """Keep a text that was current elsewhere under the name that it has there."""
    held = {"text": text, "label": None, "tx": change.tx, **metadata}
    subject = SnapshotSubject(key.category, key.stem)
    row = _row_of(Snapshot(subject, key.at, tx_before(change), reason, source, flagged=True, held=held))
    client_sync_queries.add_snapshots(change, [row])


def snapshots_of(view: View, subject: SnapshotSubject) -> list[Snapshot]:
    return [_snapshot_of(row) for row in client_sync_queries.snapshots_of(view, *subject)]


def snapshots_in(view: View, categories: Collection[str]) -> list[Snapshot]:
    """All snapshots in these categories, newest first, without the texts that some of them hold."""
    found = [_snapshot_of(row) for row in client_sync_queries.snapshots_in(view, categories)]
    return sorted(found, key=lambda snapshot: (-snapshot.at, snapshot.id))


def find_snapshot(view: View, text: str) -> Snapshot | None:
    """The snapshot of this id; for a memory, also one of all memories or of everything at that instant."""
    subject, at = parse_snapshot_id(text)
    covering = (ALL_MEMORIES, WHOLE_STATE) if subject.category == MEMORIES and subject != ALL_MEMORIES else ()
    for candidate in (subject, *covering):
        row = client_sync_queries.snapshot_with_key(view, candidate.at(at))
        if row is not None:
            return replace(_snapshot_of(row), subject=subject)
    return None


def drop_expired(change: Change, settings: Settings) -> int:
    """Remove the snapshots past their retention, except flagged ones; how many."""
    days = settings.integer("entity_core.snapshot_retention_days", 30)
    if days <= 0:
        return 0
    expired = [row.key for row in client_sync_queries.expired_snapshots(change, change.now - days * DAY)]
    client_sync_queries.remove_snapshots(change, expired)
    return len(expired)


def flag_snapshot(change: Change, snapshot: Snapshot, flagged: bool = True) -> None:
    """Keep a snapshot for good, or let it expire."""
    client_sync_queries.flag_snapshot(change, snapshot.subject.at(snapshot.at), flagged)
