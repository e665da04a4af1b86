"""What a store of each size needs: `python -m benchmarks.sizing [SIZES] [FOLDER]`, by default 10k,100k,1M.

Each size is measured in a process of its own, so that its memory is its own. Times are processor time; vectors are left
out, since they depend on the model.
"""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.stores import SIZES, build
from benchmarks.timing import p95
from benchmarks.world import PROBES, probe_name
from recollect.settings import Settings
from recollect.surfaces.everyday_memory import open_memory

CALLS = 100
WITHOUT_VECTORS = Settings({"RECOLLECT_EMBEDDING_MODEL": "none"})
HEADINGS = (
    "facts",
    "file, MB",
    "import, s of CPU",
    "memory of the import, MB",
    "recall p95, ms",
    "remember p95, ms",
    "memory of the calling process, MB",
)


def main(sizes: str = "10k,100k,1M", folder: str | None = None) -> None:
    sys.stdout.write(f"| {' | '.join(HEADINGS)} |\n|{' --- |' * len(HEADINGS)}\n")
    with TemporaryDirectory(prefix="recollect-sizing-") as made:
        for size in sizes.split(","):
            if size not in SIZES:
                raise SystemExit(f"{size}: sizes are {', '.join(SIZES)}")
            held = folder or made
            built, used = _measured("build", held, size), _measured("use", held, size)
            row = (
                size,
                built["file"],
                built["seconds"],
                built["memory"],
                used["recall"],
                used["remember"],
                used["memory"],
            )
            sys.stdout.write(f"| {' | '.join(map(str, row))} |\n")
            sys.stdout.flush()


def _measured(part: str, folder: str, size: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.sizing", part, folder, size]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return found


def _build(folder: Path, size: str) -> dict[str, float | None]:
    built = build(folder, size)
    seconds = None if built.seconds is None else round(built.seconds, 1)
    return {"file": round(built.path.stat().st_size / 1e6, 1), "seconds": seconds, "memory": round(built.megabytes)}


def _use(folder: Path, size: str) -> dict[str, float]:
    with open_memory(str(folder / f"world-{size}.db"), settings=WITHOUT_VECTORS) as memory:
        recalled, remembered = [], []
        for number in range(CALLS):
            began = time.process_time()
            memory.recall(f"where does {probe_name(number % PROBES)} work")
            between = time.process_time()
            memory.remember(f"{probe_name(number % PROBES)} likes tea number {number}.")
            recalled.append(between - began)
            remembered.append(time.process_time() - between)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"recall": _millis(recalled), "remember": _millis(remembered), "memory": round(peak)}


def _millis(seconds: list[float]) -> float:
    return round(p95(seconds) * 1000, 1)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["build", folder, size]:
            sys.stdout.write(json.dumps(_build(Path(folder), size)))
        case ["use", folder, size]:
            sys.stdout.write(json.dumps(_use(Path(folder), size)))
        case given:
            main(*given)
