"""Calibrate the entailment model by what models trained on other writers said of each writer's pairs.

    PYTHONPATH=src python -m training.calibrate_entailment FOLDER/fold0-read.npz … [--out FOLDER]

The files are those that `training.entailment --fold` saves. Writes `calibration.json`: straight lines from the share
that the model gives the likeliest verdict to how often it is right, and the probability from which on it is sure.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from recollect.text_models.entailment import VERDICTS
from recollect.text_models.pair_model import ENTAILMENT
from training.calibrate_reading import at, calibration_error, of_equal_size, rising_curve, softmax

SURE = {"supports": 0.9, "refutes": 0.9}
"""The model's own share of a verdict from which on it is sure."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Calibrate the entailment model")
    parser.add_argument("read", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=ENTAILMENT.folder)
    asked = parser.parse_args()
    read = [np.load(path) for path in asked.read]
    shares = softmax(np.concatenate([each["logits"] for each in read]).astype(np.float32))
    labels = np.concatenate([each["labels"] for each in read])
    best, right = shares.max(axis=1), shares.argmax(axis=1) == labels
    curve = rising_curve(best, right, of_equal_size(best))
    told = np.array([at(curve, float(each)) for each in best])
    print(f"{right.size} pairs, calibration error {calibration_error(told, right):.3f}")  # noqa: T201
    for verdict, least in SURE.items():
        sure = (shares.argmax(axis=1) == VERDICTS.index(verdict)) & (best >= least)
        print(f"{verdict} from {least}: {int(right[sure].sum())} of {int(sure.sum())} right")  # noqa: T201
    thresholds = {verdict: at(curve, least) for verdict, least in SURE.items()}
    made = {"temperatures": {}, "curves": {"verdict": curve}, "thresholds": thresholds}
    (asked.out / "calibration.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
