"""Exchanging transactions with a peer: by messages that each side answers, or through a folder that all can reach."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from recollect.keep.replication.apply import Received, take_transactions
from recollect.keep.replication.log import (
    BadSyncLine,
    Seen,
    TransactionLog,
    header,
    own_device,
    read_header,
    read_transaction,
    write_transaction,
)
from recollect.memory import Memory

LARGEST_MESSAGE = 4 * 1024 * 1024
"""A message ends with the transaction that goes beyond this many characters."""
FOLDER = "recollect-sync"
_SUFFIX = ".jsonl"

SendMessage = Callable[[str], str]
"""Sends a message to a peer and returns its answer."""


class SyncResult(NamedTuple):
    """How many transactions went each way, how many wait for others to come, and what was erased here before."""

    sent: int = 0
    received: int = 0
    waiting: int = 0
    refused: int = 0
    incomplete: tuple[str, ...] = ()
    """Files of a shared folder that have not arrived as a whole."""

    def plus(self, taken: Received, sent: int = 0) -> "SyncResult":
        return self._replace(
            sent=self.sent + sent,
            received=self.received + taken.taken,
            waiting=taken.waiting,
            refused=self.refused + taken.refused,
        )


def answer_message(memory: Memory, message: str) -> str:
    """Take in what a peer sends, and answer with what it lacks."""
    first, *lines = message.splitlines()
    _, theirs = read_header(first)
    take_transactions(memory, map(read_transaction, lines))
    return "".join(_message(memory, theirs))


def exchange(memory: Memory, send: SendMessage) -> SyncResult:
    """Exchange messages with a peer until neither has anything new; a break loses nothing that was answered."""
    result, theirs = SyncResult(), None
    while True:
        own = list(_message(memory, theirs)) if theirs is not None else [_header(memory)]
        first, *lines = send("".join(own)).splitlines()
        _, after = read_header(first)
        result = result.plus(take_transactions(memory, map(read_transaction, lines)), sent=len(own) - 1)
        if theirs == after and len(own) == 1 and not lines:
            return result
        theirs = after


def _message(memory: Memory, theirs: Seen) -> Iterator[str]:
    """What is seen here, and the first transactions that a peer lacks."""
    device = own_device(memory)
    with memory.read() as view:
        log = TransactionLog.of(view, device)
        yield header(device, log.seen)
        yield from _portion(map(write_transaction, log.after(theirs)))


def _header(memory: Memory) -> str:
    device = own_device(memory)
    with memory.read() as view:
        return header(device, TransactionLog.of(view, device).seen)


def _portion(lines: Iterable[str]) -> Iterator[str]:
    size = 0
    for line in lines:
        yield line
        size += len(line)
        if size > LARGEST_MESSAGE:
            return


def exchange_by_folder(memory: Memory, path: Path) -> SyncResult:
    """Take in what other devices left in a folder, and leave there what it lacks; files are only ever added."""
    device, root = own_device(memory), path / FOLDER
    segments = [_Segment(each) for each in sorted(root.glob(f"*/*{_SUFFIX}"))]
    with memory.read() as view:
        seen = TransactionLog.of(view, device).seen
    news = [each for each in segments if each.is_whole and each.has_more_than(seen)]
    taken = take_transactions(memory, [read_transaction(line) for each in news for line in each.lines()])
    stored: dict[str, int] = {}
    for each in segments:
        if each.is_whole:
            stored |= {one: max(number, stored.get(one, 0)) for one, number in each.seen.items()}
    incomplete = tuple(str(each.path) for each in segments if not each.is_whole)
    return SyncResult(incomplete=incomplete).plus(taken, sent=_leave(memory, root / device, stored))


def _leave(memory: Memory, folder: Path, stored: Seen) -> int:
    """Write a file of the transactions that the folder lacks; how many there were."""
    with memory.read() as view:
        log = TransactionLog.of(view, own_device(memory))
        lines = [write_transaction(each) for each in log.after(stored)]
        first = header(log.device, log.seen)
    if not lines:
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    number = len(list(folder.glob(f"*{_SUFFIX}"))) + 1
    hidden = folder / f".{number:08d}.part"
    hidden.write_text("".join([first, *lines, json.dumps({"end": len(lines)}) + "\n"]), "utf-8")
    hidden.rename(folder / f"{number:08d}{_SUFFIX}")
    return len(lines)


class _Segment:
    """A file of a shared folder: what its device had seen when it wrote it, and transactions up to an end mark."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seen: dict[str, int] = {}
        self.is_whole = False
        try:
            with path.open(encoding="utf-8") as file:
                _, self.seen = read_header(file.readline())
            self.is_whole = self._ends()
        except (BadSyncLine, OSError, UnicodeDecodeError):
            return

    def _ends(self) -> bool:
        with self.path.open("rb") as file:
            file.seek(max(0, self.path.stat().st_size - 100))
            return file.read().rpartition(b"\n{")[2].startswith(b'"end":')

    def has_more_than(self, seen: Seen) -> bool:
        return any(number > seen.get(device, 0) for device, number in self.seen.items())

    def lines(self) -> list[str]:
        _, *lines, _ = self.path.read_text("utf-8").splitlines()
        return lines
