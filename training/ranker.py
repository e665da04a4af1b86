"""Train the ranker: small trees over the signals of the search, on questions about the training corpus.

    python -m training.ranker collect FILE.jsonl … --out signals.npz     run the search, keep the signals of its hits
    python -m training.ranker train signals.npz … --out src/recollect/search/ranker.json
    python -m training.ranker measure signals.npz … --ranker FILE        quality of the stored order and of the ranker

The files are those of `recollect eval retrieval`; `training.eval_files` writes them. Needs `lightgbm` for training.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.search.signals import SIGNALS


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
    from recollect.embed.cached import CachedEmbedder
    from recollect.embed.factory import bundled_embedder
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
            with indexed_group(engine, group, embedder) as (index, ids, now):
                for query in group.queries:
                    found = find_passages(index, SearchRequest(query.text, query.at or now, limit=20), embedder)
                    rows += found.context.rows(found.hits) if found.hits else []
                    marks += [ids[hit.document] in query.gold for hit in found.hits]
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


def fit(table: Table, leaves: int, trees: int, rate: float, seed: int) -> Any:
    """LambdaMART over queries that have some gold among their hits."""
    import lightgbm

    used = [at for at, start in enumerate(table.starts[:-1]) if table.is_gold[start : start + table.hits[at]].any()]
    rows = np.concatenate([np.arange(table.starts[at], table.starts[at] + table.hits[at]) for at in used])
    settings = {
        "objective": "lambdarank",
        "lambdarank_truncation_level": 15,
        "num_leaves": leaves,
        "learning_rate": rate,
        "min_data_in_leaf": 60,
        "lambda_l2": 5.0,
        "feature_fraction": 0.6,
        "bagging_fraction": 0.7,
        "bagging_freq": 1,
        "deterministic": True,
        "num_threads": 1,
        "seed": seed,
        "verbosity": -1,
    }
    data = lightgbm.Dataset(
        table.rows[rows], table.is_gold[rows].astype(int), group=table.hits[used], feature_name=list(SIGNALS)
    )
    return lightgbm.train(settings, data, num_boost_round=trees)


def export(model: Any) -> dict[str, Any]:
    """The trees as flat lists; every node has a value."""
    lists: dict[str, list[Any]] = {name: [] for name in ("feature", "threshold", "left", "right", "value")}
    roots, depths = [], []
    for tree in model.dump_model()["tree_info"]:
        root, depth = _add_node(tree["tree_structure"], lists)
        roots.append(root)
        depths.append(depth)
    return {"signals": list(SIGNALS), "depth": max(depths), **lists, "roots": roots}


def _add_node(node: dict[str, Any], lists: dict[str, list[Any]]) -> tuple[int, int]:
    at = len(lists["feature"])
    is_leaf = "leaf_value" in node
    for name, value in {
        "feature": -1 if is_leaf else node["split_feature"],
        "threshold": 0.0 if is_leaf else _rounded(node["threshold"]),
        "left": at,
        "right": at,
        "value": _rounded(node["leaf_value"] if is_leaf else node["internal_value"]),
    }.items():
        lists[name].append(value)
    if is_leaf:
        return at, 0
    lists["left"][at], left = _add_node(node["left_child"], lists)
    lists["right"][at], right = _add_node(node["right_child"], lists)
    return at, 1 + max(left, right)


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")


def scores_of(stored: dict[str, Any], rows: NDArray[np.float32]) -> NDArray[np.float32]:
    from recollect.search.ranker import read_ranker

    ranker = read_ranker(stored)
    assert ranker is not None
    parts = [ranker.contributions(rows[start : start + 2000]).sum(axis=1) for start in range(0, len(rows), 2000)]
    return np.concatenate(parts)


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
    parser.add_argument("step", choices=("collect", "train", "measure"))
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--ranker", type=Path)
    parser.add_argument("--model", type=Path, help="folder of an encoder that is not bundled yet")
    parser.add_argument("--leaves", type=int, default=12)
    parser.add_argument("--trees", type=int, default=200)
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.step == "collect":
        for path in asked.files:
            save(collect(path, asked.model), asked.out / f"{path.stem}.npz")
        return
    table = load(asked.files)
    if asked.step == "train":
        asked.out.write_text(json.dumps(export(fit(table, asked.leaves, asked.trees, asked.rate, asked.seed))))
        return
    print("fused ", quality(table, table.rows[:, 0]))  # noqa: T201
    if asked.ranker:
        print("ranker", quality(table, scores_of(json.loads(asked.ranker.read_text()), table.rows)))  # noqa: T201


if __name__ == "__main__":
    main()
