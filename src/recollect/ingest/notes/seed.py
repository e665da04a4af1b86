"""The seed file: the people, companies, projects, facts and aliases that a team begins with, as tables in Markdown."""

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from recollect.errors import RecollectError
from recollect.ingest.documents import DocumentDraft
from recollect.ingest.encodings import text_of
from recollect.ingest.extract.alone import reader_for
from recollect.ingest.lore.markdown import split
from recollect.ingest.lore.problems import BadYaml
from recollect.ingest.mail.headers import storable
from recollect.ingest.notes.seed_rows import Seed, SeedFact
from recollect.ingest.notes.seed_write import write_seed
from recollect.ingest.problems import BadLine
from recollect.ingest.stating import instant_of
from recollect.ingest.taken import Progress, Skipped, Taken, Tally, Told
from recollect.memory import Memory
from recollect.model.fact import LABELS
from recollect.model.names import clean
from recollect.model.wording import snake
from recollect.store.change import Change

SECTIONS = ("people", "companies", "projects", "facts", "aliases")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$")
_MARKER = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:\-=*_]*")


def is_seed(head: bytes) -> bool:
    """Whether a text has a section of a seed file."""
    text = _COMMENT.sub("", text_of(head))
    return any(_section(line) in SECTIONS for line in text.splitlines())


def _section(line: str) -> str | None:
    found = _HEADING.match(line)
    return found[1].strip().rstrip(":").casefold() if found else None


def read_seed(text: str) -> Seed:
    """The rows of a seed file; those that are wrong are named with their lines."""
    seed, section = Seed(), ""
    shown = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(shown.splitlines(), start=1):
        heading = _section(line)
        if heading is not None:
            section = heading
        elif section in SECTIONS and not _RULE.fullmatch(line):
            _row(seed, section, number, [_cell(each) for each in _BAR.split(_MARKER.sub("", line).strip())])
    return seed


def _cell(text: str) -> str:
    return clean(text.replace("\\|", "|"))


def _row(seed: Seed, section: str, number: int, cells: list[str]) -> None:
    try:
        _ROWS[section](seed, number, cells)
    except BadLine as problem:
        seed.wrong.append((number, str(problem)))


def _checked(cells: list[str], most: int, form: str) -> list[str]:
    if not cells[0]:
        raise BadLine("row", f"has no name; it should be {form}")
    if len(cells) > most:
        raise BadLine("row", f"has {len(cells)} cells; it should be {form}")
    return cells + [""] * (most - len(cells))


def _person(seed: Seed, number: int, cells: list[str]) -> None:
    name, role, email = _checked(cells, 3, "name | role | email")
    if email and "@" not in email:
        raise BadLine("row", "its third cell is no email address")
    seed.people.append((number, name, role or None, email.casefold() or None))


def _company(seed: Seed, number: int, cells: list[str]) -> None:
    name, domain = _checked(cells, 2, "name | domain")
    seed.companies.append((number, name, domain.casefold() or None))


def _project(seed: Seed, number: int, cells: list[str]) -> None:
    seed.projects.append((number, _checked(cells, 1, "name")[0]))


def _fact(seed: Seed, number: int, cells: list[str]) -> None:
    form = "from | LABEL/fact_type | to | text"
    if len(cells) < 2:
        raise BadLine("row", f"should be {form}")
    subject, kind, target, words = _checked(cells, 4, form)
    label, slash, fact_type = kind.partition("/")
    chosen = next((each for each in LABELS if each == label.strip().upper()), None)
    if chosen is None or not slash or not fact_type.strip():
        raise BadLine("row", f"{kind!r} should be LABEL/fact_type with a label of {', '.join(LABELS[:2])}")
    if chosen == "TRANSITIONED":
        raise BadLine("row", "a seed file states what is, not what changed: TRANSITIONED is not taken")
    seed.facts.append(SeedFact(number, subject, chosen, snake(fact_type), target or None, words or None))


def _alias(seed: Seed, number: int, cells: list[str]) -> None:
    if len(cells) < 2 or not all(cells):
        raise BadLine("row", "should be canonical | alias | alias …")
    seed.aliases.append((number, cells[0], tuple(cells[1:])))


_ROWS = {"people": _person, "companies": _company, "projects": _project, "facts": _fact, "aliases": _alias}


def ingest_seed(memory: Memory, path: Path, tell: Told | None = None) -> Taken:
    """Take in a seed file as one record and one transaction; a wrong row is reported, the rest goes in."""
    content = path.read_bytes()
    text = storable(text_of(content).replace("\r\n", "\n"))
    reader, actor = reader_for(memory), memory.acting("cli", "ingest", memory.actor.name)
    seed, front = read_seed(text), _front(text)
    tally = Tally(
        lines=sum(len(rows) for rows in (seed.people, seed.companies, seed.projects, seed.facts, seed.aliases))
    )
    try:
        with actor.write() as change:
            facts, unknown = write_seed(change, _draft(change, path, text, front), seed, reader.rules)
            changed = change.has_changed
    except RecollectError as problem:
        return Taken(Tally(lines=1), [Skipped(path.name, 1, str(problem))])
    reader.finish(actor)
    wrong = sorted([*seed.wrong, *unknown])
    tally.lines += len(seed.wrong)
    tally.changed, tally.facts = (tally.lines - len(wrong), facts) if changed else (0, 0)
    tally.unchanged = tally.lines - len(wrong) - tally.changed
    if tell is not None:
        tell(Progress(len(content), len(content)))
    return Taken(tally, [Skipped(path.name, line, why) for line, why in wrong], reader.warnings)


def _front(text: str) -> Mapping[str, Any]:
    try:
        return split(text).front or {}
    except BadYaml:
        return {}


def _draft(change: Change, path: Path, text: str, front: Mapping[str, Any]) -> DocumentDraft:
    key = f"seed_{sha256(path.name.encode()).hexdigest()[:12]}"
    held = change.document_named("record", key)
    given = front.get("source_at")
    said_at = instant_of(change, str(given), "source_at") if given is not None else None
    at = said_at if said_at is not None else held.source_at if held is not None else change.now
    title = str(front.get("title") or path.stem)
    return DocumentDraft("record", "seed", key, title, None, None, at, text, {})
