"""Which platform an export comes from, told by its whole first record."""

from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

from recollect.ingest.chats import chatgpt, claude, kindroid, letta, loom, sillytavern
from recollect.ingest.chats.files import File, files_of
from recollect.ingest.chats.stream import Broken, elements, lines, whole

KINDS: Final = (loom.NAME, chatgpt.NAME, claude.NAME, sillytavern.NAME, letta.NAME, kindroid.NAME)


def kind_of_export(path: Path) -> str | None:
    """The kind of export that a file is, if it is one."""
    state = path.stat()
    return _kind(path, state.st_size, state.st_mtime_ns)


@lru_cache(8)
def _kind(path: Path, size: int, changed: int) -> str | None:
    """Asked once for each kind that a file may be, so the answer is kept for as long as the file stays the same."""
    del size, changed
    try:
        files = files_of(path)
        return kind_of_file(files[0]) if files else None
    except (Broken, OSError, BadZipFile):
        return None


def kind_of_file(file: File) -> str | None:
    with file.open() as opened:
        first = next(elements(opened), None)
    if first is None:
        return None
    if first.key is None:
        return _of_element(first.value)
    if isinstance(first.value, dict) and isinstance(first.value.get("mapping"), dict):
        return chatgpt.NAME
    with file.open() as opened:
        return _of_object(whole(opened))


def _of_element(value: Any) -> str | None:
    """The kind of a list with this first element."""
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("mapping"), dict):
        return chatgpt.NAME
    return claude.NAME if "chat_messages" in value else None


def _of_object(value: Any) -> str | None:
    """The kind of a file that is one object, or whose first line is."""
    if loom.is_export(value):
        return loom.NAME
    if isinstance(value, dict) and isinstance(value.get("mapping"), dict):
        return chatgpt.NAME
    if isinstance(value, dict) and ("chat_messages" in value or isinstance(value.get("conversation"), dict | list)):
        return claude.NAME
    if sillytavern.is_head(value):
        return sillytavern.NAME
    if letta.is_export(value):
        return letta.NAME
    return kindroid.NAME if kindroid.is_export(value) else None


def is_lines(file: File) -> bool:
    """Whether a file has an object in each line, and more than one line or line by line what one would be."""
    with file.open() as opened:
        first = next(lines(opened), None)
    return first is not None and isinstance(first.value, dict)
