"""Who is asking, and the memory they may ask."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from recollect.store.access_tokens import AccessToken, Scope
    from recollect.surfaces.declarations import Tool
    from recollect.surfaces.dispatch import CallMemory


@dataclass(frozen=True, slots=True)
class Caller:
    """The one behind a call: a token's name, or `local`; the name its client gave, and its session if it has one."""

    actor: str
    workspace: str
    scope: "Scope"
    client: str | None = None
    session: str | None = None

    @property
    def may_write(self) -> bool:
        return self.scope != "read"

    def through(self, client: str) -> "Caller":
        """The same caller, by a client of this name."""
        return Caller(self.actor, self.workspace, self.scope, client, self.session)


def caller_of_token(token: "AccessToken") -> Caller:
    return Caller(token.name, token.workspace, token.scope)


class MemoryOpener(Protocol):
    """Gives the memory of a caller's workspace, bound to the tool that is about to use it."""

    def __call__(self, caller: Caller, tool: "Tool", /) -> "CallMemory": ...
