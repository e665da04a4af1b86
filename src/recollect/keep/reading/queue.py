"""Memories that wait to be read: one at a time, asked outside any transaction, written in one of its own."""

import json
from dataclasses import dataclass, replace

from recollect.ingest.jobs import claim_job
from recollect.keep.artifacts.versions import past, versions_of
from recollect.keep.identity.blocks import blocks
from recollect.keep.reading.extracted import Written, write_found
from recollect.keep.reading.health import ATTEMPTS, note_attempt
from recollect.keep.reading.jobs import JOB, SHORTEST
from recollect.keep.reading.reader import Found, read_text
from recollect.llm.port import Model, ModelUnavailable
from recollect.memory import Memory
from recollect.model.actor import Actor
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.search.chunk import passages
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import SECOND

SURFACE, TOOL = "entity-core", "extraction"
WAITS = (1, 4, 16, 64, 256)
"""Seconds before each further attempt; after the last, a job has failed."""
CLAIM = 90 * SECOND
RANGE = {"kind": JOB, "low": f"{JOB}:", "high": f"{JOB};"}


@dataclass(frozen=True, slots=True)
class Job:
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


def begin_reading(memory: Memory) -> None:
    """Make due again what failed before, and what a process that died had claimed."""
    with memory.write() as change:
        change.connection.run("jobs_begin_again", {"ws": change.ws, "now": change.now, "attempts": ATTEMPTS, **RANGE})


def read_next(memory: Memory) -> bool:
    """Read the memory that has waited longest; whether there was one to read."""
    model = memory.endpoint
    job = _claimed(memory) if model is not None else None
    if model is None or job is None:
        return False
    with memory.read() as view:
        document, texts = _wanted(view, job)
    try:
        found = _read(memory, model, job, texts)
    except ModelUnavailable as problem:
        _note_failure(memory, job, str(problem))
    except Exception:
        _note_failure(memory, job, "something unforeseen happened")
        raise
    else:
        _write(memory, model, job, document, found)
    return True


def _claimed(memory: Memory) -> Job | None:
    row = claim_job(memory, JOB, ATTEMPTS, CLAIM)
    return Job(*row) if row else None


def _wanted(view: View, job: Job) -> tuple[Document | None, list[str]]:
    """The memory, if the job still speaks of its present version, and the passages to read."""
    document = next((each for each in versions_of(view, job.document) if each.tx_from == job.tx), None)
    now = view.document(document.id) if document else None
    if document is None or now is None or now.deleted or now.content != document.content:
        return None, []
    text = view.text_of(document) or ""
    new = text if job.grown_from is None else _new_part(text, _text_at(view, document, job.grown_from))
    return document, [each.text for each in passages(None, new)] if len(new.strip()) >= SHORTEST else []


def _text_at(view: View, document: Document, tx: int) -> str:
    then = past(view, tx).document(document.id)
    return (view.text_of(then) or "") if then is not None else ""


def _new_part(text: str, before: str) -> str:
    """The blocks of a text that an earlier one does not have."""
    known = {block.key for block in blocks(before)}
    return "\n\n".join(block.text for block in blocks(text) if block.key not in known)


def _read(memory: Memory, model: Model, job: Job, texts: list[str]) -> Found:
    found = Found()
    for place, text in enumerate(texts):
        if place:
            with memory.write() as change:
                change.connection.run("job_claim", {"ws": change.ws, "id": job.id, "until": change.now + CLAIM})
        found += read_text(model, text)
    return found


def _write(memory: Memory, model: Model, job: Job, document: Document | None, found: Found) -> None:
    """Write what was read and end the job, unless the memory has changed meanwhile: then another job waits."""
    author = (document.author if document else None) or TOOL
    with replace(memory, actor=Actor(SURFACE, TOOL, author)).write() as change:
        if not _is_waiting(change, job):
            return
        done = write_found(change, document, found, model.name) if document else Written(0, 0, 0)
        change.connection.run("job_drop", {"ws": change.ws, "id": job.id})
        note_attempt(change, nodes=done.nodes, edges=done.edges, dropped=done.dropped)


def _note_failure(memory: Memory, job: Job, why: str) -> None:
    with memory.write() as change:
        if not _is_waiting(change, job):
            return
        wait = WAITS[min(job.attempts, len(WAITS) - 1)] * SECOND
        change.connection.run("job_failed", {"ws": change.ws, "id": job.id, "due_at": change.now + wait, "error": why})
        note_attempt(change, error=why)


def _is_waiting(change: Change, job: Job) -> bool:
    """Whether the job is still the one that was claimed."""
    found = change.rows("job_one", id=job.id)
    return bool(found) and found[0][1] == job.payload
