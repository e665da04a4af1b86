"""Detects the platform of a chat export and reads its conversations one by one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import tzinfo
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from recollect.ingest.chats import chatgpt, claude, other_platforms
from recollect.ingest.chats.conversation import BadConversation, ChatConversation
from recollect.ingest.chats.export_file import ExportFile, export_files
from recollect.ingest.json_stream import BrokenJson, JsonElement, iter_elements, iter_lines, read_value
from recollect.safe_zip import DAMAGED_ZIP


def kind_of_export(path: Path) -> str | None:
    """The kind of export that a file is, if it is one."""
    state = path.stat()
    return _cached_kind(path, state.st_size, state.st_mtime_ns)


@lru_cache(8)
def _cached_kind(path: Path, size: int, changed: int) -> str | None:
    """Asked once for each kind that a file may be, so the answer is kept for as long as the file stays the same."""
    del size, changed
    try:
        files = export_files(path)
        return kind_of_file(files[0]) if files else None
    except (BrokenJson, OSError, *DAMAGED_ZIP):
        return None


def kind_of_file(file: ExportFile) -> str | None:
    with file.open() as opened:
        first = next(iter_elements(opened), None)
    if first is None:
        return None
    if first.key is None:
        return _kind_of_element(first.value)
    if isinstance(first.value, dict) and isinstance(first.value.get("mapping"), dict):
        return chatgpt.CHATGPT
    with file.open() as opened:
        return _kind_of_object(read_value(opened))


def _kind_of_element(value: Any) -> str | None:
    """The kind of a list with this first element."""
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("mapping"), dict):
        return chatgpt.CHATGPT
    return claude.CLAUDE if "chat_messages" in value else None


def _kind_of_object(value: Any) -> str | None:
    """The kind of a file that is one object, or whose first line is."""
    if other_platforms.is_loom(value):
        return other_platforms.LOOM
    if isinstance(value, dict) and isinstance(value.get("mapping"), dict):
        return chatgpt.CHATGPT
    if isinstance(value, dict) and ("chat_messages" in value or isinstance(value.get("conversation"), dict | list)):
        return claude.CLAUDE
    if other_platforms.is_sillytavern_head(value):
        return other_platforms.SILLYTAVERN
    if other_platforms.is_letta(value):
        return other_platforms.LETTA
    return other_platforms.KINDROID if other_platforms.is_kindroid(value) else None


def is_json_lines(file: ExportFile) -> bool:
    """Whether a file has an object in each line, and more than one line or line by line what one would be."""
    with file.open() as opened:
        first = next(iter_lines(opened), None)
    return first is not None and isinstance(first.value, dict)


IsKnown = Callable[[ChatConversation], bool]


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """How an export is to be read: the zone of times without one, who is the assistant, which chats are stored."""

    zone: tzinfo
    assistant: str | None = None
    is_known: IsKnown = lambda _: False


@dataclass(frozen=True, slots=True)
class ExportItem:
    """One conversation of a file, or why it could not be read."""

    place: int
    result: ChatConversation | BadConversation
    bytes_read: int


def read_export(file: ExportFile, kind: str, reading: ExportOptions) -> Iterator[ExportItem]:
    """Every conversation of a file; from a place where it is broken on, only that."""
    place = 0
    try:
        for item in _iter_items(file, kind, reading):
            yield item
            place = item.place + 1
    except BrokenJson as problem:
        yield ExportItem(place, BadConversation(str(problem)), file.size)
    except DAMAGED_ZIP as problem:
        told = (
            f"the ZIP file is damaged or encrypted ({problem}): download it again, or unpack it and ingest the folder"
        )
        yield ExportItem(place, BadConversation(told), file.size)


def _iter_items(file: ExportFile, kind: str, reading: ExportOptions) -> Iterator[ExportItem]:
    if kind == other_platforms.SILLYTAVERN:
        yield ExportItem(0, _value_or_error(lambda: _read_sillytavern(file, reading)), file.size)
        return
    for element in _iter_conversations(file, kind):
        found = _value_or_error(partial(_read_conversation, kind, element, reading))
        yield ExportItem(element.place, found, element.bytes_read)


def _value_or_error(read: Callable[[], ChatConversation]) -> ChatConversation | BadConversation:
    try:
        return read()
    except BadConversation as problem:
        return problem


def _iter_conversations(file: ExportFile, kind: str) -> Iterator[JsonElement]:
    """The objects that each are a conversation."""
    with file.open() as opened:
        first = next(iter_elements(opened), None)
    is_list = first is not None and first.key is None
    is_keyed = first is not None and kind == chatgpt.CHATGPT and _has_mapping(first.value)
    with file.open() as opened:
        if is_list or is_keyed:
            yield from iter_elements(opened)
        elif kind == claude.CLAUDE and is_json_lines(file):
            yield from iter_lines(opened)
        else:
            value = read_value(opened)
            several = other_platforms.loom_conversations(value) if kind == other_platforms.LOOM else [value]
            yield from (JsonElement(place, None, each, file.size) for place, each in enumerate(several))


def _has_mapping(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict)


def _read_conversation(kind: str, element: JsonElement, reading: ExportOptions) -> ChatConversation:
    value = element.value
    if isinstance(value, BrokenJson):
        raise BadConversation(str(value))
    if kind == chatgpt.CHATGPT:
        return chatgpt.read_chatgpt(value, element.key)
    if kind == other_platforms.KINDROID:
        return _read_kindroid(value, reading)
    readers = {
        claude.CLAUDE: claude.read_claude,
        other_platforms.LETTA: other_platforms.read_letta,
        other_platforms.LOOM: other_platforms.read_loom,
    }
    return readers[kind](value)


def _read_kindroid(value: Any, reading: ExportOptions) -> ChatConversation:
    """The chat with the assistant that was chosen for it before, if it is known."""
    if reading.assistant is None and other_platforms.is_kindroid(value):
        for name in other_platforms.kindroid_speakers(value):
            chosen = other_platforms.read_kindroid(value, name)
            if reading.is_known(chosen):
                return chosen
    return other_platforms.read_kindroid(value, reading.assistant)


def _read_sillytavern(file: ExportFile, reading: ExportOptions) -> ChatConversation:
    with file.open() as opened:
        rows = (element.value for element in iter_lines(opened))
        head = next(islice(rows, 1), None)
        return other_platforms.read_sillytavern(head, rows, file.stem, reading.zone)
