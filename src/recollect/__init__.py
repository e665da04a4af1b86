"""Memory for AI agents: a temporal knowledge graph behind an MCP server."""

from typing import TYPE_CHECKING, Any

from recollect.errors import Conflict, Forbidden, NotKnown, RecollectError, Refused, Unavailable, Unsupported

if TYPE_CHECKING:
    from recollect.change_listeners import open_memory as open  # noqa: A004 - recollect.open() is how a store is opened
    from recollect.memory import Memory

__version__ = "0.2.0"
__all__ = [
    "Conflict",
    "Forbidden",
    "Memory",
    "NotKnown",
    "RecollectError",
    "Refused",
    "Unavailable",
    "Unsupported",
    "open",
]


def __getattr__(name: str) -> Any:
    # Opening a store loads an engine; whoever only wants the error names should not pay for that.
    if name in ("Memory", "open"):
        from recollect import change_listeners, memory

        return memory.Memory if name == "Memory" else change_listeners.open_memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
