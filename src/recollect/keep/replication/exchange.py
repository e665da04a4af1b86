"""Exchanging transactions with a peer by messages that each side answers."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from recollect.keep.replication.apply import ApplyResult, apply_transactions
from recollect.keep.replication.log import (
    DeviceCloned,
    SyncHeader,
    TransactionLog,
    own_device,
    read_header,
    read_transaction,
    write_transaction,
)
from recollect.memory import Memory

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
