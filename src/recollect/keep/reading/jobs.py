"""What waits to be read for entities and facts: one durable job for each memory, the newest version counting."""

import json
from typing import Any, Literal

from recollect.keep.memories.entry import draft_of, is_memory
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.view import View

Extraction = Literal["queued", "waiting_for_model", "not_needed"]
JOB = "extract"
SHORTEST = 20


def want_extraction(change: Change, document: Document, text: str, grown_from: int | None = None) -> None:
    """Queue a memory for reading, unless it is too short or was made of memories that are read themselves.

    `grown_from` names the version whose text it only added to: that part is not read again, if it was read.
    """
    made = draft_of(document).summary
    if len(text) < SHORTEST or (made is not None and made.method != "hand"):
        drop_extraction(change, document)
        return
    waiting = waiting_job(change, document)
    base = grown_from if waiting is None else waiting["grown_from"] if grown_from is not None else None
    payload = json.dumps({"document": document.id, "memory": document.key, "tx": document.tx_from, "grown_from": base})
    job = {"ws": change.ws, "id": job_id(document.id), "kind": JOB, "payload": payload, "due_at": change.now}
    change.connection.run("job_put", job)


def drop_extraction(change: Change, document: Document) -> None:
    _drop(change, document.id)


def follow_undo(change: Change) -> None:
    """Let the memories wait that an undone transaction brought back, and not those that it took away."""
    for id_ in sorted(change.touched.documents):
        document = change.document(id_)
        if document is None or document.deleted:
            _drop(change, id_)
        elif is_memory(document) and document.tx_from == change.tx:
            want_extraction(change, document, change.text_of(document) or "")


def _drop(change: Change, document: DocumentId) -> None:
    change.connection.run("job_drop", {"ws": change.ws, "id": job_id(document)})


def extraction_of(view: View, document: Document, *, can_read: bool) -> Extraction:
    """How the reading of this version stands."""
    found = waiting_job(view, document)
    if found is None or found["tx"] != document.tx_from:
        return "not_needed"
    return "queued" if can_read else "waiting_for_model"


def waiting_job(view: View, document: Document) -> dict[str, Any] | None:
    """What the waiting job of a memory says, if there is one."""
    found = view.rows("job_one", id=job_id(document.id))
    return {"grown_from": None, **json.loads(found[0][1])} if found else None


def job_id(document: DocumentId) -> str:
    """The job of a memory."""
    return f"{JOB}:{document}"
