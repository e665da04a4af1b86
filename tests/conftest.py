"""The same tests on every engine: a memory on SQLite and on a real PostgreSQL, with a clock that tests move."""

import gc
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from recollect.change_listeners import standard_listeners
from recollect.memory import Memory, open_memory
from recollect.settings import Settings
from recollect.store import sqlite_file
from recollect.surfaces.declarations import Surface
from recollect.when.clock import clock_from
from recollect.when.instant import Instant, read_instant
from tests.support.databases import Emptied, Worlds, new_sqlite_file, quick_postgres, quickest_folder
from tests.support.embeddings import embedding_once
from tests.support.properties import register_profiles
from tests.support.toy_surface import toy_surface

ABOVE_THE_STORE = {
    Path(__file__).parent / name for name in ("attacks", "ingest", "keep", "reason", "surfaces", "serve")
}
POSTGRES_RUNS_ONE_IN = 6
ENGINES = ("sqlite", "postgres")
START = "2026-05-20T10:00:00Z"
BY_RULES = Settings(
    file={
        "reading.closing_model": "none",
        "reading.sentence_model": "none",
        "reading.entailment_model": "none",
    }
)
"""Items are closed by rules alone; tests of the trained matcher ask for it."""

register_profiles()


def pytest_configure(config: pytest.Config) -> None:
    # Hundreds of tests start a process, and without byte code on disk each would compile everything anew.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    folder = quickest_folder()
    if folder is not None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(folder))  # where `tmp_path` is; workers are told theirs
        tempfile.tempdir = os.environ["TMPDIR"] = str(folder)  # every other temporary folder, also of processes
    config.addinivalue_line("markers", "every_case: both engines run every case of these tests")
    config.addinivalue_line("markers", "dealt: each place gets a share of the values; `make explore` tries all of them")
    config.addinivalue_line("markers", "large: for code without SQL; PostgreSQL runs these with --every-case")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every-case", action="store_true", help="run every case of every test on PostgreSQL as well")


@pytest.hookimpl(trylast=True)  # after -k and -m, so that the first of those asked for runs
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """SQLite runs everything; of the tests of a file above the store PostgreSQL runs one in six, on its first case.

    Of those that are marked as large it runs none. `--every-case` (`make test-postgres`) leaves nothing out. Every
    query is planned on PostgreSQL in any case, and every tool answers its example there.
    """
    if config.getoption("--every-case"):
        return
    begun: dict[Path, list[str]] = {}
    further = {item for item in items if _is_left_to_sqlite(item, begun)}
    config.hook.pytest_deselected(items=list(further))
    items[:] = [item for item in items if item not in further]


def _is_left_to_sqlite(item: pytest.Item, begun: dict[Path, list[str]]) -> bool:
    case: dict[str, Any] = item.callspec.params if hasattr(item, "callspec") else {}
    if case.get("engine_name") != "postgres":
        return False
    if item.get_closest_marker("large"):
        return True
    if not ABOVE_THE_STORE & set(item.path.parents) or item.get_closest_marker("every_case"):
        return False
    tests, test = begun.setdefault(item.path, []), item.nodeid.partition("[")[0]
    is_first_case = test not in tests
    tests.extend([test] if is_first_case else [])
    return not is_first_case or len(tests) % POSTGRES_RUNS_ONE_IN != 1


def pytest_collection_finish() -> None:
    """What was collected stays to the end, so the garbage collector need not look at it again."""
    gc.collect()
    gc.freeze()
    # What the tests themselves load stays as well; with the usual threshold it is looked at every few tests.
    gc.set_threshold(50_000, 20, 100)


@dataclass
class MovingClock:
    """A clock that stands still until a test moves it."""

    instant: Instant

    def now(self) -> Instant:
        return self.instant

    def set(self, text: str) -> None:
        self.instant = read_instant(text, UTC)


@pytest.fixture(scope="session", autouse=True)
def without_waiting_for_the_disk() -> Iterator[None]:
    """Nothing here must outlive the machine: what is killed runs in processes of its own, which do wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite_file, "SYNCHRONOUS", "OFF")
        yield


@pytest.fixture(scope="session", autouse=True)
def embedded_once() -> Iterator[None]:
    with embedding_once():
        yield


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A PostgreSQL of this test run's own; none of the machine's is touched."""
    with quick_postgres() as server:
        yield server


@pytest.fixture(params=ENGINES)
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def emptied(postgres_server: str) -> Iterator[Emptied]:
    stores = Emptied(postgres_server)
    with stores.keeping_connections():
        yield stores
    stores.close()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("template") / "memory.db"


@pytest.fixture
def address(engine_name: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Where an empty store of this engine is."""
    if engine_name == "sqlite":
        yield new_sqlite_file(request.getfixturevalue("sqlite_template"), tmp_path)
        return
    emptied: Emptied = request.getfixturevalue("emptied")
    taken = emptied.take()
    yield taken
    emptied.give_back(taken)


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Worlds:
    return Worlds(tmp_path_factory.mktemp("worlds"), lambda: request.getfixturevalue("emptied"))


@pytest.fixture
def toy() -> Iterator[Surface]:
    """A surface whose tools work on a memory without a store."""
    with toy_surface() as surface:
        yield surface


@pytest.fixture
def clock() -> MovingClock:
    return MovingClock(clock_from(START).now())


@pytest.fixture
def memory(address: str, clock: MovingClock) -> Iterator[Memory]:
    """An empty memory; the clock stands at 2026-05-20T10:00:00Z."""
    with _memory_at(address, clock) as opened:
        yield opened


@contextmanager
def _memory_at(address: str, clock: MovingClock) -> Iterator[Memory]:
    opened = open_memory(address, settings=BY_RULES, clock=clock, followers=standard_listeners())
    yield opened
    opened.close()


Build = Callable[[Memory], object]


@pytest.fixture
def filled(address: str, clock: MovingClock, worlds: Worlds) -> Iterator[Callable[[Build], Memory]]:
    """Opens a memory with what a function wrote, which is called once for all tests; `memory` would be empty."""

    def fill(build: Build) -> Memory:
        def build_there() -> None:
            with _memory_at(address, clock) as empty:
                build(empty)

        worlds.fill(address, build, build_there)
        return stack.enter_context(_memory_at(address, clock))

    with ExitStack() as stack:
        yield fill
