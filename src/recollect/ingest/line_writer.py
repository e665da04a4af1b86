"""Writes one bundle line in a transaction: its document, its entities and its facts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from recollect.ingest.documents import DocumentDraft, guard_secrets, place_draft, store_document
from recollect.ingest.fields import BadLine
from recollect.ingest.filing import file_record
from recollect.ingest.line import IngestItem, RecordPart
from recollect.ingest.line_parts import FactPart
from recollect.ingest.party_resolver import EXTRACTED_REASONS, adopt_by_identifier, adopt_by_name
from recollect.ingest.record_types import field_text, find_stored_record, index_identity, time_from_fields
from recollect.ingest.statements import await_superseded_fact, draft_fact, origin_of, parse_instant
from recollect.model.document import Document, normalize_url
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact, Statement
from recollect.model.ids import ENTITY_PREFIX, BadId, EntityId, FactId, is_id, read_id
from recollect.model.names import fold
from recollect.model.similarity import SAME_STATEMENT_SIMILARITY, similarity
from recollect.model.trust import CLAIMED_TIME
from recollect.store.change import Change
from recollect.store.ingest_queries import mark_ingested
from recollect.when.instant import DAY, format_instant
from recollect.write.entity_refs import (
    AmbiguousName,
    NamedRef,
    ResolvedRef,
    add_mentions,
    find_cached,
    find_or_create,
    set_mentions,
)
from recollect.write.fact_draft import GIVEN, statement_of
from recollect.write.lookup import by_identifier
from recollect.write.names import name_text
from recollect.write.source_reconciliation import SourceReconciliation
from recollect.write.tombstones import check_document, is_hidden_source

EntityResolver = Callable[[Change, NamedRef], ResolvedRef]


class StandaloneReader(Protocol):
    """Stores a standalone record and extracts its facts."""

    def write_record(self, change: Change, line: IngestItem) -> bool: ...


def write_line(change: Change, line: IngestItem, reader: StandaloneReader | None = None) -> bool:
    """Write one line; false if it changes nothing. A refused line leaves no trace."""
    if line.definition is not None:
        return _define(change, line)
    if change.was_ingested(line.hash) and not is_line_tombstoned(change, line):
        return False
    stored = _stored_document(change, line.record) if line.record else None
    if line.record is not None and is_hidden_source(stored, line.record.content):
        return False
    if line.is_standalone and reader is not None:
        return reader.write_record(change, line)
    _write_contents(change, line, stored)
    changed = change.has_changed
    if changed:
        mark_ingested(change, line.hash, stored)
    return changed


def is_line_tombstoned(change: Change, line: IngestItem) -> bool:
    """Whether the record of a known line was erased since and may be read again; refused if it may not."""
    return line.record is not None and check_document(change, "record", line.record.id, line.record.content)


_PEOPLE_BY_ADDRESS = by_identifier("email", "person")


def with_known_people(change: Change, line: IngestItem) -> IngestItem:
    """The line with everybody under the name by which the store knows the person of that address."""
    renamed: dict[str, NamedRef] = {}
    for end in line.entities:
        email = end.properties.get("email")
        known = _PEOPLE_BY_ADDRESS.find_only(change, email) if end.type == "person" and email else None
        if known is not None and known.folded != end.folded and known.reason not in EXTRACTED_REASONS:
            renamed[end.folded] = replace(end, name=known.name, aliases=(*end.aliases, end.name))
    if not renamed:
        return line
    facts = [
        part._replace(
            subject=renamed.get(part.subject.folded, part.subject),
            target=renamed.get(part.target.folded, part.target) if isinstance(part.target, NamedRef) else part.target,
        )
        for part in line.facts
    ]
    return line._replace(entities=tuple(renamed.get(each.folded, each) for each in line.entities), facts=tuple(facts))


def _stored_document(change: Change, part: RecordPart) -> Document | None:
    return change.document_named("memory", part.id) if part.type == "memory" else find_stored_record(change, part)


def _write_contents(change: Change, line: IngestItem, held: Document | None) -> None:
    document = None
    if line.record is not None:
        draft, held = place_draft(change, draft_record(change, line.record, held), held)
        document = store_document(change, draft, held)
        index_identity(change, document)
    writer = _LineWriter(change, document, before=change.assertions_from(held.id) if held else ())
    writer.write(line)
    if document is not None:
        set_mentions(change, document.id, writer.mentioned, is_new=held is None)


def write_facts_from(change: Change, document: Document, line: IngestItem) -> None:
    """Write the entities and facts of a line, with a new document as their source."""
    writer = _LineWriter(change, document)
    writer.write(line)
    add_mentions(change, document.id, writer.mentioned)


def write_extracted(
    change: Change,
    document: Document,
    line: IngestItem,
    by: str,
    before: Sequence[Assertion],
    seek: EntityResolver = find_or_create,
) -> set[EntityId]:
    """Record what an extractor found in a document; what it found before and no longer finds is withdrawn.

    `seek` resolves the entities that it declares.
    """
    writer = _LineWriter(change, document, by, before, seek)
    writer.write(line)
    return writer.mentioned


EntitiesByName = dict[str, tuple[Entity, ...]]


class _LineWriter:
    """Writes the entities and facts of one line; names declared in the line take precedence."""

    __slots__ = ("_change", "_document", "_extracted_by", "_named", "_origin", "_reconciliation", "_seek", "mentioned")

    def __init__(
        self,
        change: Change,
        document: Document | None,
        extracted_by: str = GIVEN,
        before: Sequence[Assertion] = (),
        seek: EntityResolver = find_or_create,
    ) -> None:
        self._change = change
        self._document = document
        self._extracted_by = extracted_by
        self._seek = seek
        self._origin = origin_of(change, document, extracted_by)
        self._reconciliation = SourceReconciliation(change, before)
        self._named: EntitiesByName = {}
        self.mentioned: set[EntityId] = set()

    def write(self, line: IngestItem) -> None:
        """Record the entities and facts of a line; what the source no longer says is withdrawn."""
        with self._change.with_trust(self._origin.source.trust):
            for end in line.entities:
                self._write_entity(end)
            for part in line.facts:
                self._write_fact(part)
            self._reconciliation.finish()

    def _write_entity(self, end: NamedRef) -> None:
        entity = find_cached(self._change, end) if self._seek is find_or_create else None
        if entity is None or entity.reason in EXTRACTED_REASONS:
            entity = self._resolve_declared(end)
        self.mentioned.add(entity.id)
        self._declare(end.folded, entity)
        for alias in end.aliases:
            self._declare(name_text(alias).folded, entity)

    def _resolve_declared(self, end: NamedRef) -> Entity:
        if end.properties:
            adopt_by_identifier(self._change, end)
            end = end.at_source_time(self._origin.source_at)
        if end.type == "person":
            adopt_by_name(self._change, end)
        return self._seek(self._change, end).entity

    def _declare(self, folded: str, entity: Entity) -> None:
        others = self._named.get(folded)
        self._named[folded] = (
            (entity,) if others is None else (*(each for each in others if each.id != entity.id), entity)
        )

    def _write_fact(self, part: FactPart) -> None:
        """Record one fact, unless the source stated it before."""
        change, target, replaces = self._change, part.target, part.details.supersedes
        subject = self._resolve(part.subject)
        object_ = self._resolve(target) if isinstance(target, NamedRef) else None
        statement = statement_of(change, draft_fact(change, part, subject, object_, self._origin))
        if self._extracted_by != GIVEN:
            statement = _reuse_wording(change, statement, self._document)
        if replaces is None:
            self._reconciliation.state(statement)
            return
        statement = statement._replace(supersedes=_find_superseded(change, replaces, statement))
        recorded = self._reconciliation.state(statement)
        if recorded is not None and statement.supersedes is None:
            await_superseded_fact(change, recorded.fact, replaces)

    def _resolve(self, end: NamedRef) -> EntityId:
        named = self._named.get(end.folded)
        if named is not None:
            if len(named) == 1 and end.type is None:
                return named[0].id
            own = _entity_of_line(end, named)
            if own is not None:
                return own.id
        if is_id(end.name, ENTITY_PREFIX):
            return _entity_by_id(self._change, end.name).id
        # An end without a type adds nothing to the entity it refers to.
        known = self._change.recent.only(end.folded) if end.type is None else None
        return find_or_create(self._change, end).entity.id if known is None else known.id


def _entity_of_line(end: NamedRef, named: Sequence[Entity]) -> Entity | None:
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
        raise BadLine("facts", f"no entity here has the id {text}")
    return entity


def _reuse_wording(change: Change, statement: Statement, document: Document | None) -> Statement:
    """Use the words of a known fact that an extractor found again: by its quote, or by nearly the same words."""
    words = statement.words
    if words is None:
        return statement
    for fact in change.facts_in_slot(statement.claim.slot):
        if fact.is_retracted or fact.words is None or _has_other_time(fact, statement):
            continue
        if similarity(fact.words, words) >= SAME_STATEMENT_SIMILARITY or _is_quoted(change, fact, statement, document):
            return statement._replace(words=fact.words)
    return statement


def _has_other_time(fact: Fact, statement: Statement) -> bool:
    """Whether both give a bound, and not the same one."""
    pairs = ((fact.valid_from, statement.valid_from), (fact.valid_until, statement.valid_until))
    return any(one is not None and other is not None and one != other for one, other in pairs)


def _is_quoted(change: Change, fact: Fact, statement: Statement, document: Document | None) -> bool:
    quote = statement.source.quote
    if quote is None or document is None:
        return False
    said = (each.quote for each in change.assertions(fact.id) if each.document == document.id)
    return any(each and fold(each) == fold(quote) for each in said)


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


def draft_record(change: Change, part: RecordPart, held: Document | None) -> DocumentDraft:
    """The document of a record; missing values are taken from the fields of its type."""
    told_at = part.source_at or time_from_fields(part.type, part.properties)
    source_at = parse_instant(change, told_at, "record.source_at")
    properties = part.properties
    if source_at is not None and source_at > change.now + DAY:
        properties = {**properties, CLAIMED_TIME: format_instant(source_at)}
        is_same = held is not None and held.properties.get(CLAIMED_TIME) == properties[CLAIMED_TIME]
        source_at = held.source_at if held is not None and is_same else change.now
    draft = DocumentDraft(
        "memory" if part.type == "memory" else "record",
        part.type,
        held.key if held else part.id,
        part.title or (field_text(part.properties.get("subject")) if part.type == "email" else None),
        part.author,
        normalize_url(part.url),
        source_at if source_at is not None else held.source_at if held else change.now,
        part.content,
        properties,
    )
    draft = guard_secrets(change, draft)
    return file_record(change, draft)


def _define(change: Change, line: IngestItem) -> bool:
    """Put a calendar, era or date on the workspace's timeline."""
    if line.definition is None or change.was_ingested(line.hash):
        return False
    from recollect.ingest.timeline_definitions import define

    kind, fields = line.definition
    change.mark_ingested(line.hash)
    define(change, kind, fields)
    return True
