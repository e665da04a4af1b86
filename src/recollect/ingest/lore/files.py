"""Files of lore: family trees, structured YAML, Markdown and dialogues, each one document and one transaction."""

import re
from collections.abc import Sequence
from pathlib import Path

from recollect.errors import Refused
from recollect.ingest.encodings import text_of
from recollect.ingest.gedcom.encodings import Decoded, decode
from recollect.ingest.lore.definitions import is_definition
from recollect.ingest.lore.draft import Unread
from recollect.ingest.lore.kinds import shape_of
from recollect.ingest.lore.markdown import split
from recollect.ingest.lore.outline import GEDCOM, SourceWanted
from recollect.ingest.lore.problems import BadItems, BadYaml
from recollect.ingest.lore.source import NOTHING_READ, Kept, hear_source, take_source
from recollect.ingest.lore.tables import Table, load
from recollect.ingest.taken import Progress, Skipped, Taken, Tally, TextOnly, Told
from recollect.memory import Memory

YAML_SUFFIXES = (".yaml", ".yml")
_FIRST_RECORD = re.compile(r"0 HEAD(?: .*)?|0 @[^@ ]+@ (?:INDI|FAM|SUBM|SUBN|SOUR|REPO|OBJE|S?NOTE)(?: .*)?")
_TELLING = ("entity", "entities", "relations", "source_type")


def is_gedcom(head: bytes) -> bool:
    """Whether a file begins with the head of a family tree, or like one that lost its head."""
    lines = decode(head[:4096]).text.lstrip("\ufeff \t\r\n").splitlines()
    return bool(lines) and _FIRST_RECORD.fullmatch(" ".join(lines[0].split()).upper()) is not None


def is_lore(path: Path, head: bytes) -> bool:
    """Whether a file is YAML, or has front matter that tells of a world."""
    if path.suffix.lower() in YAML_SUFFIXES:
        return True
    text = text_of(head)
    try:
        front = split(text).front
        top = load(text) if front is None and text.lstrip().startswith("{") else None
    except BadYaml:
        return False
    if isinstance(top, Table):
        return shape_of(top) is not None or _tells(top)
    return front is not None and _tells(front)


def _tells(front: Table) -> bool:
    """Whether the keys of a document tell of a world."""
    return any(key in _TELLING or is_definition(key, value) for key, value in front.items())


def take_gedcom(memory: Memory, path: Path, tell: Told | None) -> Taken:
    """Take in a family tree."""
    decoded = decode(path.read_bytes())
    wanted = SourceWanted(decoded.text, path.stem, GEDCOM, unreadable=decoded.unreadable)
    return _take(memory, path, wanted, tell)


def take_lore(memory: Memory, path: Path, tell: Told | None) -> Taken:
    """Take in a page, a dialogue or a structured document."""
    decoded = _text(path.read_bytes())
    is_yaml = path.suffix.lower() in YAML_SUFFIXES or _is_plain_table(decoded.text)
    wanted = SourceWanted(
        decoded.text, unreadable=decoded.unreadable, is_yaml=is_yaml, file_name=path.stem, source_type=None
    )
    return _take(memory, path, wanted, tell)


def _text(content: bytes) -> Decoded:
    text = text_of(content).replace("\0", "\ufffd")
    return Decoded(text, text.count("\ufffd"))


def _is_plain_table(text: str) -> bool:
    """Whether all of a text is a table of structured lore, without Markdown around it."""
    if not text.lstrip().startswith("{"):
        return False
    try:
        return isinstance(load(text), Table)
    except BadYaml:
        return False


def _take(memory: Memory, path: Path, wanted: SourceWanted, tell: Told | None) -> Taken:
    size = path.stat().st_size

    def told(done: int, total: int) -> None:
        if tell is not None:
            tell(Progress(size * done // max(total, 1), size))

    try:
        heard = hear_source(memory, wanted)
        with memory.acting("lore-engine", "ingest", memory.actor.name).batch() as batch, batch.change() as change:
            kept = take_source(change, wanted, told, heard=heard)
    except BadItems as problem:
        return _refused(path, problem.problems)
    except Refused as problem:
        return _refused(path, [Unread(getattr(problem, "line", 1), "", str(problem))])
    if tell is not None:
        tell(Progress(size, size))
    return _taken(path, kept)


def _refused(path: Path, problems: Sequence[Unread]) -> Taken:
    skipped = [Skipped(path.name, each.line, f"{each.item}: {each.reason}".removeprefix(": ")) for each in problems]
    return Taken(Tally(lines=1), skipped)


def _taken(path: Path, kept: Kept) -> Taken:
    is_changed = kept.created or kept.updated
    facts = kept.counts.relations_created + kept.counts.assertions_added
    tally = Tally(1, int(is_changed), int(not is_changed), facts)
    undated = [each for each in kept.skipped if "kept as text" in each.reason]
    skipped = [
        Skipped(path.name, each.line, f"{each.item}: {each.reason}") for each in kept.skipped if each not in undated
    ]
    warnings = [f"{path.name}:{each.line}: {each.item}: {each.reason}" for each in undated]
    told = [f"{path.name}: {each}" for each in kept.warnings]
    text_only = [TextOnly(path.name, NOTHING_READ)] if kept.is_text_only else []
    return Taken(tally, skipped, [*told, *warnings], text_only=text_only)
