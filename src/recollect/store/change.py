"""What a transaction writes: entities and their names, facts, documents."""

from collections.abc import Iterable, Sequence

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.names import Name
from recollect.model.spelling_variants import index_keys
from recollect.store.rows import assertion_row, document_row, entity_row, fact_row, name_row
from recollect.store.tables import (
    ASSERTION,
    CHUNK,
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
    TOKEN_VARIANT,
)
from recollect.store.transaction import Transaction
from recollect.store.write_cache import BatchCache, name_order


class Change(Transaction):
    """A view of the latest state that writes; its transaction begins with the first thing it changes."""

    has_new_chunks = False
    _names_added = 0

    def add_entity(self, entity: Entity) -> None:
        """Begin an entity of this transaction, which nobody knows yet."""
        self.touched.entities.add(entity.id)
        if self.recent.batch is not None:
            self.recent.batch.made.add(entity.id)
        self.recent.entities[entity.id] = entity
        self.connection.insert(ENTITY, (entity_row(self.ws, OPEN, entity),))

    def put_entity(self, entity: Entity) -> Entity:
        """Begin a new version of an entity."""
        self.touched.entities.add(entity.id)
        version = entity._replace(tx_from=self.tx)
        self.recent.put(version)
        self._replace(ENTITY, (entity.id,), entity_row(self.ws, OPEN, version))
        return version

    def add_name(self, name: Name) -> None:
        """Let an entity be known by one more text."""
        self.touched.entities.add(name.entity)
        held = self._named(name.folded)
        known = (name.kind, name.entity)
        self.recent.name(name.folded, sorted({*held, known}, key=name_order) if held else [known])
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
        self.recent.name(name.folded, left)
        self.connection.end(NAME, self.ws, (name.folded, name.entity, name.kind), self.tx)

    def _index_words(self, name: Name) -> None:
        words = dict.fromkeys(name.key.split())
        self.add_words(name.key, words)
        known = self.recent.tokens
        for word in words:
            if not known.get(word):
                if not self.knows_token(word):
                    self.add_variants(word)
                known[word] = True

    def add_words(self, key: str, words: Iterable[str]) -> None:
        """Let names of this key be found by their words."""
        self.connection.add(NAME_WORD, [(self.ws, word, key) for word in words])

    def add_variants(self, word: str) -> None:
        """Let a word be found by what typing errors make of it and by its parts."""
        self.connection.add(TOKEN_VARIANT, [(self.ws, each, word) for each in index_keys(word)])

    def add_fact(self, fact: Fact, said: Sequence[Assertion]) -> None:
        """Begin a fact of this transaction, which nobody knows yet, with the assertions that make it."""
        self.touched.facts.add(fact.id)
        if fact.supersedes is not None:
            self.recent.superseding = True
        batch = self.recent.batch
        if batch is not None:
            batch.slots[fact.slot] = (*self.facts_in_slot(fact.slot), fact)
            batch.begun.add(fact.id)
            if fact.policy == "dispute":
                batch.note(fact)
            for each in said:
                if each.certainty == "retracted":
                    batch.retracting.add(fact.id)
        insert, ws = self.connection.insert, self.ws
        insert(ASSERTION, [assertion_row(ws, OPEN, each) for each in said])
        insert(FACT, (fact_row(ws, OPEN, fact),))

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

    def _hold(self, batch: BatchCache, version: Fact) -> None:
        """Let a batch know the newest version of a fact, in its slot and in no other."""
        if version.policy == "dispute":
            batch.note(version)
        slot = self.facts_in_slot(version.slot)
        if any(held.id == version.id for held in slot):
            batch.slots[version.slot] = tuple(version if held.id == version.id else held for held in slot)
            return
        before = self.fact(version.id)
        if before is not None:
            batch.move(before, version)
            old = self.facts_in_slot(before.slot)
            batch.slots[before.slot] = tuple(held for held in old if held.id != version.id)
        batch.slots[version.slot] = (*slot, version)

    def add_assertion(self, assertion: Assertion) -> None:
        """Keep one more assertion of a fact."""
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

    def turn_back_chunks(self, tx: int) -> None:
        """End the passages that a transaction began and store again those it ended."""
        ended = self.rows("chunks_ended", tx=tx)
        for [document] in self.rows("chunks_begun", tx=tx):
            self.end_chunks(document)
        for row in ended:
            self.add_chunk(*row)
