"""Importing lore: family trees and lore files, and the bundle lines that tell of a world."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from recollect.errors import Refused
from recollect.importers.import_run import (
    ImportResult,
    ImportTally,
    LineOutcome,
    Progress,
    ProgressListener,
    SkippedLine,
    TextOnly,
)
from recollect.importers.notes import decode_text
from recollect.ingest.drafts import UnreadableItem
from recollect.ingest.fields import BadLine, Json, JsonFields
from recollect.ingest.gedcom.encodings import DecodedText, decode_gedcom
from recollect.ingest.line import DefinitionKind
from recollect.ingest.lore.encounters import AttendanceInput, EncounterInput, SharedFactInput, record_encounter
from recollect.ingest.lore.front_matter import definitions_in, is_definition
from recollect.ingest.lore.lore_errors import BadYaml, UnreadableItems
from recollect.ingest.lore.markup import YamlTable, load_yaml, split_front_matter
from recollect.ingest.lore.relation_ends import TimeInput
from recollect.ingest.lore.source_parser import GEDCOM, SourceInput
from recollect.ingest.lore.sources import NOTHING_READ, SourceResult, prepare_source, prepare_within, write_source
from recollect.ingest.lore.structured import detect_structured_kind
from recollect.memory import Memory
from recollect.model.certainty import is_confidence
from recollect.reason.checks.custom_rules import RuleInput, save_rule_within
from recollect.store.change import Change
from recollect.write.tombstones import HiddenContent

YAML_SUFFIXES = (".yaml", ".yml")
_FIRST_RECORD = re.compile(r"0 HEAD(?: .*)?|0 @[^@ ]+@ (?:INDI|FAM|SUBM|SUBN|SOUR|REPO|OBJE|S?NOTE)(?: .*)?")
_LORE_KEYS = ("entity", "entities", "relations", "source_type")


def is_gedcom(head: bytes) -> bool:
    """Whether a file begins with the head of a family tree, or like one that lost its head."""
    lines = decode_gedcom(head[:4096]).text.lstrip("\ufeff \t\r\n").splitlines()
    return bool(lines) and _FIRST_RECORD.fullmatch(" ".join(lines[0].split()).upper()) is not None


def is_lore(path: Path, head: bytes) -> bool:
    """Whether a file is YAML about a world, invalid YAML, or has front matter about a world."""
    is_yaml = path.suffix.lower() in YAML_SUFFIXES
    text = decode_text(head)
    try:
        front = split_front_matter(text).front
        top = load_yaml(text) if is_yaml or (front is None and text.lstrip().startswith("{")) else None
    except BadYaml:
        return is_yaml
    if isinstance(top, YamlTable):
        return detect_structured_kind(top) is not None or _tells(top)
    return front is not None and _tells(front)


def _tells(front: YamlTable) -> bool:
    """Whether the keys of a document tell of a world."""
    return any(key in _LORE_KEYS or is_definition(key, value) for key, value in front.items())


def defined_times(path: Path) -> Iterator[tuple[DefinitionKind, Json]]:
    """The calendars, eras and dates that a lore file defines."""
    text = decode_text(path.read_bytes())
    try:
        whole = load_yaml(text) if path.suffix.lower() in YAML_SUFFIXES else split_front_matter(text).front
    except BadYaml:
        return
    if isinstance(whole, YamlTable):
        yield from definitions_in(whole)


def import_gedcom(memory: Memory, path: Path, tell: ProgressListener | None) -> ImportResult:
    """Take in a family tree."""
    decoded = decode_gedcom(path.read_bytes())
    wanted = SourceInput(decoded.text, path.stem, GEDCOM, unreadable=decoded.unreadable)
    return _import_source(memory, path, wanted, tell, "it has no people and no families")


def import_lore(memory: Memory, path: Path, tell: ProgressListener | None) -> ImportResult:
    """Take in a page, a dialogue or a structured document."""
    decoded = _decode_lore(path.read_bytes())
    is_yaml = path.suffix.lower() in YAML_SUFFIXES or _is_plain_table(decoded.text)
    wanted = SourceInput(
        decoded.text, unreadable=decoded.unreadable, is_yaml=is_yaml, file_name=path.stem, source_type=None
    )
    return _import_source(memory, path, wanted, tell)


def _decode_lore(content: bytes) -> DecodedText:
    text = decode_text(content).replace("\0", "\ufffd")
    return DecodedText(text, text.count("\ufffd"))


def _is_plain_table(text: str) -> bool:
    """Whether all of a text is a table of structured lore, without Markdown around it."""
    if not text.lstrip().startswith("{"):
        return False
    try:
        return isinstance(load_yaml(text), YamlTable)
    except BadYaml:
        return False


def _import_source(
    memory: Memory, path: Path, wanted: SourceInput, tell: ProgressListener | None, if_text_only: str = NOTHING_READ
) -> ImportResult:
    size = path.stat().st_size

    def report_progress(done: int, total: int) -> None:
        if tell is not None:
            tell(Progress(size * done // max(total, 1), size))

    try:
        prepared = prepare_source(memory, wanted)
        with memory.as_actor("lore-engine", "ingest", memory.actor.name).batch() as batch, batch.change() as change:
            kept = write_source(change, prepared, report_progress)
    except UnreadableItems as problem:
        return _refused_result(path, problem.problems)
    except HiddenContent:
        return ImportResult(ImportTally(lines=1, unchanged=1), [])
    except Refused as problem:
        return _refused_result(path, [UnreadableItem(getattr(problem, "line", 1), "", str(problem))])
    if tell is not None:
        tell(Progress(size, size))
    return _import_result(path, kept, if_text_only)


def _refused_result(path: Path, problems: Sequence[UnreadableItem]) -> ImportResult:
    skipped = [SkippedLine(path.name, each.line, f"{each.item}: {each.reason}".removeprefix(": ")) for each in problems]
    return ImportResult(ImportTally(lines=1), skipped)


def _import_result(path: Path, kept: SourceResult, if_text_only: str) -> ImportResult:
    is_changed = kept.created or kept.updated
    facts = kept.counts.relations_created + kept.counts.assertions_added
    tally = ImportTally(1, int(is_changed), int(not is_changed), facts)
    undated = [each for each in kept.skipped if "kept as text" in each.reason]
    skipped = [
        SkippedLine(path.name, each.line, f"{each.item}: {each.reason}") for each in kept.skipped if each not in undated
    ]
    of_items = [f"{path.name}:{each.line}: {each.item}: {each.reason}" for each in undated]
    of_source = [f"{path.name}: {each}" for each in kept.warnings]
    text_only = [TextOnly(path.name, if_text_only)] if kept.is_text_only else []
    return ImportResult(tally, skipped, [*of_source, *of_items], text_only=text_only)


_SOURCE_KEYS = frozenset(
    "title source_type content author reliability visibility known_to world_time url lenient".split()
)
_ENCOUNTER_KEYS = frozenset(
    "participants content summary text at_time location witnesses title shared private_notes".split()
)
_SHARED_KEYS = frozenset("relation_id from relation to valid_from valid_until by heard_by".split())


def write_lore_source_line(change: Change, given: Json) -> LineOutcome:
    """Take in the document that a line carries; whether that changed anything, and what of it was not read."""
    fields = JsonFields(given, "lore_source")
    fields.reject_unknown(_SOURCE_KEYS)
    lenient = given.get("lenient")
    if lenient is not None and not isinstance(lenient, bool):
        raise BadLine("lore_source.lenient", "should be true or false")
    wanted = SourceInput(
        fields.raw_text("content") or fields.required_text("content"),
        fields.required_text("title"),
        fields.required_text("source_type"),
        fields.text("author"),
        given.get("reliability"),
        fields.text("visibility"),
        fields.texts("known_to") or None,
        fields.text("world_time"),
        fields.text("url"),
        lenient,
    )
    kept = write_source(change, prepare_within(change, wanted))
    unread = [f"lore_source {wanted.title}: line {each.line}: {each.item}: {each.reason}" for each in kept.skipped]
    return LineOutcome(kept.created or kept.updated, tuple(unread))


def write_encounter_line(change: Change, given: Json) -> bool:
    """Record the encounter of a line; whether it was new."""
    fields = JsonFields(given, "encounter")
    fields.reject_unknown(_ENCOUNTER_KEYS)
    content = fields.text("content") or fields.text("summary") or fields.text("text")
    if content is None:
        raise BadLine("encounter.content", "is needed")
    wanted = EncounterInput(
        AttendanceInput(fields.texts("participants"), fields.texts("witnesses"), fields.text("location")),
        content,
        fields.text("at_time"),
        fields.text("title"),
        tuple(_parse_shared(each, f"encounter.shared[{n}]") for n, each in enumerate(fields.items("shared"))),
        fields.text("private_notes"),
    )
    return record_encounter(change, wanted).created


def _parse_shared(value: Any, path: str) -> SharedFactInput:
    fields = JsonFields(value, path)
    fields.reject_unknown(_SHARED_KEYS)
    heard = fields.texts("heard_by") if fields.values.get("heard_by") is not None else None
    return SharedFactInput(
        fields.text("relation_id"),
        fields.text("from"),
        fields.text("relation"),
        fields.text("to"),
        TimeInput(fields.text("valid_from"), fields.text("valid_until")),
        fields.text("by"),
        heard,
    )


_RULE_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_MAX_CYPHER_CHARS = 4_000


def write_rule_line(memory: Memory, change: Change, given: Json) -> bool:
    """Whether the line changed anything: the rule is checked and run as if it were added by hand."""
    fields = JsonFields(given, "rule")
    fields.reject_unknown({"id", "cypher", "description", "severity", "enabled", "min_confidence"})
    id_, cypher = fields.required_text("id"), fields.raw_text("cypher")
    if not _RULE_ID.fullmatch(id_):
        raise BadLine("rule.id", "should be lower case letters, digits and hyphens, at most 64 of them")
    if cypher is not None and len(cypher) > _MAX_CYPHER_CHARS:
        raise BadLine("rule.cypher", f"should have at most {_MAX_CYPHER_CHARS} characters")
    severity = fields.choice("severity", ("error", "warn"))
    wanted = RuleInput(
        id_, cypher, fields.text("description"), severity, _parse_enabled(fields), _parse_min_confidence(fields)
    )
    return save_rule_within(memory, change, wanted)


def _parse_enabled(fields: JsonFields) -> bool | None:
    value = fields.values.get("enabled")
    if value is not None and not isinstance(value, bool):
        raise BadLine("rule.enabled", "should be true or false")
    return value


def _parse_min_confidence(fields: JsonFields) -> float | None:
    value = fields.values.get("min_confidence")
    if value is None:
        return None
    if not is_confidence(value):
        raise BadLine("rule.min_confidence", "should be a number from 0 to 1")
    return float(value)
