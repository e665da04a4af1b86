"""The facts read from a note, sentence by sentence, and the parts that nothing was read from."""

from collections.abc import Collection, Iterable, Sequence
from copy import deepcopy

from recollect.ingest.notes.claim_requests import NO_FACTS, OwnFacts, find_only, requests_of, target_text
from recollect.ingest.notes.fact_outcomes import EntityLink, FactOutcome, LinkKind
from recollect.ingest.notes.fact_recorder import FactRecorder
from recollect.ingest.notes.fact_request import ClaimRequest, EndRequest
from recollect.ingest.notes.item_reports import CompletionReport, ItemReports
from recollect.ingest.notes.known_endings import KnownEndings
from recollect.ingest.notes.new_due_dates import in_place_of_item, new_due_date
from recollect.ingest.notes.note_acts import NoteActs, owner_names
from recollect.ingest.notes.reader import NoteSentence, read_note
from recollect.ingest.notes.sentence_parts import unread_parts
from recollect.ingest.notes.value_corrections import corrected_value
from recollect.model.document import Document
from recollect.model.fact import Fact
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.reading.pronouns import PeopleNamed
from recollect.reading.reader import MAX_SENTENCE_CHARS
from recollect.reading.state import State
from recollect.reason.closures.completion_terms import completion_terms, item_terms
from recollect.reason.closures.open_items import CANCELLATION, COMPLETION, ITEM_PREDICATES
from recollect.resolve.name_finder import find_names
from recollect.store.change import Change
from recollect.text.fold import shorten
from recollect.text.verbs import is_past_form
from recollect.write.entity_refs import add_mentions
from recollect.write.fact_draft import FactDraft
from recollect.write.owner import find_owner
from recollect.write.predicates import canonical_predicate
from recollect.write.record_statement import count_sources

MAX_MENTION_CHARS = 20_000
MAX_UNREAD = 100
MAX_UNREAD_CHARS = 500
"""The most sentences that are listed as not understood, and how much of each: `unread` has the rest."""


def record_read(
    recorder: FactRecorder,
    note: Document,
    text: str,
    about: EndRequest | None,
    known: Sequence[Fact],
    own: OwnFacts = NO_FACTS,
) -> tuple[list[FactOutcome], tuple[str, ...]]:
    """The facts read from the note, and the sentences and parts of sentences that gave none.

    `known` are the facts given with it, `own` what it did when it was read before.
    """
    sentences = read_note(text, owner_names(recorder.change))
    reports = ItemReports(
        recorder.change, own.made_known, note.source_at if recorder.reconciliation is not None else None
    )
    acts = NoteActs(recorder.change, note, sentences, _topic_id(recorder.change, about), about is not None)
    endings = KnownEndings(recorder.change, note.source_at, about, own)
    had_owner = find_owner(recorder.change) is not None
    drafted = acts.read(text)
    outcomes: list[FactOutcome] = []
    left: list[str] = []
    named = PeopleNamed()
    for number, sentence in enumerate(sentences):
        is_unread = number not in drafted and number not in acts.states
        if is_unread and len(sentence.record.quote) > MAX_SENTENCE_CHARS:
            left.append(shorten(sentence.record.quote, MAX_UNREAD_CHARS))
            continue
        drafts = [each for each in drafted.get(number, ()) if not reports.is_of_another_completion(each)]
        completions = reports.completions(sentence)
        drafts, completion_requests = _add_completions(drafts, completions)
        asked = [
            (state, list(requests_of(recorder.change, state, sentence.record.quote, about, note.source_at, own)))
            for state in acts.states.get(number, ())
            if not _is_completion(state, completions)
        ]
        read = [state for state, requests in asked if requests]
        parts = unread_parts(sentence.record.quote, read, []) if read else [sentence.record.quote]
        ended = [] if completion_requests else endings.requests(sentence, parts, deepcopy(named))
        named.add(sentence.record.masked_text, acts.states.get(number, ()))
        ends = [each for _, requests in ended for each in requests]
        if ends:  # an end of what is known is not told as a cancellation, too
            drafts = [each for each in drafts if each.kind.fact_type != CANCELLATION]
        wanted = [*completion_requests, *(each for _, requests in asked for each in requests), *ends]
        drafts = new_due_date(reports, sentence, note) or [in_place_of_item(reports, draft) for draft in drafts]
        report = _report_in(reports, sentence, note, about) if not wanted and not drafts else None
        wanted = wanted if report is None else [report]
        fresh = [each for each in wanted if not _is_given(recorder.change, each, known)]
        outcomes += [recorder.record(each) for each in fresh]
        is_new = acts.created if had_owner else acts.created | owner_ids(recorder.change)
        outcomes += [_record_act(recorder, draft, is_new) for draft in drafts if not _is_given_item(draft, known)]
        if not wanted and not drafts:
            left.append(shorten(sentence.record.quote, MAX_UNREAD_CHARS))
        elif report is None:
            quotes = [each.source.quote or "" for each in drafts] + [each.quote for each in completions]
            quotes += [part for part, _ in ended]
            left += [shorten(each, MAX_UNREAD_CHARS) for each in unread_parts(sentence.record.quote, read, quotes)]
    return outcomes, tuple(left[:MAX_UNREAD])


def _report_in(
    reports: ItemReports, sentence: NoteSentence, note: Document, about: EndRequest | None
) -> ClaimRequest | None:
    """What a sentence says of an open item, or of a value that was told wrong."""
    return reports.read(sentence, note.source_at) or corrected_value(reports.change, sentence, about)


def _add_completions(
    drafts: Sequence[FactDraft], completions: Sequence[CompletionReport]
) -> tuple[list[FactDraft], list[ClaimRequest]]:
    """The drafts, where they report a completion closing its item, and requests for completions that were not read."""
    requests = []
    found = list(drafts)
    for completion in completions:
        at = next((at for at, each in enumerate(found) if completion.overlaps(each)), None)
        type_ = found[at].kind.fact_type if at is not None else None
        if type_ in ITEM_PREDICATES:
            continue  # told again, not done
        if at is not None and type_ in (COMPLETION, completion.predicate):
            if found[at].subject not in completion.item.ends:
                found[at] = found[at]._replace(supersedes=completion.item.id)
            continue
        found = [each for each in found if not completion.overlaps(each)]
        requests.append(completion.request())
    return found, requests


def _is_completion(state: State, completions: Sequence[CompletionReport]) -> bool:
    """Whether a value is the completion itself: *my passport is renewed* is no value of a passport."""
    target = state.target or ""
    return is_past_form(target) and any(target in completion.quote for completion in completions)


def _topic_id(change: Change, about: EndRequest | None) -> EntityId | None:
    topic = find_only(change, about) if about is not None else None
    return topic.id if topic is not None else None


def owner_ids(change: Change) -> set[EntityId]:
    owner = find_owner(change)
    return {owner.id} if owner is not None else set()


def _record_act(recorder: FactRecorder, draft: FactDraft, new: Collection[EntityId]) -> FactOutcome:
    change, recorded = recorder.change, recorder.record_draft(draft)
    if recorded is None:
        return FactOutcome("confirmed", draft.kind.predicate or draft.kind.fact_type or "", draft.words or "")
    fact = recorded.fact
    for end in (fact.subject, fact.object):
        entity = change.entity(end) if end is not None else None
        if entity is not None and entity.id not in recorder.links:
            link: LinkKind = "created" if entity.id in new else "linked"
            recorder.links[entity.id] = EntityLink(entity.name, link, entity)
    if draft.supersedes is not None and fact.predicate in ITEM_PREDICATES:
        return FactOutcome("replaced", fact.predicate, fact.words or "", fact.id, replaced=(draft.supersedes,))
    if recorded.is_new:
        return reported(fact)
    return FactOutcome("confirmed", fact.predicate, fact.words or "", fact.id, sources=count_sources(change, fact.id))


def _is_given(change: Change, request: ClaimRequest, given: Collection[Fact]) -> bool:
    """Whether a fact read from the text was also given: then it counts once, as given."""
    subject = find_only(change, request.subject) if given else None
    predicate = canonical_predicate(change, request.predicate)
    return subject is not None and any(
        fact.subject == subject.id
        and fact.predicate == predicate
        and (request.target_text is None or fold(target_text(change, fact)) == fold(request.target_text))
        for fact in given
    )


def _is_given_item(draft: FactDraft, given: Collection[Fact]) -> bool:
    """Whether a promise or request that was read is one of the items given."""
    said = item_terms(draft.words or "")
    kinds = ITEM_PREDICATES if draft.kind.fact_type in ITEM_PREDICATES else frozenset({draft.kind.fact_type})
    return any(
        fact.subject == draft.subject
        and fact.predicate in kinds
        and completion_terms(fact.literal or fact.words or fact.evidence or "", ()) <= said
        for fact in given
    )


def mention_entities(change: Change, note: Document, links: Iterable[EntityLink]) -> set[EntityId]:
    """Let the note mention the ends of its facts and everything whose name stands in it; all of these."""
    text = (change.text_of(note) or "")[:MAX_MENTION_CHARS]
    named = {span.entity for span in find_names(change, text) if span.entity is not None}
    ends = {link.entity.id for link in links if link.entity is not None}
    if named | ends:
        add_mentions(change, note.id, named | ends)
    return named | ends


def reported(fact: Fact) -> FactOutcome:
    return FactOutcome("recorded", fact.predicate, fact.words or "", fact.id)
