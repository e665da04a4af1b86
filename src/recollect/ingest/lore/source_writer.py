"""Writes the drafts of one source: entities, relations, withdrawals of what it no longer says."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from recollect.errors import Conflict, NotKnown, Refused
from recollect.ingest.drafts import DraftEnd as DraftEnd
from recollect.ingest.drafts import (
    DraftTarget,
    EntityDraft,
    ExtractionMethod,
    KeyRef,
    LiteralTarget,
    NameRef,
    RelationDraft,
    SourceDraft,
    SupersededDraft,
    UnreadableItem,
)
from recollect.ingest.lore.entities import EntityInput, EntityResult, check_size, describe_entity, other_alias_holders
from recollect.ingest.lore.front_matter import UnreadableEntry
from recollect.ingest.lore.relation_ends import TimeInput, parse_bounds
from recollect.ingest.lore.relations import (
    GivenEnd,
    RelationInput,
    RelationResult,
    RelationSource,
    find_relation_ends,
    known_claim,
    parse_relation,
    write_relation,
)
from recollect.ingest.lore.source_parser import parse_names, parse_visibility
from recollect.model.document import Document
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.fact import Assertion, Fact, Statement
from recollect.model.ids import FACT_PREFIX, AssertionId, EntityId, FactId, is_id, read_id
from recollect.model.labels import kind_of, read_label
from recollect.model.names import clean, fold
from recollect.store.change import Change
from recollect.write.entity_edits import edit_entity
from recollect.write.entity_refs import AmbiguousName, NamedRef, create, find_or_create
from recollect.write.fact_draft import document_source
from recollect.write.lookup import entities_named
from recollect.write.names import IDENTIFIERS, add_alias
from recollect.write.retract import delete_entity, withdraw_assertions
from recollect.write.source_reconciliation import repeats_statement


def store_tree_person(change: Change, draft: EntityDraft) -> EntityResult:
    """The person of a record, as the record now describes them."""
    stored = find_tree_person(change, str(draft.properties["gedcom_id"]))
    if stored is None:
        end = NamedRef(draft.name, draft.label, draft.aliases, draft.properties, confirmed=True, reason="given")
        return EntityResult(create(change, end), True, False)
    known_as = {name.folded for name in change.names_of(stored.id)}
    name = stored.name if fold(draft.name) in known_as else clean(draft.name)
    properties = {**stored.properties, **draft.properties, "gedcom_id": stored.properties.get("gedcom_id")}
    wanted = stored._replace(name=name, folded=fold(name), properties=properties, provisional=False)
    kept = stored if wanted == stored else edit_entity(change, stored, wanted)
    for alias in draft.aliases:
        add_alias(change, kept, alias)
    return EntityResult(kept, False, stored.provisional)


def find_tree_person(change: Change, gedcom_id: str) -> Entity | None:
    """The live person of a record, also after a merge."""
    named = entities_named(change, fold(gedcom_id))
    return next((entity for kind, entity in named if kind == "gedcom_id"), None)


def delete_tree_person(change: Change, person: Entity, title: str) -> bool:
    """Delete a person whose record is gone, unless another source still mentions them."""
    facts = change.facts_touching(person.id)
    if any(not fact.is_retracted and not fact.stale for fact in facts):
        return False
    delete_entity(change, person, f"gone from {title}")
    return True


def prefetch_source_names(change: Change, reading: SourceDraft) -> None:
    """Prefetch what a document will read; an optimization only."""
    change.prefetch_names({fold(name) for name in _draft_names(reading)})


def _draft_names(reading: SourceDraft) -> Iterator[str]:
    for entity in reading.entities:
        yield entity.name
        yield from entity.aliases
        yield from (value for kind in IDENTIFIERS if isinstance(value := entity.properties.get(kind), str))
    for name, _ in reading.links:
        yield name
    for relation in reading.relations:
        yield from (end.name for end in (relation.subject, relation.target) if isinstance(end, NameRef))


@dataclass(slots=True)
class SourceCounts:
    """The outcome of writing the items of a document."""

    entities_created: int = 0
    relations_created: int = 0
    assertions_added: int = 0
    assertions_withdrawn: int = 0


SourceProgress = Callable[[int, int], None]
"""Called with the number of written items and the total."""
_REPORT_INTERVAL = 500


@dataclass(slots=True)
class SourceWriter:
    """Writes one document."""

    change: Change
    document: Document
    tell: SourceProgress | None = None
    earlier_assertions: dict[FactId, list[Assertion]] = field(default_factory=dict)
    counts: SourceCounts = field(default_factory=SourceCounts)
    problems: list[UnreadableItem] = field(default_factory=list)
    dropped: list[UnreadableItem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    mentioned_entities: dict[EntityId, bool] = field(default_factory=dict)
    kept: set[AssertionId] = field(default_factory=set)
    _by_key: dict[str, Entity] = field(default_factory=dict)
    _by_name: dict[str, Entity] = field(default_factory=dict)
    _said: set[str] = field(default_factory=set)

    def write(self, reading: SourceDraft) -> None:
        """Write everything possible; the rest is reported as problems."""
        prefetch_source_names(self.change, reading)
        self.problems += reading.unread
        self.dropped += reading.dropped
        self.warnings += reading.warnings
        for entity in reading.entities:
            self._collect_error(entity.line, entity.name, partial(self.write_entity, entity))
        for name, line in reading.links:
            self._collect_error(line, f"[[{name}]]", partial(self.write_link, name))
        total = len(reading.entities) + len(reading.relations)
        for number, relation in enumerate(reading.relations):
            if self.tell is not None and number % _REPORT_INTERVAL == 0:
                self.tell(len(reading.entities) + number, total)
            self._collect_error(relation.line, relation.item, partial(self.write_relation, relation))

    def write_model_relations(self, relations: Iterable[RelationDraft]) -> None:
        """Write what a model read; invalid items are the model's mistakes, not the document's."""
        for relation in relations:
            self._collect_error(relation.line, relation.item, partial(self.write_relation, relation), self.dropped)

    def _collect_error(
        self, line: int, item: str, act: Callable[[], object], unread: list[UnreadableItem] | None = None
    ) -> None:
        try:
            act()
        except (Refused, NotKnown, Conflict) as problem:
            (self.problems if unread is None else unread).append(UnreadableItem(line, item, str(problem)))

    def write_entity(self, draft: EntityDraft) -> Entity:
        """Write one entity that the document describes."""
        if "gedcom_id" in draft.properties:
            found = store_tree_person(self.change, draft)
        else:
            found = describe_entity(self.change, EntityInput(draft.label, draft.name, draft.properties))
            self._aliases(found.entity, draft.aliases)
        self.mention(found.entity, found.is_new)
        if draft.key is not None:
            self._by_key[draft.key] = found.entity
        else:
            for name in (draft.name, *draft.aliases):
                self._by_name[fold(name)] = found.entity
        return found.entity

    def _aliases(self, entity: Entity, aliases: Iterable[str]) -> None:
        for alias in aliases:
            others = other_alias_holders(self.change, entity, alias)
            if others and add_alias(self.change, entity, alias):
                self.warnings.append(f"{alias!r} now names {entity.name!r} and {others[0].name!r}")
            else:
                add_alias(self.change, entity, alias)

    def write_link(self, name: str) -> None:
        """Mention a name; an unknown one becomes a provisional entity."""
        if len(name) > NAME_LIMIT:
            raise UnreadableEntry(f"a name has at most {NAME_LIMIT} characters")
        try:
            found = find_or_create(self.change, NamedRef(name, reason="link"))
        except AmbiguousName:
            self.warnings.append(f"[[{name}]] may be several entities; it links to none of them")
            return
        self.mention(found.entity, found.is_new)

    def write_relation(self, draft: RelationDraft) -> RelationResult | None:
        """Write one relation; an exact repetition in the document counts once."""
        said = repr(draft._replace(line=0))
        if said in self._said:
            return None
        self._said.add(said)
        check_size(dict(draft.attributes), "attributes")
        parse_visibility(draft.attributes.get("visibility"))
        parse_names(draft.attributes.get("known_to"), "known_to")
        wanted = RelationInput(
            self._end(draft.subject),
            draft.relation,
            self._target(draft.target),
            TimeInput(draft.valid_from, draft.valid_until),
            draft.confidence,
            draft.attributes,
            self._superseded_ids(draft),
            is_event=draft.is_event,
            confirms_ends=draft.extraction == "gedcom",
        )
        return self.write_statement(wanted, draft.quote, extraction=draft.extraction)

    def write_statement(
        self, wanted: RelationInput, quote: str | None = None, *, extraction: ExtractionMethod
    ) -> RelationResult:
        """Write one statement of the document."""
        document = self.document
        source = document_source(document, extraction)._replace(quote=quote)
        related = write_relation(
            self.change, wanted, RelationSource(source, document.source_at, self._earlier_assertion)
        )
        self._count(related)
        return related

    def _count(self, related: RelationResult) -> None:
        for entity in related.created_entities:
            self.mention(entity, True)
        for end in (related.fact.subject, related.fact.object):
            if end is not None:
                self.mentioned_entities.setdefault(end, False)
        self.warnings += related.warnings
        if related.earlier_assertion is not None:
            self.kept.add(related.earlier_assertion.id)
        elif related.is_new:
            self.counts.relations_created += not related.fact.is_pending
        else:
            self.counts.assertions_added += 1

    def _earlier_assertion(self, fact: FactId, statement: Statement) -> Assertion | None:
        """The equal assertion of the document's earlier version."""
        for each in self.earlier_assertions.get(fact, ()):
            if repeats_statement(each, statement) and each.extracted_by == statement.source.extracted_by:
                return each
        return None

    def mention(self, entity: Entity, is_new: bool) -> None:
        """Record that the document mentions an entity."""
        if is_new:
            self.counts.entities_created += 1
        self.mentioned_entities[entity.id] = self.mentioned_entities.get(entity.id, False) or is_new

    def _end(self, end: DraftEnd) -> GivenEnd:
        if isinstance(end, KeyRef):
            known = self._by_key.get(end.key)
            if known is None:
                raise UnreadableEntry(f"{end.key} could not be read")
            return known
        own = self._by_name.get(fold(end.name))
        if own is not None and (end.type is None or read_label(end.type).type == kind_of(own).type):
            return own
        return end

    def _target(self, target: DraftTarget) -> GivenEnd | LiteralTarget | None:
        return target if target is None or isinstance(target, LiteralTarget) else self._end(target)

    def _superseded_ids(self, draft: RelationDraft) -> tuple[FactId, ...]:
        old = draft.supersedes
        if old is None:
            return ()
        if isinstance(old, str):
            if not is_id(old, FACT_PREFIX):
                raise UnreadableEntry(f"supersedes should be the id of a relation, not {old!r}")
            return (FactId(read_id(old, FACT_PREFIX)),)
        found = list(self._superseded_candidates(old))
        if len(found) != 1:
            raise UnreadableEntry(f"supersedes matches {len(found)} live relations; it should match one")
        return (found[0].id,)

    def _superseded_candidates(self, old: SupersededDraft) -> Iterable[Fact]:
        """The relations that a retcon by ends may mean: live ones, or those that this document replaced before."""
        wanted = RelationInput(self._end(old.subject), old.relation, self._end(old.target))
        said = parse_relation(self.change, wanted)
        claimed = known_claim(self.change, said, find_relation_ends(self.change, said))
        if claimed is None:
            return []
        facts = [fact for fact in self.change.facts_in_slot(claimed.slot) if not fact.is_retracted]
        if old.valid_from is not None:
            start = parse_bounds(self.change.world, said.name, TimeInput(old.valid_from)).valid_from
            facts = [fact for fact in facts if fact.valid_from == start]
        own = [fact for fact in facts if fact.stale and fact.replaced_by in self.earlier_assertions]
        return own or [fact for fact in facts if not fact.stale]

    def finish(self, earlier: Iterable[Assertion]) -> None:
        """Withdraw what the document no longer states, and update its mentions."""
        gone = [each for each in earlier if each.id not in self.kept]
        withdraw_assertions(self.change, gone)
        self.counts.assertions_withdrawn = len(gone)
        mentioned = set(self.change.mentioned(self.document.id))
        self.change.add_mentions(self.document.id, sorted(self.mentioned_entities.keys() - mentioned))
        for entity in sorted(mentioned - self.mentioned_entities.keys()):
            self.change.end_mention(self.document.id, entity)
