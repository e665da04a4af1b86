"""Importing a seed file: people, companies, projects, facts and aliases as Markdown tables."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from recollect.errors import RecollectError, Refused
from recollect.importers.import_run import ImportResult, ImportTally, Progress, ProgressListener, SkippedLine
from recollect.importers.notes import decode_text
from recollect.ingest.documents import DocumentDraft, store_document
from recollect.ingest.extract.facts import PROJECT, draft_fact, suggest_employer
from recollect.ingest.extract.record_reader import is_unchanged, make_record_reader
from recollect.ingest.extract.rules import ExtractionRules
from recollect.ingest.fields import BadLine
from recollect.ingest.lore.lore_errors import BadYaml
from recollect.ingest.lore.markup import split_front_matter
from recollect.ingest.parties import Party
from recollect.ingest.party_resolver import COMPANY, PERSON, PartyResolver, adopt_by_identifier
from recollect.ingest.statements import parse_instant
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import LABELS, Label, ends_of_facts
from recollect.model.json_limits import replace_unstorable
from recollect.model.names import clean
from recollect.model.similarity import to_snake_case
from recollect.reading.phrases import is_name
from recollect.store.change import Change
from recollect.text.markdown_lines import LIST_MARK, heading_of
from recollect.write.entity_refs import NamedRef, find, find_or_create, set_mentions
from recollect.write.fact_draft import GIVEN, RULES, FactDraft, document_source
from recollect.write.names import add_alias
from recollect.write.source_reconciliation import reconcile_source


class SeedFact(NamedTuple):
    """A row of facts: ends by name, the claim's label and type, its words."""

    line: int
    subject: str
    label: Label
    fact_type: str
    target: str | None
    words: str | None


@dataclass(slots=True)
class SeedFile:
    """All rows by section, with the numbers of their lines; `wrong` says what is wrong with the rest."""

    people: list[tuple[int, str, str | None, str | None]] = field(default_factory=list)
    companies: list[tuple[int, str, str | None]] = field(default_factory=list)
    projects: list[tuple[int, str]] = field(default_factory=list)
    facts: list[SeedFact] = field(default_factory=list)
    aliases: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list)
    wrong: list[tuple[int, str]] = field(default_factory=list)


RowErrors = list[tuple[int, str]]


def write_seed(change: Change, draft: DocumentDraft, seed: SeedFile, rules: ExtractionRules) -> tuple[int, RowErrors]:
    """Write the rows of a seed file; how many facts they make, and the rows that could not be taken."""
    stored = change.document_named("record", draft.key)
    document = stored if stored is not None and is_unchanged(stored, draft) else store_document(change, draft, stored)
    wrong: RowErrors = []
    resolver = PartyResolver(change, document, rules.providers)
    things = {each.id for each in _write_entities(change, seed, document, wrong)}
    _write_aliases(change, seed, wrong)
    stated = list(_stated_facts(change, seed, document, wrong))
    joined = {frozenset(ends_of_facts([each])) for each in stated if each.kind.label == "AFFILIATED"}
    suggested = _suggested_employers(change, seed, resolver)
    drafts = [*(each for each in suggested if frozenset(ends_of_facts([each])) not in joined), *stated]
    reconcile_source(change, drafts, change.assertions_from(document.id) if stored is not None else ())
    set_mentions(change, document.id, things | resolver.resolved_ids() | ends_of_facts(drafts), is_new=stored is None)
    return len(drafts), wrong


def _write_entities(change: Change, seed: SeedFile, document: Document, wrong: RowErrors) -> Iterator[Entity]:
    rows = [
        *((line, NamedRef(name, COMPANY, (), _without_nulls(domain=domain))) for line, name, domain in seed.companies),
        *(
            (line, NamedRef(name, PERSON, (), _without_nulls(role=role, email=email)))
            for line, name, role, email in seed.people
        ),
        *((line, NamedRef(name, PROJECT)) for line, name in seed.projects),
    ]
    for line, end in rows:
        try:
            adopt_by_identifier(change, end)
            said_at = document.source_at if end.properties else None
            yield find_or_create(change, replace(end, confirmed=True, reason="given", said_at=said_at)).entity
        except Refused as problem:
            wrong.append((line, str(problem)))


def _without_nulls(**values: str | None) -> dict[str, str]:
    return {key: value for key, value in values.items() if value is not None}


def _write_aliases(change: Change, seed: SeedFile, wrong: RowErrors) -> None:
    for line, name, aliases in seed.aliases:
        try:
            entity = _find_known(change, name)
            for alias in aliases:
                add_alias(change, entity, alias)
        except Refused as problem:
            wrong.append((line, str(problem)))


def _suggested_employers(change: Change, seed: SeedFile, resolver: PartyResolver) -> Iterator[FactDraft]:
    source = document_source(resolver.document, RULES)
    for _, name, _, email in seed.people:
        suggested = suggest_employer(change, resolver, Party(name, email), source) if email else None
        if suggested is not None:
            yield suggested


def _stated_facts(change: Change, seed: SeedFile, document: Document, wrong: RowErrors) -> Iterator[FactDraft]:
    for row in seed.facts:
        try:
            yield _stated_fact(change, row, document)
        except Refused as problem:
            wrong.append((row.line, str(problem)))


def _stated_fact(change: Change, row: SeedFact, document: Document) -> FactDraft:
    subject = _find_known(change, row.subject)
    target = _find_known(change, row.target) if row.target is not None else None
    source = document_source(document, GIVEN)
    return draft_fact(source, row.label, row.fact_type, subject, target, row.words, "stated", document.source_at)


def _find_known(change: Change, name: str) -> Entity:
    """What the file or the graph knows by a name; rows do not make ends of facts."""
    found = find(change, NamedRef(name))
    if found is None:
        raise BadLine("row", f"{name!r} is named neither in the file nor known")
    return found


SECTIONS = ("people", "companies", "projects", "facts", "aliases")
_NAMED = ("people", "companies", "projects")
_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n(?:[^\n]*\n)*?---[ \t]*(?:\r?\n|\Z)")
_MARKER = re.compile(rf"^[ \t]*{LIST_MARK}[ \t]+")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:\-=*_#]*")


def is_seed(head: bytes) -> bool:
    """Whether a text is a seed file: it has a row with cells, or nothing but sections with a name in each row.

    Notes have the same headings, with sentences, tasks and tables below them.
    """
    rows = list(_rows(decode_text(head)))
    if any(section in SECTIONS and len(cells) > 1 and cells[0] for section, _, cells in rows):
        return True
    return bool(rows) and all(section in _NAMED and _is_bare_name(cells) for section, _, cells in rows)


def _is_bare_name(cells: list[str]) -> bool:
    return len(cells) == 1 and (" " not in cells[0] or is_name(cells[0]))


def _section_heading(line: str) -> str | None:
    found = heading_of(line)
    return found.text.rstrip(":").casefold() if found else None


def parse_seed(text: str) -> SeedFile:
    """The rows of a seed file; those that are wrong are named with their lines."""
    seed = SeedFile()
    for section, number, cells in _rows(text):
        if section in SECTIONS:
            _add_row(seed, section, number, cells)
    return seed


def _rows(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """The lines of a text with their heading, number and cells, without front matter, comments, rules and headings."""
    section = ""
    shown = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    front = _FRONT_MATTER.match(shown)
    first = front[0].count("\n") if front else 0
    for number, line in enumerate(shown.splitlines()[first:], start=first + 1):
        heading = _section_heading(line)
        if heading is not None:
            section = heading
        elif not _RULE.fullmatch(line):
            yield section, number, [_clean_cell(each) for each in _BAR.split(_MARKER.sub("", line).strip())]


def _clean_cell(text: str) -> str:
    return clean(text.replace("\\|", "|"))


def _add_row(seed: SeedFile, section: str, number: int, cells: list[str]) -> None:
    try:
        _ROW_PARSERS[section](seed, number, cells)
    except BadLine as problem:
        seed.wrong.append((number, str(problem)))


def _check_cells(cells: list[str], most: int, form: str) -> list[str]:
    if not cells[0]:
        raise BadLine("row", f"has no name; it should be {form}")
    if len(cells) > most:
        raise BadLine("row", f"has {len(cells)} cells; it should be {form}")
    return cells + [""] * (most - len(cells))


def _add_person(seed: SeedFile, number: int, cells: list[str]) -> None:
    name, role, email = _check_cells(cells, 3, "name | role | email")
    if email and "@" not in email:
        raise BadLine("row", "its third cell is not an email address")
    seed.people.append((number, name, role or None, email.casefold() or None))


def _add_company(seed: SeedFile, number: int, cells: list[str]) -> None:
    name, domain = _check_cells(cells, 2, "name | domain")
    seed.companies.append((number, name, domain.casefold() or None))


def _add_project(seed: SeedFile, number: int, cells: list[str]) -> None:
    seed.projects.append((number, _check_cells(cells, 1, "name")[0]))


def _add_fact(seed: SeedFile, number: int, cells: list[str]) -> None:
    form = "from | LABEL/fact_type | to | text"
    if len(cells) < 2:
        raise BadLine("row", f"should be {form}")
    subject, kind, target, words = _check_cells(cells, 4, form)
    label, slash, fact_type = kind.partition("/")
    chosen = next((each for each in LABELS if each == label.strip().upper()), None)
    if chosen is None or not slash or not fact_type.strip():
        raise BadLine("row", f"{kind!r} should be LABEL/fact_type with a label of {', '.join(LABELS[:2])}")
    if chosen == "TRANSITIONED":
        raise BadLine("row", "a seed file states what is, not what changed: TRANSITIONED is not accepted")
    seed.facts.append(SeedFact(number, subject, chosen, to_snake_case(fact_type), target or None, words or None))


def _add_alias(seed: SeedFile, number: int, cells: list[str]) -> None:
    if len(cells) < 2 or not all(cells):
        raise BadLine("row", "should be canonical | alias | alias …")
    seed.aliases.append((number, cells[0], tuple(cells[1:])))


_ROW_PARSERS = {
    "people": _add_person,
    "companies": _add_company,
    "projects": _add_project,
    "facts": _add_fact,
    "aliases": _add_alias,
}


def import_seed(memory: Memory, path: Path, tell: ProgressListener | None = None) -> ImportResult:
    """Take in a seed file as one record and one transaction; a wrong row is reported, the rest goes in."""
    content = path.read_bytes()
    text = replace_unstorable(decode_text(content).replace("\r\n", "\n"))
    reader, actor = make_record_reader(memory), memory.as_actor("cli", "ingest", memory.actor.name)
    seed, front = parse_seed(text), _front_matter(text)
    tally = ImportTally(
        lines=sum(len(rows) for rows in (seed.people, seed.companies, seed.projects, seed.facts, seed.aliases))
    )
    try:
        with actor.write() as change:
            facts, unknown = write_seed(change, _draft_document(change, path, text, front), seed, reader.rules)
            changed = change.has_changed
    except RecollectError as problem:
        return ImportResult(ImportTally(lines=1), [SkippedLine(path.name, 1, str(problem))])
    reader.finish(actor)
    wrong = sorted([*seed.wrong, *unknown])
    tally.lines += len(seed.wrong)
    tally.changed, tally.facts = (tally.lines - len(wrong), facts) if changed else (0, 0)
    tally.unchanged = tally.lines - len(wrong) - tally.changed
    if tell is not None:
        tell(Progress(len(content), len(content)))
    return ImportResult(tally, [SkippedLine(path.name, line, why) for line, why in wrong], reader.warnings)


def _front_matter(text: str) -> Mapping[str, Any]:
    try:
        return split_front_matter(text).front or {}
    except BadYaml:
        return {}


def _draft_document(change: Change, path: Path, text: str, front: Mapping[str, Any]) -> DocumentDraft:
    key = f"seed_{sha256(path.name.encode()).hexdigest()[:12]}"
    stored = change.document_named("record", key)
    given = front.get("source_at")
    said_at = parse_instant(change, str(given), "source_at") if given is not None else None
    at = said_at if said_at is not None else stored.source_at if stored is not None else change.now
    title = str(front.get("title") or path.stem)
    return DocumentDraft("record", "seed", key, title, None, None, at, text, {})
