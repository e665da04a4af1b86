"""After a run: items that reports answer are closed, and items with a new date are moved."""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby

from recollect.ingest.extract.closing_model import NewThings, SpokenClosing, find_spoken_closings, without_unrelated
from recollect.ingest.extract.item_context import with_context
from recollect.ingest.extract.report_authors import may_report, may_report_done
from recollect.ingest.statements import parse_time
from recollect.memory import Memory
from recollect.model.certainty import Confidence, complete_confidence
from recollect.model.document import Document
from recollect.model.fact import DECIDED_BY, NOTHING, OWN_ITEMS, Fact, Source
from recollect.model.ids import EntityId, FactId
from recollect.model.names import PEOPLE
from recollect.model.trust import OWNER, SOURCE_TRUST, outranks
from recollect.reason.closures.closure_participants import is_told_twice, owner_id, wants_answer
from recollect.reason.closures.closure_terms import thing_terms
from recollect.reason.closures.completion_terms import content_terms
from recollect.reason.closures.item_closure import ClosureRules
from recollect.reason.closures.item_pairs import ItemAnswer, first_moment
from recollect.reason.closures.non_completions import takes_back
from recollect.reason.closures.open_item_index import deed_text, shared_terms
from recollect.reason.closures.open_items import (
    CLOSING_PREDICATES,
    ITEM_PREDICATES,
    LONG_BEFORE,
    RESOLVED_BY,
    ItemFact,
    is_partially_completed,
)
from recollect.reason.closures.rescheduled_items import find_postponed
from recollect.reason.items.item_lookup import add_threads, closed_items, to_items
from recollect.resolve.name_finder import find_names
from recollect.store import item_queries
from recollect.store.artifact_queries import changed_documents
from recollect.store.change import Change
from recollect.store.item_queries import ItemFactRow
from recollect.store.view import View
from recollect.text.patterns import lazy_pattern
from recollect.text_models.closure import ClosureMatcher
from recollect.when.instant import local_date
from recollect.when.period import Time
from recollect.write.fact_draft import FactDraft, FactKind, document_source, statement_of
from recollect.write.fact_edits import supersede
from recollect.write.owner import find_owner
from recollect.write.record_statement import record_statement
from recollect.write.slot_conflicts import ask_about_closing

MOST_FACTS = 20_000
"""The newest items and reports that are compared; older ones are not closed by words of a text."""
MOST_DOCUMENTS = 200
"""The newest documents that the matcher reads after an ingest, and earlier ones that a late item is compared with: each
costs some 50 ms, so of a large import the older ones are left to the rules."""
_FIELD_WORDS = lazy_pattern(r" (?:changed .* (?:from|to) |completed pull request #|resolved issue #)|.* changed from ")
_STATEMENTS = frozenset(
    {
        "decision",
        "update",
        "commitment",
        "completion",
        "cancellation",
        "blocker",
        "request",
        "event",
        "preference",
        "goal",
    }
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LONG_AGO = lazy_pattern(
    rf"{_YEAR.pattern}|\bago\b|\blast (?:year|spring|summer|autumn|fall|winter)\b|\bletzte[ns]? jahr|\bvor \w+ jahren"
    r"|\bl['’]an(?:née)? derni|\bil y a\b|\baño pasado|\bhace\b|\banno scorso|\bvorig jaar|\bgeleden\b|\bano passado",
    re.IGNORECASE,
)
_FOLLOWING = 160
"""Characters behind a report in which it may be taken back."""
_REPORTS = (CLOSING_PREDICATES - {RESOLVED_BY}) | {"event"}


def close_answered_items(memory: Memory, since: int) -> int:
    """Close the items that reports written after a transaction answer, and those written since; how many."""
    with memory.read() as view:
        answers, postponed = _find_answers(view, since, memory.closure_matcher)
    count = 0
    if answers or postponed:
        with memory.write() as change:
            count += sum(_postpone(change, answer) for answer in postponed)
            count += sum(_close(change, answer) for answer in answers)
    matcher = memory.closure_matcher
    if matcher is not None:
        with memory.read() as view:
            before = view.last_tx
        told = _close_by_model(memory, since, matcher)
        # What was put off is a new item, of which a text that was read already may tell.
        again = _close_by_model(memory, before, matcher) if any(each.new_day for each in told) else []
        count += len(told) + len(again)
    return count + _close_twins(memory, since)


def _close_twins(memory: Memory, since: int) -> int:
    """Close the items whose twin was closed, by the same report: a note of what somebody asked for; how many."""
    with memory.read() as view:
        rows = _newest(item_queries.item_facts_with(view, ITEM_PREDICATES))
        items = to_items([row for row in rows if row.until_hi is not None])
        answers = list(_twin_answers(items, since))
    if not answers:
        return 0
    with memory.write() as change:
        return sum(_close(change, answer) for answer in answers)


def _twin_answers(items: Iterable[ItemFact], since: int) -> Iterator[ItemAnswer]:
    """The open items with a twin that a later report closed, where one of the three is newer than a transaction."""
    for _, together in groupby(sorted(items, key=_day_and_owner), key=_day_and_owner):
        of_day = list(together)
        closed = [each for each in of_day if each.ended_by is not None and each.ended_by.predicate in _REPORTS]
        for item in (each for each in of_day if each.ended_by is None):
            for twin in closed:
                closing = twin.ended_by
                if closing is None or closing.fact is None or not is_told_twice(item, twin):
                    continue
                is_new = max(item.latest.tx, twin.latest.tx, closing.moment.tx) > since
                if is_new and closing.moment.at > item.latest.at:
                    yield ItemAnswer(item.id, closing.fact)
                    break


def _day_and_owner(item: ItemFact) -> tuple[int, str]:
    return item.due or 0, owner_id(item) or ""


def _close_by_model(memory: Memory, since: int, matcher: ClosureMatcher) -> list[SpokenClosing]:
    """Close what new texts show to be over, and new items that texts of later days do; what was closed or put off."""
    with memory.read() as view:
        every = _newest(item_queries.item_facts_with(view, ITEM_PREDICATES))
        rows = [row for row in every if not row.stale]
        items = with_context(view, to_items(rows))
        items = add_threads(items, item_queries.threads_of(view, [each.id for each in items]))
        new = NewThings(set(changed_documents(view, since, view.last_tx)), {row.id for row in rows if row.tx > since})
        first = min((item.latest.at for item in items if item.id in new.items), default=None)
        later = set() if first is None else item_queries.documents_said_after(view, first, since, MOST_DOCUMENTS)
        documents = view.documents({*new.documents, *later}).values() if items else ()
        newest = sorted(documents, key=lambda each: (each.source_at, each.id))[-MOST_DOCUMENTS:]
        found = find_spoken_closings(view, newest, items, new, matcher, to_items([row for row in every if row.stale]))
    if not found:
        return []
    with memory.write() as change:
        return [each for each in found if _apply(change, each)]


def _apply(change: Change, closing: SpokenClosing) -> bool:
    """Close an item, or put it off, by what a sentence says of it."""
    if closing.new_day is None:
        return _close(change, ItemAnswer(closing.item.id, _report_of(change, closing)))
    restated = _restated_item(change, closing)
    if restated is not None:
        return _close(change, ItemAnswer(closing.item.id, restated))
    day = parse_time(change, closing.new_day.isoformat(), "time")
    return _put_off(change, closing.item.id, _report_of(change, closing), day)


def _restated_item(change: Change, closing: SpokenClosing) -> FactId | None:
    """The item with a later day that was read in the very sentence."""
    before = closing.item.due
    for fact in _facts_read_in(change, closing):
        is_other = fact.predicate in ITEM_PREDICATES and not fact.stale and fact.id != closing.item.id
        if is_other and fact.valid_until is not None and before is not None and fact.valid_until.lo > before:
            return fact.id
    return None


def _facts_read_in(change: Change, closing: SpokenClosing) -> Iterator[Fact]:
    """What rules read in a sentence, and still stands."""
    for each in change.assertions_from(closing.said.document.id):
        fact = change.fact(each.fact) if each.quote and each.quote in closing.sentence.text else None
        if fact is not None and not fact.is_retracted:
            yield fact


def close_by_note(
    change: Change, note: Document, entities: Collection[EntityId], matcher: ClosureMatcher, given: str | None = None
) -> list[tuple[SpokenClosing, FactId]]:
    """Close what a note shows to be over, in the transaction that keeps it: items of these entities that rules left.

    `given` is the source that the writer of the note named.
    """
    rows = [
        row
        for row in _newest(item_queries.item_facts(change, entities, ITEM_PREDICATES))
        if not row.stale and row.tx < change.tx
    ]
    over = closed_items(change, entities) if rows else {}
    items = [item for item in to_items(rows) if item.id not in over]
    found = find_spoken_closings(change, [note], items, NewThings({note.id}, ()), matcher) if items else []
    found = [each for each in found if _is_of_the_thing(change, each)]
    taken = {closing.fact for closing in over.values() if closing.fact is not None}
    reported = [(each, _report_of(change, each, taken, given)) for each in found]
    return [(each, report) for each, report in reported if _close(change, ItemAnswer(each.item.id, report))]


def _is_of_the_thing(change: Change, closing: SpokenClosing) -> bool:
    """Whether a sentence tells of a whole item, by more than a name or the event that the item is due before."""
    item = closing.item
    if is_partially_completed(item, content_terms(closing.sentence.text, item.names)):
        return False
    shared = set(shared_terms(item, thing_terms(closing.sentence.text)))
    if not shared:
        return True
    text = deed_text(item)
    entities = (change.entity(each.entity) for each in find_names(change, text) if each.entity is not None)
    named = [each for each in entities if each is not None]
    people = {term for each in named if each.type in PEOPLE for term in thing_terms(each.name)}
    names = people.union(*(thing_terms(each.name) for each in named))
    things = thing_terms(" ".join(text.split()[1:])) - people  # without the verb
    return bool(shared & thing_terms(text) - (people if things <= names else names))


def _report_of(
    change: Change, closing: SpokenClosing, taken: Collection[FactId] = (), given: str | None = None
) -> FactId:
    """The fact by which a sentence closes an item: what rules read in it, else what the matcher says of it.

    Reports that are `taken` close another item by their words, which they would not if they named this one.
    """
    said, quote = closing.said, closing.sentence.text
    for fact in _facts_read_in(change, closing):
        if fact.id not in taken and fact.predicate in _REPORTS and fact.source_at == said.at:
            return fact.id
    is_cancelled = closing.reading.outcome == "cancelled"
    kind = FactKind("TRANSITIONED", "cancellation" if is_cancelled else "event", None, complete_confidence("inferred"))
    source = document_source(said.document, closing.reading.model)._replace(quote=quote, given=given)
    words = f"{said.author.name}: {' '.join(quote.split())}"
    attributes = {DECIDED_BY: closing.reading.model}
    if source.trust != OWNER:
        attributes[SOURCE_TRUST] = source.trust
    draft = FactDraft(said.author.id, None, None, kind, said.at, source, words, attributes=attributes)
    return record_statement(change, statement_of(change, draft)).fact.id


def _find_answers(view: View, since: int, matcher: ClosureMatcher | None) -> tuple[list[ItemAnswer], list[ItemAnswer]]:
    """The items that are answered, and those that are put off to another day."""
    item_rows = _newest(item_queries.item_facts_with(view, ITEM_PREDICATES))
    report_rows = _newest(item_queries.item_facts_with(view, _REPORTS))
    new = {row.id for row in (*item_rows, *report_rows) if row.tx > since}
    if not new:
        return [], []
    items = with_context(view, to_items([row for row in item_rows if not row.stale]))
    first = first_moment(items, new)
    told_rows = [row for row in report_rows if row.id in new or row.source_at > first]
    reports = to_items([row for row in told_rows if not row.stale and row.supersedes is None and _is_told(row)])
    threads = item_queries.threads_of(view, {*new, *(each.id for each in (*items, *reports))})
    owner = find_owner(view)
    zone = view.world.zone
    finder = ClosureRules(
        add_threads(items, threads), owner.id if owner is not None else None, lambda at: local_date(at, zone)
    )
    told = add_threads(reports, threads)
    found = list(finder.answers(told, new))
    changed = frozenset().union(*(threads.get(each, ()) for each in new))
    found += finder.replies(_replies_to(view, finder.items, changed), new)
    found += finder.messages(new)
    if matcher is not None:
        found = without_unrelated(view, found, {item.id: item for item in finder.items}, matcher)
    found += finder.moves(new)
    closed = {each.item for each in found}
    return found, list(
        find_postponed([item for item in finder.items if item.id not in closed], told, new, finder.local_day)
    )


def _replies_to(view: View, items: Collection[ItemFact], changed: frozenset[str]) -> list[ItemFact]:
    """The statements in those threads of the items that ask for an answer in which something is new."""
    beside = [item for item in items if not changed.isdisjoint(item.threads)]
    threads = changed & frozenset().union(*(item.threads for item in beside if wants_answer(item)))
    if not threads:
        return []
    ids = item_queries.facts_in_threads(view, threads)
    found = to_items([row for row in item_queries.item_facts_by_id(view, ids, _STATEMENTS) if not row.stale])
    return add_threads(found, item_queries.threads_of(view, [each.id for each in found]))


def _is_told(row: ItemFactRow) -> bool:
    """Whether somebody reports it in words; the fields of a tracker close its own items only."""
    return _FIELD_WORDS.match((row.words or "").removeprefix(row.subject_name)) is None


def _newest(rows: Collection[ItemFactRow]) -> list[ItemFactRow]:
    return sorted(rows, key=lambda row: (row.source_at, row.id))[-MOST_FACTS:]


def _postpone(change: Change, answer: ItemAnswer) -> bool:
    """Put an item off to the day that an event names."""
    event = change.fact(answer.by)
    day = (event.valid_from or event.valid_until) if event is not None else None
    return day is not None and _put_off(change, answer.item, answer.by, day)


def _put_off(change: Change, put_off: FactId, by: FactId, day: Time) -> bool:
    """Replace an item by the same one for a later day, if what is told may do so."""
    event, item = change.fact(by), change.fact(put_off)
    if event is None or item is None or item.stale or item.is_retracted or event.is_retracted:
        return False
    due = item.valid_until
    told = next((each for each in change.assertions(event.id) if each.id == event.newest), None)
    if due is None or told is None or day.lo <= due.hi:
        return False
    if outranks(item.trust, event.trust) and not may_report(change, item, event):
        return False
    draft = FactDraft(
        item.subject,
        item.object,
        item.literal,
        FactKind(
            item.label, item.fact_type, item.predicate, Confidence(event.certainty, event.source_kind, event.confidence)
        ),
        event.source_at,
        Source(told.document, told.source_key, told.source_url, told.given, told.quote, told.extracted_by, event.trust),
        words=event.words,
        valid_until=day,
        attributes={SOURCE_TRUST: event.trust, OWN_ITEMS: [item.id]} if event.trust != OWNER else NOTHING,
        supersedes=item.id,
    )
    record_statement(change, statement_of(change, draft))
    return True


def _is_taken_back(change: Change, report: Fact, item: Fact) -> bool:
    """Whether what is said right behind a report says that it is not done: *rang twice, no answer*, *not yet*."""
    for told in change.assertions(report.id):
        document = change.document(told.document) if told.document is not None and told.quote else None
        text = change.text_of(document) if document is not None else None
        _, found, following = (text or "").partition(told.quote or "\0")
        if found and takes_back(item.words or "", found, following[:_FOLLOWING]):
            return True
    return False


def _happened_long_before(report: Fact, item: Fact) -> bool:
    """Whether a report tells of a time that was over long before the item was said: *it was mended in 2019*.

    A day without a year is rarely so old, and often that of something else: *ordered, they confirmed 31 July*.
    """
    told, words = report.valid_until or report.valid_from, report.words or ""
    if told is None or _LONG_AGO.search(words) is None:
        return False
    if set(_YEAR.findall(words)) & set(_YEAR.findall(item.words or "")):
        return False  # the year names the thing: *the tax return for 2024*
    return told.hi + LONG_BEFORE < item.source_at


def _close(change: Change, answer: ItemAnswer) -> bool:
    by = change.fact(answer.by)
    item = change.fact(answer.item)
    if (
        by is None
        or item is None
        or by.is_retracted
        or item.is_retracted
        or item.stale
        or by.source_at < item.source_at
        or _happened_long_before(by, item)
        or _is_taken_back(change, by, item)
    ):
        return False
    if outranks(item.trust, by.trust):
        if not may_report_done(change, item, by):
            ask_about_closing(change, item, by)
            return False
        own = [*by.attributes.get(OWN_ITEMS, ()), item.id]
        by = change.put_fact(by._replace(attributes={**by.attributes, OWN_ITEMS: own}))
    supersede(change, by, [item.id])
    return True
