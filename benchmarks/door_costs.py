"""Processor time of cheap calls over HTTP and over stdio, measured in turn: `python -m benchmarks.door_costs`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.peers import ours
from benchmarks.serving import processor_seconds
from benchmarks.speaking import running
from benchmarks.speaking_http import serving

CALLS = 2_000
TURNS = 4
WARM = 200
ENTITIES = [{"name": f"Ada {number}", "entityType": "person", "observations": ["likes tea"]} for number in range(20)]
Ask = Callable[..., object]


def main() -> None:
    with TemporaryDirectory() as made:
        own = ours(Path(made) / "memory.db")
        # Embedding in the background would count as processor time of the calls.
        environment = {**own.environment, "RECOLLECT_SERVE_BACKGROUND": "false"}
        with (
            running((*own.command, "--surface", "memory"), environment) as pipe,
            serving(environment, "memory") as http,
        ):
            doors: dict[str, tuple[Any, int]] = {"HTTP": (http, http.pid), "stdio": (pipe, pipe.process.pid)}
            for client, _ in doors.values():
                client.greet()
            pipe.call("create_entities", entities=ENTITIES)
            spent = _measure({name: (partial(_search, client), pid) for name, (client, pid) in doors.items()})
    for name, seconds in spent.items():
        print(f"{name}: {seconds / CALLS * 1_000:.2f} ms of processor time per search_nodes")  # noqa: T201
    print(f"ratio {spent['HTTP'] / spent['stdio']:.2f} (asked: at most 2)")  # noqa: T201


def _search(client: Any) -> None:
    client.call("search_nodes", query="Ada 7")


def _measure(doors: dict[str, tuple[Ask, int]]) -> dict[str, float]:
    """The server's processor time of all calls through each door."""
    spent = dict.fromkeys(doors, 0.0)
    for ask, _ in doors.values():
        for _ in range(WARM):
            ask()
    for _ in range(TURNS):
        for name, (ask, pid) in doors.items():
            began = processor_seconds(pid)
            for _ in range(CALLS // TURNS):
                ask()
            spent[name] += processor_seconds(pid) - began
    return spent


if __name__ == "__main__":
    main()
