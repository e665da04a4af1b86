"""The learned ranker: small trees over the signals of a search, as plain numbers in a JSON file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.search.ranking import PassageHit
from recollect.search.signals import SIGNALS, RankingContext

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = Path(__file__).parent / "ranker.json"
RANKED_HITS = 100
EXPLAINED_SIGNALS = 3


@dataclass(frozen=True)
class Ranker:
    """An ensemble of binary trees. A node with a negative feature is a leaf; every node has a value, so that the
    way down tells which signal changed the score by how much."""

    depth: int
    feature: NDArray[np.int16]
    threshold: NDArray[np.float32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float32]
    roots: NDArray[np.int32]

    def contributions(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """For each row what every signal adds to its score."""
        import numpy as np

        count = np.arange(len(rows))[:, None]
        node = np.tile(self.roots, (len(rows), 1))
        added = np.zeros((len(rows), len(SIGNALS)), np.float32)
        for _ in range(self.depth):
            feature = self.feature[node]
            is_left = rows[count, np.maximum(feature, 0)] <= self.threshold[node]
            child = np.where(feature < 0, node, np.where(is_left, self.left[node], self.right[node]))
            np.add.at(added, (np.broadcast_to(count, node.shape), feature), self.value[child] - self.value[node])
            node = child
        return added


@cache
def bundled_ranker() -> Ranker | None:
    """The ranker in the package, if there is one for these signals."""
    return read_ranker(json.loads(FILE.read_text())) if FILE.exists() else None


def read_ranker(stored: dict[str, Any]) -> Ranker | None:
    """The ranker that a JSON object holds; none if it was trained with other signals."""
    import numpy as np

    if tuple(stored["signals"]) != SIGNALS:
        return None
    types = {"feature": np.int16, "threshold": np.float32, "left": np.int32, "right": np.int32, "value": np.float32}
    arrays = {name: np.array(stored[name], kind) for name, kind in types.items()}
    return Ranker(int(stored["depth"]), **arrays, roots=np.array(stored["roots"], np.int32))


def order_by_ranker(hits: Sequence[PassageHit], context: RankingContext) -> Sequence[PassageHit]:
    """The hits in the order of the bundled ranker; as they are where it does not apply."""
    ranker = bundled_ranker()
    return hits if ranker is None or not hits else rank_hits(ranker, hits, context)


def rank_hits(ranker: Ranker, hits: Sequence[PassageHit], context: RankingContext) -> list[PassageHit]:
    """The hits in the order of the ranker, each with the signals that counted most.

    The scores of the fusion go to the new order by place, so that they stay comparable between searches.
    """
    import numpy as np

    added = ranker.contributions(np.array(context.rows(hits), np.float32))
    order = np.lexsort((np.arange(len(hits)), -added.sum(axis=1).round(6)))
    scores = sorted((hit.score for hit in hits), reverse=True)
    return [
        replace(hits[at], score=score, why=replace(hits[at].why, signals=_strongest(added[at])))
        for at, score in zip(order.tolist(), scores, strict=True)
    ]


def _strongest(added: NDArray[np.float32]) -> tuple[str, ...]:
    best = (-abs(added)).argsort(kind="stable")[:EXPLAINED_SIGNALS]
    return tuple(f"{SIGNALS[at]} {added[at]:+.2f}" for at in best.tolist())
