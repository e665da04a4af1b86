"""The five kinds of structured lore: timelines, family trees, gazetteers, bestiaries, systems of magic."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from recollect.ingest.lore.definitions import KEYS as DEFINITION_KEYS
from recollect.ingest.lore.draft import EntityDraft, Named, Reading, RelationDraft, Unread
from recollect.ingest.lore.entity import plain_value
from recollect.ingest.lore.front import ABOUT_DOCUMENT, BadItem, items, name_of, needed, text_of, texts, time_of
from recollect.ingest.lore.tables import Sequence, Table
from recollect.model.labels import read_label

Item = EntityDraft | RelationDraft
Reader = Callable[[Table, int, Table], Iterator[Item]]
_YES = {"yes": True, "true": True, "no": False, "false": False, "on": True, "off": False}


class Listed(NamedTuple):
    """A name in a list, with the time it stands for."""

    name: str
    start: str | None = None
    end: str | None = None


class Shape(NamedTuple):
    """One kind: its top-level keys, the lists among them, and what reads an entry of each."""

    keys: frozenset[str]
    lists: Mapping[str, Reader]
    whole: Callable[[Table], Iterator[Item]] | None = None


def read_structured(source_type: str, top: Table) -> Reading:
    """All that a structured document states; entries that cannot be read are reported with their lines."""
    shape = SHAPES[source_type]
    unread: list[Unread] = []
    found: list[Item] = []
    if shape.whole is not None:
        _collect(found, unread, partial(shape.whole, top), top.line, source_type)
    for key, read in shape.lists.items():
        for value, line in items(top, key, unread):
            _collect(found, unread, partial(_read_entry, read, value, line, top), line, name_of(value))
    warnings = left_out(top, shape.keys, f"in a {source_type}")
    entities = tuple(each for each in found if isinstance(each, EntityDraft))
    relations = tuple(each for each in found if isinstance(each, RelationDraft))
    return Reading(entities, relations, (), tuple(unread), warnings)


def left_out(top: Table, known: Iterable[str], where: str) -> tuple[str, ...]:
    """A warning for each key of a document that nothing reads."""
    read = {*known, *ABOUT_DOCUMENT, *DEFINITION_KEYS}
    return tuple(f"line {top.line_of(key)}: {key} is not known {where}; left out" for key in top if key not in read)


def _read_entry(read: Reader, value: Any, line: int, top: Table) -> Iterator[Item]:
    return read(_entry(value), line, top)


def _collect(found: list[Item], unread: list[Unread], read: Callable[[], Iterator[Item]], line: int, item: str) -> None:
    """Take all that an entry gives, or nothing of it."""
    try:
        found += list(read())
    except BadItem as problem:
        unread.append(Unread(line, item, str(problem)))


def _entry(value: Any) -> Table:
    if isinstance(value, Table):
        return value
    if isinstance(value, str | int) and not isinstance(value, bool):
        named = Table(0)
        named["name"] = value
        return named
    raise BadItem("should be a table with a name")


def listed(table: Table, key: str) -> Iterator[Listed]:
    """The names under a key: one or many, each a text or `{name, from, until}`."""
    value = table.get(key)
    if value is None:
        return
    for each in value if isinstance(value, Sequence) else [value]:
        if isinstance(each, Table):
            yield Listed(needed(each, "name"), time_of(each, "from"), time_of(each, "until"))
        elif isinstance(each, str | int) and not isinstance(each, bool):
            yield Listed(str(each).strip())
        else:
            raise BadItem(f"{key} should hold names")


def _described(table: Table, label: str, line: int, known: str) -> EntityDraft:
    """The entity of an entry; keys that nobody reads are its properties."""
    read = {*known.split(), "name", "aliases", "type"}
    properties = {key: plain_value(value) for key, value in table.items() if key not in read}
    finer = text_of(table, "type")
    if finer and read_label(finer) != read_label(label):
        properties = {"subtype": read_label(finer).subtype or finer, **properties}
    return EntityDraft(needed(table, "name"), label, line, tuple(texts(table, "aliases")), properties)


def _relation(
    subject: str, relation: str, target: str, line: int, times: tuple[str | None, str | None] = (None, None)
) -> RelationDraft:
    item = f"{subject} {relation.upper()} {target}"
    return RelationDraft(Named(subject), relation, Named(target), line, item, *times)


def _flag(table: Table, key: str, default: bool) -> bool:
    value = table.get(key)
    if value is None:
        return default
    if isinstance(value, bool):
        return value
    word = _YES.get(str(value).lower())
    if word is None:
        raise BadItem(f"{key} should be true or false")
    return word


def _event(table: Table, line: int, _: Table) -> Iterator[Item]:
    known = "date from until location participants witnesses caused_by causes preceded_by"
    event = _described(table, "Event", line, known)
    yield event
    when = _when(table)
    if when is not None:
        yield RelationDraft(
            Named(event.name), "occurred_during", Named(when), line, f"{event.name} OCCURRED_DURING {when}"
        )
    point = (None, None) if when is None else _ends(when)
    for place in listed(table, "location"):
        yield _relation(event.name, "occurred_at", place.name, line, (place.start or point[0], place.end or point[1]))
    for key, relation in (("participants", "participated_in"), ("witnesses", "witnessed")):
        for who in listed(table, key):
            yield _relation(who.name, relation, event.name, line, (who.start or point[0], who.end or point[1]))
    for key, relation, forward in (
        ("caused_by", "caused", False),
        ("causes", "caused", True),
        ("preceded_by", "preceded", False),
    ):
        for other in listed(table, key):
            ends = (event.name, other.name) if forward else (other.name, event.name)
            yield _relation(ends[0], relation, ends[1], line, (other.start, other.end))


def _when(table: Table) -> str | None:
    date, start, end = time_of(table, "date"), time_of(table, "from"), time_of(table, "until")
    if date is not None and (start is not None or end is not None):
        raise BadItem("has a date, or from and until, not both")
    if date is not None:
        return date
    if start is not None and end is not None:
        return f"{start} .. {end}"
    return start or end


def _ends(when: str) -> tuple[str, str]:
    first, _, last = when.partition(" .. ")
    return first, last or first


def _lineage(top: Table) -> Iterator[Item]:
    value = top.get("lineage")
    if value is None:
        return
    yield _described(_entry(value), "Lineage", top.line_of("lineage"), "")


def _member(table: Table, line: int, top: Table) -> Iterator[Item]:
    known = "born died parents father mother spouses titles member"
    person = _described(table, "Person", line, known)
    name = person.name
    yield person
    for key in ("born", "died"):
        yield from _life(table, key, name, line)
    for parent in listed(table, "parents"):
        yield _relation(parent.name, "parent_of", name, line, (parent.start, parent.end))
    for key in ("father", "mother"):
        for parent in listed(table, key):
            yield _relation(parent.name, "parent_of", name, line)._replace(attributes={"role": key})
    for spouse in listed(table, "spouses"):
        yield _relation(name, "spouse_of", spouse.name, line, (spouse.start, spouse.end))
    for title in listed(table, "titles"):
        yield _relation(name, "holds_title", title.name, line, (title.start, title.end))
    if top.get("lineage") is not None and _flag(table, "member", True):
        yield _relation(name, "member_of", needed(_entry(top["lineage"]), "name"), line)


def _life(table: Table, key: str, name: str, line: int) -> Iterator[Item]:
    """A birth or death: a time, or a table with a time and a place."""
    value = table.get(key)
    if value is None:
        return
    place, when = None, None
    if isinstance(value, Table):
        when, place = time_of(value, "date") or time_of(value, "at"), text_of(value, "place")
    elif isinstance(value, bool):
        when = None
        if not value:
            return
    else:
        when = time_of(table, key)
    target = Named(place) if place else None
    yield RelationDraft(Named(name), key, target, line, f"{name} {key.upper()}", when, when)


def _place(table: Table, line: int, _: Table) -> Iterator[Item]:
    known = "part_of ruled_by controlled_by capital_of root"
    place = _described(table, "Location", line, known)
    if _flag(table, "root", False):
        place = place._replace(properties={**place.properties, "root": True})
    yield place
    for key, relation, is_subject in (
        ("part_of", "part_of", True),
        ("capital_of", "capital_of", True),
        ("ruled_by", "rules", False),
        ("controlled_by", "controls", False),
    ):
        for other in listed(table, key):
            ends = (place.name, other.name) if is_subject else (other.name, place.name)
            yield _relation(ends[0], relation, ends[1], line, (other.start, other.end))


def _creature(table: Table, line: int, _: Table) -> Iterator[Item]:
    creature = _described(table, "Creature", line, "habitat")
    yield creature
    for place in listed(table, "habitat"):
        yield _relation(creature.name, "located_in", place.name, line, (place.start, place.end))


def _system(top: Table) -> Iterator[Item]:
    table = _entry(top.get("system"))
    line = top.line_of("system")
    system = _described(table, "MagicSystem", line, "practitioners created_by")
    yield system
    for key, relation in (("practitioners", "practices"), ("created_by", "created")):
        for holder in (table, top):
            for who in listed(holder, key):
                yield _relation(who.name, relation, system.name, line, (who.start, who.end))


def _spell(table: Table, line: int, top: Table) -> Iterator[Item]:
    spell = _described(table, "Spell", line, "from until")
    yield spell
    system = needed(_entry(top.get("system")), "name")
    yield _relation(spell.name, "part_of", system, line, (time_of(table, "from"), time_of(table, "until")))


SHAPES: Mapping[str, Shape] = {
    "timeline": Shape(frozenset({"events"}), {"events": _event}),
    "family_tree": Shape(frozenset({"lineage", "people"}), {"people": _member}, _lineage),
    "gazetteer": Shape(frozenset({"places"}), {"places": _place}),
    "bestiary": Shape(frozenset({"creatures"}), {"creatures": _creature}),
    "magic_system": Shape(frozenset({"system", "spells", "practitioners", "created_by"}), {"spells": _spell}, _system),
}


def shape_of(top: Table) -> str | None:
    """The kind of structured lore that a table is, by its keys."""
    for name, shape in SHAPES.items():
        if any(key in top for key in shape.keys - {"practitioners", "created_by"}):
            return name
    return None
