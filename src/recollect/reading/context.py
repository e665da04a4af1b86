"""What is known about a text before it is read: whose words it holds, to whom, when, and where in a document."""

from dataclasses import dataclass
from datetime import UTC, date, tzinfo
from functools import lru_cache
from typing import Literal

from recollect.reading.sections import SectionKind
from recollect.reading.state import KnownName
from recollect.when.english.day_order import DateOrder

TextKind = Literal["mail", "note", "chat", "minutes", "lore", "claim"]

TextUnit = Literal["sentence", "bullet", "task_open", "task_done", "table_row", "heading"]


def nothing_known(_: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody known in a document, with the other forms of the name that it uses."""

    name: str
    forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of a sentence.

    `anchor` is the sender's local day; without one relative times are pending. `addressees` are who "you" may be.
    `people` holds everybody known in the document. `section` is what the heading above says. `answered` is the text
    that this one replies to, for a bare "done" or "yes". `has_topic` tells that the text is about something, which
    sentences without a subject then mean; on a fictional timeline no time of day-to-day English can be read.
    """

    kind: TextKind
    anchor: date | None = None
    zone: tzinfo = UTC
    speaker: Person | None = None
    addressees: tuple[Person, ...] = ()
    people: tuple[Person, ...] = ()
    section: SectionKind | None = None
    date_order: DateOrder | None = None
    language: str = "en"
    answered: str | None = None
    unit: TextUnit = "sentence"
    known: KnownName = nothing_known
    has_topic: bool = False
    is_fictional: bool = False
    referent: str | None = None
    """Whom a sentence that begins with *she* or *his* means."""

    def folded_forms(self) -> tuple[str, ...]:
        """The names of the people of the document without case, as a text may have them."""
        return _folded_forms(self.people)


@lru_cache(64)
def _folded_forms(people: tuple[Person, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(form.casefold() for each in people for form in (each.name, *each.forms)))
