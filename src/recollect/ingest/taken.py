"""What became of a file that was taken in."""

from dataclasses import dataclass, field
from typing import Any

from recollect.model.progress import Progress, Told

__all__ = ["Progress", "Skipped", "Taken", "Tally", "TextOnly", "Told"]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that was not taken, and why."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class TextOnly:
    """A file that was kept, though nothing in it could be read as a fact, and why."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class LineTaken:
    """What became of one line: whether it changed anything, and what of it was not taken."""

    changed: bool
    unread: tuple[str, ...] = ()


@dataclass(slots=True)
class Tally:
    """What became of the lines so far; lines count as taken once they are committed."""

    lines: int = 0
    changed: int = 0
    unchanged: int = 0
    facts: int = 0


@dataclass(slots=True)
class Taken:
    """One file: its tally, what was skipped, and what its reader should know."""

    tally: Tally = field(default_factory=Tally)
    skipped: list[Skipped] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    shown: dict[str, Any] | None = None
    """What a chat export is reported as, in place of its tally."""
    text_only: list[TextOnly] = field(default_factory=list)
