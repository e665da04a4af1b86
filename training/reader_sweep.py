"""Try several plans of the sentence reader on one fold each, then train the best one on all folds and keep it.

PYTHONPATH=src python -m training.reader_sweep --out FOLDER -- "--epochs 3" "--rate 2e-4" …
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

COMMAND = (sys.executable, "-m", "training.reader")


def try_plans(out: Path, plans: list[str]) -> str:
    """The plan with the best acts and modalities among those with all layers trained; the others are for comparison."""
    running = [
        subprocess.Popen([*COMMAND, "--out", str(out), "--name", f"plan{at}", "--run-folds", "1", *plan.split()])
        for at, plan in enumerate(plans)
    ]
    for each in running:
        each.wait()
    scores: dict[str, float] = {}
    for at, plan in enumerate(plans):
        path = out / f"plan{at}.json"
        report = json.loads(path.read_text()) if path.exists() else {}
        if report and not report["plan"]["frozen"] and report["plan"]["layers"] == 6:
            scores[plan] = report["act"] + report["act_macro_f1"] + report["modality"] + report["modality_macro_f1"] / 2
    return max(scores, key=lambda plan: scores[plan])


def main() -> None:
    parser = argparse.ArgumentParser(description="Choose the plan of the sentence reader")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("plans", nargs="+")
    asked = parser.parse_args()
    best = try_plans(asked.out, asked.plans)
    print("best:", best, flush=True)  # noqa: T201
    subprocess.run([*COMMAND, "--out", str(asked.out), "--name", "reader", "--keep", *best.split()], check=True)


if __name__ == "__main__":
    main()
