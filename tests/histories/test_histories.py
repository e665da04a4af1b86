"""Histories with faults on both engines, and the checker itself: it must find what is wrong."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.histories.__main__ import run_histories
from tests.histories.campaign import FAULTS, Campaign, Plan
from tests.histories.history import Kind, Operation, Outcome, StoredOrder, Version, check_history
from tests.histories.servers import Server, running

HISTORIES = 20
OPEN = 9223372036854775807
ORDER = StoredOrder([Version("f1", "Alder", "a", 1, 3), Version("f2", "Alder", "b", 2, OPEN)])


@pytest.fixture
def servers(address: str) -> Iterator[list[Server]]:
    with TemporaryDirectory(prefix="rcl-") as folder, running(Path(folder), address, 2, Random(7)) as started:
        yield started


def test_no_history_with_faults_breaks_a_promise(servers: list[Server], engine_name: str) -> None:
    campaign = Campaign(servers, FAULTS[engine_name], Plan(sessions=3, calls=6, faults=1))
    assert campaign.run(range(HISTORIES)) == []
    assert campaign.counts["write done"] > HISTORIES


def write(value: str, tx: int | None, began: float, ended: float, outcome: Outcome = "done") -> Operation:
    return Operation(1, "write", "Alder", began, ended, outcome, value, tx)


def read(answer: str, began: float, session: int = 1, tx: int | None = None) -> Operation:
    kind: Kind = "read" if tx is None else "read as of"
    return Operation(session, kind, "Alder", began, began + 0.5, "done", tx=tx, answer=frozenset(answer))


WRITES = [write("a", 1, 1, 2), write("b", 2, 3, 4)]
UNDONE = Operation(1, "undo", "Alder", 5, 6, "done", "a", 3)


@pytest.mark.parametrize(
    ("history", "wrong"),
    [
        ([*WRITES, UNDONE, read("", 0), read("a", 2.2), read("ab", 4.2), read("b", 7)], None),
        ([*WRITES, read("a", 7, tx=1), read("ab", 8, tx=2), read("b", 9, tx=3)], None),
        ([write("c", None, 1, 2, outcome="unknown")], None),
        ([write("c", 4, 1, 2)], "lost: c"),
        ([write("a", 1, 1, 2, outcome="refused")], "although refused: a"),
        ([write("a", 2, 1, 2)], "acknowledged as transaction 2"),
        ([write("a", 1, 3, 4), write("b", 2, 1, 2)], "began after 2"),
        ([UNDONE._replace(value="b")], "lost: the undoing of b"),
        ([UNDONE._replace(tx=4)], "undone twice: a"),
        ([*WRITES, read("a", 4.2)], "older than transaction 2"),
        ([*WRITES, read("c", 4.2)], "which it never was"),
        ([read("ab", 4), read("a", 6)], "had seen transaction 2"),
        ([read("a", 6, tx=2)], "as of 2 Alder was read as ['a'], and is ['a', 'b']"),
    ],
)
def test_the_checker_finds_what_no_order_explains(history: list[Operation], wrong: str | None) -> None:
    found = check_history(history, ORDER)
    assert len(found) == (wrong is not None), found
    assert wrong is None or wrong in found[0]


def test_the_checker_finds_a_value_written_twice() -> None:
    twice = StoredOrder([*ORDER.versions, Version("f3", "Alder", "a", 4, OPEN)])
    assert check_history(WRITES, twice) == ["written twice: a"]


def test_a_program_that_is_told_to_end_stops_what_it_has_started() -> None:
    program = (
        "import time; from tests.support.processes import end_on_sigterm\nend_on_sigterm()\n"
        "try:\n print('begun', flush=True); time.sleep(3000)\nfinally:\n print('stopped', flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.terminate()
        assert process.stdout.read() == "stopped\n"
    assert process.returncode == 128 + signal.SIGTERM


def test_a_campaign_without_an_acknowledged_write_has_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.histories.__main__._store", lambda _: nullcontext((Path(), "", ())))
    monkeypatch.setattr("tests.histories.__main__.running", lambda *_: nullcontext([]))
    monkeypatch.setattr(Campaign, "run", lambda *_: [])
    assert run_histories("postgres", 1, 1) == ["postgres: no write was acknowledged, so that nothing was checked"]
    assert "1 violations" in capsys.readouterr().out
