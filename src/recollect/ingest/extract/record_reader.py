"""Reader of standalone records: stores them, runs expert and rules, queues the model, grounds results."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from recollect.ingest.documents import DocumentDraft, is_lesser_copy, place_draft, store_document
from recollect.ingest.experts.registry import (
    NO_EXPERTS,
    Expert,
    ExpertFailed,
    Experts,
    check_record_schema,
    classify_record,
    extract_from_record,
    find_by_identifier,
    load_experts,
    record_for_expert,
)
from recollect.ingest.extract.close_items import close_answered_items
from recollect.ingest.extract.facts import PROJECT
from recollect.ingest.extract.grounding import ground_extraction, rejection_summary
from recollect.ingest.extract.record_text import ReadingRun
from recollect.ingest.extract.rules import (
    DEFAULT_RULES,
    NOISE,
    ExtractionRules,
    load_rules,
    read_record,
    reread_affected,
)
from recollect.ingest.line import IngestItem, RecordPart
from recollect.ingest.line_writer import draft_record, write_extracted
from recollect.ingest.record_types import (
    CLASSIFICATION,
    detect_noise,
    field_text,
    find_stored_record,
    index_identity,
    join_thread,
)
from recollect.ingest.statements import parse_instant, settle_awaited_supersessions
from recollect.memory import Memory
from recollect.model.document import Document, content_hash
from recollect.model.fact import Assertion
from recollect.model.ids import DocumentId, EntityId
from recollect.model.trust import without_marks
from recollect.store import ingest_queries as queries
from recollect.store import job_queries
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import format_instant

RECORD_JOBS = "records"
MODEL_JOB = "records:model"
RETRY_JOB = "records:expert"
MAX_ATTEMPTS = 4
"""The first and three retries; after that a record counts as failed."""
_UNCERTAIN = "record uncertain"  # no word of a text holds a space


class BacklogStatus(NamedTuple):
    """How many records wait for the model or another try, and which ones failed or are uncertain."""

    waiting: int
    failed: list[str]
    uncertain: list[str]


def queue_for_model(change: Change, document: Document) -> None:
    """Queue a record for the model; of its versions the newest counts."""
    _put_job(change, document, MODEL_JOB)


def queue_for_retry(change: Change, document: Document) -> None:
    """Queue a record whose expert failed."""
    _put_job(change, document, RETRY_JOB)


def _put_job(change: Change, document: Document, kind: str) -> None:
    payload = json.dumps({"document": document.id, "tx": document.tx_from})
    job_queries.put_job(change, f"{kind}:{document.id}", kind, payload)


def flag_uncertain(change: Change, document: Document, is_uncertain: bool) -> None:
    """Add a record to those that need a person's review, or remove it from them."""
    if is_uncertain:
        queries.await_words(change, document.id, [_UNCERTAIN])
    elif document.tx_from == change.tx and queries.is_awaiting(change, document.id, _UNCERTAIN):
        queries.stop_awaiting(change, document.id, _UNCERTAIN)


def backlog_status(view: View) -> BacklogStatus:
    """The records that wait, failed or are uncertain."""
    jobs = job_queries.jobs_of_kind(view, RECORD_JOBS)
    failed = [DocumentId(json.loads(job.payload)["document"]) for job in jobs if job.attempts >= MAX_ATTEMPTS]
    uncertain = queries.awaiting(view, [_UNCERTAIN])
    return BacklogStatus(len(jobs) - len(failed), _document_keys(view, failed), _document_keys(view, uncertain))


def _document_keys(view: View, documents: Collection[DocumentId]) -> list[str]:
    return sorted(each.key for each in view.documents(documents).values())


UNCERTAIN = "uncertain"


_TRACKERS = ("github_", "linear_", "jira_")
"""Records of which several exports lie side by side, some with more of a record: an earlier one does not return."""


@dataclass(slots=True)
class RecordReader:
    """Reads the standalone records of one run and collects counts and warnings."""

    rules: ExtractionRules = DEFAULT_RULES
    experts: Experts = NO_EXPERTS
    has_model: bool = False
    facts: int = 0
    dropped: int = 0
    reasons: list[str] = field(default_factory=list)
    """Why, for each that an expert's record does not bear out."""
    queued: int = 0
    queued_chars: int = 0
    """Characters of text queued for the model."""
    warnings: list[str] = field(default_factory=list)
    pending: int = 0
    """Facts whose time could not be read."""
    reason: str | None = None
    """Why the last record gave no facts, if that is known."""
    run: ReadingRun = field(default_factory=ReadingRun)
    begun: int | None = None
    """The last transaction before the run."""

    def write_record(self, change: Change, line: IngestItem) -> bool:
        """Store the record and write its facts; false if it is unchanged."""
        if line.record is None:
            return False
        if self.begun is None:
            self.begun = change.last_tx
        part = join_thread(change, line.record)
        expert = self.experts.by_type.get(part.type)
        if expert is not None:
            check_record_schema(expert, part.type, part.properties)
        stored = find_stored_record(change, part, expert.manifest.dedup_key if expert else None)
        draft = draft_record(change, part, stored)
        failure = None
        try:
            draft = _classify_draft(part, draft, expert)
        except ExpertFailed as problem:
            failure = problem
        if stored is not None and (is_unchanged(stored, draft) or is_lesser_copy(change, draft, stored)):
            return False
        draft, stored = place_draft(change, draft, stored)
        if stored is not None and (is_unchanged(stored, draft) or _is_older(change, stored, draft)):
            return False
        is_exported = part.type.startswith(_TRACKERS)
        queries.mark_ingested(change, line.hash, None if is_exported else stored)
        document = store_document(change, draft, stored)
        index_identity(change, document, expert.manifest.dedup_key if expert else None, is_new=stored is None)
        if failure is not None:
            self._queue_retry(change, document, failure)
        else:
            self._read_stored(change, document, draft.text, stored)
        return True

    def _read_stored(self, change: Change, document: Document, text: str | None, held: Document | None) -> None:
        """Read a stored record; if its expert fails, it is queued for a retry."""
        is_uncertain = document.properties.get(CLASSIFICATION) == UNCERTAIN
        if is_uncertain or held is not None:
            flag_uncertain(change, document, is_uncertain)
        before = change.assertions_from(document.id) if held is not None else None
        try:
            self.read_or_fail(change, document, text, before)
        except ExpertFailed as problem:
            self._queue_retry(change, document, problem)

    def _queue_retry(self, change: Change, document: Document, problem: ExpertFailed) -> None:
        queue_for_retry(change, document)
        self.warnings.append(f"record {document.key!r}: {problem}; it is kept and tried again later")

    def read_or_fail(
        self, change: Change, document: Document, text: str | None, before: Sequence[Assertion] | None
    ) -> None:
        """Write the facts of a stored record; none of them if its expert fails."""
        by_rules = None if before is None else [each for each in before if not each.extracted_by.startswith("expert:")]
        by_expert = [each for each in before or () if each.extracted_by.startswith("expert:")]
        named = self._run_expert(change, document, text, by_expert)
        read = read_record(change, document, text, by_rules, self.rules, named, self.run)
        self.facts += read.facts
        self.pending += read.pending
        self.reason = read.reason
        self.warnings += read.warnings
        if self.has_model and text and document.properties.get(CLASSIFICATION) not in (NOISE, UNCERTAIN):
            queue_for_model(change, document)
            self.queued += 1
            self.queued_chars += len(text)

    def _run_expert(
        self, change: Change, document: Document, text: str | None, before: Sequence[Assertion]
    ) -> set[EntityId]:
        """Let the expert of the record's type read it; the entities that it names."""
        expert = self.experts.by_type.get(document.type)
        if expert is None or document.properties.get(CLASSIFICATION) in (NOISE, UNCERTAIN):
            return set()
        context = {"now": format_instant(change.now), "workspace": change.workspace.name}
        found = ground_extraction(
            change, document, text, extract_from_record(expert, record_for_expert(document, text), context)
        )
        self.dropped += len(found.dropped)
        self.reasons += found.dropped
        self.facts += len(found.facts)
        told = IngestItem("", None, found.entities, found.facts)
        seek = partial(find_by_identifier, manifest=expert.manifest)
        return write_extracted(change, document, told, f"expert:{expert.manifest.name}", before, seek)

    def finish(self, memory: Memory) -> None:
        """Apply later names and supersessions to earlier records, and warn about dropped and queued statements."""
        self.warnings += settle_awaited_supersessions(memory)
        reread_affected(memory, replace(self.rules, has_projects=True), self.run.directory)
        if self.facts and self.begun is not None:
            close_answered_items(memory, self.begun)
        if self.dropped:
            why = rejection_summary(self.reasons)
            self.warnings.append(f"{self.dropped} statements were dropped: the records do not support them ({why})")
        if self.queued:
            tokens = self.queued_chars // 4 + self.queued * 500
            self.warnings.append(
                f"{self.queued} records wait to be read by the model, about {tokens} tokens ({MODEL_JOB})"
            )


def _classify_draft(part: RecordPart, draft: DocumentDraft, expert: Expert | None) -> DocumentDraft:
    """The draft with its classification, by the noise rules or its expert, unless it was given."""
    if part.properties.get(CLASSIFICATION) is not None:
        return draft
    signal = detect_noise(draft.type, {"author": part.author, **part.properties}, draft.title, draft.text)
    if signal is not None:
        return _with_properties(draft, {CLASSIFICATION: NOISE, "noise_signal": signal})
    opinion = classify_record(expert, _record_for_expert(part)) if expert is not None else "relevant"
    return draft if opinion == "relevant" else _with_properties(draft, {CLASSIFICATION: opinion})


def _with_properties(draft: DocumentDraft, marks: dict[str, Any]) -> DocumentDraft:
    return draft._replace(properties={**draft.properties, **marks})


def _record_for_expert(part: RecordPart) -> dict[str, Any]:
    told = {"id": part.id, "type": part.type, "title": part.title, "source_at": part.source_at, "url": part.url}
    return {**told, "content": part.content, "metadata": dict(part.properties)}


def make_record_reader(memory: Memory) -> RecordReader:
    """A reader by the rules, the experts and the model of this memory's workspace."""
    with memory.read() as view:
        has_projects = bool(view.entities_of_types([PROJECT], 1))
    settings = memory.settings
    rules = load_rules(settings, has_projects)
    run = ReadingRun(reader=rules.reader)
    return RecordReader(rules, load_experts(settings), memory.model is not None, run=run)


def _is_older(change: Change, held: Document, draft: DocumentDraft) -> bool:
    """Whether the stored version of a record says that it was updated after this one."""
    keys = ("updated_at", "linear_updated_at")
    given, stored = (
        next(
            (
                parse_instant(change, field_text(each.properties.get(key)), key)
                for key in keys
                if key in each.properties
            ),
            None,
        )
        for each in (draft, held)
    )
    return given is not None and stored is not None and given < stored


def is_unchanged(held: Document, draft: DocumentDraft) -> bool:
    """Whether a record is the same as the stored version."""
    digest = content_hash(draft.text) if draft.text else None
    return (
        held.deleted is None
        and (held.type, held.title, held.author, held.url) == (draft.type, draft.title, draft.author, draft.url)
        and (held.source_at, held.content) == (draft.source_at, digest)
        and without_marks(held.properties) == without_marks(draft.properties)
    )
