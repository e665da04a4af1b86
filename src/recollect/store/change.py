"""One transaction: a view that can begin and end versions."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from recollect.model.actor import Actor
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.names import Name, tokens, vocabulary_of
from recollect.settings import Settings
from recollect.store.port import Connection, Row
from recollect.store.recalling import RecallingView
from recollect.store.recent import Recent, RecentBatch, names_before
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
    Table,
)
from recollect.store.touched import Touched
from recollect.store.view import Workspace
from recollect.when.instant import Instant


class Change(RecallingView):
    """A view of the latest state that writes; its transaction begins with the first thing it changes."""

    def __init__(
        self,
        connection: Connection,
        workspace: Workspace,
        now: Instant,
        actor: Actor,
        new_id: Callable[[], str],
        recent: Recent | None = None,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(connection, workspace, now, recent or Recent())
        self.settings = settings or Settings()
        self.actor = actor
        self.new_id = new_id
        self._tx = 0
        self._undoes: int | None = None
        self._names_added = 0
        self.has_new_chunks = False
        self.touched = Touched()
        self.notes: dict[str, Any] = {}  # what followers leave for the call that made the change

    @property
    def tx(self) -> int:
        """The number of this transaction, taken when first needed: a call that changes nothing is none."""
        if not self._tx:
            [[self._tx]] = self.connection.rows("next_tx", {"ws": self.ws})
            self.recent.last_tx = self._tx
            self._begin_tx()
        return self._tx

    def _begin_tx(self) -> None:
        who = self.actor
        row = (self.ws, self._tx, self.now, who.surface, who.tool, who.name, self._undoes)
        self.connection.add(TX, (row,))

    @property
    def has_changed(self) -> bool:
        return self._tx > 0

    def is_forgotten(self, *hashes: str) -> bool:
        """Whether one of these stands for something that was erased and must not come back."""
        return not self.forgotten.isdisjoint(hashes)

    @property
    def has_forgotten(self) -> bool:
        """Whether anything was ever erased here."""
        return bool(self.forgotten)

    @property
    def forgotten(self) -> frozenset[str]:
        """The hashes of everything that was erased here."""
        held = self.recent.forgotten
        if held is None:
            held = self.recent.forgotten = frozenset(row[0] for row in self.rows("forgotten_hashes"))
        return held

    def undoing(self, tx: int) -> None:
        """Mark this transaction as the opposite of an earlier one."""
        self._undoes = tx

    def lock(self) -> int:
        """Wait until nobody else writes to this workspace; the number of the transaction before this one.

        What was looked up before counts if nobody wrote since.
        """
        [[last]] = self.connection.rows("lock_workspace", {"ws": self.ws})
        if not last == self.recent.last_tx == self.recent.kept_tx or self.recent.is_full:
            self.recent.clear()
            self.recent.last_tx = self.recent.kept_tx = last
        return int(last)

    def _replace(self, table: Table, key: Row, row: Row) -> None:
        self.connection.end(table, self.ws, key, self.tx)
        self.connection.insert(table, (row,))

    def add_entity(self, entity: Entity) -> None:
        self.touched.entities.add(entity.id)
        if self.recent.batch is not None:
            self.recent.batch.made.add(entity.id)
        self.recent.entities[entity.id] = entity
        self.connection.insert(ENTITY, (entity_row(self.ws, OPEN, entity._replace(tx_from=self.tx)),))

    def put_entity(self, entity: Entity) -> Entity:
        """Begin a new version of an entity."""
        self.touched.entities.add(entity.id)
        version = entity._replace(tx_from=self.tx)
        self.recent.entities[entity.id] = version
        self._replace(ENTITY, (entity.id,), entity_row(self.ws, OPEN, version))
        return version

    def add_name(self, name: Name) -> None:
        """Let an entity be known by one more text."""
        self.touched.entities.add(name.entity)
        held = {*self._named(name.folded), (name.kind, name.entity)}
        self.recent.named[name.folded] = sorted(held, key=names_before)
        self._names_added += 1
        self.connection.insert(NAME, (name_row(self.ws, self.tx, OPEN, name, self._names_added),))
        if name.kind in ("name", "alias"):
            self._index_words(name)

    def retype_name(self, name: Name) -> None:
        self.touched.entities.add(name.entity)
        key = (name.folded, name.entity, name.kind)
        self._replace(NAME, key, name_row(self.ws, self.tx, OPEN, name))

    def end_name(self, name: Name) -> None:
        self.touched.entities.add(name.entity)
        left = [each for each in self._named(name.folded) if each != (name.kind, name.entity)]
        self.recent.named[name.folded] = left
        self.connection.end(NAME, self.ws, (name.folded, name.entity, name.kind), self.tx)

    def _index_words(self, name: Name) -> None:
        words = sorted(set(tokens(name.folded)))
        self.add_words(name.key, words)
        for word in words:
            if not self.knows_token(word):
                self.add_variants(word)
            self.recent.tokens[word] = True

    def add_words(self, key: str, words: Iterable[str]) -> None:
        """Let names of this key be found by their words."""
        self.connection.add(NAME_WORD, [(self.ws, word, key) for word in words])

    def add_variants(self, word: str) -> None:
        """Let a word be found by what typing errors make of it and by its parts."""
        self.connection.add(TOKEN_VARIANT, [(self.ws, each, word) for each in vocabulary_of(word)])

    def add_fact(self, fact: Fact) -> None:
        """Begin a fact of this transaction, which nobody knows yet."""
        self.touched.facts.add(fact.id)
        if fact.supersedes is not None:
            self.recent.superseding = True
        batch = self.recent.batch
        if batch is not None:
            self.facts_in_slot(fact.slot).append(fact)
            batch.disputes[fact.id] = {}
            if fact.policy == "dispute":
                batch.note(fact)
        self.connection.insert(FACT, (fact_row(self.ws, OPEN, fact),))

    def put_fact(self, fact: Fact) -> Fact:
        """Begin a new version of a fact."""
        self.touched.facts.add(fact.id)
        version = fact._replace(tx_from=self.tx)
        if fact.supersedes is not None:
            self.recent.superseding = True
        if self.recent.batch is not None:
            self._hold(self.recent.batch, version)
        self._replace(FACT, (fact.id,), fact_row(self.ws, OPEN, version))
        return version

    def _hold(self, batch: RecentBatch, version: Fact) -> None:
        """Let a batch know the newest version of a fact, in its slot and in no other."""
        if version.policy == "dispute":
            batch.note(version)
        slot = self.facts_in_slot(version.slot)
        places = [place for place, held in enumerate(slot) if held.id == version.id]
        if places:
            slot[places[0]] = version
            return
        before = self.fact(version.id)
        if before is not None:
            batch.move(before, version)
            old = self.facts_in_slot(before.slot)
            old[:] = [each for each in old if each.id != version.id]
        slot.append(version)

    def add_assertion(self, assertion: Assertion) -> None:
        """Keep an assertion of this transaction."""
        self.touched.facts.add(assertion.fact)
        if assertion.certainty == "retracted":
            self._note_retracting(assertion.fact)
        self.connection.insert(ASSERTION, (assertion_row(self.ws, OPEN, assertion),))

    def _note_retracting(self, fact: FactId) -> None:
        if self.recent.batch is not None:
            self.recent.batch.retracting.add(fact)

    def put_assertion(self, assertion: Assertion) -> None:
        self.touched.facts.add(assertion.fact)
        if assertion.certainty == "retracted":
            self._note_retracting(assertion.fact)
        self._replace(ASSERTION, (assertion.id,), assertion_row(self.ws, OPEN, assertion._replace(tx_from=self.tx)))

    def end_assertion(self, assertion: Assertion) -> None:
        self.touched.facts.add(assertion.fact)
        self.connection.end(ASSERTION, self.ws, (assertion.id,), self.tx)

    def add_dispute(self, one: FactId, other: FactId, reason: str) -> None:
        self.touched.facts.update((one, other))
        batch = self.recent.batch
        if batch is not None:
            for fact in (one, other):
                self._disputes(batch, fact)[one, other] = reason
        self._replace(DISPUTE, (one, other), (self.ws, one, other, self.tx, OPEN, reason))

    def end_dispute(self, one: FactId, other: FactId) -> None:
        self.touched.facts.update((one, other))
        batch = self.recent.batch
        if batch is not None:
            for fact in (one, other):
                self._disputes(batch, fact).pop((one, other), None)
        self.connection.end(DISPUTE, self.ws, (one, other), self.tx)

    def add_document(self, document: Document) -> None:
        """Keep a document of this transaction, which nobody knows yet."""
        self.touched.documents.add(document.id)
        self._note_document(document)
        self.connection.insert(DOCUMENT, (document_row(self.ws, OPEN, document),))

    def put_document(self, document: Document) -> Document:
        self.touched.documents.add(document.id)
        version = document._replace(tx_from=self.tx)
        self._note_document(version)
        self._replace(DOCUMENT, (document.id,), document_row(self.ws, OPEN, version))
        return version

    def _note_document(self, document: Document) -> None:
        if self.recent.batch is not None:
            self.recent.batch.documents[document.kind, document.key] = document

    def keep_text(self, digest: str, text: str) -> None:
        self.connection.run("content_add", {"ws": self.ws, "hash": digest, "text": text})

    def add_chunk(self, document: DocumentId, seq: int, start: int, stop: int, digest: str, text: str) -> None:
        """Store a passage of a document; the store gives it the number that the indexes know it by."""
        self.touched.documents.add(document)
        self.has_new_chunks = True
        self.connection.insert(CHUNK, ((self.ws, document, seq, self.tx, OPEN, start, stop, digest, text),))

    def end_chunks(self, document: DocumentId) -> None:
        self.touched.documents.add(document)
        self.connection.run("chunks_end", {"ws": self.ws, "document": document, "tx": self.tx})

    def add_mentions(self, document: DocumentId, entities: Iterable[EntityId]) -> None:
        """Let a document mention entities that it does not mention yet."""
        self.touched.documents.add(document)
        ws, tx = self.ws, self.tx
        self.connection.insert(MENTION, [(ws, document, entity, tx, OPEN) for entity in entities])

    def put_mention(self, document: DocumentId, entity: EntityId) -> None:
        """Let a document mention an entity, whether or not it does."""
        self.touched.documents.add(document)
        self._replace(MENTION, (document, entity), (self.ws, document, entity, self.tx, OPEN))

    def end_mention(self, document: DocumentId, entity: EntityId) -> None:
        self.touched.documents.add(document)
        self.connection.end(MENTION, self.ws, (document, entity), self.tx)

    def use_predicate(self, name: str, symmetric: bool = False) -> None:
        """Enter a predicate into the workspace's vocabulary, unless it is there."""
        if self._first_use(name) is None:
            self.recent.predicates[name] = (self.actor.surface, symmetric)
            self.connection.insert(PREDICATE, ((self.ws, name, self.tx, OPEN, self.actor.surface, int(symmetric)),))

    def take_line(self, line: str) -> None:
        """Note that a line was taken in, which it was not before."""
        if self.recent.batch is not None:
            self.recent.batch.lines[line] = True
        self.connection.insert(LINE, ((self.ws, line, self.tx, OPEN),))

    def put_setting(self, key: str, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
        self._replace(SETTING, (key,), (self.ws, key, self.tx, OPEN, text))
        self._forget_world()

    def end_setting(self, key: str) -> None:
        self.connection.end(SETTING, self.ws, (key,), self.tx)
        self._forget_world()

    def put_definition(self, kind: str, slug: str, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
        self._replace(DEFINITION, (kind, slug), (self.ws, kind, slug, self.tx, OPEN, text))
        self._forget_world()

    def end_definition(self, kind: str, slug: str) -> None:
        self.connection.end(DEFINITION, self.ws, (kind, slug), self.tx)
        self._forget_world()

    def begun_by(self, tx: int) -> Iterable[tuple[Table, Row]]:
        """Every version that a transaction began, table by table."""
        return ((table, row) for table in VERSIONED for row in self.connection.begun_by(table, self.ws, tx))

    def ended_by(self, tx: int) -> Iterable[tuple[Table, Row]]:
        """Every version that a transaction ended, table by table."""
        return ((table, row) for table in VERSIONED for row in self.connection.ended_by(table, self.ws, tx))

    def end_version(self, table: Table, row: Row) -> None:
        self.touched.add_row(table, row)
        self.connection.end(table, self.ws, row[1 : 1 + len(table.key)], self.tx)

    def begin_again(self, table: Table, row: Row) -> None:
        """A new version that says what an ended one said."""
        self.touched.add_row(table, row)
        width = 1 + len(table.key)
        self.connection.insert(table, ((*row[:width], self.tx, OPEN, *row[width + 2 :]),))

    def has_open_version(self, table: Table, key: Row) -> bool:
        return self.connection.has_open(table, self.ws, key)

    def turn_back_chunks(self, tx: int) -> None:
        """End the passages that a transaction began and store again those it ended."""
        ended = self.rows("chunks_ended", tx=tx)
        for [document] in self.rows("chunks_begun", tx=tx):
            self.end_chunks(document)
        for row in ended:
            self.add_chunk(*row)
