"""Queries of snapshots: names for the state of a subject at a transaction."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.view import View
from recollect.when.instant import Instant


class SnapshotKey(NamedTuple):
    category: str
    stem: str
    at: Instant


class SnapshotRow(NamedTuple):
    """One snapshot; `held` is a text that lost a conflict, with its metadata."""

    category: str
    stem: str
    at: Instant
    tx: int
    reason: str
    source: str
    flagged: bool
    label: str | None
    held: Mapping[str, Any] | None

    @property
    def key(self) -> SnapshotKey:
        return SnapshotKey(self.category, self.stem, self.at)


def _snapshot_row(row: Row) -> SnapshotRow:
    found = SnapshotRow._make(row)
    held = None if found.held is None else json.loads(row[-1])
    return found._replace(flagged=found.flagged == 1, held=held)


def snapshots_of(view: View, category: str, stem: str) -> list[SnapshotRow]:
    return [_snapshot_row(row) for row in view.rows("snapshots_of", category=category, stem=stem)]


def snapshots_in(view: View, categories: Collection[str]) -> list[SnapshotRow]:
    """The snapshots of some categories, without the texts that they hold."""
    return [_snapshot_row(row) for row in view.rows("snapshots_in", categories=sorted(categories))]


def snapshot_with_key(view: View, key: SnapshotKey) -> SnapshotRow | None:
    rows = view.rows("snapshot_one", **key._asdict())
    return _snapshot_row(rows[0]) if rows else None


def expired_snapshots(view: View, before: int) -> list[SnapshotRow]:
    """The snapshots from before an instant that are not flagged."""
    return [_snapshot_row(row) for row in view.rows("snapshots_expired", before=before)]


def add_snapshots(change: Change, snapshots: Iterable[SnapshotRow]) -> None:
    change.run_many("snapshot_add", map(_parameters, snapshots))


def _parameters(snapshot: SnapshotRow) -> dict[str, Any]:
    held = None if snapshot.held is None else json.dumps(snapshot.held, ensure_ascii=False, sort_keys=True)
    return {**snapshot._asdict(), "flagged": int(snapshot.flagged), "held": held}


def remove_snapshots(change: Change, keys: Iterable[SnapshotKey]) -> None:
    change.run_many("snapshot_remove", [key._asdict() for key in keys])


def flag_snapshot(change: Change, key: SnapshotKey, flagged: bool) -> None:
    change.run("snapshot_flag", **key._asdict(), flagged=int(flagged))
