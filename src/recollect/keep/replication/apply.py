"""Taking the transactions of other devices in: each becomes one here, then what was done concurrently is settled."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.keep.forgetting.erasure import forget_by_tombstones
from recollect.keep.replication.log import (
    RECONCILE,
    SURFACE,
    DeviceCloned,
    SentTransaction,
    TransactionLog,
    own_device,
)
from recollect.keep.replication.reconcile import Reconciliation
from recollect.memory import Memory
from recollect.model.actor import Actor
from recollect.model.ids import DocumentId, FactId
from recollect.store import replication_queries
from recollect.store.artifact_queries import put_attachment
from recollect.store.change import Change
from recollect.store.erasure_queries import add_tombstones
from recollect.store.replication_queries import RowChange
from recollect.store.tables import ASSERTION, CHUNK, DOCUMENT, ENTITY, FACT, NAME, Version
from recollect.store.workspaces import is_token_known
from recollect.text.tokens import name_tokens
from recollect.write.tombstones import document_tombstones, entity_tombstone, fact_tombstone

TRANSACTIONS_AT_ONCE = 200


class ApplyResult(NamedTuple):
    """How many transactions were new and wait for others, how many rows were erased here before, or are now."""

    taken: int = 0
    waiting: int = 0
    refused: int = 0
    erased: int = 0
    """How many documents, facts and entities were erased because another device had."""

    def plus(self, other: "ApplyResult") -> "ApplyResult":
        refused, erased = self.refused + other.refused, self.erased + other.erased
        return ApplyResult(self.taken + other.taken, other.waiting, refused, erased)


def apply_transactions(memory: Memory, sent: Iterable[SentTransaction]) -> ApplyResult:
    """Take in what is new, in an order in which each comes after what it rests on; a break leaves whole steps."""
    device = own_device(memory)
    total, left = ApplyResult(), list(sent)
    while left:
        step, left = _next_step(memory, device, left)
        if not step:
            break
        with memory.nested() as together:
            total = total.plus(_take_step(together, device, step))
        memory.cache.writes.clear()
    if total.erased:
        memory.cache.vectors.clear()
        memory.engine.compact()
    return total._replace(waiting=len(left))


def _next_step(
    memory: Memory, device: str, sent: Sequence[SentTransaction]
) -> tuple[list[SentTransaction], list[SentTransaction]]:
    """Those of the transactions that can be taken now, as many as are committed together, and the rest."""
    with memory.read() as view:
        seen = TransactionLog.of(view, device).seen
    ready: list[SentTransaction] = []
    rest: list[SentTransaction] = []
    for each in sorted(sent, key=lambda one: one.origin.stamp):
        origin = each.origin
        if origin.device == device and origin.number > seen.get(device, 0):
            raise DeviceCloned(device)
        if origin.number <= seen.get(origin.device, 0):
            continue
        if len(ready) < TRANSACTIONS_AT_ONCE and all(seen.get(one, 0) >= last for one, last in origin.seen.items()):
            ready.append(each)
            seen[origin.device] = origin.number
        else:
            rest.append(each)
    return ready, rest


def _take_step(memory: Memory, device: str, step: Sequence[SentTransaction]) -> ApplyResult:
    taken, refused = 0, 0
    with memory.read() as view:
        log = TransactionLog.of(view, device)
    places = {(origin.device, origin.number): origin.tx for _, origin in log.origins()}
    seen, concurrent = log.seen, _ConcurrentRows()
    for each in step:
        origin = each.origin
        if concurrent.rows and origin.seen:
            # It may rest on what its device had settled before.
            _reconcile(memory, device, concurrent, places)
            concurrent = _ConcurrentRows()
        if any(last > origin.seen.get(one, 0) for one, last in seen.items() if one != origin.device):
            concurrent.add(each, seen)
        tx, skipped = _take_one(memory, each, places)
        places[origin.device, origin.number] = tx
        seen[origin.device] = origin.number
        taken, refused = taken + 1, refused + skipped
    if concurrent.rows:
        _reconcile(memory, device, concurrent, places)
    gone = [hash_ for each in step for hash_ in each.erased]
    return ApplyResult(taken, 0, refused, _erase(memory, gone) if gone else 0)


def _erase(memory: Memory, tombstones: Collection[str]) -> int:
    done = forget_by_tombstones(memory, tombstones)
    return 0 if done is None else done.documents + done.facts + done.entities


@dataclass(slots=True)
class _ConcurrentRows:
    """Rows of transactions that were made without knowing all that is here, and what those knew."""

    rows: list[RowChange] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    """By device, the last transaction that all of them knew."""

    def add(self, sent: SentTransaction, seen: Mapping[str, int]) -> None:
        origin = sent.origin
        self.rows += sent.rows
        for one in seen.keys() - {origin.device}:
            self.known[one] = min(origin.seen.get(one, 0), self.known.get(one, seen[one]))

    def unknown(self, change: Change, places: Mapping[tuple[str, int], int]) -> Iterator[FactId]:
        """The facts that transactions changed of which one of these did not know."""
        for (device, number), tx in places.items():
            if number > self.known.get(device, number):
                yield from replication_queries.facts_changed_by(change, tx)


def _reconcile(memory: Memory, device: str, concurrent: _ConcurrentRows, places: Mapping[tuple[str, int], int]) -> None:
    with memory.with_parts(actor=Actor(SURFACE, RECONCILE)).write() as change:
        log = TransactionLog.of(change, device)
        # Devices that did not know one another's changes settle both, so that each comes to the same.
        unknown = set(concurrent.unknown(change, places)) if log.has_reconciled else ()
        Reconciliation(change, log).settle(concurrent.rows, unknown)


def _take_one(memory: Memory, sent: SentTransaction, places: Mapping[tuple[str, int], int]) -> tuple[int, int]:
    """The local number of a transaction, and how many of its rows are not wanted here."""
    actor = Actor(sent.surface, sent.tool, sent.actor)
    with memory.with_parts(actor=actor).write() as change:
        if sent.undoes is not None and sent.undoes in places:
            change.undoing(places[sent.undoes])
        add_tombstones(change, sent.erased)
        rows = _RowFilter(change).among(sent.rows)
        for digest, text in sent.texts.items():
            change.keep_text(digest, text)
        for each in rows:
            if each.table is not CHUNK:
                replication_queries.apply_row(change, each)
        change.clear_cache()
        _index_names(change, rows)
        _apply_chunks(change, rows)
        for document, data in sent.files.items():
            if replication_queries.attached_data(change, DocumentId(document)) is None:
                put_attachment(change, DocumentId(document), data)
        replication_queries.add_origin(change, sent.origin._replace(tx=change.tx))
        return change.tx, len(sent.rows) - len(rows)


@dataclass(slots=True)
class _RowFilter:
    """The rows that may come in: none of what was erased here, nor what belongs to it."""

    change: Change
    refused: set[str] = field(default_factory=set)
    documents: set[str] = field(default_factory=set)
    """The documents that come with the rows."""

    def among(self, rows: Sequence[RowChange]) -> list[RowChange]:
        if not self.change.forgotten:
            return list(rows)
        owners = [each for each in rows if each.table in (DOCUMENT, ENTITY, FACT)]
        self.refused = {str(next(iter(each.key))) for each in owners if self._is_erased(each)}
        self.documents = {str(next(iter(each.key))) for each in owners if each.table is DOCUMENT}
        return [each for each in rows if not self._belongs_to_refused(each)]

    def _is_erased(self, each: RowChange) -> bool:
        if each.content is None:
            return False
        row = Version(each.table, (self.change.ws, *each.key, 0, 0, *each.content))
        if each.table is DOCUMENT:
            contents = [row.value("content")] if row.value("content") else []
            return self.change.is_forgotten(*document_tombstones(row.value("kind"), row.value("key"), contents))
        if each.table is FACT:
            return self.change.is_forgotten(fact_tombstone(row.value("slot")))
        return self.change.is_forgotten(entity_tombstone(row.value("type"), row.value("folded")))

    def _belongs_to_refused(self, each: RowChange) -> bool:
        if self.refused.intersection(str(part) for part in each.key):
            return True
        if each.table is not ASSERTION or each.content is None:
            return False
        row = Version(each.table, (self.change.ws, *each.key, 0, 0, *each.content))
        fact, document = row.value("fact"), row.value("document")
        if {fact, document} & self.refused:
            return True
        if document is None or document in self.documents:
            return False
        return not replication_queries.versions_of_row(self.change, DOCUMENT, (document,))


def _index_names(change: Change, rows: Iterable[RowChange]) -> None:
    """Index the words of the names that came in."""
    for each in rows:
        if each.table is NAME and each.content is not None:
            row = Version(NAME, (change.ws, *each.key, 0, 0, *each.content))
            words = sorted(set(name_tokens(row.value("folded"))) | set(row.value("key").split()))
            change.add_words(row.value("key"), words)
            for word in words:
                if not is_token_known(change, word):
                    change.add_variants(word)


def _apply_chunks(change: Change, rows: Iterable[RowChange]) -> None:
    """Replace the passages of the documents whose passages changed there."""
    chunks = [each for each in rows if each.table is CHUNK]
    for document in dict.fromkeys(next(iter(each.key)) for each in chunks):
        change.end_chunks(document)
    for each in chunks:
        if each.content is not None:
            document, seq = each.key
            start, stop, digest, text = each.content
            change.add_chunk(document, seq, start, stop, digest, text)
