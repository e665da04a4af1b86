"""What a transaction writes: settings, entities and their names, facts, documents."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from recollect.model.actor import Actor
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.names import Name
from recollect.model.spelling_variants import index_keys
from recollect.model.trust import OWNER, Trust
from recollect.settings import Settings
from recollect.store.cached_view import CachedView
from recollect.store.port import Connection, LastTx, Row
from recollect.store.rows import assertion_row, document_row, entity_row, fact_row, name_row
from recollect.store.tables import (
    ASSERTION,
    CHUNK,
    DEFINITION,
    DISPUTE,
    DOCUMENT,
    ENTITY,
    FACT,
    LINE,
    MENTION,
    NAME,
    NAME_WORD,
    OPEN,
    PREDICATE,
    SETTING,
    TOKEN_VARIANT,
    TX,
    VERSIONED,
    Version,
    VersionedTable,
)
from recollect.store.transaction import ChangedRows, VoiceContext
from recollect.store.view import PredicateEntry, Workspace
from recollect.store.write_cache import WriteCache
from recollect.when.instant import DAY, Instant


class Change(CachedView):
    """A view of the latest state that writes; its transaction begins with the first thing it changes."""

    has_new_chunks = False
    actor_trust: Trust | None = None
    """The level of what the actor writes, once the rules for it were read."""
    _names_added = 0
    _before: LastTx | None = None
    """The transaction before this one, once the workspace is locked."""

    def __init__(
        self,
        connection: Connection,
        workspace: Workspace,
        now: Instant,
        actor: Actor,
        new_id: Callable[[], Any],
        cache: WriteCache | None = None,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(connection, workspace, now, WriteCache() if cache is None else cache)
        self.settings = settings or Settings()
        self.actor = actor
        self.new_id = new_id
        self._number = 0  # of this transaction, as soon as it has one
        self._undoes: int | None = None
        self.touched = ChangedRows()
        self.notes: dict[str, Any] = {}  # what listeners leave for the caller that made the change
        self.voice: Trust = OWNER

    def with_trust(self, voice: Trust) -> VoiceContext:
        """Write the words of a source of this level; entities that they name carry its mark."""
        return VoiceContext(self, voice)

    @property
    def tx(self) -> int:
        """The number of this transaction, taken when first needed: a call that changes nothing takes none."""
        if not self._number:
            self._number, at = self.connection.next_tx(self.ws, self.now, self._before)
            self.recent.last_tx = self._number
            who = self.actor
            self.connection.add(TX, ((self.ws, self._number, at, who.surface, who.tool, who.name, self._undoes),))
        return self._number

    @property
    def has_changed(self) -> bool:
        return self._number > 0

    @property
    def last_tx(self) -> int:
        """The number of this transaction if it changed anything, else of the one before it."""
        return self._number or super().last_tx

    @property
    def own_tx(self) -> int | None:
        """The number of this transaction; None as long as nothing was changed."""
        return self._number or None

    def lock(self) -> int:
        """Wait until no other transaction writes to this workspace; returns the number of the one before this."""
        [(last, last_at)] = self.connection.rows("lock_workspace", {"ws": self.ws})
        self._before = last, last_at
        # A clock that was set back by hours all but stands still until it has caught up: later writes are newer.
        if last_at is not None and 0 < last_at - self.now < DAY:
            self.now = Instant(last_at + 1)
        if not last == self.recent.last_tx == self.recent.kept_tx or self.recent.is_full:
            self.recent.clear()
            self.recent.last_tx = self.recent.kept_tx = last
        return int(last)

    def put_last_tx(self, tx: int) -> None:
        """Store the number of the last transaction, after the rows of all of them were filled in."""
        self.run("last_tx_put", tx=tx)
        self._before = None

    def clear_cache(self) -> None:
        """Clear the cache, after versions were ended or restored by other means than the methods below."""
        self.actor_trust = None
        self.recent.clear()

    def undoing(self, tx: int) -> None:
        """Mark this transaction as the undo of an earlier one."""
        self._undoes = tx

    def begun_by(self, tx: int) -> Iterable[Version]:
        """Every version that a transaction began, table by table."""
        return (Version(table, row) for table in VERSIONED for row in self.connection.begun_by(table, self.ws, tx))

    def ended_by(self, tx: int) -> Iterable[Version]:
        """Every version that a transaction ended, table by table."""
        return (Version(table, row) for table in VERSIONED for row in self.connection.ended_by(table, self.ws, tx))

    def end_version(self, table: VersionedTable, row: Row) -> None:
        self.recent.clear_facts()
        self.touched.add_row(table, row)
        self.end_row(table, row[1 : 1 + len(table.key)])

    def begin_again(self, table: VersionedTable, row: Row) -> None:
        """Begin a new version with the values of an ended one."""
        self.recent.clear_facts()
        self.touched.add_row(table, row)
        width = 1 + len(table.key)
        self.begin_row(table, row[1:width], *row[width + 2 :])

    def run(self, query: str, /, **parameters: Any) -> None:
        self.connection.run(query, {"ws": self.ws, **parameters})

    def run_many(self, query: str, rows: Iterable[Mapping[str, Any]]) -> None:
        if parameters := [{"ws": self.ws, **row} for row in rows]:
            self.connection.run_many(query, parameters)

    def begin_row(self, table: VersionedTable, key: Row, *content: Any) -> None:
        """Insert the first version of a key."""
        self.connection.insert(table, ((self.ws, *key, self.tx, OPEN, *content),))

    def put_row(self, table: VersionedTable, key: Row, *content: Any) -> None:
        """Begin a new version of a key, which may be its first."""
        self._replace(table, key, (self.ws, *key, self.tx, OPEN, *content))

    def _replace(self, table: VersionedTable, key: Row, row: Row) -> None:
        self.end_row(table, key)
        self.connection.insert(table, (row,))

    def end_row(self, table: VersionedTable, key: Row) -> None:
        self.connection.end(table, self.ws, key, self.tx)

    def open_version(self, table: VersionedTable, key: Row) -> Version | None:
        """The current version of a key."""
        row = self.connection.open_version(table, self.ws, key)
        return None if row is None else Version(table, row)

    def is_forgotten(self, *hashes: str) -> bool:
        """Whether one of these is the hash of something that was erased and must not come back."""
        return not self.forgotten.isdisjoint(hashes)

    def put_setting(self, key: str, value: Any) -> None:
        self.put_row(SETTING, (key,), _json(value))
        self._forget_world()

    def end_setting(self, key: str) -> None:
        self.end_row(SETTING, (key,))
        self._forget_world()

    def _forget_world(self) -> None:
        """Read the settings again, and what depends on them."""
        self.actor_trust = None
        self.recent.clear_world()

    def put_definition(self, kind: str, slug: str, value: Any) -> None:
        self.put_row(DEFINITION, (kind, slug), _json(value))
        self.recent.clear_world()

    def end_definition(self, kind: str, slug: str) -> None:
        self.end_row(DEFINITION, (kind, slug))
        self.recent.clear_world()

    def add_entity(self, entity: Entity) -> None:
        """Insert an entity that this transaction creates."""
        self.touched.entities.add(entity.id)
        self.note_new_entity(entity)
        self.connection.insert(ENTITY, (entity_row(self.ws, OPEN, entity),))

    def put_entity(self, entity: Entity) -> Entity:
        """Begin a new version of an entity."""
        self.touched.entities.add(entity.id)
        version = entity._replace(tx_from=self.tx)
        self.recent.put(version)
        self._replace(ENTITY, (entity.id,), entity_row(self.ws, OPEN, version))
        return version

    def add_name(self, name: Name) -> None:
        self.touched.entities.add(name.entity)
        self.note_new_name(name)
        self._names_added += 1
        self.connection.insert(NAME, (name_row(self.ws, self.tx, OPEN, name, self._names_added),))
        if name.kind in ("name", "alias"):
            self._index_words(name)

    def put_name(self, name: Name) -> None:
        """Begin a new version of a name, with another type, spelling or level of trust."""
        self.touched.entities.add(name.entity)
        self.note_new_name(name)
        key = (name.folded, name.entity, name.kind)
        self._replace(NAME, key, name_row(self.ws, self.tx, OPEN, name))

    def end_name(self, name: Name) -> None:
        self.touched.entities.add(name.entity)
        self.note_ended_name(name)
        self.end_row(NAME, (name.folded, name.entity, name.kind))

    def _index_words(self, name: Name) -> None:
        words = dict.fromkeys(name.key.split())
        self.add_words(name.key, words)
        known = self.recent.tokens
        for word in words:
            if not known.get(word):
                if not self.is_indexed_token(word):
                    self.add_variants(word)
                known[word] = True

    def add_words(self, key: str, words: Iterable[str]) -> None:
        """Index names with this key by their words."""
        self.connection.add(NAME_WORD, [(self.ws, word, key) for word in words])

    def add_variants(self, word: str) -> None:
        """Index a word by its parts and by what typing errors make of it."""
        self.connection.add(TOKEN_VARIANT, [(self.ws, variant, word) for variant in index_keys(word)])

    def add_fact(self, fact: Fact, assertions: Sequence[Assertion]) -> None:
        """Insert a fact that this transaction creates, with its assertions."""
        self.touched.facts.add(fact.id)
        if all(each.document is None for each in assertions):
            self.touched.by_hand.add(fact.id)
        self.note_new_fact(fact, assertions)
        self.connection.insert(ASSERTION, [assertion_row(self.ws, OPEN, each) for each in assertions])
        self.connection.insert(FACT, (fact_row(self.ws, OPEN, fact),))

    def put_fact(self, fact: Fact) -> Fact:
        """Begin a new version of a fact."""
        self.touched.facts.add(fact.id)
        version = fact._replace(tx_from=self.tx)
        self.note_fact(version)
        self._replace(FACT, (fact.id,), fact_row(self.ws, OPEN, version))
        return version

    def add_assertion(self, assertion: Assertion) -> None:
        """Add an assertion to a fact."""
        self.touched.add_assertion(assertion.fact, assertion.document)
        self.note_assertion(assertion)
        self.connection.insert(ASSERTION, (assertion_row(self.ws, OPEN, assertion),))

    def put_assertion(self, assertion: Assertion) -> None:
        self.touched.add_assertion(assertion.fact, assertion.document)
        self.note_assertion(assertion)
        row = assertion_row(self.ws, OPEN, assertion._replace(tx_from=self.tx))
        self._replace(ASSERTION, (assertion.id,), row)

    def end_assertion(self, assertion: Assertion) -> None:
        self.touched.facts.add(assertion.fact)
        self.note_assertion(assertion)
        self.end_row(ASSERTION, (assertion.id,))

    def add_dispute(self, one: FactId, other: FactId, reason: str) -> None:
        self.touched.facts.update((one, other))
        self.note_dispute(one, other, reason)
        self.put_row(DISPUTE, (one, other), reason)

    def end_dispute(self, one: FactId, other: FactId) -> None:
        self.touched.facts.update((one, other))
        self.note_dispute(one, other, None)
        self.end_row(DISPUTE, (one, other))

    def add_document(self, document: Document) -> None:
        """Insert a document that this transaction creates."""
        self.touched.documents.add(document.id)
        self.note_document(document)
        self.connection.insert(DOCUMENT, (document_row(self.ws, OPEN, document),))

    def put_document(self, document: Document) -> Document:
        self.touched.documents.add(document.id)
        version = document._replace(tx_from=self.tx)
        self.note_document(version)
        self._replace(DOCUMENT, (document.id,), document_row(self.ws, OPEN, version))
        return version

    def keep_text(self, digest: str, text: str) -> None:
        self.run("content_add", hash=digest, text=text)

    def add_chunk(self, document: DocumentId, seq: int, start: int, stop: int, digest: str, text: str) -> None:
        """Insert a chunk of a document; the store numbers it for the indexes."""
        self.touched.documents.add(document)
        self.has_new_chunks = True
        self.begin_row(CHUNK, (document, seq), start, stop, digest, text)

    def end_chunks(self, document: DocumentId) -> None:
        self.touched.documents.add(document)
        self.run("chunks_end", document=document, tx=self.tx)

    def add_mentions(self, document: DocumentId, entities: Iterable[EntityId]) -> None:
        """Add mentions of entities that the document does not mention yet."""
        self.touched.documents.add(document)
        ws, tx = self.ws, self.tx
        self.connection.insert(MENTION, [(ws, document, entity, tx, OPEN) for entity in entities])

    def put_mention(self, document: DocumentId, entity: EntityId) -> None:
        """Add a mention, or begin a new version of it."""
        self.touched.documents.add(document)
        self.put_row(MENTION, (document, entity))

    def end_mention(self, document: DocumentId, entity: EntityId) -> None:
        self.touched.documents.add(document)
        self.end_row(MENTION, (document, entity))

    def use_predicate(self, name: str, symmetric: bool = False) -> None:
        """Add a predicate to the workspace's vocabulary, unless it is there."""
        if self.predicate_entry(name) is None:
            surface = self.actor.surface
            self.recent.predicates[name] = PredicateEntry(name, surface, int(symmetric))
            self.begin_row(PREDICATE, (name,), surface, int(symmetric))

    def mark_ingested(self, line: str) -> None:
        """Record that a line, which is new, was ingested."""
        self.note_line(line)
        self.begin_row(LINE, (line,))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
