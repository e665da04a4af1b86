"""Imports of uploaded files as jobs of a server process: check, import, stop, resume."""

import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import IO, Literal, NamedTuple

from recollect.errors import Conflict, NotKnown, RecollectError, Refused
from recollect.importers.import_plan import (
    COUNTED,
    ImportOutcome,
    ImportPlan,
    ImportStopped,
    plan_import,
    run_import,
    try_import,
)
from recollect.importers.upload_folder import UploadFolder
from recollect.indexing import index_all
from recollect.memory import Memory
from recollect.reason.activity import count_rows
from recollect.store.view import Counts

log = logging.getLogger("recollect.import")
MOST_OPEN = 8
MOST_KEPT = 20
MOST_MARKS = 6
LEAST_MARKS = 3
LONGEST_ESTIMATE = 24 * 3600
JobState = Literal["checking", "ready", "importing", "stopped", "done", "failed", "discarded"]
ACTIVE: tuple[JobState, ...] = ("checking", "importing")


class ProgressMark(NamedTuple):
    at: float
    done: int


def estimate_seconds(marks: Sequence[ProgressMark], now: float, size: int) -> int | None:
    """How long the rest takes at the speed of the last marks; none before that can be told."""
    if len(marks) < LEAST_MARKS or marks[-1].done <= marks[0].done:
        return None
    seconds, moved = now - marks[0].at, marks[-1].done - marks[0].done
    left = round(seconds * (size - marks[-1].done) / moved)
    return left if left <= LONGEST_ESTIMATE else None


@dataclass
class ImportJob:
    """One upload on its way into the memory. Resuming is importing again: what is known changes nothing."""

    id: str
    folder: UploadFolder
    uploads: tuple[Path, ...]
    state: JobState = "checking"
    plan: ImportPlan | None = None
    trial: ImportOutcome | None = None
    outcome: ImportOutcome | None = None
    problem: str = ""
    bytes_done: int = 0
    marks: deque[ProgressMark] = field(default_factory=lambda: deque(maxlen=MOST_MARKS))
    """How far the present run was, and when, lately."""
    read_before: int = 0
    """How far the run before this one was when it ended."""
    rows_before: Counts | None = None
    """How many rows there were when the present run began; none outside of a run."""
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    @property
    def names(self) -> list[str]:
        return [path.name for path in self.uploads]

    @property
    def is_active(self) -> bool:
        return self.state in ACTIVE

    @property
    def percent(self) -> int:
        size = self.plan.size if self.plan is not None else 0
        return min(100, 100 * self.bytes_done // size) if size else 0

    @property
    def seconds_left(self) -> int | None:
        """An estimate from the speed lately: what was read before a stop is passed over at once."""
        if self.plan is None or not self.is_active:
            return None
        return estimate_seconds(tuple(self.marks), monotonic(), self.plan.size)

    def check(self, memory: Memory) -> None:
        self._begin("checking", memory, self._check)

    def start(self, memory: Memory) -> None:
        """Import, or resume an import that was stopped or failed."""
        if self.state not in ("ready", "stopped", "failed") or self.plan is None or not self.plan.files:
            raise Conflict(f"this import is {self.state}; upload the files again")
        self._begin("importing", memory, self._import)

    def outcome_so_far(self, memory: Memory) -> ImportOutcome | None:
        """What the import did, all its runs together; while it runs, up to its last commit."""
        before, earlier = self.rows_before, self.outcome or ImportOutcome({}, (), ())
        if before is None or not self.is_active:
            return self.outcome
        with memory.read() as view:
            rows = count_rows(memory, view)
        new = {name: getattr(rows, name) - getattr(before, name) + earlier.new.get(name, 0) for name in COUNTED}
        return replace(earlier, new=new, is_partial=True)

    def stop(self) -> None:
        """End after the commit in progress."""
        self._stop.set()

    def discard(self) -> None:
        """Forget the files; what was imported stays."""
        if self.is_active:
            raise Conflict(f"this import is {self.state}; stop it first")
        self.folder.remove()
        self.state = "discarded"

    def wait(self, seconds: float) -> None:
        if self._thread is not None:
            self._thread.join(seconds)

    def _begin(self, state: JobState, memory: Memory, work: Callable[[Memory], JobState]) -> None:
        self._stop.clear()
        self.rows_before = None
        self.read_before = self.bytes_done if self.state in ("stopped", "failed") else 0
        self.state, self.problem, self.bytes_done = state, "", 0
        self.marks.clear()
        self.marks.append(ProgressMark(monotonic(), 0))
        self._thread = threading.Thread(target=self._run, args=(memory, work), name=f"import-{self.id}", daemon=True)
        self._thread.start()

    def _run(self, memory: Memory, work: Callable[[Memory], JobState]) -> None:
        try:
            self.state = work(memory)
        except RecollectError as problem:
            self.problem, self.state = str(problem), "failed"
        except Exception as crash:
            # The text of the exception may quote what is in the files.
            log.error("import %s failed: %s", self.id, type(crash).__name__)
            self.problem, self.state = f"{type(crash).__name__}; please report it, or try a smaller file", "failed"

    def _check(self, memory: Memory) -> JobState:
        self.plan = plan_import(memory, self.folder, self.uploads)
        if self.plan.files:
            self.trial = try_import(memory, self.plan, self._hear)
        return "ready"

    def _import(self, memory: Memory) -> JobState:
        assert self.plan is not None
        with memory.read() as view:
            self.rows_before = count_rows(memory, view)
        latest = run_import(memory, self.plan, self._hear)
        self.rows_before = None
        self.outcome = latest if self.outcome is None else latest.following(self.outcome)
        index_all(memory, vectors=False)
        if self.outcome.is_partial:
            return "stopped"
        self.folder.remove()
        return "done"

    def _hear(self, done: int) -> None:
        self.bytes_done = done
        if done <= self.read_before:
            self.marks.clear()
        self.marks.append(ProgressMark(monotonic(), done))
        if self._stop.is_set():
            raise ImportStopped


class ImportJobs:
    """The imports of one workspace in this process, newest first."""

    def __init__(self) -> None:
        self._jobs: dict[str, ImportJob] = {}
        self._lock = threading.Lock()

    def all(self) -> list[ImportJob]:
        return [job for job in reversed(self._jobs.values()) if job.state != "discarded"]

    def find(self, ident: str) -> ImportJob:
        job = self._jobs.get(ident)
        if job is None or job.state == "discarded":
            raise NotKnown("There is no such import; the server may have been restarted. Upload it again.")
        return job

    def add(self, memory: Memory, files: Sequence[tuple[str, IO[bytes]]]) -> ImportJob:
        """Store uploaded files and begin to check them."""
        if not files:
            raise Refused("no file was sent; choose one or more files", field="files")
        if sum(job.folder.exists for job in self.all()) >= MOST_OPEN:
            raise Conflict(f"{MOST_OPEN} imports are open; import or discard one of them first")
        folder = UploadFolder()
        try:
            uploads = tuple(folder.add(name, content) for name, content in files)
        except BaseException:
            folder.remove()
            raise
        job = ImportJob(secrets.token_hex(8), folder, uploads)
        with self._lock:
            self._jobs[job.id] = job
            self._drop_old()
        job.check(memory)
        return job

    def _drop_old(self) -> None:
        finished = [job for job in self._jobs.values() if not job.folder.exists]
        for job in finished[: max(0, len(self._jobs) - MOST_KEPT)]:
            del self._jobs[job.id]


def import_jobs(memory: Memory) -> ImportJobs:
    return memory.cache.get_or_create(ImportJobs)
