"""Who does something: through which surface, by which tool, under which name."""

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
        """How a source without a document prints."""
        return f"tool:{self.surface}.{self.tool}"
