"""Background work: claiming jobs, re-chunking documents, and the watermark of re-read records."""

from typing import NamedTuple

from recollect.ingest.documents import searchable_summary
from recollect.memory import Memory
from recollect.model.document import content_hash
from recollect.model.ids import DocumentId
from recollect.model.progress import Phase, Progress, Rebuild
from recollect.search.chunking import CHUNKING_VERSION, split_passages, store_passages
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.view import View

_INDEX_PART = "cutting"
FIRST_CHUNKING = 1
"""How a store was cut that does not say."""
PASSAGES_PER_BATCH = 200


class RechunkProgress(NamedTuple):
    """How far the passages are that an earlier way of cutting made: by their numbers, as far as it was used."""

    cutting: int
    behind: int = 0
    upto: int = 0

    @property
    def is_over(self) -> bool:
        return self.behind >= self.upto


def rechunk_next(memory: Memory, cutting: int = CHUNKING_VERSION, most: int = PASSAGES_PER_BATCH) -> bool:
    """Cut the next texts as they are cut today; whether more of them wait."""
    with memory.read() as view:
        held = _load_progress(view)
    if held.cutting == cutting and held.is_over:
        return False
    with memory.write() as change:
        course = held if held.cutting == cutting else _start_progress(change, cutting)
        if course.behind == 0 and not course.is_over:
            _report_progress(
                memory, course, "model_change_detected", "Texts are cut otherwise now; I re-embed in the background."
            )
        course = _rechunk_batch(change, course, most)
        change.connection.run("indexed_put", _progress_row(change, course))
    _report_progress(
        memory, course, "done" if course.is_over else "progress", f"{course.behind} of {course.upto} passages"
    )
    return not course.is_over


def _load_progress(view: View) -> RechunkProgress:
    found = view.rows("indexed", part=_INDEX_PART)
    return RechunkProgress(*map(int, found[0])) if found else RechunkProgress(FIRST_CHUNKING)


def _start_progress(view: View, cutting: int) -> RechunkProgress:
    [[last]] = view.rows("chunks_last")
    return RechunkProgress(cutting, 0, int(last))


def _progress_row(change: Change, course: RechunkProgress) -> dict[str, object]:
    numbers = {"upto": course.cutting, "chunks": course.behind, "characters": course.upto}
    return {"ws": change.ws, "part": _INDEX_PART, **numbers}


def _rechunk_batch(change: Change, course: RechunkProgress, most: int) -> RechunkProgress:
    rows = change.rows("chunks_to_recut", behind=course.behind, upto=course.upto, limit=most)
    for document in dict.fromkeys(DocumentId(row[1]) for row in rows):
        _rechunk_document(change, document)
    return course._replace(behind=int(rows[-1][0]) if len(rows) == most else course.upto)


def _rechunk_document(change: Change, id_: DocumentId) -> None:
    document = change.document(id_)
    if document is None:
        return
    text = change.text_of(document) or searchable_summary(document)
    wanted = [content_hash(each.text) for each in split_passages(document.title, text)]
    if wanted != [each.hash for each in change.chunks(id_)]:
        change.end_chunks(id_)
        store_passages(change, id_, document.title, text)


def _report_progress(memory: Memory, course: RechunkProgress, phase: Phase, message: str) -> None:
    if course.upto:
        memory.report_progress(Progress(course.behind, course.upto, message, Rebuild(phase, "all")))


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


def reread_watermark(view: View) -> int:
    """The number of the last transaction whose names, issues and affiliations were seen to."""
    rows = view.rows("reading_to")
    return int(rows[0][0]) if rows else 0


def set_reread_watermark(change: Change, tx: int) -> None:
    change.connection.run("reading_put", {"ws": change.ws, "tx": tx})


def is_reread_complete(memory: Memory) -> bool:
    """Whether no record can gain by what came since; if so, all of it is taken as seen to."""
    with memory.read() as view:
        last = view.last_tx
        if last <= reread_watermark(view):
            return not view.rows("awaited_any")
        if view.rows("awaited_any") or view.rows("employers_suggested"):
            return False
    with memory.write() as change:
        set_reread_watermark(change, last)
    return True
