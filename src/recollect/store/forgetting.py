"""Erasure in the store: every row that names something is removed, and what was erased is known by hashes alone."""

import hashlib
import json
from collections.abc import Collection, Iterable

from recollect.store.change import Change
from recollect.store.fact_words import drop_fact_words
from recollect.store.queries import sqlite_queries

ERASING = "forget_in_"


def forgotten_hash(*parts: str) -> str:
    """What something is known by once it is gone."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def note_forgotten(change: Change, hashes: Iterable[str]) -> None:
    """Let what these hashes stand for never come back."""
    rows = [{"ws": change.ws, "hash": each, "at": change.now} for each in sorted(set(hashes))]
    change.connection.run_many("forgotten_add", rows)
    change.recent.forgotten = None


def erase_rows(change: Change, ids: Collection[str]) -> None:
    """Remove every row that names one of these, from every table."""
    drop_fact_words(change)
    for query in sorted(name for name in sqlite_queries().names if name.startswith(ERASING)):
        change.connection.run(query, {"ws": change.ws, "ids": sorted(ids)})
