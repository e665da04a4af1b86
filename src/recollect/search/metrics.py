"""How good a ranking is, against the documents that hold the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

DEPTH = 20


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over queries, each between 0 and 1; `n` is how many queries there were."""

    recall_1: float
    recall_2: float
    recall_5: float
    recall_10: float
    recall_20: float
    hit_5: float
    all_5: float
    mrr: float
    ndcg_10: float
    n: int


MEASURES = tuple(name for name in Quality.__slots__ if name != "n")
Ranking = tuple[Sequence[str], Sequence[str]]


def quality(rankings: Sequence[Ranking]) -> Quality:
    """The means over pairs of a ranking, best first, and the gold it should hold."""
    measured = [_measured(list(dict.fromkeys(ranked)), frozenset(gold)) for ranked, gold in rankings]
    means = [sum(column) / len(measured) for column in zip(*measured, strict=True)] or [0.0] * len(MEASURES)
    return Quality(**dict(zip(MEASURES, means, strict=True)), n=len(measured))


def _measured(ranked: Sequence[str], gold: frozenset[str]) -> tuple[float, ...]:
    recalls = tuple(recall(ranked, gold, depth) for depth in (1, 2, 5, 10, 20))
    hit = float(recall(ranked, gold, 5) > 0)
    complete = float(recall(ranked, gold, 5) == 1)
    return (*recalls, hit, complete, reciprocal_rank(ranked, gold), ndcg(ranked, gold, 10))


@dataclass(frozen=True, slots=True)
class Newest:
    """In how many of so many queries the newest of several gold documents stood above all older ones."""

    share: float
    n: int


Dated = tuple[Sequence[str], Mapping[str, int]]


def newest_above(cases: Sequence[Dated]) -> Newest | None:
    """The share over pairs of a ranking and gold with its times; none unless some gold is of several times."""
    above = [_is_newest_above(ranked, gold) for ranked, gold in cases if len(set(gold.values())) > 1]
    return Newest(sum(above) / len(above), len(above)) if above else None


def _is_newest_above(ranked: Sequence[str], gold: Mapping[str, int]) -> bool:
    latest = max(gold.values())
    places = {each: list(ranked).index(each) if each in ranked else len(ranked) for each in gold}
    newest = min(places[each] for each, at in gold.items() if at == latest)
    return newest < min(places[each] for each, at in gold.items() if at < latest)


def recall(ranked: Sequence[str], gold: frozenset[str], depth: int) -> float:
    """The share of the gold among the first so many."""
    return len(gold.intersection(ranked[:depth])) / len(gold)


def reciprocal_rank(ranked: Sequence[str], gold: frozenset[str]) -> float:
    """One over the place of the first gold document; 0 if there is none."""
    return next((1 / place for place, document in enumerate(ranked, start=1) if document in gold), 0.0)


def ndcg(ranked: Sequence[str], gold: frozenset[str], depth: int) -> float:
    """The discounted gain of the first so many, beside that of the best order there is."""
    gain = sum(1 / log2(place + 1) for place, document in enumerate(ranked[:depth], start=1) if document in gold)
    return gain / sum(1 / log2(place + 1) for place in range(1, min(len(gold), depth) + 1))
