"""Remembering: a note kept verbatim, the facts given with it, and those read from it, in one transaction.

The note is stored first and whatever becomes of the facts, so that nothing that was told is lost.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from recollect.errors import RecollectError
from recollect.ingest.documents import DocumentDraft, store_document
from recollect.ingest.extract.close_items import close_by_note
from recollect.ingest.notes.fact_outcomes import EntityLink, FactOutcome, NoteOrigin
from recollect.ingest.notes.fact_recorder import FactRecorder
from recollect.ingest.notes.fact_request import (
    REPORT_PREDICATES,
    BadFact,
    ClaimRequest,
    EndRequest,
    QuoteMissing,
    RefusedClaim,
)
from recollect.ingest.notes.note_acts import owner_names
from recollect.ingest.notes.note_facts import mention_entities, owner_ids, record_read, reported
from recollect.ingest.notes.quote_limits import QuotableText, limited_by_quote
from recollect.ingest.notes.reader import read_note
from recollect.model.document import REMEMBERED, Document, content_hash, parse_url
from recollect.model.fact import Fact, ends_of_facts
from recollect.model.history import is_current
from recollect.model.ids import DocumentId, EntityId, FactId, format_uuid
from recollect.reason.closures.open_items import DECISION, Closing
from recollect.reason.items.item_lookup import closed_items
from recollect.search.hidden_sentences import has_erased_sentence
from recollect.store.change import Change
from recollect.store.ingest_queries import hidden_documents_with_text
from recollect.store.review_queries import HeldFact, drop_held_fact
from recollect.text.prompt_injection import find_suspicions
from recollect.text.redaction import apply_policy, secret_policy
from recollect.text.verbatim import normalize_for_match
from recollect.text_models.closure import ClosureMatcher
from recollect.when.instant import Instant
from recollect.write.record_statement import count_sources
from recollect.write.tombstones import ErasedContent

NOTE_TYPE = "note"
SOURCE = "source"
"""Property of a note: where it was learned, in the words of the caller."""
ABOUT = "about"
"""Property of a note: the id of the entity it is about, if it was told with one."""


class RememberRequest(NamedTuple):
    """What to remember."""

    source_at: Instant
    text: str | None = None
    facts: Sequence[ClaimRequest | RefusedClaim] = ()
    about: EndRequest | None = None
    source: str | None = None
    document: Document | None = None
    """The document that the given facts come from."""
    has_own_time: bool = False
    """Whether the time of the source was given; else facts from a document have the time of that document."""


class RememberOutcome(NamedTuple):
    """What became of it."""

    note: DocumentId | None
    facts: tuple[FactOutcome, ...]
    entities: tuple[EntityLink, ...]
    closed: tuple[FactId, ...]
    not_understood: tuple[str, ...]
    is_hidden: bool = False
    """Whether the text is that of a note that was hidden, and stays so."""


def remember_all(change: Change, request: RememberRequest, matcher: ClosureMatcher | None = None) -> RememberOutcome:
    """Keep the text and record the facts; a fact that is refused or held takes nothing else with it.

    The text of a hidden note, told again from the same source, is that source taken in again, and stays hidden. A
    matcher closes the items that the text shows to be over in words that no rule knows.
    """
    if request.text is not None:
        request = request._replace(text=_without_secrets(change, request.text))
        if change.forgotten and has_erased_sentence(change, request.text or ""):
            raise ErasedContent("a sentence of this text")
    hidden = _hidden_note(change, request)
    note = _keep_note(change, request) if request.text is not None and hidden is None else None
    links = _topic_link(change, request.about)
    given = _record_given(change, request, note, links)
    read, not_understood = _record_text(change, request, note, links, given) if note is not None else ([], ())
    outcomes = (*given, *read)
    named = mention_entities(change, note, links.values()) if note is not None else set()
    closed = tuple(_closed_by(change, [each.fact for each in outcomes if each.predicate in REPORT_PREDICATES]))
    kept = note or hidden
    done = RememberOutcome(
        kept.id if kept else None, outcomes, tuple(links.values()), closed, not_understood, is_hidden=hidden is not None
    )
    if matcher is None or note is None or not _is_said_by_owner(change, request.text or ""):
        return done
    return _with_spoken_closings(change, done, note, named, matcher, request.source)


def _record_text(
    change: Change,
    request: RememberRequest,
    note: Document,
    links: dict[str, EntityLink],
    given: Sequence[FactOutcome],
) -> tuple[list[FactOutcome], tuple[str, ...]]:
    recorder = FactRecorder(change, _origin(request, note), links)
    known = [fact for each in given if each.fact is not None and (fact := change.fact(each.fact))]
    return record_read(recorder, note, request.text or "", request.about, known)


def _is_said_by_owner(change: Change, text: str) -> bool:
    """Whether all of a text is said by the owner, and none of it looks like an attack on a model."""
    return not find_suspicions(text) and all(each.is_owners for each in read_note(text, owner_names(change)))


def _with_spoken_closings(
    change: Change,
    done: RememberOutcome,
    note: Document,
    named: set[EntityId],
    matcher: ClosureMatcher,
    given: str | None,
) -> RememberOutcome:
    """What was remembered, with the items that a matcher closed, their reports, and without the sentences it read."""
    found = close_by_note(change, note, named | owner_ids(change), matcher, given)
    known = {each.fact for each in done.facts}
    reports = [fact for id_ in dict.fromkeys(report for _, report in found) if (fact := change.fact(id_))]
    return done._replace(
        facts=(*done.facts, *(reported(fact) for fact in reports if fact.id not in known)),
        closed=tuple(dict.fromkeys((*done.closed, *(each.item.id for each, _ in found)))),
        not_understood=tuple(
            text
            for text in done.not_understood
            if not any(
                normalize_for_match(text).text in normalize_for_match(each.sentence.text).text for each, _ in found
            )
        ),
    )


def _without_secrets(change: Change, text: str) -> str:
    """The text as the policy for secrets lets it be stored."""
    return apply_policy(text, secret_policy(change.settings.for_workspace(change.world.settings))).text


def _origin(request: RememberRequest, document: Document | None) -> NoteOrigin:
    return NoteOrigin(request.source_at, document, request.source, parse_url(request.source))


def _topic_link(change: Change, about: EndRequest | None) -> dict[str, EntityLink]:
    entity = change.entity(about.id) if about is not None and about.id is not None else None
    if about is None or entity is None:
        return {}
    return {entity.id: EntityLink(entity.name, "created" if about.is_new else "linked", entity)}


def _record_given(
    change: Change, request: RememberRequest, note: Document | None, links: dict[str, EntityLink]
) -> list[FactOutcome]:
    """Record the facts that were given; they come from the document named, else from the note."""
    document = request.document
    origin = _origin(request, document or note)
    if document is not None:
        source_at = request.source_at if request.has_own_time else document.source_at
        told = document.properties.get(SOURCE) if document.properties.get(REMEMBERED) else None
        given = request.source if request.source is not None or not isinstance(told, str) else told
        origin = origin._replace(source_at=source_at, given=given, needs_quote=True)
    recorder = FactRecorder(change, origin, links)
    texts = [text for text in (request.text, change.text_of(document) if document else None) if text]
    quotable = [QuotableText.of(text) for text in texts] if any(map(_has_quote, request.facts)) else []
    facts = [_with_group(each, request.about) for each in request.facts]
    return _record_each(recorder, facts, quotable)


def _record_each(
    recorder: FactRecorder, facts: Sequence[ClaimRequest | RefusedClaim], quotable: Sequence[QuotableText]
) -> list[FactOutcome]:
    """Record the facts of one call, what it gives twice only once: one source does not count twice."""
    given: dict[ClaimRequest | RefusedClaim, list[FactOutcome]] = {}
    outcomes: list[FactOutcome] = []
    for fact in facts:
        before = given.setdefault(fact, [])
        again = _repeated(recorder.change, before[-1]) if before else None
        outcomes.append(again or _record_one(recorder, fact, quotable))
        before.append(outcomes[-1])
    return outcomes


def _repeated(change: Change, known: FactOutcome) -> FactOutcome | None:
    """The outcome of a fact that the same call recorded before; none if that no longer stands."""
    stored = change.fact(known.fact) if known.fact is not None else None
    if stored is None or not is_current(stored, change.world.present):
        return None
    sources = count_sources(change, stored.id)
    return FactOutcome("confirmed", known.predicate, known.text, stored.id, sources=sources)


def _with_group(fact: ClaimRequest | RefusedClaim, about: EndRequest | None) -> ClaimRequest | RefusedClaim:
    return fact if about is None or isinstance(fact, RefusedClaim) else fact.with_group(about)


def _has_quote(fact: ClaimRequest | RefusedClaim) -> bool:
    return isinstance(fact, ClaimRequest) and fact.quote is not None


def _record_one(
    recorder: FactRecorder, fact: ClaimRequest | RefusedClaim, quotable: Sequence[QuotableText]
) -> FactOutcome:
    if isinstance(fact, RefusedClaim):
        return FactOutcome("refused", fact.predicate, fact.text, error=fact.error)
    problem = _quote_problem(fact, quotable, is_required=recorder.origin.needs_quote)
    if problem is not None:
        return FactOutcome("refused", fact.predicate, fact.as_text(), error=problem)
    try:
        return recorder.record(limited_by_quote(recorder.change, fact, quotable, recorder.origin))
    except BadFact as problem:
        return FactOutcome("refused", fact.predicate, fact.as_text(), error=problem)


def _quote_problem(fact: ClaimRequest, quotable: Sequence[QuotableText], *, is_required: bool) -> RecollectError | None:
    if fact.quote is None and not is_required:
        return None
    field = f"{fact.field}.quote"
    if fact.quote is None:
        return BadFact(f"{fact.field} has no quote", field, "Quote the words of the document that say so.")
    if any(each.has(fact.quote) for each in quotable):
        return None
    where = "the text or document" if quotable else "any text: neither text nor document was sent"
    return QuoteMissing(f"{field} is not in {where}", field, "Quote the words exactly as they stand there.")


def record_held_fact(change: Change, held: HeldFact, request: ClaimRequest, entity: EntityId | None) -> FactOutcome:
    """Record a held fact with the entity that was chosen for its ambiguous end, or with a new one."""
    document = change.document(held.document) if held.document is not None else None
    origin = NoteOrigin(held.source_at, document, held.source, parse_url(held.source))
    outcome = FactRecorder(change, origin, new_names=() if entity else (held.name,)).record(
        request.with_end(held.role, entity)
    )
    if outcome.fact is not None:
        drop_held_fact(change, held.id)
    return outcome


def _hidden_note(change: Change, request: RememberRequest) -> Document | None:
    """The hidden note with the text of a request, from the source that it names; without one, it is told anew."""
    if request.text is None or request.source is None:
        return None
    found = hidden_documents_with_text(change, "record", content_hash(request.text))
    return next((each for each in found if each.properties.get(SOURCE) == request.source), None)


def _keep_note(change: Change, request: RememberRequest) -> Document:
    id_ = DocumentId(change.new_id())
    properties: dict[str, object] = {REMEMBERED: True}
    if request.source is not None:
        properties[SOURCE] = request.source
    if request.about is not None and request.about.id is not None:
        properties[ABOUT] = request.about.id
    url = parse_url(request.source)
    draft = DocumentDraft(
        "record", NOTE_TYPE, format_uuid(id_), None, None, url, request.source_at, request.text, properties, id=id_
    )
    return store_document(change, draft)


def _closed_by(change: Change, closers: Sequence[FactId | None]) -> Iterator[FactId]:
    """The items that these facts close; of the spellings of one that was closed by its id, the one with that id."""
    if not closers:
        return
    facts = {id_: fact for id_ in closers if id_ is not None and (fact := change.fact(id_))}
    ends = ends_of_facts(facts.values())
    by_words = closed_items(change, ends) if ends else {}
    by_id = [fact.supersedes for fact in facts.values() if fact.supersedes is not None]
    found = dict.fromkeys(item for item, closing in by_words.items() if _is_closed_by(facts, item, closing))
    yield from dict.fromkeys((*by_id, *found))


def _is_closed_by(closers: Mapping[FactId, Fact], item: FactId, closing: Closing) -> bool:
    closer = closers.get(closing.fact) if closing.fact is not None else None
    return closer is not None and (closer.supersedes in (None, item) or closer.predicate == DECISION)
