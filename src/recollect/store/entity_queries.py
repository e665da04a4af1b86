"""Queries of entities and their names: lists, counts, pages, and names by their parts."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import starmap
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.names import Name, NameKind
from recollect.store.activity_queries import changes_of_entities
from recollect.store.rows import entity_of
from recollect.store.view import View
from recollect.when.instant import Instant

LAST_CHARACTER = "\U0010ffff"


def entity_types(view: View) -> list[str]:
    """The stored types that any entity has."""
    return view.fetch_values("entity_types")


def entity_named(view: View, folded: str) -> Entity | None:
    """The entity that alone has this folded name; none if several match or it matches as an alias."""
    rows = view.rows("entities_named", folded=folded)
    if len(rows) != 1:
        return None
    kind, *columns = rows[0]
    return entity_of(tuple(columns)) if kind == "name" else None


def unconfirmed_entities(view: View) -> list[Entity]:
    """Live entities that are still provisional."""
    return view.fetch_entities("entities_unconfirmed")


def entities_with_any_role(view: View) -> list[Entity]:
    """Live entities that have a role property."""
    return view.fetch_entities("entities_with_role")


def list_entities(view: View, type_: str | None, *, deleted: bool, limit: int, offset: int) -> list[Entity]:
    """Entities of a type, or of any, last changed first."""
    query = "nodes_listed" if type_ is None else "nodes_listed_of_type"
    again = view.fetch_entities("nodes_brought_back", type=type_, deleted=int(deleted))
    if not again:
        return view.fetch_entities(query, type=type_, deleted=int(deleted), limit=limit, offset=offset)
    changed, stop = changes_of_entities(view, again), offset + limit
    listed = view.fetch_entities(query, type=type_, deleted=int(deleted), limit=stop + len(again), offset=0)
    plain = [each for each in listed if each.id not in changed]
    changed |= {each.id: each.tx_from for each in plain}
    return sorted([*plain, *again], key=lambda each: (-changed[each.id], each.name, each.id))[offset:stop]


def count_entities(view: View, type_: str | None, *, deleted: bool) -> int:
    return view.fetch_number("nodes_counted", type=type_, deleted=int(deleted))


def last_seen(view: View, entities: Collection[EntityId]) -> dict[EntityId, Instant]:
    """The newest source time of each entity's facts."""
    return dict(view.rows("entities_last_seen", entities=sorted(entities)))


class CountedEntity(NamedTuple):
    id: EntityId
    name: str
    type: str
    facts: int


def entities_by_name(view: View, kind: str | None, limit: int) -> list[CountedEntity]:
    """Entities by name, each with the number of facts it occurs in."""
    return view.fetch(CountedEntity, "entities_page", type=kind, limit=limit)


def count_live_entities(view: View, kind: str | None) -> int:
    return view.fetch_number("entities_counted", type=kind)


def entity_ids_after(view: View, after: str, limit: int) -> list[EntityId]:
    """A page of live entities in the order of their ids."""
    return view.fetch_values("check_ids_after", after=after, limit=limit)


def has_more_entities_than(view: View, count: int) -> bool:
    return bool(view.rows("check_beyond", many=count))


def entity_types_in_use(view: View) -> frozenset[str]:
    return frozenset(type_ for (type_,) in view.rows("rule_types_used"))


def entities_of_types(view: View, types: Iterable[str], most: int) -> list[Entity] | None:
    """Live entities of these types, in no order; none if there are more than `most`."""
    found = view.fetch_entities("rule_entities_few", types=sorted(types), limit=most + 1)
    return found if len(found) <= most else None


def count_entities_of_types(view: View, types: Iterable[str], limit: int) -> int:
    """How many live entities of these types there are, counted up to the limit."""
    return len(view.rows("rule_types_counted", types=sorted(types), limit=limit))


def entities_with_date_properties(view: View, types: Collection[str]) -> list[EntityId]:
    """The live entities of these types that may have a date, start or end among their properties."""
    return view.fetch_values("events_with_dates", types=sorted(types))


def name_change_txs(view: View, entity: EntityId) -> set[int]:
    """The transactions in which an entity gained or lost a name."""
    return {int(tx) for row in view.rows("names_ever", entity=entity) for tx in row if tx <= view.as_of_tx}


def is_mentioned(view: View, entity: EntityId) -> bool:
    """Whether any document mentions an entity."""
    return bool(view.rows("documents_mentioning", entity=entity))


def all_nodes(view: View) -> list[Entity]:
    """All live nodes, by id."""
    return sorted(live_entities(view), key=lambda node: node.id)


def described_nodes(view: View, type_: str | None) -> list[Entity]:
    """Live nodes with a description, of one type or of any."""
    return view.fetch_entities("nodes_described", type=type_)


def nodes_changed_after(view: View, upto: int, limit: int) -> list[Entity]:
    """The next live nodes that a transaction after this one wrote, in order."""
    return view.fetch_entities("nodes_begun_after", upto=upto, limit=limit)


def entities_after(view: View, after: str, limit: int) -> list[Entity]:
    """The next live entities by id."""
    return view.fetch_entities("entities_after", after=after, limit=limit)


def live_entities(view: View, ids: Collection[EntityId] | None = None) -> list[Entity]:
    """The entities with these ids, or all of them."""
    return view.fetch_entities("named_entities", everything=int(ids is None), ids=sorted(ids or ()))


class NodeStatistics(NamedTuple):
    type: str
    nodes: int
    oldest: Instant
    newest: Instant


def node_statistics(view: View) -> list[NodeStatistics]:
    return [
        NodeStatistics(type_, int(count), Instant(oldest), Instant(newest))
        for type_, count, oldest, newest in view.rows("node_statistics")
    ]


def tokens_containing(view: View, text: str, suffix_key: str, limit: int) -> list[str]:
    """Tokens of names with the text inside, found by a suffix that begins with the key."""
    asked = {"text": text, "lo": suffix_key, "hi": suffix_key + LAST_CHARACTER, "limit": limit}
    return view.fetch_values("tokens_with_part", **asked)


def names_with_tokens(view: View, tokens: Sequence[str], limit: int) -> Iterator[Name]:
    return starmap(Name, view.rows("names_with_words", tokens=tokens, limit=limit) if tokens else ())


def names_like(view: View, text: str, limit: int) -> Iterator[Name]:
    """Names with the text inside; every name is read. Characters with a meaning in patterns match any character."""
    loose = "".join("_" if letter in "%_\\" else letter for letter in text)
    return starmap(Name, view.rows("names_containing", part=f"%{loose}%", limit=limit))


def names_of_entities(view: View, entities: Collection[EntityId]) -> list[Name]:
    return list(starmap(Name, view.rows("names_of_entities", entities=sorted(entities)) if entities else ()))


def name_known_since(view: View, entity: EntityId, kind: NameKind, folded: str) -> int | None:
    """The transaction that first gave an entity a name of this kind; none if it never had it."""
    return next((tx for [tx] in view.rows("name_known_since", entity=entity, kind=kind, folded=folded)), None)
