"""Who is asking, and the memory they may ask."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from recollect.store.tokens import Scope, Token
    from recollect.surfaces.declare import Tool
    from recollect.surfaces.dispatch import Remembers


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


def holder(token: "Token") -> Caller:
    return Caller(token.name, token.workspace, token.scope)


class OpenFor(Protocol):
    """Gives the memory of a caller's workspace, bound to the tool that is about to use it."""

    def __call__(self, caller: Caller, tool: "Tool", /) -> "Remembers": ...
