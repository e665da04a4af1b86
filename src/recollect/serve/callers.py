"""Callers and the memory they may use: apart from tokens, since a hook knows only the local caller."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from recollect.store.access_tokens import Scope
    from recollect.surfaces.declarations import Tool
    from recollect.surfaces.dispatch import CallMemory


class CallLimits(NamedTuple):
    """What a caller may do in a time; 0 for no limit."""

    calls_per_minute: int = 0
    bytes_per_day: int = 0
    facts_per_day: int = 0


UNLIMITED = CallLimits()


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a call: the name of a token or `local`, with the name of the client and its session if known."""

    actor: str
    workspace: str
    scope: "Scope"
    client: str | None = None
    session: str | None = None
    subject: str = ""
    """Whom limits and idempotency keys are counted for; empty for the local caller."""
    limits: CallLimits = UNLIMITED
    project: str | None = None
    """The workspace of the project that the caller works in; `workspace` is then the personal one, read as well."""

    @property
    def may_write(self) -> bool:
        return self.scope != "read"

    @property
    def may_administer(self) -> bool:
        return self.scope == "admin"

    def with_client(self, client: str) -> "Caller":
        """The same caller with the name of its client."""
        return replace(self, client=client)

    def in_project(self, workspace: str) -> "Caller":
        """The same caller at work in a project, unless its workspace is the personal one."""
        return self if workspace == self.workspace else replace(self, project=workspace)


class MemoryOpener(Protocol):
    """Opens the memory of a caller's workspace, bound to the tool that is called."""

    def __call__(self, caller: Caller, tool: "Tool", /) -> "CallMemory": ...
