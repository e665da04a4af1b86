"""The durable extraction queue: jobs by memory, their health, and the worker that takes them."""

import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from recollect.ingest.background import claim_job
from recollect.keep.documents import instants_of, versions_of, view_at
from recollect.keep.graph.extraction import ExtractedGraph, ExtractionResult, extract_graph, write_extraction
from recollect.keep.markdown import parse_blocks
from recollect.keep.memory_index.embeddings import REBUILD_JOB
from recollect.keep.memory_index.stored_memory import draft_of, is_memory
from recollect.llm.port import LanguageModel, ModelUnavailable
from recollect.memory import Memory
from recollect.model.actor import Actor
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.search.chunking import split_passages
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import SECOND, Instant

ExtractionState = Literal["queued", "waiting_for_model", "not_needed"]
JOB_KIND = "extract"
MIN_TEXT_LENGTH = 20


def enqueue_extraction(change: Change, document: Document, text: str, grown_from: int | None = None) -> None:
    """Queue a memory for reading, unless it is too short or was made of memories that are read themselves.

    `grown_from` names the version whose text it only added to: that part is not read again, if it was read.
    """
    made = draft_of(document).summary
    if len(text) < MIN_TEXT_LENGTH or (made is not None and made.method != "hand"):
        cancel_extraction(change, document)
        return
    waiting = pending_job(change, document)
    base = grown_from if waiting is None else waiting["grown_from"] if grown_from is not None else None
    payload = json.dumps({"document": document.id, "memory": document.key, "tx": document.tx_from, "grown_from": base})
    job = {"ws": change.ws, "id": job_id(document.id), "kind": JOB_KIND, "payload": payload, "due_at": change.now}
    change.connection.run("job_put", job)


def cancel_extraction(change: Change, document: Document) -> None:
    _drop_job(change, document.id)


def requeue_after_undo(change: Change) -> None:
    """Let the memories wait that an undone transaction brought back, and not those that it took away."""
    for id_ in sorted(change.touched.documents):
        document = change.document(id_)
        if document is None or document.deleted:
            _drop_job(change, id_)
        elif is_memory(document) and document.tx_from == change.tx:
            enqueue_extraction(change, document, change.text_of(document) or "")


def _drop_job(change: Change, document: DocumentId) -> None:
    change.connection.run("job_drop", {"ws": change.ws, "id": job_id(document)})


def extraction_state(view: View, document: Document, *, can_read: bool) -> ExtractionState:
    """How the reading of this version stands."""
    found = pending_job(view, document)
    if found is None or found["tx"] != document.tx_from:
        return "not_needed"
    return "queued" if can_read else "waiting_for_model"


def pending_job(view: View, document: Document) -> dict[str, Any] | None:
    """What the waiting job of a memory says, if there is one."""
    found = view.rows("job_one", id=job_id(document.id))
    return {"grown_from": None, **json.loads(found[0][1])} if found else None


def job_id(document: DocumentId) -> str:
    """The job of a memory."""
    return f"{JOB_KIND}:{document}"


MAX_ATTEMPTS = 6
"""The first and five more, each after a longer wait; then a job shows as failed."""


@dataclass(frozen=True, slots=True)
class ExtractionHealth:
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
class ExtractionQueueStatus:
    """Jobs that can still be done, those that failed for good, and when the oldest of them came."""

    waiting: int
    failed: int
    oldest: Instant | None


def extraction_health(view: View) -> ExtractionHealth:
    rows = view.rows("extraction_health")
    return ExtractionHealth(*rows[0]) if rows else ExtractionHealth()


def record_attempt(
    change: Change, *, nodes: int = 0, edges: int = 0, dropped: int = 0, error: str | None = None
) -> ExtractionHealth:
    """Count one attempt: what it made, or why it failed."""
    known, made = extraction_health(change), nodes + edges > 0
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


def queue_status(view: View) -> ExtractionQueueStatus:
    """How the queue stands. A job came with the version it is about; when it is due moves with every attempt."""
    jobs = view.rows("jobs_of_kind", kind=JOB_KIND, low=f"{JOB_KIND}:", high=f"{JOB_KIND};")
    failed = sum(attempts >= MAX_ATTEMPTS for _, attempts in jobs)
    first = min((int(json.loads(payload)["tx"]) for payload, _ in jobs), default=0)
    return ExtractionQueueStatus(len(jobs) - failed, failed, instants_of(view, [first]).get(first))


def is_rebuilding(view: View) -> bool:
    """Whether vectors are being computed anew; a rebuild that died holds its place only for a while."""
    return any(due_at > view.now for *_, due_at, _ in view.rows("job_one", id=REBUILD_JOB))


SURFACE, TOOL = "entity-core", "extraction"
BACKOFF_SECONDS = (1, 4, 16, 64, 256)
"""Seconds before each further attempt; after the last, a job has failed."""
CLAIM_LEASE = 90 * SECOND
JOB_RANGE = {"kind": JOB_KIND, "low": f"{JOB_KIND}:", "high": f"{JOB_KIND};"}


@dataclass(frozen=True, slots=True)
class ExtractionJob:
    """One version of a memory that is to be read."""

    id: str
    payload: str
    attempts: int

    @property
    def document(self) -> DocumentId:
        return DocumentId(json.loads(self.payload)["document"])

    @property
    def tx(self) -> int:
        return int(json.loads(self.payload)["tx"])

    @property
    def grown_from(self) -> int | None:
        found = json.loads(self.payload).get("grown_from")
        return None if found is None else int(found)


def resume_extraction(memory: Memory) -> None:
    """Make due again what failed before, and what a process that died had claimed."""
    with memory.write() as change:
        change.connection.run(
            "jobs_begin_again", {"ws": change.ws, "now": change.now, "attempts": MAX_ATTEMPTS, **JOB_RANGE}
        )


def extract_next(memory: Memory) -> bool:
    """Read the memory that has waited longest; whether there was one to read."""
    model = memory.endpoint
    job = _claim_next(memory) if model is not None else None
    if model is None or job is None:
        return False
    with memory.read() as view:
        document, texts = _passages_to_read(view, job)
    try:
        found = _extract_passages(memory, model, job, texts)
    except ModelUnavailable as problem:
        _record_failure(memory, job, str(problem))
    except Exception:
        _record_failure(memory, job, "something unforeseen happened")
        raise
    else:
        _write_result(memory, model, job, document, found)
    return True


def _claim_next(memory: Memory) -> ExtractionJob | None:
    row = claim_job(memory, JOB_KIND, MAX_ATTEMPTS, CLAIM_LEASE)
    return ExtractionJob(*row) if row else None


def _passages_to_read(view: View, job: ExtractionJob) -> tuple[Document | None, list[str]]:
    """The memory, if the job still speaks of its present version, and the passages to read."""
    document = next((each for each in versions_of(view, job.document) if each.tx_from == job.tx), None)
    now = view.document(document.id) if document else None
    if document is None or now is None or now.deleted or now.content != document.content:
        return None, []
    text = view.text_of(document) or ""
    new = text if job.grown_from is None else _new_part(text, _text_at(view, document, job.grown_from))
    return document, [each.text for each in split_passages(None, new)] if len(new.strip()) >= MIN_TEXT_LENGTH else []


def _text_at(view: View, document: Document, tx: int) -> str:
    then = view_at(view, tx).document(document.id)
    return (view.text_of(then) or "") if then is not None else ""


def _new_part(text: str, before: str) -> str:
    """The blocks of a text that an earlier one does not have."""
    known = {block.key for block in parse_blocks(before)}
    return "\n\n".join(block.text for block in parse_blocks(text) if block.key not in known)


def _extract_passages(memory: Memory, model: LanguageModel, job: ExtractionJob, texts: list[str]) -> ExtractedGraph:
    found = ExtractedGraph()
    for place, text in enumerate(texts):
        if place:
            with memory.write() as change:
                change.connection.run("job_claim", {"ws": change.ws, "id": job.id, "until": change.now + CLAIM_LEASE})
        found += extract_graph(model, text)
    return found


def _write_result(
    memory: Memory, model: LanguageModel, job: ExtractionJob, document: Document | None, found: ExtractedGraph
) -> None:
    """Write what was read and end the job, unless the memory has changed meanwhile: then another job waits."""
    author = (document.author if document else None) or TOOL
    with replace(memory, actor=Actor(SURFACE, TOOL, author)).write() as change:
        if not _is_still_claimed(change, job):
            return
        done = write_extraction(change, document, found, model.name) if document else ExtractionResult(0, 0, 0)
        change.connection.run("job_drop", {"ws": change.ws, "id": job.id})
        record_attempt(change, nodes=done.nodes, edges=done.edges, dropped=done.dropped)


def _record_failure(memory: Memory, job: ExtractionJob, why: str) -> None:
    with memory.write() as change:
        if not _is_still_claimed(change, job):
            return
        wait = BACKOFF_SECONDS[min(job.attempts, len(BACKOFF_SECONDS) - 1)] * SECOND
        change.connection.run("job_failed", {"ws": change.ws, "id": job.id, "due_at": change.now + wait, "error": why})
        record_attempt(change, error=why)


def _is_still_claimed(change: Change, job: ExtractionJob) -> bool:
    """Whether the job is still the one that was claimed."""
    found = change.rows("job_one", id=job.id)
    return bool(found) and found[0][1] == job.payload
