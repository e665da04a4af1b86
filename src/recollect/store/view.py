"""One consistent read of a workspace as of one transaction."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from recollect.model.document import Chunk, Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact, default_text
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.names import Name
from recollect.model.trust import is_low
from recollect.model.vocabulary import PredicateUsage
from recollect.store.fact_rows import NO_LIMIT, FactFilter, FactRow, fact_row_of, newest_first
from recollect.store.port import Connection, Row, RowType
from recollect.store.rows import assertion_of, document_of, entity_of, fact_of
from recollect.store.tables import LATEST
from recollect.store.world import World, WorldRow, world_from
from recollect.when.instant import Instant

if TYPE_CHECKING:
    from recollect.model.slot import ComparisonScope

Item = TypeVar("Item")


def _source_order(assertion: Assertion) -> tuple[int, int, str]:
    """Oldest source first, then in the order of recording, which an undo does not change."""
    return assertion.source_at, assertion.recorded_at, assertion.id


def _id(item: Fact | Assertion) -> str:
    return item.id


def _first(found: Sequence[Item]) -> Item | None:
    return found[0] if found else None


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
    """A current fact between two entities: the columns that a graph traversal needs."""

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


class _LearnedAlias(NamedTuple):
    entity: EntityId
    folded: str
    tx_from: int
    is_not_alias: int
    place: int


class PredicateEntry(NamedTuple):
    """A predicate as the workspace's vocabulary has it."""

    name: str
    first_surface: str
    is_symmetric: int


class Counts(NamedTuple):
    """Live entities, facts and documents, and waiting jobs."""

    entities: int
    facts: int
    documents: int
    jobs: int


class View:
    """Reads as of `as_of_tx`, the last transaction that is visible; `now` is the clock's instant."""

    def __init__(self, connection: Connection, workspace: Workspace, as_of_tx: int, now: Instant) -> None:
        self.connection = connection
        self.workspace = workspace
        self.ws = workspace.ws
        self.as_of_tx = as_of_tx
        self.now = now

    def fetch(self, row_type: type[RowType], query: str, /, **parameters: Any) -> list[RowType]:
        """The rows of a query, each as a named tuple whose fields are the query's columns."""
        # Every read passes here: `_make` would also count the columns of each row, which the tests do once.
        new = tuple.__new__
        return [new(row_type, row) for row in self.rows(query, **parameters)]

    def fetch_one(self, row_type: type[RowType], query: str, /, **parameters: Any) -> RowType | None:
        """The first row of a query, or None."""
        rows = self.rows(query, **parameters)
        return row_type._make(rows[0]) if rows else None

    def fetch_facts(self, query: str, /, **parameters: Any) -> list[Fact]:
        return [fact_of(row) for row in self.rows(query, **parameters)]

    def fetch_assertions(self, query: str, /, **parameters: Any) -> list[Assertion]:
        return [assertion_of(row) for row in self.rows(query, **parameters)]

    def fetch_entities(self, query: str, /, **parameters: Any) -> list[Entity]:
        return [entity_of(row) for row in self.rows(query, **parameters)]

    def fetch_documents(self, query: str, /, **parameters: Any) -> list[Document]:
        return [document_of(row) for row in self.rows(query, **parameters)]

    def fetch_values(self, query: str, /, **parameters: Any) -> list[Any]:
        """The first column of a query."""
        return [row[0] for row in self.rows(query, **parameters)]

    def fetch_text(self, query: str, /, **parameters: Any) -> str | None:
        """The first column of the first row, or None."""
        return _first(self.fetch_values(query, **parameters))

    def fetch_number(self, query: str, /, **parameters: Any) -> int:
        """The one number that a query returns."""
        [[number]] = self.rows(query, **parameters)
        return int(number)

    def rows(self, query: str, /, **parameters: Any) -> list[Row]:
        parameters["ws"] = self.ws
        parameters["as_of_tx"] = self.as_of_tx
        return self.connection.rows(query, parameters)

    def rows_in_index(self, query: str, /, **parameters: Any) -> int | None:
        return self.connection.rows_in_index(query, {**parameters, "ws": self.ws, "as_of_tx": self.as_of_tx})

    def expected_rows(self, query: str, /, **parameters: Any) -> int | None:
        return self.connection.expected_rows(query, {**parameters, "ws": self.ws, "as_of_tx": self.as_of_tx})

    @cached_property
    def world(self) -> World:
        """The time zone, timeline, present and policies of this workspace as of this view."""
        return self.read_world()

    def read_world(self) -> World:
        return world_from(self.fetch(WorldRow, "world"), self.now)

    @property
    def last_tx(self) -> int:
        """The number of the last transaction this view can see."""
        [[last]] = self.rows("last_tx")
        return min(int(last), self.as_of_tx)

    def last_tx_at(self, instant: Instant) -> int:
        """The number of the last transaction up to an instant, 0 if there is none."""
        return next((int(tx) for [tx] in self.rows("tx_at", at=instant)), 0)

    @property
    def is_latest(self) -> bool:
        return self.as_of_tx == LATEST

    @property
    def latest(self) -> "View":
        """What is known now, whatever moment this view shows."""
        return self if self.is_latest else self.at(LATEST)

    def at(self, tx: int) -> "View":
        """The same workspace as of another transaction."""
        return View(self.connection, self.workspace, tx, self.now)

    def transaction(self, number: int) -> Tx | None:
        return self.fetch_one(Tx, "tx_one", tx=number)

    def latest_txs(self, limit: int) -> list[Tx]:
        return self.fetch(Tx, "tx_latest", limit=limit)

    def entity(self, entity: EntityId) -> Entity | None:
        """The entity as of this view, also if deleted or merged."""
        return _first(self.fetch_entities("entity_by_id", id=entity))

    def entities(self, entities: Collection[EntityId]) -> dict[EntityId, Entity]:
        found = self.fetch_entities("entities_by_id", ids=sorted(entities)) if entities else ()
        return {entity.id: entity for entity in found}

    def survivor(self, entity: EntityId) -> Entity | None:
        """The entity, or the one it was merged into; None unless that one is live."""
        found = self.entity(entity)
        while found is not None and found.merged_into is not None:
            found = self.entity(found.merged_into)
        return found if found is not None and found.is_live else None

    def entities_of_types(self, types: Collection[str], limit: int) -> list[Entity]:
        return self.fetch_entities("entities_of_types", types=sorted(types), limit=limit)

    def entity_versions(self, entity: EntityId) -> list[Entity]:
        return self.fetch_entities("entity_versions", id=entity)

    def names_matching(self, folded: str) -> list[Name]:
        """Names with this folded text: names before aliases and identifiers.

        Without what only strangers call somebody whom others vouch for, so that no caller takes it for a name.
        """
        found = self.fetch(Name, "names_exact", folded=folded)
        claimed = {name.entity for name in found if name.known_as == "claimed"}
        if claimed:
            holders = self.entities(claimed)
            found = [each for each in found if each.known_as != "claimed" or is_low(holders[each.entity].trust)]
        return sorted(found, key=name_sort_key) if len(found) > 1 else found

    def names_of(self, entity: EntityId) -> list[Name]:
        found = [(tx_from, Name._make(name)) for *name, tx_from in self.rows("names_of_entity", entity=entity)]
        return [name for _, name in sorted(found, key=lambda each: (each[0], each[1].spelling, each[1].kind))]

    def aliases(self, entity: Entity) -> list[str]:
        """Other spellings in the order they were learned, without the name itself."""
        rows = [name for name in self.names_of(entity.id) if name.kind == "alias" and name.folded != entity.folded]
        if len(rows) < 2:
            return [name.spelling for name in rows]
        learned = self.learned_aliases([entity.id])
        return [
            name.spelling for name in sorted(rows, key=lambda name: (learned[name.entity, name.folded], name.spelling))
        ]

    def learned_aliases(self, entities: Collection[EntityId]) -> dict[tuple[EntityId, str], tuple[int, ...]]:
        """Sort keys for aliases: when the text was first recorded at all, then when as an alias."""
        recorded: dict[tuple[EntityId, str], int] = {}
        learned: dict[tuple[EntityId, str], tuple[int, ...]] = {}
        for row in self.fetch(_LearnedAlias, "aliases_learned", entities=sorted(entities)):
            alias, order = (row.entity, row.folded), (row.is_not_alias, row.tx_from, row.place)
            recorded[alias] = min(recorded.get(alias, row.tx_from), row.tx_from)
            learned[alias] = min(learned.get(alias, order), order)
        return {alias: (recorded[alias], *learned[alias]) for alias in learned}

    def fact(self, fact: FactId) -> Fact | None:
        return _first(self.fetch_facts("fact_by_id", id=fact))

    def fact_versions(self, fact: FactId) -> list[Fact]:
        return self.fetch_facts("fact_versions", id=fact)

    def fact_rows(self, facts: Collection[FactId]) -> list[FactRow]:
        """These facts, newest source first, without those whose subject or object is deleted."""
        return [fact_row_of(row) for row in self.rows("facts_seen", ids=sorted(facts))] if facts else []

    def facts_about(self, entity: EntityId, where: FactFilter) -> list[FactRow]:
        """Facts with the entity as subject or object, newest source first."""
        filters = where.parameters()
        rows = self.rows("facts_about_unordered", entity=entity, **filters)
        if len(rows) > where.limit:
            return [fact_row_of(row) for row in self.rows("facts_about", entity=entity, **filters)]
        return newest_first(map(fact_row_of, rows))

    def facts_in_slot(self, slot: int) -> tuple[Fact, ...]:
        return self.some_in_slot(slot, NO_LIMIT)

    def some_in_slot(self, slot: int, limit: int) -> tuple[Fact, ...]:
        """The facts of a slot, no more than `limit`."""
        return tuple(sorted(self.fetch_facts("facts_in_slot", slot=slot, limit=limit), key=_id))

    def facts_in_reach(self, slot: int, reach: "ComparisonScope") -> tuple[Fact, ...]:
        """The facts of a slot of the latest state that a statement can reach, and perhaps others."""
        return tuple(sorted(self.fetch_facts("facts_in_reach", slot=slot, **reach._asdict()), key=_id))

    def facts_touching(self, entity: EntityId) -> list[Fact]:
        """Every fact of the entity, whatever its state."""
        return self.fetch_facts("facts_touching", entity=entity)

    def facts_of_subject(self, subject: EntityId, predicate: str, limit: int) -> list[Fact]:
        """Facts with this subject and predicate that are neither stale nor retracted."""
        return self.fetch_facts("facts_of_subject_with", entity=subject, predicate=predicate, limit=limit)

    def facts_of_subject_ever(self, subject: EntityId, predicate: str, limit: int) -> list[Fact]:
        """Facts with this subject and predicate, whatever their state."""
        return self.fetch_facts("facts_of_subject_ever_with", entity=subject, predicate=predicate, limit=limit)

    def facts_of_object(self, object_: EntityId, predicate: str, limit: int) -> list[Fact]:
        """Facts with this object and predicate that are neither stale nor retracted."""
        return self.fetch_facts("facts_of_object_with", entity=object_, predicate=predicate, limit=limit)

    def fact_worded(self, subject: EntityId, label: str, fact_type: str, words: str, by: Instant) -> Fact | None:
        """The fact of this subject, label and type with exactly this text: prefer one stated by then, live, newest."""
        key = {"subject": subject, "label": label, "fact_type": fact_type}
        facts = self.fetch_facts("facts_worded", words=words, **key)
        if not facts:
            without_text = self.fetch_facts("facts_without_words", **key)
            facts = [fact for fact in without_text if self._default_text(fact) == words]
        return max(
            facts,
            key=lambda fact: (fact.source_at <= by, not fact.is_retracted, fact.source_at, fact.id),
            default=None,
        )

    def _default_text(self, fact: Fact) -> str:
        """The text of a fact that was given none."""
        subject, object_ = self.entity(fact.subject), self.entity(fact.object) if fact.object is not None else None
        return default_text(subject.name if subject else "", fact.predicate, object_.name if object_ else fact.literal)

    def superseders(self, facts: Collection[FactId]) -> Mapping[FactId, Sequence[Fact]]:
        """By fact, the facts declared to replace it."""
        found: dict[FactId, list[Fact]] = {}
        for fact in self.fetch_facts("facts_superseding", ids=sorted(facts)):
            if fact.supersedes is not None:
                found.setdefault(fact.supersedes, []).append(fact)
        for replaced, *columns in self.rows("facts_superseding_further", ids=sorted(facts)):
            found.setdefault(replaced, []).append(fact_of(tuple(columns)))
        return found

    def neighbours(self, entities: Collection[EntityId], where: FactFilter) -> list[Neighbour]:
        """Current facts between one of these entities and another."""
        at = where.at
        return self.fetch(Neighbour, "neighbours", entities=sorted(entities), at_lo=at.lo, at_hi=at.hi)

    def disputes(self, entity: EntityId | None = None) -> list[Dispute]:
        """Unresolved pairs of facts, of one entity or of all."""
        if entity is None:
            return self.fetch(Dispute, "disputes")
        return self.fetch(Dispute, "disputes_of_entity", entity=entity)

    def disputes_of(self, fact: FactId) -> list[Dispute]:
        return sorted(self.fetch(Dispute, "disputes_of_fact", fact=fact))

    def assertions(self, fact: FactId) -> list[Assertion]:
        """The live assertions of a fact, oldest source first."""
        return sorted(self.fetch_assertions("assertions_of_fact", fact=fact), key=_source_order)

    def was_retracted(self, fact: FactId) -> bool:
        """Whether any source ever retracted the fact."""
        return bool(self.rows("assertions_retracting", fact=fact))

    def assertions_of(self, facts: Collection[FactId]) -> dict[FactId, list[Assertion]]:
        """By fact, its live assertions, oldest source first."""
        found: dict[FactId, list[Assertion]] = {fact: [] for fact in facts}
        stored = self.fetch_assertions("assertions_of_facts", facts=sorted(facts)) if facts else ()
        for assertion in sorted(stored, key=_source_order):
            found[assertion.fact].append(assertion)
        return found

    def assertions_from(self, document: DocumentId) -> list[Assertion]:
        return sorted(self.fetch_assertions("assertions_of_document", document=document), key=_id)

    def document(self, document: DocumentId) -> Document | None:
        return _first(self.fetch_documents("document_by_id", id=document))

    def documents(self, documents: Collection[DocumentId]) -> dict[DocumentId, Document]:
        found = self.fetch_documents("documents_by_id", ids=sorted(documents)) if documents else ()
        return {document.id: document for document in found}

    def document_named(self, kind: str, key: str) -> Document | None:
        return _first(self.fetch_documents("document_by_key", kind=kind, key=key))

    def text_of(self, document: Document) -> str | None:
        rows = self.rows("content", hash=document.content) if document.content else ()
        return next((str(text) for [text] in rows), None)

    def chunks(self, document: DocumentId) -> list[Chunk]:
        return self.fetch(Chunk, "chunks_of_document", document=document)

    def mentioned(self, document: DocumentId) -> list[EntityId]:
        return sorted(entity for [entity] in self.rows("mentions_of_document", document=document))

    def predicate_entry(self, name: str) -> PredicateEntry | None:
        """The entry of a predicate in the workspace's own vocabulary."""
        return self.fetch_one(PredicateEntry, "predicate_used", name=name)

    def predicate_usage(self, predicate: str) -> PredicateUsage:
        """How this workspace uses a predicate that is not built in."""
        world, entry = self.world, self.predicate_entry(predicate)
        surface, is_symmetric = (entry.first_surface, entry.is_symmetric == 1) if entry else (None, False)
        return PredicateUsage(world.conflict_policy, surface, is_symmetric, world.timeline.is_fictional)

    def has_used(self, predicate: str) -> bool:
        return self.predicate_entry(predicate) is not None

    def was_ingested(self, line: str) -> bool:
        """Whether a line with this hash was ingested."""
        return bool(self.rows("line_taken", hash=line))

    def counts(self) -> Mapping[str, int]:
        """How many live entities, facts, documents and waiting jobs there are."""
        [counts] = self.fetch(Counts, "counts")
        return counts._asdict()
