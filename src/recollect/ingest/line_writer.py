"""Writes one bundle line in a transaction: its document, its entities and its facts."""

from collections.abc import Callable, Sequence
from typing import Protocol

from recollect.ingest.documents import DocumentDraft, store_document
from recollect.ingest.fields import BadLine
from recollect.ingest.filing import file_record
from recollect.ingest.line import BundleLine, RecordPart
from recollect.ingest.line_parts import FactPart
from recollect.ingest.party_resolver import EXTRACTED_REASONS, adopt_by_identifier, adopt_by_name
from recollect.ingest.record_types import field_text, find_stored_record, index_identity, time_from_fields
from recollect.ingest.statements import (
    GIVEN,
    await_superseded_fact,
    find_same_assertion,
    origin_of,
    parse_instant,
    statement_of,
)
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Claim, Fact, Statement
from recollect.model.ids import ENTITY_PREFIX, AssertionId, BadId, EntityId, FactId, is_id, read_id
from recollect.model.names import fold
from recollect.model.similarity import SAME_STATEMENT_SIMILARITY, similarity
from recollect.model.urls import normalize_url
from recollect.store.change import Change
from recollect.write.ends import AmbiguousName, End, ResolvedEnd, find_cached, find_or_create
from recollect.write.predicates import claim
from recollect.write.record import record
from recollect.write.retract import withdraw_assertions

EntityResolver = Callable[[Change, End], ResolvedEnd]


class StandaloneReader(Protocol):
    """Takes in a record that stands alone: what it tells is for its reader to find."""

    def write_record(self, change: Change, line: BundleLine) -> bool: ...


def write_line(change: Change, line: BundleLine, reader: StandaloneReader | None = None) -> bool:
    """Write what a line says; false if it changes nothing. A line that is refused leaves no trace."""
    if line.definition is not None:
        return _define(change, line)
    if change.has_taken(line.hash):
        return False
    if line.is_standalone and reader is not None:
        return reader.write_record(change, line)
    _write_contents(change, line, _stored_document(change, line.record) if line.record else None)
    changed = change.has_changed
    if changed:
        change.take_line(line.hash)
    return changed


def _stored_document(change: Change, part: RecordPart) -> Document | None:
    return change.document_named("memory", part.id) if part.type == "memory" else find_stored_record(change, part)


def _write_contents(change: Change, line: BundleLine, held: Document | None) -> None:
    document = _store_record(change, line.record, held) if line.record else None
    voice = _LineContext(change, document, before=change.assertions_from(held.id) if held else ())
    _write_statements(change, line, voice)
    if document is not None:
        _update_mentions(change, document, voice.mentioned, is_new=held is None)


def write_facts_from(change: Change, document: Document, line: BundleLine) -> None:
    """Write the entities and facts of a line, with a new document as their source."""
    voice = _LineContext(change, document)
    _write_statements(change, line, voice)
    change.add_mentions(document.id, sorted(voice.mentioned - set(change.mentioned(document.id))))


def write_extracted(
    change: Change,
    document: Document,
    line: BundleLine,
    by: str,
    before: Sequence[Assertion],
    seek: EntityResolver = find_or_create,
) -> set[EntityId]:
    """Record what somebody found in a document; what the same one found before and no longer finds is withdrawn.

    `seek` is how the entities are found that they declare.
    """
    voice = _LineContext(change, document, by, before)
    _write_statements(change, line, voice, seek)
    return voice.mentioned


EntitiesByName = dict[str, tuple[Entity, ...]]


class _LineContext:
    """Who tells the facts of a line: what it told before, whom it names, and what it goes on telling."""

    __slots__ = ("before", "by", "document", "kept", "mentioned", "named", "teller")

    def __init__(
        self, change: Change, document: Document | None, by: str = GIVEN, before: Sequence[Assertion] = ()
    ) -> None:
        self.document = document
        self.by = by
        self.before = before
        self.teller = origin_of(change, document, by)
        self.named: EntitiesByName = {}
        self.mentioned: set[EntityId] = set()
        self.kept: set[AssertionId] = set()


def _write_statements(
    change: Change, line: BundleLine, voice: _LineContext, seek: EntityResolver = find_or_create
) -> None:
    """Record the entities and facts of a line; what the same voice alone told before is withdrawn."""
    if line.entities:
        _write_entities(change, line.entities, voice, seek)
    for part in line.facts:
        _write_fact(change, part, voice)
    if voice.before:
        withdraw_assertions(change, [assertion for assertion in voice.before if assertion.id not in voice.kept])


def _write_entities(change: Change, ends: Sequence[End], voice: _LineContext, seek: EntityResolver) -> None:
    named, mentioned = voice.named, voice.mentioned
    for end in ends:
        entity = find_cached(change, end) if seek is find_or_create else None
        if entity is None or entity.reason in EXTRACTED_REASONS:
            entity = _resolve_declared(change, end, voice, seek)
        mentioned.add(entity.id)
        _register_name(named, end.folded, entity)
        for alias in end.aliases:
            _register_name(named, fold(alias), entity)


def _resolve_declared(change: Change, end: End, voice: _LineContext, seek: EntityResolver) -> Entity:
    if end.properties:
        adopt_by_identifier(change, end)
        end = end.at_source_time(voice.teller.source_at)
    if end.type == "person":
        adopt_by_name(change, end)
    return seek(change, end).entity


def _register_name(named: EntitiesByName, folded: str, entity: Entity) -> None:
    """Let an entity of the line be meant by a folded name, as it stands now."""
    others = named.get(folded)
    named[folded] = (entity,) if others is None else (*(each for each in others if each.id != entity.id), entity)


def _write_fact(change: Change, part: FactPart, voice: _LineContext) -> None:
    """Record one fact, unless the voice said just this before and goes on saying it."""
    subject = _resolve_end(change, part.subject, voice)
    target, kind, object_, literal = part.target, part.kind, None, None
    if isinstance(target, End):
        object_ = _resolve_end(change, target, voice)
    else:
        literal = target
    meant = claim(change, subject, object_, literal, kind.predicate, kind.label, kind.fact_type)
    if voice.by != GIVEN:
        part = _reuse_wording(change, part, meant, voice.document)
    replaces = part.details.supersedes
    statement = statement_of(change, part, meant, voice.teller)
    if replaces is not None:
        statement = statement._replace(supersedes=_find_superseded(change, replaces, statement))
    unchanged = find_same_assertion(change, statement, voice.before) if voice.before else None
    if unchanged is not None:
        voice.kept.add(unchanged.id)
        return
    made = record(change, statement)
    if replaces is not None and statement.supersedes is None:
        await_superseded_fact(change, made.fact, replaces)


def _resolve_end(change: Change, end: End, voice: _LineContext) -> EntityId:
    named = voice.named.get(end.folded)
    if named is not None:
        if len(named) == 1 and end.type is None:
            return named[0].id
        own = _entity_of_line(end, named)
        if own is not None:
            return own.id
    if is_id(end.name, ENTITY_PREFIX):
        return _entity_by_id(change, end.name).id
    # An end of a fact that gives no type adds nothing to whom it names.
    known = change.recent.only(end.folded) if end.type is None else None
    return find_or_create(change, end).entity.id if known is None else known.id


def _entity_of_line(end: End, named: Sequence[Entity]) -> Entity | None:
    """The entity of the same line that an end names, by name before alias; several are refused."""
    fitting = [entity for entity in named if end.type in (None, entity.type)]
    if len(fitting) > 1:
        fitting = [entity for entity in fitting if entity.folded == end.folded] or fitting
    if len(fitting) > 1:
        raise AmbiguousName(end.name, fitting)
    return fitting[0] if fitting else None


def _entity_by_id(change: Change, text: str) -> Entity:
    entity = change.survivor(EntityId(read_id(text, ENTITY_PREFIX)))
    if entity is None:
        raise BadLine("facts", f"{text} is the id of no entity here")
    return entity


def _reuse_wording(change: Change, part: FactPart, meant: Claim, document: Document | None) -> FactPart:
    """A fact found twice in one record is one fact, said again: by its quote, or by nearly the same words."""
    for fact in change.facts_in_slot(meant.slot):
        if fact.is_retracted or fact.words is None or part.words is None:
            continue
        if similarity(fact.words, part.words) >= SAME_STATEMENT_SIMILARITY or _is_quoted(change, fact, part, document):
            return part._replace(words=fact.words)
    return part


def _is_quoted(change: Change, fact: Fact, part: FactPart, document: Document | None) -> bool:
    said = [each for each in change.assertions(fact.id) if document is not None and each.document == document.id]
    quote = part.details.quote
    return quote is not None and any(each.quote and fold(each.quote) == fold(quote) for each in said)


def _find_superseded(change: Change, named: str, statement: Statement) -> FactId | None:
    """The fact that a line declares replaced: by id, or by its exact text; none if that one has yet to come."""
    if not is_id(named, "fact_"):
        meant = statement.claim
        worded = change.fact_worded(meant.subject, meant.label, meant.fact_type, named, statement.source_at)
        return worded.id if worded is not None else None
    try:
        found = change.fact(FactId(read_id(named, "fact_")))
    except BadId:
        found = None
    if found is None:
        raise BadLine("supersedes", "names no fact by its id")
    return found.id


def _store_record(change: Change, part: RecordPart, held: Document | None) -> Document:
    document = store_document(change, draft_record(change, part, held), held)
    index_identity(change, document)
    return document


def draft_record(change: Change, part: RecordPart, held: Document | None) -> DocumentDraft:
    """The document that a record makes; what it does not say itself, the fields of its type may say."""
    told_at = part.source_at or time_from_fields(part.type, part.properties)
    source_at = parse_instant(change, told_at, "record.source_at")
    draft = DocumentDraft(
        "memory" if part.type == "memory" else "record",
        part.type,
        held.key if held else part.id,
        part.title or (field_text(part.properties.get("subject")) if part.type == "email" else None),
        part.author,
        normalize_url(part.url),
        source_at if source_at is not None else held.source_at if held else change.now,
        part.content,
        part.properties,
    )
    return file_record(change, draft)


def _update_mentions(change: Change, document: Document, wanted: set[EntityId], *, is_new: bool) -> None:
    held = set() if is_new else set(change.mentioned(document.id))
    new = wanted - held if held else wanted
    if new:
        change.add_mentions(document.id, sorted(new))
    for entity in sorted(held - wanted) if held else ():
        change.end_mention(document.id, entity)


def _define(change: Change, line: BundleLine) -> bool:
    """Put a calendar, era or date on the workspace's timeline."""
    if line.definition is None or change.has_taken(line.hash):
        return False
    from recollect.ingest.timeline_definitions import define

    kind, fields = line.definition
    change.take_line(line.hash)
    define(change, kind, fields)
    return True
