"""Calibrate the closure matcher by what models said of files they had not seen.

    PYTHONPATH=src python -m training.calibrate_closure FOLDER/closure-folds.npz [--out FOLDER]

Writes `calibration.json`: straight lines from the model's probability that an item is closed to the share that was, and
the probability from which on an item counts as closed. Prints what is reached at several precisions.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.text_models.closure_matcher import BUNDLED
from training.closure_cases import load_cases, pair_examples
from training.closure_quality import CLOSING, closing_shares, measures

POINTS = 20
THRESHOLDS = {"done": 0.46, "cancelled": 0.5}
"""Chosen with the reading sets of `evals`, where rules choose the items: `docs/models.md` says what they give."""


def rising_curve(score: NDArray[np.float32], is_closed: NDArray[np.bool_]) -> list[tuple[float, float]]:
    """The share of closed pairs by score, made to rise by joining groups that fall."""
    places = np.minimum((score * POINTS).astype(int), POINTS - 1)
    parts = [np.flatnonzero(places == at) for at in range(POINTS)]
    groups = [(part.size, score[part].mean(), is_closed[part].mean()) for part in parts if part.size]
    joined: list[tuple[float, float, float]] = []
    for size, place, share in groups:
        joined.append((size, place, share))
        while len(joined) > 1 and joined[-2][2] >= joined[-1][2]:
            (a, x, p), (b, y, q) = joined[-2:]
            joined[-2:] = [(a + b, (a * x + b * y) / (a + b), (a * p + b * q) / (a + b))]
    return [(round(float(place), 4), round(float(share), 4)) for _, place, share in joined]


def calibration_error(share: NDArray[np.float64], is_closed: NDArray[np.bool_]) -> float:
    """The mean distance between probability and share over ten groups, by size."""
    parts = np.array_split(np.argsort(share), 10)
    return float(sum(abs(share[part].mean() - is_closed[part].mean()) * part.size for part in parts) / share.size)


def main() -> None:
    parser = argparse.ArgumentParser(description="Calibrate the closure matcher")
    parser.add_argument("folds", type=Path)
    parser.add_argument("--out", type=Path, default=BUNDLED)
    asked = parser.parse_args()
    every_pair = pair_examples(load_cases())
    read = np.load(asked.folds)
    pairs, logits = [every_pair[at] for at in read["places"]], read["logits"]
    truth = np.array([each.outcome for each in pairs])
    score, is_closed = closing_shares(logits), np.isin(truth, CLOSING)
    half = np.array([hash_half(each.group) for each in pairs])
    curve = rising_curve(score[half], is_closed[half])
    probability = np.interp(score[~half], *zip(*curve, strict=True))
    print(json.dumps(measures(logits, truth)))  # noqa: T201
    print(f"calibration error on the other half {calibration_error(probability, is_closed[~half]):.4f}")  # noqa: T201
    curves = {"closing": rising_curve(score, is_closed)}
    every = np.interp(score, *zip(*curves["closing"], strict=True))
    for name, threshold in THRESHOLDS.items():
        sure = every >= threshold
        found = is_closed[sure].sum() / is_closed.sum()
        print(f"{name} {threshold}: {sure.sum()} pairs, right {is_closed[sure].mean():.3f}, found {found:.3f}")  # noqa: T201
    made = {"temperatures": {"outcome": 1.0}, "curves": curves, "thresholds": THRESHOLDS}
    (asked.out / "calibration.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def hash_half(group: str) -> bool:
    """Whether a file belongs to the half that the printed calibration error is not measured on."""
    return sum(group.encode()) % 2 == 0


if __name__ == "__main__":
    main()
