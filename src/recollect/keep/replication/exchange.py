"""Exchanging transactions with a peer: by messages that each side answers, or through a folder that both can reach."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from recollect.errors import Refused
from recollect.keep.replication.apply import ApplyResult, apply_transactions
from recollect.keep.replication.log import (
    BadSyncLine,
    DeviceCloned,
    Seen,
    SyncHeader,
    TransactionLog,
    own_device,
    read_header,
    read_transaction,
    write_transaction,
)
from recollect.memory import Memory
from recollect.store.encrypted_lines import TruncatedFile, WrongFileKey, read_lines, write_lines
from recollect.store.encryption import SALT_BYTES, StoreKey

LARGEST_MESSAGE = 4 * 1024 * 1024
"""A message ends with the transaction that goes beyond this many characters."""

SendMessage = Callable[[str], str]
"""Sends a message to a peer and returns its answer."""


class SyncResult(NamedTuple):
    """How many transactions went each way, how many wait for others to come, and what was erased here before."""

    sent: int = 0
    received: int = 0
    waiting: int = 0
    refused: int = 0
    erased: int = 0
    """How many documents, facts and entities were erased because another device had."""
    incomplete: tuple[str, ...] = ()
    """Files of a shared folder that are incomplete."""
    plain: tuple[str, ...] = ()
    """Files of a shared folder that were not read, since they are not encrypted and all should be."""
    forked: tuple[str, ...] = ()
    """Devices whose name two stores use, one a copy of the other: peers lack what one of them made."""

    def plus(self, taken: ApplyResult, sent: int = 0) -> "SyncResult":
        return self._replace(
            sent=self.sent + sent,
            received=self.received + taken.taken,
            waiting=taken.waiting,
            refused=self.refused + taken.refused,
            erased=self.erased + taken.erased,
        )


FOLDER = "recollect-sync"
_PLAIN = ".jsonl"
_ENCRYPTED = ".encrypted"


class FolderKeyNeeded(Refused):
    code = "folder_key_needed"

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is encrypted with another key; give all devices of this folder the same passphrase, in "
            "RECOLLECT_SYNC_NAME_KEY with the name of the peer for NAME; nothing was taken or written"
        )


class _Segment:
    """A file of a shared folder: what its device had seen when it wrote it, and transactions up to an end mark."""

    def __init__(self, path: Path, key: StoreKey | None) -> None:
        self.path = path
        self.device = path.parent.name
        self.header = SyncHeader(self.device, {}, {})
        self.is_whole = False
        self.is_unwanted = key is not None and path.suffix == _PLAIN
        self._key = key
        if self.is_unwanted:
            return
        try:
            self.header = read_header(self._first_line())
            self.is_whole = self._ends()
        except (BadSyncLine, TruncatedFile, OSError, UnicodeDecodeError):
            return

    @property
    def seen(self) -> Seen:
        return self.header.seen

    @property
    def _is_encrypted(self) -> bool:
        return self.path.suffix == _ENCRYPTED

    def _first_line(self) -> str:
        if not self._is_encrypted:
            with self.path.open(encoding="utf-8") as file:
                return file.readline()
        if self._key is None:
            raise FolderKeyNeeded(self.path)
        try:
            return next(iter(read_lines(self.path, self._key, 1)), "")
        except WrongFileKey:
            raise FolderKeyNeeded(self.path) from None

    def _ends(self) -> bool:
        if self._is_encrypted:
            return True  # one that was cut cannot be opened
        with self.path.open("rb") as file:
            file.seek(max(0, self.path.stat().st_size - 100))
            return file.read().rpartition(b"\n{")[2].startswith(b'"end":')

    def has_more_than(self, seen: Seen) -> bool:
        return any(number > seen.get(device, 0) for device, number in self.seen.items())

    def is_older_than(self, erasures: Seen) -> bool:
        """Whether it may hold what has been erased since."""
        return any(number > self.seen.get(device, 0) for device, number in erasures.items())

    def lines(self) -> list[str]:
        if self._is_encrypted and self._key is not None:
            _, *lines, _ = read_lines(self.path, self._key)
        else:
            _, *lines, _ = self.path.read_text("utf-8").splitlines()
        return lines


def answer_message(memory: Memory, message: str) -> str:
    """Take in what a peer sends, and answer with what it lacks."""
    first, *lines = message.splitlines() or [""]
    theirs = read_header(first)
    forked_devices(memory, theirs)
    apply_transactions(memory, map(read_transaction, lines))
    return "".join(_message(memory, theirs))


def exchange(memory: Memory, send: SendMessage) -> SyncResult:
    """Exchange messages with a peer until neither has anything new; a break loses nothing that was answered."""
    result, theirs = SyncResult(), None
    forked: set[str] = set()
    while True:
        own = list(_message(memory, theirs)) if theirs is not None else [_header(memory)]
        first, *lines = send("".join(own)).splitlines() or [""]
        after = read_header(first)
        forked |= forked_devices(memory, after)
        result = result.plus(apply_transactions(memory, map(read_transaction, lines)), sent=len(own) - 1)
        if theirs == after and len(own) == 1 and not lines:
            return result._replace(forked=tuple(sorted(forked)))
        theirs = after


def forked_devices(memory: Memory, theirs: SyncHeader) -> set[str]:
    """The devices that a peer knows other transactions of; refused if one of them is this device."""
    device = own_device(memory)
    if theirs.device == device:
        raise DeviceCloned(device, by_peer=True)
    with memory.read() as view:
        return TransactionLog.of(view, device).forked_devices(theirs)


def _message(memory: Memory, theirs: SyncHeader) -> Iterator[str]:
    """What is seen here, and the first transactions that a peer lacks."""
    device = own_device(memory)
    with memory.read() as view:
        log = TransactionLog.of(view, device)
        yield log.header
        yield from _portion(map(write_transaction, log.after(theirs.seen)))


def _header(memory: Memory) -> str:
    device = own_device(memory)
    with memory.read() as view:
        return TransactionLog.of(view, device).header


def _portion(lines: Iterable[str]) -> Iterator[str]:
    size = 0
    for line in lines:
        yield line
        size += len(line)
        if size > LARGEST_MESSAGE:
            return


def exchange_by_folder(memory: Memory, path: Path, key: StoreKey | None = None) -> SyncResult:
    """Take in what other devices left in a folder, and leave there what it lacks.

    With a key, files are encrypted and others are not read: nobody without the key can add to the folder. Files stay,
    but those of this device that are older than an erasure, or not encrypted while there is a key, are written anew.
    """
    device, root = own_device(memory), path / FOLDER
    segments = [_Segment(each, key) for each in sorted(root.glob("*/*")) if each.suffix in (_PLAIN, _ENCRYPTED)]
    whole = [each for each in segments if each.is_whole]
    with memory.read() as view:
        log = TransactionLog.of(view, device)
        seen, forked = log.seen, log.forked_devices(*(each.header for each in whole))
    news = [each for each in whole if each.has_more_than(seen)]
    taken = apply_transactions(memory, [read_transaction(line) for each in news for line in each.lines()])
    result = SyncResult(
        incomplete=tuple(str(each.path) for each in segments if not each.is_whole and not each.is_unwanted),
        plain=tuple(str(each.path) for each in segments if each.is_unwanted and each.device != device),
        forked=tuple(sorted(forked)),
    )
    return result.plus(taken, sent=_leave(memory, root / device, segments, key))


def _leave(memory: Memory, folder: Path, segments: Iterable["_Segment"], key: StoreKey | None) -> int:
    """Write a file of the transactions that the folder lacks, then remove those that it replaces."""
    with memory.read() as view:
        log = TransactionLog.of(view, own_device(memory))
        erasures = log.last_erasures()
        kept = [each for each in segments if each.is_whole and not each.is_older_than(erasures)]
        replaced = [
            each
            for each in segments
            if each.device == log.device and (each.is_unwanted or (each.is_whole and each not in kept))
        ]
        lines = _missing_transactions(log, kept) if replaced else _lacking_by_headers(log, segments)
        first = log.header
    if lines:
        _write(folder, [first, *lines, json.dumps({"end": len(lines)}) + "\n"], key)
    for each in replaced:
        each.path.unlink(missing_ok=True)
    return len(lines)


def _lacking_by_headers(log: TransactionLog, segments: Iterable["_Segment"]) -> list[str]:
    """The transactions that are in no file: whoever wrote a file left there all that it had seen."""
    stored: dict[str, int] = {}
    for each in segments:
        if each.is_whole:
            stored |= {one: max(number, stored.get(one, 0)) for one, number in each.seen.items()}
    return [write_transaction(each) for each in log.after(stored)]


def _missing_transactions(log: TransactionLog, kept: Iterable["_Segment"]) -> list[str]:
    """The transactions that are in none of these files, once others are removed."""
    known = {(one.origin.device, one.origin.number) for each in kept for one in map(read_transaction, each.lines())}
    return [write_transaction(each) for each in log.after({}) if (each.origin.device, each.origin.number) not in known]


def _write(folder: Path, lines: list[str], key: StoreKey | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    names = [each.stem for each in folder.iterdir() if each.suffix in (_PLAIN, _ENCRYPTED)]
    number = max((int(each) for each in names if each.isdecimal()), default=0) + 1
    hidden = folder / f".{number:08d}.part"
    if key is None:
        hidden.write_text("".join(lines), "utf-8")
    else:
        # The name of a device is random and its own, so its salt is.
        salt = hashlib.sha256(folder.name.encode()).digest()[:SALT_BYTES]
        write_lines(hidden, key, salt, lines)
    hidden.rename(folder / f"{number:08d}{_PLAIN if key is None else _ENCRYPTED}")
