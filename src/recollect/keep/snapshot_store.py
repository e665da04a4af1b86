"""Snapshots: names for transactions, created, found, flagged and expired without copying any data."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any, Literal, NamedTuple, get_args

from recollect.errors import Refused
from recollect.keep.documents import tx_before
from recollect.keep.formats import CATEGORIES, FILENAME, MEMORY_ID, matches_format, shorten
from recollect.model.actor import LOCAL
from recollect.settings import Settings
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.view import View
from recollect.when.instant import DAY, Instant, format_millis, read_instant
from recollect.when.problems import BadTime

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


ALL_MEMORIES = SnapshotSubject(MEMORIES, "all")
WHOLE_STATE = SnapshotSubject(EVERYTHING, "everything")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One name: what it covers, under which instant, and the transaction it stands for.

    `held` is a text that lost a conflict and never became a version, with what belongs to it.
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
    """Name the state before this transaction, all under one instant that is free for each of them."""
    at = _free_instant(change, subjects)
    source = SERVER_SOURCE if change.actor.name == LOCAL else change.actor.name
    tx = tx_before(change)
    named = [Snapshot(each, at, tx, reason, source, flagged, label, held) for each in subjects]
    change.connection.run_many("snapshot_add", [_snapshot_row(change, each) for each in named])
    return named


def create_snapshot(change: Change, subject: SnapshotSubject, reason: SnapshotReason) -> Snapshot:
    """Name the state of one thing before this transaction."""
    return create_snapshots(change, (subject,), reason)[0]


def _free_instant(view: View, subjects: Sequence[SnapshotSubject]) -> Instant:
    taken = {snapshot.at for subject in subjects for snapshot in snapshots_of(view, subject)}
    at = view.now - view.now % MILLISECOND
    while at in taken:
        at += MILLISECOND
    return Instant(at)


def _snapshot_row(change: Change, snapshot: Snapshot) -> dict[str, Any]:
    return {
        "ws": change.ws,
        "category": snapshot.subject.category,
        "stem": snapshot.subject.stem,
        "at": snapshot.at,
        "tx": snapshot.tx,
        "reason": snapshot.reason,
        "source": snapshot.source,
        "flagged": int(snapshot.flagged),
        "label": snapshot.label,
        "held": None if snapshot.held is None else json.dumps(snapshot.held, ensure_ascii=False, sort_keys=True),
    }


def _snapshot_of(row: Row) -> Snapshot:
    held = None if row[8] is None else json.loads(row[8])
    return Snapshot(SnapshotSubject(row[0], row[1]), Instant(row[2]), row[3], row[4], row[5], row[6] == 1, row[7], held)


def snapshots_of(view: View, subject: SnapshotSubject) -> list[Snapshot]:
    """All names of one subject."""
    return [_snapshot_of(row) for row in view.rows("snapshots_of", category=subject.category, stem=subject.stem)]


def snapshots_in(view: View, categories: Collection[str]) -> list[Snapshot]:
    """All names in these categories, newest first, without the texts that some of them hold."""
    found = [_snapshot_of(row) for row in view.rows("snapshots_in", categories=sorted(categories))]
    return sorted(found, key=lambda snapshot: (-snapshot.at, snapshot.id))


def find_snapshot(view: View, text: str) -> Snapshot | None:
    """The snapshot of this id; a memory may be asked for by the instant of a snapshot that covers it."""
    subject, at = parse_snapshot_id(text)
    covering = (ALL_MEMORIES, WHOLE_STATE) if subject.category == MEMORIES and subject != ALL_MEMORIES else ()
    for named in (subject, *covering):
        rows = view.rows("snapshot_one", category=named.category, stem=named.stem, at=at)
        if rows:
            return replace(_snapshot_of(rows[0]), subject=subject)
    return None


def drop_expired(change: Change, settings: Settings) -> int:
    """Remove the names whose time is over; how many. Flagged ones stay."""
    days = settings.integer("entity_core.snapshot_retention_days", 30)
    if days <= 0:
        return 0
    expired = [_snapshot_of(row) for row in change.rows("snapshots_expired", before=change.now - days * DAY)]
    change.connection.run_many("snapshot_remove", [_snapshot_key(change, each) for each in expired])
    return len(expired)


def flag_snapshot(change: Change, snapshot: Snapshot, flagged: bool = True) -> None:
    """Keep a name for good, or let it expire."""
    change.connection.run("snapshot_flag", {**_snapshot_key(change, snapshot), "flagged": int(flagged)})


def _snapshot_key(change: Change, snapshot: Snapshot) -> dict[str, Any]:
    category, stem = snapshot.subject
    return {"ws": change.ws, "category": category, "stem": stem, "at": snapshot.at}
