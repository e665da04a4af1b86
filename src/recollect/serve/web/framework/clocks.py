"""The two clocks of a page: when it was true, and when it was known."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.surfaces.recollect.parameters import knowledge_moment, read_when

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.when.period import Time


CLOCK_FIELDS = ("at", "as_of")
PRESENT = "now"
"""What an empty field means, and says."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """What the clock bar says: as written, and as read. Nothing means now."""

    at_text: str = ""
    as_of_text: str = ""
    at: "Time | None" = None
    known: int | str | None = None
    known_at: str | None = None
    """The instant up to which things were known, for people."""

    @property
    def is_now(self) -> bool:
        return not self.at_text and not self.as_of_text

    def query(self) -> dict[str, object]:
        """The parameters that put another page on the same clocks."""
        return {"at": self.at_text, "as_of": self.as_of_text}


NOW = Clocks()


def read_clocks(memory: "Memory", at: str, as_of: str) -> Clocks:
    """The clocks that two fields name; a time that cannot be read is refused."""
    at, as_of = ("" if each.casefold() == PRESENT else each for each in (at, as_of))
    if not at and not as_of:
        return NOW
    known = knowledge_moment(memory, as_of) if as_of else None
    with memory.read(known) as view:
        time = read_when(view.world, at, "at") if at else None
    return Clocks(at, as_of, time, known, None if known is None else str(known))
