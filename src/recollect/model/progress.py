"""How far a long work is, for whoever waits for it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

Thing = TypeVar("Thing")
Phase = Literal["started", "progress", "done", "failed", "model_change_detected"]
Scope = Literal["memories", "all"]


@dataclass(frozen=True, slots=True)
class Rebuild:
    """Which vectors are computed anew, and where that stands."""

    phase: Phase
    scope: Scope


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of a work is done; `done` only grows. A rebuild of vectors says more than that."""

    done: int
    total: int
    message: str = ""
    rebuild: Rebuild | None = None


ProgressListener = Callable[[Progress], None]


def ignore_progress(_: Progress) -> None:
    """Nobody waits."""


def report_each(things: Sequence[Thing], tell: ProgressListener) -> Iterator[Thing]:
    """Each of the things; once it is dealt with, that is told."""
    for number, thing in enumerate(things, start=1):
        yield thing
        tell(Progress(number, len(things), f"{number} of {len(things)}"))
