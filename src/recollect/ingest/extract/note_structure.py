"""What the structure of a note says a block does: tasks, table rows, and items under headings with a meaning."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from recollect.ingest.extract.passages import RecordPassage
from recollect.ingest.extract.text_people import POSSESSIVE, TextPeople, looks_like_name
from recollect.reading.blocks import Block
from recollect.reading.clause_reading import NO_TIME, Act, ClauseReading, TimeReading
from recollect.reading.context import Context
from recollect.reading.phrases import is_name
from recollect.reading.pronouns import name_of_doer
from recollect.reading.reader import read_block
from recollect.reading.sections import SectionKind, task_lead
from recollect.reading.task_marks import TaskState
from recollect.reading.times import end_of_opening_time
from recollect.text.patterns import lazy_pattern

_ACT_OF_STATE: dict[TaskState, Act] = {"open": "commitment", "done": "completion", "cancelled": "cancellation"}
_ACT_OF_SECTION: dict[SectionKind, Act] = {
    "decisions": "decision",
    "risks": "concern",
    "questions": "question",
    "tasks": "commitment",
    "done": "completion",
    "goals": "goal",
    "blockers": "blocker",
    "preferences": "preference",
}
_SILENT_SECTIONS = frozenset({"ideas", "agenda", "people", "recipe"})
_ANSWERED = lazy_pattern(r"\s*\?\s*\w.*\S\s*(?:→|->|=>|⇒)\s*\w")
"""A question after its mark with its answer: *? who pays → the firm*."""
_ARROW = lazy_pattern(r"(?:→|->|=>|⇒)\s*\S")
_TRAILING_OWNER = lazy_pattern(
    r"[(\[](?P<name>@?[^\W\d_][\w.'’ -]{0,40})[)\]]\W*$|\s[–—-]+\s(?P<dashed>[A-Z][\w.'’-]*)\W*$"
)
_WHO = r"(?P<name>[A-ZÀ-Þ]{2,3}|[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){0,2})"
_LEADING_OWNER = re.compile(rf"\s*{_WHO}\s+(?P<to>to\s+(?!(?:be|the|a|an|my|our|\w+ed)\b))?(?:to\s+)?(?=[a-zà-þ])")
_ASSIGNED = lazy_pattern(rf"(?:^|[,;:.–—-])\s*{_WHO} to (?!(?:be|the|a|an|my|our|\w+ed)\b)(?=[a-z]+\b)")
_OWNER_AND_DAY = lazy_pattern(
    rf"\S[^;:]*?\S\s*(?:[,;:(–—-]|->|→)\s*{_WHO}\)?\s*[,;:]?\s*"
    r"(?:->|→|by\b|bis\b|before\b|due\b)\s*(?P<day>\S.*)"
)
"""A thing, who is to see to it, and until when: *price list: PA by Friday*, *gloves, Tom -> Friday*."""
_NOTHING = re.compile(
    r"\W*+(?:none|nothing(?: new)?|n/?a|tbd|keine|aucune?|ninguna?|nenhuma?|nessuna?|geen|inga|brak)?\W*+",
    re.IGNORECASE,
)
_PLACEHOLDER = lazy_pattern(
    r"\{\{[^{}\n]{0,80}\}\}|<%"
    r"|<(?:fill|insert|enter|your|name|date|task|todo|tbd|owner|who|what|when)\b[^<>\n]{0,40}>",
    re.IGNORECASE,
)
"""Marks of a template, whose lines nobody has filled in yet."""
_LONGEST_ITEM = 400
_UNDECIDED = lazy_pattern(
    r"\W*(?:still |yet )*(?:open(?=\W*$|[,;:.!?)]|\s[–—-])|undecided|pending|tbd|tbc"
    r"|to be decided|not (?:yet )?decided)(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class BlockAct:
    """What a block does by its structure: its act, its owners as written, and its days."""

    act: Act | None = None
    owners: tuple[str, ...] = ()
    due: date | None = None
    happened: date | None = None
    due_text: str | None = None
    fact_type: str | None = None
    is_silent: bool = False
    lead: str = ""
    """Words of the heading with which it goes on: `need to buy` for the *milk* below."""


SILENT = BlockAct(is_silent=True)
_PLAIN = BlockAct()


def block_act(passage: RecordPassage, people: TextPeople) -> BlockAct:
    """The act that the structure of a block decides; without one its sentences decide."""
    block = passage.block
    if block.kind == "heading" or block.section in _SILENT_SECTIONS or _NOTHING.fullmatch(block.text):
        return SILENT
    if _PLACEHOLDER.search(block.text):
        return SILENT
    if block.row is not None:
        return _row_act(block)
    if passage.context.kind == "chat":
        return _PLAIN
    marks = block.marks
    if marks is not None and marks.state is not None:
        return _task_act(passage, people, marks.state)
    if len(block.text) > _LONGEST_ITEM:
        return _PLAIN
    if _ANSWERED.match(block.text) and passage.context.kind != "mail":
        return BlockAct("decision", happened=block.day)
    found = _section_act(passage, people) if block.section is not None else _PLAIN
    return found if found.act is not None or passage.context.kind == "mail" else _assigned_act(passage, people)


def _row_act(block: Block) -> BlockAct:
    row = block.row
    if row is None or row.what is None or row.owner is None:
        return _PLAIN
    act = _ACT_OF_STATE.get(row.state or "open", "commitment")
    return BlockAct(act, _names_in(row.owner), due_text=row.due)


def _names_in(text: str) -> tuple[str, ...]:
    return tuple(name for each in re.split(r"[,;/&+]|\band\b", text) if (name := _owner_name(each.strip(" *_[]"))))


def _owner_name(written: str) -> str:
    """The name of an owner; that of *@pavel* begins with a capital."""
    name = written.lstrip("@")
    return f"{name[:1].upper()}{name[1:]}" if name is not written else name


def _task_act(passage: RecordPassage, people: TextPeople, state: TaskState) -> BlockAct:
    marks = passage.block.marks
    if marks is None or state == "question":
        return SILENT
    owners = marks.owners or _owner_in(passage.text, people)
    due = marks.due if state == "open" else None
    lead = _lead_of(passage.block) if state == "open" else ""
    return BlockAct(_ACT_OF_STATE[state], owners, due, None if state == "open" else marks.done_on, lead=lead)


def _lead_of(block: Block) -> str:
    return task_lead(block.headings[-1]) if block.headings else ""


def _section_act(passage: RecordPassage, people: TextPeople) -> BlockAct:
    block = passage.block
    section = block.section
    act = _ACT_OF_SECTION.get(section) if section is not None else None
    if act is None or (block.kind == "paragraph" and not _is_short(block.text)):
        return _PLAIN
    is_open = block.text.rstrip().endswith("?") or (act == "decision" and _UNDECIDED.match(block.text) is not None)
    if is_open and act not in ("question", "commitment"):
        return BlockAct("question")
    if act == "question":
        answered = block.is_answer or bool(_ARROW.search(block.text))
        if not answered and "?" not in block.text:
            return _PLAIN
        return BlockAct("decision" if answered else "question")
    owners = block.marks.owners if block.marks is not None else ()
    if act == "commitment":
        return BlockAct(act, owners or _owner_in(block.text, people), lead=_lead_of(block))
    happened = block.day if act in ("decision", "completion") else None
    return BlockAct(act, owners, happened=happened, fact_type="risk" if act == "concern" else None)


def _assigned_act(passage: RecordPassage, people: TextPeople) -> BlockAct:
    """A task that a line of minutes gives to somebody: *MV to call her this week*."""
    found = _ASSIGNED.search(passage.text)
    if found is None:
        found = _owner_and_day(passage)
    if found is None or people.resolve(found["name"]) is None:
        return _PLAIN
    return BlockAct("commitment", (found["name"],))


def _owner_and_day(passage: RecordPassage) -> re.Match[str] | None:
    """The owner behind a thing, if nothing but a day follows."""
    text = passage.text.strip()
    found = _OWNER_AND_DAY.fullmatch(text)
    if found is None or "?" in text:
        return None
    day = found["day"].casefold()
    return found if end_of_opening_time(day, passage.context.language) == len(day.rstrip(" .!)")) else None


def _is_short(text: str) -> bool:
    return len(text) <= _LONGEST_ITEM / 2 and len(re.findall(r"[.!?]\s", text.strip())) <= 1


def _owner_in(text: str, people: TextPeople) -> tuple[str, ...]:
    """The owner of a task that begins with a known name or *Declan orders*, or ends with a name in brackets."""
    after = _TRAILING_OWNER.search(text)
    name = (after["name"] or after["dashed"]).lstrip("@") if after is not None else None
    if name is not None and people.resolve(name) is not None:
        return (name,)
    before = _LEADING_OWNER.match(text)
    if before is not None and POSSESSIVE.search(before["name"]):
        return ()  # the owner's task about a thing of somebody: *Fay's badge*
    if before is not None and (people.resolve(before["name"]) is not None or _is_given_to(before)):
        return (before["name"],)
    doer = name_of_doer(text)
    if doer is not None:
        return (doer,)
    return (name,) if name is not None and "@" in (after[0] if after else "") and looks_like_name(name) else ()


def _is_given_to(found: re.Match[str]) -> bool:
    """Whether a task begins with the full name of who is to do it: *Jonas Weil to book the room*."""
    return found["to"] is not None and " " in found["name"] and is_name(found["name"])


def time_of(act: BlockAct, readings: Sequence[ClauseReading], context: Context) -> TimeReading:
    """The time of a structured block: its marks first, then what its words say."""
    if act.due is not None:
        return TimeReading("read", act.due.isoformat(), None, act.due, "due")
    if act.happened is not None:
        return TimeReading("read", act.happened.isoformat(), act.happened, act.happened, "happened")
    if act.due_text is not None:
        readings = read_block(f"I will do it by {act.due_text}", context)
    times = [each.time for each in readings if each.time.status != "none"]
    due = [each for each in times if each.role == "due"]
    return next(iter(due or times), NO_TIME)
