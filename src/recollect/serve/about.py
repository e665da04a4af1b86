"""What this server says of itself, in either way of greeting."""

from dataclasses import dataclass

from recollect import __version__ as version
from recollect.surfaces.registry import has_resources

NAME = "recollect"
INSTRUCTIONS = (
    "Memory in which every fact knows when it was true, when it was learned and where it came from. "
    "Names may be given as people write them. `as_of` asks what was known at an earlier moment."
)


@dataclass(frozen=True, slots=True)
class About:
    """A server of one surface, as its clients get to know it."""

    surface: str
    name: str = NAME
    version: str = version
    instructions: str = INSTRUCTIONS

    @property
    def title(self) -> str:
        return f"Recollect · {self.surface}"

    @property
    def has_resources(self) -> bool:
        return has_resources(self.surface)
