"""The actor of a call: surface, tool and name."""

from dataclasses import dataclass

LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Actor:
    surface: str
    tool: str
    name: str = LOCAL
    client: str | None = None
    session: str | None = None

    @property
    def source_key(self) -> str:
        """The source key of a statement without a document."""
        return f"tool:{self.surface}.{self.tool}"
