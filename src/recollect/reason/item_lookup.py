"""Reads the items and closing facts around some entities, as many as deciding about their items takes."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

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
from recollect.store.view import View
from recollect.when.instant import Instant


def closed_items(view: View, entities: Collection[EntityId]) -> dict[FactId, FactId]:
    """The closed items with one of these entities at an end, each with the fact that closes it."""
    lookup = _Lookup(view)
    own = lookup.items_at(entities)
    lookup.follow(own)
    closed = lookup.closed()
    return {item.id: closed[item.id] for item in own if item.id in closed}


class _Lookup:
    """Grows from some items to all facts that decide about them.

    What a closing fact closes depends on the other items it answers, and these on their own closing facts. Such chains
    are short, since they are linked by words; each round is two queries, and entities are asked about once.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._items: dict[FactId, ItemFact] = {}
        self._closers: dict[FactId, ItemFact] = {}
        self._relevant: dict[FactId, ItemFact] = {}
        self._asked_items: set[EntityId] = set()
        self._asked_closers: set[tuple[EntityId, frozenset[str]]] = set()

    def items_at(self, entities: Collection[EntityId]) -> list[ItemFact]:
        new = set(entities) - self._asked_items
        self._asked_items |= new
        found = _read(self._view, new, ITEM_PREDICATES)
        self._items |= {item.id: item for item in found}
        return found

    def follow(self, items: Collection[ItemFact]) -> None:
        """Read what decides about these items, then about the items that decides on, until nothing new is answered."""
        followed: set[FactId] = set()
        while items:
            followed |= {item.id for item in items}
            self._read_closers(items)
            touching = self._touching(items)
            self._relevant |= {closer.id: closer for closer in touching}
            self.items_at({end for closer in touching for end in closer.ends})
            others = [item for item in self._items.values() if item.id not in followed] if touching else []
            items = _answered(others, touching)

    def closed(self) -> dict[FactId, FactId]:
        return find_closings(list(self._items.values()), list(self._relevant.values())) if self._relevant else {}

    def _read_closers(self, items: Collection[ItemFact]) -> None:
        predicates = closing_predicates_of(items)
        new = {(end, predicates) for item in items for end in item.ends} - self._asked_closers
        self._asked_closers |= new
        self._closers |= {each.id: each for each in _read(self._view, {end for end, _ in new}, predicates)}

    def _touching(self, items: Iterable[ItemFact]) -> list[ItemFact]:
        """The closing facts that may say something about these items."""
        if not self._closers:
            return []
        matcher = ItemMatcher(items)
        blocked = {end for item in items if item.predicate in BLOCKERS for end in as_blocker(item).ends}
        return [
            closer
            for closer in self._closers.values()
            if (closer.predicate == RESOLVED_BY and closer.subject.id in blocked) or any(matcher.answered_by(closer))
        ]


def _answered(items: Collection[ItemFact], closers: Iterable[ItemFact]) -> list[ItemFact]:
    matcher = ItemMatcher(items)
    return list({item.id: item for closer in closers for item in matcher.answered_by(closer)}.values())


class _Row(NamedTuple):
    """A row of `item_facts_touching`."""

    id: FactId
    predicate: str
    literal: str | None
    words: str | None
    evidence: str | None
    subject: EntityId
    subject_type: str
    subject_name: str
    object: EntityId | None
    object_type: str | None
    object_name: str | None
    source_at: Instant
    tx: int


def _read(view: View, entities: Collection[EntityId], predicates: Collection[str]) -> list[ItemFact]:
    if not entities:
        return []
    rows = view.rows("item_facts_touching", entities=sorted(entities), predicates=sorted(predicates))
    return [_item_fact(_Row._make(row)) for row in rows]


def _item_fact(row: _Row) -> ItemFact:
    target = None if row.object is None else LinkEnd(row.object, row.object_type or "", row.object_name or "")
    named = row.literal if target is None else target.name
    text = row.words or row.evidence or default_text(row.subject_name, row.predicate, named)
    subject = LinkEnd(row.subject, row.subject_type, row.subject_name)
    return ItemFact(row.id, row.predicate, subject, target, row.literal, text, AssertionMoment(row.source_at, row.tx))
