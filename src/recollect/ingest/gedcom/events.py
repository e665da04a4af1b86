"""What happened to somebody, as one line of a record and those below it tell it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.ingest.gedcom.dates import Dated, read_date
from recollect.ingest.gedcom.lines import Node
from recollect.ingest.gedcom.notes import Notes
from recollect.ingest.gedcom.places import Places
from recollect.ingest.lore.draft import Keyed, Unread

_ONLY_DEAD = frozenset({"DEAD", "DECEASED", "DIED", "DEATH", "Y", "YES", "DEC", "DEC'D", "D"})
_MORE = {"TYPE": "type", "CAUS": "cause", "AGNC": "agency"}


class Event(NamedTuple):
    """When and where, with the words behind it."""

    date: Dated
    place: Keyed | None
    quote: str | None
    attributes: Mapping[str, Any]

    @property
    def is_empty(self) -> bool:
        date = self.date
        return self.place is None and date.start is None and date.end is None and not date.kept


class Reader:
    """What reading events adds to: places, notes, and what could not be read."""

    def __init__(self, places: Places, notes: Notes, unread: list[Unread]) -> None:
        self.places = places
        self.notes = notes
        self.unread = unread

    def event(self, heading: str, node: Node) -> Event:
        """The event under a line of a record."""
        date = self._date(node)
        found = node.first("PLAC")
        place = self.places.place(found.text, found.line) if found else None
        more = {name: node.said(tag) for tag, name in _MORE.items() if node.said(tag)}
        kept = {"date_text": date.kept} if date.kept else {}
        return Event(date, place, self.notes.quote(heading, node), {**more, **kept})

    def _date(self, node: Node) -> Dated:
        found = node.first("DATE")
        if found is None:
            return Dated()
        date = read_date(found.text)
        phrase = found.said("PHRASE")
        if phrase:
            date = Dated(date.start, date.end, date.point, f"{date.kept or found.text} ({phrase})".strip())
        elif date.is_unread and not (node.tag == "DEAT" and says_only_dead(found.text)):
            self.unread.append(Unread(found.line, f"{node.tag} DATE {found.text}"[:200], "is no date; kept as text"))
        return date


def says_only_dead(text: str) -> bool:
    return text.strip("() .").upper() in _ONLY_DEAD


def is_denied(node: Node) -> bool:
    """Whether the line says that it did not happen."""
    return node.text.upper() in ("N", "NO")
