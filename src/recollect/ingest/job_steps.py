"""Background work: claiming jobs, re-chunking documents, and the watermark of re-read records."""

from typing import NamedTuple

from recollect.ingest.documents import searchable_summary
from recollect.memory import Memory
from recollect.model.document import content_hash
from recollect.model.ids import DocumentId
from recollect.model.progress import Phase, Progress, Rebuild
from recollect.search.chunking import CHUNKING_VERSION, split_passages, store_passages
from recollect.store import ingest_queries as queries
from recollect.store import job_queries
from recollect.store.change import Change
from recollect.store.index_progress import IndexProgress
from recollect.store.job_queries import DueJob
from recollect.store.view import View

_INDEX = IndexProgress("cutting")
"""Stored under this name since before it was called chunking."""
FIRST_CHUNKING = 1
"""The chunking version of a store that does not record one."""
PASSAGES_PER_BATCH = 200


class RechunkProgress(NamedTuple):
    """The chunking version, and how many of the chunks stored before it are done: up to which number, of the last."""

    version: int
    done: int = 0
    upto: int = 0

    @property
    def is_over(self) -> bool:
        return self.done >= self.upto


def rechunk_next(memory: Memory, version: int = CHUNKING_VERSION, most: int = PASSAGES_PER_BATCH) -> bool:
    """Split the next texts as the current chunking version does; whether more are waiting."""
    with memory.read() as view:
        stored = _load_progress(view)
    if stored.version == version and stored.is_over:
        return False
    with memory.write() as change:
        progress = stored if stored.version == version else RechunkProgress(version, 0, queries.last_chunk(change))
        if progress.done == 0 and not progress.is_over:
            _report_progress(
                memory, progress, "model_change_detected", "Chunking has changed; re-embedding in the background."
            )
        progress = _rechunk_batch(change, progress, most)
        _INDEX.save(change, progress.version, progress.done, progress.upto)
    _report_progress(
        memory, progress, "done" if progress.is_over else "progress", f"{progress.done} of {progress.upto} passages"
    )
    return not progress.is_over


def _load_progress(view: View) -> RechunkProgress:
    found = _INDEX.find(view)
    return RechunkProgress._make(found) if found else RechunkProgress(FIRST_CHUNKING)


def _rechunk_batch(change: Change, progress: RechunkProgress, most: int) -> RechunkProgress:
    chunks = queries.chunks_between(change, progress.done, progress.upto, most)
    for document in dict.fromkeys(chunk.document for chunk in chunks):
        _rechunk_document(change, document)
    return progress._replace(done=chunks[-1].number if len(chunks) == most else progress.upto)


def _rechunk_document(change: Change, id_: DocumentId) -> None:
    document = change.document(id_)
    if document is None:
        return
    text = change.text_of(document) or searchable_summary(document)
    wanted = [content_hash(each.text) for each in split_passages(document.title, text)]
    if wanted != [each.hash for each in change.chunks(id_)]:
        change.end_chunks(id_)
        store_passages(change, id_, document.title, text)


def _report_progress(memory: Memory, progress: RechunkProgress, phase: Phase, message: str) -> None:
    if progress.upto:
        memory.report_progress(Progress(progress.done, progress.upto, message, Rebuild(phase, "all")))


def claim_job(memory: Memory, kind: str, attempts: int, claim: int) -> DueJob | None:
    """The next due job of a kind, leased for this long; without one nothing is locked."""
    now = memory.clock.now()
    with memory.read() as view:
        if job_queries.due_job(view, kind, attempts, now) is None:
            return None
    with memory.write() as change:
        job = job_queries.due_job(change, kind, attempts, now)
        if job is not None:
            job_queries.claim_job(change, job.id, change.now + claim)
    return job


def is_reread_complete(memory: Memory) -> bool:
    """Whether no earlier record is affected by later transactions; if so, the watermark moves past them."""
    with memory.read() as view:
        last = view.last_tx
        if last <= queries.reread_watermark(view):
            return not queries.has_awaited_words(view)
        if queries.has_awaited_words(view) or queries.has_suggested_employers(view):
            return False
    with memory.write() as change:
        queries.set_reread_watermark(change, last)
    return True
