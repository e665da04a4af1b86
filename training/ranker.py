"""Train the ranker: a weight for each signal of the search, from questions about the training corpus.

    python -m training.ranker collect FILE.jsonl … --out signals.npz     run the search, keep the signals of its hits
    python -m training.ranker train signals.npz … --kind conversation --out src/recollect/search/ranker.json
    python -m training.ranker measure signals.npz … --kind conversation  quality of the stored order and of the ranker
    python -m training.ranker average one.json other.json --out src/recollect/search/ranker.json   mean of the weights

The files are those of `recollect eval retrieval`; `training.eval_files` writes them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.search.fusion_weights import SignalWeights
from recollect.search.ranker import FILE, SIGNALS

COSINE = SIGNALS.index("cosine")
FIXED = {"title": 0.45, "lead": 1.0}
"""Questions of the corpus name no titles, and nothing leads from one document to another: set by hand, not learned."""


@dataclass(frozen=True, slots=True)
class Table:
    """Signals of the hits of many queries: a row per hit, in the order of the search."""

    rows: NDArray[np.float32]
    is_gold: NDArray[np.bool_]
    hits: NDArray[np.int32]
    gold: NDArray[np.int32]
    category: NDArray[np.str_]
    group: NDArray[np.str_]

    @property
    def starts(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self.hits)])


def collect(path: Path, model: Path | None) -> Table:
    """Search every query of an evaluation file; gold that was not found counts in `gold` alone."""
    from recollect.embed.cached import CachedEmbedder, bundled_embedder
    from recollect.embed.local import LocalEmbedder
    from recollect.search.eval_file import read_eval_file
    from recollect.search.evaluation import group_queries, indexed_group, scratch_engine
    from recollect.search.passage_search import SearchRequest, find_passages

    inner = LocalEmbedder(1, model, model.name) if model else bundled_embedder()
    embedder = CachedEmbedder(inner, Path("~/.cache/recollect-training").expanduser())
    rows: list[tuple[float, ...]] = []
    marks: list[bool] = []
    queries: list[tuple[int, int, str, str]] = []
    with scratch_engine(None) as engine:
        for group in group_queries(read_eval_file(path)):
            with indexed_group(engine, group, embedder) as indexed:
                for query in group.queries:
                    request = SearchRequest(query.text, query.at or indexed.now, limit=20)
                    found = find_passages(indexed.index, request, embedder)
                    rows += found.context.rows(found.hits) if found.hits else []
                    marks += [indexed.ids[hit.document] in query.gold for hit in found.hits]
                    queries.append((len(found.hits), len(query.gold), query.category, group.name))
    hits, gold, category, names = zip(*queries, strict=True)
    return Table(
        np.array(rows, np.float32),
        np.array(marks),
        np.array(hits, np.int32),
        np.array(gold, np.int32),
        np.array(category),
        np.array(names),
    )


def save(table: Table, path: Path) -> None:
    np.savez_compressed(path, signals=np.array(SIGNALS), **{name: getattr(table, name) for name in Table.__slots__})


def load(paths: Sequence[Path]) -> Table:
    """Several tables as one; the group of each query carries the name of its file."""
    tables = []
    for path in paths:
        with np.load(path) as held:
            if tuple(held["signals"]) != SIGNALS:
                raise SystemExit(f"{path} has other signals; collect it again")
            parts = {name: held[name] for name in Table.__slots__}
            parts["group"] = np.char.add(f"{path.stem}:", parts["group"])
            tables.append(parts)
    return Table(**{name: np.concatenate([each[name] for each in tables]) for name in Table.__slots__})


def quality(table: Table, scores: NDArray[np.float32]) -> dict[str, float]:
    """Recall and MRR of an order."""
    found = []
    for start, count, gold in zip(table.starts, table.hits, table.gold, strict=False):
        order = np.argsort(-scores[start : start + count].round(6), kind="stable")
        places = np.flatnonzero(table.is_gold[start : start + count][order])
        recalls = [(places < depth).sum() / gold for depth in (1, 2, 5, 10)]
        found.append(
            (
                *recalls,
                float((places < 5).any()),
                float((places < 5).sum() == gold),
                1 / (places[0] + 1) if len(places) else 0.0,
            )
        )
    names = ("recall_1", "recall_2", "recall_5", "recall_10", "any_5", "all_5", "mrr")
    return {name: round(100 * float(value), 1) for name, value in zip(names, np.mean(found, axis=0), strict=True)}


def fit(table: Table, fixed: Mapping[str, float], steps: int = 400, decay: float = 1e-4) -> NDArray[np.float64]:
    """Weights that make gold likely among the hits of its query: a convex softmax loss, by gradient descent (Adam).

    `fixed` gives the weights of signals that the corpus cannot teach, as multiples of the weight of the cosine.
    """
    starts, hits = table.starts[:-1], table.hits
    owner = np.repeat(np.arange(len(hits)), hits)
    has_gold = np.bincount(owner, table.is_gold, len(hits)) > 0
    target = table.is_gold / np.maximum(np.bincount(owner, table.is_gold, len(hits)), 1)[owner]
    rows = table.rows.astype(np.float64)
    tied = {SIGNALS.index(name): share for name, share in fixed.items()}
    weights, mean, square = np.zeros(len(SIGNALS)), np.zeros(len(SIGNALS)), np.zeros(len(SIGNALS))
    for step in range(1, steps + 1):
        scores = rows @ weights
        scores -= np.maximum.reduceat(scores, starts)[owner]
        likely = np.exp(scores)
        likely /= np.add.reduceat(likely, starts)[owner]
        slope = rows.T @ ((likely - target) * has_gold[owner]) / has_gold.sum() + decay * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights -= 0.05 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        for at, share in tied.items():
            weights[at] = share * weights[COSINE]
    return weights / weights[COSINE]


def save_weights(weights: NDArray[np.float64], path: Path, kind: str, trained_on: Mapping[str, int]) -> None:
    """Put the weights of one kind of text beside those of the other."""
    stored = json.loads(path.read_text()) if path.exists() else {"weights": {}, "trained_on": {}}
    rounded = {name: round(float(value), 4) for name, value in zip(SIGNALS, weights, strict=True) if round(value, 4)}
    stored["weights"][kind], stored["trained_on"][kind] = rounded, trained_on
    path.write_text(json.dumps(stored, indent=1) + "\n")


def average_weights(paths: Sequence[Path], out: Path, kind: str) -> None:
    """The mean of the weights of several rankers, each trained on worlds of its own."""
    stored = [json.loads(path.read_text()) for path in paths]
    table = np.array([SignalWeights.read(SIGNALS, each["weights"][kind]).values for each in stored])
    counts = [each["trained_on"][kind] for each in stored]
    save_weights(table.mean(axis=0), out, kind, {name: count for each in counts for name, count in each.items()})


def folds(table: Table, count: int) -> Iterator[NDArray[np.int64]]:
    """Queries by fold, so that all of one world are in the same."""
    groups = np.unique(table.group)
    for fold in range(count):
        yield np.flatnonzero(np.isin(table.group, groups[fold::count]))


def subset(table: Table, queries: NDArray[np.int64]) -> Table:
    rows = np.concatenate([np.arange(table.starts[at], table.starts[at] + table.hits[at]) for at in queries])
    return Table(
        table.rows[rows],
        table.is_gold[rows],
        table.hits[queries],
        table.gold[queries],
        table.category[queries],
        table.group[queries],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the ranker of the search")
    parser.add_argument("step", choices=("collect", "train", "measure", "average"))
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--ranker", type=Path)
    parser.add_argument("--kind", choices=("conversation", "documents"), default="conversation")
    parser.add_argument("--model", type=Path, help="folder of an encoder that is not bundled yet")
    parser.add_argument("--fixed", default=json.dumps(FIXED), help="weights that are not learned, beside the cosine's")
    asked = parser.parse_args()
    if asked.step == "collect":
        for path in asked.files:
            save(collect(path, asked.model), asked.out / f"{path.stem}.npz")
        return
    if asked.step == "average":
        average_weights(asked.files, asked.out, asked.kind)
        return
    table = load(asked.files)
    if asked.step == "train":
        fixed = dict(json.loads(asked.fixed))
        counts = {path.stem: len(load([path]).hits) for path in asked.files}
        save_weights(fit(table, fixed), asked.out, asked.kind, counts)
        return
    print("fused ", quality(table, -np.concatenate([np.arange(count) for count in table.hits])))  # noqa: T201
    stored = json.loads((asked.ranker or FILE).read_text())["weights"][asked.kind]
    weights = np.array(SignalWeights.read(SIGNALS, stored).values)
    print("ranker", quality(table, table.rows @ weights))  # noqa: T201


if __name__ == "__main__":
    main()
