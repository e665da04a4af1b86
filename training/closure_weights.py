"""Learn how likely a sentence tells what became of an item, from what the two have in common.

    PYTHONPATH=src python -m training.closure_weights

Reads the inboxes that the reading model learns from, and writes `reason/closures/closure_weights.json`. Prints, for
inboxes that were left out of the learning in turn, how many of the labelled closings are among the pairs that would be
compared.
"""

import argparse
import json
from collections.abc import Sequence
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.reason.closures.closure_candidates import WEIGHTS, PairSignals
from recollect.reason.closures.closure_terms import WEAK_STEMS, thing_terms
from recollect.text.tokens import bare_terms
from training.inbox_examples import INBOXES
from training.inbox_files import Inbox, load_inboxes
from training.inbox_items import Pairing, said_in_order
from training.inbox_readings import read_inbox

FOLDS = 5
RIDGE = 1.0
STEPS = 30
PAIRS_PER_INBOX = (300, 400, 500, 650, 900)

Matrix = NDArray[np.float64]


class LabelledPairs(NamedTuple):
    """The pairs of an inbox: what is weighed, whether the sentence closes the item, and which item it is."""

    signals: Matrix
    closes: NDArray[np.bool_]
    items: list[str]
    closings: int
    """How many items are closed by a sentence that may be a report."""


def pairs_of(inbox: Inbox) -> LabelledPairs:
    """Every sentence that may be a report beside every open item that it could be compared with."""
    rows: list[tuple[PairSignals, bool, str]] = []
    closed: set[str] = set()
    with read_inbox(inbox) as reading:
        pairing = Pairing.of(inbox, reading)
        for record, texts in said_in_order(inbox, reading):
            for text in texts:
                said, is_report = pairing.said(text)
                if is_report:
                    closed |= {each.fact.id for each in pairing.items.values() if each.is_closed_in(record, said.text)}
                    words, terms = set(bare_terms(said.text)), thing_terms(said.text) - WEAK_STEMS
                    for item, weighed in pairing.candidates.signals(said, words, terms, lambda _: True):
                        rows.append((weighed, pairing.items[item.id].is_closed_in(record, said.text), item.id))
            pairing.drop_closed(record)
    signals = np.array([row[0] for row in rows], np.float64).reshape(len(rows), len(PairSignals._fields))
    return LabelledPairs(signals, np.array([row[1] for row in rows], bool), [row[2] for row in rows], len(closed))


def fit(made: Sequence[LabelledPairs]) -> Matrix:
    """The bias and the weights of a logistic regression, by Newton's method."""
    values = _with_bias(np.concatenate([each.signals for each in made]))
    labels = np.concatenate([each.closes for each in made]).astype(np.float64)
    weights = np.zeros(values.shape[1])
    for _ in range(STEPS):
        shares = 1 / (1 + np.exp(-values @ weights))
        curvature = (values * (shares * (1 - shares))[:, None]).T @ values + RIDGE * np.eye(len(weights))
        step = np.linalg.solve(curvature, values.T @ (labels - shares) - RIDGE * weights)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def _with_bias(values: Matrix) -> Matrix:
    return np.hstack([np.ones((len(values), 1)), values])


def held_out_recall(made: Sequence[LabelledPairs]) -> None:
    """Print the share of closings among the likeliest pairs, and the log-odds from which on these are compared."""
    scores: list[Matrix] = [np.empty(0)] * len(made)
    for fold in range(FOLDS):
        weights = fit([each for at, each in enumerate(made) if at % FOLDS != fold])
        for at in range(fold, len(made), FOLDS):
            scores[at] = _with_bias(made[at].signals) @ weights
    ranked = np.sort(np.concatenate(scores))[::-1]
    for count in PAIRS_PER_INBOX:
        least = ranked[min(len(ranked) - 1, count * len(made))]
        found = sum(_closings_found(each, score >= least) for each, score in zip(made, scores, strict=True))
        wanted = sum(each.closings for each in made)
        print(f"{count} pairs an inbox, log-odds {least:.2f}: {found / wanted:.3f} of {wanted} closings")  # noqa: T201


def _closings_found(pairs: LabelledPairs, compared: NDArray[np.bool_]) -> int:
    return len({pairs.items[at] for at in np.flatnonzero(pairs.closes & compared)})


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn the weights of closure candidates")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    asked = parser.parse_args()
    inboxes = [inbox for path in sorted(INBOXES.glob("*.jsonl")) for inbox in load_inboxes(path)]
    with Pool() as pool:
        made = pool.map(pairs_of, inboxes, chunksize=1)
    held_out_recall(made)
    bias, *weights = (round(float(each), 4) for each in fit(made))
    stored = {"bias": bias, "weights": dict(zip(PairSignals._fields, weights, strict=True))}
    asked.out.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
