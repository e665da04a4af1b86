"""WhatsApp: the text of an exported chat, in whatever language and order of dates the phone wrote it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from hashlib import sha256
from typing import Literal, NamedTuple

from recollect.errors import Unsupported
from recollect.ingest.chats.person_messages import PersonMessage, message_line
from recollect.ingest.line import IngestItem
from recollect.ingest.parties import Party
from recollect.when.english.day_order import DateOrder

WHATSAPP = "whatsapp"
_LEFT_TO_RIGHT = "\u200e"
_SPACES = str.maketrans({"\u202f": " ", "\u00a0": " ", "\u200f": None})
_HALVES_BEFORE = {
    **dict.fromkeys(("上午", "凌晨", "清晨", "早上", "오전", "午前"), "a"),
    **dict.fromkeys(("下午", "中午", "傍晚", "晚上", "오후", "午後"), "p"),
}
"""Halves of a day that are written before the hour, in Chinese, Korean and Japanese."""
_START = re.compile(
    r"\u200e?(?P<open>\[)?(?P<date>\d{1,4}([./-]) ?\d{1,2}\3 ?\d{1,4})\.?[,،]? (?:(?:at|um|à|klo|kl\.?) )?"
    rf"(?:(?P<before>{'|'.join(_HALVES_BEFORE)}) ?)?(?P<hour>\d{{1,2}})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d))?"
    r"(?: ?(?P<half>[aApP])\.? ?[mM]\.?| (?P<after>ص|م|π\.?μ\.?|μ\.?μ\.?))?"
    r"(?(open)\] ?|(?: - |: |(?(before), |(?!))))"
)
_SENDER = re.compile(r"(?P<name>[^:“”\"]{1,60}?): ?(?P<text>.*)", re.DOTALL)
_SELF_NAMED = re.compile(r"\u200e? ?~")
"""What stands before the name of somebody who is not in the address book of the phone."""
_PLACEHOLDER = re.compile(r"\u200e?<[^<>\n]{3,60}>|\u200e[^\n]{3,80}|null")
_ATTACHED = re.compile(r"\u200e?(?P<file>[^\n<>()]{1,100}\.\w{2,5}) \([^()\n]{5,40}\)")
_ATTACHED_APPLE = re.compile(r"\u200e?<[^<>:\n]{3,30}: (?P<file>[^<>\n]{1,100}\.\w{2,5})>")
_EDITED = re.compile(
    r"(?:(?<!\s)\s+)?\u200e?<[^<>\n]{0,40}(?:edited|bearbeitet|modifié|editado|editada|modificato|bewerkt|redigerat|edytowan)"
    r"[^<>\n]{0,20}>$",
    re.IGNORECASE,
)
_DELETED = re.compile(
    r"\u200e?(?:This message was deleted|You deleted this message|Diese Nachricht wurde gelöscht|Du hast diese "
    r"Nachricht gelöscht|Ce message a été supprimé|Se eliminó este mensaje|Este mensaje fue eliminado|Mensagem "
    r"apagada|Questo messaggio è stato eliminato|Dit bericht is verwijderd)\.?",
    re.IGNORECASE,
)
_CHAT_NAME = re.compile(
    r"^_?(?:whatsapp[ _-]*chat|chat (?:de|do|di) whatsapp|discussion whatsapp|conversa do whatsapp)[ _-]*"
    r"(?:with|mit|con|com|avec|met|med|z)?[ _-]*",
    re.IGNORECASE,
)
_ENCRYPTED = re.compile(
    r"end-to-end|ende-zu-ende|bout en bout|(?:de )?(?:extremo a extremo|ponta a ponta|extrem a extrem)|сквозн|"
    r"端到端|エンドツーエンド|종단간",
    re.IGNORECASE,
)
"""In the notice with which the app begins a chat: that messages are encrypted."""
_UNPADDED = re.compile(r"[1-9]/[1-9]\d?/\d\d$|[1-9]\d?/[1-9]/\d\d$")
_RECOGNISED_BY = 3
_NOT_SENDERS = frozenset({None, "TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL", "FATAL"})
"""What stands in place of a name in the log of a program."""


class UnknownDateOrder(Unsupported):
    def __init__(self, example: str) -> None:
        super().__init__(
            f"its dates could be read in two ways (the first is {example}): say which with "
            "recollect workspace set reading.date_order dmy (or mdy) and ingest it again"
        )


class NoMessages(Unsupported):
    def __init__(self) -> None:
        super().__init__("no line of it begins with a date that can be read: export the chat again in English")


class _Entry(NamedTuple):
    """What one line and those that continue it say, before the order of its date is known."""

    date: str
    start: re.Match[str]
    text: str


Order = Literal["dmy", "mdy", "ymd"]
_ORDERS: tuple[Order, ...] = ("dmy", "mdy", "ymd")


@dataclass(slots=True)
class ChatOutline:
    """What a first look at a chat tells: who wrote, and in which order its dates can be."""

    authors: dict[str, None] = field(default_factory=dict)
    first_date: str = ""
    is_american: bool = False
    """Whether the clock has capital halves and dates are not padded, as phones in the United States write them."""
    is_east_asian: bool = False
    _possible: set[Order] = field(default_factory=lambda: set(_ORDERS))
    _steady: set[Order] = field(default_factory=lambda: set(_ORDERS))
    """Orders in which no message is older than the one before."""
    _last: dict[Order, tuple[int, int, int]] = field(default_factory=dict)

    def add(self, entry: _Entry) -> None:
        if all(_day(entry.date, order) is None for order in _ORDERS):
            return
        self.first_date = self.first_date or entry.date
        self.is_american |= entry.start["half"] in ("A", "P") and _UNPADDED.match(entry.date) is not None
        self.is_east_asian |= entry.start["before"] is not None
        name = _sender(entry.text)[0]
        if name is not None and len(self.authors) < 1_000:
            self.authors.setdefault(name)
        for order in tuple(self._possible):
            day = _day(entry.date, order)
            if day is None:
                self._possible.discard(order)
                self._steady.discard(order)
                continue
            if day < self._last.get(order, day):
                self._steady.discard(order)
            self._last[order] = day

    def order(self, preferred: DateOrder | None) -> Order:
        """The order of the dates: the only possible one, else by what the text shows, else the preferred one."""
        if not self.first_date:
            raise NoMessages
        left = self._steady or self._possible
        if "ymd" in left and (self.is_east_asian or len(re.split(r"[./-]", self.first_date)[0]) == 4):
            return "ymd"
        # Elsewhere nobody writes a short year first.
        left = left - {"ymd"} or left
        if len(left) == 1:
            return next(iter(left))
        if "." in self.first_date and "dmy" in left:
            return "dmy"
        if self.is_american and "mdy" in left:
            return "mdy"
        if preferred is None or preferred not in left:
            raise UnknownDateOrder(self.first_date)
        return preferred


def is_whatsapp(head: str, name: str = "") -> bool:
    """Whether a text that begins so, in a file of this name, is an exported chat.

    A few dated lines could be a diary as well, unless the app shows itself: by the name of the file, by a mark
    or by its notice.
    """
    lines = head.split("\n")[:60]
    if not _START.match(_plain(lines[0])):
        return False
    entries = list(_entries(lines))
    senders = sum(_sender(each.text)[0] not in _NOT_SENDERS for each in entries)
    if is_chat_name(name) or any(map(_is_by_app, entries)):
        return True
    return senders >= max(1, min(_RECOGNISED_BY, sum(bool(each.strip()) for each in lines)))


def _is_by_app(entry: _Entry) -> bool:
    name, text = _sender(entry.text)
    return text.startswith(_LEFT_TO_RIGHT) or (name is None and _ENCRYPTED.search(text) is not None)


def is_chat_name(name: str) -> bool:
    """Whether the app calls an exported chat so; phones of Apple always write the same name."""
    return name == "_chat" or chat_name(name) is not None


def chat_name(stem: str) -> str | None:
    """The name of a chat by the name of its file."""
    found = _CHAT_NAME.match(stem)
    return stem[found.end() :].strip() or None if found else None


def outline_of(lines: Iterable[str]) -> ChatOutline:
    outline = ChatOutline()
    for entry in _entries(lines):
        outline.add(entry)
    return outline


def read_whatsapp(
    lines: Iterable[str],
    outline: ChatOutline,
    chat: str | None,
    zone: tzinfo,
    preferred: DateOrder | None,
    left_out: Counter[str],
) -> Iterator[IngestItem]:
    """The messages of a chat; notices of the app are left out."""
    order = outline.order(preferred)
    seen: Counter[str] = Counter()
    for entry in _entries(lines):
        name, text = _sender(entry.text)
        at = _time(entry, order, zone)
        if name is None or _is_notice(name, text, chat):
            left_out["notices of the app"] += 1
            continue
        if at is None or _DELETED.fullmatch(text):
            left_out["deleted messages" if at else "messages without a date"] += 1
            continue
        files, said = _files_and_text(text)
        said = said.replace(_LEFT_TO_RIGHT, "")
        digest = sha256("\0".join((at, name, said, *files)).encode("utf-8", "replace")).hexdigest()[:16]
        seen[digest] += 1
        others = [each for each in outline.authors if each != name] if len(outline.authors) == 2 else []
        line = message_line(
            PersonMessage(
                WHATSAPP,
                digest if seen[digest] == 1 else f"{digest}-{seen[digest]}",
                Party(name, None),
                at,
                said,
                chat or " and ".join(outline.authors) if len(outline.authors) <= 2 else chat,
                [Party(each, None) for each in others],
                files=files,
                is_self_named=_SELF_NAMED.match(entry.text) is not None,
            )
        )
        left_out["pictures, recordings and the like"] += line is None
        if line is not None:
            yield line


def _plain(line: str) -> str:
    return line.lstrip("\ufeff").translate(_SPACES).rstrip("\r\n")


def _entries(lines: Iterable[str]) -> Iterator[_Entry]:
    """Messages and notices with the lines that continue them.

    One phone writes all dates of an export alike: a line in another layout is part of a message, as somebody wrote it.
    """
    start: re.Match[str] | None = None
    parts: list[str] = []
    for raw in lines:
        line = _plain(raw)
        found = _START.match(line)
        if found is not None and found["open"] is None and line.startswith("["):
            found = None
        if found is None or (start is not None and _layout(found) != _layout(start)):
            parts.append(line)
            continue
        if start is not None:
            yield _Entry(start["date"], start, "\n".join(parts))
        start, parts = found, [line[found.end() :]]
    if start is not None:
        yield _Entry(start["date"], start, "\n".join(parts))


def _layout(start: re.Match[str]) -> tuple[bool, str, bool]:
    """What the dates of an export have in common: brackets, what separates their numbers, seconds."""
    return start["open"] is not None, start[3], start["second"] is not None


def _sender(text: str) -> tuple[str | None, str]:
    found = _SENDER.match(text)
    if found is None or "\n" in found["name"]:
        return None, text
    return found["name"].strip("\u200e~ ") or None, found["text"]


def _is_notice(name: str, text: str, chat: str | None) -> bool:
    """Whether the app itself speaks: under the name of the group, with a mark and a whole sentence."""
    return name == chat and text.startswith(_LEFT_TO_RIGHT)


def _files_and_text(text: str) -> tuple[list[str], str]:
    for pattern in (_ATTACHED_APPLE, _ATTACHED):
        found = pattern.match(text)
        if found is not None:
            return [found["file"]], text[found.end() :].strip()
    text = _EDITED.sub("", text)
    return ([], "") if _PLACEHOLDER.fullmatch(text.strip(" \n")) else ([], text)


def _day(date: str, order: Order) -> tuple[int, int, int] | None:
    """Year, month and day; none if it is not a date in this order."""
    parts = [int(each) for each in re.split(r"[./-]", date)]
    named = dict(zip(order, parts, strict=True))
    year, month, day = named["y"], named["m"], named["d"]
    year += 2000 if year < 100 else 0
    is_day = 2009 <= year <= 2100 and 1 <= month <= 12 and 1 <= day <= 31
    return (year, month, day) if is_day else None


def _half(start: re.Match[str]) -> str:
    """The half of the day: `a`, `p`, or nothing where the clock has 24 hours."""
    if start["before"]:
        return _HALVES_BEFORE[start["before"]]
    if start["after"]:
        return "p" if start["after"][0] in "مμ" else "a"
    return (start["half"] or "").lower()


def _time(entry: _Entry, order: Order, zone: tzinfo) -> str | None:
    day = _day(entry.date, order)
    if day is None:
        return None
    hour, half = int(entry.start["hour"]), _half(entry.start)
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        moment = datetime(*day, hour, int(entry.start["minute"]), int(entry.start["second"] or 0), tzinfo=zone)
    except ValueError:
        return None
    return moment.isoformat()
