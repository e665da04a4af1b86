"""GEDCOM records: line parser, events, places, notes and sources."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from recollect.ingest.drafts import EntityDraft, KeyRef, RelationDraft, UnreadableItem
from recollect.ingest.gedcom.dates import GedcomDate, parse_date
from recollect.model.entity import NAME_LIMIT
from recollect.model.names import fold

_BREAK = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[\s\ufeff]*(\d{1,2})\s+(?:@([^@\r\n]+)@\s*)?([A-Za-z0-9_]+)(?:[ \t](.*))?", re.DOTALL)
_POINTER = re.compile(r"\s*@([^@#][^@]*)@\s*")
VOID_POINTER = "VOID"


@dataclass(slots=True)
class GedcomNode:
    """One line with its subordinate lines; CONC and CONT lines are already part of its value.

    A record's `key` is its xref, made unique where the file is not.
    """

    line: int
    tag: str
    value: str = ""
    xref: str | None = None
    children: "list[GedcomNode]" = field(default_factory=list)
    key: str = ""

    @property
    def text(self) -> str:
        """The value on one line, with @@ unescaped."""
        return " ".join(self.value.replace("@@", "@").split())

    @property
    def words(self) -> str:
        """The value with its line breaks."""
        return self.value.replace("@@", "@").strip()

    @property
    def pointer(self) -> str | None:
        """The record that the value points at, if it does."""
        found = _POINTER.fullmatch(self.value)
        return found[1].strip() if found else None

    def children_tagged(self, *tags: str) -> "Iterator[GedcomNode]":
        """The direct children with one of these tags."""
        return (child for child in self.children if child.tag in tags)

    def first(self, *tags: str) -> "GedcomNode | None":
        return next(self.children_tagged(*tags), None)

    def child_text(self, *tags: str) -> str:
        """The value of the first child with one of these tags; empty without one."""
        found = self.first(*tags)
        return found.text if found else ""


class GedcomRecords(NamedTuple):
    """The records of a file, and the lines that could not be parsed."""

    roots: list[GedcomNode]
    unread: list[UnreadableItem]


def parse_records(text: str) -> GedcomRecords:
    """Parse the records; a line that cannot be parsed is skipped and reported."""
    roots: list[GedcomNode] = []
    unread: list[UnreadableItem] = []
    open_nodes: list[tuple[int, GedcomNode]] = []
    for number, line in enumerate(_BREAK.split(text), start=1):
        found = _LINE.fullmatch(line)
        if found is None:
            if line.strip("\ufeff \t\0\x1a"):
                unread.append(UnreadableItem(number, line.strip()[:80], "not a GEDCOM line (level, tag, value)"))
            continue
        level, node = int(found[1]), GedcomNode(number, found[3].upper(), found[4] or "", _clean_xref(found[2]))
        while open_nodes and open_nodes[-1][0] >= level:
            open_nodes.pop()
        if level and not open_nodes:
            unread.append(UnreadableItem(number, line.strip()[:80], "does not belong to any record"))
            continue
        _attach_node(roots, open_nodes, level, node)
    return GedcomRecords(roots, unread)


def _attach_node(
    roots: list[GedcomNode], open_nodes: list[tuple[int, GedcomNode]], level: int, node: GedcomNode
) -> None:
    if not open_nodes:
        roots.append(node)
    elif node.tag in ("CONC", "CONT"):
        above = open_nodes[-1][1]
        above.value += ("\n" if node.tag == "CONT" else "") + node.value
        return
    else:
        open_nodes[-1][1].children.append(node)
    open_nodes.append((level, node))


def _clean_xref(xref: str | None) -> str | None:
    return xref.strip() if xref is not None else None


_PLACE_SEPARATORS = " ,;\t"


class PlaceIndex:
    """The places named so far, each once, with the places that enclose them."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, int]] = {}

    def place(self, text: str, line: int) -> KeyRef | None:
        """The place that a text names, if any."""
        parts = list(_enclosing_places(text))
        for part in parts:
            self._known.setdefault(_place_key(part), (part, line))
        return KeyRef(_place_key(parts[0])) if parts else None

    def name(self, place: KeyRef) -> str:
        """The name of a place as the file writes it."""
        return self._known[place.key][0]

    def entities(self) -> Iterator[EntityDraft]:
        for key, (name, line) in self._known.items():
            around = list(_enclosing_places(name))[1:]
            properties = {} if around else {"root": True}
            yield EntityDraft(name[:NAME_LIMIT], "location", line, (), properties, key)

    def relations(self) -> Iterator[RelationDraft]:
        for key, (name, line) in self._known.items():
            around = list(_enclosing_places(name))[1:2]
            if around and _place_key(around[0]) != key:
                yield RelationDraft(
                    KeyRef(key), "part_of", KeyRef(_place_key(around[0])), line, name, extraction="gedcom"
                )


def _enclosing_places(text: str) -> Iterator[str]:
    """The place and those that enclose it, smallest first."""
    rest = " ".join(text.split()).strip(_PLACE_SEPARATORS)
    while rest:
        yield rest
        rest = rest.partition(",")[2].strip(_PLACE_SEPARATORS)


def _place_key(name: str) -> str:
    return f"place {fold(name[:NAME_LIMIT])}"


MAX_QUOTE_CHARS = 2_000


class NoteIndex:
    """The notes and sources of a file, and the passages made of them."""

    def __init__(self, roots: Iterable[GedcomNode]) -> None:
        self._records: Mapping[str, GedcomNode] = {
            root.xref: root for root in roots if root.xref is not None and root.tag in ("NOTE", "SNOTE", "SOUR")
        }
        self._passages: dict[str, str] = {}

    def quote(self, heading: str, node: GedcomNode) -> str | None:
        """The notes and sources of one line, which become passages too; none without any."""
        texts = [text for text in self._below(node) if text]
        for text in texts:
            self._passages.setdefault(text, heading)
        return "\n".join(texts)[:MAX_QUOTE_CHARS] or None

    def notes_of(self, node: GedcomNode) -> list[str]:
        """The notes of one line, whole and without its sources."""
        return [text for text in map(self._note, node.children_tagged("NOTE", "SNOTE")) if text]

    def add_unreferenced(self) -> None:
        """Add the records that nothing points at as passages."""
        for record in self._records.values():
            text = _source_text(record) if record.tag == "SOUR" else record.words
            if text:
                self._passages.setdefault(text, "")

    @property
    def text(self) -> str:
        """All passages, each under its heading."""
        return "\n\n".join(f"{heading}\n{text}" if heading else text for text, heading in self._passages.items())

    def _below(self, node: GedcomNode) -> Iterator[str]:
        for child in node.children:
            if child.tag in ("NOTE", "SNOTE"):
                yield self._note(child)
            elif child.tag == "SOUR":
                yield self._source(child)

    def _note(self, node: GedcomNode) -> str:
        if node.pointer is None:
            return node.words
        record = self._records.get(node.pointer)
        return record.words if record else ""

    def _source(self, node: GedcomNode) -> str:
        """The cited text of a source, else its title and page."""
        quoted = [text.words for text in _text_nodes(node) if text.words]
        if quoted:
            return "\n".join(quoted)
        record = self._records.get(node.pointer) if node.pointer else None
        title = (record.child_text("TITL", "ABBR") if record else "") if node.pointer else node.words
        page = node.child_text("PAGE")
        return ", ".join(part for part in (title, page) if part)


def _text_nodes(node: GedcomNode) -> Iterator[GedcomNode]:
    yield from node.children_tagged("TEXT")
    for data in node.children_tagged("DATA"):
        yield from data.children_tagged("TEXT")


def _source_text(record: GedcomNode) -> str:
    return "\n".join(found.words for found in record.children_tagged("TITL", "AUTH", "PUBL", "TEXT") if found.words)


_DEATH_WORDS = frozenset({"DEAD", "DECEASED", "DIED", "DEATH", "Y", "YES", "DEC", "DEC'D", "D"})
_EVENT_ATTRIBUTES = {"TYPE": "type", "CAUS": "cause", "AGNC": "agency"}


class GedcomEvent(NamedTuple):
    """Date and place of an event, with its notes and sources."""

    date: GedcomDate
    place: KeyRef | None
    quote: str | None
    attributes: Mapping[str, Any]

    @property
    def is_empty(self) -> bool:
        date = self.date
        return self.place is None and date.start is None and date.end is None and not date.kept


class EventReader:
    """Reads events; collects places, notes and what could not be read."""

    def __init__(self, places: PlaceIndex, notes: NoteIndex, unread: list[UnreadableItem]) -> None:
        self.places = places
        self.notes = notes
        self.unread = unread

    def event(self, heading: str, node: GedcomNode) -> GedcomEvent:
        """The event under a line of a record."""
        date = self._date(node)
        found = node.first("PLAC")
        place = self.places.place(found.text, found.line) if found else None
        more = {name: node.child_text(tag) for tag, name in _EVENT_ATTRIBUTES.items() if node.child_text(tag)}
        kept = {"date_text": date.kept} if date.kept else {}
        return GedcomEvent(date, place, self.notes.quote(heading, node), {**more, **kept})

    def _date(self, node: GedcomNode) -> GedcomDate:
        found = node.first("DATE")
        if found is None:
            return GedcomDate()
        date = parse_date(found.text)
        phrase = found.child_text("PHRASE")
        if phrase:
            date = GedcomDate(date.start, date.end, date.point, f"{date.kept or found.text} ({phrase})".strip())
        elif date.is_unread and not (node.tag == "DEAT" and says_only_dead(found.text)):
            self.unread.append(
                UnreadableItem(found.line, f"{node.tag} DATE {found.text}"[:200], "not a date; kept as text")
            )
        return date


def says_only_dead(text: str) -> bool:
    return text.strip("() .").upper() in _DEATH_WORDS


def is_denied(node: GedcomNode) -> bool:
    """Whether the line states that the event did not happen."""
    return node.text.upper() in ("N", "NO")
