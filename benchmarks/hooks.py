"""Hooks of coding agents at 100,000 facts, with and without a running server: `python -m benchmarks.hooks [CALLS]`.

Wall-clock time counts for a person who waits; CPU time is printed beside it, since it does not depend on what else a
machine is doing. `python -m benchmarks.hooks CALLS SRC` calls the hooks of another source tree in turn with these,
without a server, and prints the ratios of the medians.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import psutil

from benchmarks.stores import build
from benchmarks.timing import p95
from benchmarks.world import PROBES, probe_name

SIZE = "100k"
CALLS = 200
BUDGETS = {"session-start": 0.4, "user-prompt": 0.25, "session-end": 0.1}
TURNS = 50


class Taken(NamedTuple):
    """How long one event took, in seconds, and how long its text was at most."""

    wall: list[float]
    cpu: list[float]
    longest: int


def main(calls: int = CALLS, other: str | None = None) -> None:
    kept = Path(".benchmarks")
    kept.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rcl") as name:
        folder = Path(name)
        shutil.copy(build(kept, SIZE).path, folder / "memory.db")
        (folder / "acme").mkdir()
        (folder / "acme/.recollect.toml").write_text('workspace = "default"\n', "utf-8")
        transcript = _transcript(folder)
        if other is not None:
            _compare(folder, transcript, calls, other)
            return
        _show("without a server", folder, transcript, calls)
        with _server(folder):
            _show("with a server", folder, transcript, calls)


def _show(title: str, folder: Path, transcript: Path, calls: int) -> None:
    for event, budget in BUDGETS.items():
        taken = _measure(folder, event, transcript, calls)
        _wait_for_captures(folder)
        words = (
            f"{event:<14} {title:<17} p95 {p95(taken.wall) * 1000:6.0f} ms wall, {p95(taken.cpu) * 1000:4.0f} ms CPU"
            f" (budget {budget * 1000:.0f}), longest text {taken.longest} characters"
        )
        sys.stdout.write(words + "\n")


def _compare(folder: Path, transcript: Path, calls: int, other: str) -> None:
    """Both trees in turn, so that what else the machine is doing slows both."""
    for event in BUDGETS:
        ours, theirs = Taken([], [], 0), Taken([], [], 0)
        for _ in range(calls):
            for side, path in ((ours, ""), (theirs, other)):
                once = _measure(folder, event, transcript, 1, path)
                side.wall.extend(once.wall)
                side.cpu.extend(once.cpu)
        _wait_for_captures(folder)
        cpu, before = median(ours.cpu), median(theirs.cpu)
        words = f"{event:<14} CPU {cpu * 1000:4.0f} ms, of the other tree {before * 1000:4.0f} ms: {cpu / before:.2f}"
        sys.stdout.write(f"{words}; wall {median(ours.wall) / median(theirs.wall):.2f}\n")


def _measure(folder: Path, event: str, transcript: Path, calls: int, source: str = "") -> Taken:
    taken = Taken([], [], 0)
    longest = 0
    for number in range(calls):
        asked = {
            "session_id": f"{time.time_ns()}",
            "cwd": str(folder / "acme"),
            "prompt": f"what did {probe_name(number % PROBES)} promise about the note?",
            "transcript_path": str(transcript),
        }
        if event == "session-end":
            # Each call has something to take in, while what the one before left to the background still runs.
            _add_turn(folder, transcript, time.time_ns())
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        ended = subprocess.run(
            [sys.executable, "-m", "recollect", "hook", event],
            input=json.dumps(asked).encode(),
            env=_environment(folder) | ({"PYTHONPATH": source} if source else {}),
            capture_output=True,
            check=True,
        )
        taken.wall.append(time.perf_counter() - began)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        longest = max(longest, len(ended.stdout))
    return taken._replace(longest=longest)


def _wait_for_captures(folder: Path) -> None:
    """Wait for what hooks left to the background, which would compete with what is measured next."""
    while any(_is_capture(each, folder) for each in psutil.process_iter()):
        time.sleep(0.2)


def _is_capture(process: psutil.Process, folder: Path) -> bool:
    try:
        return "hook" in process.cmdline() and process.environ().get("RECOLLECT_DB") == str(folder / "memory.db")
    except psutil.Error:
        return False


def _environment(folder: Path) -> dict[str, str]:
    ours = {"RECOLLECT_DB": str(folder / "memory.db"), "RECOLLECT_HOOK_DIR": str(folder / "h"), "HOME": str(folder)}
    # An installed package has its bytecode; without it every call would compile what it imports.
    given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**given, **ours, "RECOLLECT_SERVE_BACKGROUND": "false"}


def _transcript(folder: Path) -> Path:
    path = folder / "session.jsonl"
    for number in range(TURNS):
        _add_turn(folder, path, number)
    return path


def _add_turn(folder: Path, path: Path, number: int) -> None:
    turn = {
        "type": "user",
        "uuid": f"u{number}",
        "sessionId": "s",
        "cwd": str(folder / "acme"),
        "timestamp": "2026-11-16T09:00:00Z",
        "message": {"role": "user", "content": f"We decided to use library {number} for the login sessions."},
    }
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(turn) + "\n")


@contextmanager
def _server(folder: Path) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "recollect", "serve", "--port", "0"],
        stderr=subprocess.PIPE,
        env=_environment(folder),
    )
    try:
        assert process.stderr is not None
        process.stderr.readline()
        _measure(folder, "user-prompt", folder / "session.jsonl", 1)
        # The first prompt has the server load its model.
        time.sleep(20)
        yield
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:3])
