"""Vectors of entity names: the embedding rung of the resolver."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import islice

from recollect.embed.port import Embedder, EmbeddingFailed, Vectors
from recollect.model.document import content_hash
from recollect.model.ids import EntityId
from recollect.model.names import PEOPLE, Name, Types
from recollect.store.change import Change
from recollect.store.vectors import add_vectors, dot_products, stored_vectors
from recollect.store.view import View
from recollect.store.write_queries import names_learned

CACHED_NAMES = 5_000
EMBEDDED_AT_ONCE = 64


def name_model(embedder: Embedder) -> str:
    """The model under which vectors of names are stored."""
    return f"{embedder.model}#name"


class NameVectors:
    """The vectors of the names of one workspace: read from the store, caught up when asked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._upto = 0
        self._seen: set[str] = set()
        self._pending: dict[str, str] = {}
        """Names without a vector, by the key under which it will be stored."""
        self._unstored: dict[str, Vectors] = {}
        self._folded: list[str] = []
        self._rows: list[Vectors] = []

    def nearest(
        self, view: View, embedder: Embedder, text: str, types: Types, floor: float, limit: int
    ) -> Sequence[tuple[Name, float]] | None:
        """Names whose cosine with the text reaches the floor, nearest first; none if nothing embeds now."""
        try:
            with self._lock:
                self._catch_up(view, embedder)
                near = self._near(embedder.embed([text])[0], floor)
        except EmbeddingFailed:
            return None
        allowed = types.without(PEOPLE)
        found = [
            (name, cosine)
            for folded, cosine in near[: limit * 4]
            for name in view.names_matching(folded)
            if name.kind in ("name", "alias") and allowed.admits(name.type)
        ]
        return found[:limit]

    def embed_unstored(self, view: View, embedder: Embedder) -> dict[str, Vectors]:
        """The next vectors to store, by key; empty when every name has one."""
        with self._lock:
            self._catch_up(view, embedder)
            return dict(islice(self._unstored.items(), EMBEDDED_AT_ONCE))

    def store(self, change: Change, embedder: Embedder, made: dict[str, Vectors]) -> None:
        """Store these vectors, except of entities that were erased meanwhile."""
        known = change.entities({_entity(key) for key in made})
        add_vectors(change, name_model(embedder), {key: row for key, row in made.items() if _entity(key) in known})
        with self._lock:
            for key in made:
                self._unstored.pop(key, None)

    def _near(self, vector: Vectors, floor: float) -> list[tuple[str, float]]:
        import numpy as np

        if not self._rows:
            return []
        if len(self._rows) > 1:
            self._rows = [np.concatenate(self._rows)]
        cosines = dot_products(self._rows[0], vector)
        hits = [(self._folded[at], float(cosines[at])) for at in (cosines >= floor).nonzero()[0]]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    def _catch_up(self, view: View, embedder: Embedder) -> None:
        """Read what was named since the last time, and embed a few names that have no stored vector."""
        new = self._named_since(view)
        if new:
            self._pending |= new
            self._take_stored(view, embedder, list(new))
        if not self._pending:
            return
        self._take_stored(view, embedder, self._next())
        keys = self._next()
        for key, row in zip(keys, embedder.embed([self._pending[key] for key in keys]) if keys else (), strict=True):
            self._unstored[key] = row
            self._add(key, row)

    def _next(self) -> list[str]:
        return list(islice(self._pending, EMBEDDED_AT_ONCE))

    def _named_since(self, view: View) -> dict[str, str]:
        """Names that were not seen yet, whatever the moment asked about, by their keys."""
        room = CACHED_NAMES - len(self._seen)
        rows = names_learned(view, self._upto, PEOPLE, room) if room else []
        new: dict[str, str] = {}
        for folded, _, entity in rows:
            if folded not in self._seen:
                self._seen.add(folded)
                new[f"{entity}:{content_hash(folded)}"] = folded
        if rows:
            # A transaction may have more names than there was room for.
            self._upto = rows[-1].tx - (len(rows) == room)
        return new

    def _take_stored(self, view: View, embedder: Embedder, keys: Sequence[str]) -> None:
        for key, row in stored_vectors(view, name_model(embedder), keys).items():
            self._add(key, row)

    def _add(self, key: str, row: Vectors) -> None:
        self._folded.append(self._pending.pop(key))
        self._rows.append(row.reshape(1, -1))


def _entity(key: str) -> EntityId:
    return EntityId(key.partition(":")[0])
