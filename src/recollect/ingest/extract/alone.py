"""Taking in a record that stands alone: kept as a document, then read by its expert and by the rules."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from recollect.ingest.documents import DocumentDraft, keep_document
from recollect.ingest.experts.asking import check_schema, extracted, record_of, relevancy
from recollect.ingest.experts.identifying import find_identified
from recollect.ingest.experts.loading import NO_EXPERTS, Expert, ExpertFailed, Experts, load_experts
from recollect.ingest.extract.again import read_again
from recollect.ingest.extract.fields_told import PROJECT
from recollect.ingest.extract.grounding import ground
from recollect.ingest.extract.identity import held_record, note_identity
from recollect.ingest.extract.noise import noise_in
from recollect.ingest.extract.reading import BUILT_IN, MARK, NOISE, Rules, read_record, rules_for
from recollect.ingest.extract.waiting import MODEL_JOB, await_model, await_retry, note_uncertain
from recollect.ingest.line import Line, RecordPart
from recollect.ingest.superseding import settle_awaited
from recollect.ingest.take import draft_of, tell_extracted
from recollect.memory import Memory
from recollect.model.document import Document, content_hash
from recollect.model.fact import Assertion
from recollect.model.ids import EntityId
from recollect.store.change import Change
from recollect.when.instant import say_instant

UNCERTAIN = "uncertain"


@dataclass(slots=True)
class Reader:
    """Reads the records of one run that stand alone, and remembers what its user should know."""

    rules: Rules = BUILT_IN
    experts: Experts = NO_EXPERTS
    has_model: bool = False
    facts: int = 0
    dropped: int = 0
    queued: int = 0
    letters: int = 0
    """How much text waits for the model."""
    warnings: list[str] = field(default_factory=list)

    def take(self, change: Change, line: Line) -> bool:
        """Keep the record and write what it tells; false if it is known as it is."""
        if line.record is None:
            return False
        expert = self.experts.by_type.get(line.record.type)
        if expert is not None:
            check_schema(expert, line.record.type, line.record.properties)
        held = held_record(change, line.record, expert.manifest.dedup_key if expert else None)
        draft = draft_of(change, line.record, held)
        failure = None
        try:
            draft = _marked(line.record, draft, expert)
        except ExpertFailed as problem:
            failure = problem
        if held is not None and is_as_held(held, draft):
            return False
        change.take_line(line.hash)
        document = keep_document(change, draft, held)
        note_identity(change, document, expert.manifest.dedup_key if expert else None, is_new=held is None)
        if failure is not None:
            self._try_later(change, document, failure)
        else:
            self._read(change, document, draft.text, held)
        return True

    def _read(self, change: Change, document: Document, text: str | None, held: Document | None) -> None:
        """Read a record that was just kept; if its expert fails, it waits for another try."""
        is_uncertain = document.properties.get(MARK) == UNCERTAIN
        if is_uncertain or held is not None:
            note_uncertain(change, document, is_uncertain)
        before = change.assertions_from(document.id) if held is not None else None
        try:
            self.read_or_fail(change, document, text, before)
        except ExpertFailed as problem:
            self._try_later(change, document, problem)

    def _try_later(self, change: Change, document: Document, problem: ExpertFailed) -> None:
        await_retry(change, document)
        self.warnings.append(f"record {document.key!r}: {problem}; it is kept and tried again later")

    def read_or_fail(
        self, change: Change, document: Document, text: str | None, before: Sequence[Assertion] | None
    ) -> None:
        """Write what a kept record tells; if its expert fails, nothing of it."""
        by_rules = None if before is None else [each for each in before if not each.extracted_by.startswith("expert:")]
        by_expert = [each for each in before or () if each.extracted_by.startswith("expert:")]
        named = self._ask(change, document, text, by_expert)
        read = read_record(change, document, text, by_rules, self.rules, named)
        self.facts += read.facts
        self.warnings += read.warnings
        if self.has_model and text and document.properties.get(MARK) not in (NOISE, UNCERTAIN):
            await_model(change, document)
            self.queued += 1
            self.letters += len(text)

    def _ask(self, change: Change, document: Document, text: str | None, before: Sequence[Assertion]) -> set[EntityId]:
        """Let the expert of the record's type read it; the entities that it names."""
        expert = self.experts.by_type.get(document.type)
        if expert is None or document.properties.get(MARK) in (NOISE, UNCERTAIN):
            return set()
        context = {"now": say_instant(change.now), "workspace": change.workspace.name}
        found = ground(change, document, text, extracted(expert, record_of(document, text), context))
        self.dropped += found.dropped
        self.facts += len(found.facts)
        told = Line("", None, found.entities, found.facts)
        seek = partial(find_identified, manifest=expert.manifest)
        return tell_extracted(change, document, told, f"expert:{expert.manifest.name}", before, seek)

    def finish(self, memory: Memory) -> None:
        """See to what came later than the records it matters to, and say what was left out and what waits."""
        self.warnings += settle_awaited(memory)
        read_again(memory, replace(self.rules, has_projects=True))
        if self.dropped:
            self.warnings.append(f"{self.dropped} statements were dropped: the records do not bear them out")
        if self.queued:
            tokens = self.letters // 4 + self.queued * 500
            self.warnings.append(
                f"{self.queued} records wait to be read by the model, about {tokens} tokens ({MODEL_JOB})"
            )


def _marked(part: RecordPart, draft: DocumentDraft, expert: Expert | None) -> DocumentDraft:
    """The draft with its mark: noise by the rules, or what its expert thinks of it, unless somebody said."""
    if part.properties.get(MARK) is not None:
        return draft
    signal = noise_in(draft.type, {"author": part.author, **part.properties}, draft.title, draft.text)
    if signal is not None:
        return _with(draft, {MARK: NOISE, "noise_signal": signal})
    opinion = relevancy(expert, _record(part)) if expert is not None else "relevant"
    return draft if opinion == "relevant" else _with(draft, {MARK: opinion})


def _with(draft: DocumentDraft, marks: dict[str, Any]) -> DocumentDraft:
    return draft._replace(properties={**draft.properties, **marks})


def _record(part: RecordPart) -> dict[str, Any]:
    told = {"id": part.id, "type": part.type, "title": part.title, "source_at": part.source_at, "url": part.url}
    return {**told, "content": part.content, "metadata": dict(part.properties)}


def reader_for(memory: Memory) -> Reader:
    """A reader by the rules, the experts and the model of this memory's workspace."""
    with memory.read() as view:
        has_projects = bool(view.entities_of_types([PROJECT], 1))
    settings = memory.settings
    return Reader(rules_for(settings, has_projects), load_experts(settings), memory.model is not None)


def is_as_held(held: Document, draft: DocumentDraft) -> bool:
    """Whether a record says nothing that the version held does not say."""
    digest = content_hash(draft.text) if draft.text else None
    return (
        held.deleted is None
        and (held.type, held.title, held.author, held.url) == (draft.type, draft.title, draft.author, draft.url)
        and (held.source_at, held.content) == (draft.source_at, digest)
        and dict(held.properties) == dict(draft.properties)
    )
