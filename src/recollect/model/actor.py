"""The actor of a call: surface, tool and name."""

from dataclasses import dataclass

from recollect.model.trust import OWNER, Trust

LOCAL = "local"


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

    @property
    def source_key(self) -> str:
        """The source key of a statement without a document."""
        return f"tool:{self.surface}.{self.tool}"
