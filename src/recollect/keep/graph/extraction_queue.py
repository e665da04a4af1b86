"""The durable extraction queue, one job per memory, and the worker that asks a language model for each."""

import json
from dataclasses import dataclass, replace
from typing import Any, Literal

from recollect.ingest.job_steps import claim_job
from recollect.keep.graph.extraction import ExtractedGraph, ExtractionResult, extract_graph, write_extraction
from recollect.keep.markdown import parse_blocks
from recollect.keep.memory_index.index import REBUILD_JOB
from recollect.keep.memory_index.stored_memory import draft_of, is_memory
from recollect.llm.port import LanguageModel, ModelUnavailable
from recollect.memory import Memory
from recollect.model.actor import Actor
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.search.chunking import split_passages
from recollect.store import job_queries
from recollect.store.activity_queries import instants_of
from recollect.store.change import Change
from recollect.store.document_queries import versions_of
from recollect.store.job_queries import DueJob, ExtractionHealth
from recollect.store.view import View
from recollect.when.instant import SECOND, Instant

ExtractionState = Literal["queued", "waiting_for_model", "not_needed"]
JOB_KIND = "extract"
MIN_TEXT_LENGTH = 20


def enqueue_extraction(change: Change, document: Document, text: str, grown_from: int | None = None) -> None:
    """Queue a memory for extraction, unless it is too short or a generated summary of other memories.

    `grown_from` is the version that this one only adds to: what it contains is not extracted again.
    """
    summary = draft_of(document).summary
    if len(text) < MIN_TEXT_LENGTH or (summary is not None and summary.method != "hand"):
        cancel_extraction(change, document)
        return
    waiting = pending_job(change, document)
    base = grown_from if waiting is None else waiting["grown_from"] if grown_from is not None else None
    payload = json.dumps({"document": document.id, "memory": document.key, "tx": document.tx_from, "grown_from": base})
    job_queries.put_job(change, job_id(document.id), JOB_KIND, payload)


def cancel_extraction(change: Change, document: Document) -> None:
    job_queries.drop_job(change, job_id(document.id))


def requeue_after_undo(change: Change) -> None:
    """Queue the memories that an undo restored, and cancel the jobs of those that it removed."""
    for id_ in sorted(change.touched.documents):
        document = change.document(id_)
        if document is None or document.deleted:
            job_queries.drop_job(change, job_id(id_))
        elif is_memory(document) and document.tx_from == change.tx:
            enqueue_extraction(change, document, change.text_of(document) or "")


def extraction_state(view: View, document: Document, *, can_read: bool) -> ExtractionState:
    """The extraction state of this version."""
    found = pending_job(view, document)
    if found is None or found["tx"] != document.tx_from:
        return "not_needed"
    return "queued" if can_read else "waiting_for_model"


def pending_job(view: View, document: Document) -> dict[str, Any] | None:
    """The payload of a memory's waiting job, if there is one."""
    job = job_queries.job_with_id(view, job_id(document.id))
    return {"grown_from": None, **json.loads(job.payload)} if job else None


def job_id(document: DocumentId) -> str:
    """The id of a memory's job."""
    return f"{JOB_KIND}:{document}"


MAX_ATTEMPTS = 6
"""The first attempt and five retries, each after a longer wait; then the job counts as failed."""


@dataclass(frozen=True, slots=True)
class ExtractionQueueStatus:
    """The number of waiting and of failed jobs, and when the oldest was queued."""

    waiting: int
    failed: int
    oldest: Instant | None


def record_attempt(
    change: Change, *, nodes: int = 0, edges: int = 0, dropped: int = 0, error: str | None = None
) -> ExtractionHealth:
    """Count one attempt: what it created, or why it failed."""
    known, is_success = job_queries.extraction_health(change), nodes + edges > 0
    health = replace(
        known,
        attempts=known.attempts + 1,
        successes=known.successes + is_success,
        nodes=known.nodes + nodes,
        edges=known.edges + edges,
        attempted_at=change.now,
        succeeded_at=change.now if is_success else known.succeeded_at,
        failed_at=change.now if error else known.failed_at,
        error=error or known.error,
        dropped=known.dropped + dropped,
    )
    job_queries.put_extraction_health(change, health)
    return health


def queue_status(view: View) -> ExtractionQueueStatus:
    """The state of the queue. Its oldest job is that of the oldest version: due times move with every attempt."""
    jobs = job_queries.jobs_of_kind(view, JOB_KIND)
    failed = sum(job.attempts >= MAX_ATTEMPTS for job in jobs)
    first = min((int(json.loads(job.payload)["tx"]) for job in jobs), default=0)
    return ExtractionQueueStatus(len(jobs) - failed, failed, instants_of(view, [first]).get(first))


def is_rebuilding(view: View) -> bool:
    """Whether a vector rebuild is running; the lease of one that died expires."""
    job = job_queries.job_with_id(view, REBUILD_JOB)
    return job is not None and not job.is_due(view.now)


SURFACE, TOOL = "entity-core", "extraction"
BACKOFF_SECONDS = (1, 4, 16, 64, 256)
"""Seconds before each retry; after the last, a job has failed."""
CLAIM_LEASE = 90 * SECOND


def resume_extraction(memory: Memory) -> None:
    """Make jobs due that failed before or that a dead process had claimed."""
    with memory.write() as change:
        job_queries.make_jobs_due(change, JOB_KIND, MAX_ATTEMPTS)


def extract_next(memory: Memory) -> bool:
    """Process the job that has waited longest; whether there was one."""
    model = memory.endpoint
    job = claim_job(memory, JOB_KIND, MAX_ATTEMPTS, CLAIM_LEASE) if model is not None else None
    if model is None or job is None:
        return False
    with memory.read() as view:
        document, texts = _passages_to_read(view, job)
    try:
        found = _extract_passages(memory, model, job, texts)
    except ModelUnavailable as problem:
        _record_failure(memory, job, str(problem))
    except Exception:
        _record_failure(memory, job, "an unexpected error occurred")
        raise
    else:
        _write_result(memory, model, job, document, found)
    return True


def _passages_to_read(view: View, job: DueJob) -> tuple[Document | None, list[str]]:
    """The memory, if the job is about its current version, and the passages to extract from."""
    tx, grown_from = job.details["tx"], job.details.get("grown_from")
    document = next((each for each in versions_of(view, job.document) if each.tx_from == tx), None)
    now = view.document(document.id) if document else None
    if document is None or now is None or now.deleted or now.content != document.content:
        return None, []
    text = view.text_of(document) or ""
    new = text if grown_from is None else _new_part(text, _text_at(view, document, grown_from))
    return document, [each.text for each in split_passages(None, new)] if len(new.strip()) >= MIN_TEXT_LENGTH else []


def _text_at(view: View, document: Document, tx: int) -> str:
    then = view.at(tx).document(document.id)
    return (view.text_of(then) or "") if then is not None else ""


def _new_part(text: str, before: str) -> str:
    """The blocks of a text that an earlier one does not have."""
    known = {block.key for block in parse_blocks(before)}
    return "\n\n".join(block.text for block in parse_blocks(text) if block.key not in known)


def _extract_passages(memory: Memory, model: LanguageModel, job: DueJob, texts: list[str]) -> ExtractedGraph:
    found = ExtractedGraph()
    for place, text in enumerate(texts):
        if place:
            with memory.write() as change:
                job_queries.claim_job(change, job.id, change.now + CLAIM_LEASE)
        found += extract_graph(model, text)
    return found


def _write_result(
    memory: Memory, model: LanguageModel, job: DueJob, document: Document | None, found: ExtractedGraph
) -> None:
    """Write the result and drop the job, unless the memory has changed meanwhile and another job waits."""
    author = (document.author if document else None) or TOOL
    with replace(memory, actor=Actor(SURFACE, TOOL, author)).write() as change:
        if not job_queries.is_still_queued(change, job):
            return
        done = write_extraction(change, document, found, model.name) if document else ExtractionResult(0, 0, 0)
        job_queries.drop_job(change, job.id)
        record_attempt(change, nodes=done.nodes, edges=done.edges, dropped=done.dropped)


def _record_failure(memory: Memory, job: DueJob, why: str) -> None:
    with memory.write() as change:
        if not job_queries.is_still_queued(change, job):
            return
        job_queries.fail_job(change, job, why, BACKOFF_SECONDS)
        record_attempt(change, error=why)
