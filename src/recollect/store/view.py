"""One consistent read of a workspace at one moment of knowing."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from recollect.model.document import Chunk, Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact, default_text
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.names import Name
from recollect.model.vocabulary import PredicateUsage
from recollect.store.fact_rows import FactFilter, FactRow, fact_row_of, newest_first
from recollect.store.port import Connection, Row
from recollect.store.rows import assertion_of, document_of, entity_of, fact_of
from recollect.store.tables import LATEST
from recollect.store.world import World, world_from
from recollect.when.instant import Instant


def _source_order(assertion: Assertion) -> tuple[int, int, str]:
    return assertion.source_at, assertion.tx_from, assertion.id


def _id(item: Fact | Assertion) -> str:
    return item.id


def name_sort_key(name: Name) -> tuple[bool, str, str]:
    """Names before aliases and identifiers, then by entity."""
    return name.kind != "name", name.entity, name.kind


class Workspace(NamedTuple):
    ws: int
    name: str


class Tx(NamedTuple):
    """One atomic write: its number, when it happened and who did it."""

    tx: int
    at: Instant
    surface: str
    tool: str
    actor: str
    undoes: int | None


class Neighbour(NamedTuple):
    """A current fact that joins two entities, as little of it as a walk needs."""

    fact: FactId
    subject: EntityId
    object: EntityId
    label: str
    fact_type: str
    source_at: Instant


class Dispute(NamedTuple):
    one: FactId
    other: FactId
    reason: str


class View:
    """Reads at `known`, the number of the last transaction that counts; `now` is the clock's instant."""

    def __init__(self, connection: Connection, workspace: Workspace, known: int, now: Instant) -> None:
        self.connection = connection
        self.workspace = workspace
        self.ws = workspace.ws
        self.known = known
        self.now = now

    def rows(self, query: str, **parameters: Any) -> list[Row]:
        parameters["ws"] = self.ws
        parameters["known"] = self.known
        return self.connection.rows(query, parameters)

    @cached_property
    def world(self) -> World:
        """The zone, timeline, present and policies of this workspace as they were set then."""
        return self.read_world()

    def read_world(self) -> World:
        return world_from(self.rows("world"), self.now)

    @property
    def last_tx(self) -> int:
        """The number of the last transaction this view can see."""
        [[last]] = self.rows("last_tx")
        return min(int(last), self.known)

    @property
    def is_latest(self) -> bool:
        return self.known == LATEST

    def transaction(self, number: int) -> Tx | None:
        found = self.rows("tx_one", tx=number)
        return Tx(*found[0]) if found else None

    def latest_txs(self, limit: int) -> list[Tx]:
        return [Tx(*row) for row in self.rows("tx_latest", limit=limit)]

    def entity(self, entity: EntityId) -> Entity | None:
        """The entity as it stood then, deleted and merged ones included."""
        found = self.rows("entity_by_id", id=entity)
        return entity_of(found[0]) if found else None

    def entities(self, entities: Collection[EntityId]) -> dict[EntityId, Entity]:
        found = (entity_of(row) for row in self.rows("entities_by_id", ids=sorted(entities))) if entities else ()
        return {entity.id: entity for entity in found}

    def survivor(self, entity: EntityId) -> Entity | None:
        """The entity, or the one it was merged into; none if that is not live."""
        found = self.entity(entity)
        while found is not None and found.merged_into is not None:
            found = self.entity(found.merged_into)
        return found if found is not None and found.is_live else None

    def entities_of_types(self, types: Collection[str], limit: int) -> list[Entity]:
        return [entity_of(row) for row in self.rows("entities_of_types", types=sorted(types), limit=limit)]

    def entity_versions(self, entity: EntityId) -> list[Entity]:
        return [entity_of(row) for row in self.rows("entity_versions", id=entity)]

    def names_matching(self, folded: str) -> list[Name]:
        """Rows whose folded text is equal, names before aliases and identifiers."""
        found = [Name(*row) for row in self.rows("names_exact", folded=folded)]
        return sorted(found, key=name_sort_key) if len(found) > 1 else found

    def names_of(self, entity: EntityId) -> list[Name]:
        rows = sorted(self.rows("names_of_entity", entity=entity), key=lambda row: (row[6], row[2], row[3]))
        return [Name(*row[:6]) for row in rows]

    def aliases(self, entity: Entity) -> list[str]:
        """Other spellings, first learned first, without the name itself."""
        rows = [name for name in self.names_of(entity.id) if name.kind == "alias" and name.folded != entity.folded]
        if len(rows) < 2:
            return [name.spelling for name in rows]
        learned = self.learned_aliases([entity.id])
        return [
            name.spelling for name in sorted(rows, key=lambda name: (learned[name.entity, name.folded], name.spelling))
        ]

    def learned_aliases(self, entities: Collection[EntityId]) -> dict[tuple[EntityId, str], tuple[int, ...]]:
        """What orders the aliases of these entities: when each was first heard at all, then when as an alias."""
        heard: dict[tuple[EntityId, str], int] = {}
        learned: dict[tuple[EntityId, str], tuple[int, ...]] = {}
        for entity, folded, tx, is_name, place in self.rows("aliases_learned", entities=sorted(entities)):
            alias = entity, folded
            heard[alias] = min(heard.get(alias, tx), tx)
            learned[alias] = min(learned.get(alias, (is_name, tx, place)), (is_name, tx, place))
        return {alias: (heard[alias], *learned[alias]) for alias in learned}

    def fact(self, fact: FactId) -> Fact | None:
        found = self.rows("fact_by_id", id=fact)
        return fact_of(found[0]) if found else None

    def fact_versions(self, fact: FactId) -> list[Fact]:
        return [fact_of(row) for row in self.rows("fact_versions", id=fact)]

    def fact_rows(self, facts: Collection[FactId]) -> list[FactRow]:
        """These facts with their ends, newest source first; those with a deleted end are left out."""
        return [fact_row_of(row) for row in self.rows("facts_seen", ids=sorted(facts))] if facts else []

    def facts_about(self, entity: EntityId, wanted: FactFilter) -> list[FactRow]:
        """Facts with the entity at either end, newest source first."""
        asked = wanted.parameters()
        rows = self.rows("facts_about_unordered", entity=entity, **asked)
        if len(rows) > wanted.limit:
            return [fact_row_of(row) for row in self.rows("facts_about", entity=entity, **asked)]
        return newest_first(map(fact_row_of, rows))

    def facts_in_slot(self, slot: int) -> tuple[Fact, ...]:
        rows = self.rows("facts_in_slot", slot=slot)
        return tuple(sorted(map(fact_of, rows), key=_id)) if rows else ()

    def facts_touching(self, entity: EntityId) -> list[Fact]:
        """Every fact of the entity, whatever its state."""
        return [fact_of(row) for row in self.rows("facts_touching", entity=entity)]

    def facts_of_subject(self, subject: EntityId, predicate: str, limit: int) -> list[Fact]:
        """Facts with this subject and predicate that are neither stale nor retracted."""
        return [
            fact_of(row) for row in self.rows("facts_of_subject_with", entity=subject, predicate=predicate, limit=limit)
        ]

    def facts_of_object(self, object_: EntityId, predicate: str, limit: int) -> list[Fact]:
        """Facts with this object and predicate that are neither stale nor retracted."""
        return [
            fact_of(row) for row in self.rows("facts_of_object_with", entity=object_, predicate=predicate, limit=limit)
        ]

    def fact_worded(self, subject: EntityId, label: str, fact_type: str, words: str, by: Instant) -> Fact | None:
        """The fact of this subject, label and type that reads exactly so: one said by then, live, the newest."""
        rows = self.rows("facts_worded", subject=subject, label=label, fact_type=fact_type, words=words)
        if not rows:
            silent = self.rows("facts_without_words", subject=subject, label=label, fact_type=fact_type)
            rows = [row for row in silent if self._in_words(fact_of(row)) == words]
        return max(
            map(fact_of, rows),
            key=lambda fact: (fact.source_at <= by, not fact.is_retracted, fact.source_at, fact.id),
            default=None,
        )

    def _in_words(self, fact: Fact) -> str:
        """How a fact reads that nobody gave words."""
        subject, object_ = self.entity(fact.subject), self.entity(fact.object) if fact.object is not None else None
        return default_text(subject.name if subject else "", fact.predicate, object_.name if object_ else fact.literal)

    def superseders(self, facts: Collection[FactId]) -> Mapping[FactId, Sequence[Fact]]:
        """By fact, those that were declared to replace it."""
        found: dict[FactId, list[Fact]] = {}
        for row in self.rows("facts_superseding", ids=sorted(facts)):
            fact = fact_of(row)
            if fact.supersedes is not None:
                found.setdefault(fact.supersedes, []).append(fact)
        for old, *rest in self.rows("facts_superseding_further", ids=sorted(facts)):
            found.setdefault(old, []).append(fact_of(tuple(rest)))
        return found

    def neighbours(self, entities: Collection[EntityId], wanted: FactFilter) -> list[Neighbour]:
        """Current facts between one of these entities and another."""
        at = wanted.parameters()
        rows = self.rows("neighbours", entities=sorted(entities), at_lo=at["at_lo"], at_hi=at["at_hi"])
        return [Neighbour(*row) for row in rows]

    def disputes(self, entity: EntityId | None = None) -> list[Dispute]:
        """Undecided pairs of facts, of one entity or of all."""
        rows = self.rows("disputes") if entity is None else self.rows("disputes_of_entity", entity=entity)
        return [Dispute(*row) for row in rows]

    def disputes_of(self, fact: FactId) -> list[Dispute]:
        return sorted(Dispute(*row) for row in self.rows("disputes_of_fact", fact=fact))

    def assertions(self, fact: FactId) -> list[Assertion]:
        """The live assertions of a fact, oldest source first."""
        return sorted((assertion_of(row) for row in self.rows("assertions_of_fact", fact=fact)), key=_source_order)

    def was_retracted(self, fact: FactId) -> bool:
        """Whether some source once said that the fact is not so."""
        return bool(self.rows("assertions_retracting", fact=fact))

    def assertions_of(self, facts: Collection[FactId]) -> dict[FactId, list[Assertion]]:
        """By fact, its live assertions, oldest source first."""
        found: dict[FactId, list[Assertion]] = {fact: [] for fact in facts}
        rows = self.rows("assertions_of_facts", facts=sorted(facts)) if facts else ()
        for assertion in sorted((assertion_of(row) for row in rows), key=_source_order):
            found[assertion.fact].append(assertion)
        return found

    def assertions_from(self, document: DocumentId) -> list[Assertion]:
        return sorted((assertion_of(row) for row in self.rows("assertions_of_document", document=document)), key=_id)

    def document(self, document: DocumentId) -> Document | None:
        found = self.rows("document_by_id", id=document)
        return document_of(found[0]) if found else None

    def documents(self, documents: Collection[DocumentId]) -> dict[DocumentId, Document]:
        found = (document_of(row) for row in self.rows("documents_by_id", ids=sorted(documents))) if documents else ()
        return {document.id: document for document in found}

    def document_named(self, kind: str, key: str) -> Document | None:
        found = self.rows("document_by_key", kind=kind, key=key)
        return document_of(found[0]) if found else None

    def text_of(self, document: Document) -> str | None:
        found = self.rows("content", hash=document.content) if document.content else []
        return str(found[0][0]) if found else None

    def chunks(self, document: DocumentId) -> list[Chunk]:
        return [Chunk(*row) for row in self.rows("chunks_of_document", document=document)]

    def mentioned(self, document: DocumentId) -> list[EntityId]:
        return sorted(row[0] for row in self.rows("mentions_of_document", document=document))

    def predicate_usage(self, predicate: str) -> PredicateUsage:
        """What this workspace says of a predicate outside the vocabulary."""
        found = self.rows("predicate_used", name=predicate)
        policy, is_fictional = self.world.conflict_policy, self.world.timeline.is_fictional
        if not found:
            return PredicateUsage(policy, None, False, is_fictional)
        return PredicateUsage(policy, found[0][1], found[0][2] == 1, is_fictional)

    def has_used(self, predicate: str) -> bool:
        return bool(self.rows("predicate_used", name=predicate))

    def has_ingested_line(self, line: str) -> bool:
        """Whether a line of this hash was taken in."""
        return bool(self.rows("line_taken", hash=line))

    def counts(self) -> Mapping[str, int]:
        """How many live entities, facts, documents and waiting jobs there are."""
        [row] = self.rows("counts")
        return dict(zip(("entities", "facts", "documents", "jobs"), map(int, row), strict=True))
