"""What the HTTP server and the web app need of an open store."""

from typing import TYPE_CHECKING, Protocol

from recollect.model.actor import Actor
from recollect.serve.auth import Tokens
from recollect.serve.callers import Caller, MemoryOpener
from recollect.serve.listeners import ProgressListeners

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.serve.audit import AuditLog


class ServedStore(Protocol):
    """An open store, as HTTP sees it."""

    @property
    def open_for(self) -> MemoryOpener: ...
    @property
    def tokens(self) -> Tokens: ...
    @property
    def local(self) -> Caller: ...
    @property
    def listeners(self) -> ProgressListeners: ...
    @property
    def audit(self) -> "AuditLog | None": ...
    @property
    def call_seconds(self) -> float: ...
    @property
    def default_surface(self) -> str: ...
    def open_as(self, caller: Caller, actor: Actor, *, is_write: bool) -> "Memory": ...
    def workspace(self, name: str) -> "Memory": ...
    def gauges(self) -> dict[str, float]: ...
    def check(self) -> None: ...
    def release(self, workspace: str) -> None:
        """Forget what is kept of a workspace that was renamed or deleted."""
