"""Reads the items of some entities and all the facts that decide which of these items are closed."""

from collections.abc import Collection, Iterable

from recollect.model.fact import default_text
from recollect.model.ids import EntityId, FactId
from recollect.reason.fact_links import AssertionMoment, LinkEnd
from recollect.reason.open_items import (
    BLOCKERS,
    ITEM_PREDICATES,
    RESOLVED_BY,
    ItemFact,
    ItemMatcher,
    as_blocker,
    closing_predicates_of,
    find_closings,
)
from recollect.store import graph_queries
from recollect.store.graph_queries import ItemFactRow
from recollect.store.view import View


def closed_items(view: View, entities: Collection[EntityId]) -> dict[FactId, FactId]:
    """The closed items with one of these entities at an end, each with the fact that closes it."""
    lookup = _Lookup(view)
    own = lookup.items_at(entities)
    lookup.follow(own)
    closed = lookup.closed()
    return {item.id: closed[item.id] for item in own if item.id in closed}


class _Lookup:
    """Collects, starting from some items, all facts that decide about them.

    What a closing fact closes depends on the other items it matches, and these depend on their own closing facts. Such
    chains are short, because each link must share words; a round is two queries, and each entity is queried once.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._items: dict[FactId, ItemFact] = {}
        self._closers: dict[FactId, ItemFact] = {}
        self._relevant: dict[FactId, ItemFact] = {}
        self._queried_items: set[EntityId] = set()
        self._queried_closers: set[tuple[EntityId, frozenset[str]]] = set()

    def items_at(self, entities: Collection[EntityId]) -> list[ItemFact]:
        new = set(entities) - self._queried_items
        self._queried_items |= new
        found = _read(self._view, new, ITEM_PREDICATES)
        self._items |= {item.id: item for item in found}
        return found

    def follow(self, items: Collection[ItemFact]) -> None:
        """Read the closing facts of these items, then of the other items those match, until no new item is matched."""
        followed: set[FactId] = set()
        while items:
            followed |= {item.id for item in items}
            self._read_closers(items)
            touching = self._touching(items)
            self._relevant |= {closer.id: closer for closer in touching}
            self.items_at({end for closer in touching for end in closer.ends})
            others = [item for item in self._items.values() if item.id not in followed] if touching else []
            items = _matched_items(others, touching)

    def closed(self) -> dict[FactId, FactId]:
        return find_closings(list(self._items.values()), list(self._relevant.values())) if self._relevant else {}

    def _read_closers(self, items: Collection[ItemFact]) -> None:
        predicates = closing_predicates_of(items)
        new = {(end, predicates) for item in items for end in item.ends} - self._queried_closers
        self._queried_closers |= new
        self._closers |= {each.id: each for each in _read(self._view, {end for end, _ in new}, predicates)}

    def _touching(self, items: Iterable[ItemFact]) -> list[ItemFact]:
        """The closing facts that may concern these items."""
        if not self._closers:
            return []
        matcher = ItemMatcher(items)
        blocked = {end for item in items if item.predicate in BLOCKERS for end in as_blocker(item).ends}
        return [
            closer
            for closer in self._closers.values()
            if (closer.predicate == RESOLVED_BY and closer.subject.id in blocked) or any(matcher.answered_by(closer))
        ]


def _matched_items(items: Collection[ItemFact], closers: Iterable[ItemFact]) -> list[ItemFact]:
    matcher = ItemMatcher(items)
    return list({item.id: item for closer in closers for item in matcher.answered_by(closer)}.values())


def _read(view: View, entities: Collection[EntityId], predicates: Collection[str]) -> list[ItemFact]:
    return [_item_fact(row) for row in graph_queries.item_facts(view, entities, predicates)]


def _item_fact(row: ItemFactRow) -> ItemFact:
    target = None if row.object is None else LinkEnd(row.object, row.object_type or "", row.object_name or "")
    target_text = row.literal if target is None else target.name
    text = row.words or row.evidence or default_text(row.subject_name, row.predicate, target_text)
    subject = LinkEnd(row.subject, row.subject_type, row.subject_name)
    return ItemFact(row.id, row.predicate, subject, target, row.literal, text, AssertionMoment(row.source_at, row.tx))
