"""Parser of front matter: what a page states of entities and relations, and which calendars and eras it defines."""

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from recollect.errors import Conflict, Refused
from recollect.ingest.drafts import (
    DraftTarget,
    EntityDraft,
    LiteralTarget,
    NameRef,
    RelationDraft,
    SupersededDraft,
    UnreadableItem,
)
from recollect.ingest.line import DefinitionKind
from recollect.ingest.lore.entities import time_as_text, to_json_value
from recollect.ingest.lore.markup import YamlList, YamlTable, item_lines
from recollect.ingest.timeline_definitions import define
from recollect.model.certainty import is_confidence
from recollect.store.change import Change
from recollect.when.timeline_lookup import find_calendar

DOCUMENT_KEYS = frozenset(
    "title author source_type reliability visibility known_to world_time url entity entities relations lenient".split()
)
_RELATION_KEYS = frozenset(
    "from relation to valid_from valid_until at confidence attributes visibility known_to supersedes quote "
    "from_type to_type text".split()
)
_OLDER_KEYS = {"subject": "from", "predicate": "relation", "object": "to"}


class FrontMatter(NamedTuple):
    """The content of front matter, and the items that cannot be read."""

    entities: tuple[EntityDraft, ...]
    relations: tuple[RelationDraft, ...]
    unread: tuple[UnreadableItem, ...]


class UnreadableEntry(Refused):
    """An item that cannot be read, caught where items are collected."""


KEYS: Mapping[str, DefinitionKind] = {
    "calendar": "calendar", "calendars": "calendar", "era": "era", "eras": "era", "dates": "date",
}  # fmt: skip
_NEEDED: Mapping[DefinitionKind, str] = {
    "calendar": "name and months", "era": "name and start", "date": "slug, label, era and year",
}  # fmt: skip


class DefinitionReport(NamedTuple):
    """The outcome of a document's definitions: their number, the failed ones, and the keys that define nothing."""

    applied: int = 0
    problems: tuple[UnreadableItem, ...] = ()
    warnings: tuple[str, ...] = ()


def parse_front_matter(front: YamlTable) -> FrontMatter:
    """The entities and relations of front matter, or of a table like it."""
    unread: list[UnreadableItem] = []
    entities = [*_parse_entities(front, unread)]
    about = entities[0].name if entities and front.get("entity") is not None else None
    relations = [*_parse_relations(front, about, unread)]
    return FrontMatter(tuple(entities), tuple(relations), tuple(unread))


def _parse_entities(front: YamlTable, unread: list[UnreadableItem]) -> Iterator[EntityDraft]:
    found: list[tuple[Any, int]] = []
    if front.get("entity") is not None:
        found.append((front["entity"], front.line_of("entity")))
    found += list_items(front, "entities", unread)
    for value, line in found:
        try:
            yield parse_entity_table(value, line)
        except UnreadableEntry as problem:
            unread.append(UnreadableItem(line, item_name(value), str(problem)))


def list_items(front: YamlTable, key: str, unread: list[UnreadableItem]) -> list[tuple[Any, int]]:
    """The items under a key with their lines; anything but a list is reported."""
    values = front.get(key)
    if values is None:
        return []
    if not isinstance(values, YamlList):
        unread.append(UnreadableItem(front.line_of(key), key, "should be a list"))
        return []
    return list(zip(values, item_lines(values, front.line_of(key)), strict=True))


def parse_entity_table(value: Any, line: int) -> EntityDraft:
    """One entity: its label, name and aliases, and all else as properties."""
    table = _require_table(value)
    label = table_text(table, "type") or table_text(table, "label")
    if not label:
        raise UnreadableEntry("needs a type")
    properties = {
        key: to_json_value(each)
        for key, each in table.items()
        if key not in ("type", "label", "name", "aliases", "properties")
    }
    nested = table.get("properties")
    if isinstance(nested, YamlTable):
        properties |= to_json_value(nested)
    return EntityDraft(required_text(table, "name"), label, line, tuple(table_texts(table, "aliases")), properties)


def _parse_relations(front: YamlTable, about: str | None, unread: list[UnreadableItem]) -> Iterator[RelationDraft]:
    for value, line in list_items(front, "relations", unread):
        try:
            yield _parse_relation(value, line, about)
        except UnreadableEntry as problem:
            unread.append(UnreadableItem(line, item_name(value), str(problem)))


def _parse_relation(value: Any, line: int, about: str | None) -> RelationDraft:
    given = _require_table(value)
    table = {_OLDER_KEYS.get(key, key): each for key, each in given.items()}
    unknown = [key for key in table if key not in _RELATION_KEYS]
    if unknown:
        raise UnreadableEntry(f"unknown key {unknown[0]}; expected one of {', '.join(sorted(_RELATION_KEYS))}")
    subject = table_text(table, "from") or about
    if subject is None:
        raise UnreadableEntry("needs a from, since the page has no entity")
    at = table_time(table, "at")
    if at is not None and (table.get("valid_from") is not None or table.get("valid_until") is not None):
        raise UnreadableEntry("at sets both bounds; remove valid_from and valid_until")
    relation = required_text(table, "relation")
    return RelationDraft(
        NameRef(subject, table_text(table, "from_type")),
        relation,
        _parse_target(table),
        line,
        f"{subject} {relation} {item_name(table.get('to'))}".strip(),
        at or table_time(table, "valid_from"),
        at or table_time(table, "valid_until"),
        _parse_confidence(table.get("confidence")),
        _parse_attributes(table),
        table_text(table, "quote"),
        _parse_supersedes(table.get("supersedes")),
        "front_matter",
    )


def _parse_target(table: dict[str, Any]) -> DraftTarget:
    to = table.get("to")
    if to is None:
        return None
    if isinstance(to, YamlTable):
        if "literal" in to:
            return LiteralTarget(str(to_json_value(to["literal"])))
        return NameRef(required_text(to, "name"), table_text(to, "type"))
    if isinstance(to, YamlList | bool):
        raise UnreadableEntry("to should be a name")
    return NameRef(time_as_text(to) if isinstance(to, int) else str(to), table_text(table, "to_type"))


def _parse_attributes(table: dict[str, Any]) -> dict[str, Any]:
    attributes = table.get("attributes")
    if attributes is not None and not isinstance(attributes, YamlTable):
        raise UnreadableEntry("attributes should be a table")
    own = {key: to_json_value(table[key]) for key in ("visibility", "known_to") if table.get(key) is not None}
    return {**(to_json_value(attributes) if attributes else {}), **own}


def _parse_confidence(value: Any) -> float:
    if value is None:
        return 1.0
    if not is_confidence(value):
        raise UnreadableEntry("confidence should be a number from 0 to 1")
    return float(value)


def _parse_supersedes(value: Any) -> str | SupersededDraft | None:
    if value is None or isinstance(value, str):
        return value
    table = _require_table(value)
    ends = NameRef(required_text(table, "from")), NameRef(required_text(table, "to"))
    return SupersededDraft(ends[0], required_text(table, "relation"), ends[1], table_time(table, "valid_from"))


def _require_table(value: Any) -> YamlTable:
    if not isinstance(value, YamlTable):
        raise UnreadableEntry("should be a table with keys")
    return value


def table_text(table: dict[str, Any], key: str) -> str | None:
    """A text, trimmed; a number counts as one, blank as absent."""
    value = table.get(key)
    if value is None:
        return None
    if isinstance(value, YamlTable | YamlList | bool):
        raise UnreadableEntry(f"{key} should be a text")
    return str(value).strip() or None


def table_time(table: dict[str, Any], key: str) -> str | None:
    value = table.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return time_as_text(value)
    return table_text(table, key)


def required_text(table: dict[str, Any], key: str) -> str:
    value = table_text(table, key)
    if value is None:
        raise UnreadableEntry(f"needs a {key}")
    return value


def table_texts(table: dict[str, Any], key: str) -> list[str]:
    """A list of texts; one text alone counts as a list of it."""
    value = table.get(key)
    if value is None:
        return []
    each = value if isinstance(value, YamlList) else [value]
    if any(isinstance(one, YamlTable | YamlList | bool) for one in each):
        raise UnreadableEntry(f"{key} should be a list of texts")
    return [str(one).strip() for one in each if one is not None and str(one).strip()]


def item_name(value: Any) -> str:
    """The name of an item in a report."""
    if isinstance(value, dict):
        for key in ("name", "relation", "from", "literal"):
            if isinstance(value.get(key), str | int):
                return str(value[key])[:200]
        return ""
    return "" if value is None else str(value)[:200]


def is_definition(key: str, value: object) -> bool:
    """Whether a key of front matter defines something; `era: Third Age` is only a property."""
    return key in KEYS and isinstance(value, YamlTable | YamlList)


def apply_definitions(change: Change, front: YamlTable) -> DefinitionReport:
    """Apply the definitions of a document, calendars first; repeating them changes nothing."""
    problems: list[UnreadableItem] = []
    items = list(_items(front))
    for kind, value, line in items:
        problem = _fault(change, kind, value)
        if problem is not None:
            problems.append(UnreadableItem(line, f"{kind} {item_name(value)}".strip(), problem))
    return DefinitionReport(len(items) - len(problems), tuple(problems), tuple(_warnings(change, front)))


def definitions_in(front: YamlTable) -> Iterator[tuple[DefinitionKind, dict[str, Any]]]:
    """The well-formed definitions of a document, in the order in which they are applied."""
    for kind, value, _ in _items(front):
        if isinstance(value, YamlTable):
            yield kind, _with_open_end(kind, to_json_value(value))


def _items(front: YamlTable) -> Iterator[tuple[DefinitionKind, Any, int]]:
    for key, kind in KEYS.items():
        value = front.get(key)
        if isinstance(value, YamlTable):
            yield kind, value, front.line_of(key)
        elif isinstance(value, YamlList):
            yield from ((kind, *each) for each in zip(value, item_lines(value, front.line_of(key)), strict=True))


def _fault(change: Change, kind: DefinitionKind, value: Any) -> str | None:
    """Apply one definition; returns the problem, if any."""
    if not isinstance(value, YamlTable):
        return f"{_with_article(kind)} is a table with {_NEEDED[kind]}, as define_{kind} takes them"
    fields = _with_open_end(kind, to_json_value(value))
    said = json.dumps([kind, fields], sort_keys=True, ensure_ascii=False)
    digest = blake2b(said.encode(), digest_size=16, person=b"definition").hexdigest()
    if change.was_ingested(digest):
        return None
    try:
        define(change, kind, fields)
    except (Refused, Conflict) as problem:
        return f"{problem}; {_with_article(kind)} has {_NEEDED[kind]}, as define_{kind} takes them"
    change.mark_ingested(digest)
    return None


def _with_open_end(kind: DefinitionKind, fields: dict[str, Any]) -> dict[str, Any]:
    """An era without an end goes on, as authors leave it out; `define_era` asks for it."""
    return {"end": None, **fields} if kind == "era" else fields


def _with_article(kind: DefinitionKind) -> str:
    return f"an {kind}" if kind == "era" else f"a {kind}"


def _warnings(change: Change, front: YamlTable) -> Iterator[str]:
    value = front.get("calendar")
    if value is None or is_definition("calendar", value) or find_calendar(change.world.timeline, str(value)):
        return
    yield (
        f"line {front.line_of('calendar')}: calendar: {value} was not applied, since no such calendar is defined; "
        "give it name and months, or call define_calendar"
    )
