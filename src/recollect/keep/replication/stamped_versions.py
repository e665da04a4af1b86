"""The versions of a row by the transactions that made them, wherever that was."""

from typing import Any, NamedTuple

from recollect.keep.replication.log import TransactionLog
from recollect.store import devices
from recollect.store.change import Change
from recollect.store.devices import Origin
from recollect.store.port import Row
from recollect.store.tables import OPEN, Version, VersionedTable


class StampedVersion(NamedTuple):
    """A version of a row, or its end, by the transaction that made it."""

    stamp: tuple[int, str, int]
    origin: Origin
    content: Row | None


class StampedVersions:
    """Finds the versions of rows in a workspace, with their origins."""

    def __init__(self, change: Change, log: TransactionLog) -> None:
        self._change = change
        self.origins = {origin.tx: origin for _, origin in log.origins()}

    def of(self, table: VersionedTable, key: Row) -> list[StampedVersion]:
        versions = devices.versions_of_row(self._change, table, key)
        begun = {each.value("tx_from"): each.content for each in versions if not devices.is_mark(each)}
        ended = {each.value("tx_to"): None for each in versions if each.value("tx_to") < OPEN}
        made = {**ended, **begun}
        return [
            StampedVersion((origin.stamp, origin.device, origin.number), origin, content)
            for tx, content in made.items()
            if (origin := self.origins.get(tx)) is not None
        ]

    def row(self, table: VersionedTable, key: Row, content: Row) -> Version:
        return Version(table, (self._change.ws, *key, 0, 0, *content))


def knew(one: Origin, other: Origin) -> bool:
    """Whether the device of one transaction knew another when it made it; a transaction does not know itself."""
    if one.device == other.device:
        return other.number < one.number
    return one.seen.get(other.device, 0) >= other.number


def with_values(table: VersionedTable, content: Row, **values: Any) -> Row:
    """The content of a row with other values in some columns."""
    return tuple(values.get(name, value) for name, value in zip(table.rest, content, strict=True))
