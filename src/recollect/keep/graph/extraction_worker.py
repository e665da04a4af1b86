"""The extraction worker: claims queued memories, asks the language model, and writes what it extracted."""

from dataclasses import replace

from recollect.ingest.job_steps import claim_job
from recollect.keep.graph.extraction import ExtractedGraph, ExtractionResult, extract_graph, write_extraction
from recollect.keep.graph.extraction_queue import (
    JOB_KIND,
    MAX_ATTEMPTS,
    MIN_TEXT_LENGTH,
    record_attempt,
)
from recollect.keep.markdown import parse_blocks
from recollect.llm.port import LanguageModel, ModelUnavailable
from recollect.memory import Memory
from recollect.model.actor import Actor
from recollect.model.document import Document
from recollect.search.chunking import split_passages
from recollect.store import job_queries
from recollect.store.document_queries import versions_of
from recollect.store.job_queries import DueJob
from recollect.store.view import View
from recollect.when.instant import SECOND

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
