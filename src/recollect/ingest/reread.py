"""Reading one document or note again by the present rules, and what that adds to its facts and takes away."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from recollect.errors import Refused
from recollect.ingest.extract.rules import ExtractionRules, is_read_by_rules, reread_document
from recollect.ingest.notes.claim_requests import OwnFacts
from recollect.ingest.notes.fact_outcomes import NoteOrigin
from recollect.ingest.notes.fact_recorder import FactRecorder
from recollect.ingest.notes.fact_request import EndRequest
from recollect.ingest.notes.note_facts import mention_entities, owner_ids, record_read
from recollect.ingest.notes.remember import ABOUT, SOURCE
from recollect.model.document import REMEMBERED, Document, parse_url
from recollect.model.fact import OBSOLETE_SINCE, Assertion, Fact
from recollect.model.ids import EntityId, FactId
from recollect.resolve.name_finder import find_names
from recollect.store.change import Change
from recollect.store.review_queries import claims_ever_held
from recollect.store.view import View
from recollect.write.fact_draft import GIVEN, RULES
from recollect.write.retract import withdraw_assertions
from recollect.write.source_reconciliation import SourceReconciliation


@dataclass(frozen=True, slots=True)
class RereadOutcome:
    """The facts of a document by what became of them; one that is kept may also have other sources."""

    added: tuple[FactId, ...]
    changed: tuple[FactId, ...]
    kept: tuple[FactId, ...]
    withdrawn: tuple[FactId, ...]


class NotReadByRules(Refused):
    def __init__(self, why: str) -> None:
        super().__init__(f"this document cannot be read again: {why}; add its facts to an entity", field="document")


def can_reread(document: Document, text: str | None) -> bool:
    """Whether rules have read a document and can do so again: a record, or a note with its text."""
    return document.kind == "record" and (bool(text) if is_remembered(document) else is_read_by_rules(document))


def is_remembered(document: Document) -> bool:
    return REMEMBERED in document.properties and not document.deleted


def reread(change: Change, document: Document, rules: ExtractionRules) -> RereadOutcome:
    """Read a document again; what people gave and models found stays."""
    before = _facts_of(change, document)
    if is_remembered(document):
        text = change.text_of(document)
        if not text:
            raise NotReadByRules("its text was not kept")
        reread_note(change, document, text)
    elif not reread_document(change, document, rules):
        raise NotReadByRules("no rules have read it")
    return _compare(before, _facts_of(change, document))


def _facts_of(view: View, document: Document) -> dict[FactId, Fact]:
    claims = [each.fact for each in view.assertions_from(document.id) if each.is_claim]
    return {each: fact for each in claims if (fact := view.fact(each)) is not None}


def _compare(before: Mapping[FactId, Fact], after: Mapping[FactId, Fact]) -> RereadOutcome:
    both = [each for each in after if each in before]
    return RereadOutcome(
        tuple(each for each in after if each not in before),
        tuple(each for each in both if _says(after[each]) != _says(before[each])),
        tuple(each for each in both if _says(after[each]) == _says(before[each])),
        tuple(each for each in before if each not in after),
    )


def _says(fact: Fact) -> tuple[object, ...]:
    return fact.slot, fact.words, fact.valid_from, fact.valid_until


def reread_note(change: Change, note: Document, text: str) -> None:
    """Read a note by the present rules; what was given with it, and what a model found, stays."""
    said = change.assertions_from(note.id)
    before = [each for each in said if each.extracted_by == RULES or OBSOLETE_SINCE in each.attributes]
    source = note.properties.get(SOURCE)
    source = source if isinstance(source, str) else None
    reconciliation = SourceReconciliation(change, before)
    origin = NoteOrigin(note.source_at, note, source, parse_url(source))
    recorder = FactRecorder(change, origin, reconciliation=reconciliation, asked=claims_ever_held(change, note.id))
    given = _facts(change, (each for each in said if each.extracted_by == GIVEN and each.is_claim))
    record_read(recorder, note, text, _topic(change, note, text, before), given, _own_facts(change, before))
    mention_entities(change, note, recorder.links.values())
    _withdraw_marks(change, said, reconciliation.finish())


def _topic(change: Change, note: Document, text: str, before: Sequence[Assertion]) -> EndRequest | None:
    """What the note was told about: as it was stored, else the one thing its facts are of that it does not name."""
    stored = note.properties.get(ABOUT)
    ids = {EntityId(stored)} if isinstance(stored, str) else _unnamed_ends(change, text, before)
    found = [entity for each in ids if (entity := change.survivor(each)) is not None]
    return EndRequest(found[0].name, id=found[0].id) if len(found) == 1 else None


def _unnamed_ends(change: Change, text: str, before: Sequence[Assertion]) -> set[EntityId]:
    named = {span.entity for span in find_names(change, text)}
    # The first version is the one that was read; somebody may have moved it to another entity since.
    first = [version for each in before for version in change.fact_versions(each.fact)[:1]]
    return {fact.subject for fact in first} - named - owner_ids(change)


def _facts(change: Change, assertions: Iterable[Assertion]) -> list[Fact]:
    return [fact for each in assertions if (fact := change.fact(each.fact)) is not None]


def _own_facts(change: Change, before: Sequence[Assertion]) -> OwnFacts:
    first = {each.fact: min(other.recorded_at for other in change.assertions(each.fact)) for each in before}
    made = frozenset(each.fact for each in before if each.recorded_at <= first[each.fact])
    replaced = (change.fact(fact.supersedes) for fact in _facts(change, before) if fact.supersedes is not None)
    ended = frozenset(each.fact for each in before if not each.is_claim)
    return OwnFacts(made, tuple(fact for fact in replaced if fact is not None), ended)


def _withdraw_marks(change: Change, said: Sequence[Assertion], withdrawn: Sequence[Fact]) -> None:
    """Take away the ends that the note gave to other values by a value that it no longer gives."""
    gone = {(fact.subject, fact.predicate) for fact in withdrawn if fact.is_retracted}
    marks = [each for each in said if each.extracted_by == GIVEN and not each.is_claim]
    if gone and marks:
        wanted = {fact.id for fact in _facts(change, marks) if (fact.subject, fact.predicate) in gone}
        withdraw_assertions(change, [each for each in marks if each.fact in wanted])
