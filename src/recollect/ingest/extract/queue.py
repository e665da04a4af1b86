"""Working off the records that wait: another try of their experts, and the model's reading."""

import json
from dataclasses import dataclass

from recollect.errors import Refused
from recollect.ingest.experts.asking import record_of, relevancy
from recollect.ingest.experts.loading import ExpertFailed, load_experts
from recollect.ingest.extract.alone import Reader, reader_for
from recollect.ingest.extract.grounding import ground
from recollect.ingest.extract.model import ask_model
from recollect.ingest.extract.party import party_of
from recollect.ingest.extract.reading import MARK
from recollect.ingest.extract.types import field_of, record_type
from recollect.ingest.extract.waiting import ATTEMPTS, MODEL_JOB, RETRY_JOB, note_uncertain
from recollect.ingest.jobs import claim_job
from recollect.ingest.line import Line
from recollect.ingest.take import tell_extracted
from recollect.llm.port import Model, ModelUnavailable
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.when.instant import SECOND

CLAIM = 300 * SECOND
WAITS = (2, 30, 300)
"""Seconds before each further attempt."""


@dataclass(frozen=True, slots=True)
class _Job:
    id: str
    payload: str
    attempts: int

    @property
    def document(self) -> DocumentId:
        return DocumentId(json.loads(self.payload)["document"])


def read_waiting(memory: Memory) -> bool:
    """Do one piece of the work that waits; whether there was any."""
    return retry_next(memory) or model_next(memory) is not None


def retry_next(memory: Memory) -> bool:
    """Let the expert of one record try again; whether one was due."""
    job = _claimed(memory, RETRY_JOB)
    if job is None:
        return False
    reader = reader_for(memory)
    try:
        with memory.write() as change:
            document = change.document(job.document)
            if document is not None and not document.deleted:
                _retry(change, document, reader)
            _drop(change, job)
    except (ExpertFailed, Refused) as problem:
        _failed(memory, job, str(problem))
    return True


def _retry(change: Change, document: Document, reader: Reader) -> None:
    text, expert = change.text_of(document), reader.experts.by_type.get(document.type)
    opinion = "relevant"
    if expert is not None and document.properties.get(MARK) is None:
        opinion = relevancy(expert, record_of(document, text))
    if opinion != "relevant":
        document = change.put_document(document._replace(properties={**document.properties, MARK: opinion}))
        note_uncertain(change, document, opinion == "uncertain")
        return
    reader.read_or_fail(change, document, text, change.assertions_from(document.id))


def model_next(memory: Memory) -> int | None:
    """Let the model read one record; how much of what it said was dropped, none if nothing was due."""
    model = memory.model
    job = _claimed(memory, MODEL_JOB) if model is not None else None
    if model is None or job is None:
        return None
    with memory.read() as view:
        document = view.document(job.document)
        text = view.text_of(document) if document is not None else None
    if document is None or document.deleted or not text:
        with memory.write() as change:
            _drop(change, job)
        return 0
    try:
        found = ask_model(model, document, text, _speaker(document), load_experts(memory.settings).vocabulary)
    except ModelUnavailable as problem:
        _failed(memory, job, str(problem))
        return 0
    with memory.acting("cli", "ingest", memory.actor.name).write() as change:
        dropped = _write(change, document, text, found, model)
        _drop(change, job)
    return dropped


def _write(change: Change, document: Document, text: str, found: dict[str, list[object]], model: Model) -> int:
    """Write what the model found and the record bears out; how much it does not."""
    now = change.document(document.id)
    if now is None or now.content != document.content:
        return 0
    by = f"model:{model.name}"
    grounded = ground(change, document, text, found, needs_quote=True)
    before = [each for each in change.assertions_from(document.id) if each.extracted_by.startswith("model:")]
    try:
        named = tell_extracted(change, document, Line("", None, grounded.entities, grounded.facts), by, before)
    except Refused:
        return len(found["entities"]) + len(found["facts"])
    change.add_mentions(document.id, sorted(named - set(change.mentioned(document.id))))
    return grounded.dropped


def _speaker(document: Document) -> str | None:
    key = record_type(document.type).speaker
    party = party_of(field_of(document, key))
    return (party.name or party.address) if party is not None else None


def _claimed(memory: Memory, kind: str) -> _Job | None:
    row = claim_job(memory, kind, ATTEMPTS, CLAIM)
    return _Job(*row) if row else None


def _drop(change: Change, job: _Job) -> None:
    held = change.rows("job_one", id=job.id)
    if held and held[0][1] == job.payload:
        change.connection.run("job_drop", {"ws": change.ws, "id": job.id})


def _failed(memory: Memory, job: _Job, why: str) -> None:
    wait = WAITS[min(job.attempts, len(WAITS) - 1)] * SECOND
    with memory.write() as change:
        change.connection.run("job_failed", {"ws": change.ws, "id": job.id, "due_at": change.now + wait, "error": why})
