"""The actor of a call: surface, tool and name."""

from dataclasses import dataclass
from typing import Literal

from recollect.model.trust import OWNER, Trust

LOCAL = "local"
Framework = Literal["langgraph", "langchain", "llama-index", "openai-agents"]
"""The agent frameworks with an adapter, as the transactions of their writes name them."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who makes a change: by which tool of which surface, and how far that is trusted."""

    surface: str
    tool: str
    name: str = LOCAL
    client: str | None = None
    session: str | None = None
    trust: Trust = OWNER
    """What it writes is trusted no more than this."""
    other_surfaces: tuple[str, ...] = ()
    """More surfaces by which the same caller writes: their changes are its own when it undoes its latest."""

    @property
    def surfaces(self) -> tuple[str, ...]:
        return (self.surface, *self.other_surfaces)

    @property
    def source_key(self) -> str:
        """The source key of a statement without a document."""
        return f"tool:{self.surface}.{self.tool}"
