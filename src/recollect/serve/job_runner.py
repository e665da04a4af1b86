"""The background runner: one thread that runs the due jobs of every workspace, a bounded step at a time."""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Self

from recollect.deadline import background_work, yield_to_calls
from recollect.errors import RecollectError
from recollect.serve.background_jobs import BACKGROUND_JOBS, BackgroundJob
from recollect.store.workspaces import list_workspaces
from recollect.when.instant import Instant

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.serve.open_store import OpenStore

log = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 2.0
FIRST_PAUSE_REMOTE_SECONDS = 0.3
"""Before the first step on a database server, which it connects to: if none answers, the log soon says so."""
PAUSE_SECONDS = 5.0
SHUTDOWN_SECONDS = 3.0
MAX_BACKOFF_SECONDS = 600.0

JobKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Backoff:
    """A job that failed is not retried before this time; the wait doubles with each failure."""

    until: float
    seconds: float


class JobRunner:
    """Runs due jobs step by step; a job that fails does not stop the others."""

    def __init__(
        self,
        memories: "Callable[[], Iterable[Memory]]",
        *,
        jobs: tuple[BackgroundJob, ...] = BACKGROUND_JOBS,
        only_as_leader: bool = True,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._memories = memories
        self._jobs = jobs
        self._only_as_leader = only_as_leader
        self._monotonic = monotonic
        self._last: dict[JobKey, Instant] = {}
        self._backoffs: dict[JobKey, Backoff] = {}
        self.stopping = threading.Event()
        self._woken = threading.Event()

    def wake(self) -> None:
        """End the pause between two steps: there is something to do."""
        self._woken.set()

    def stop(self) -> None:
        self.stopping.set()
        self._woken.set()

    def pause(self, seconds: float) -> None:
        self._woken.wait(seconds)
        self._woken.clear()

    def step(self) -> bool:
        """Run each due job once; true if any of them has more to do."""
        has_more = False
        memories = self._open_memories()
        if not memories or (self._only_as_leader and not self._leads(memories[0])):
            return False
        for memory in memories:
            for job in self._jobs:
                if self.stopping.is_set():
                    return False
                yield_to_calls()
                has_more |= self._run_if_due(job, memory)
        return has_more

    def _leads(self, memory: "Memory") -> bool:
        """Whether the jobs of this store are this process's to run; another takes over when it ends."""
        try:
            return memory.engine.leads()
        except RecollectError as problem:
            log.warning("background: %s: %s", problem.code, problem)
            return False

    def _open_memories(self) -> "list[Memory]":
        try:
            return list(self._memories())
        except RecollectError as problem:
            log.warning("background: %s: %s", problem.code, problem)
            return []

    def _run_if_due(self, job: BackgroundJob, memory: "Memory") -> bool:
        key = memory.workspace.name, job.name
        backoff = self._backoffs.get(key)
        if backoff is not None and self._monotonic() < backoff.until:
            return False
        try:
            if not job.due(memory, self._last.get(key)):
                return False
            self._last[key] = memory.clock.now()
            has_more = job.run(memory)
        except Exception as problem:
            self._back_off(key, problem)
            return False
        self._backoffs.pop(key, None)
        return has_more

    def _back_off(self, key: JobKey, problem: Exception) -> None:
        before = self._backoffs.get(key)
        seconds = min(before.seconds * 2, MAX_BACKOFF_SECONDS) if before else PAUSE_SECONDS
        self._backoffs[key] = Backoff(self._monotonic() + seconds, seconds)
        code = problem.code if isinstance(problem, RecollectError) else type(problem).__name__
        log.warning("background job %s failed: %s", key[1], code)


class BackgroundThread:
    """The runner thread of a server: started after it, stopped with it."""

    def __init__(
        self, runner: JobRunner, *, first_pause: float = FIRST_PAUSE_SECONDS, pause: float = PAUSE_SECONDS
    ) -> None:
        self._runner = runner
        self._pauses = first_pause, pause
        self._thread = threading.Thread(target=self._run, name="recollect-background", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for the current job to end, but not for one that waits for a model: it stays in the queue."""
        self._runner.stop()
        self._thread.join(SHUTDOWN_SECONDS)

    def _run(self) -> None:
        first, pause = self._pauses
        self._runner.pause(first)
        with background_work():
            while not self._runner.stopping.is_set():
                if not self._runner.step():
                    self._runner.pause(pause)


def start_background(opened: "OpenStore", *, is_server: bool) -> BackgroundThread:
    """A runner for every workspace (HTTP server), or only for the local one (stdio)."""

    def memories() -> "list[Memory]":
        names = _workspaces(opened) if is_server else [opened.local.workspace]
        return [
            replace(opened.workspace(name), report_progress=partial(opened.listeners.notify, name)) for name in names
        ]

    # Jobs that run at an hour of the day make no sense with a fixed clock.
    has_moving_clock = is_server and opened.settings.now is None
    jobs = tuple(job for job in BACKGROUND_JOBS if has_moving_clock or not job.has_time_of_day)
    is_enabled = opened.settings.flag("serve.background", default=True)
    # A client's own process looks after its workspace alone, so it must not lead in place of a server.
    runner = JobRunner(memories, jobs=jobs if is_enabled else (), only_as_leader=is_server)
    if is_enabled:
        opened.index_in_background(runner.wake)
    is_remote = opened.settings.database_file is None
    return BackgroundThread(runner, first_pause=FIRST_PAUSE_REMOTE_SECONDS if is_remote else FIRST_PAUSE_SECONDS)


def _workspaces(opened: "OpenStore") -> list[str]:
    with opened.engine.reading() as connection:
        return [each.name for each in list_workspaces(connection)]
