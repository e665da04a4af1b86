"""Taking in one line: its record as a document, its entities, its facts, all in one transaction."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Protocol
from urllib.parse import urlsplit

from recollect.ingest.documents import DocumentDraft, keep_document
from recollect.ingest.extract.adopt import adopt, adopt_named
from recollect.ingest.extract.identity import held_record, note_identity
from recollect.ingest.extract.types import said_by_fields, text_of
from recollect.ingest.filing import file_record
from recollect.ingest.line import FactPart, Line, RecordPart
from recollect.ingest.problems import BadLine
from recollect.ingest.superseding import await_superseded
from recollect.model.certainty import how_sure
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Claim, Fact, Source, Statement
from recollect.model.ids import BadId, EntityId, FactId, is_id, read_id
from recollect.model.names import fold
from recollect.model.wording import SAME_THING, similarity
from recollect.store.change import Change
from recollect.when.instant import Instant, read_instant
from recollect.when.period import Time
from recollect.when.problems import BadTime
from recollect.when.read import read_time
from recollect.write.ends import End, Found, find_or_make
from recollect.write.meaning import claim
from recollect.write.record import record
from recollect.write.retract import withdraw

LINE_SOURCE = "tool:cli.ingest"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


Seek = Callable[[Change, End], Found]


class Reads(Protocol):
    """Takes in a record that stands alone: what it tells is for its reader to find."""

    def take(self, change: Change, line: Line) -> bool: ...


def take(change: Change, line: Line, reader: Reads | None = None) -> bool:
    """Write what a line says; false if it changes nothing. A line that is refused leaves no trace."""
    if line.definition is not None:
        return _define(change, line)
    if change.has_taken(line.hash):
        return False
    if line.is_alone and reader is not None:
        return reader.take(change, line)
    change.take_line(line.hash)
    return _write(change, line, _held(change, line.record) if line.record else None)


def _held(change: Change, part: RecordPart) -> Document | None:
    return change.document_named("memory", part.id) if part.type == "memory" else held_record(change, part)


def _write(change: Change, line: Line, held: Document | None) -> bool:
    document = _keep(change, line.record, held) if line.record else None
    named = _tell(change, line, document, held)
    if document is not None:
        mentioned = set(change.mentioned(document.id)) if held else set[EntityId]()
        _mention(change, document, named, mentioned)
    return True


def tell_from(change: Change, document: Document, line: Line) -> None:
    """Write the entities and facts of a line, with a new document as their source."""
    named = _tell(change, line, document, None)
    change.add_mentions(document.id, sorted(named - set(change.mentioned(document.id))))


def tell_extracted(
    change: Change,
    document: Document,
    line: Line,
    by: str,
    before: Sequence[Assertion],
    seek: Seek = find_or_make,
) -> set[EntityId]:
    """Record what somebody found in a document; what the same one found before and no longer finds is withdrawn.

    `seek` is how the entities are found that they declare.
    """
    named = _entities(change, line.entities, document.source_at, seek)
    fresh = {entity.id for entity, is_new in named.values() if is_new}
    kept: set[str] = set()
    for part in line.facts:
        kept |= _fact(change, part, document, named, fresh, before, by)
    withdraw(change, [assertion for assertion in before if assertion.id not in kept])
    return {entity.id for entity, _ in named.values()}


def _tell(change: Change, line: Line, document: Document | None, held: Document | None) -> set[EntityId]:
    """Record the entities and facts of a line; what an earlier version of its document alone said is withdrawn."""
    before = change.assertions_from(held.id) if held else []
    named = _entities(change, line.entities, document.source_at if document is not None else change.now)
    fresh = {entity.id for entity, is_new in named.values() if is_new}
    kept: set[str] = set()
    for part in line.facts:
        kept |= _fact(change, part, document, named, fresh, before)
    withdraw(change, [assertion for assertion in before if assertion.id not in kept])
    return {entity.id for entity, _ in named.values()}


Named = dict[str, tuple[Entity, bool]]


def _entities(change: Change, ends: Sequence[End], said_at: Instant, seek: Seek = find_or_make) -> Named:
    named: Named = {}
    for end in ends:
        if end.properties:
            adopt(change, end)
        if end.type == "person":
            adopt_named(change, end)
        found = seek(change, end._replace(said_at=said_at) if end.properties else end)
        for name in (end.name, *end.aliases):
            key = fold(name)
            if key in named and named[key][0].id != found.entity.id:
                raise BadLine("entities", f"{name!r} is the name of two of them; give each a name of its own")
            named[key] = (found.entity, found.is_new)
    return named


def _fact(
    change: Change,
    part: FactPart,
    document: Document | None,
    named: Named,
    fresh: set[EntityId],
    before: Sequence[Assertion],
    by: str = "given",
) -> set[str]:
    """Record one fact; returns the assertions of the document that it goes on making."""
    subject = _resolve(change, part.subject, named, fresh)
    target = _resolve(change, part.target, named, fresh) if isinstance(part.target, End) else None
    literal = part.target if isinstance(part.target, str) else None
    object_ = target.id if target else None
    meant = claim(
        change,
        subject.id,
        object_,
        literal,
        predicate=part.predicate,
        label=part.label,
        fact_type=part.fact_type,
    )
    if by != "given":
        part = _in_known_words(change, part, meant, document)
    superseded = None if part.supersedes is None else _superseded(change, part.supersedes, subject, meant)
    statement = Statement(
        meant,
        _source_at(change, part, document),
        *_how_sure(part.certainty, part.source_kind, part.confidence),
        part.words,
        None,
        None if part.valid_from is None else _time(change, part.valid_from, "valid_from"),
        None if part.valid_until is None else _time(change, part.valid_until, "valid_until"),
        change.timeline.is_fictional,
        _source(part, document, by),
        part.attributes,
        superseded,
    )
    unchanged = _still_made(change, statement, before) if before else None
    if unchanged is not None:
        return {unchanged.id}
    made = record(change, statement, is_fresh=subject.id in fresh or (object_ is not None and object_ in fresh))
    if part.supersedes is not None and superseded is None:
        await_superseded(change, made.fact, part.supersedes)
    return set()


def _resolve(change: Change, end: End, named: Named, fresh: set[EntityId]) -> Entity:
    own = named.get(fold(end.name))
    if own is not None and end.type in (None, own[0].type):
        return own[0]
    found = find_or_make(change, end)
    if found.is_new:
        fresh.add(found.entity.id)
    return found.entity


def _still_made(change: Change, statement: Statement, before: Sequence[Assertion]) -> Assertion | None:
    """The assertion of an earlier version of the record that says exactly this."""
    for assertion in before:
        if _says(assertion, statement):
            fact = change.fact(assertion.fact)
            if fact is not None and fact.slot == statement.claim.slot and fact.words == statement.words:
                return assertion
    return None


def _says(assertion: Assertion, statement: Statement) -> bool:
    return (
        assertion.source_at == statement.source_at
        and assertion.quote == statement.source.quote
        and assertion.confidence == statement.confidence
        and assertion.certainty == statement.certainty
        and assertion.valid_from == statement.valid_from
        and assertion.valid_until == statement.valid_until
        and dict(assertion.attributes) == dict(statement.attributes)
    )


def _in_known_words(change: Change, part: FactPart, meant: Claim, document: Document | None) -> FactPart:
    """A fact found twice in one record is one fact, said again: by its quote, or by nearly the same words."""
    for fact in change.facts_in_slot(meant.slot):
        if fact.is_retracted or fact.words is None or part.words is None:
            continue
        if similarity(fact.words, part.words) >= SAME_THING or _is_quoted(change, fact, part, document):
            return part._replace(words=fact.words)
    return part


def _is_quoted(change: Change, fact: Fact, part: FactPart, document: Document | None) -> bool:
    said = [each for each in change.assertions(fact.id) if document is not None and each.document == document.id]
    return part.quote is not None and any(each.quote and fold(each.quote) == fold(part.quote) for each in said)


def _source(part: FactPart, document: Document | None, by: str = "given") -> Source:
    if document is not None:
        return Source(document.id, document.key, document.url, None, part.quote, by)
    return Source(None, LINE_SOURCE, _http(part.source_url), None, part.quote)


def _source_at(change: Change, part: FactPart, document: Document | None) -> Instant:
    if document is not None:
        return document.source_at
    return instant_of(change, part.source_at, "source_at") or change.now


def instant_of(change: Change, text: str | None, field: str) -> Instant | None:
    """When something was said: an instant, or the start of a day, month or year."""
    if text is None:
        return None
    if len(text) == 20 and text[4::3] == "--T::Z":
        return _utc(text, field)
    return Instant(_time(change, text, field, gregorian=True).lo)


def _utc(text: str, field: str) -> Instant:
    """Nearly every instant in a bundle is written in this form, which needs no timeline."""
    with suppress(ValueError):
        return Instant((datetime.fromisoformat(text) - _EPOCH) // _MICROSECOND)
    try:
        return read_instant(text, UTC)
    except BadTime as problem:
        raise BadLine(field, str(problem)) from problem


def _time(change: Change, text: str, field: str, *, gregorian: bool = False) -> Time:
    timeline = change.timeline
    if gregorian and timeline.is_fictional:
        timeline = replace(timeline, kind="gregorian")
    try:
        return read_time(text, timeline, change.now)
    except BadTime as problem:
        raise BadLine(field, str(problem)) from problem


_how_sure = lru_cache(1024)(how_sure)


def _superseded(change: Change, named: str, subject: Entity, meant: Claim) -> FactId | None:
    """The fact that a line declares replaced: by id, or by its exact text; none if that one has yet to come."""
    if not is_id(named, "fact_"):
        worded = change.fact_worded(subject.id, meant.label, meant.fact_type, named)
        return worded.id if worded is not None else None
    try:
        found = change.fact(FactId(read_id(named, "fact_")))
    except BadId:
        found = None
    if found is None:
        raise BadLine("supersedes", "names no fact by its id")
    return found.id


def _keep(change: Change, part: RecordPart, held: Document | None) -> Document:
    document = keep_document(change, draft_of(change, part, held), held)
    note_identity(change, document)
    return document


def draft_of(change: Change, part: RecordPart, held: Document | None) -> DocumentDraft:
    """The document that a record makes; what it does not say itself, the fields of its type may say."""
    told_at = part.source_at or said_by_fields(part.type, part.properties)
    source_at = instant_of(change, told_at, "record.source_at")
    filed = file_record(change, part.content, part.properties)
    if filed.is_dark:
        part = part._replace(title=None, author=None, url=None, properties=filed.properties)
    return DocumentDraft(
        kind="memory" if part.type == "memory" else "record",
        type=part.type,
        key=held.key if held else part.id,
        title=part.title or (text_of(part.properties.get("subject")) if part.type == "email" else None),
        author=part.author,
        url=_http(part.url),
        source_at=source_at if source_at is not None else held.source_at if held else change.now,
        text=filed.text,
        properties=filed.properties,
        found_by=filed.summary,
    )


def _http(url: str | None) -> str | None:
    """The address if it is one of the web; nothing else is a source URL."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in ("http", "https") and parts.netloc else None


def _mention(change: Change, document: Document, wanted: set[EntityId], held: set[EntityId]) -> None:
    if not wanted <= held:
        change.add_mentions(document.id, sorted(wanted - held))
    for entity in sorted(held - wanted):
        change.end_mention(document.id, entity)


def _define(change: Change, line: Line) -> bool:
    """Put a calendar, era or date on the workspace's timeline."""
    if line.definition is None or change.has_taken(line.hash):
        return False
    from recollect.ingest.lore.defining import define

    kind, fields = line.definition
    change.take_line(line.hash)
    define(change, kind, fields)
    return True
