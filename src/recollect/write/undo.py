"""The opposite of a transaction, written as a new one."""

from recollect.errors import Conflict, NotKnown
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.tables import ENTITY, MEMORY_LINK, OPEN, Table


class NoSuchTransaction(NotKnown):
    def __init__(self, tx: int) -> None:
        super().__init__(f"there is no transaction {tx} in this workspace; recollect status shows the latest")


class LaterOnesRestOnIt(Conflict):
    code = "later_ones_rest_on_it"

    def __init__(self, tx: int, table: str) -> None:
        super().__init__(f"transaction {tx} cannot be undone alone: a later one changed or uses the same {table}")


class AlreadyUndone(Conflict):
    code = "already_undone"

    def __init__(self, tx: int, by: int) -> None:
        super().__init__(f"transaction {tx} was undone by {by} already")


def undo(change: Change, tx: int) -> int:
    """End what a transaction began and begin again what it ended; refused where later ones rest on it."""
    if change.transaction(tx) is None:
        raise NoSuchTransaction(tx)
    undone = change.rows("tx_undoing", tx=tx)
    if undone:
        raise AlreadyUndone(tx, undone[0][0])
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
    change.recent.clear()
    change.turn_back_chunks(tx)
    return number


def _is_derived(table: Table, row: Row) -> bool:
    """Whether a follower makes it anew from what is undone, so that nothing rests on it."""
    return table is MEMORY_LINK and "derived" in row


def _check_untouched(change: Change, tx: int, table: Table, row: Row) -> None:
    if row[2 + len(table.key)] != OPEN:
        raise LaterOnesRestOnIt(tx, table.name)
    if table is ENTITY and any(fact.tx_from > tx for fact in change.facts_touching(row[1])):
        raise LaterOnesRestOnIt(tx, "entity")


def _check_free(change: Change, tx: int, table: Table, row: Row) -> None:
    if change.has_open_version(table, row[1 : 1 + len(table.key)]):
        raise LaterOnesRestOnIt(tx, table.name)
