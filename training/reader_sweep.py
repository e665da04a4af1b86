"""Train the sentence reader: five folds to calibrate it by, and the model to ship, all at once.

    PYTHONPATH=src python -m training.reader_sweep --out FOLDER -- --epochs 5 --rate 2e-4

Writes FOLDER/reader-folds.npz, what was read in every world by a model that had not seen it, and the layers.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np

COMMAND = (sys.executable, "-m", "training.reader")
HEADS = ("act", "modality", "polarity", "owner")


def run_all(out: Path, folds: int, plan: list[str]) -> None:
    """One process for each fold and one for the model to ship."""
    shared = [*COMMAND, "--out", str(out), "--folds", str(folds), *plan]
    trainings = [[*shared, "--name", f"fold{at}", "--fold", str(at)] for at in range(folds)]
    trainings.append([*shared, "--name", "reader", "--keep"])
    running = [subprocess.Popen(each) for each in trainings]
    codes = [each.wait() for each in running]
    if any(codes):
        raise SystemExit("a training failed")


def merge_folds(out: Path, folds: int) -> None:
    """The predictions of all folds in the order of the corpus."""
    parts = []
    for at in range(folds):
        with np.load(out / f"fold{at}-read.npz") as stored:
            parts.append({name: stored[name] for name in ("places", "tags", *HEADS)})
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
    run_all(asked.out, asked.folds, asked.plan)
    merge_folds(asked.out, asked.folds)


if __name__ == "__main__":
    main()
