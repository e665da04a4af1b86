"""What kinds of files can be taken in, and how a file's kind is told by its content: the first that fits.

Each kind imports its reader when it is needed, so that a plain bundle does not pay for the others.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.errors import Unsupported
from recollect.ingest.line import DEFINITIONS
from recollect.ingest.taken import Taken, Told
from recollect.intake import chats
from recollect.intake.further import FURTHER
from recollect.intake.unreadable import refusal_of
from recollect.memory import Memory

if TYPE_CHECKING:
    from recollect.keep.chats.options import Options

HEAD = 1024 * 1024
BUNDLE = "bundle"
_MAILBOX = re.compile(rb"From \S+ [^\n]*\d\d:\d\d[^\n]*\n[A-Za-z-]+:")


class Unreadable(Unsupported):
    """A file that is recognised, or of no kind at all, and that nothing here can read."""

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file} {reason}")
        self.reason = reason


class UnknownKind(Unsupported):
    def __init__(self, what: str) -> None:
        names = ", ".join(kind.name for kind in KINDS)
        super().__init__(f"{what} is of no kind that can be taken in; there are: {names}. Force one with --as")


@dataclass(frozen=True, slots=True)
class Sample:
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
class Kind:
    """One kind of file: how it is told, and what takes it in.

    A folder is taken whole where `takes_folder` says so of it; else its files are told one by one.
    """

    name: str
    fits: Callable[[Sample], bool]
    take: Callable[[Memory, Path, Told | None], Taken]
    takes_folder: Callable[[Path], bool] = lambda _: False
    take_chats: "Callable[[Memory, Path, Told | None, Options], Taken] | None" = None
    """For chat exports, which can be told more about."""
    is_prose: bool = False
    """Whether any text fits, so that markup and data have to be kept out."""


def sample_of(memory: Memory, path: Path) -> Sample:
    with memory.read() as view:
        is_fictional = view.world.timeline.is_fictional
    with path.open("rb") as file:
        return Sample(path, file.read(HEAD), is_fictional)


def kind_of(sample: Sample, forced: str | None = None) -> Kind:
    """The first kind that fits, or the one that is asked for; what is no prose is never taken for prose."""
    kind = kind_named(forced) if forced else next((each for each in KINDS if each.fits(sample)), None)
    if kind is None or kind.is_prose:
        reason = refusal_of(sample.head, sample.suffix, is_whole=len(sample.head) < HEAD)
        if reason is not None:
            raise Unreadable(sample.path.name, reason)
    if kind is None:
        raise Unreadable(sample.path.name, "is a binary file or text in an encoding that cannot be read")
    return kind


def kind_named(name: str) -> Kind:
    for kind in KINDS:
        if kind.name == name:
            return kind
    raise UnknownKind(name)


_LORE_ALONE = frozenset("source_type entity relations events people places creatures system".split())
"""Keys of structured lore in one line of JSON, which no bundle has."""


_BUNDLE_KEYS = frozenset({"record", "entities", "facts", *DEFINITIONS, *FURTHER})


def _is_bundle(sample: Sample) -> bool:
    if sample.suffix in (".jsonl", ".ndjson"):
        return True
    try:
        line = json.loads(sample.first_line)
    except ValueError:
        return False
    if not isinstance(line, dict) or not _LORE_ALONE.isdisjoint(line):
        return False
    # Much else is called .json; in other files a line with a misspelt key is better reported by its number.
    return sample.suffix != ".json" or not _BUNDLE_KEYS.isdisjoint(line)


def _take_bundle(memory: Memory, path: Path, tell: Told | None) -> Taken:
    from recollect.ingest.bundle import ingest_bundle
    from recollect.ingest.extract.late import LateReader

    reader = LateReader(memory)
    return Taken(*ingest_bundle(memory, path, tell, FURTHER, reader), reader.warnings)


def _is_mail(sample: Sample) -> bool:
    return sample.suffix in (".eml", ".mbox") or _MAILBOX.match(sample.head) is not None


def _take_mail(memory: Memory, path: Path, tell: Told | None) -> Taken:
    from recollect.ingest.mail.ingest import ingest_mail

    return ingest_mail(memory, path, tell)


def _holds_mail(path: Path) -> bool:
    from recollect.ingest.mail.boxes import is_folder_of_mails

    return is_folder_of_mails(path)


def _is_gedcom(sample: Sample) -> bool:
    from recollect.ingest.lore.files import is_gedcom

    return is_gedcom(sample.head)


def _take_gedcom(memory: Memory, path: Path, tell: Told | None) -> Taken:
    from recollect.ingest.lore.files import take_gedcom

    return _checked(memory, lambda: take_gedcom(memory, path, tell))


def _is_lore(sample: Sample) -> bool:
    from recollect.ingest.lore.files import is_lore

    return is_lore(sample.path, sample.head)


def _is_told(sample: Sample) -> bool:
    from recollect.ingest.encodings import is_text

    return sample.is_fictional and is_text(sample.head)


def _take_lore(memory: Memory, path: Path, tell: Told | None) -> Taken:
    from recollect.ingest.lore.files import take_lore

    return _checked(memory, lambda: take_lore(memory, path, tell))


def _checked(memory: Memory, take: Callable[[], Taken]) -> Taken:
    """What was taken in, with all of it checked: whoever brings lore wants it to hang together."""
    from recollect.reason.checks.full import follow_if_large, go_on_waking

    is_followed = follow_if_large(memory)
    taken = take()
    if not is_followed:
        go_on_waking(memory, None)
    return taken


def _is_seed(sample: Sample) -> bool:
    from recollect.ingest.notes.seed import is_seed

    return sample.suffix in (".md", ".markdown") and is_seed(sample.head)


def _take_seed(memory: Memory, path: Path, tell: Told | None) -> Taken:
    from recollect.ingest.notes.seed import ingest_seed

    return ingest_seed(memory, path, tell)


def _is_page(sample: Sample) -> bool:
    from recollect.ingest.notes.page import is_page

    return is_page(sample.path, sample.head)


def _take_page(memory: Memory, path: Path, tell: Told | None) -> Taken:
    from recollect.ingest.notes.page import ingest_page

    return ingest_page(memory, path, tell)


def _is_note(sample: Sample) -> bool:
    from recollect.ingest.notes.note import is_note

    return is_note(sample.path, sample.head)


def _is_vault(path: Path) -> bool:
    from recollect.ingest.notes.note import is_vault

    return is_vault(path)


def _take_notes(memory: Memory, path: Path, tell: Told | None) -> Taken:
    from recollect.ingest.notes.note import ingest_notes

    return ingest_notes(memory, path, tell)


def _chats(name: str) -> Kind:
    take = partial(chats.take_export, name)
    return Kind(name, lambda sample: chats.is_export(name, sample.path), take, take_chats=take)


KINDS: tuple[Kind, ...] = (
    *map(_chats, chats.NAMES),
    Kind(chats.ARCHIVE, lambda sample: chats.is_archive(sample.path), chats.take_archive, chats.is_archive_folder),
    Kind(BUNDLE, _is_bundle, _take_bundle),
    Kind("mail", _is_mail, _take_mail, _holds_mail),
    Kind("gedcom", _is_gedcom, _take_gedcom),
    Kind("lore", _is_lore, _take_lore),
    Kind("seed", _is_seed, _take_seed),
    Kind("html", _is_page, _take_page),
    Kind("told", _is_told, _take_lore, is_prose=True),
    Kind("note", _is_note, _take_notes, _is_vault, is_prose=True),
)
