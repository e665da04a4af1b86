"""Marks of tasks in notes: checkboxes, keywords, dates after emoji or keys, owners and tags.

Marks are blanked out of the text, so that what is left keeps its place in the document.
"""

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from recollect.text.patterns import lazy_pattern

TaskState = Literal["open", "done", "cancelled", "question"]

_BOX = re.compile(r"\[(?P<box>[ xX/\-<>!?*])\][ \t]+")
_BOX_STATES: dict[str, TaskState] = {"x": "done", "-": "cancelled", "?": "question"}
_KEYWORD = lazy_pattern(
    r"(?P<word>TODO|LATER|NOW|DOING|NEXT|WAITING|IN-PROGRESS|DONE|CANCELED|CANCELLED)\b:?[ \t]+(?=\S)"
    r"|(?P<mixed>(?:To-?do|todo))[ \t]*:[ \t]+(?=\S)"
)
_KEYWORD_STATES: dict[str, TaskState] = {"DONE": "done", "CANCELED": "cancelled", "CANCELLED": "cancelled"}
_PRIORITY = re.compile(r"\((?P<letter>[A-Z])\)[ \t]+|\[#[A-Z]\][ \t]+")
_TODO_TXT_DONE = re.compile(r"x[ \t]+(?=\d{4}-\d\d-\d\d)(?P<day>\d{4}-\d\d-\d\d)[ \t]+(?:\d{4}-\d\d-\d\d[ \t]+)?")
_TODO_TXT_DATE = re.compile(r"\d{4}-\d\d-\d\d[ \t]+")
_TODO_TXT_OPEN = re.compile(r"\([A-Z]\)[ \t]+\S|\d{4}-\d\d-\d\d[ \t]+(?=.*[ \t][+@][^\W\d])\S")
_OTHER_LINE = re.compile(r"[ \t]*(?:#{1,6}[ \t]|[-*|>][ \t]?\S|\d+[.)][ \t])")
"""Lines of other lists, headings and quotations."""

_DAY = r"\d{4}-\d\d-\d\d"
_KEYED_DATE = lazy_pattern(
    rf"(?P<emoji>[📅🗓📆⏳⌛🛫✅➕❌])\ufe0f?[ \t]*{_DAY}"
    rf"|(?P<open>[\[(])?\b(?P<key>due|deadline|scheduled|start|completion|completed|done|created|cancelled)::?[ \t]*"
    rf"(?:\[\[)?{_DAY}(?:\]\])?(?(open)[\])])"
    rf"|@{{1,2}}\{{(?P<board>{_DAY})\}}"
    rf"|\b(?P<org>DEADLINE|SCHEDULED|CLOSED):[ \t]*[<\[]{_DAY}[^>\]\n]*[>\]]",
    re.IGNORECASE,
)
_ISO_DAY = lazy_pattern(_DAY)
_OWNER_HINT = lazy_pattern(r"@|assign|owner")
_ROLES = {
    "📅": "due", "🗓": "due", "📆": "due", "⏳": "scheduled", "⌛": "scheduled", "🛫": "start", "✅": "done",
    "➕": "created", "❌": "cancelled", "due": "due", "deadline": "due", "scheduled": "scheduled", "start": "start",
    "completion": "done", "completed": "done", "done": "done", "closed": "done", "created": "created",
    "cancelled": "cancelled",
}  # fmt: skip
_LOOSE_MARK = lazy_pattern(
    r"[⏫🔼🔽⏬🔺🔁🏁🆔⛔](?:\ufe0f)?|\[(?!assign|owner)[\w-]+::[^\]\n]{0,300}\]|\([\w-]+::[^)\n]{0,300}\)"
    r"|\^[\w-]+[ \t]*$|(?<=\s)\+\w[\w-]*"
)
_TAG = re.compile(r"(?<![\w/#&])#[^\W\d_][\w/-]*")
_OWNER = lazy_pattern(
    r"(?<![\w@./])@(?:\[\[)?(?P<name>[^\W\d_][\w'’-]*(?:[ .][A-Z][\w'’-]*)?)(?:\]\])?"
    r"|\[?\b(?:assignee|assigned|owner)::?[ \t]*(?:\[\[)?(?P<keyed>[^\W\d_][^\]\n,;()]{0,40}?)(?:\]\])?(?:\]|$)"
)


@dataclass(frozen=True, slots=True)
class TaskMarks:
    """What the marks of a line say, and the line with the marks blanked out."""

    text: str
    state: TaskState | None = None
    owners: tuple[str, ...] = ()
    due: date | None = None
    start: date | None = None
    done_on: date | None = None
    created: date | None = None

    @property
    def is_task(self) -> bool:
        return self.state is not None


def is_task_file(text: str) -> bool:
    """Whether a text is a list of tasks, one a line, in the form of todo.txt, whatever its file is called."""
    lines = [line for line in text.splitlines() if line.strip()]
    marked = sum(is_todo_txt_line(line) for line in lines)
    return len(lines) > 1 and 2 * marked > len(lines) and not any(_OTHER_LINE.match(line) for line in lines)


def is_todo_txt_line(line: str) -> bool:
    """Whether a line begins as only a task of todo.txt does: `(A) 2026-05-01 Call Ann`, `x 2026-05-02 Pay`."""
    return _TODO_TXT_DONE.match(line) is not None or _TODO_TXT_OPEN.match(line) is not None


def read_task_marks(line: str, *, is_todo_txt: bool = False) -> TaskMarks:
    """The marks of a list item or line; in todo.txt an @ marks a context, not a person."""
    marks = _read_state(line, is_todo_txt=is_todo_txt)
    marks = _read_dates(marks) if _ISO_DAY.search(line) else marks
    marks = replace(marks, text=_blank_all(_LOOSE_MARK, marks.text)) if marks.is_task else marks
    marks = replace(marks, text=_blank_all(_TAG, marks.text)) if "#" in marks.text else marks
    if is_todo_txt:
        return replace(marks, text=re.sub(r"(?<!\w)@\w+", _blank, marks.text))
    return _read_owners(marks) if _OWNER_HINT.search(marks.text) else marks


def _read_state(line: str, *, is_todo_txt: bool) -> TaskMarks:
    start = len(line) - len(line.lstrip())
    box = _BOX.match(line, start)
    if box is not None:
        state = _BOX_STATES.get(box["box"].casefold(), "open")
        return TaskMarks(_blank_span(line, start, box.end()), state)
    keyword = _KEYWORD.match(line, start)
    if keyword is not None:
        state = _KEYWORD_STATES.get((keyword["word"] or "").upper(), "open")
        return _without_priority(TaskMarks(_blank_span(line, start, keyword.end()), state))
    done = _TODO_TXT_DONE.match(line, start)
    if done is not None:
        return TaskMarks(_blank_span(line, start, done.end()), "done", done_on=_day(done["day"]))
    priority = _PRIORITY.match(line, start)
    if priority is not None and (is_todo_txt or priority["letter"]):
        marks = TaskMarks(_blank_span(line, start, priority.end()), "open")
        return _without_created(marks)
    return _without_created(TaskMarks(line, "open")) if is_todo_txt and line.strip() else TaskMarks(line)


def _without_priority(marks: TaskMarks) -> TaskMarks:
    found = re.match(rf"\s*(?:{_PRIORITY.pattern})", marks.text)
    return replace(marks, text=_blank_span(marks.text, 0, found.end())) if found else marks


def _without_created(marks: TaskMarks) -> TaskMarks:
    found = re.match(rf"\s*{_TODO_TXT_DATE.pattern}", marks.text)
    if found is None:
        return marks
    return replace(marks, text=_blank_span(marks.text, 0, found.end()), created=_day(found[0].strip()))


def _read_dates(marks: TaskMarks) -> TaskMarks:
    days: dict[str, date] = {}
    text = marks.text
    for found in _KEYED_DATE.finditer(marks.text):
        day = _day(re.search(_DAY, found[0])[0])  # type: ignore[index]
        role = _ROLES[(found["emoji"] or found["key"] or found["org"] or "due").casefold()]
        is_mark = marks.is_task or found["emoji"] or found["org"] or found["board"] or "::" in found[0]
        if day is None or not is_mark:
            continue
        days.setdefault(role, day)
        text = _blank_span(text, found.start(), found.end())
    if "done" in days and marks.state in (None, "open"):
        marks = replace(marks, state="done")
    elif "due" in days and marks.state is None:
        marks = replace(marks, state="open")
    return replace(
        marks,
        text=text,
        due=days.get("due") or days.get("scheduled"),
        start=days.get("start"),
        done_on=days.get("done") or days.get("cancelled") or marks.done_on,
        created=days.get("created") or marks.created,
    )


def _read_owners(marks: TaskMarks) -> TaskMarks:
    owners, text = [], marks.text
    for found in _OWNER.finditer(marks.text):
        owners.append(found["name"] or found["keyed"].strip())
        # "@Olle" at the end or the start of a task is a mark; inside a sentence it is a name.
        if marks.is_task:
            text = _blank_span(text, found.start(), found.end())
        else:
            text = _blank_span(text, found.start(), found.start() + 1)
    return replace(marks, text=text, owners=tuple(dict.fromkeys(owners)))


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _blank_all(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(_blank, text)


def _blank_span(text: str, start: int, stop: int) -> str:
    return f"{text[:start]}{' ' * (stop - start)}{text[stop:]}"
