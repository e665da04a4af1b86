"""Recorded calls of many clients, and what in them no serial order of transactions can explain.

Every transaction has a number, and every row says which of them began and which ended it. So the serial order need not
be searched for: it is read from the store at the end, and every answer is compared with one of its steps.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

Kind = Literal["write", "undo", "read", "read as of"]
Outcome = Literal["done", "refused", "unknown"]


class Operation(NamedTuple):
    """One call of one session, repeated under its key until its outcome was known."""

    session: int
    kind: Kind
    subject: str
    began: float
    ended: float
    outcome: Outcome
    value: str = ""
    """What was written or undone."""
    tx: int | None = None
    """The number that a write was answered with, or that a read asked for."""
    answer: frozenset[str] = frozenset()
    """What was read."""


class Version(NamedTuple):
    """A value of a subject, from the transaction that began it to the one that ended it."""

    fact: str
    subject: str
    value: str
    tx_from: int
    tx_to: int


class StoredOrder:
    """The order of the transactions, as the store has it at the end."""

    def __init__(self, versions: Sequence[Version]) -> None:
        self.versions = versions
        self._by_value: dict[str, list[Version]] = defaultdict(list)
        self._by_subject: dict[str, list[Version]] = defaultdict(list)
        for each in versions:
            self._by_value[each.value].append(each)
            self._by_subject[each.subject].append(each)
        self._steps: dict[str, list[tuple[int, frozenset[str]]]] = {}

    def of_value(self, value: str) -> list[Version]:
        return self._by_value.get(value, [])

    def state(self, subject: str, tx: int) -> frozenset[str]:
        own = self._by_subject.get(subject, [])
        return frozenset(each.value for each in own if each.tx_from <= tx < each.tx_to)

    def steps(self, subject: str) -> list[tuple[int, frozenset[str]]]:
        """The states of a subject, each with the transaction that led to it."""
        if subject not in self._steps:
            own = self._by_subject.get(subject, [])
            numbers = sorted({0, *(each.tx_from for each in own), *(each.tx_to for each in own)})
            self._steps[subject] = [(number, self.state(subject, number)) for number in numbers]
        return self._steps[subject]


def check_history(history: Sequence[Operation], order: StoredOrder) -> list[str]:
    """What is wrong, one line each; nothing if the history is that of a store that keeps its promises."""
    return [
        *_check_writes(history, order),
        *_check_undone(history, order),
        *_check_real_time(history),
        *_check_reads(history, order),
        *_check_past(history, order),
    ]


def _check_writes(history: Iterable[Operation], order: StoredOrder) -> Iterator[str]:
    for each in history:
        if each.kind != "write":
            continue
        stored = order.of_value(each.value)
        if each.outcome == "done" and not stored:
            yield f"lost: {each.value} was acknowledged"
        if each.outcome == "refused" and stored:
            yield f"written although refused: {each.value}"
        if len({version.fact for version in stored}) > 1:
            yield f"written twice: {each.value}"
        if stored and each.tx is not None and min(version.tx_from for version in stored) != each.tx:
            yield f"{each.value} was acknowledged as transaction {each.tx}, and is not there"


def _check_undone(history: Iterable[Operation], order: StoredOrder) -> Iterator[str]:
    for each in history:
        if each.kind != "undo" or each.outcome != "done" or each.tx is None:
            continue
        if each.value in order.state(each.subject, each.tx):
            yield f"lost: the undoing of {each.value} was acknowledged as {each.tx}"
        if each.value not in order.state(each.subject, each.tx - 1):
            yield f"undone twice: {each.value}"


def _check_real_time(history: Iterable[Operation]) -> Iterator[str]:
    """What was acknowledged before another call began has the lower number."""
    written = [each for each in _acknowledged(history) if each.tx is not None]
    numbers = AcknowledgedNumbers(written)
    for each in written:
        last = numbers.before(each.began)
        if last >= (each.tx or 0):
            yield f"{each.value} is transaction {each.tx}, and began after {last} had been acknowledged"


class AcknowledgedNumbers:
    """The highest number that had been acknowledged at a time."""

    def __init__(self, written: Iterable[Operation]) -> None:
        by_end = sorted(written, key=lambda each: each.ended)
        self._ends = [each.ended for each in by_end]
        self._highest = [0, *accumulate((each.tx or 0 for each in by_end), max)]

    def before(self, time: float) -> int:
        return self._highest[bisect_left(self._ends, time)]


def _acknowledged(history: Iterable[Operation]) -> list[Operation]:
    return [each for each in history if each.kind in ("write", "undo") and each.outcome == "done"]


def _check_reads(history: Sequence[Operation], order: StoredOrder) -> Iterator[str]:
    """A read shows one state, with all that was acknowledged before it, and sessions never go back."""
    numbers = AcknowledgedNumbers(_acknowledged(history))
    seen: dict[int, int] = {}
    for each in sorted(history, key=lambda each: each.began):
        if each.kind != "read" or each.outcome != "done":
            continue
        before = numbers.before(each.began)
        found = _first_fit(order, each, max(before, seen.get(each.session, 0)))
        if found is None:
            yield _explain_read(each, order, before, seen)
        else:
            seen[each.session] = found


def _first_fit(order: StoredOrder, read: Operation, least: int) -> int | None:
    """The earliest transaction from `least` on after which the store was as the read says."""
    steps = order.steps(read.subject)
    for (begins, state), (ends, _) in zip(steps, [*steps[1:], (None, frozenset())], strict=True):
        if state == read.answer and (ends is None or ends > least):
            return max(begins, least)
    return None


def _explain_read(read: Operation, order: StoredOrder, before: int, seen: Mapping[int, int]) -> str:
    who = f"session {read.session} read {sorted(read.answer)} of {read.subject}"
    if _first_fit(order, read, 0) is None:
        return f"{who}, which it never was"
    if _first_fit(order, read, before) is None:
        return f"{who}, older than transaction {before}, which had been acknowledged"
    return f"{who}, and had seen transaction {seen.get(read.session)} before"


def _check_past(history: Iterable[Operation], order: StoredOrder) -> Iterator[str]:
    for each in history:
        if each.kind != "read as of" or each.outcome != "done" or each.tx is None:
            continue
        state = order.state(each.subject, each.tx)
        if each.answer != state:
            yield f"as of {each.tx} {each.subject} was read as {sorted(each.answer)}, and is {sorted(state)}"
