"""Importing notes: Markdown or plain text with front matter, links and tags, known by the name of their vault."""

import re
import tempfile
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import blake2b, sha256
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from recollect.importers.import_run import ImportItem, ImportResult, ProgressListener, import_items
from recollect.ingest.extract.entity_pages import ALIASES, FRONT_MATTER, type_of_word
from recollect.ingest.extract.passages import FOLDER, UNDATED, is_silent_folder
from recollect.ingest.extract.work_notes import is_work_word
from recollect.ingest.fields import BadLine
from recollect.ingest.filing import FILING_KEYS
from recollect.ingest.line import IngestItem, RecordPart
from recollect.ingest.lore.entities import to_json_value
from recollect.ingest.lore.lore_errors import BadYaml
from recollect.ingest.lore.markup import split_front_matter, strip_front_matter
from recollect.ingest.record_types import CLASSIFICATION
from recollect.memory import Memory
from recollect.model.document import WORLD_TIME, Document, content_hash
from recollect.model.ids import format_document_id
from recollect.model.json_limits import replace_unstorable
from recollect.model.trust import DOCUMENT_MARKS
from recollect.reading.heading_dates import day_in_name
from recollect.store.ingest_queries import KnownFolder, known_folders, put_known_folder, records_below
from recollect.text.markdown_lines import strip_html_tags
from recollect.text.wiki_links import linked_notes, mask_code

VAULT_FOLDER = ".obsidian"
UPLOADS_PREFIX = "recollect-import-"
_DIGITS = 6
_BLOCK_BYTES = 1024 * 1024

MOST_NAMED = 20


def follow_moved_notes(
    memory: Memory, prefix: str, files: Mapping[str, Path], text_of: Callable[[Path], str | None]
) -> list[Document]:
    """Give notes that were moved their new keys; returns those that are missing.

    `files` are the notes of the vault by key. One has moved if a new file has its text.
    """
    with memory.read() as view:
        stored = {each.key: each for each in records_below(view, prefix)}
    gone = [each for key, each in stored.items() if key not in files]
    by_text = {each.content: each for each in gone if each.content is not None}
    if not by_text:
        return gone
    for key in sorted(files.keys() - stored.keys()):
        text = text_of(files[key])
        moved = by_text.pop(content_hash(text), None) if text else None
        if moved is not None:
            gone.remove(moved)
            with memory.write() as change:
                change.put_document(moved._replace(key=key))
    return gone


def missing_warning(vault: str, prefix: str, gone: list[Document]) -> str:
    """Which notes are stored and no longer in their vault, and how to erase them."""
    named = [f"{each.key.removeprefix(prefix)} ({format_document_id(each.id)})" for each in gone[:MOST_NAMED]]
    more = f" and {len(gone) - MOST_NAMED} more" if len(gone) > MOST_NAMED else ""
    return (
        f"{vault}: {'1 stored note is' if len(gone) == 1 else f'{len(gone)} stored notes are'} no longer there: "
        f"{', '.join(named)}{more}; "
        "`recollect forget ID` erases one"
    )


def is_utf16(content: bytes) -> bool:
    """Whether a byte order mark says that this is UTF-16, as some editors and shells write it."""
    return content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))


def decode_text(content: bytes) -> str:
    """The text, in UTF-8 unless a mark or most of its letters say otherwise; what cannot be read is U+FFFD."""
    return content.decode(encoding_of(BytesIO(content)), "replace")


def encoding_of(file: IO[bytes]) -> str:
    """The encoding of a text: UTF-8 unless a mark or most of its letters say otherwise."""
    decoder = getincrementaldecoder("utf-8")("replace")
    block = file.read(_BLOCK_BYTES)
    if is_utf16(block):
        return "utf-16"
    read = unread = 0
    while block:
        text = decoder.decode(block)
        damaged = text.count("\ufffd")
        unread += damaged
        read += len(text) - len(text.encode("ascii", "ignore")) - damaged
        block = file.read(_BLOCK_BYTES)
    return "cp1252" if read < unread else "utf-8-sig"


def is_utf8(content: bytes) -> bool:
    """Whether a file that begins so may be UTF-8 throughout; the last letter may be cut."""
    try:
        getincrementaldecoder("utf-8")().decode(content)
    except UnicodeDecodeError:
        return False
    return True


def is_text(content: bytes) -> bool:
    """Whether a file that begins so is text of any kind, and not blank."""
    text = decode_text(content)
    return "\0" not in text and bool(text.strip())


NOTE_SUFFIXES = (".md", ".markdown", ".txt", ".text")
MAX_NOTE_BYTES = 20 * 1024 * 1024
TOO_LARGE = f"is larger than {MAX_NOTE_BYTES} bytes; split it"
_TAG = re.compile(r"(?<![\w/#&])#([^\W\d_][\w/-]*)")
_TITLE = re.compile(r"^# +(\S[^\n]*)$", re.MULTILINE)
_TIME_KEYS = ("source_at", "date", "created")
_FILING_NAMES = frozenset(
    (FILING_KEYS - {WORLD_TIME})
    | DOCUMENT_MARKS
    | {CLASSIFICATION, "noise_signal", "headers", "sender", UNDATED, FOLDER}
)
_RESERVED_KEYS = frozenset({"title", "author", "url", "tags", "tag", "aliases", "alias", "aka", *_TIME_KEYS})


def is_note(path: Path, head: bytes) -> bool:
    """Whether a file is text: by its suffix or its mark, or because all of its beginning is UTF-8."""
    if not is_text(head):
        return False
    if path.suffix.lower() in NOTE_SUFFIXES or is_utf16(head):
        return True
    return is_utf8(head)


def import_notes(memory: Memory, path: Path, tell: ProgressListener | None = None) -> ImportResult:
    """Take in a note, or every note of a vault."""
    files = _list_notes(path) if path.is_dir() else [path]
    size = sum(file.stat().st_size for file in files)
    folder = path if path.is_dir() else path.parent
    vault = path if is_vault(path) else vault_of(path)
    name = name_of_folder(memory, vault)
    warnings = _follow_vault(memory, path, name, files) if is_vault(path) and name else []
    result = import_items(memory, path.name, _iter_items(files, folder, name, warnings), size, tell)
    result.warnings += warnings
    others = len(_seen_files(path)) - len(files) if path.is_dir() else 0
    if others:
        result.warnings.append(f"{path.name}: skipped {others} pictures and other files that are not notes")
    return result


def _follow_vault(memory: Memory, vault: Path, name: str, files: list[Path]) -> list[str]:
    """Find the notes of a vault that have moved; a warning about those that are missing."""
    prefix = f"note:{name}/"
    told = memory if memory.actor.tool == "ingest" else memory.as_actor("cli", "ingest", memory.actor.name)
    gone = follow_moved_notes(told, prefix, {note_key(each, name): each for each in files}, _text_of)
    return [missing_warning(vault.name, prefix, gone)] if gone else []


def _text_of(path: Path) -> str | None:
    return parse_note("", path.stem, path.read_bytes()[:MAX_NOTE_BYTES]).content


def _seen_files(vault: Path) -> list[Path]:
    found = (each for each in vault.rglob("*") if each.is_file())
    return [each for each in found if not any(part.startswith(".") for part in each.relative_to(vault).parts)]


def _list_notes(vault: Path) -> list[Path]:
    seen = [each for each in _seen_files(vault) if each.suffix.lower() in NOTE_SUFFIXES]
    # Pages about people and companies come first, so that other notes find them by their first names.
    return sorted(seen, key=lambda each: (type_of_word(each.parent.name) is None, each))


def _iter_items(files: list[Path], folder: Path, vault_name: str | None, warnings: list[str]) -> Iterator[ImportItem]:
    behind = 0
    for number, path in enumerate(files, start=1):
        content = path.read_bytes()[: MAX_NOTE_BYTES + 1]
        behind += len(content)
        key = note_key(path, vault_name)
        digest = blake2b(key.encode() + b"\0" + content, digest_size=16, person=b"note").hexdigest()
        file = path.relative_to(folder).as_posix()
        parse = partial(_file_line, path, key, content, digest, partial(_add_warning, warnings, file))
        yield ImportItem(number, behind, digest, parse, file)


def note_key(path: Path, vault_name: str | None = None) -> str:
    """What a note is known by: its place in its vault, which may be known by another name, else in the file system."""
    whole, vault = path.resolve(), vault_of(path)
    if vault is not None:
        return f"note:{vault_name or vault.name}/{whole.relative_to(vault).as_posix()}"
    return f"note_{sha256(whole.as_posix().encode()).hexdigest()[:12]}"


def _add_warning(warnings: list[str], file: str, why: str) -> None:
    warnings.append(f"{file}: {why}")


Warn = Callable[[str], None]


def _file_line(path: Path, key: str, content: bytes, digest: str, warn: Warn) -> IngestItem:
    """A file as a record of its own; outside a vault it keeps the name of a folder that says what its notes are."""
    line = note_line(path, key, content, digest, warn)
    folder = path.resolve().parent.name
    is_told = type_of_word(folder) is not None or is_silent_folder(folder) or is_work_word(folder)
    if line.record is None or key.startswith("note:") or not is_told:
        return line
    return line._replace(record=line.record._replace(properties={**line.record.properties, FOLDER: folder}))


def note_line(path: Path, key: str, content: bytes, digest: str, warn: Warn = lambda _: None) -> IngestItem:
    """A file as a record of its own."""
    check_size(path.name, content)
    return IngestItem(digest, parse_note(key, path.stem, content, warn), is_standalone=True)


def check_size(name: str, content: bytes) -> None:
    """Refuse a text that is too long to be one note."""
    if len(content) > MAX_NOTE_BYTES:
        raise BadLine(name, TOO_LARGE)


def unreadable_page(content: bytes) -> str | None:
    """Why a page of an export cannot be a note; None if it can, also for blank pages."""
    if len(content) > MAX_NOTE_BYTES:
        return TOO_LARGE
    return "is a binary file and not a page, so it was not read" if "\0" in decode_text(content) else None


def parse_note(key: str, name: str, content: bytes, warn: Warn = lambda _: None) -> RecordPart:
    """The record that a note is: what its front matter says of it, its text, its links and tags."""
    text = replace_unstorable(decode_text(content).replace("\r\n", "\n"))
    front, body = _split_front_matter(text, warn)
    heading = _TITLE.search(mask_code(body))
    title = _front_text(front, "title") or (heading[1].strip() if heading else name)
    properties = {
        _property_name(key): to_json_value(value)
        for key, value in front.items()
        if key not in _RESERVED_KEYS and value is not None
    }
    written_at = _note_time(front, name)
    if written_at is None:
        properties[UNDATED] = True
    properties |= {ALIASES: aliases} if (aliases := _aliases(front)) else {}
    tags, links = _note_tags(front, body), linked_notes("\n".join([*_strings(to_json_value(front)), body]))
    properties |= {name: found for name, found in (("tags", tags), ("links", links)) if found}
    author = front.get("author")
    if isinstance(author, Mapping):
        properties["author"] = to_json_value(author)
    return RecordPart(
        key,
        "generic",
        title,
        _front_text(front, "author"),
        written_at,
        _front_text(front, "url"),
        strip_html_tags(body),
        properties,
    )


def _property_name(key: str) -> str:
    """The name of a property of a note's writer: a capital parts it from one of the same name that filing keeps."""
    return key.capitalize() if key in _FILING_NAMES else key


def _split_front_matter(text: str, warn: Warn) -> tuple[Mapping[str, Any], str]:
    """The front matter and the text below it; front matter that cannot be read is kept as one text."""
    try:
        page = split_front_matter(text)
    except BadYaml as problem:
        body = strip_front_matter(text)
        warn(f"the front matter could not be read ({problem}); the text was taken without it")
        return {FRONT_MATTER: text[: len(text) - len(body)]}, body
    return page.front or {}, page.body if page.front is not None else text


def _strings(value: Any) -> Iterator[str]:
    """The texts in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(each)


def _note_tags(front: Mapping[str, Any], body: str) -> list[str]:
    given = front.get("tags") or front.get("tag") or ()
    listed = re.split(r"[,\s]+", given) if isinstance(given, str) else given if isinstance(given, list) else ()
    named = [str(each).strip().lstrip("#") for each in listed if isinstance(each, str | int)]
    inline = _TAG.findall(mask_code(body))
    return list(dict.fromkeys(each for each in (*named, *inline) if each))


def _note_time(front: Mapping[str, Any], name: str) -> str | None:
    """When the note was written, by its front matter or, for the note of a day, by its name."""
    for key in _TIME_KEYS:
        if front.get(key) is not None:
            return str(front[key])
    day = day_in_name(name)
    return day.isoformat() if day is not None else None


def _aliases(front: Mapping[str, Any]) -> list[str]:
    given = front.get("aliases") or front.get("alias") or front.get("aka") or ()
    listed = given.split(",") if isinstance(given, str) else given if isinstance(given, list) else ()
    return [name for each in listed if isinstance(each, str) and (name := each.strip())]


def _front_text(front: Mapping[str, Any], key: str) -> str | None:
    value = front.get(key)
    return str(value).strip() or None if isinstance(value, str | int | float) else None


def is_vault(path: Path) -> bool:
    return (path / VAULT_FOLDER).is_dir()


def vault_of(path: Path) -> Path | None:
    """The vault that a file lies in."""
    return next((each for each in path.resolve().parents if is_vault(each)), None)


def name_of_folder(memory: Memory, folder: Path | None) -> str | None:
    """The name under which the notes of a vault or another folder are stored; None for notes outside of one."""
    if folder is None:
        return None
    place = folder.resolve()
    if _is_upload(place):
        return place.name
    with memory.read() as view:
        known = known_folders(view, place.name)
    found = next((each for each in known if each.path == str(place)), None)
    if found is None:
        is_second = any(each.is_first and Path(each.path).is_dir() for each in known)
        found = KnownFolder(place.name, str(place), not is_second)
        with memory.write() as change:
            put_known_folder(change, found)
    return found.name if found.is_first else f"{found.name}~{sha256(found.path.encode()).hexdigest()[:_DIGITS]}"


def _is_upload(place: Path) -> bool:
    """Whether it is an unpacked upload, which lies elsewhere each time."""
    temporary = Path(tempfile.gettempdir()).resolve()
    return any(each.parent == temporary and each.name.startswith(UPLOADS_PREFIX) for each in place.parents)
