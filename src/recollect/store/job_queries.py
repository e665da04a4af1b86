"""Queries of the job queue: put, claim, fail and drop background jobs, and read what waits; counters of extraction."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import MINUTE, SECOND, Instant

LONGEST_DELAY = 15 * MINUTE
"""No lease and no pause is longer: a job that is due later was given its time by a clock that was set back since."""


class JobRow(NamedTuple):
    kind: str
    payload: str
    attempts: int
    due_at: Instant
    error: str | None

    def is_due(self, now: Instant) -> bool:
        return not now < self.due_at <= now + LONGEST_DELAY


class DueJob(NamedTuple):
    """A background job that is due; its payload is a JSON object."""

    id: str
    payload: str
    attempts: int

    @property
    def details(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.payload)
        return found

    @property
    def document(self) -> DocumentId:
        return DocumentId(self.details["document"])


class JobAttempts(NamedTuple):
    payload: str
    attempts: int


def job_with_id(view: View, id_: str) -> JobRow | None:
    return view.fetch_one(JobRow, "job_one", id=id_)


def due_job(view: View, kind: str, attempts: int, now: Instant) -> DueJob | None:
    """The next job of a kind that is due and has been attempted fewer times than this."""
    latest = now + LONGEST_DELAY
    return view.fetch_one(DueJob, "job_due", now=now, latest=latest, kind=kind, attempts=attempts)


def jobs_of_kind(view: View, kind: str) -> list[JobAttempts]:
    """The jobs whose ids begin with a kind, of that kind or of one below it, by id."""
    return view.fetch(JobAttempts, "jobs_of_kind", low=f"{kind}:", high=f"{kind};")


def put_job(change: Change, id_: str, kind: str, payload: str, due_at: int | None = None) -> None:
    """Queue a job, due now unless said otherwise, in place of one of the same id; its attempts start at zero."""
    due = change.now if due_at is None else due_at
    change.run("job_put", id=id_, kind=kind, payload=payload, due_at=due)


def drop_job(change: Change, id_: str) -> None:
    change.run("job_drop", id=id_)


def claim_job(change: Change, id_: str, until: int) -> None:
    """Keep a job from other workers until an instant."""
    change.run("job_claim", id=id_, until=until)


def is_still_queued(change: Change, job: DueJob) -> bool:
    """Whether a job was neither dropped nor replaced since it was claimed."""
    found = job_with_id(change, job.id)
    return found is not None and found.payload == job.payload


def fail_job(change: Change, job: DueJob, error: str, backoff: Sequence[int]) -> None:
    """Count a failed attempt and schedule the next one after the seconds that `backoff` has for it."""
    due_at = change.now + backoff[min(job.attempts, len(backoff) - 1)] * SECOND
    change.run("job_failed", id=job.id, due_at=due_at, error=error)


def make_jobs_due(change: Change, kind: str, attempts: int) -> None:
    """Make jobs due that are claimed, delayed or have failed this often."""
    limits = {"kind": kind, "low": f"{kind}:", "high": f"{kind};", "now": change.now, "attempts": attempts}
    change.run("jobs_begin_again", **limits)


@dataclass(frozen=True, slots=True)
class ExtractionHealth:
    """Counters of attempts and the latest instant of each outcome; a success added at least one node or edge."""

    attempts: int = 0
    successes: int = 0
    nodes: int = 0
    edges: int = 0
    attempted_at: Instant | None = None
    succeeded_at: Instant | None = None
    failed_at: Instant | None = None
    error: str | None = None
    dropped: int = 0
    """Items of model answers that the text did not support."""


def extraction_health(view: View) -> ExtractionHealth:
    rows = view.rows("extraction_health")
    return ExtractionHealth(*rows[0]) if rows else ExtractionHealth()


def put_extraction_health(change: Change, health: ExtractionHealth) -> None:
    change.run("extraction_health_put", **asdict(health))
