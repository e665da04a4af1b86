"""Train the closure matcher: several plans to choose from, or all folds of one plan and the model to ship.

    PYTHONPATH=src python -m training.closure_sweep --out FOLDER --try "--warm 0" "--warm 2 --layers 3"
    PYTHONPATH=src python -m training.closure_sweep --out FOLDER -- --layers 6 --epochs 6

The first form reads two folds with each plan and prints what it reaches. The second reads every fold by a model that
has not seen it, writes FOLDER/closure-folds.npz for `training.calibrate_closure`, and keeps the layers of a model that
has seen all files.
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


def try_plans(out: Path, plans: list[str]) -> None:
    commands = [
        [*COMMAND, "--out", str(out), "--name", f"plan{number}-{fold}", "--fold", str(fold), *shlex.split(plan)]
        for number, plan in enumerate(plans)
        for fold in TRIED_FOLDS
    ]
    run_all(commands)
    for number, plan in enumerate(plans):
        reports = [json.loads((out / f"plan{number}-{fold}.json").read_text()) for fold in TRIED_FOLDS]
        names = [name for name in reports[0] if name.startswith(("recall", "mean", "accuracy"))]
        means = {name: round(sum(each[name] for each in reports) / len(reports), 3) for name in names}
        print(plan, json.dumps(means))  # noqa: T201


def merge_folds(out: Path, folds: int) -> None:
    """The predictions of all folds in the order of the corpus."""
    parts = [np.load(out / f"fold{at}-read.npz") for at in range(folds)]
    order = np.argsort(np.concatenate([each["places"] for each in parts]))
    np.savez_compressed(out / "closure-folds.npz", logits=np.concatenate([each["logits"] for each in parts])[order])


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the closure matcher with all its folds")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--try", dest="plans", nargs="+", default=[], help="plans to compare, each in quotes")
    parser.add_argument("plan", nargs="*", help="options of training.closure_matcher")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.plans:
        try_plans(asked.out, asked.plans)
        return
    shared = [*COMMAND, "--out", str(asked.out), "--folds", str(asked.folds), *asked.plan]
    folds = [[*shared, "--name", f"fold{at}", "--fold", str(at)] for at in range(asked.folds)]
    run_all([[*shared, "--name", "closure", "--keep"], *folds])
    merge_folds(asked.out, asked.folds)


if __name__ == "__main__":
    main()
