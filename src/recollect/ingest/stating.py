"""A fact of a line as a statement: its times read, its source named."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from recollect.ingest.fact_part import NO_DETAILS, Details, FactPart
from recollect.ingest.problems import BadLine
from recollect.model.document import Document
from recollect.model.fact import Claim, Source, Statement
from recollect.model.web import written_address
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.when.period import Time
from recollect.when.problems import BadTime, UnknownEra
from recollect.when.read import read_time
from recollect.when.timeline import Timeline

GIVEN = "given"
LINE_SOURCE = "tool:cli.ingest"
_THE_LINE = Source(None, LINE_SOURCE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?(?:Z|[+-][0-9]{2}:[0-5][0-9])"
)


class Teller(NamedTuple):
    """What all facts of a line share: who tells them, and when."""

    source: Source
    source_at: Instant
    is_record: bool
    is_open_start: bool


def teller_of(change: Change, document: Document | None, by: str) -> Teller:
    """Who tells what stands in a line: its record, or the line itself."""
    is_open_start = change.timeline.is_fictional
    if document is None:
        return Teller(_THE_LINE, change.now, False, is_open_start)
    source = Source(document.id, document.key, document.url, None, None, by)
    return Teller(source, document.source_at, True, is_open_start)


def statement_of(change: Change, part: FactPart, meant: Claim, teller: Teller) -> Statement:
    """What a part of a line says, in the words of the write path."""
    source, source_at, is_record, is_open_start = teller
    valid_from = valid_until = None
    details = part.details
    if details is not NO_DETAILS:
        source = _detailed(source, details, is_record=is_record)
        said_at = None if is_record else instant_of(change, details.source_at, "source_at")
        source_at = source_at if said_at is None else said_at
        valid_from = _valid(change, details.valid_from, "valid_from")
        valid_until = _valid(change, details.valid_until, "valid_until")
    certainty, source_kind, confidence = part.kind.sure
    return Statement._make(
        (
            meant,
            source_at,
            certainty,
            source_kind,
            confidence,
            part.words,
            None,
            valid_from,
            valid_until,
            is_open_start,
            source,
            part.attributes,
            None,
        )
    )


def _detailed(source: Source, details: Details, *, is_record: bool) -> Source:
    """The source with what a fact says of it; the address of a record is the record's to say."""
    if details.quote is not None:
        source = source._replace(quote=details.quote)
    if details.source_url is not None and not is_record:
        source = source._replace(url=written_address(details.source_url))
    return source


def _valid(change: Change, text: str | None, field: str) -> Time | None:
    return None if text is None else time_of(change, text, field)


def instant_of(change: Change, text: str | None, field: str) -> Instant | None:
    """When something was said: an instant, or the start of a day, month or year."""
    if text is None:
        return None
    found = _instant(text) if _INSTANT.fullmatch(text) else None
    if found is not None:
        return found
    if change.timeline.is_fictional:
        return Instant(_read(change, replace(change.timeline, kind="gregorian"), text, field).lo)
    return Instant(time_of(change, text, field).lo)


def _instant(text: str) -> Instant | None:
    """Nearly every instant in a bundle gives its offset, and needs no timeline; a leap second needs more care."""
    try:
        return Instant((datetime.fromisoformat(text) - _EPOCH) // _MICROSECOND)
    except ValueError:
        return None


def time_of(change: Change, text: str, field: str) -> Time:
    """A time; one that is all digits means the same in every line, and is read once."""
    if not text.replace("-", "").isdigit():
        return _read(change, change.timeline, text, field)
    known = change.recent.times.get(text)
    if known is None:
        known = change.recent.times[text] = _read(change, change.timeline, text, field)
    return known


def _read(change: Change, timeline: Timeline, text: str, field: str) -> Time:
    try:
        return read_time(text, timeline, change.now)
    except (BadTime, UnknownEra) as problem:
        raise BadLine(field, str(problem)) from problem
