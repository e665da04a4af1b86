"""Train the sentence reader: five folds to calibrate it by, and the model to ship.

    PYTHONPATH=src python -m training.reader_sweep --out FOLDER -- --epochs 4 --rate 2e-4 --batch 128 --soft 0.6

First a model is trained without each pair of folds. What it guesses about one fold is a soft label for training the
model that reads the other, so that no label of a fold has a part, however indirect, in the model that reads it. The
model to ship learns from the mean of all guesses. Writes FOLDER/reader-folds.npz, what was read in every world by a
model that had not seen it, and the layers.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

COMMAND = (sys.executable, "-m", "training.reader")
HEADS = ("act", "modality", "polarity", "owner")

Read = dict[str, NDArray[np.float32]]


def run_all(commands: list[list[str]]) -> None:
    """All trainings at once."""
    running = [subprocess.Popen(each) for each in commands]
    codes = [each.wait() for each in running]
    if any(codes):
        raise SystemExit("a training failed")


def load_read(out: Path, name: str) -> Read:
    with np.load(out / f"{name}-read.npz") as stored:
        return {key: stored[key] for key in ("places", "tags", *HEADS)}


def write_guesses(out: Path, folds: int) -> None:
    """For every fold what models that had not seen it guess about the others; to ship, the mean of all guesses."""
    pairs = {pair: load_read(out, f"pair{pair[0]}{pair[1]}") for pair in combinations(range(folds), 2)}
    size = 1 + max(int(each["places"].max()) for each in pairs.values())
    for fold in (*range(folds), None):
        chosen = [each for pair, each in pairs.items() if fold is None or fold in pair]
        np.savez_compressed(out / f"guesses{'' if fold is None else fold}.npz", **dict(_means(chosen, size)))


def _means(chosen: list[Read], size: int) -> Iterator[tuple[str, NDArray[np.float32]]]:
    for head in HEADS:
        total = np.zeros((size, chosen[0][head].shape[1]), np.float32)
        count = np.zeros((size, 1), np.float32)
        for each in chosen:
            total[each["places"]] += each[head].astype(np.float32)
            count[each["places"]] += 1
        yield head, total / np.maximum(count, 1)


def merge_folds(out: Path, folds: int) -> None:
    """The predictions of all folds in the order of the corpus."""
    parts = [load_read(out, f"fold{at}") for at in range(folds)]
    order = np.argsort(np.concatenate([each["places"] for each in parts]))
    merged = {name: np.concatenate([each[name] for each in parts])[order] for name in ("tags", *HEADS)}
    np.savez_compressed(out / "reader-folds.npz", **merged)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the sentence reader with all its folds")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("plan", nargs="*", help="options of training.reader")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    shared = [*COMMAND, "--out", str(asked.out), "--folds", str(asked.folds), *asked.plan]
    pairs = combinations(range(asked.folds), 2)
    run_all([[*shared, "--name", f"pair{a}{b}", "--fold", str(a), "--also", str(b), "--soft", "0"] for a, b in pairs])
    write_guesses(asked.out, asked.folds)
    folds = [
        [*shared, "--name", f"fold{at}", "--fold", str(at), "--guesses", str(asked.out / f"guesses{at}.npz")]
        for at in range(asked.folds)
    ]
    final = [*shared, "--name", "reader", "--keep", "--guesses", str(asked.out / "guesses.npz")]
    run_all([*folds, final])
    merge_folds(asked.out, asked.folds)


if __name__ == "__main__":
    main()
