"""Parser of structured lore: timelines, family trees, gazetteers, bestiaries, magic systems."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from recollect.ingest.drafts import EntityDraft, NameRef, RelationDraft, SourceDraft, UnreadableItem
from recollect.ingest.lore.entities import to_json_value
from recollect.ingest.lore.front_matter import (
    DOCUMENT_KEYS,
    UnreadableEntry,
    item_name,
    list_items,
    required_text,
    table_text,
    table_texts,
    table_time,
)
from recollect.ingest.lore.front_matter import KEYS as DEFINITION_KEYS
from recollect.ingest.lore.markup import YamlList, YamlTable
from recollect.model.labels import read_label

StructuredItem = EntityDraft | RelationDraft
EntryReader = Callable[[YamlTable, int, YamlTable], Iterator[StructuredItem]]
_BOOLEAN_WORDS = {"yes": True, "true": True, "no": False, "false": False, "on": True, "off": False}


class DatedName(NamedTuple):
    """A name in a list, with its time."""

    name: str
    start: str | None = None
    end: str | None = None


class StructuredKind(NamedTuple):
    """One kind: its top-level keys, the lists among them, and the reader of their entries."""

    keys: frozenset[str]
    lists: Mapping[str, EntryReader]
    read_top: Callable[[YamlTable], Iterator[StructuredItem]] | None = None


def parse_structured(source_type: str, top: YamlTable) -> SourceDraft:
    """All that a structured document states; entries that cannot be read are reported with their lines."""
    shape = STRUCTURED_KINDS[source_type]
    unread: list[UnreadableItem] = []
    found: list[StructuredItem] = []
    if shape.read_top is not None:
        _collect(found, unread, partial(shape.read_top, top), top.line, source_type)
    for key, read in shape.lists.items():
        for value, line in list_items(top, key, unread):
            _collect(found, unread, partial(_read_entry, read, value, line, top), line, item_name(value))
    warnings = unknown_key_warnings(top, shape.keys, f"in a {source_type}")
    entities = tuple(each for each in found if isinstance(each, EntityDraft))
    relations = tuple(each for each in found if isinstance(each, RelationDraft))
    return SourceDraft(entities, relations, (), tuple(unread), warnings)


def unknown_key_warnings(top: YamlTable, known: Iterable[str], where: str) -> tuple[str, ...]:
    """A warning for each unknown key of a document."""
    read = {*known, *DOCUMENT_KEYS, *DEFINITION_KEYS}
    return tuple(f"line {top.line_of(key)}: unknown key {key} {where}; skipped" for key in top if key not in read)


def _read_entry(read: EntryReader, value: Any, line: int, top: YamlTable) -> Iterator[StructuredItem]:
    return read(_as_table(value), line, top)


def _collect(
    found: list[StructuredItem],
    unread: list[UnreadableItem],
    read: Callable[[], Iterator[StructuredItem]],
    line: int,
    item: str,
) -> None:
    """Add everything that an entry states, or nothing of it."""
    try:
        found += list(read())
    except UnreadableEntry as problem:
        unread.append(UnreadableItem(line, item, str(problem)))


def _as_table(value: Any) -> YamlTable:
    if isinstance(value, YamlTable):
        return value
    if isinstance(value, str | int) and not isinstance(value, bool):
        named = YamlTable(0)
        named["name"] = value
        return named
    raise UnreadableEntry("should be a table with a name")


def iter_names(table: YamlTable, key: str) -> Iterator[DatedName]:
    """The names under a key: one or many, each a text or `{name, from, until}`."""
    value = table.get(key)
    if value is None:
        return
    for each in value if isinstance(value, YamlList) else [value]:
        if isinstance(each, YamlTable):
            yield DatedName(required_text(each, "name"), table_time(each, "from"), table_time(each, "until"))
        elif isinstance(each, str | int) and not isinstance(each, bool):
            yield DatedName(str(each).strip())
        else:
            raise UnreadableEntry(f"{key} should hold names")


def _entity_draft(table: YamlTable, label: str, line: int, known: str) -> EntityDraft:
    """The entity of an entry; other keys become its properties."""
    read = {*known.split(), "name", "aliases", "type"}
    properties = {key: to_json_value(value) for key, value in table.items() if key not in read}
    finer = table_text(table, "type")
    if finer and read_label(finer) != read_label(label):
        properties = {"subtype": read_label(finer).subtype or finer, **properties}
    return EntityDraft(required_text(table, "name"), label, line, tuple(table_texts(table, "aliases")), properties)


def _relation_draft(
    subject: str, relation: str, target: str, line: int, times: tuple[str | None, str | None] = (None, None)
) -> RelationDraft:
    item = f"{subject} {relation.upper()} {target}"
    return RelationDraft(NameRef(subject), relation, NameRef(target), line, item, *times)


def _parse_flag(table: YamlTable, key: str, default: bool) -> bool:
    value = table.get(key)
    if value is None:
        return default
    if isinstance(value, bool):
        return value
    word = _BOOLEAN_WORDS.get(str(value).lower())
    if word is None:
        raise UnreadableEntry(f"{key} should be true or false")
    return word


def _event_items(table: YamlTable, line: int, _: YamlTable) -> Iterator[StructuredItem]:
    known = "date from until location participants witnesses caused_by causes preceded_by"
    event = _entity_draft(table, "Event", line, known)
    yield event
    when = _event_time(table)
    if when is not None:
        yield RelationDraft(
            NameRef(event.name), "occurred_during", NameRef(when), line, f"{event.name} OCCURRED_DURING {when}"
        )
    point = (None, None) if when is None else _time_ends(when)
    for place in iter_names(table, "location"):
        yield _relation_draft(
            event.name, "occurred_at", place.name, line, (place.start or point[0], place.end or point[1])
        )
    for key, relation in (("participants", "participated_in"), ("witnesses", "witnessed")):
        for who in iter_names(table, key):
            yield _relation_draft(who.name, relation, event.name, line, (who.start or point[0], who.end or point[1]))
    for key, relation, forward in (
        ("caused_by", "caused", False),
        ("causes", "caused", True),
        ("preceded_by", "preceded", False),
    ):
        for other in iter_names(table, key):
            ends = (event.name, other.name) if forward else (other.name, event.name)
            yield _relation_draft(ends[0], relation, ends[1], line, (other.start, other.end))


def _event_time(table: YamlTable) -> str | None:
    date, start, end = table_time(table, "date"), table_time(table, "from"), table_time(table, "until")
    if date is not None and (start is not None or end is not None):
        raise UnreadableEntry("has a date, or from and until, not both")
    if date is not None:
        return date
    if start is not None and end is not None:
        return f"{start} .. {end}"
    return start or end


def _time_ends(when: str) -> tuple[str, str]:
    first, _, last = when.partition(" .. ")
    return first, last or first


def _lineage_items(top: YamlTable) -> Iterator[StructuredItem]:
    value = top.get("lineage")
    if value is None:
        return
    yield _entity_draft(_as_table(value), "Lineage", top.line_of("lineage"), "")


def _member_items(table: YamlTable, line: int, top: YamlTable) -> Iterator[StructuredItem]:
    known = "born died parents father mother spouses titles member"
    person = _entity_draft(table, "Person", line, known)
    name = person.name
    yield person
    for key in ("born", "died"):
        yield from _life_event(table, key, name, line)
    for parent in iter_names(table, "parents"):
        yield _relation_draft(parent.name, "parent_of", name, line, (parent.start, parent.end))
    for key in ("father", "mother"):
        for parent in iter_names(table, key):
            yield _relation_draft(parent.name, "parent_of", name, line)._replace(attributes={"role": key})
    for spouse in iter_names(table, "spouses"):
        yield _relation_draft(name, "spouse_of", spouse.name, line, (spouse.start, spouse.end))
    for title in iter_names(table, "titles"):
        yield _relation_draft(name, "holds_title", title.name, line, (title.start, title.end))
    if top.get("lineage") is not None and _parse_flag(table, "member", True):
        yield _relation_draft(name, "member_of", required_text(_as_table(top["lineage"]), "name"), line)


def _life_event(table: YamlTable, key: str, name: str, line: int) -> Iterator[StructuredItem]:
    """A birth or death: a time, or a table with a time and a place."""
    value = table.get(key)
    if value is None:
        return
    place, when = None, None
    if isinstance(value, YamlTable):
        when, place = table_time(value, "date") or table_time(value, "at"), table_text(value, "place")
    elif isinstance(value, bool):
        when = None
        if not value:
            return
    else:
        when = table_time(table, key)
    target = NameRef(place) if place else None
    yield RelationDraft(NameRef(name), key, target, line, f"{name} {key.upper()}", when, when)


def _place_items(table: YamlTable, line: int, _: YamlTable) -> Iterator[StructuredItem]:
    known = "part_of ruled_by controlled_by capital_of root"
    place = _entity_draft(table, "Location", line, known)
    if _parse_flag(table, "root", False):
        place = place._replace(properties={**place.properties, "root": True})
    yield place
    for key, relation, is_subject in (
        ("part_of", "part_of", True),
        ("capital_of", "capital_of", True),
        ("ruled_by", "rules", False),
        ("controlled_by", "controls", False),
    ):
        for other in iter_names(table, key):
            ends = (place.name, other.name) if is_subject else (other.name, place.name)
            yield _relation_draft(ends[0], relation, ends[1], line, (other.start, other.end))


def _creature_items(table: YamlTable, line: int, _: YamlTable) -> Iterator[StructuredItem]:
    creature = _entity_draft(table, "Creature", line, "habitat")
    yield creature
    for place in iter_names(table, "habitat"):
        yield _relation_draft(creature.name, "located_in", place.name, line, (place.start, place.end))


def _magic_system_items(top: YamlTable) -> Iterator[StructuredItem]:
    table = _as_table(top.get("system"))
    line = top.line_of("system")
    system = _entity_draft(table, "MagicSystem", line, "practitioners created_by")
    yield system
    for key, relation in (("practitioners", "practices"), ("created_by", "created")):
        for holder in (table, top):
            for who in iter_names(holder, key):
                yield _relation_draft(who.name, relation, system.name, line, (who.start, who.end))


def _spell_items(table: YamlTable, line: int, top: YamlTable) -> Iterator[StructuredItem]:
    spell = _entity_draft(table, "Spell", line, "from until")
    yield spell
    system = required_text(_as_table(top.get("system")), "name")
    yield _relation_draft(spell.name, "part_of", system, line, (table_time(table, "from"), table_time(table, "until")))


STRUCTURED_KINDS: Mapping[str, StructuredKind] = {
    "timeline": StructuredKind(frozenset({"events"}), {"events": _event_items}),
    "family_tree": StructuredKind(frozenset({"lineage", "people"}), {"people": _member_items}, _lineage_items),
    "gazetteer": StructuredKind(frozenset({"places"}), {"places": _place_items}),
    "bestiary": StructuredKind(frozenset({"creatures"}), {"creatures": _creature_items}),
    "magic_system": StructuredKind(
        frozenset({"system", "spells", "practitioners", "created_by"}), {"spells": _spell_items}, _magic_system_items
    ),
}


def detect_structured_kind(top: YamlTable) -> str | None:
    """The kind of structured lore that a table is, by its keys."""
    for name, shape in STRUCTURED_KINDS.items():
        if any(key in top for key in shape.keys - {"practitioners", "created_by"}):
            return name
    return None
