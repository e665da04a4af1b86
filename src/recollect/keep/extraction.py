"""What waits to be read for entities and facts: one durable job for each memory, the newest version counting."""

import json
from typing import Literal

from recollect.keep.memory_entry import draft_of
from recollect.model.document import Document
from recollect.settings import Settings
from recollect.store.change import Change
from recollect.store.view import View

Extraction = Literal["queued", "waiting_for_model", "not_needed"]
JOB = "extract"
SHORTEST = 20


def has_model(settings: Settings) -> bool:
    """Whether a language model is set up."""
    return bool(settings.text("llm.url") or settings.text("llm.key"))


def want_extraction(change: Change, document: Document, text: str) -> None:
    """Queue a memory for reading, unless it is too short or was made of memories that are read themselves."""
    made = draft_of(document).summary
    if len(text) < SHORTEST or (made is not None and made.method != "hand"):
        drop_extraction(change, document)
        return
    payload = json.dumps({"document": document.id, "memory": document.key, "tx": document.tx_from})
    job = {"ws": change.ws, "id": _job(document), "kind": JOB, "payload": payload, "due_at": change.now}
    change.connection.run("job_put", job)


def drop_extraction(change: Change, document: Document) -> None:
    change.connection.run("job_drop", {"ws": change.ws, "id": _job(document)})


def extraction_of(view: View, document: Document, settings: Settings) -> Extraction:
    """How the reading of this version stands."""
    found = view.rows("job_one", id=_job(document))
    if not found or json.loads(found[0][1])["tx"] != document.tx_from:
        return "not_needed"
    return "queued" if has_model(settings) else "waiting_for_model"


def _job(document: Document) -> str:
    return f"{JOB}:{document.id}"
