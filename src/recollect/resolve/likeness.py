"""Names near a text in meaning: the embedding rung of the resolver.

Names of people are left out. Vectors of names live in memory: a process embeds the names it has not seen when a text
first gets this far down the cascade, and at most `MOST` of them, so that a miss stays cheap in a large workspace.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.embed.port import Embedder, EmbeddingFailed, Vectors
from recollect.model.names import PEOPLE, Name, Types
from recollect.store.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST = 5_000


class NameVectors:
    """The vectors of the names of one workspace, caught up when asked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._upto = 0
        self._folded: list[str] = []
        self._seen: set[str] = set()
        self._rows: NDArray[np.float32] | None = None

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
            for name in view.named(folded)
            if name.kind in ("name", "alias") and allowed.admits(name.type)
        ]
        return found[:limit]

    def _near(self, vector: Vectors, floor: float) -> list[tuple[str, float]]:
        if self._rows is None:
            return []
        cosines = self._rows @ vector
        hits = [(self._folded[at], float(cosines[at])) for at in (cosines >= floor).nonzero()[0]]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    def _catch_up(self, view: View, embedder: Embedder) -> None:
        """Embed what was named since the last time, whatever the moment asked about."""
        import numpy as np

        room = MOST - len(self._folded)
        rows = view.rows("names_begun_after", tx=self._upto, people=sorted(PEOPLE), limit=room) if room else []
        new = list(dict.fromkeys(row[0] for row in rows if row[0] not in self._seen))
        if new:
            vectors = embedder.embed(new)
            self._rows = vectors if self._rows is None else np.concatenate([self._rows, vectors])
            self._folded += new
            self._seen.update(new)
        if rows:
            self._upto = rows[-1][1]
