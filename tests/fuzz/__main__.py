"""`make fuzz CALLS=… DOOR=… ENGINE=…`: a long campaign against every surface, with a line of figures for each."""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from recollect.serve.docs.examples import open_example
from recollect.surfaces.registry import find_surface, package_names
from tests.fuzz.campaign import Door, InProcess, run_campaign
from tests.fuzz.processes import http_door, stdio_door
from tests.support.databases import own_postgres
from tests.support.processes import end_on_sigterm

LONGEST_WAIT = 120.0
DOORS = ("process", "stdio", "http")


def main() -> None:
    given = _options().parse_args()
    end_on_sigterm()
    broken = 0
    for surface in given.surface or package_names():
        for door in DOORS if given.door == "all" else (given.door,):
            with tempfile.TemporaryDirectory() as folder, _store(Path(folder), given.engine) as address:
                broken += _run(surface, door, Path(folder), address, given.calls, given.seed)
    sys.exit(1 if broken else 0)


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--calls", type=int, default=2_000, help="calls for each surface and door")
    options.add_argument("--door", choices=(*DOORS, "all"), default="all")
    options.add_argument("--engine", choices=("sqlite", "postgres"), default="sqlite")
    options.add_argument("--seed", type=int, default=1843)
    options.add_argument("--surface", action="append", choices=package_names())
    return options


def _run(surface: str, door: str, folder: Path, address: str, calls: int, seed: int) -> int:
    example = open_example(address)
    with ExitStack() as stack:
        opened: Door
        match door:
            case "process":
                stack.callback(example.close)
                opened = InProcess(
                    lambda tool: example.of(tool.surface.name).as_actor(tool.surface.name, tool.name), LONGEST_WAIT
                )
            case "stdio":
                example.close()
                opened = stack.enter_context(stdio_door(folder, surface, "--db", address))
            case _:
                example.close()
                opened = stack.enter_context(http_door(folder, surface, "--db", address))
        # In process the processor's time is known, which other work on the machine does not lengthen.
        clock = time.process_time if door == "process" else time.monotonic
        findings = run_campaign(find_surface(surface), opened, calls, seed, clock)
        memory = getattr(opened, "memory_bytes", lambda: 0)() / 1e6
    lines = [
        f"{surface:16} {door:8} {findings.summary()}; {memory:.0f} MB",
        *(f"    {each}" for each in findings.broken),
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    return len(findings.broken)


@contextmanager
def _store(folder: Path, engine: str) -> Iterator[str]:
    """The address of an empty store; a PostgreSQL of its own for that engine."""
    if engine == "sqlite":
        yield str(folder / "memory.db")
        return
    with own_postgres(folder / "postgres") as server:
        yield server.address


if __name__ == "__main__":
    main()
