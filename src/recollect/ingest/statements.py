"""From a parsed fact to a draft: times and source; and supersessions of facts that are yet to come."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from recollect.ingest.fields import BadLine, too_long_error
from recollect.ingest.line_parts import NO_DETAILS, FactDetails, FactPart
from recollect.memory import Memory
from recollect.model.document import KEY_LIMIT, Document, normalize_url
from recollect.model.fact import Fact, Source
from recollect.model.ids import EntityId, FactId
from recollect.store import ingest_queries as queries
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.when.parse import read_time
from recollect.when.period import Time
from recollect.when.time_errors import BadTime, UnknownEra
from recollect.when.timeline import Timeline
from recollect.write.fact_draft import FactDraft, document_source
from recollect.write.slot_conflicts import resettle

LINE_SOURCE = "tool:cli.ingest"
_LINE_AS_SOURCE = Source(None, LINE_SOURCE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?(?:Z|[+-][0-9]{2}:[0-5][0-9])"
)


class FactOrigin(NamedTuple):
    """What the facts of a line share: their source and its time."""

    source: Source
    source_at: Instant
    is_record: bool
    is_open_start: bool


def origin_of(change: Change, document: Document | None, extracted_by: str) -> FactOrigin:
    """The source of the facts of a line: its record, or the line itself."""
    is_open_start = change.timeline.is_fictional
    if document is None:
        return FactOrigin(_LINE_AS_SOURCE, change.now, False, is_open_start)
    return FactOrigin(document_source(document, extracted_by), document.source_at, True, is_open_start)


def draft_fact(
    change: Change, part: FactPart, subject: EntityId, target: EntityId | None, origin: FactOrigin
) -> FactDraft:
    """A fact of a line with its ends resolved and its times read."""
    _, given, kind, words, attributes, details = part
    literal = given if type(given) is str else None
    source, source_at, is_record, is_open_start = origin
    if details is NO_DETAILS:
        return FactDraft._make(
            (
                subject, target, literal, kind, source_at, source, words, None, None, None, attributes, None,
                is_open_start,
            )
        )  # fmt: skip
    said_at = None if is_record else parse_instant(change, details.source_at, "source_at")
    return FactDraft(
        subject,
        target,
        literal,
        kind,
        source_at if said_at is None else said_at,
        _source_with_details(source, details, is_record=is_record),
        words,
        valid_from=_optional_time(change, details.valid_from, "valid_from"),
        valid_until=_optional_time(change, details.valid_until, "valid_until"),
        attributes=attributes,
        is_open_start=is_open_start,
    )


def _source_with_details(source: Source, details: FactDetails, *, is_record: bool) -> Source:
    """The source with the quote and URL of a fact; the URL of a record comes from the record."""
    if details.quote is not None:
        source = source._replace(quote=details.quote)
    if details.source_url is not None and not is_record:
        source = source._replace(url=normalize_url(details.source_url))
    return source


def _optional_time(change: Change, text: str | None, field: str) -> Time | None:
    return None if text is None else parse_time(change, text, field)


def parse_instant(change: Change, text: str | None, field: str) -> Instant | None:
    """An instant, or the start of a day, month or year."""
    if text is None:
        return None
    found = _parse_iso_instant(text) if _INSTANT.fullmatch(text) else None
    if found is not None:
        return found
    if change.timeline.is_fictional:
        return Instant(_read_time(change, replace(change.timeline, kind="gregorian"), text, field).lo)
    return Instant(parse_time(change, text, field).lo)


def _parse_iso_instant(text: str) -> Instant | None:
    """Most instants in a bundle have an offset and need no timeline; a leap second is left to the full parser."""
    try:
        return Instant((datetime.fromisoformat(text) - _EPOCH) // _MICROSECOND)
    except ValueError:
        return None


def parse_time(change: Change, text: str, field: str) -> Time:
    """Parse a time; purely numeric times are cached."""
    if not text.replace("-", "").isdigit():
        return _read_time(change, change.timeline, text, field)
    known = change.recent.times.get(text)
    if known is None:
        known = change.recent.times[text] = _read_time(change, change.timeline, text, field)
    return known


def _read_time(change: Change, timeline: Timeline, text: str, field: str) -> Time:
    try:
        return read_time(text, timeline, change.now)
    except (BadTime, UnknownEra) as problem:
        raise BadLine(field, str(problem)) from problem


_MARK = "supersedes "
# What comes behind the mark in the order of texts.
_MARK_END = "supersedes!"


def await_superseded_fact(change: Change, fact: Fact, text: str) -> None:
    """Register that a fact replaces a fact of these words that has not arrived yet."""
    if len(text) > KEY_LIMIT:
        raise too_long_error("supersedes", text, KEY_LIMIT)
    queries.await_words(change, fact.id, [f"{_MARK}{text}"])


def settle_awaited_supersessions(memory: Memory) -> list[str]:
    """Apply supersessions whose replaced fact has arrived; a warning for each that is still missing."""
    with memory.read() as view:
        if not queries.awaited_between(view, _MARK, _MARK_END):
            return []
    missing = []
    with memory.write() as change:
        for word, waiting in queries.awaited_between(change, _MARK, _MARK_END):
            text = word[len(_MARK) :]
            if _settle_supersession(change, FactId(waiting), text):
                queries.stop_awaiting(change, waiting, word)
            else:
                missing.append(f"a fact supersedes {text!r}, which no known fact of its subject says yet")
    return missing


def _settle_supersession(change: Change, waiting: FactId, text: str) -> bool:
    fact = change.fact(waiting)
    if fact is None:
        return True
    replaced = change.fact_worded(fact.subject, fact.label, fact.fact_type, text, fact.source_at)
    if replaced is None or replaced.id == waiting:
        return False
    if fact.supersedes is None:
        change.put_fact(fact._replace(supersedes=replaced.id))
        resettle(change, replaced)
    return True
