"""Reads the items of some entities, or of all, and the facts that decide which of these items are closed."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from recollect.model.fact import LASTING, Fact, default_text, ends_of_facts
from recollect.model.ids import EntityId, FactId
from recollect.reason.closures.blockers import contains_words
from recollect.reason.closures.open_items import (
    ANSWERING_PREDICATES,
    BLOCKERS,
    CLOSING_PREDICATES,
    DECISION,
    ITEM_PREDICATES,
    RESOLVED_BY,
    Closing,
    ItemClosings,
    ItemFact,
    ItemMatcher,
    as_blocker,
    can_close,
    closing_predicates_of,
    find_closings,
    identity_of,
    spelling_rank,
)
from recollect.reason.fact_links import AssertionMoment, LinkEnd
from recollect.search.index_terms import index_forms
from recollect.store import item_queries
from recollect.store.fact_index import FactIndex, unindexed_facts
from recollect.store.fact_rows import FactSummaryRow
from recollect.store.item_queries import ItemEnds, ItemFactRow
from recollect.store.view import View

MOST_NAMING = 1_000


class ItemsWithClosings(NamedTuple):
    """Some items, and which of them are closed."""

    items: list[ItemFact]
    closings: ItemClosings


def closed_items(view: View, entities: Collection[EntityId]) -> dict[FactId, Closing]:
    """The closed items with one of these entities at an end, each with the fact that closes it.

    Items closed by id are stale and so not current anyway; they are listed only if other items have to be judged.
    """
    if not _may_be_closed(view, item_queries.standing_items(view, entities)):
        return {}
    return _closed_of(judge_items_of(view, entities))


def closed_anywhere(view: View) -> dict[FactId, Closing]:
    """Every closed item of the workspace."""
    return judge_all_closings(view).closings.closed


def closed_among(view: View, entity: EntityId, facts: Iterable[FactSummaryRow]) -> dict[FactId, Closing]:
    """The closed items of an entity, if one of these facts of it is or can be one."""
    items = [fact for fact in facts if fact.predicate in ITEM_PREDICATES]
    is_replaced = any(fact.stale and fact.replaced_by is not None for fact in items)
    is_judged = is_replaced or _may_be_closed(view, [fact for fact in items if not fact.stale])
    return _closed_of(judge_items_of(view, {entity})) if is_judged else {}


def closings_of(view: View, items: Collection[Fact]) -> dict[FactId, Closing]:
    """The closings of items that were read already, those by id included."""
    live = [item for item in items if not item.stale]
    if len(live) == len(items) and not _may_be_closed(view, live):
        return {}
    return _closed_of(judge_items_of(view, {item.subject for item in items}))


def spellings_of_blockers(view: View, facts: Iterable[FactSummaryRow]) -> dict[FactId, list[FactId]]:
    """By the blocker that stands for them, the others among these facts that tell the same in other words."""
    told = [fact.id for fact in facts if fact.predicate in BLOCKERS and not fact.stale]
    if len(told) < 2:
        return {}
    spelled: dict[tuple[object, ...], list[ItemFact]] = defaultdict(list)
    for item in to_items(item_queries.item_facts_by_id(view, told, BLOCKERS)):
        spelled[identity_of(item)].append(item)
    several = (sorted(each, key=spelling_rank) for each in spelled.values() if len(each) > 1)
    return {items[-1].id: [item.id for item in items[:-1]] for items in several}


def _may_be_closed(view: View, items: Sequence[ItemEnds | FactSummaryRow | Fact]) -> bool:
    if any(LASTING in item.attributes for item in items):
        return True
    return item_queries.may_be_closed(view, [item.id for item in items], ends_of_facts(items))


def _closed_of(found: ItemsWithClosings) -> dict[FactId, Closing]:
    closed = found.closings.closed
    return {item.id: closed[item.id] for item in found.items if item.id in closed}


def items_naming(view: View, entity: EntityId) -> frozenset[FactId]:
    """The items whose words name an entity that is at none of their ends: `I'll send Lena the photos`."""
    spellings = {name.spelling for name in view.names_of(entity)}
    return frozenset(
        item.id
        for item in items_with_words(view, spellings, ITEM_PREDICATES)
        if entity not in item.ends and any(contains_words(item.text, spelling) for spelling in spellings)
    )


def items_with_words(view: View, texts: Iterable[str], predicates: Collection[str]) -> list[ItemFact]:
    """The items with these predicates that have all words of a text, and those whose words are not indexed yet."""
    index, found = FactIndex(view), set(unindexed_facts(view))
    for text in texts:
        tokens = list(index_forms(text).values())
        found.update(index.containing_all(tokens, MOST_NAMING) if tokens else ())
    return to_items(item_queries.item_facts_by_id(view, found, predicates))


def judge_items_of(view: View, entities: Collection[EntityId], further: Collection[FactId] = ()) -> ItemsWithClosings:
    """The items with one of these entities at an end, and those given by id, with their closings."""
    lookup = _Lookup(view)
    own = [*lookup.items_at(entities), *lookup.items_by_id(further)]
    lookup.follow(own)
    return ItemsWithClosings(lookup.with_threads(own), lookup.closings())


def judge_all_closings(view: View, *, has_replaced: bool = True) -> ItemsWithClosings:
    """The items that a closing fact anywhere in the workspace may concern, with their closings.

    Every item that is closed is among them; the cost grows with the number of closing facts, not of items. Items that
    an answer replaced no longer stand, and finding them reads all items: they are left out without `has_replaced`.
    """
    closers = _current(item_queries.item_facts_with(view, CLOSING_PREDICATES | {DECISION}))
    replaced = [each.supersedes for each in closers if each.supersedes is not None]
    threads = item_queries.threads_of(view, [each.id for each in closers])
    shared = item_queries.facts_in_threads(view, frozenset().union(*threads.values()))
    rows = {row.id: row for row in item_queries.item_facts(view, _ends_of(closers), ITEM_PREDICATES)}
    rows |= {row.id: row for row in item_queries.item_facts_by_id(view, {*shared, *replaced}, ITEM_PREDICATES)}
    if has_replaced:
        answered = item_queries.item_facts_replaced(view, ITEM_PREDICATES, ANSWERING_PREDICATES)
        rows |= {row.id: row for row in answered}
    over = item_queries.item_facts_over(view, ITEM_PREDICATES, view.world.present.lo)
    rows |= {row.id: row for row in over}
    items = to_items(rows.values())
    if threads:
        threads |= item_queries.threads_of(view, list(rows))
    closings = find_closings(add_threads(items, threads), add_threads(closers, threads), lambda: view.world.present)
    return ItemsWithClosings(items, closings)


class _Lookup:
    """Collects, starting from some items, all facts that decide about them.

    What a closing fact closes depends on the other items it matches, and these depend on their own closing facts. Such
    chains are short, because each link must share words; a round is a few queries, and each entity is queried once.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._items: dict[FactId, ItemFact] = {}
        self._closers: dict[FactId, ItemFact] = {}
        self._relevant: dict[FactId, ItemFact] = {}
        self._threads: dict[FactId, frozenset[str]] = {}
        self._queried_items: set[EntityId] = set()
        self._queried_closers: set[tuple[EntityId, frozenset[str]]] = set()

    def items_at(self, entities: Collection[EntityId]) -> list[ItemFact]:
        new = set(entities) - self._queried_items
        self._queried_items |= new
        found = to_items(item_queries.item_facts(self._view, new, ITEM_PREDICATES))
        self._items |= {item.id: item for item in found}
        return found

    def items_by_id(self, ids: Collection[FactId]) -> list[ItemFact]:
        new = set(ids) - self._items.keys()
        found = to_items(item_queries.item_facts_by_id(self._view, new, ITEM_PREDICATES))
        self._items |= {item.id: item for item in found}
        return found

    def follow(self, items: Collection[ItemFact]) -> None:
        """Read the closing facts of these items, then of the other items those match, until no new item is matched."""
        followed: set[FactId] = set()
        while items:
            followed |= {item.id for item in items}
            self._read_closers(items)
            touching = self._closers_touching(items)
            self._relevant |= {closer.id: closer for closer in touching}
            self._read_items_near(touching)
            others = [item for item in self._items.values() if item.id not in followed] if touching else []
            items = self._matched_items(others, touching)

    def closings(self) -> ItemClosings:
        items, closers = self.with_threads(self._items.values()), self.with_threads(self._relevant.values())
        return find_closings(items, closers, lambda: self._view.world.present)

    def with_threads(self, facts: Iterable[ItemFact]) -> list[ItemFact]:
        return add_threads(facts, self._threads)

    def _read_closers(self, items: Collection[ItemFact]) -> None:
        predicates = closing_predicates_of(items)
        new = {(end, predicates) for item in items for end in item.ends} - self._queried_closers
        self._queried_closers |= new
        found = item_queries.item_facts(self._view, {end for end, _ in new}, predicates)
        found += item_queries.item_facts_by_id(self._view, self._facts_sharing_thread(items), predicates)
        self._closers |= {each.id: each for each in _current(found)}

    def _read_items_near(self, closers: Collection[ItemFact]) -> None:
        self.items_at(_ends_of(closers))
        self.items_by_id(self._facts_sharing_thread(closers))

    def _facts_sharing_thread(self, facts: Collection[ItemFact]) -> set[FactId]:
        """The facts stated in a thread of one of these."""
        found = item_queries.threads_of(self._view, [fact.id for fact in facts])
        shared = item_queries.facts_in_threads(self._view, frozenset().union(*found.values()))
        self._threads |= item_queries.threads_of(self._view, shared)
        return shared

    def _closers_touching(self, items: Iterable[ItemFact]) -> list[ItemFact]:
        """The closing facts that may concern these items."""
        closers = [closer for closer in self.with_threads(self._closers.values()) if closer.closes_by_words]
        if not closers:
            return []
        matcher = ItemMatcher(self.with_threads(items))
        blocked = {end for item in items if item.predicate in BLOCKERS for end in as_blocker(item).ends}
        return [
            closer
            for closer in closers
            if (closer.predicate == RESOLVED_BY and closer.subject.id in blocked) or any(matcher.answered_by(closer))
        ]

    def _matched_items(self, items: Collection[ItemFact], closers: Iterable[ItemFact]) -> list[ItemFact]:
        matcher = ItemMatcher(self.with_threads(items))
        return list({item.id: item for closer in closers for item in matcher.answered_by(closer)}.values())


def add_threads(facts: Iterable[ItemFact], threads: dict[FactId, frozenset[str]]) -> list[ItemFact]:
    """The facts with the threads that their documents belong to."""
    return [fact._replace(threads=threads[fact.id]) if fact.id in threads else fact for fact in facts]


def _ends_of(facts: Iterable[ItemFact]) -> set[EntityId]:
    return {end for fact in facts for end in fact.ends}


def to_items(rows: Iterable[ItemFactRow]) -> list[ItemFact]:
    """The items that stand or were closed by id, without those replaced by another item."""
    return [_item_fact(row) for row in rows if not row.stale or _was_closed(row)]


def _was_closed(row: ItemFactRow) -> bool:
    return row.replaced_by_predicate is not None and can_close(row.predicate, row.replaced_by_predicate)


def _current(rows: Iterable[ItemFactRow]) -> list[ItemFact]:
    return [_item_fact(row) for row in rows if not row.stale]


def _item_fact(row: ItemFactRow) -> ItemFact:
    target = None if row.object is None else LinkEnd(row.object, row.object_type or "", row.object_name or "")
    target_text = row.literal if target is None else target.name
    text = row.words or row.evidence or default_text(row.subject_name, row.predicate, target_text)
    return ItemFact(
        row.id,
        row.predicate,
        LinkEnd(row.subject, row.subject_type, row.subject_name),
        target,
        row.literal,
        text,
        AssertionMoment(row.source_at, row.tx),
        row.until_hi,
        row.supersedes,
        _declared_closing(row),
        trust=row.trust,
        is_lasting=row.is_lasting,
    )


def _declared_closing(row: ItemFactRow) -> Closing | None:
    if row.replaced_by is None or row.replaced_by_predicate is None or row.replaced_at is None:
        return None
    return Closing(row.replaced_by, row.replaced_by_predicate, AssertionMoment(row.replaced_at, row.replaced_tx or 0))
