"""The opposite of a transaction, written as a new one."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from recollect.errors import Conflict, NotKnown, RecollectError
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.tables import (
    DEFINITION,
    DISPUTE,
    DOCUMENT,
    ENTITY,
    FACT,
    FOLIO,
    MEMORY_LINK,
    OPEN,
    SETTING,
    VersionedTable,
)
from recollect.store.view import View
from recollect.store.write_queries import documents_mentioning, folios_named, undoing_transaction
from recollect.write.entity_edits import find_name_conflict
from recollect.write.settle import resettle


class NoSuchTransaction(NotKnown):
    def __init__(self, tx: int) -> None:
        super().__init__(f"there is no transaction {tx} in this workspace; recollect status shows the latest")


class LaterTransactionsDepend(Conflict):
    code = "later_ones_rest_on_it"

    def __init__(self, tx: int, table: str) -> None:
        super().__init__(f"transaction {tx} cannot be undone alone: a later one changed or uses the same {table}")


class AlreadyUndone(Conflict):
    code = "already_undone"

    def __init__(self, tx: int, by: int) -> None:
        super().__init__(f"transaction {tx} was undone by {by} already")


def undo(change: Change, tx: int) -> int:
    """Reverse a transaction; refused where later ones depend on it."""
    if change.transaction(tx) is None:
        raise NoSuchTransaction(tx)
    undone = _undoing_transaction(change, tx)
    if undone is not None:
        raise AlreadyUndone(tx, undone)
    begun = [each for each in change.begun_by(tx) if not _is_derived(*each)]
    ended = [each for each in change.ended_by(tx) if not _is_derived(*each)]
    for table, row in begun:
        _check_untouched(change, tx, table, row)
    change.undoing(tx)
    number = change.tx
    for table, row in begun:
        change.end_version(table, row)
    for table, row in ended:
        _check_free(change, tx, table, row)
        change.begin_again(table, row)
    change.recall_nothing()
    for table, row in ended:
        if table is ENTITY:
            _check_name(change, tx, row[1])
    if any(table in (DEFINITION, SETTING) for table, _ in (*begun, *ended)):
        _check_world(change, tx)
    _resettle(change, {row[1] for table, row in (*begun, *ended) if table is FACT})
    change.turn_back_chunks(tx)
    return number


def _resettle(change: Change, facts: Iterable[FactId]) -> None:
    """Settle the restored facts against what was written since; end the disputes of removed ones."""
    for id_ in sorted(facts):
        fact = change.fact(id_)
        if fact is not None:
            resettle(change, fact)
            continue
        for pair in change.disputes_of(id_):
            change.end_dispute(pair.one, pair.other)
            left = change.fact(pair.other if pair.one == id_ else pair.one)
            if left is not None:
                resettle(change, left)


def _undoing_transaction(change: Change, tx: int) -> int | None:
    """The transaction that undid this one, unless it was undone in turn."""
    newest = undoing_transaction(change, tx)
    return None if newest is None or _undoing_transaction(change, newest) is not None else newest


def _is_derived(table: VersionedTable, row: Row) -> bool:
    """Whether the row is derived from others, so that nothing depends on it."""
    return table is DISPUTE or (table is MEMORY_LINK and "derived" in row)


def _check_untouched(change: Change, tx: int, table: VersionedTable, row: Row) -> None:
    """Refuse if a row of the transaction was changed since, or is used by later ones."""
    if not _stands(change, table, row):
        raise LaterTransactionsDepend(tx, table.name)
    uses = _USES.get(table)
    if uses is None:
        return
    then = View(change.connection, change.workspace, tx, change.now)
    if not uses(change, row[1]) <= uses(then, row[1]):
        raise LaterTransactionsDepend(tx, table.name)


def _stands(change: Change, table: VersionedTable, row: Row) -> bool:
    """Whether the latest version has the same content; changes that were undone do not count."""
    width = 1 + len(table.key)
    held = row if row[width + 1] == OPEN else change.open_version(table, row[1:width])
    return held is not None and held[width + 2 :] == row[width + 2 :]


def _uses_of_entity(view: View, entity: EntityId) -> set[object]:
    """The facts about an entity, its names, and the documents that mention it."""
    named = {(name.folded, name.kind) for name in view.names_of(entity)}
    return named | set(documents_mentioning(view, entity)) | {fact.id for fact in view.facts_touching(entity)}


def _uses_of_document(view: View, document: DocumentId) -> set[object]:
    """What a document is the source of."""
    return {assertion.id for assertion in view.assertions_from(document)}


_USES: Mapping[VersionedTable, Callable[[View, Any], set[object]]] = {
    ENTITY: _uses_of_entity,
    DOCUMENT: _uses_of_document,
}


def _check_free(change: Change, tx: int, table: VersionedTable, row: Row) -> None:
    if change.open_version(table, row[1 : 1 + len(table.key)]) is not None or _is_key_in_use(change, table, row):
        raise LaterTransactionsDepend(tx, table.name)


def _is_key_in_use(change: Change, table: VersionedTable, row: Row) -> bool:
    """Whether another document or folio has this key or name now."""
    if table not in (DOCUMENT, FOLIO):
        return False
    then = dict(zip(table.columns, row, strict=True))
    if table is DOCUMENT:
        return change.document_named(then["kind"], then["key"]) is not None
    return bool(folios_named(change, then["folded"]))


def _check_name(change: Change, tx: int, entity: EntityId) -> None:
    """Refuse to restore an entity whose name another one has now."""
    back = change.entity(entity)
    if back is not None and back.is_live and find_name_conflict(change, back) is not None:
        raise LaterTransactionsDepend(tx, "name")


def _check_world(change: Change, tx: int) -> None:
    """Refuse to leave an era, a date or the world's now without a definition it depends on."""
    try:
        _ = change.world
    except RecollectError as problem:
        raise LaterTransactionsDepend(tx, DEFINITION.name) from problem
