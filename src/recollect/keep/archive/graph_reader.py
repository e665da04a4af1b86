"""Nodes and facts of an archived graph, validated one by one, with warnings for what is skipped."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from recollect.errors import Refused
from recollect.keep.archive.export import ArchiveGraph
from recollect.keep.archive.graph_row import TEXT_LIMIT, ArchiveRow
from recollect.keep.archive.zip_file import BadArchive, quote_name
from recollect.keep.graph.edges import WEIGHT
from recollect.keep.graph.nodes import DEFAULT_CONFIDENCE, RESERVED
from recollect.model.certainty import CERTAINTIES, SOURCE_KINDS, Certainty, SourceKind, complete_confidence
from recollect.model.entity import NAME_LIMIT
from recollect.model.fact import LABELS, Label
from recollect.model.names import clean
from recollect.model.similarity import to_snake_case
from recollect.store.world import World
from recollect.when.instant import MAX, MIN, Instant
from recollect.when.period import Time
from recollect.when.time_errors import BadTime

TYPE_LIMIT = 64
MAX_ALIASES = 1000
DELETED = (True, 1)


@dataclass(frozen=True, slots=True)
class ArchivedNode:
    """A node of an archive."""

    id: str
    type: str
    label: str
    description: str | None
    properties: Mapping[str, Any]
    confidence: float
    aliases: tuple[str, ...]
    provisional: bool
    by: str | None
    memory: str | None
    created_at: Instant | None
    updated_at: str | None
    learned_at: Instant | None
    confirmed_at: Instant | None
    version: int


class ArchivedAssertion(NamedTuple):
    """One assertion of a fact; `memory` is the id of the memory it comes from."""

    memory: str | None
    source: str | None
    url: str | None
    given: str | None
    quote: str | None
    evidence: str | None
    extracted_by: str
    surface: str | None
    tool: str | None
    by: str | None
    source_at: Instant | None
    recorded_at: Instant | None
    confidence: float
    certainty: Certainty
    source_kind: SourceKind
    valid_from: Time | None
    valid_until: Time | None
    begins: int | None
    attributes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ArchivedFact:
    """An edge, or a statement about one node, of an archive; its ends are the archive's ids."""

    id: str
    subject: str
    object: str | None
    literal: str | None
    predicate: str
    label: Label | None
    fact_type: str | None
    words: str | None
    attributes: Mapping[str, Any]
    valid_from: Time | None
    valid_until: Time | None
    created_at: Instant | None
    confirmed_at: Instant | None
    updated_at: str | None
    version: int
    assertions: tuple[ArchivedAssertion, ...]
    is_bare: bool
    """Whether the archive has no assertions of it, so that one is implied."""
    supersedes: tuple[str, ...]


def read_nodes(graph: ArchiveGraph, world: World, warnings: list[str]) -> list[ArchivedNode]:
    """All nodes of the archive; the same id twice is refused."""
    found: dict[str, ArchivedNode] = {}
    for place, fields in enumerate(graph["nodes"]):
        row = ArchiveRow(f"nodes[{place}]", fields, world)
        if fields.get("deleted") in DELETED:
            warnings.append(f"{row.place} skipped: marked as deleted")
            continue
        node = _read_node(row, warnings)
        if node.id in found:
            raise BadArchive(f"has the node {quote_name(node.id)} twice")
        found[node.id] = node
    return list(found.values())


def _read_node(row: ArchiveRow, warnings: list[str]) -> ArchivedNode:
    id_ = row.id("id")
    if id_ is None:
        raise row.refuse("id")
    aliases = row.values.get("aliases") or []
    if not isinstance(aliases, list) or len(aliases) > MAX_ALIASES or not all(_is_name(each) for each in aliases):
        raise row.refuse("aliases")
    properties = row.properties()
    if RESERVED & properties.keys():
        raise row.refuse("properties")
    type_ = to_snake_case(row.required("type", TYPE_LIMIT))
    label = clean(row.required("label", NAME_LIMIT))
    if not type_ or not label:
        raise row.refuse("label" if type_ else "type")
    return ArchivedNode(
        id_,
        "organization" if type_ == "company" else type_,
        label,
        row.text("description"),
        properties,
        row.fraction("confidence", DEFAULT_CONFIDENCE) or 0.0,
        tuple(clean(each) for each in aliases),
        row.values.get("provisional") is True,
        row.text("source_instance", NAME_LIMIT),
        row.text("source_memory_id", NAME_LIMIT),
        _instant_or_warn(row, "created_at", warnings),
        row.text("updated_at", NAME_LIMIT),
        _instant_or_warn(row, "first_learned_at", warnings),
        _instant_or_warn(row, "last_confirmed_at", warnings),
        row.integer("version", 0, 1 << 31) or 1,
    )


def _is_name(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value and 0 < len(clean(value)) <= NAME_LIMIT


def _instant_or_warn(row: ArchiveRow, key: str, warnings: list[str]) -> Instant | None:
    try:
        return row.instant(key)
    except BadTime:
        warnings.append(f"{row.place}.{key} ignored: not a valid time")
        return None


def _time_or_warn(row: ArchiveRow, key: str, warnings: list[str]) -> Time | None:
    try:
        return row.time(key)
    except BadArchive:
        raise
    except Refused:
        warnings.append(f"{row.place}.{key} ignored: not a valid time on this timeline")
        return None


def read_facts(graph: ArchiveGraph, part: str, world: World, warnings: list[str]) -> list[ArchivedFact]:
    """All edges, or all statements, that are not marked deleted; the same id twice is refused."""
    found: dict[str, ArchivedFact] = {}
    for place, fields in enumerate(graph[part]):
        row = ArchiveRow(f"{part}[{place}]", fields, world)
        if fields.get("deleted") in DELETED:
            warnings.append(f"{row.place} skipped: marked as deleted")
            continue
        fact = _read_fact(row, part == "edges", warnings)
        if fact is None:
            warnings.append(f"{row.place} skipped: subject or object is missing")
            continue
        if fact.id in found:
            raise BadArchive(f"has the id {quote_name(fact.id)} twice in {part}")
        found[fact.id] = fact
    return list(found.values())


def _read_fact(row: ArchiveRow, is_edge: bool, warnings: list[str]) -> ArchivedFact | None:
    subject, object_ = row.id("from_id"), row.id("to_id") if is_edge else None
    if subject is None or (is_edge and object_ is None):
        return None
    start, end = _time_or_warn(row, "occurred_at", warnings), _time_or_warn(row, "valid_until", warnings)
    if start is not None and end is not None and start.lo > end.hi:
        warnings.append(f"{row.place}.valid_until ignored: it ends before occurred_at begins")
        end = None
    predicate = to_snake_case(row.required("type", TEXT_LIMIT))
    if not predicate:
        raise row.refuse("type")
    assertions = _read_assertions(row, start, end, warnings)
    rows = row.values.get("assertions") or [{}]
    first = ArchiveRow(f"{row.place}.assertions[0]", rows[0], row.world)
    return ArchivedFact(
        row.id("id") or row.place,
        subject,
        object_,
        None if is_edge else row.text("value"),
        predicate,
        cast("Label | None", first.choice("label", LABELS)),
        first.text("fact_type"),
        first.text("words") if first.values else None,
        {**row.properties(), **_read_weight(row)},
        start,
        end,
        _instant_or_warn(row, "created_at", warnings),
        _instant_or_warn(row, "last_confirmed_at", warnings),
        row.text("updated_at", NAME_LIMIT),
        row.integer("version", 0, 1 << 31) or 1,
        assertions,
        not row.values.get("assertions"),
        _read_superseded(row),
    )


def _read_superseded(row: ArchiveRow) -> tuple[str, ...]:
    fields = row.values.get("supersedes") or []
    if not isinstance(fields, list) or not all(isinstance(each, str) for each in fields):
        raise row.refuse("supersedes")
    return tuple(fields)


def _read_weight(row: ArchiveRow) -> dict[str, Any]:
    """The weight, unless it only repeats the confidence."""
    weight, confidence = row.fraction("weight", None), row.fraction("confidence", None)
    return {} if (weight is None and confidence is not None) or weight == confidence else {WEIGHT: weight}


def _read_assertions(
    row: ArchiveRow, start: Time | None, end: Time | None, warnings: list[str]
) -> tuple[ArchivedAssertion, ...]:
    fields = row.values.get("assertions")
    if fields is None or fields == []:
        return (_implied_assertion(row, start, end, warnings),)
    if not isinstance(fields, list) or not all(isinstance(each, dict) for each in fields):
        raise row.refuse("assertions")
    rows = (ArchiveRow(f"{row.place}.assertions[{place}]", each, row.world) for place, each in enumerate(fields))
    return tuple(_read_assertion(each, warnings) for each in rows)


def _implied_assertion(row: ArchiveRow, start: Time | None, end: Time | None, warnings: list[str]) -> ArchivedAssertion:
    """The assertion that an edge without assertions implies."""
    completed = complete_confidence(confidence=row.fraction("confidence", None))
    at = _instant_or_warn(row, "created_at", warnings)
    by, evidence = row.text("instance_id", NAME_LIMIT), row.text("evidence")
    attributes = {**row.properties(), **_read_weight(row)}
    return ArchivedAssertion(
        row.text("source_memory_id", NAME_LIMIT), None, None, None, None, evidence, "given", None, None, by, at, at,
        completed.confidence, completed.certainty, completed.source_kind, start, end, None, attributes,
    )  # fmt: skip


def _read_assertion(row: ArchiveRow, warnings: list[str]) -> ArchivedAssertion:
    certainty = cast("Certainty | None", row.choice("certainty", CERTAINTIES))
    kind = cast("SourceKind | None", row.choice("source_kind", SOURCE_KINDS))
    completed = complete_confidence(certainty, kind, row.fraction("confidence", None))
    return ArchivedAssertion(
        row.text("memory_id", NAME_LIMIT),
        row.text("source"),
        row.text("url"),
        row.text("given"),
        row.text("quote"),
        row.text("evidence"),
        row.text("extracted_by", NAME_LIMIT) or "given",
        row.text("surface", NAME_LIMIT),
        row.text("tool", NAME_LIMIT),
        row.text("instance_id", NAME_LIMIT),
        _instant_or_warn(row, "source_at", warnings),
        _instant_or_warn(row, "recorded_at", warnings),
        completed.confidence,
        completed.certainty,
        completed.source_kind,
        _time_or_warn(row, "occurred_at", warnings),
        _time_or_warn(row, "valid_until", warnings),
        row.integer("begins", MIN, MAX),
        row.properties(),
    )
