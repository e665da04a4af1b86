"""Background jobs of records: retries of experts, and extraction by the model."""

import logging
from collections.abc import Sequence

from recollect.errors import Refused
from recollect.ingest.experts.registry import ExpertFailed, classify_record, load_experts, record_for_expert
from recollect.ingest.extract.grounding import ground_extraction, rejection_summary
from recollect.ingest.extract.model_extractor import extract_with_model
from recollect.ingest.extract.record_reader import (
    MAX_ATTEMPTS,
    MODEL_JOB,
    RETRY_JOB,
    RecordReader,
    flag_uncertain,
    make_record_reader,
)
from recollect.ingest.job_steps import claim_job
from recollect.ingest.line import IngestItem
from recollect.ingest.line_writer import write_extracted
from recollect.ingest.parties import parse_party
from recollect.ingest.record_types import CLASSIFICATION, document_field, record_type
from recollect.llm.port import LanguageModel, ModelUnavailable
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.fact import POLARITY, Assertion, Fact
from recollect.model.ids import DocumentId
from recollect.model.names import fold
from recollect.store import job_queries
from recollect.store.change import Change
from recollect.store.job_queries import DueJob
from recollect.when.instant import SECOND
from recollect.write.entity_refs import add_mentions
from recollect.write.fact_draft import RULES
from recollect.write.slot_conflicts import ask_about_reading

MODEL = "model:"
"""How what a model extracted is marked, before its name."""
log = logging.getLogger("recollect.ingest")
CLAIM_TIME = 300 * SECOND
RETRY_DELAYS = (2, 30, 300)
"""Seconds before each further attempt."""


def process_next(memory: Memory) -> bool:
    """Process one waiting job; whether there was one."""
    return retry_next_expert(memory) or run_next_model_job(memory) is not None


def retry_next_expert(memory: Memory) -> bool:
    """Retry the expert of one record; whether one was due."""
    job = _claim_next(memory, RETRY_JOB)
    if job is None:
        return False
    reader = make_record_reader(memory)
    try:
        with memory.write() as change:
            document = change.document(job.document)
            if document is not None and not document.deleted:
                _retry_record(change, document, reader)
            _drop_job(change, job)
    except (ExpertFailed, Refused) as problem:
        _reschedule_job(memory, job, str(problem))
    return True


def _retry_record(change: Change, document: Document, reader: RecordReader) -> None:
    text, expert = change.text_of(document), reader.experts.by_type.get(document.type)
    opinion = "relevant"
    if expert is not None and document.properties.get(CLASSIFICATION) is None:
        opinion = classify_record(expert, record_for_expert(document, text))
    if opinion != "relevant":
        document = change.put_document(document._replace(properties={**document.properties, CLASSIFICATION: opinion}))
        flag_uncertain(change, document, opinion == "uncertain")
        return
    reader.read_or_fail(change, document, text, change.assertions_from(document.id))


def run_next_model_job(memory: Memory) -> int | None:
    """Extract one record with the model; how many statements were dropped, none if nothing was due."""
    model = memory.model
    job = _claim_next(memory, MODEL_JOB) if model is not None else None
    if model is None or job is None:
        return None
    with memory.read() as view:
        document = view.document(job.document)
        text = view.text_of(document) if document is not None else None
    if document is None or document.deleted or not text:
        with memory.write() as change:
            _drop_job(change, job)
        return 0
    try:
        found = extract_with_model(
            model, document, text, _record_speaker(document), load_experts(memory.settings).vocabulary
        )
    except ModelUnavailable as problem:
        _reschedule_job(memory, job, str(problem))
        return 0
    with memory.as_actor("cli", "ingest", memory.actor.name).write() as change:
        dropped = _write_model_facts(change, document, text, found, model)
        _drop_job(change, job)
    return dropped


def _write_model_facts(
    change: Change, document: Document, text: str, found: dict[str, list[object]], model: LanguageModel
) -> int:
    """Write the model's statements that the record supports; how many it does not support."""
    now = change.document(document.id)
    if now is None or now.content != document.content:
        return 0
    by = f"{MODEL}{model.name}"
    told = change.assertions_from(document.id)
    before = [each for each in told if each.extracted_by.startswith(MODEL)]
    by_rules = [each for each in told if each.extracted_by == RULES and each.quote]
    quotes = [each.quote for each in by_rules if each.quote]
    grounded = ground_extraction(change, document, text, found, needs_quote=True, read_otherwise=quotes)
    if grounded.dropped:
        log.info(
            "%s: %d items of %s dropped: %s",
            document.id,
            len(grounded.dropped),
            by,
            rejection_summary(grounded.dropped),
        )
    try:
        named = write_extracted(change, document, IngestItem("", None, grounded.entities, grounded.facts), by, before)
    except Refused:
        return len(found["entities"]) + len(found["facts"])
    add_mentions(change, document.id, named)
    _ask_where_they_differ(change, document.id, by_rules)
    return len(grounded.dropped)


def _ask_where_they_differ(change: Change, document: DocumentId, by_rules: Sequence[Assertion]) -> None:
    """Leave it to review where rules and model read one sentence with another polarity or time."""
    by_model = [each for each in change.assertions_from(document) if each.extracted_by.startswith(MODEL)]
    for one in by_rules:
        for other in by_model:
            if one.fact != other.fact and fold(one.quote or "") == fold(other.quote or ""):
                _ask_if_different(change, change.fact(one.fact), change.fact(other.fact))


def _ask_if_different(change: Change, ruled: Fact | None, modelled: Fact | None) -> None:
    if ruled is None or modelled is None or ruled.is_retracted or modelled.is_retracted:
        return
    if ruled.subject != modelled.subject or ruled.predicate != modelled.predicate:
        return
    times = [(each.valid_from, each.valid_until) for each in (ruled, modelled)]
    polarity = [each.attributes.get(POLARITY) for each in (ruled, modelled)]
    if times[0] != times[1] or polarity[0] != polarity[1]:
        ask_about_reading(change, ruled, modelled)


def _record_speaker(document: Document) -> str | None:
    key = record_type(document.type).speaker
    party = parse_party(document_field(document, key))
    return (party.name or party.address) if party is not None else None


def _claim_next(memory: Memory, kind: str) -> DueJob | None:
    return claim_job(memory, kind, MAX_ATTEMPTS, CLAIM_TIME)


def _drop_job(change: Change, job: DueJob) -> None:
    if job_queries.is_still_queued(change, job):
        job_queries.drop_job(change, job.id)


def _reschedule_job(memory: Memory, job: DueJob, why: str) -> None:
    with memory.write() as change:
        job_queries.fail_job(change, job, why, RETRY_DELAYS)
