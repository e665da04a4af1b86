"""Train the closure matcher: several plans to choose from, or all folds of one plan and the model to ship.

    PYTHONPATH=src python -m training.closure_sweep --out FOLDER --try "--epochs 6" "--epochs 9 --layers 3" [--keep]
    PYTHONPATH=src python -m training.closure_sweep --out FOLDER -- --layers 6 --epochs 6

The first form reads two folds with each plan and prints what it reaches; with `--keep` it also trains each plan on all
files. The second reads every fold by a model that has not seen it. Both write what was read, FOLDER/NAME-folds.npz, for
`training.calibrate_closure`, and the layers FOLDER/NAME-1.npz and -2.npz of models that have seen all files; NAME is
`closure`, or `plan0` for the first plan that is tried.
"""

import argparse
import json
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

COMMAND = (sys.executable, "-m", "training.closure_matcher")
AT_ONCE = 6
TRIED_FOLDS = (0, 1)


def run_all(commands: list[list[str]]) -> None:
    """All trainings, a few at a time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        codes = list(pool.map(lambda each: subprocess.run(each, check=False).returncode, commands))
    if any(codes):
        raise SystemExit("a training failed")


def try_plans(out: Path, plans: list[str], *, keep: bool) -> None:
    commands: list[list[str]] = []
    for number, plan in enumerate(plans):
        shared = [*COMMAND, "--out", str(out), *shlex.split(plan)]
        if keep:
            commands.append([*shared, "--name", f"plan{number}", "--keep"])
        commands += [[*shared, "--name", f"plan{number}-{fold}", "--fold", str(fold)] for fold in TRIED_FOLDS]
    run_all(commands)
    for number, plan in enumerate(plans):
        merge_folds(out, f"plan{number}", [f"plan{number}-{fold}" for fold in TRIED_FOLDS])
        reports = [json.loads((out / f"plan{number}-{fold}.json").read_text()) for fold in TRIED_FOLDS]
        names = [name for name in reports[0] if name.startswith(("recall", "mean", "accuracy"))]
        means = {name: round(sum(each[name] for each in reports) / len(reports), 3) for name in names}
        print(plan, json.dumps(means), flush=True)  # noqa: T201


def merge_folds(out: Path, name: str, folds: list[str]) -> None:
    """The predictions of several folds in the order of the corpus, with their places in it."""
    parts = [np.load(out / f"{fold}-read.npz") for fold in folds]
    places = np.concatenate([each["places"] for each in parts])
    order = np.argsort(places)
    logits = np.concatenate([each["logits"] for each in parts])[order]
    np.savez_compressed(out / f"{name}-folds.npz", places=places[order], logits=logits)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the closure matcher with all its folds")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--try", dest="plans", nargs="+", default=[], help="plans to compare, each in quotes")
    parser.add_argument("--keep", action="store_true", help="also train each plan that is tried on all files")
    parser.add_argument("plan", nargs="*", help="options of training.closure_matcher")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.plans:
        try_plans(asked.out, asked.plans, keep=asked.keep)
        return
    shared = [*COMMAND, "--out", str(asked.out), "--folds", str(asked.folds), *asked.plan]
    folds = [[*shared, "--name", f"fold{at}", "--fold", str(at)] for at in range(asked.folds)]
    run_all([[*shared, "--name", "closure", "--keep"], *folds])
    merge_folds(asked.out, "closure", [f"fold{at}" for at in range(asked.folds)])


if __name__ == "__main__":
    main()
