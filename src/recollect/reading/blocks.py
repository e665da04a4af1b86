"""Blocks of a note: headings, paragraphs, list items, tasks and table rows, with what stands above them.

Quotations, code, comments, struck-out words and the ids of blocks (`^intro`) are blanked out: they assert nothing. A
block keeps its place in the document, and its text has the same length as that place, so that spans in one are spans
in the other.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from recollect.reading.heading_dates import day_in_title, leading_day
from recollect.reading.sections import SectionKind, section_kind, task_lead
from recollect.reading.tables import TableRow, cells_of, is_table_line, is_table_rule, read_row
from recollect.reading.task_marks import TaskMarks, is_todo_txt_line, read_task_marks
from recollect.text.markdown_lines import LIST_MARK, heading_of
from recollect.text.quotations import mask_unsaid

BlockKind = Literal["heading", "paragraph", "item", "task", "table_row"]

_ORG_HEADING = re.compile(r"(?P<marks>\*{1,6}) (?P<text>\S[^\n]*)")
_UNDERLINE = re.compile(r"[ \t]*(?:=+|-{3,})[ \t]*$")
_RULE = re.compile(r"[ \t]*(?:[-*_=][ \t]*){3,}$")
_ITEM = re.compile(rf"(?P<indent>[ \t]*)(?P<marker>{LIST_MARK}|\([a-z\d]\)|[a-z]\))[ \t]+(?=\S)")
_BARE_BOX = re.compile(r"[ \t]*\[[ xX]\][ \t]+\S")
_BOLD_TITLE = re.compile(r"[ \t]*(?:\*\*|__)(?P<text>[^*_\n]{1,80})(?:\*\*|__):?[ \t]*$")
_LONE_TITLE = re.compile(r"[ \t]*(?P<text>[^\W\d_][^\n:]{0,40}):[ \t]*$")
_PEOPLE_LINE = re.compile(
    r"[ \t]*[*_]{0,6}(?P<title>[^\W\d_][\w' ]{2,20})[*_]{0,6}[:：][*_]{0,6}[ \t]+(?P<names>\S[^\n]*)"
)
_MARKED_COLON = r"[*_]{0,6}[ \t]?[:：][*_]{0,6}"
_LABEL = re.compile(
    r"[ \t]*[*_]{0,6}(?P<label>[^\W\d_][\w'’/ -]{0,24}?)(?P<who>[ \t]+@?[A-Z][\w.-]{0,80})?"
    rf"{_MARKED_COLON}:?[ \t]*(?=\S)"
)
_LEAD = re.compile(
    r"[ \t]*(?:\[?\d{1,2}[:.]\d\d(?::\d\d)?(?: ?[ap]m)?\]?[ \t]+(?:[-–] )?)?"
    r"[*_]{0,6}(?P<name>@?[^\W\d_][\w.'’-]{0,80}(?: (?!to )[\w.'’-]{1,80}){0,2})"
    rf"(?: (?:to|->|→) @?[^\W\d_][\w.'’-]{{0,80}})?{_MARKED_COLON}[ \t]+(?=\S)"
)
_DASHED_LEAD = re.compile(
    r"[ \t]*[*_]{0,6}(?P<name>[A-ZÀ-Þ]{1,3}|[A-ZÀ-Þ][a-zà-þ]{1,40})[*_]{0,6}[ \t]+[–—-][ \t]+(?=\S)"
)
"""Who an item of minutes is for: *DP – pay Corvedale*."""
_ANSWER_WORDS = frozenset(
    {"a", "answer", "antwort", "reponse", "respuesta", "resposta", "risposta", "antwoord", "svar"}
)
_QUESTION_WORDS = frozenset({"q", "frage", "pregunta", "pergunta", "domanda", "vraag", "fraga", "pytanie", "f"})
_LONE_LEVEL = 8
_WRAPPED_LINE = 65
"""A line at least this long may go on in the next one."""
_FEWEST_TOLD = 3
"""Words of a line that is no mere name or greeting."""
_INSIDE = re.compile(
    r"(?:,|\b(?:a|an|the|of|to|and|or|for|with|in|on|at|by|from|that|is|are|was|my|our|your))\s*$", re.IGNORECASE
)
"""Ends of lines that no statement ends with."""
_WIDEST_WRAP = 100
"""Who writes longer lines has no lines wrapped: each break is meant."""


class BlockLead(NamedTuple):
    """Words before a colon at the start of a block, which may name its speaker, owner or topic."""

    name: str
    stop: int


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a note and its context."""

    kind: BlockKind
    start: int
    stop: int
    text: str
    section: SectionKind | None = None
    headings: tuple[str, ...] = ()
    day: date | None = None
    """The day of a heading or bullet above it or of its own."""
    lead: BlockLead | None = None
    marks: TaskMarks | None = None
    row: TableRow | None = None
    is_answer: bool = False
    depth: int = 0


class Line(NamedTuple):
    start: int
    stop: int
    text: str


@dataclass(slots=True)
class _Above:
    """What the headings above the current line say."""

    near: date | None
    headings: list[tuple[int, str, SectionKind | None, date | None]]
    bullet_day: date | None = None
    is_mail: bool = False
    is_org: bool = False
    after_blank: bool = False
    ragged: frozenset[int] = frozenset()
    """The starts of lines in paragraphs that no editor wrapped."""

    def open_heading(self, level: int, title: str) -> None:
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self.headings.append((level, title, section_kind(title), day_in_title(title, self.near)))
        self.bullet_day = None

    def close_lone_title(self) -> None:
        """A title that is only a line with a colon ends with the list below it."""
        while self.headings and self.headings[-1][0] >= _LONE_LEVEL:
            self.headings.pop()

    @property
    def section(self) -> SectionKind | None:
        return next((kind for _, _, kind, _ in reversed(self.headings) if kind is not None), None)

    @property
    def day(self) -> date | None:
        return self.bullet_day or next((day for _, _, _, day in reversed(self.headings) if day is not None), None)

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(title for _, title, _, _ in self.headings)


def note_blocks(
    text: str, near: date | None = None, *, is_todo_txt: bool = False, is_mail: bool = False
) -> Iterator[Block]:
    """The blocks of a note; `near` is its day, by which dates without a year in headings are read.

    Mail programs break long lines wherever they end; in a note only a small letter continues the line above.
    """
    lines = _lines(mask_unsaid(text))
    above = _Above(near, [], is_mail=is_mail, is_org=_is_org(lines), ragged=_ragged_lines(lines))
    at = 0
    while at < len(lines):
        at, found = _next_blocks(lines, at, above, is_todo_txt=is_todo_txt)
        yield from found


def people_line(text: str) -> tuple[SectionKind, str] | None:
    """The names in a line such as `present: Ines, Olle, Mio (intern)`."""
    found = _PEOPLE_LINE.match(text)
    if found is None or section_kind(found["title"]) != "people":
        return None
    return "people", found["names"]


def _lines(text: str) -> list[Line]:
    found, start = [], 0
    for piece in text.split("\n"):
        found.append(Line(start, start + len(piece), piece))
        start += len(piece) + 1
    return found


def _next_blocks(lines: list[Line], at: int, above: _Above, *, is_todo_txt: bool) -> tuple[int, list[Block]]:
    """The blocks that begin at a line, and where the next begin."""
    line = lines[at]
    if not line.text.strip():
        above.after_blank = True
        return at + 1, []
    if at + 1 < len(lines) and is_table_line(line.text) and is_table_rule(lines[at + 1].text):
        return _table(lines, at, above)
    title = _title(lines, at, is_org=above.is_org)
    if title is not None:
        level, words, used = title
        above.open_heading(level, words)
        return at + used, [_block("heading", line.start, line.stop, line.text, above)]
    if _RULE.fullmatch(line.text):
        return at + 1, []
    if above.after_blank and not _ITEM.match(line.text):
        above.close_lone_title()
    above.after_blank = False
    stop = _end_of_block(lines, at, above)
    return stop, [_read_block(lines[at:stop], above, is_todo_txt=is_todo_txt)]


def _title(lines: list[Line], at: int, *, is_org: bool) -> tuple[int, str, int] | None:
    """Level, words and number of lines of a heading."""
    text = lines[at].text
    heading = heading_of(text)
    if heading is not None:
        return heading.level, heading.text, 1
    org = _ORG_HEADING.fullmatch(text) if is_org else None
    if org is not None:
        return len(org["marks"]), org["text"].strip(), 1
    if at + 1 < len(lines) and _UNDERLINE.fullmatch(lines[at + 1].text) and _is_underlined_title(text):
        return (1 if "=" in lines[at + 1].text else 2), text.strip(), 2
    bare = text.strip()
    bold = _BOLD_TITLE.fullmatch(text) if bare.startswith(("**", "__")) else None
    if bold is not None:
        return 7, bold["text"].strip(" :"), 1
    lone = _LONE_TITLE.fullmatch(text) if bare.endswith(":") else None
    if lone is not None and (section_kind(lone["text"]) is not None or day_in_title(lone["text"], None) is not None):
        return _LONE_LEVEL, lone["text"], 1
    if len(bare) <= 40 and section_kind(bare) is not None and not _ITEM.match(text) and _stands_alone(lines, at):
        return _LONE_LEVEL, bare, 1
    return None


def _is_org(lines: list[Line]) -> bool:
    return any(line.text.startswith("** ") for line in lines[:200])


def _is_underlined_title(text: str) -> bool:
    return len(text.strip()) <= 80 and not _ITEM.match(text) and not text.rstrip().endswith((".", "!", "?", ","))


def _stands_alone(lines: list[Line], at: int) -> bool:
    """Whether a short line without a colon opens a list: nothing above it, and list items below."""
    before = at == 0 or not lines[at - 1].text.strip()
    after = at + 1 < len(lines) and bool(_ITEM.match(lines[at + 1].text) or _BARE_BOX.match(lines[at + 1].text))
    return before and after


def _end_of_block(lines: list[Line], at: int, above: _Above) -> int:
    """The line after a list item or paragraph; lines that an editor wrapped belong together."""
    first = lines[at].text
    item = _ITEM.match(first)
    body = item.end() if item else 0
    stop = at + 1
    while stop < len(lines):
        text = lines[stop].text
        if not text.strip() or _begins_block(text):
            break
        indent = len(text) - len(text.lstrip())
        is_continued = item is not None and indent >= max(2, body - 2) and indent > 0
        if not is_continued and not _is_wrapped(lines[stop - 1], text, above):
            break
        stop += 1
    return stop


def _begins_block(line: str) -> bool:
    is_item = _ITEM.match(line) is not None or _BARE_BOX.match(line) is not None
    return is_item or heading_of(line) is not None or is_todo_txt_line(line)


def _is_wrapped(line: Line, following: str, above: _Above) -> bool:
    if not _is_unfinished(line.text) or (line.start in above.ragged and not _INSIDE.search(line.text)):
        return False
    return above.is_mail or following.lstrip()[:1].islower()


def _is_unfinished(line: str) -> bool:
    """Whether a line is long enough to be wrapped, and ends no sentence."""
    end = line.rstrip()
    return len(end) >= _WRAPPED_LINE and not end.endswith((".", "!", "?", ":", ";"))


def _ragged_lines(lines: list[Line]) -> frozenset[int]:
    """The starts of lines whose paragraph was written line by line: too wide, or with room for the next word."""
    found: set[int] = set()
    for is_text, group in groupby(lines, key=lambda line: bool(line.text.strip())):
        paragraph = list(group)
        width = max(len(line.text.rstrip()) for line in paragraph)
        if is_text and (width > _WIDEST_WRAP or _has_room(paragraph, width)):
            found.update(line.start for line in paragraph)
    return frozenset(found)


def _has_room(paragraph: list[Line], width: int) -> bool:
    """Whether some long line would have held the first word of the next: an editor wraps at the last that fits.

    So would many a short one, where somebody writes line by line.
    """
    pairs = [(line.text.rstrip(), following.text) for line, following in pairwise(paragraph)]
    roomy = [
        line
        for line, following in pairs
        if not _ITEM.match(following) and len(line) + 1 + len(following.split()[0]) <= width
    ]
    short = [
        each for each in roomy if len(each.split()) >= _FEWEST_TOLD and not each.endswith((".", "!", "?", ":", ";"))
    ]
    return any(map(_is_unfinished, roomy)) or len(short) * 2 > len(pairs) > 1


def _read_block(lines: list[Line], above: _Above, *, is_todo_txt: bool) -> Block:
    start, stop = lines[0].start, lines[-1].stop
    text = "\n".join(line.text for line in lines)
    item = _ITEM.match(text)
    depth = len(item["indent"].expandtabs(4)) // 2 if item else 0
    if item is not None:
        text = " " * item.end() + text[item.end() :]
    marks = read_task_marks(text, is_todo_txt=is_todo_txt)
    kind: BlockKind = "task" if marks.is_task else "item" if item else "paragraph"
    block = Block(
        kind, start, stop, marks.text, above.section, above.titles, above.day, marks=marks, depth=depth
    )  # fmt: skip
    dated = _with_own_day(block)
    return _with_lead(_with_label(dated) if ":" in text or "：" in text else dated)


def _with_own_day(block: Block) -> Block:
    text = block.text
    lead = len(text) - len(text.lstrip())
    found = leading_day(text[lead:])
    if found is None:
        return block
    return replace(block, day=found.day, text=" " * (lead + found.stop) + text[lead + found.stop :])


def _with_label(block: Block) -> Block:
    """The block under the kind of section that its own label names: `DECISION:`, `ACTION JW:`, `Q:`."""
    found = _LABEL.match(block.text)
    if found is None:
        return block
    kind, who = _label_kind(found)
    word = found["label"].strip().casefold()
    if kind is None and word not in _ANSWER_WORDS:
        return block
    marks = block.marks
    if who and marks is not None:
        marks = replace(marks, owners=(*marks.owners, who.strip().lstrip("@")))
    text = " " * found.end() + block.text[found.end() :]
    headings = (*block.headings, found["label"]) if task_lead(found["label"]) else block.headings
    section = kind or block.section
    return replace(block, text=text, section=section, headings=headings, marks=marks, is_answer=kind is None)


def _label_kind(found: re.Match[str]) -> tuple[SectionKind | None, str | None]:
    label, who = found["label"].strip(), found["who"]
    if who is not None:
        whole = section_kind(label + who)
        if whole is not None:
            return whole, None
    if label.casefold() in _QUESTION_WORDS:
        return "questions", None
    kind = section_kind(label)
    if kind in ("people", "agenda"):
        return None, None
    return kind, who if kind is not None else None


def _with_lead(block: Block) -> Block:
    text = block.text
    found = _DASHED_LEAD.match(text) or (_LEAD.match(text) if ":" in text or "：" in text else None)
    return replace(block, lead=BlockLead(found["name"].lstrip("@"), found.end())) if found else block


def _block(kind: BlockKind, start: int, stop: int, text: str, above: _Above) -> Block:
    return Block(kind, start, stop, text, above.section, above.titles, above.day)


def _table(lines: list[Line], at: int, above: _Above) -> tuple[int, list[Block]]:
    headers = [cell.text for cell in cells_of(lines[at].text)]
    found, stop = [], at + 2
    while stop < len(lines) and lines[stop].text.strip() and is_table_line(lines[stop].text):
        line = lines[stop]
        cells = cells_of(line.text)
        words = line.text.replace("|", " ")
        found.append(replace(_block("table_row", line.start, line.stop, words, above), row=read_row(headers, cells)))
        stop += 1
    return stop, found
