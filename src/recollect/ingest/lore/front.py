"""Front matter: what a page is about, and the relations it states outright."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from recollect.errors import Refused
from recollect.ingest.lore.draft import EntityDraft, Named, RelationDraft, Retold, Target, Text, Unread
from recollect.ingest.lore.entity import plain_value, time_words
from recollect.ingest.lore.tables import Sequence, Table, lines_of

ABOUT_DOCUMENT = frozenset(
    "title author source_type reliability visibility known_to world_time url entity entities relations lenient".split()
)
_RELATION_KEYS = frozenset(
    "from relation to valid_from valid_until at confidence attributes visibility known_to supersedes quote "
    "from_type to_type text".split()
)
_OLDER = {"subject": "from", "predicate": "relation", "object": "to"}


class Front(NamedTuple):
    """What front matter states, and what of it cannot be read."""

    entities: tuple[EntityDraft, ...]
    relations: tuple[RelationDraft, ...]
    unread: tuple[Unread, ...]


class BadItem(Refused):
    """An item that cannot be read, caught where items are collected."""


def read_front(front: Table) -> Front:
    """The entities and relations of front matter, or of a table like it."""
    unread: list[Unread] = []
    entities = [*_entities(front, unread)]
    about = entities[0].name if entities and front.get("entity") is not None else None
    relations = [*_relations(front, about, unread)]
    return Front(tuple(entities), tuple(relations), tuple(unread))


def _entities(front: Table, unread: list[Unread]) -> Iterator[EntityDraft]:
    found: list[tuple[Any, int]] = []
    if front.get("entity") is not None:
        found.append((front["entity"], front.line_of("entity")))
    found += items(front, "entities", unread)
    for value, line in found:
        try:
            yield entity(value, line)
        except BadItem as problem:
            unread.append(Unread(line, name_of(value), str(problem)))


def items(front: Table, key: str, unread: list[Unread]) -> list[tuple[Any, int]]:
    """The items under a key with their lines; what is no list is reported."""
    values = front.get(key)
    if values is None:
        return []
    if not isinstance(values, Sequence):
        unread.append(Unread(front.line_of(key), key, "should be a list"))
        return []
    return list(zip(values, lines_of(values, front.line_of(key)), strict=True))


def entity(value: Any, line: int) -> EntityDraft:
    """One entity: its label, name and aliases, and all else as properties."""
    table = _table(value)
    label = text_of(table, "type") or text_of(table, "label")
    if not label:
        raise BadItem("needs a type")
    properties = {
        key: plain_value(each)
        for key, each in table.items()
        if key not in ("type", "label", "name", "aliases", "properties")
    }
    nested = table.get("properties")
    if isinstance(nested, Table):
        properties |= plain_value(nested)
    return EntityDraft(needed(table, "name"), label, line, tuple(texts(table, "aliases")), properties)


def _relations(front: Table, about: str | None, unread: list[Unread]) -> Iterator[RelationDraft]:
    for value, line in items(front, "relations", unread):
        try:
            yield _relation(value, line, about)
        except BadItem as problem:
            unread.append(Unread(line, name_of(value), str(problem)))


def _relation(value: Any, line: int, about: str | None) -> RelationDraft:
    given = _table(value)
    table = {_OLDER.get(key, key): each for key, each in given.items()}
    unknown = [key for key in table if key not in _RELATION_KEYS]
    if unknown:
        raise BadItem(f"{unknown[0]} is not known here; known are {', '.join(sorted(_RELATION_KEYS))}")
    subject = text_of(table, "from") or about
    if subject is None:
        raise BadItem("needs a from, since the page has no entity of its own")
    at = time_of(table, "at")
    if at is not None and (table.get("valid_from") is not None or table.get("valid_until") is not None):
        raise BadItem("at stands for both bounds; leave out valid_from and valid_until")
    relation = needed(table, "relation")
    return RelationDraft(
        Named(subject, text_of(table, "from_type")),
        relation,
        _target(table),
        line,
        f"{subject} {relation} {name_of(table.get('to'))}".strip(),
        at or time_of(table, "valid_from"),
        at or time_of(table, "valid_until"),
        _confidence(table.get("confidence")),
        _attributes(table),
        text_of(table, "quote"),
        _supersedes(table.get("supersedes")),
        "front_matter",
    )


def _target(table: dict[str, Any]) -> Target:
    to = table.get("to")
    if to is None:
        return None
    if isinstance(to, Table):
        if "literal" in to:
            return Text(str(plain_value(to["literal"])))
        return Named(needed(to, "name"), text_of(to, "type"))
    if isinstance(to, Sequence | bool):
        raise BadItem("to should be a name")
    return Named(time_words(to) if isinstance(to, int) else str(to), text_of(table, "to_type"))


def _attributes(table: dict[str, Any]) -> dict[str, Any]:
    attributes = table.get("attributes")
    if attributes is not None and not isinstance(attributes, Table):
        raise BadItem("attributes should be a table")
    own = {key: plain_value(table[key]) for key in ("visibility", "known_to") if table.get(key) is not None}
    return {**(plain_value(attributes) if attributes else {}), **own}


def _confidence(value: Any) -> float:
    if value is None:
        return 1.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise BadItem("confidence should be a number from 0 to 1")
    return float(value)


def _supersedes(value: Any) -> str | Retold | None:
    if value is None or isinstance(value, str):
        return value
    table = _table(value)
    ends = Named(needed(table, "from")), Named(needed(table, "to"))
    return Retold(ends[0], needed(table, "relation"), ends[1], time_of(table, "valid_from"))


def _table(value: Any) -> Table:
    if not isinstance(value, Table):
        raise BadItem("should be a table with keys")
    return value


def text_of(table: dict[str, Any], key: str) -> str | None:
    """A text, trimmed; a number counts as one, blank as absent."""
    value = table.get(key)
    if value is None:
        return None
    if isinstance(value, Table | Sequence | bool):
        raise BadItem(f"{key} should be a text")
    return str(value).strip() or None


def time_of(table: dict[str, Any], key: str) -> str | None:
    value = table.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return time_words(value)
    return text_of(table, key)


def needed(table: dict[str, Any], key: str) -> str:
    value = text_of(table, key)
    if value is None:
        raise BadItem(f"needs a {key}")
    return value


def texts(table: dict[str, Any], key: str) -> list[str]:
    """A list of texts; one text alone counts as a list of it."""
    value = table.get(key)
    if value is None:
        return []
    each = value if isinstance(value, Sequence) else [value]
    if any(isinstance(one, Table | Sequence | bool) for one in each):
        raise BadItem(f"{key} should be a list of texts")
    return [str(one).strip() for one in each if one is not None and str(one).strip()]


def name_of(value: Any) -> str:
    """What to call an item in a report."""
    if isinstance(value, dict):
        for key in ("name", "relation", "from", "literal"):
            if isinstance(value.get(key), str | int):
                return str(value[key])[:200]
        return ""
    return "" if value is None else str(value)[:200]
