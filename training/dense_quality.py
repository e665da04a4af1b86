"""How well an encoder finds evidence by cosine alone: over worlds of the corpus and over evaluation files."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray

from training.bert import Encoder, load_encoder
from training.corpus import World
from training.layers import Weights
from training.memories import MemoryBank, bank_pool
from training.pairs import Pool, Query, build_pool, without_names
from training.text_batches import TextBatches

Ranks = list[NDArray[np.int64]]


def measure_worlds(weights: Weights, worlds: Sequence[World], texts: TextBatches) -> dict[str, float]:
    """Every question over the passages of its world."""
    return measure_pools(weights, [build_pool(world, Random(0), vary=False) for world in worlds], texts)


def measure_pools(weights: Weights, pools: Sequence[Pool], texts: TextBatches) -> dict[str, float]:
    encoder = load_encoder(weights).to(texts.device).eval()
    ranks = [each for pool in pools for each in gold_ranks(encoder, pool, texts)]
    return {
        "recall_1": float(np.mean([(each < 1).mean() for each in ranks])),
        "recall_5": float(np.mean([(each < 5).mean() for each in ranks])),
        "recall_10": float(np.mean([(each < 10).mean() for each in ranks])),
        "mrr": float(np.mean([1 / (each[0] + 1) for each in ranks])),
        "n": len(ranks),
    }


def measure_banks(weights: Weights, banks: Sequence[MemoryBank], texts: TextBatches) -> dict[str, float]:
    """Every question over its bank; `separation` is how often an answer is nearer than what is nearest to no answer."""
    encoder = load_encoder(weights).to(texts.device).eval()
    ranks: list[int] = []
    answers: list[float] = []
    nearest: list[float] = []
    for bank in banks:
        pool = bank_pool([bank])
        with torch.no_grad():
            told = texts.vectors(encoder, pool.passages)
            scores = (texts.vectors(encoder, [each.text for each in pool.questions]) @ told.T).cpu().numpy()
        for row, each in zip(scores, pool.questions, strict=True):
            if each.gold is None:
                nearest.append(float(row.max()))
            else:
                ranks.append(int((row > row[each.gold]).sum()))
                answers.append(float(row[each.gold]))
    places = np.array(ranks)
    return {
        "recall_1": float((places < 1).mean()),
        "recall_3": float((places < 3).mean()),
        "separation": float((np.array(answers)[:, None] > np.array(nearest)[None, :]).mean()),
        "mrr": float((1 / (places + 1)).mean()),
        "n": len(ranks),
    }


def gold_ranks(encoder: Encoder, pool: Pool, texts: TextBatches) -> Ranks:
    """For each query the places of its gold passages, the best first."""
    with torch.no_grad():
        passages = texts.vectors(encoder, pool.passages)
        scores = (texts.vectors(encoder, [each.text for each in pool.queries]) @ passages.T).cpu().numpy()
    order = np.argsort(-scores, axis=1, kind="stable").argsort(axis=1)
    return [np.sort(order[row, list(each.gold)]) for row, each in enumerate(pool.queries)]


def read_pools(path: Path) -> list[Pool]:
    """The groups of a file for `recollect eval retrieval`; authors' names are taken out of queries, as search does."""
    docs: dict[str, dict[str, str]] = defaultdict(dict)
    authors: dict[str, set[str]] = defaultdict(set)
    queries: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        held = json.loads(line)
        each = held.get("doc") or held["query"]
        group = each.get("group", "")
        if "doc" in held:
            docs[group][each["id"]] = "\n".join(filter(None, (each.get("title"), each["text"])))
            authors[group] |= {each["author"]} if each.get("author") else set()
        elif each["gold"]:
            queries[group].append((each["text"], each["gold"]))
    return [_pool(docs[group], sorted(authors[group]), asked) for group, asked in queries.items()]


def _pool(docs: dict[str, str], authors: Sequence[str], queries: Sequence[tuple[str, list[str]]]) -> Pool:
    places = {key: at for at, key in enumerate(docs)}
    made = [Query(without_names(text, authors), tuple(places[key] for key in gold), "") for text, gold in queries]
    return Pool(tuple(docs.values()), tuple(made))
