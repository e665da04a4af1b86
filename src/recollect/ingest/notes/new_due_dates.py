"""New days for open items: `Mette can't make Wednesday, she needs until Monday`, `the audit is moved to Friday`."""

import re
from collections.abc import Iterable

from recollect.ingest.notes.item_reports import ItemReports
from recollect.ingest.notes.reader import NoteSentence
from recollect.model.certainty import complete_confidence
from recollect.model.document import Document
from recollect.model.fact import Fact
from recollect.model.ids import EntityId
from recollect.reading.hedges import is_not_claimed
from recollect.reading.state_time import UnreadableTime, take_times
from recollect.reason.closures.closure_terms import WEAK_STEMS, thing_terms
from recollect.reason.closures.completion_terms import content_terms, item_terms
from recollect.reason.closures.object_mismatch import are_other_things, has_different_object
from recollect.reason.closures.open_items import KIND_OF_PREDICATE, ItemFact
from recollect.text.patterns import lazy_pattern
from recollect.when.instant import local_date
from recollect.when.period import Time
from recollect.write.fact_draft import RULES, FactDraft, FactKind, document_source

_WHO = r"(?P<who>I|[Ww]e|[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2})"
_NEEDS = r"(?:will |['’]ll )?needs? (?:more time |some more time |time )?(?:until|till)"
_GIVEN_UP = lazy_pattern(
    rf"^{_WHO} (?:can['’]t|cannot|can not|won['’]t|will not) make (?:it (?:by|on|for|to) |it)?(?P<old>[\w ]*?)"
    rf"(?:\s?[,;–-]\s?| and | but | so )(?:(?:he|she|they|I|we) )?{_NEEDS} (?P<new>[\w ]+?)"
    r"(?: (?:for|with|to finish|to do) (?P<what>.+?))?[.!]*$"
)
_MOVED = lazy_pattern(
    r"^(?:(?:I|[Ww]e)(?:['’]ve| have)? (?:just |now |already )*)?"
    r"(?:[Mm]oved|[Pp]ostponed|[Pp]ushed|[Rr]escheduled|[Ss]hifted|[Dd]elayed) (?:back )?"
    r"(?:the|my|our|his|her|their) (?P<what>[\w' -]{3,60}?)(?: back| forward| out)?"
    r"(?: from (?P<old>[\w ]+?))? (?:to|until|till) (?P<new>[\w ]+?)[.!]*$"
)
_IS_MOVED = lazy_pattern(
    r"^(?:[Tt]he|[Mm]y|[Oo]ur) (?P<what>[\w' -]{3,60}?) (?:is|was|has been|got|is being|has) "
    r"(?:now )?(?:moved|postponed|pushed|rescheduled|shifted|delayed)(?: back| forward| out)?"
    r"(?: from (?P<old>[\w ]+?))? (?:to|until|till) (?P<new>[\w ]+?)[.!]*$"
)
"""What its owner has moved is an item that is known by both of its words: *moved the insurance call to Friday*."""
_WHICH_DAY = frozenset({"next", "this", "last"})
_PROMISING = frozenset("agre commit need offer plan promis sai".split())
"""Stems of words that tell how something was promised."""
_RESTATED = frozenset({"commitment", "request"})
_NEEDED = lazy_pattern(rf"^{_WHO} {_NEEDS} (?P<new>[\w ]+?)(?: (?:for|with|to finish|to do) (?P<what>.+?))?[.!]*$")
_NEW_DAY = (_GIVEN_UP, _NEEDED, _MOVED, _IS_MOVED)


def new_due_date(reports: ItemReports, sentence: NoteSentence, note: Document) -> list[FactDraft]:
    """The item that a sentence gives another day, with that day; none unless it fits a single one."""
    said = " ".join(sentence.record.masked_text.split())
    match = next((found for each in _NEW_DAY if (found := each.match(said)) is not None), None)
    if match is None or not sentence.is_meant or is_not_claimed(said):
        return []
    new = _day(reports, note, match["new"])
    if new is None:
        return []
    meant = reports.moved_before(sentence.record.quote) or _only_meant(reports, sentence, note, match, new)
    return [] if meant is None else [_draft_moved_item(meant, sentence.record.quote, note, new)]


def in_place_of_item(reports: ItemReports, draft: FactDraft) -> FactDraft:
    """A draft in the place of the open item that it restates: *I'll return the ladder on Monday*.

    On another day it replaces that item; told again without one, it is the same item.
    """
    due, quote = draft.valid_until, draft.source.quote
    kind = KIND_OF_PREDICATE.get(draft.kind.predicate or draft.kind.fact_type or "")
    if not quote or draft.supersedes is not None or kind not in _RESTATED:
        return draft
    terms = _deed_terms(reports, draft.subject, quote)
    alike = [
        item
        for item in reports.open_items_of(draft.subject)
        if item.kind == kind and item.latest.at < draft.source_at
        if terms - WEAK_STEMS and _deed_terms(reports, draft.subject, item.own_text) == terms
        if not (has_different_object(item.own_text, quote) or are_other_things(item.own_text, quote))
    ]
    if not alike:
        return draft
    item = max(alike, key=lambda each: each.latest)
    known = reports.change.fact(item.id)
    if due is not None and not (item.due is not None and due.lo <= item.due <= due.hi):
        return draft._replace(supersedes=item.id)
    return draft if known is None else _restating(draft, known)


def _deed_terms(reports: ItemReports, subject: EntityId, text: str) -> frozenset[str]:
    """What is to be done, without who promised it and how that was said."""
    names = (name.spelling for name in reports.change.names_of(subject))
    return thing_terms(text) - _WHICH_DAY - _PROMISING - thing_terms(" ".join(names))


def _restating(draft: FactDraft, known: Fact) -> FactDraft:
    kind = FactKind(known.label, known.fact_type, known.predicate, draft.kind.sure)
    return draft._replace(
        object=known.object, literal=known.literal, words=known.words, kind=kind, valid_until=known.valid_until
    )


def _only_meant(
    reports: ItemReports, sentence: NoteSentence, note: Document, match: re.Match[str], new: Time
) -> Fact | None:
    """The only item of the speaker that is on the day given up and about what is named; due earlier, unless moved."""
    old, what = match.groupdict().get("old"), match["what"]
    who = match.groupdict().get("who")
    items: Iterable[ItemFact] = (
        reports.items_of_speaker("I", sentence) if who is None else reports.items_due_before(who, sentence, new)
    )
    if old:
        day = _day(reports, note, old)
        items = [item for item in items if day is not None and item.due is not None and day.lo <= item.due <= day.hi]
    if what:
        terms = content_terms(what, ())
        items = [item for item in items if terms <= item_terms(f"{item.text} {item.target}")]
    found = list(items)
    return reports.change.fact(found[0].id) if len(found) == 1 else None


def _day(reports: ItemReports, note: Document, words: str) -> Time | None:
    zone = reports.change.world.zone
    try:
        times = take_times(f"until {words}", local_date(note.source_at, zone), zone).times
        return times[0].read(forwards=True) if len(times) == 1 else None
    except UnreadableTime:
        return None


def _draft_moved_item(item: Fact, quote: str, note: Document, new: Time) -> FactDraft:
    words = (item.words or item.literal or item.evidence or "").rstrip(" .!")
    kind = FactKind(item.label, item.fact_type, item.predicate, complete_confidence("stated"))
    source = document_source(note, RULES)._replace(quote=quote)
    return FactDraft(
        item.subject,
        item.object,
        item.literal,
        kind,
        note.source_at,
        source,
        f"{words}; {' '.join(quote.split())}",
        valid_until=new,
        supersedes=item.id,
    )
