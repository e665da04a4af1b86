"""What an expert or a model found, checked item by item against the record; each dropped item has a reason."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from recollect.errors import Refused
from recollect.ingest.extract.passages import record_day
from recollect.ingest.extract.quoted_items import QuotedItem, bound_outside, check_quote, quote_context
from recollect.ingest.line import IngestItem, parse_line
from recollect.ingest.line_parts import FactPart
from recollect.model.certainty import complete_confidence
from recollect.model.document import Document
from recollect.model.names import fold
from recollect.reading.context import Context
from recollect.store.change import Change
from recollect.text.tokens import bare_terms, unspaced_run
from recollect.when.parse import read_time
from recollect.when.period import Time
from recollect.write.entity_refs import NamedRef, find_unambiguous

MIN_SHARED_WORDS = 0.6
MIN_WORD_LENGTH = 4
MALFORMED = "malformed"
NO_QUOTE = "its words are not in the record"
NO_END = "it names somebody or something that is neither declared nor known"
BAD_TIME = "its time cannot be read"
OTHER_TIME = "its time is not the one of its quote"


class GroundedExtraction(NamedTuple):
    """The entities and facts that the record supports, and why the others were dropped."""

    entities: tuple[NamedRef, ...]
    facts: tuple[FactPart, ...]
    dropped: tuple[str, ...]


class _Limited(NamedTuple):
    """A fact within its quote, or why it is beyond it; `differs` if only on polarity or time."""

    part: FactPart | None
    problem: str | None = None
    differs: bool = False


def rejection_summary(dropped: Iterable[str]) -> str:
    """Why items were dropped, the most frequent reason first."""
    return "; ".join(f"{count} because {why}" for why, count in Counter(dropped).most_common())


def ground_extraction(
    change: Change,
    document: Document,
    text: str | None,
    found: Mapping[str, Any],
    *,
    needs_quote: bool = False,
    read_otherwise: Collection[str] = (),
) -> GroundedExtraction:
    """Keep what has its words in the record, both ends declared or known, and stays within its quote.

    `read_otherwise` are quotes that rules have read: who differs from them on polarity or time is kept for review.
    """
    whole = f"{document.title or ''}\n{text or ''}"
    entities, bad_entities = _parse_all("entities", found)
    declared = {fold(name) for line in entities for end in line.entities for name in (end.name, *end.aliases)}
    claims, bad_claims = _parse_all("facts", found)
    context = quote_context(change, text or "", record_day(document, change.timeline.zone))
    known = {fold(quote) for quote in read_otherwise}
    facts, dropped = [], [MALFORMED] * (bad_entities + bad_claims)
    for part in [part for line in claims for part in line.facts]:
        problem = None if is_grounded(part, fold(whole), needs_quote=needs_quote) else NO_QUOTE
        problem = problem or (None if _has_ends(change, part, declared) else NO_END)
        limited = _Limited(None, problem) if problem is not None else _limit(change, part, whole, context)
        is_kept = limited.part is not None and (not limited.differs or fold(part.details.quote or "") in known)
        if is_kept and limited.part is not None:
            facts.append(limited.part)
        else:
            dropped.append(limited.problem or MALFORMED)
    return GroundedExtraction(tuple(end for line in entities for end in line.entities), tuple(facts), tuple(dropped))


def _limit(change: Change, part: FactPart, text: str, context: Context) -> _Limited:
    """A fact as certain and as bounded as its quote."""
    details = part.details
    try:
        given = [_time(change, each) for each in (details.valid_from, details.valid_until)]
    except Refused:
        return _Limited(None, BAD_TIME)
    if details.quote is None:
        return _Limited(part)
    target = part.target.name if isinstance(part.target, NamedRef) else part.target or ""
    name = part.kind.predicate or part.kind.fact_type or ""
    found = check_quote(QuotedItem(name, target, details.quote, part.words or ""), text, context)
    doubtful = part._replace(kind=part.kind._replace(sure=complete_confidence("inferred")))
    if found.problem is not None:
        return _Limited(doubtful if found.is_denied else None, found.problem, found.is_denied)
    if bound_outside(change, found, given) is not None:
        return _Limited(doubtful, OTHER_TIME, differs=True)
    bounded = details._replace(
        valid_from=details.valid_from or found.start, valid_until=details.valid_until or found.until
    )
    return _Limited((doubtful if found.is_reported else part)._replace(details=bounded))


def _time(change: Change, text: str | None) -> Time | None:
    return None if text is None else read_time(text, change.timeline, change.now)


def _parse_all(key: str, found: Mapping[str, Any]) -> tuple[list[IngestItem], int]:
    """The items of a list in bundle form, and how many are not in that form."""
    given = list(found.get(key) or ())
    parsed = [line for item in given for line in _parse_item(key, item)]
    return parsed, len(given) - len(parsed)


def _parse_item(key: str, item: Any) -> list[IngestItem]:
    try:
        return [parse_line({key: [item]})]
    except Refused:
        return []


def is_grounded(part: FactPart, said: str, *, needs_quote: bool = False) -> bool:
    """Whether a folded text supports a fact: by its quote, or by most of its longer words."""
    if part.details.quote is not None:
        return bool(fold(part.details.quote)) and fold(part.details.quote) in said
    words = _long_words(part.words or "")
    if needs_quote or not words:
        return False
    known = _long_words(said)
    return len(words & known) >= MIN_SHARED_WORDS * len(words)


def _long_words(text: str) -> set[str]:
    """The longer words of a text, and the bigrams of scripts without spaces; numbers say too little."""
    return {
        term
        for term in bare_terms(text)
        if (len(term) >= MIN_WORD_LENGTH or unspaced_run().match(term)) and not term.isdecimal()
    }


def _has_ends(change: Change, part: FactPart, declared: set[str]) -> bool:
    ends = [part.subject, *([part.target] if isinstance(part.target, NamedRef) else [])]
    return all(end.folded in declared or _is_known_entity(change, end) for end in ends)


def _is_known_entity(change: Change, end: NamedRef) -> bool:
    return find_unambiguous(change, end.name, end.type) is not None
