"""The learned ranker: a weight for each signal of a hit, as plain numbers in a JSON file.

There are two sets of weights: where most hits are turns of conversations, what is said around a turn counts; where they
are documents, it does not.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from recollect.model.signal_weights import SignalWeights
from recollect.search.ranking import PassageHit
from recollect.search.signals import SIGNALS, RankingContext

FILE = Path(__file__).parent / "ranker.json"
RANKED_HITS = 100
EXPLAINED_SIGNALS = 3
SCORE_DECIMALS = 6


@cache
def ranker_weights() -> Mapping[str, SignalWeights]:
    """The weights in the package by kind of text; a kind without weights keeps the fused order."""
    stored = json.loads(FILE.read_text(encoding="utf-8"))["weights"]
    return {kind: SignalWeights.read(SIGNALS, each) for kind, each in stored.items()}


def text_kind(hits: Sequence[PassageHit], context: RankingContext) -> str:
    """Which weights apply: `conversation` if most hits are turns, else `documents`."""
    turns = sum(hit.chunk.number in context.turns for hit in hits)
    return "conversation" if 2 * turns >= len(hits) else "documents"


def order_by_ranker(hits: Sequence[PassageHit], context: RankingContext) -> Sequence[PassageHit]:
    """The hits in the order of the bundled ranker; as they are without vectors, which it was trained with."""
    if not any(hit.why.cosine is not None for hit in hits):
        return hits
    weights = ranker_weights().get(text_kind(hits, context))
    return rank_hits(weights, hits, context) if weights else hits


def rank_hits(weights: SignalWeights, hits: Sequence[PassageHit], context: RankingContext) -> list[PassageHit]:
    """The hits by weighted sum of their signals, each with the signals that set it apart from the others.

    The fused scores go to the new order by place, so that they stay comparable with those of other searches.
    """
    added = [weights.products(row) for row in context.rows(hits)]
    means = [sum(column) / len(hits) for column in zip(*added, strict=True)]
    order = sorted(range(len(hits)), key=lambda at: (-round(sum(added[at]), SCORE_DECIMALS), at))
    scores = sorted((hit.score for hit in hits), reverse=True)
    return [
        hits[at]._replace(score=score, why=hits[at].why._replace(signals=_strongest(added[at], means)))
        for at, score in zip(order, scores, strict=True)
    ]


def _strongest(added: Sequence[float], means: Sequence[float]) -> tuple[str, ...]:
    """The signals that moved a hit most against the mean of all hits."""
    moved = {name: value - mean for name, value, mean in zip(SIGNALS, added, means, strict=True)}
    best = sorted(moved, key=lambda name: -abs(moved[name]))[:EXPLAINED_SIGNALS]
    return tuple(f"{name} {moved[name]:+.2f}" for name in best if moved[name])
