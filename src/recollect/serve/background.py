"""What goes on while nobody asks: one thread that does the chores of every workspace, a bounded piece at a time."""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Self

from recollect.errors import RecollectError
from recollect.serve.background_jobs import BACKGROUND_JOBS, BackgroundJob
from recollect.store.history_queries import list_workspaces
from recollect.when.instant import Instant

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.serve.open_store import OpenStore

log = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 2.0
PAUSE_SECONDS = 5.0
SHUTDOWN_SECONDS = 3.0
MAX_BACKOFF_SECONDS = 600.0

JobKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Backoff:
    """A chore that failed is left alone for a while, each time for longer."""

    until: float
    seconds: float


class JobRunner:
    """Does whatever is due, step by step; a chore that fails hinders no other."""

    def __init__(
        self,
        memories: "Callable[[], Iterable[Memory]]",
        *,
        chores: tuple[BackgroundJob, ...] = BACKGROUND_JOBS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._memories = memories
        self._chores = chores
        self._monotonic = monotonic
        self._last: dict[JobKey, Instant] = {}
        self._resting: dict[JobKey, Backoff] = {}
        self.stopping = threading.Event()

    def step(self) -> bool:
        """Do each chore once that is due; whether any of them has more to do."""
        has_more = False
        for memory in self._reachable():
            for chore in self._chores:
                if self.stopping.is_set():
                    return False
                has_more |= self._done(chore, memory)
        return has_more

    def _reachable(self) -> "list[Memory]":
        try:
            return list(self._memories())
        except RecollectError as problem:
            log.warning("background: %s", problem.code)
            return []

    def _done(self, chore: BackgroundJob, memory: "Memory") -> bool:
        place = memory.workspace.name, chore.name
        rest = self._resting.get(place)
        if rest is not None and self._monotonic() < rest.until:
            return False
        try:
            if not chore.due(memory, self._last.get(place)):
                return False
            self._last[place] = memory.clock.now()
            has_more = chore.run(memory)
        except Exception as problem:
            self._note_failure(place, problem)
            return False
        self._resting.pop(place, None)
        return has_more

    def _note_failure(self, place: JobKey, problem: Exception) -> None:
        before = self._resting.get(place)
        seconds = min(before.seconds * 2, MAX_BACKOFF_SECONDS) if before else PAUSE_SECONDS
        self._resting[place] = Backoff(self._monotonic() + seconds, seconds)
        code = problem.code if isinstance(problem, RecollectError) else type(problem).__name__
        log.warning("background chore %s failed: %s", place[1], code)


class BackgroundThread:
    """The thread behind a server: begun after it has started, ended with it."""

    def __init__(
        self, worker: JobRunner, *, first_pause: float = FIRST_PAUSE_SECONDS, pause: float = PAUSE_SECONDS
    ) -> None:
        self._worker = worker
        self._pauses = first_pause, pause
        self._thread = threading.Thread(target=self._run, name="recollect-background", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Let the chore at hand end; one that waits for a model is left, its job stays in the queue."""
        self._worker.stopping.set()
        self._thread.join(SHUTDOWN_SECONDS)

    def _run(self) -> None:
        first, pause = self._pauses
        wait = first
        while not self._worker.stopping.wait(wait):
            wait = 0 if self._worker.step() else pause


def start_background(opened: "OpenStore", *, is_server: bool) -> BackgroundThread:
    """The chores of every workspace for a server, of its own for a process that serves one client."""

    def memories() -> "list[Memory]":
        names = _workspaces(opened) if is_server else [opened.local.workspace]
        return [
            replace(opened.workspace(name), report_progress=partial(opened.listeners.notify, name)) for name in names
        ]

    # What runs by the hour of the day makes no sense where the clock stands still.
    keeps_hours = is_server and opened.settings.now is None
    chores = tuple(chore for chore in BACKGROUND_JOBS if keeps_hours or not chore.by_the_clock)
    is_wanted = opened.settings.flag("serve.background", default=True)
    return BackgroundThread(JobRunner(memories, chores=chores if is_wanted else ()))


def _workspaces(opened: "OpenStore") -> list[str]:
    with opened.engine.reading() as connection:
        return [each.name for each in list_workspaces(connection)]
