"""A note: plain text or Markdown, with front matter, links to other notes and tags."""

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

from recollect.ingest.encodings import is_text, is_wide, text_of
from recollect.ingest.line import Line, RecordPart
from recollect.ingest.lore.markdown import split
from recollect.ingest.lore.problems import BadYaml
from recollect.ingest.mail.headers import storable
from recollect.ingest.problems import BadLine
from recollect.ingest.runs import Item, take_items
from recollect.ingest.taken import Taken, Told
from recollect.memory import Memory

VAULT = ".obsidian"
SUFFIXES = (".md", ".markdown", ".txt", ".text")
LARGEST = 20 * 1024 * 1024
_LINK = re.compile(r"(!?)\[\[([^\[\]|#^]+)(?:[#^][^\[\]|]*)?(?:\|([^\[\]]+))?\]\]")
_TAG = re.compile(r"(?<![\w/#&])#([^\W\d_][\w/-]*)")
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r"^# +(\S[^\n]*)$", re.MULTILINE)
_DAY = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_TIMES = ("source_at", "date", "created")
_OWN = frozenset({"title", "author", "url", "tags", "tag", "aliases", *_TIMES})


def is_vault(path: Path) -> bool:
    return (path / VAULT).is_dir()


def is_note(path: Path, head: bytes) -> bool:
    """Whether a file is text: by its suffix or its mark, or because all of its beginning is UTF-8."""
    if not is_text(head):
        return False
    if path.suffix.lower() in SUFFIXES or is_wide(head):
        return True
    try:
        getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def ingest_notes(memory: Memory, path: Path, tell: Told | None = None) -> Taken:
    """Take in a note, or every note of a vault."""
    files = _notes(path) if path.is_dir() else [path]
    size = sum(file.stat().st_size for file in files)
    return take_items(memory, path.name, _items(files, path if path.is_dir() else path.parent), size, tell)


def _notes(vault: Path) -> list[Path]:
    found = (each for each in vault.rglob("*") if each.is_file() and each.suffix.lower() in SUFFIXES)
    return sorted(each for each in found if not any(part.startswith(".") for part in each.relative_to(vault).parts))


def _items(files: list[Path], folder: Path) -> Iterator[Item]:
    behind = 0
    for number, path in enumerate(files, start=1):
        content = path.read_bytes()[: LARGEST + 1]
        behind += len(content)
        key = note_key(path)
        digest = blake2b(key.encode() + b"\0" + content, digest_size=16, person=b"note").hexdigest()
        file = path.relative_to(folder).as_posix()
        yield Item(number, behind, digest, partial(note_line, path, key, content, digest), file)


def note_key(path: Path) -> str:
    """What a note is known by: its place in its vault, else in the file system."""
    whole = path.resolve()
    vault = next((each for each in whole.parents if is_vault(each)), None)
    if vault is not None:
        return f"note:{vault.name}/{whole.relative_to(vault).as_posix()}"
    return f"note_{sha256(whole.as_posix().encode()).hexdigest()[:12]}"


def note_line(path: Path, key: str, content: bytes, digest: str) -> Line:
    """A file as a record of its own."""
    if len(content) > LARGEST:
        raise BadLine(path.name, f"is larger than {LARGEST} bytes")
    return Line(digest, read_note(key, path.stem, content), is_alone=True)


def read_note(key: str, name: str, content: bytes) -> RecordPart:
    """The record that a note is: what its front matter says of it, its text with links as words, its tags."""
    text = storable(text_of(content).replace("\r\n", "\n"))
    try:
        page = split(text)
    except BadYaml as problem:
        raise BadLine("front matter", str(problem)) from problem
    front: Mapping[str, Any] = page.front or {}
    body = page.body if page.front is not None else text
    heading = _TITLE.search(body)
    title = _text(front, "title") or (heading[1].strip() if heading else name)
    properties = {key: plain(value) for key, value in front.items() if key not in _OWN and value is not None}
    tags, links = _tags(front, body), _links(body)
    properties |= {name: found for name, found in (("tags", tags), ("links", links)) if found}
    author = front.get("author")
    if isinstance(author, Mapping):
        properties["author"] = plain(author)
    return RecordPart(
        key,
        "generic",
        title,
        _text(front, "author"),
        _said_at(front, name),
        _text(front, "url"),
        unlinked(body),
        properties,
    )


def unlinked(text: str) -> str:
    """The text with links read as the words they show; what is embedded is left out."""
    return _LINK.sub(lambda link: "" if link[1] else (link[3] or link[2]).strip(), text)


def _links(text: str) -> list[str]:
    names = (link[2].strip().removesuffix(".md").rpartition("/")[2] for link in _LINK.finditer(text) if not link[1])
    return list(dict.fromkeys(name for name in names if name))


def _tags(front: Mapping[str, Any], body: str) -> list[str]:
    given = front.get("tags") or front.get("tag") or ()
    listed = re.split(r"[,\s]+", given) if isinstance(given, str) else given if isinstance(given, list) else ()
    named = [str(each).strip().lstrip("#") for each in listed if isinstance(each, str | int)]
    inline = _TAG.findall(_CODE.sub(" ", body))
    return list(dict.fromkeys(each for each in (*named, *inline) if each))


def _said_at(front: Mapping[str, Any], name: str) -> str | None:
    """When the note was written, by its front matter or, for the note of a day, by its name."""
    for key in _TIMES:
        if front.get(key) is not None:
            return str(front[key])
    day = _DAY.search(name)
    if day is None:
        return None
    try:
        return date.fromisoformat(day[0]).isoformat()
    except ValueError:
        return None


def _text(front: Mapping[str, Any], key: str) -> str | None:
    value = front.get(key)
    return str(value).strip() or None if isinstance(value, str | int | float) else None


def plain(value: Any) -> Any:
    """A value of front matter as JSON holds it."""
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value
