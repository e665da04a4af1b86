"""The extraction worker: claims queued memories, asks the language model, and writes what it extracted."""

import json
from dataclasses import dataclass, replace

from recollect.ingest.job_steps import claim_job
from recollect.keep.document_versions import view_at
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
from recollect.model.ids import DocumentId
from recollect.search.chunking import split_passages
from recollect.store import job_queries
from recollect.store.change import Change
from recollect.store.version_queries import versions_of
from recollect.store.view import View
from recollect.when.instant import SECOND

SURFACE, TOOL = "entity-core", "extraction"
BACKOFF_SECONDS = (1, 4, 16, 64, 256)
"""Seconds before each retry; after the last, a job has failed."""
CLAIM_LEASE = 90 * SECOND


@dataclass(frozen=True, slots=True)
class ExtractionJob:
    """One version of a memory to extract from."""

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
    """Make jobs due that failed before or that a dead process had claimed."""
    with memory.write() as change:
        job_queries.make_jobs_due(change, JOB_KIND, MAX_ATTEMPTS)


def extract_next(memory: Memory) -> bool:
    """Process the job that has waited longest; whether there was one."""
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
    """The memory, if the job is about its current version, and the passages to extract from."""
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
                job_queries.claim_job(change, job.id, change.now + CLAIM_LEASE)
        found += extract_graph(model, text)
    return found


def _write_result(
    memory: Memory, model: LanguageModel, job: ExtractionJob, document: Document | None, found: ExtractedGraph
) -> None:
    """Write the result and drop the job, unless the memory has changed meanwhile and another job waits."""
    author = (document.author if document else None) or TOOL
    with replace(memory, actor=Actor(SURFACE, TOOL, author)).write() as change:
        if not _is_still_claimed(change, job):
            return
        done = write_extraction(change, document, found, model.name) if document else ExtractionResult(0, 0, 0)
        job_queries.drop_job(change, job.id)
        record_attempt(change, nodes=done.nodes, edges=done.edges, dropped=done.dropped)


def _record_failure(memory: Memory, job: ExtractionJob, why: str) -> None:
    with memory.write() as change:
        if not _is_still_claimed(change, job):
            return
        wait = BACKOFF_SECONDS[min(job.attempts, len(BACKOFF_SECONDS) - 1)] * SECOND
        job_queries.fail_job(change, job.id, change.now + wait, why)
        record_attempt(change, error=why)


def _is_still_claimed(change: Change, job: ExtractionJob) -> bool:
    found = job_queries.job_with_id(change, job.id)
    return found is not None and found.payload == job.payload
