"""Train the encoder with several plans at once and keep the best.

    python -m training.sweep --out FOLDER [--hold-out 6] [--hold-out-banks 12] [--files FILE …]
        [--keep 2 | --soup] -- "--rate 5e-5" …

Each plan is a string of options for `training.encoder`. The results of all go to `sweep.json`, the layers of the best,
by mean MRR over the held-out worlds and the files, beside it. With `--soup` the mean of the weights of all plans is
measured and saved instead: plans that differ in their seed alone are better together than each by itself.
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


def mix(folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """The mean of all plans, measured like each of them, and saved."""
    import torch

    from training.corpus import load_worlds, split_held_out
    from training.encoder import measure
    from training.layers import load_layers, save_layers
    from training.memories import load_banks

    names = sorted({path.stem.rpartition("-")[0] for path in folder.glob("plan*-1.npz")})
    parts = [load_layers([folder / f"{name}-1.npz", folder / f"{name}-2.npz"]) for name in names]
    mean = {key: sum(part[key] for part in parts) / len(parts) for key in parts[0]}
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    _, held = split_held_out(load_worlds(), asked.hold_out)
    _, banks = split_held_out(load_banks(), asked.hold_out_banks)
    measured = {"1.0": measure(mean, (held, banks), [Path(path) for path in asked.files], device)}
    save_layers(mean, [asked.out / "soup-1.npz", asked.out / "soup-2.npz"])
    report: dict[str, Any] = {"name": "soup", "options": names, "seconds": 0, "measured": measured}
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


def quality(report: dict[str, Any]) -> float:
    """The mean MRR over all that was measured, at the best blend."""
    blends = [[sets["mrr"] for sets in measured.values()] for measured in report.get("measured", {}).values()]
    return max((sum(each) / len(each) for each in blends if each), default=0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the encoder with several plans at once and keep the best")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--hold-out", type=int, default=6)
    parser.add_argument("--hold-out-banks", type=int, default=12)
    parser.add_argument("--files", nargs="*", default=[])
    parser.add_argument("--keep", type=int, default=2)
    parser.add_argument("--soup", action="store_true")
    parser.add_argument("plans", nargs="+")
    asked = parser.parse_args()
    held = ["--hold-out", str(asked.hold_out), "--hold-out-banks", str(asked.hold_out_banks)]
    common = [*held, *(["--files", *asked.files] if asked.files else [])]
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = [
            pool.submit(train, f"plan{at}", [*common, *shlex.split(plan)], Path(scratch))
            for at, plan in enumerate(asked.plans)
        ]
        reports = [job.result() for job in jobs]
        if asked.soup:
            reports.append(mix(Path(scratch), asked))
            asked.keep = 0
        for best in sorted(reports, key=quality, reverse=True)[: asked.keep]:
            for part in sorted(Path(scratch).glob(f"{best['name']}-*.npz")):
                (asked.out / part.name).write_bytes(part.read_bytes())
    (asked.out / "sweep.json").write_text(json.dumps(reports, indent=1))
    print("failed:", [each for each in reports if "failed" in each])  # noqa: T201


if __name__ == "__main__":
    main()
