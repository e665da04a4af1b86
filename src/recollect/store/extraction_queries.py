"""Queries of the extraction queue: waiting jobs, their attempts, and the counters of its health."""

from dataclasses import asdict, dataclass
from typing import NamedTuple

from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import Instant


class JobRow(NamedTuple):
    kind: str
    payload: str
    attempts: int
    due_at: Instant
    error: str | None


class JobAttempts(NamedTuple):
    payload: str
    attempts: int


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


def job_with_id(view: View, id_: str) -> JobRow | None:
    rows = view.rows("job_one", id=id_)
    return JobRow._make(rows[0]) if rows else None


def jobs_of_kind(view: View, kind: str) -> list[JobAttempts]:
    rows = view.rows("jobs_of_kind", kind=kind, low=f"{kind}:", high=f"{kind};")
    return [JobAttempts._make(row) for row in rows]


def put_job(change: Change, id_: str, kind: str, payload: str, due_at: int) -> None:
    """Queue a job, or replace the one of the same id; its attempts start at zero."""
    job = {"ws": change.ws, "id": id_, "kind": kind, "payload": payload, "due_at": due_at}
    change.connection.run("job_put", job)


def drop_job(change: Change, id_: str) -> None:
    change.connection.run("job_drop", {"ws": change.ws, "id": id_})


def claim_job(change: Change, id_: str, until: int) -> None:
    """Keep a job from other workers until an instant."""
    change.connection.run("job_claim", {"ws": change.ws, "id": id_, "until": until})


def fail_job(change: Change, id_: str, due_at: int, error: str) -> None:
    """Count a failed attempt and schedule the next one."""
    change.connection.run("job_failed", {"ws": change.ws, "id": id_, "due_at": due_at, "error": error})


def make_jobs_due(change: Change, kind: str, attempts: int) -> None:
    """Make jobs due that are claimed, delayed or have failed this often."""
    limits = {"kind": kind, "low": f"{kind}:", "high": f"{kind};", "now": change.now, "attempts": attempts}
    change.connection.run("jobs_begin_again", {"ws": change.ws, **limits})


def extraction_health(view: View) -> ExtractionHealth:
    rows = view.rows("extraction_health")
    return ExtractionHealth(*rows[0]) if rows else ExtractionHealth()


def put_extraction_health(change: Change, health: ExtractionHealth) -> None:
    change.connection.run("extraction_health_put", {"ws": change.ws, **asdict(health)})
