"""Calibrate the reading model by what it said of sets that it has not seen.

    PYTHONPATH=src python -m training.calibrate_reading FOLDER/reading-held.npz [--out FOLDER]

Writes `calibration.json`: straight lines from the probability of the likeliest act to the share that was right, and
from the probability that an item is closed to the share of sentences that tell so; and the probability from which on
an act counts as sure and an item as closed. Prints what is reached.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.text_models.closure import OUTCOMES
from recollect.text_models.pair_model import READING
from recollect.text_models.sentence import ACTS
from training.inbox_examples import HELD, ClauseExample, clause_examples, item_examples

POINTS, GROUPS = 16, 10
SURE = {
    "commitment": 0.75, "request": 0.75, "decision": 0.9, "blocker": 0.75, "completion": 0.7, "cancellation": 0.7,
    "concern": 0.9, "goal": 0.5, "preference": 0.5, "attribute": 0.5, "event": 0.5, "relation": 0.5,
}  # fmt: skip
"""The model's own share of an act from which on it is sure, chosen by precision on the sets kept aside."""
CLOSED = {"near": 0.3, "far": 0.7}
"""The share of done and cancelled together from which on an item is closed, by whether both are of one thread."""
Curve = list[tuple[float, float]]
Shares = NDArray[np.float32]
Scores = NDArray[np.floating[Any]]


def softmax(logits: Shares) -> Shares:
    powers: Shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    made: Shares = powers / powers.sum(axis=1, keepdims=True)
    return made


def of_equal_width(score: Scores) -> list[NDArray[np.intp]]:
    """The places of scores that are near one another: for scores that nearly all are small."""
    places = np.minimum((score * POINTS).astype(int), POINTS - 1)
    return [np.flatnonzero(places == at) for at in range(POINTS)]


def of_equal_size(score: Scores) -> list[NDArray[np.intp]]:
    """The places of the smallest scores, of the next ones, and so on."""
    return np.array_split(np.argsort(score), GROUPS)


def rising_curve(score: Scores, is_right: NDArray[np.bool_], parts: Sequence[NDArray[np.intp]]) -> Curve:
    """The share that is right by score, made to rise by joining groups that fall."""
    groups = [(part.size, float(score[part].mean()), float(is_right[part].mean())) for part in parts if part.size]
    joined: list[tuple[float, float, float]] = []
    for group in groups:
        joined.append(group)
        while len(joined) > 1 and joined[-2][2] >= joined[-1][2]:
            (a, x, p), (b, y, q) = joined[-2:]
            joined[-2:] = [(a + b, (a * x + b * y) / (a + b), (a * p + b * q) / (a + b))]
    return [(round(place, 4), round(share, 4)) for _, place, share in joined]


def calibration_error(share: Scores, is_right: NDArray[np.bool_]) -> float:
    """The mean distance between probability and share over ten groups, by size."""
    parts = of_equal_size(share)
    return float(sum(abs(share[part].mean() - is_right[part].mean()) * part.size for part in parts) / share.size)


def at(curve: Curve, score: float) -> float:
    places, shares = zip(*curve, strict=True)
    return round(float(np.interp(score, places, shares)), 4)


def is_accepted(clause: ClauseExample, act: str) -> bool:
    return act in clause.accepted or (act == "none" and not clause.accepted)


def _print_sure(clauses: Sequence[ClauseExample], shares: Shares) -> None:
    for act, least in SURE.items():
        sure = [
            each for each, row in zip(clauses, shares, strict=True) if row.max() >= least and ACTS[row.argmax()] == act
        ]
        right = sum(is_accepted(each, act) for each in sure)
        print(f"{act} from {least}: {right} of {len(sure)} right")  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(description="Calibrate the reading model")
    parser.add_argument("held", type=Path)
    parser.add_argument("--out", type=Path, default=READING.folder)
    asked = parser.parse_args()
    read = np.load(asked.held)
    clauses = [each for each in clause_examples() if each.group in HELD]
    chosen = [at for at, each in enumerate(clauses) if each.is_silent and each.weight]
    shares, silent = softmax(read["act"])[chosen], [clauses[at] for at in chosen]
    right = np.array([is_accepted(each, ACTS[row.argmax()]) for each, row in zip(silent, shares, strict=True)])
    items = [each for each in item_examples() if each.group in HELD]
    outcomes = softmax(read["outcome"])
    closing = outcomes[:, OUTCOMES.index("done")] + outcomes[:, OUTCOMES.index("cancelled")]
    is_closed = np.array([OUTCOMES[each.outcome] in ("done", "cancelled") for each in items])
    best = shares.max(axis=1)
    curves = {
        "act": rising_curve(best, right, of_equal_size(best)),
        "closing": rising_curve(closing, is_closed, of_equal_width(closing)),
    }
    for name, score, truth in (("act", best, right), ("closing", closing, is_closed)):
        told = np.array([at(curves[name], float(each)) for each in score])
        print(f"{name}: {truth.size} cases, calibration error {calibration_error(told, truth):.3f}")  # noqa: T201
    _print_sure(silent, shares)
    thresholds = {act: at(curves["act"], least) for act, least in SURE.items()}
    thresholds |= {name: at(curves["closing"], least) for name, least in CLOSED.items()}
    made = {"temperatures": {"act": 1.0, "outcome": 1.0}, "curves": curves, "thresholds": thresholds}
    (asked.out / "calibration.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
