"""The conversations of an export, one after another, with how far into the file each reaches."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import tzinfo
from itertools import islice
from typing import Any

from recollect.ingest.chats import chatgpt, claude, kindroid, letta, loom, sillytavern
from recollect.ingest.chats.conversation import BadConversation, Conversation
from recollect.ingest.chats.detect import is_lines
from recollect.ingest.chats.files import File
from recollect.ingest.chats.stream import Broken, Element, elements, lines, whole

IsKnown = Callable[[Conversation], bool]


@dataclass(frozen=True, slots=True)
class Reading:
    """How an export is to be read: the zone of times without one, who is the assistant, which chats are stored."""

    zone: tzinfo
    assistant: str | None = None
    is_known: IsKnown = lambda _: False


@dataclass(frozen=True, slots=True)
class Item:
    """One conversation of a file, or why it could not be read."""

    place: int
    found: Conversation | BadConversation
    done: int


def read_export(file: File, kind: str, reading: Reading) -> Iterator[Item]:
    """Every conversation of a file; from a place where it is broken on, only that."""
    place = 0
    try:
        for item in _items(file, kind, reading):
            yield item
            place = item.place + 1
    except Broken as problem:
        yield Item(place, BadConversation(str(problem)), file.size)


def _items(file: File, kind: str, reading: Reading) -> Iterator[Item]:
    if kind == sillytavern.NAME:
        yield Item(0, _or_problem(lambda: _tavern(file, reading)), file.size)
        return
    for element in _elements(file, kind):
        yield Item(element.place, _or_problem(lambda given=element: _read(kind, given, reading)), element.done)  # type: ignore[misc]


def _or_problem(read: Callable[[], Conversation]) -> Conversation | BadConversation:
    try:
        return read()
    except BadConversation as problem:
        return problem


def _elements(file: File, kind: str) -> Iterator[Element]:
    """The objects that each are a conversation."""
    with file.open() as opened:
        first = next(elements(opened), None)
    is_list = first is not None and first.key is None
    is_keyed = first is not None and kind == chatgpt.NAME and _has_mapping(first.value)
    with file.open() as opened:
        if is_list or is_keyed:
            yield from elements(opened)
        elif kind == claude.NAME and is_lines(file):
            yield from lines(opened)
        else:
            value = whole(opened)
            several = loom.conversations(value) if kind == loom.NAME else [value]
            yield from (Element(place, None, each, file.size) for place, each in enumerate(several))


def _has_mapping(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict)


def _read(kind: str, element: Element, reading: Reading) -> Conversation:
    value = element.value
    if isinstance(value, Broken):
        raise BadConversation(str(value))
    if kind == chatgpt.NAME:
        return chatgpt.read(value, element.key)
    if kind == kindroid.NAME:
        return _kindroid(value, reading)
    readers = {claude.NAME: claude.read, letta.NAME: letta.read, loom.NAME: loom.read}
    return readers[kind](value)


def _kindroid(value: Any, reading: Reading) -> Conversation:
    """The chat with the assistant that was chosen for it before, if it is known."""
    if reading.assistant is None and kindroid.is_export(value):
        for name in kindroid.speakers(value):
            chosen = kindroid.read(value, name)
            if reading.is_known(chosen):
                return chosen
    return kindroid.read(value, reading.assistant)


def _tavern(file: File, reading: Reading) -> Conversation:
    with file.open() as opened:
        rows = (element.value for element in lines(opened))
        head = next(islice(rows, 1), None)
        return sillytavern.read(head, rows, file.stem, reading.zone)
