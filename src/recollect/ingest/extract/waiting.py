"""Records that wait: for the model, for another try of their expert, for a person's opinion."""

import json
from typing import NamedTuple

from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.view import View

MODEL_JOB = "records:model"
RETRY_JOB = "records:expert"
ATTEMPTS = 4
"""The first and three more; then a record shows as failed."""
_UNCERTAIN = "record uncertain"  # no word of a text holds a space


class Standing(NamedTuple):
    """How many records wait for the model or another try, and which ones failed or are uncertain."""

    waiting: int
    failed: list[str]
    uncertain: list[str]


def await_model(change: Change, document: Document) -> None:
    """Queue a record for the model; of its versions the newest counts."""
    _put(change, document, MODEL_JOB)


def await_retry(change: Change, document: Document) -> None:
    """Queue a record whose expert failed."""
    _put(change, document, RETRY_JOB)


def _put(change: Change, document: Document, kind: str) -> None:
    payload = json.dumps({"document": document.id, "tx": document.tx_from})
    job = {"ws": change.ws, "id": f"{kind}:{document.id}", "kind": kind, "payload": payload, "due_at": change.now}
    change.connection.run("job_put", job)


def note_uncertain(change: Change, document: Document, is_uncertain: bool) -> None:
    """List a record among those that a person should look at, or take it off that list."""
    row = {"ws": change.ws, "word": _UNCERTAIN, "document": document.id}
    if is_uncertain:
        change.connection.run("awaited_add", row)
    elif document.tx_from == change.tx and change.rows("awaiting_one", word=_UNCERTAIN, document=document.id):
        change.connection.run("awaited_drop", row)


def standing(view: View) -> Standing:
    """How the records stand that were not read to the end."""
    jobs = [(kind, json.loads(payload), attempts) for kind, payload, attempts in view.rows("jobs_of_records")]
    failed = [job["document"] for _, job, attempts in jobs if attempts >= ATTEMPTS]
    uncertain = [row[0] for row in view.rows("awaiting", words=[_UNCERTAIN])]
    return Standing(len(jobs) - len(failed), _keys(view, failed), _keys(view, uncertain))


def _keys(view: View, documents: list[str]) -> list[str]:
    return sorted(each.key for each in view.documents([DocumentId(each) for each in documents]).values())
