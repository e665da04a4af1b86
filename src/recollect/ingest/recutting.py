"""Texts that were cut into passages otherwise than today: cut anew in the background, told as the rebuild it is."""

from typing import NamedTuple

from recollect.ingest.documents import found_by
from recollect.memory import Memory
from recollect.model.document import content_hash
from recollect.model.ids import DocumentId
from recollect.model.progress import Phase, Progress, Rebuild
from recollect.search.chunk import CUTTING, passages
from recollect.search.indexing import store_passages
from recollect.store.change import Change
from recollect.store.view import View

PART = "cutting"
UNSAID = 1
"""How a store was cut that does not say."""
PASSAGES_AT_ONCE = 200


class Course(NamedTuple):
    """How far the passages are that an earlier way of cutting made: by their numbers, as far as it was used."""

    cutting: int
    behind: int = 0
    upto: int = 0

    @property
    def is_over(self) -> bool:
        return self.behind >= self.upto


def recut_waiting(memory: Memory, cutting: int = CUTTING, most: int = PASSAGES_AT_ONCE) -> bool:
    """Cut the next texts as they are cut today; whether more of them wait."""
    with memory.read() as view:
        held = _course(view)
    if held.cutting == cutting and held.is_over:
        return False
    with memory.write() as change:
        course = held if held.cutting == cutting else _begun(change, cutting)
        if course.behind == 0 and not course.is_over:
            _tell(memory, course, "model_change_detected", "Texts are cut otherwise now; I re-embed in the background.")
        course = _recut(change, course, most)
        change.connection.run("indexed_put", _row(change, course))
    _tell(memory, course, "done" if course.is_over else "progress", f"{course.behind} of {course.upto} passages")
    return not course.is_over


def _course(view: View) -> Course:
    found = view.rows("indexed", part=PART)
    return Course(*map(int, found[0])) if found else Course(UNSAID)


def _begun(view: View, cutting: int) -> Course:
    [[last]] = view.rows("chunks_last")
    return Course(cutting, 0, int(last))


def _row(change: Change, course: Course) -> dict[str, object]:
    numbers = {"upto": course.cutting, "chunks": course.behind, "characters": course.upto}
    return {"ws": change.ws, "part": PART, **numbers}


def _recut(change: Change, course: Course, most: int) -> Course:
    rows = change.rows("chunks_to_recut", behind=course.behind, upto=course.upto, limit=most)
    for document in dict.fromkeys(DocumentId(row[1]) for row in rows):
        _recut_one(change, document)
    return course._replace(behind=int(rows[-1][0]) if len(rows) == most else course.upto)


def _recut_one(change: Change, id_: DocumentId) -> None:
    document = change.document(id_)
    if document is None:
        return
    text = change.text_of(document) or found_by(document)
    wanted = [content_hash(each.text) for each in passages(document.title, text)]
    if wanted != [each.hash for each in change.chunks(id_)]:
        change.end_chunks(id_)
        store_passages(change, id_, document.title, text)


def _tell(memory: Memory, course: Course, phase: Phase, message: str) -> None:
    if course.upto:
        memory.tell(Progress(course.behind, course.upto, message, Rebuild(phase, "all")))
