"""Train the encoder with several plans at once and keep the best.

    python -m training.sweep --out FOLDER [--hold-out 6] [--files FILE …] [--keep 2] -- "--rate 5e-5" "--rate 1e-4 …"

Each plan is a string of options for `training.encoder`. The results of all go to `sweep.json`, the layers of the best,
by mean MRR over the held-out worlds and the files, beside it.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

AT_ONCE = 6


def train(name: str, options: list[str], folder: Path) -> dict[str, Any]:
    """One run in a process of its own; a failed one reports the end of its output."""
    command = [sys.executable, "-m", "training.encoder", "--out", str(folder), "--name", name, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    result = folder / f"{name}.json"
    if done.returncode or not result.exists():
        return {"name": name, "failed": (done.stdout + done.stderr)[-3000:]}
    report: dict[str, Any] = json.loads(result.read_text())
    report["options"] = options
    report["log"] = done.stdout.splitlines()[:-1]
    print(summary(report), flush=True)  # noqa: T201
    return report


def summary(report: dict[str, Any]) -> str:
    """A line for each blend that was measured."""
    lines = [f"{report['name']} {shlex.join(report['options'][-12:])} ({report['seconds']} s)"]
    for share, sets in report["measured"].items():
        values = [
            f"{name} {' '.join(f'{100 * each:.1f}' for each in list(at.values())[:4])}" for name, at in sets.items()
        ]
        lines.append(f"  {share}: " + " | ".join(values))
    return "\n".join(lines)


def _percent(found: dict[str, float]) -> str:
    return " ".join(f"{100 * value:.1f}" for name, value in found.items() if name != "n")


def quality(report: dict[str, Any]) -> float:
    """The mean MRR over all that was measured, at the best blend."""
    blends = [[sets["mrr"] for sets in measured.values()] for measured in report.get("measured", {}).values()]
    return max((sum(each) / len(each) for each in blends if each), default=0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the encoder with several plans at once and keep the best")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--hold-out", type=int, default=6)
    parser.add_argument("--files", nargs="*", default=[])
    parser.add_argument("--keep", type=int, default=2)
    parser.add_argument("plans", nargs="+")
    asked = parser.parse_args()
    common = ["--hold-out", str(asked.hold_out), *(["--files", *asked.files] if asked.files else [])]
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = [
            pool.submit(train, f"plan{at}", [*common, *shlex.split(plan)], Path(scratch))
            for at, plan in enumerate(asked.plans)
        ]
        reports = [job.result() for job in jobs]
        for best in sorted(reports, key=quality, reverse=True)[: asked.keep]:
            for part in sorted(Path(scratch).glob(f"{best['name']}-*.npz")):
                (asked.out / part.name).write_bytes(part.read_bytes())
    (asked.out / "sweep.json").write_text(json.dumps(reports, indent=1))
    print("failed:", [each for each in reports if "failed" in each])  # noqa: T201


if __name__ == "__main__":
    main()
