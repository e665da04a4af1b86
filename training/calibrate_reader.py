"""Calibrate the sentence reader on sentences of worlds that were not trained on, and report how well it reads them.

    PYTHONPATH=src python -m training.calibrate_reader FOLDS.npz --out training/models/reader

FOLDS.npz is what `training.reader --keep` wrote. Every figure is cross-validated: half of the worlds fit the
calibration and the thresholds that are measured on the other half, and the other way round. What is written is fitted
to all.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.corpus import load_worlds
from training.labelled_sentences import Example, examples
from training.sentence_reader import ACTS, MODALITIES, OWNERS, POLARITIES

HEADS = {"act": ACTS, "modality": MODALITIES, "polarity": POLARITIES, "owner": OWNERS}
PRECISION = 0.945
"""What a threshold is set for: more than the 0.92 wanted, since it is chosen on what it is fitted to, and since labels
of the worlds that are measured had an indirect part in the soft labels of the bundled model (docs/models.md)."""
JUDGED_RIGHT = {
    "commitment": 0.6, "request": 0.45, "completion": 0.6, "decision": 0.55, "question": 0.6, "attribute": 0.6,
    "event": 0.5, "preference": 0.4, "none": 0.3,
}  # fmt: skip
"""Each sentence was labelled by one writer, and writers differ. Of sure sentences where reader and label differ, 14 of
each act were read by hand; this share of them, rounded down, was read rightly. A threshold counts them in."""
MIN_PREDICTED = 100
"""Acts predicted less often than that keep the probability of the model; their curves would be noise."""
MIN_SURE = 15
KNOTS = 12

Floats = NDArray[np.float64]


def softmax(logits: NDArray[np.float32], temperature: float) -> Floats:
    powers = np.exp((logits - logits.max(axis=1, keepdims=True)) / temperature)
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def best_temperature(logits: NDArray[np.float32], truth: NDArray[np.int64]) -> float:
    """The temperature with the least log loss."""
    tried = np.round(np.arange(0.6, 3.01, 0.05), 2)
    rows = np.arange(len(truth))
    losses = [-np.log(softmax(logits, each)[rows, truth] + 1e-9).mean() for each in tried]
    return float(tried[int(np.argmin(losses))])


def isotonic(values: Floats, right: NDArray[np.bool_]) -> list[tuple[float, float]]:
    """A rising curve from probability to the share that was right, through a few points."""
    order = np.argsort(values)
    bins = np.array_split(order, min(KNOTS, max(2, len(order) // 40)))
    blocks = [[float(values[each].mean()), float(right[each].mean()), len(each)] for each in bins]
    at = 0
    while at < len(blocks) - 1:
        if blocks[at][1] <= blocks[at + 1][1]:
            at += 1
            continue
        one, other = blocks[at], blocks.pop(at + 1)
        total = one[2] + other[2]
        blocks[at] = [(one[part] * one[2] + other[part] * other[2]) / total for part in (0, 1)] + [total]
        at = max(0, at - 1)
    return [(round(place, 4), round(share, 4)) for place, share, _ in blocks]


def fit(
    logits: dict[str, NDArray[np.float32]], truth: dict[str, NDArray[np.int64]], rows: NDArray[np.int64]
) -> dict[str, Any]:
    """Temperatures of all heads, curves of acts, and thresholds at which an act is right often enough."""
    temperatures = {name: best_temperature(logits[name][rows], truth[name][rows]) for name in HEADS}
    acts, raw = _best(softmax(logits["act"][rows], temperatures["act"]))
    right = acts == truth["act"][rows]
    curves = {
        name: isotonic(raw[acts == at], right[acts == at])
        for at, name in enumerate(ACTS)
        if (acts == at).sum() >= MIN_PREDICTED
    }
    made: dict[str, Any] = {"temperatures": temperatures, "curves": curves}
    sure = calibrated(made, logits, rows)[1]
    made["thresholds"] = {
        name: found
        for at, name in enumerate(ACTS)
        if (found := threshold(sure[acts == at], right[acts == at], agreement(name))) is not None
    }
    return made


def _best(shares: Floats) -> tuple[NDArray[np.int64], Floats]:
    return shares.argmax(axis=1), shares.max(axis=1)


def calibrated(
    made: dict[str, Any], logits: dict[str, NDArray[np.float32]], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Floats]:
    """The likeliest act of each sentence and its calibrated probability."""
    acts, raw = _best(softmax(logits["act"][rows], made["temperatures"]["act"]))
    sure = raw.copy()
    for name, points in made["curves"].items():
        chosen = acts == ACTS.index(name)
        places, shares = (np.array(column) for column in zip(*points, strict=True))
        sure[chosen] = np.interp(raw[chosen], places, shares)
    return acts, sure


def agreement(act: str) -> float:
    """How often reader and label must agree for the precision that is wanted."""
    right = JUDGED_RIGHT.get(act, 0.0)
    return (PRECISION - right) / (1 - right)


def threshold(sure: Floats, right: NDArray[np.bool_], wanted: float) -> float | None:
    """The lowest probability from which on enough are right; none if that never holds for a fair number."""
    order = np.argsort(-sure, kind="stable")
    shares = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    # Ties go together: a threshold lets in all sentences of the same probability.
    ends = np.append(np.flatnonzero(np.diff(sure[order])), len(order) - 1) if len(order) else np.array([], int)
    good = [end for end in ends if end + 1 >= MIN_SURE and shares[end] >= wanted]
    return round(float(sure[order][good[-1]]) - 5e-5, 4) if good else None


def calibration_error(sure: Floats, right: NDArray[np.bool_], bins: int = 10) -> float:
    """Expected calibration error: how far probability and share of right ones are apart, over bins of equal size."""
    parts = np.array_split(np.argsort(sure), bins)
    return float(
        sum(len(each) * abs(sure[each].mean() - right[each].mean()) for each in parts if len(each)) / len(sure)
    )


def halves(items: Sequence[Example]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    names = sorted({each.group for each in items})
    first = set(names[::2])
    inside = np.array([each.group in first for each in items])
    return np.flatnonzero(inside), np.flatnonzero(~inside)


def report(
    items: Sequence[Example], logits: dict[str, NDArray[np.float32]], truth: dict[str, NDArray[np.int64]]
) -> dict[str, Any]:
    """Precision, recall and calibration by act, each sentence judged by a calibration that has not seen its world."""
    one, other = halves(items)
    acts = np.zeros(len(items), int)
    sure = np.zeros(len(items))
    is_sure = np.zeros(len(items), bool)
    for fitted, measured in ((one, other), (other, one)):
        made = fit(logits, truth, fitted)
        acts[measured], sure[measured] = calibrated(made, logits, measured)
        limits = np.array([made["thresholds"].get(name, 2.0) for name in ACTS])
        is_sure[measured] = sure[measured] >= limits[acts[measured]]
    right = acts == truth["act"]
    rows: dict[str, Any] = {"ece": round(calibration_error(sure, right), 4), "acts": {}}
    for at, name in enumerate(ACTS):
        mine, gold = acts == at, truth["act"] == at
        agreed = _share(right[mine & is_sure])
        judged = JUDGED_RIGHT.get(name, 0.0)
        rows["acts"][name] = {
            "n": int(gold.sum()),
            "precision": _share(right[mine]),
            "recall": _share(right[gold]),
            "sure_agreement": agreed,
            "sure_precision": None if agreed is None else round(agreed + (1 - agreed) * judged, 3),
            "sure_recall": round(float((mine & is_sure & gold).sum() / max(1, gold.sum())), 3),
            "ece": round(calibration_error(sure[mine], right[mine], 5), 3) if mine.sum() >= 50 else None,
        }
    for head in ("modality", "polarity", "owner"):
        rows[head] = _head_report(HEADS[head], logits[head], truth[head])
    return rows


def _head_report(names: Sequence[str], logits: NDArray[np.float32], truth: NDArray[np.int64]) -> dict[str, Any]:
    best, sure = _best(softmax(logits, best_temperature(logits, truth)))
    return {
        "ece": round(calibration_error(sure, best == truth), 4),
        **{
            name: {
                "n": int((truth == at).sum()),
                "precision": _share(truth[best == at] == at),
                "recall": _share(best[truth == at] == at),
            }
            for at, name in enumerate(names)
        },
    }


def _share(right: NDArray[np.bool_]) -> float | None:
    return round(float(right.mean()), 3) if len(right) else None


def main() -> None:
    parser = argparse.ArgumentParser(description="Calibrate the sentence reader")
    parser.add_argument("folds", type=Path)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    items = examples(load_worlds())
    with np.load(asked.folds) as stored:
        logits = {name: stored[name].astype(np.float32) for name in HEADS}
    truth = {name: np.array([getattr(each, name) for each in items]) for name in HEADS}
    print(json.dumps(report(items, logits, truth), indent=1))  # noqa: T201
    if asked.out:
        made = fit(logits, truth, np.arange(len(items)))
        (asked.out / "calibration.json").write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()
