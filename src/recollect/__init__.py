"""Memory for AI agents: a temporal knowledge graph behind an MCP server."""

from recollect.errors import Conflict, Forbidden, NotKnown, RecollectError, Refused, Unavailable, Unsupported

TYPE_CHECKING = False
"""As in `typing`, whose import takes longer than a hook that an agent waits for."""
if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.surfaces.everyday_memory import EverydayMemory
    from recollect.surfaces.everyday_memory import open_memory as open  # noqa: A004 - how a store is opened

__version__ = "0.2.0"
__all__ = [
    "Conflict",
    "EverydayMemory",
    "Forbidden",
    "Memory",
    "NotKnown",
    "RecollectError",
    "Refused",
    "Unavailable",
    "Unsupported",
    "open",
]


def __getattr__(name: str) -> object:
    # Opening a store loads an engine, which importing the error names should not.
    if name == "Memory":
        from recollect.memory import Memory

        return Memory
    if name in ("EverydayMemory", "open"):
        from recollect.surfaces import everyday_memory

        return everyday_memory.EverydayMemory if name == "EverydayMemory" else everyday_memory.open_memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
