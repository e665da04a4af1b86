"""How the reading of memories for entities and facts has gone, over the life of a workspace: bookkeeping."""

import json
from dataclasses import asdict, dataclass, replace

from recollect.keep.artifacts.versions import instants_of
from recollect.keep.memories.vectors import REBUILD
from recollect.keep.reading.jobs import JOB
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import Instant

ATTEMPTS = 6
"""The first and five more, each after a longer wait; then a job shows as failed."""


@dataclass(frozen=True, slots=True)
class Health:
    """Counters and the last of each kind; a success made at least one node or edge."""

    attempts: int = 0
    successes: int = 0
    nodes: int = 0
    edges: int = 0
    attempted_at: Instant | None = None
    succeeded_at: Instant | None = None
    failed_at: Instant | None = None
    error: str | None = None
    dropped: int = 0
    """What models said that the text did not bear out."""


@dataclass(frozen=True, slots=True)
class Queue:
    """Jobs that can still be done, those that failed for good, and when the oldest of them came."""

    waiting: int
    failed: int
    oldest: Instant | None


def health(view: View) -> Health:
    rows = view.rows("extraction_health")
    return Health(*rows[0]) if rows else Health()


def note_attempt(
    change: Change, *, nodes: int = 0, edges: int = 0, dropped: int = 0, error: str | None = None
) -> Health:
    """Count one attempt: what it made, or why it failed."""
    known, made = health(change), nodes + edges > 0
    noted = replace(
        known,
        attempts=known.attempts + 1,
        successes=known.successes + made,
        nodes=known.nodes + nodes,
        edges=known.edges + edges,
        attempted_at=change.now,
        succeeded_at=change.now if made else known.succeeded_at,
        failed_at=change.now if error else known.failed_at,
        error=error or known.error,
        dropped=known.dropped + dropped,
    )
    change.connection.run("extraction_health_put", {"ws": change.ws, **asdict(noted)})
    return noted


def queue(view: View) -> Queue:
    """How the queue stands. A job came with the version it is about; when it is due moves with every attempt."""
    jobs = view.rows("jobs_of_kind", kind=JOB, low=f"{JOB}:", high=f"{JOB};")
    failed = sum(attempts >= ATTEMPTS for _, attempts in jobs)
    first = min((int(json.loads(payload)["tx"]) for payload, _ in jobs), default=0)
    return Queue(len(jobs) - failed, failed, instants_of(view, [first]).get(first))


def is_rebuilding(view: View) -> bool:
    """Whether vectors are being computed anew; a rebuild that died holds its place only for a while."""
    return any(due_at > view.now for *_, due_at, _ in view.rows("job_one", id=REBUILD))
