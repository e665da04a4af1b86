"""The log of a workspace as its peers read it: every transaction with its origin, as JSON lines."""

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from recollect.errors import Conflict, Refused
from recollect.memory import Memory
from recollect.model.fact import Assertion
from recollect.model.ids import DocumentId, EntityId
from recollect.settings import is_secret
from recollect.store import replication_queries
from recollect.store.erasure_queries import tombstones
from recollect.store.replication_queries import Origin, RowChange
from recollect.store.tables import DOCUMENT, ENTITY, MEMORY_LINK, SETTING
from recollect.store.view import Tx, View
from recollect.write.undo import ERASE

FORMAT: Final = "recollect-sync"
VERSION: Final = 1
SURFACE: Final = "sync"
RECONCILE: Final = "reconcile"
"""The tool of transactions that settle what devices did apart; each device makes its own, so they are not sent."""

_DIGEST_LENGTH: Final = 16
_NUMBERS_END: Final = 2**63
_DELETED: Final = ENTITY.rest.index("deleted")

Seen = Mapping[str, int]
"""By device, the number of its last transaction that is known."""


class BadSyncLine(Refused):
    code = "bad_sync_line"

    def __init__(self, why: str) -> None:
        super().__init__(f"what the peer sent cannot be read ({why}); nothing of it was stored; update both sides")


class DeviceCloned(Conflict):
    code = "device_cloned"

    def __init__(self, device: str, *, by_peer: bool = False) -> None:
        """`by_peer` if the peer syncs under the same name; else it knows transactions of this device that are lost."""
        which = (
            f"both stores sync as device {device}: one is a copy of the other; give one"
            if by_peer
            else f"a peer knows transactions of this device ({device}) that are not here: this store was copied or "
            "restored from a backup; give it"
        )
        super().__init__(f"{which} a new identity with: recollect sync new-device")


class SyncHeader(NamedTuple):
    """The device that sends, what it has seen, and for each device a digest of all transactions up to that one."""

    device: str
    seen: Seen
    digests: Mapping[str, str]


class SentTransaction(NamedTuple):
    """A transaction as it is sent: its origin, who made it, what it undoes, its rows, texts and files."""

    origin: Origin
    surface: str
    tool: str
    actor: str
    undoes: tuple[str, int] | None
    rows: tuple[RowChange, ...]
    texts: Mapping[str, str]
    files: Mapping[str, str]
    erased: tuple[str, ...] = ()
    """Hashes of all that was erased, with the last erasing transaction that is sent."""


def own_device(memory: Memory) -> str:
    """The name of this store among its peers, made when it is first needed."""
    with memory.read() as view:
        found = replication_queries.device_id(view)
    return found or rename_device(memory)


def rename_device(memory: Memory) -> str:
    """A new name for this store: to its peers, all it made so far is then of another device."""
    made = secrets.token_hex(8)
    with memory.write() as change:
        replication_queries.put_device(change, made)
    return made


@dataclass(frozen=True, slots=True)
class TransactionLog:
    """The transactions of a workspace by their origins."""

    view: View
    device: str
    foreign: Mapping[int, Origin]
    own: tuple[Tx, ...]
    erasing: frozenset[int]
    """The local numbers of transactions that erased something, here or elsewhere."""
    has_reconciled: bool = False
    """Whether anything was ever settled here that devices did apart."""

    @classmethod
    def of(cls, view: View, device: str) -> "TransactionLog":
        foreign = {each.tx: each for each in replication_queries.origins(view)}
        made = replication_queries.transactions_after(view, 0)
        own = tuple(each for each in made if each.tx not in foreign and not is_reconciliation(each))
        erasing = frozenset(each.tx for each in made if each.tool == ERASE)
        return cls(view, device, foreign, own, erasing, any(map(is_reconciliation, made)))

    @property
    def seen(self) -> dict[str, int]:
        found: dict[str, int] = {self.device: self.own[-1].tx} if self.own else {}
        for each in self.foreign.values():
            found[each.device] = max(each.number, found.get(each.device, 0))
        return found

    @property
    def header(self) -> str:
        digests = self._digests()
        seen = self.seen
        last = {device: digests[device][number] for device, number in seen.items()}
        return _line({"format": FORMAT, "version": VERSION, "device": self.device, "seen": seen, "digests": last})

    def forked_devices(self, *headers: SyncHeader) -> set[str]:
        """The other devices whose transactions are not those that peers have seen under the same numbers.

        A store and its copy go on with the same numbers, so the highest number does not show what is missing.
        """
        own = self._digests()
        forked = {
            device
            for header in headers
            for device, digest in header.digests.items()
            if (known := own.get(device))
            and (number := header.seen.get(device, 0)) <= next(reversed(known))
            and known.get(number) != digest
        }
        if self.device in forked:
            raise DeviceCloned(self.device)
        return forked

    def _digests(self) -> dict[str, dict[int, str]]:
        """By device and number, a digest of the transactions of the device up to this one."""
        found: dict[str, dict[int, str]] = {}
        last: dict[str, str] = {}
        for _, origin in self.origins():
            text = f"{last.get(origin.device, '')} {origin.number} {origin.stamp}"
            digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]
            last[origin.device] = found.setdefault(origin.device, {})[origin.number] = digest
        return found

    def origins(self) -> Iterator[tuple[Tx | None, Origin]]:
        """Every transaction in the order in which it came here, with its row if it was made here."""
        mine = {each.tx: each for each in self.own}
        seen: dict[str, int] = {}
        highest = 0
        for tx in sorted(mine.keys() | self.foreign.keys()):
            if tx in mine:
                # Later than all that was known when it was made, whatever the clocks say.
                stamp = max(mine[tx].at, highest + 1)
                yield mine[tx], Origin(self.device, tx, tx, stamp, dict(seen))
            else:
                origin = self.foreign[tx]
                yield None, origin
                seen[origin.device], stamp = origin.number, origin.stamp
            highest = max(highest, stamp)

    def after(self, seen: Seen) -> Iterator[SentTransaction]:
        """The transactions that a peer has not seen, each after those it rests on."""
        if seen.get(self.device, 0) > self.seen.get(self.device, 0):
            raise DeviceCloned(self.device)
        by_tx = {origin.tx: origin for _, origin in self.origins()}
        lacking = [each for each in by_tx.values() if each.number > seen.get(each.device, 0)]
        last = max((each.tx for each in lacking if each.tx in self.erasing), default=None)
        for origin in lacking:
            sent = self._sent(origin, by_tx)
            yield sent._replace(erased=tuple(tombstones(self.view))) if origin.tx == last else sent

    def last_erasures(self) -> dict[str, int]:
        """By device, the number of the last of its transactions that erased something."""
        return {origin.device: origin.number for _, origin in self.origins() if origin.tx in self.erasing}

    def _sent(self, origin: Origin, by_tx: Mapping[int, Origin]) -> SentTransaction:
        view, made = self.view, self.view.transaction(origin.tx)
        if made is None:
            return SentTransaction(origin, SURFACE, "empty", "", None, (), {}, {})
        rows = tuple(filter(_is_sent, replication_queries.row_changes(view, origin.tx)))
        rows += tuple(self._deleted_with(rows, origin.tx))
        undone = by_tx.get(made.undoes) if made.undoes is not None else None
        undoes = None if undone is None else (undone.device, undone.number)
        texts = replication_queries.texts_for(view, rows, DOCUMENT)
        return SentTransaction(origin, made.surface, made.tool, made.actor, undoes, rows, texts, _files(view, rows))

    def _deleted_with(self, rows: Iterable[RowChange], tx: int) -> Iterator[RowChange]:
        """The entities that were merged into deleted ones when these were deleted: who deleted them meant all."""
        then = self.view.at(tx)
        sent = {each.key for each in rows if each.table is ENTITY}
        for each in rows:
            if each.table is ENTITY and each.content is not None and each.content[_DELETED] is not None:
                for merged in replication_queries.merged_into(then, EntityId(str(next(iter(each.key))))):
                    version = replication_queries.version_at(then, ENTITY, (merged,))
                    if version is not None and version.key not in sent:
                        yield RowChange(ENTITY, version.key, version.content)


def is_reconciliation(made: Tx | Assertion) -> bool:
    """Whether a transaction or an assertion was made by settling what two devices wrote."""
    return (made.surface, made.tool) == (SURFACE, RECONCILE)


def _is_sent(each: RowChange) -> bool:
    """Whether a row is for other devices: no secrets, and no links that each derives itself."""
    if each.table is SETTING:
        return not is_secret(str(next(iter(each.key))))
    return each.table is not MEMORY_LINK or each.content is None or "derived" not in each.content


def _files(view: View, rows: Iterable[RowChange]) -> dict[str, str]:
    documents = [DocumentId(str(next(iter(each.key)))) for each in rows if each.table is DOCUMENT and each.content]
    found = {each: replication_queries.attached_data(view, each) for each in documents}
    return {each: data for each, data in found.items() if data is not None}


def read_header(line: str) -> SyncHeader:
    value = _read(line)
    if value.get("format") != FORMAT or value.get("version") != VERSION:
        raise BadSyncLine("it does not begin with the header of a sync log")
    try:
        # Releases before 0.2 send no digests.
        return SyncHeader(str(value["device"]), _read_seen(value["seen"]), dict(value.get("digests", {})))
    except (KeyError, TypeError, ValueError) as problem:
        raise BadSyncLine(f"{type(problem).__name__} in the first line") from problem


def _read_seen(value: Any) -> Seen:
    return {str(device): _read_number(number) for device, number in dict(value).items()}


def _read_number(value: Any) -> int:
    number = int(value)
    if not 0 <= number < _NUMBERS_END:
        raise ValueError(number)
    return number


def write_transaction(sent: SentTransaction) -> str:
    origin = sent.origin
    return _line(
        {
            "device": origin.device,
            "number": origin.number,
            "stamp": origin.stamp,
            "seen": dict(origin.seen),
            "by": [sent.surface, sent.tool, sent.actor],
            "undoes": sent.undoes,
            "rows": [[each.table.name, each.key, each.content] for each in sent.rows],
            "texts": dict(sent.texts),
            "files": dict(sent.files),
        }
        | ({"erased": sent.erased} if sent.erased else {})
    )


_TABLES: Final = {table.name: table for table in replication_queries.SYNCED_TABLES}


def read_transaction(line: str) -> SentTransaction:
    value = _read(line)
    try:
        number, stamp = _read_number(value["number"]), _read_number(value["stamp"])
        origin = Origin(str(value["device"]), number, 0, stamp, _read_seen(value["seen"]))
        surface, tool, actor = map(str, value["by"])
        undoes = None if value["undoes"] is None else (str(value["undoes"][0]), _read_number(value["undoes"][1]))
        rows = tuple(_read_row(*each) for each in value["rows"])
        texts, files = _read_texts(value.get("texts", {})), _read_texts(value.get("files", {}))
        erased = tuple(map(str, value.get("erased", ())))
    except (IndexError, KeyError, TypeError, ValueError) as problem:
        raise BadSyncLine(f"{type(problem).__name__} in a transaction") from problem
    return SentTransaction(origin, surface, tool, actor, undoes, rows, texts, files, erased)


def _read_row(name: str, key: list[Any], content: list[Any] | None) -> RowChange:
    table = _TABLES.get(name)
    if table is None or len(key) != len(table.key) or (content is not None and len(content) != len(table.rest)):
        raise BadSyncLine(f"a row of {str(name)[:50]!r} as another release stores it")
    if not all(isinstance(each, str | int | float | None) for each in (*key, *(content or ()))):
        raise BadSyncLine(f"a value of {name} of another type")
    return RowChange(table, tuple(key), None if content is None else tuple(content))


def _read_texts(value: Any) -> Mapping[str, str]:
    texts = dict(value)
    if not all(isinstance(each, str) for each in texts.values()):
        raise TypeError
    return texts


def _read(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
        if "\\ud" in line:
            json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError) as problem:
        raise BadSyncLine("a line is not JSON, perhaps because it was cut") from problem
    if not isinstance(value, dict):
        raise BadSyncLine("a line is not an object")
    return value


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")) + "\n"
