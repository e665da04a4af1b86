"""Long operations: their progress, and many items in batches of a bounded size."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple, TypeVar

Thing = TypeVar("Thing")
Phase = Literal["started", "progress", "done", "failed", "model_change_detected"]
Scope = Literal["memories", "all"]


class Rebuild(NamedTuple):
    """Which embeddings are being recomputed, and the phase of that."""

    phase: Phase
    scope: Scope


class Progress(NamedTuple):
    """How much of an operation is done; `done` only grows. A rebuild of embeddings has details."""

    done: int
    total: int
    message: str = ""
    rebuild: Rebuild | None = None


ProgressListener = Callable[[Progress], None]


def ignore_progress(_: Progress) -> None:
    """Do nothing."""


def report_each(things: Sequence[Thing], report: ProgressListener) -> Iterator[Thing]:
    """Each item; progress is reported after it has been processed."""
    for number, thing in enumerate(things, start=1):
        yield thing
        report(Progress(number, len(things), f"{number} of {len(things)}"))


Item = TypeVar("Item")


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in their order, in batches of a size; the last one may be shorter."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some
