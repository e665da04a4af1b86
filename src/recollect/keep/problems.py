"""An honest no: the call was well formed, what is stored says otherwise. And texts that are too large."""

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.errors import Conflict, NotKnown, RecollectError, Refused

Choice = Mapping[str, Any] | str


class ItemNotFound(NotKnown):
    """What was addressed does not exist, or is deleted."""

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class ResolvableConflict(Conflict):
    """A no that may name those who stand in the way, and the tool that would do instead."""

    instead: str | None = None

    def __init__(self, message: str, choices: Sequence[Choice] = (), *, field: str | None = None) -> None:
        super().__init__(message)
        self.choices = tuple(choices)
        self.field = field


class Ambiguous(ResolvableConflict):
    """Several fit; they are the choices, and none was touched."""

    code = "ambiguous"


class AlreadyExists(ResolvableConflict):
    """Creating it would collide with what the choices name."""

    code = "already_exists"
    instead = "memory_update"


class LabelTaken(ResolvableConflict):
    """Renaming would collide with the holder that the choices name."""

    code = "name_taken"


class VersionConflict(ResolvableConflict):
    """It has moved on since the version that the caller expected."""

    code = "version_conflict"

    def __init__(self, what: str, expected: int, current: int) -> None:
        now = f"is at version {current}" if current else "does not exist"
        super().__init__(f"expectedVersion is {expected}, but {what} {now}", field="expectedVersion")
        self.current = current


class NeedsForget(ResolvableConflict):
    """Physical erasure was asked for."""

    code = "needs_forget"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} can be erased from history only by: recollect forget")


class ContentTooLarge(Refused):
    """More than a limit allows."""

    code = "too_large"

    def __init__(self, field: str, limit: str) -> None:
        super().__init__(f"{field} should be at most {limit}", field=field, accepted=(limit,))


def choices_of(failure: RecollectError) -> tuple[Choice, ...]:
    return failure.choices if isinstance(failure, ResolvableConflict) else ()
