"""Failures of a call outside the tool itself."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Literal, TypeVar

from recollect.errors import Forbidden, NotKnown, RecollectError, Refused

Fault = Literal["missing", "unknown", "wrong_type", "bad_value", "both_names"]
Code = TypeVar("Code", bound=str)


def code_by_class(failure: RecollectError, codes: Mapping[type[RecollectError], Code], default: Code) -> Code:
    """The code of the nearest class of a failure."""
    return next((codes[each] for each in type(failure).__mro__ if each in codes), default)


class BadArgument(Refused):
    """An invalid argument: its name, what is wrong, and what is accepted."""

    def __init__(self, field: str, problem: Fault, message: str, accepted: Sequence[str] = ()) -> None:
        super().__init__(message, field=field, accepted=accepted)
        self.field: str = field
        self.problem = problem


class NotConfirmed(Forbidden):
    """A person was asked before a destructive call and did not agree."""

    def __init__(self, tool: str) -> None:
        super().__init__(f"{tool} was not confirmed; nothing was changed")


class Crashed(RecollectError):
    """An unexpected exception. Its text stays on the server; the reference finds it in the log."""

    code = "internal"

    def __init__(self, reference: str) -> None:
        super().__init__(f"an unexpected error occurred; the server keeps running (reference {reference})")
        self.reference = reference


class UnknownTool(NotKnown):
    code = "unknown_tool"

    def __init__(self, name: str, where: str, known: Iterable[str], advice: str = "") -> None:
        near = get_close_matches(name, list(known), 3)
        hint = f"; did you mean {' or '.join(near)}?" if near else f"; {advice}" if advice else ""
        super().__init__(f"no tool {name!r} on {where}{hint}")


class UnknownSurface(NotKnown):
    code = "unknown_surface"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"no surface {name!r}; available: {', '.join(known)}")


class NoResource(NotKnown):
    """A URI that a caller cannot read; `reason` is a code for programs, `advice` tells what to do."""

    code = "no_resource"

    def __init__(self, uri: str, reason: str, advice: str = "") -> None:
        why = f"{uri[:200]} names nothing that can be read: {reason.replace('_', ' ')}"
        super().__init__(f"{why}; {advice}" if advice else why)
        self.reason = reason
