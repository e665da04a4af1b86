"""A list of open and closed items, earliest due first, and how many there are in each state."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import get_args

from recollect.model.ids import EntityId, FactId
from recollect.reason.closures.open_items import (
    KIND_OF_PREDICATE,
    Closing,
    ItemClosings,
    ItemFact,
    ItemKind,
    identity_of,
    owner_of,
    spelling_rank,
)
from recollect.reason.fact_links import AssertionMoment
from recollect.reason.items.fact_state import ItemState, open_state
from recollect.reason.items.item_lookup import items_naming, judge_all_closings, judge_items_of, to_items
from recollect.store import item_queries
from recollect.store.view import View
from recollect.when.span import Span

ItemCounts = dict[ItemState, int]


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which items to list; no kinds mean all, and `due_by` is the last moment at which an item may be due.

    With `at`, as they stood then: what was said later is left out, and closes nothing yet. Without `has_counts`, those
    that are not listed are not counted, which takes most of the time in a large workspace.
    """

    about: EntityId | None = None
    owner: EntityId | None = None
    due_by: int | None = None
    kinds: frozenset[ItemKind] = frozenset()
    include_closed: bool = False
    limit: int = 50
    at: Span | None = None
    has_counts: bool = True

    @property
    def predicates(self) -> frozenset[str]:
        return frozenset(name for name, kind in KIND_OF_PREDICATE.items() if not self.kinds or kind in self.kinds)

    def accepts(self, item: ItemFact, naming: Collection[FactId] = ()) -> bool:
        """Whether an item is wanted; `naming` are those whose words name what the items are to be about."""
        owner = owner_of(item) if self.owner is not None else None
        return (
            (not self.kinds or item.kind in self.kinds)
            and (self.about is None or self.about in item.ends or item.id in naming)
            and (self.owner is None or (owner is not None and owner.id == self.owner))
            and (self.due_by is None or (item.due is not None and item.due <= self.due_by))
        )


@dataclass(frozen=True, slots=True)
class ListedItem:
    """An item, its state, and the fact that closes it."""

    item: ItemFact
    state: ItemState
    closing: Closing | None = None


@dataclass(frozen=True, slots=True)
class ItemList:
    items: list[ListedItem]
    counts: ItemCounts
    is_cut: bool


def list_items(view: View, wanted: ItemFilter) -> ItemList:
    """The items wanted, as they stand now or at the time asked for.

    Without a name, open items are read in the order of their due dates until there are enough.
    """
    entity = wanted.about if wanted.owner is None else wanted.owner
    naming = frozenset[FactId]() if wanted.about is None else items_naming(view, wanted.about)
    if entity is not None:
        judged = judge_items_of(view, {entity}, naming)
        live: Iterable[ItemFact] = sorted(judged.items, key=_due_order)
    else:
        judged = judge_all_closings(view, has_replaced=wanted.include_closed or wanted.has_counts)
        live = _standing_items(view, wanted)
    return _ItemLister(view, wanted, judged.closings, naming).select(judged.items, live)


def _standing_items(view: View, wanted: ItemFilter) -> Iterator[ItemFact]:
    for row in item_queries.items_by_due_date(view, wanted.predicates, wanted.due_by, wanted.limit + 1):
        yield from to_items([row])


def _due_order(item: ItemFact) -> tuple[bool, int, FactId]:
    return item.due is None, item.due or 0, item.id


class _ItemLister:
    def __init__(self, view: View, wanted: ItemFilter, closings: ItemClosings, naming: frozenset[FactId]) -> None:
        self._view = view
        self._now: Span = wanted.at or view.world.present
        self._wanted = wanted
        self._naming = naming
        self._closed = {id_: each for id_, each in closings.closed.items() if self._was_said(each.moment)}
        self._closed_later = closings.closed.keys() - self._closed.keys()

    def select(self, judged: Iterable[ItemFact], live: Iterable[ItemFact]) -> ItemList:
        limit = self._wanted.limit
        is_scoped = self._wanted.owner is not None or self._wanted.about is not None
        judged = list(judged)
        closed = _distinct(item for item in judged if item.id in self._closed and self._accepts(item))
        reopened = sorted((item for item in judged if item.id in self._closed_later), key=_due_order)
        standing = (item for item in chain(reopened, live) if item.id not in self._closed and self._accepts(item))
        # Items of the past are read as a whole: the store counts only those that stand now.
        is_whole = is_scoped or not self._view.is_latest or self._wanted.at is not None
        some = _distinct(standing, None if is_whole else limit + 1)
        counts = (
            self._count(some, closed, is_complete=is_whole or len(some) <= limit) if self._wanted.has_counts else {}
        )
        every = sorted((*some, *closed), key=_due_order) if self._wanted.include_closed else some
        return ItemList([self._list_item(item) for item in every[:limit]], counts, len(every) > limit)

    def _accepts(self, item: ItemFact) -> bool:
        return self._was_said(item.latest) and self._wanted.accepts(item, self._naming)

    def _was_said(self, moment: AssertionMoment) -> bool:
        return self._wanted.at is None or moment.at <= self._wanted.at.hi

    def _list_item(self, item: ItemFact) -> ListedItem:
        closing = self._closed.get(item.id)
        return ListedItem(item, self._state_of(item) if closing is None else closing.state, closing)

    def _state_of(self, item: ItemFact) -> ItemState:
        return open_state(item.due, self._now)

    def _count(self, standing: list[ItemFact], closed: list[ItemFact], *, is_complete: bool) -> ItemCounts:
        counts: ItemCounts = dict.fromkeys(get_args(ItemState), 0)
        for item in closed:
            counts[self._closed[item.id].state] += 1
        if is_complete:
            for item in standing:
                counts[self._state_of(item)] += 1
            return counts
        found = item_queries.count_items(self._view, self._wanted.predicates, self._wanted.due_by, self._now.lo)
        # Items closed by their words still stand in the store; those closed by id do not.
        by_words = [item for item in closed if item.ended_by is None]
        late = sum(self._state_of(item) == "overdue" for item in by_words)
        counts["overdue"] = found.overdue - late
        counts["open"] = found.total - found.overdue - (len(by_words) - late)
        return counts


def _distinct(items: Iterable[ItemFact], limit: int | None = None) -> list[ItemFact]:
    """The items, at most so many; of several spellings of one, that which stands for it."""
    found: dict[tuple[object, ...], ItemFact] = {}
    for item in items:
        identity = identity_of(item)
        if limit is not None and len(found) == limit and identity not in found:
            break
        found[identity] = max(item, found.get(identity, item), key=spelling_rank)
    return list(found.values())
