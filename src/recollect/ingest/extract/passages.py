"""The passages of a record that speak, each with the context in which its sentences are read."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, tzinfo
from typing import Any

from recollect.errors import Refused
from recollect.ingest.extract.mail_text import new_text, own_text
from recollect.ingest.record_types import CHAT_MESSAGE, is_of_tracker, mail_headers, sender_zone
from recollect.model.document import Document
from recollect.model.trust import CLAIMED_TIME
from recollect.reading.blocks import Block, note_blocks, people_line
from recollect.reading.context import Context, Person, TextKind, TextUnit
from recollect.reading.heading_dates import DateHint, day_in_title, slashed_day
from recollect.reading.sections import SectionKind, section_kind
from recollect.reading.task_marks import is_task_file
from recollect.text.quotations import unquote_callouts
from recollect.when.english.day_order import DateOrder
from recollect.when.instant import local_date, read_instant

UNDATED = "undated"
"""Property of a note whose day nobody gave: its relative times cannot be read."""
FOLDER = "folder"
"""Property of a note outside a vault: the folder that it lies in, if that says what its notes are."""
BOARD = "kanban-plugin"
"""Front matter of a note that is shown as a board."""
MAX_TEXT_CHARS = 200_000
MAX_BLOCKS = 2_000
_MEETING_TITLE = re.compile(
    r"\b(?:meeting|minutes|weekly|standup|stand-up|retro|sync|1:1|1on1|kick-?off|protokoll|besprechung|r[ée]union"
    r"|reuni[óo]n|reuni[ãa]o|riunione|vergadering|notulen|m[öo]te|spotkanie)\b",
    re.IGNORECASE,
)
_WHOLE_DATE = re.compile(
    r"(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)|(?<!\d)\d{1,2}\.\d{1,2}\.(?:19|20)\d\d(?!\d)"
    r"|(?<![\d/])\d{1,2}/\d{1,2}/(?:20)?\d\d(?![\d/])"
)
_QUOTATION = re.compile(
    r"\s*(?P<words>\"[^\"\n]{3,}\"|“[^“”\n]{3,}”|«[^«»\n]{3,}»|„[^„“”\n]{3,}[“”]|(?<!\w)'[^'\n]{3,}'(?!\w))[.!]*"
)
_ATTENDEE_KEYS = frozenset("attendees participants present teilnehmer presents asistentes presenti deelnemers".split())
_NUMBER = re.compile(r"[ \t]*\d{1,3}[.)][ \t]")
_TEMPLATE = re.compile(r"\{\{|<%")
_TODO_TXT = re.compile(r"(?:^|/)(?:todo|done)\.txt$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RecordPassage:
    """A block of a record with its context; `start` is its place in the text of the record.

    `written` is its text with the quotations that are blanked in the block, of equal length; none where none are.
    """

    block: Block
    start: int
    context: Context
    written: str = ""
    is_numbered: bool = False
    """Whether it is an item of a numbered list."""

    @property
    def text(self) -> str:
        return self.block.text

    def with_quotations(self, start: int, stop: int) -> str:
        """The words from one place of the block to another with what they quote, and what is quoted right after."""
        if len(self.written) != len(self.text):
            return self.text[start:stop]
        after = _QUOTATION.match(self.written, stop)
        if after is not None and not self.text[stop : after.end()].strip(" .!,;"):
            stop = after.end()
        words = list(self.text[start:stop])
        for found in _QUOTATION.finditer(self.written, start, stop):
            if not self.text[found.start("words") : found.end("words")].strip():
                words[found.start() - start : found.end() - start] = found[0]
        return "".join(words)


def record_day(document: Document, zone: tzinfo) -> date | None:
    """The day on which a record was written, where its author was; none if nobody said."""
    fields = document.properties
    if fields.get(UNDATED) or "wrong-date" in mail_headers(fields):
        return None
    try:
        claimed = fields.get(CLAIMED_TIME)
        written_at = read_instant(claimed, UTC) if isinstance(claimed, str) else document.source_at
        return local_date(written_at, sender_zone(document.type, fields) or zone)
    except Refused:
        return None  # a year that no calendar of days has


def date_hint(document: Document, text: str, order: DateOrder | None) -> DateHint | None:
    """The latest whole date in the fields or the text of a record."""
    fields = " ".join(str(value) for value in document.properties.values() if isinstance(value, str | int))
    written = _WHOLE_DATE.findall(f"{fields}\n{text}")
    found = [day for each in written if (day := day_in_title(each, None) or slashed_day(each, order, None)) is not None]
    return DateHint(max(found), order) if found else None


def record_kind(document: Document, text: str) -> TextKind:
    """What kind of text a record holds."""
    # A message to people asks and promises as a mail does; the kind `chat` is talk with an assistant.
    if document.type in ("email", CHAT_MESSAGE) or is_of_tracker(document.type):
        return "mail"
    is_meeting = bool(_MEETING_TITLE.search(document.title or "")) or bool(_MEETING_TITLE.search(document.key))
    return "minutes" if is_meeting or attendees(document, text) else "note"


def attendees(document: Document, text: str) -> list[str]:
    """The names in the line or the front matter of a note that says who was present."""
    for key in _ATTENDEE_KEYS & document.properties.keys():
        given = document.properties[key]
        names = given if isinstance(given, list) else str(given).split(",")
        found = [name for each in names if isinstance(each, str) and (name := each.strip(" []"))]
        if found:
            return found
    for line in text.split("\n", 30)[:30]:
        people = people_line(line.lstrip("-*•# \t"))
        if people is not None:
            bare = re.sub(r"\([^()]*\)|\[\[|\]\]", "", people[1])
            return [
                name
                for each in re.split(r"[,;/&+]|\band\b|\bund\b|\bet\b|\by\b|\be\b", bare)
                if (name := each.strip(" .*_"))
            ]
    return []


def record_passages(document: Document, text: str, base: Context) -> Iterator[RecordPassage]:
    """The passages of a record; `base` has the people of the record."""
    text = text[:MAX_TEXT_CHARS]
    if base.kind == "mail":
        for block in note_blocks(new_text(text, _author_forms(base.speaker)), base.anchor, is_mail=True):
            is_numbered = _NUMBER.match(text, block.start) is not None
            yield RecordPassage(block, block.start, in_block(base, block), is_numbered=is_numbered)
        return
    masked = own_text(unquote_callouts(text))
    is_named = any(_TODO_TXT.search(name) is not None for name in (document.key, document.title or ""))
    has_tasks_only = is_named or is_task_file(masked)
    section = section_kind(document.title or "") or section_kind(document.key.rpartition("/")[2].rpartition(".")[0])
    section = section or _section_of_folder(document)
    if _TEMPLATE.search(document.title or ""):
        return
    is_board = BOARD in document.properties
    for number, block in enumerate(note_blocks(masked, base.anchor, is_todo_txt=has_tasks_only)):
        if number >= MAX_BLOCKS:
            return
        whole = _in_column(block) if is_board else block
        whole = replace(whole, section=section) if whole.section is None and section is not None else whole
        written = text[whole.start : whole.start + len(whole.text)]
        yield RecordPassage(whole, whole.start, in_block(base, whole), written)


def _in_column(block: Block) -> Block:
    """A card of a board; in the column of what is done it is done, whether it is checked or not."""
    if block.marks is None or block.section != "done" or block.marks.state != "open":
        return block
    return replace(block, marks=replace(block.marks, state="done"))


def note_folders(document: Document) -> list[str]:
    """The folders that a note lies in, the outermost first: those below its vault, else the one that is told."""
    if document.key.startswith("note:"):
        return document.key.split("/")[1:-1]
    folder = document.properties.get(FOLDER)
    return [folder] if isinstance(folder, str) else []


def is_silent_folder(name: str) -> bool:
    """Whether nothing is meant of what a folder holds: ideas, or recipes."""
    return section_kind(name) in ("ideas", "recipe")


def _section_of_folder(document: Document) -> SectionKind | None:
    return next((section_kind(each) for each in note_folders(document) if is_silent_folder(each)), None)


def _author_forms(author: Person | None) -> frozenset[str]:
    if author is None:
        return frozenset()
    forms = {author.name, *author.forms, author.name[:1]}
    return frozenset(form.casefold() for form in forms)


def in_block(base: Context, block: Block) -> Context:
    """The context of a block: its unit, its section and the day above it."""
    section = block.section if block.section != "preferences" else None
    unit, anchor = _unit(block), block.day or base.anchor
    if (section, unit, anchor) == (base.section, base.unit, base.anchor):
        return base
    return replace(base, section=section, unit=unit, anchor=anchor)


def _unit(block: Block) -> TextUnit:
    if block.kind == "task" and block.marks is not None:
        return "task_done" if block.marks.state == "done" else "task_open"
    units: Mapping[str, TextUnit] = {"heading": "heading", "table_row": "table_row", "item": "bullet"}
    return units.get(block.kind, "sentence")


def date_order(settings: Mapping[str, Any], language: str, zone: tzinfo) -> DateOrder | None:
    """In which order a day and a month with a slash are read: by the settings, else by language and zone."""
    given = settings.get("reading.date_order")
    if given in ("dmy", "mdy"):
        return "dmy" if given == "dmy" else "mdy"
    if language != "en":
        return "dmy"
    place = str(zone)
    if place.startswith(("America/", "US/")):
        return "mdy"
    return "dmy" if place.startswith(("Europe/", "Africa/", "Australia/", "Asia/", "Pacific/Auckland")) else None
