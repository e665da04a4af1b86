"""Facts that are given with a quote, kept within what the quote says."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from recollect.errors import Refused
from recollect.ingest.extract.passages import record_day
from recollect.ingest.extract.quoted_items import (
    QuotedItem,
    QuoteVerdict,
    bound_outside,
    check_quote,
    quote_context,
    quote_time,
)
from recollect.ingest.notes.fact_outcomes import NoteOrigin
from recollect.ingest.notes.fact_request import BadFact, ClaimRequest
from recollect.store.change import Change
from recollect.text.verbatim import normalize_for_match
from recollect.when.instant import local_date


@dataclass(frozen=True, slots=True)
class QuotableText:
    """A text that facts may quote, as written and as it is compared."""

    text: str
    compared: str

    @classmethod
    def of(cls, text: str) -> "QuotableText":
        return cls(text, normalize_for_match(text).text)

    def has(self, quote: str) -> bool:
        return normalize_for_match(quote).text.strip() in self.compared


def limited_by_quote(
    change: Change, fact: ClaimRequest, quotable: Sequence[QuotableText], origin: NoteOrigin
) -> ClaimRequest:
    """A fact as certain and as bounded as its quote; `BadFact` if it claims what the quote does not assert."""
    quote = fact.quote
    said = next((each for each in quotable if quote is not None and each.has(quote)), None)
    if quote is None or said is None:
        return fact
    item = QuotedItem(fact.predicate, fact.target_text or "", quote)
    found = check_quote(item, said.text, quote_context(change, said.text, _day(change, origin)))
    if found.problem is not None:
        message = f"{fact.field} goes beyond its quote: {found.problem}"
        raise BadFact(message, f"{fact.field}.quote", "State only what the quote asserts.")
    confidence = "inferred" if found.is_reported else fact.confidence
    return _apply_bounds(change, replace(fact, confidence=confidence), found)


def _day(change: Change, origin: NoteOrigin) -> date | None:
    if origin.document is not None:
        return record_day(origin.document, change.timeline.zone)
    try:
        return local_date(origin.source_at, change.timeline.zone)
    except Refused:
        return None


def _apply_bounds(change: Change, fact: ClaimRequest, found: QuoteVerdict) -> ClaimRequest:
    """The fact with the bounds of its quote where it has none; one of its own must not lie outside of them."""
    outside = bound_outside(change, found, (fact.valid_from, fact.valid_until))
    if outside is not None:
        message = f"{fact.field} goes beyond its quote: {outside.text} is not in “{found.phrase}”"
        raise BadFact(message, f"{fact.field}.quote", "Give the bounds that the quote gives.")
    start, until = quote_time(change, found.start), quote_time(change, found.until)
    return replace(fact, valid_from=fact.valid_from or start, valid_until=fact.valid_until or until)
