"""Every failure we expect, as a tree.

RecollectError
├── Refused        the caller's mistake: says what would be accepted
├── NotKnown       what was requested is not in this workspace
├── Conflict       the call is well formed but what is stored forbids it
├── Unsupported    this engine or build cannot do it
├── Unavailable    the store or a service cannot be reached now; try again
└── Forbidden      the token may not do this

Anything else is a bug and propagates to the entry point, which turns it into an internal error.
"""

from collections.abc import Sequence


class RecollectError(Exception):
    """A failure with a stable code and a text that says what to do next."""

    code = "error"


class Refused(RecollectError):
    code = "invalid_input"

    def __init__(self, message: str, *, field: str | None = None, accepted: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.field = field
        self.accepted = tuple(accepted)


class InvalidField(Refused):
    """An argument that does not fit the others or its purpose; `why` continues the sentence after its name."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field} {why}", field=field)


class NotKnown(RecollectError):
    code = "not_found"


class Conflict(RecollectError):
    code = "conflict"


class Unsupported(RecollectError):
    code = "unsupported"


class PackageMissing(Unsupported):
    """An optional part is not installed. Its packages are named, since on PyPI our own name is another project's."""

    def __init__(self, part: str, packages: Sequence[str]) -> None:
        super().__init__(f"{part} needs {how_to_install(packages)}")


def how_to_install(packages: Sequence[str]) -> str:
    """The commands that add packages to where Recollect is installed."""
    quoted = " ".join(f'"{each}"' for each in packages)
    return f"{' and '.join(packages)}: pip install {quoted}, or pipx inject recollect {quoted}"


class Unavailable(RecollectError):
    code = "unavailable"
    retry_after: int | None = 5
    """Seconds after which a program may call again by itself; None where that is useless or unsafe."""


class Forbidden(RecollectError):
    code = "forbidden"
