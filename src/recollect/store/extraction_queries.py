"""Queries of the health counters of the extraction queue."""

from dataclasses import asdict, dataclass

from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import Instant


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
    change.connection.run("extraction_health_put", {"ws": change.ws, **asdict(health)})
