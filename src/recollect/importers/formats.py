"""File formats that can be imported: detection, scanning of folders."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import is_zipfile

from recollect.errors import Unsupported, how_to_install
from recollect.importers import chat_exports
from recollect.importers.bundle import LINE_HANDLERS, import_bundle
from recollect.importers.document_files import ingest_page, is_page
from recollect.importers.import_run import ImportResult, LazyRecordReader, ProgressListener
from recollect.importers.memory_databases import is_beside_database
from recollect.importers.memory_jsonl import import_memory_file, is_memory_line
from recollect.importers.notes import decode_text, import_notes, is_note, is_text, is_utf8, is_vault
from recollect.importers.record_files import UNPACK_AGAIN, import_record_file
from recollect.importers.record_formats import DOCUMENT_PACKAGES, RECORD_FORMATS, RecordFormat
from recollect.importers.transcripts import import_transcript, session_files
from recollect.importers.unsupported_formats import (
    JSON_LINES,
    SAVE_AS_UTF8,
    is_cut_database,
    is_unmarked_utf16,
    is_workspace_export,
    looks_like_json,
    refusal_of,
)
from recollect.ingest.chats.whatsapp import is_chat_name
from recollect.ingest.line import DEFINITION_KINDS
from recollect.ingest.mail.mailbox import is_mail_folder
from recollect.ingest.transcripts.messages import is_transcript
from recollect.memory import Memory
from recollect.model.json_limits import json_object
from recollect.model.trust import lower_trust
from recollect.safe_zip import ZIP_MAGIC
from recollect.write.trust_rules import folder_trust

if TYPE_CHECKING:
    from recollect.keep.chats.importer import ChatImportOptions

SAMPLE_BYTES = 1024 * 1024
BUNDLE = "bundle"
LORE = "lore"
WORLD_FORMATS = (BUNDLE, LORE)
"""Formats that can define calendars, eras and dates."""
EARLIER_NAMES = {"told": "prose"}
"""Earlier names of formats that `--as` still accepts."""
_MAILBOX = re.compile(rb"From \S+ [^\n]*\d\d:\d\d[^\n]*\n[A-Za-z-]+:")
_MAIL_HEADER = re.compile(rb"(?:[A-Za-z][A-Za-z0-9-]{0,60}:[^\n]*\n(?:[ \t][^\n]*\n)*+){3,}+\r?\n")
_MAIL_MARKS = re.compile(rb"^(from|date|message-id):", re.MULTILINE)
"""What every mail has and no note."""


class Unreadable(Unsupported):
    """A file that is recognised, or of no kind at all, and that nothing here can read."""

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file} {reason}")
        self.reason = reason


class UnknownFormat(Unsupported):
    def __init__(self, what: str) -> None:
        names = ", ".join(kind.name for kind in FORMATS)
        super().__init__(f"{what} is not a supported format; supported: {names}. Force one with --as")


@dataclass(frozen=True, slots=True)
class FileSample:
    """The beginning of a file, and what its workspace's timeline makes of plain text."""

    path: Path
    head: bytes
    is_fictional: bool

    @property
    def suffix(self) -> str:
        return self.path.suffix.lower()

    @property
    def first_line(self) -> bytes:
        return self.head.split(b"\n", 1)[0]


@dataclass(frozen=True, slots=True)
class FileFormat:
    """One file format: how it is detected and which function imports it.

    A folder is imported as a whole if `accepts_folder`; otherwise each of its files is detected separately.
    """

    name: str
    matches: Callable[[FileSample], bool]
    import_path: Callable[[Memory, Path, ProgressListener | None], ImportResult]
    accepts_folder: Callable[[Path], bool] = lambda _: False
    import_chats: "Callable[[Memory, Path, ProgressListener | None, ChatImportOptions], ImportResult] | None" = None
    """For chat exports, which accept extra options."""
    is_prose: bool = False
    """Whether any text fits, so that markup and data have to be kept out."""
    description: str = ""
    follows: str = ""
    """The versions of the format that were followed."""
    needs: str | None = None
    """A library of the extra `documents` without which it cannot be read."""

    def take(self, memory: Memory, path: Path, tell: ProgressListener | None) -> ImportResult:
        """Import a path; its files are trusted as far as their folder is."""
        return self.import_path(trusting_folder(memory, path), path, tell)


def trusting_folder(memory: Memory, path: Path) -> Memory:
    """The memory for an import from a folder: what it writes is trusted no more than the folder."""
    with memory.read() as view:
        trust = folder_trust(memory.settings_in(view), path)
    actor = memory.actor
    return memory.with_parts(actor=replace(actor, trust=lower_trust(actor.trust, trust)))


def read_sample(memory: Memory, path: Path, *, is_fictional: bool = False) -> FileSample:
    """The beginning of a file; `is_fictional` if its workspace gets an invented timeline before the file is read."""
    if not is_fictional:
        with memory.read() as view:
            is_fictional = view.world.timeline.is_fictional
    with path.open("rb") as file:
        return FileSample(path, file.read(SAMPLE_BYTES), is_fictional)


def detect_format(sample: FileSample, forced: str | None = None) -> FileFormat:
    """The first format that matches, or the one asked for; other kinds of files are never read as prose."""
    if not sample.head.strip():
        raise Unreadable(sample.path.name, "is empty")
    kind = format_named(forced) if forced else _matching_format(sample)
    if not forced and (kind is None or kind.is_prose or kind.name in _JSON_BY_LINE):
        _check_encoding(sample)
        _check_name(sample, kind)
    if forced and kind is not None and kind.is_prose:
        own = next((each.name for each in RECORD_FORMATS if each.matches(sample.path, sample.head)), None)
        if own is not None:
            raise Unreadable(sample.path.name, f"is a file of the format {own}: ingest it without --as")
    if kind is not None and kind.needs is not None and find_spec(kind.needs) is None:
        raise Unreadable(sample.path.name, f"is {kind.description} and needs {how_to_install(DOCUMENT_PACKAGES)}")
    if kind is not None and kind.name == BUNDLE and is_workspace_export(sample.head):
        raise Unreadable(sample.path.name, "is an exported workspace: import it with recollect import FILE")
    if kind is None and sample.head.startswith(ZIP_MAGIC) and not is_zipfile(sample.path):
        raise Unreadable(sample.path.name, f"is a ZIP file that is cut off or damaged: {UNPACK_AGAIN}")
    if kind is None and is_cut_database(sample.head, sample.path.stat().st_size):
        raise Unreadable(sample.path.name, "is an SQLite database that is cut off: copy it again as a whole")
    if kind is None or kind.is_prose:
        reason = refusal_of(sample.head, sample.suffix, is_whole=len(sample.head) < SAMPLE_BYTES)
        if reason is not None:
            raise Unreadable(sample.path.name, reason)
    if kind is None:
        raise Unreadable(sample.path.name, "is a binary file or text in an encoding that cannot be read")
    return kind


def _matching_format(sample: FileSample) -> FileFormat | None:
    return next((each for each in FORMATS if each.matches(sample)), None)


def _check_encoding(sample: FileSample) -> None:
    """What would be of a known format in UTF-8 is neither prose nor of no kind because it is in another encoding."""
    if is_unmarked_utf16(sample.head):
        raise Unreadable(sample.path.name, f"is text in UTF-16 without a byte order mark: {SAVE_AS_UTF8}")
    if is_utf8(sample.head) or not is_text(sample.head):
        return
    text = decode_text(sample.head)
    if looks_like_json(text, sample.suffix, is_whole=len(sample.head) < SAMPLE_BYTES):
        raise Unreadable(sample.path.name, f"is JSON in another encoding: {SAVE_AS_UTF8}")
    kind = _matching_format(replace(sample, head=text.encode("utf-8", "replace")))
    if kind is not None and not kind.is_prose:
        raise Unreadable(sample.path.name, f"is {kind.description} in another encoding: {SAVE_AS_UTF8}")


def _check_name(sample: FileSample, kind: FileFormat | None) -> None:
    """Refuse to read a file as a note if its name belongs to a format that its content does not have."""
    name = "whatsapp" if is_chat_name(sample.path.stem) and sample.suffix == ".txt" else _NAMED_SO.get(sample.suffix)
    if name is not None and kind is not None and kind.is_prose:
        told = f"is named as {format_named(name).description} and does not begin as one"
        raise Unreadable(sample.path.name, f"{told}: export it again, or if it is a note, give it with --as note")


_JSON_BY_LINE = (BUNDLE, "memory-jsonl", "transcript")
_NAMED_SO = {".ics": "icalendar", ".vcf": "vcard", ".ged": "gedcom", ".af": "letta-agent"}


def format_named(name: str) -> FileFormat:
    wanted = EARLIER_NAMES.get(name, name)
    for kind in FORMATS:
        if kind.name == wanted:
            return kind
    raise UnknownFormat(name)


_LORE_ONLY_KEYS = frozenset("source_type entity relations events people places creatures system".split())
"""Keys of structured lore in one line of JSON, which no bundle has."""
_BUNDLE_KEYS = frozenset({"record", "entities", "facts", *DEFINITION_KINDS, *LINE_HANDLERS})


def _is_bundle(sample: FileSample) -> bool:
    line = json_object(sample.first_line)
    if line and sample.head.strip() == sample.first_line.strip() and _BUNDLE_KEYS.isdisjoint(line):
        return False
    if sample.suffix in JSON_LINES:
        return True
    if line is None or not _LORE_ONLY_KEYS.isdisjoint(line):
        return False
    # Much else is called .json; in other files a line with a misspelt key is better reported by its number.
    return sample.suffix != ".json" or not _BUNDLE_KEYS.isdisjoint(line)


def _import_bundle(memory: Memory, path: Path, tell: ProgressListener | None) -> ImportResult:
    reader = LazyRecordReader(memory)
    return ImportResult(*import_bundle(memory, path, tell, LINE_HANDLERS, reader), reader.warnings)


def _is_memory_file(sample: FileSample) -> bool:
    return is_memory_line(sample.first_line)


def _is_mail(sample: FileSample) -> bool:
    if sample.suffix in (".eml", ".mbox") or _MAILBOX.match(sample.head) is not None:
        return True
    header = _MAIL_HEADER.match(sample.head)
    return header is not None and len(set(_MAIL_MARKS.findall(header[0].lower()))) == 3


def _import_mail(memory: Memory, path: Path, tell: ProgressListener | None) -> ImportResult:
    from recollect.importers.mail import import_mail

    return import_mail(memory, path, tell)


def _is_gedcom(sample: FileSample) -> bool:
    from recollect.importers.lore import is_gedcom

    return is_gedcom(sample.head)


def _import_gedcom(memory: Memory, path: Path, tell: ProgressListener | None) -> ImportResult:
    from recollect.importers.lore import import_gedcom

    return _import_and_check(memory, lambda: import_gedcom(memory, path, tell))


def _is_lore(sample: FileSample) -> bool:
    from recollect.importers.lore import YAML_SUFFIXES, is_lore

    return (sample.is_fictional and sample.suffix in YAML_SUFFIXES) or is_lore(sample.path, sample.head)


def _is_fiction_text(sample: FileSample) -> bool:
    return sample.is_fictional and is_text(sample.head)


def _import_lore(memory: Memory, path: Path, tell: ProgressListener | None) -> ImportResult:
    from recollect.importers.lore import import_lore

    return _import_and_check(memory, lambda: import_lore(memory, path, tell))


def _import_and_check(memory: Memory, take: Callable[[], ImportResult]) -> ImportResult:
    """Import lore and check all of it: whoever imports lore wants to know its contradictions."""
    from recollect.reason.checks.check_runs import continue_initial_scan, watch_if_large

    is_followed = watch_if_large(memory)
    taken = take()
    if not is_followed:
        continue_initial_scan(memory, None)
    return taken


def _is_seed(sample: FileSample) -> bool:
    from recollect.importers.seed import is_seed

    return sample.suffix in (".md", ".markdown") and is_seed(sample.head)


def _import_seed(memory: Memory, path: Path, tell: ProgressListener | None) -> ImportResult:
    from recollect.importers.seed import import_seed

    return import_seed(memory, path, tell)


def _by_file(matches: Callable[[Path, bytes], bool]) -> Callable[[FileSample], bool]:
    """A test of a path and the beginning of its file as one of a sample."""
    return lambda sample: matches(sample.path, sample.head)


def _chat_format(name: str) -> FileFormat:
    take = partial(chat_exports.import_chat_export, name)
    return FileFormat(
        name,
        lambda sample: chat_exports.is_export(name, sample.path),
        take,
        import_chats=take,
        description=f"an export of {name}",
    )


def _record_format(kind: RecordFormat) -> FileFormat:
    return FileFormat(
        kind.name,
        _by_file(kind.matches),
        partial(import_record_file, kind.read),
        kind.accepts_folder,
        description=kind.description,
        follows=kind.follows,
        needs=kind.needs,
    )


FORMATS: tuple[FileFormat, ...] = (
    *map(_record_format, RECORD_FORMATS),
    *map(_chat_format, chat_exports.EXPORT_NAMES),
    FileFormat(
        chat_exports.ARCHIVE_NAME,
        lambda sample: chat_exports.is_archive(sample.path),
        chat_exports.import_entity_archive,
        chat_exports.is_archive_folder,
        description="an archive or data folder of entity-core",
    ),
    FileFormat("transcript", _by_file(is_transcript), import_transcript, description="a session of a coding agent"),
    FileFormat(
        "memory-jsonl",
        _is_memory_file,
        import_memory_file,
        description="the file of the reference memory server",
    ),
    FileFormat(BUNDLE, _is_bundle, _import_bundle, description="JSON lines of entities, facts and records"),
    FileFormat("mail", _is_mail, _import_mail, is_mail_folder, description=".eml, .mbox or a maildir"),
    FileFormat("gedcom", _is_gedcom, _import_gedcom, description="a family tree"),
    FileFormat(LORE, _is_lore, _import_lore, description="an invented world: Markdown, YAML or JSON with its markup"),
    FileFormat("seed", _is_seed, _import_seed, description="Markdown sections of people, projects and facts"),
    FileFormat("html", _by_file(is_page), ingest_page, description="a saved web page"),
    FileFormat("prose", _is_fiction_text, _import_lore, is_prose=True, description="prose of an invented world"),
    FileFormat(
        "note", _by_file(is_note), import_notes, is_vault, is_prose=True, description="text, Markdown or a vault"
    ),
)


def scan_path(path: Path, forced: str | None = None) -> Iterator[tuple[Path, FileFormat | None]]:
    """The files of a path, and the folders of a kind with that kind; no folder twice, whatever links lead to it."""
    return _scan(path, forced, set())


def _scan(path: Path, forced: str | None, entered: set[Path]) -> Iterator[tuple[Path, FileFormat | None]]:
    if not path.is_dir():
        yield path, None
        return
    place = path.resolve()
    if place in entered:
        return
    entered.add(place)
    kind = next((kind for kind in FORMATS if forced in (None, kind.name) and kind.accepts_folder(path)), None)
    if kind is not None:
        yield path, kind
        return
    for inner in session_files(path) or sorted(path.iterdir()):
        # A pipe would keep us waiting.
        is_open = inner.is_file() or inner.is_dir()
        if is_open and not inner.name.startswith(".") and not is_beside_database(inner):
            yield from _scan(inner, forced, entered)
