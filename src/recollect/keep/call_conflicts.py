"""Refusals of well-formed calls that the stored state contradicts, and of contents that are too large."""

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.errors import Conflict, NotKnown, RecollectError, Refused

Choice = Mapping[str, Any] | str


class ItemNotFound(NotKnown):
    """The addressed item does not exist or is deleted; it can name the tool that lists the existing ones."""

    def __init__(self, message: str, *, field: str | None = None, listed_by: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.listed_by = listed_by


class ResolvableConflict(Conflict):
    """A conflict that can list the items in the way and name the tool to use instead."""

    instead: str | None = None

    def __init__(self, message: str, choices: Sequence[Choice] = (), *, field: str | None = None) -> None:
        super().__init__(message)
        self.choices = tuple(choices)
        self.field = field


class Ambiguous(ResolvableConflict):
    """Several items match; they are the choices, and none was changed."""

    code = "ambiguous"


class AlreadyExists(ResolvableConflict):
    """Creating it would collide with the choices."""

    code = "already_exists"
    instead = "memory_update"


class LabelTaken(ResolvableConflict):
    """Renaming would collide with the choices."""

    code = "name_taken"


class VersionConflict(ResolvableConflict):
    """The item has changed since the version that the caller expected."""

    code = "version_conflict"

    def __init__(self, what: str, expected: int, current: int) -> None:
        now = f"is at version {current}" if current else "does not exist"
        advice = f"read it, then send expectedVersion {current}"
        super().__init__(f"expectedVersion is {expected}, but {what} {now}; {advice}", field="expectedVersion")
        self.current = current


def check_version(expected: int | None, current: int, what: str) -> None:
    """Refuse a change that is based on another version; 0 is the version of what does not exist."""
    if expected is not None and expected != current:
        raise VersionConflict(what, expected, current)


class NeedsForget(ResolvableConflict):
    """Physical erasure is possible by `recollect forget` only."""

    code = "needs_forget"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} can be erased from history only by: recollect forget")


class ContentTooLarge(Refused):
    """The content is larger than its limit."""

    code = "too_large"

    def __init__(self, field: str, limit: str) -> None:
        super().__init__(f"{field} should be at most {limit}", field=field, accepted=(limit,))


def choices_of(failure: RecollectError) -> tuple[Choice, ...]:
    return failure.choices if isinstance(failure, ResolvableConflict) else ()
