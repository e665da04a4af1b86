"""Taking a job out of the durable queue: claimed for a while, so that one that died with its worker comes again."""

from recollect.memory import Memory
from recollect.store.port import Row


def claim_job(memory: Memory, kind: str, attempts: int, claim: int) -> Row | None:
    """The next job of a kind that is due, held for that long; nothing is locked where there is none."""
    asked = {"now": memory.clock.now(), "kind": kind, "attempts": attempts}
    with memory.read() as view:
        if not view.rows("job_due", **asked):
            return None
    with memory.write() as change:
        rows = change.rows("job_due", **asked)
        for row in rows:
            change.connection.run("job_claim", {"ws": change.ws, "id": row[0], "until": change.now + claim})
    return rows[0] if rows else None
