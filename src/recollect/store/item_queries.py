"""Queries for items (commitments, requests, blockers, …) and for the facts that may close them."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from recollect.model.document import Document
from recollect.model.fact import LASTING
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.trust import OWNER, SOURCE_TRUST, Trust, trust_in
from recollect.store.rows import read_json
from recollect.store.view import View
from recollect.when.instant import MAX, MIN, Instant

MOST_STANDING_THEN = 10_000
"""Items of an earlier moment that are read at once."""


class ItemFactRow(NamedTuple):
    """An item or a fact that may close one, with its ends and its latest assertion.

    The columns from `replaced_by` on are those of the fact that was declared to replace a stale item.
    """

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
    until_hi: int | None
    valid_until: str | None
    supersedes: FactId | None
    stale: int
    replaced_by: FactId | None
    replaced_by_predicate: str | None
    replaced_at: Instant | None
    replaced_tx: int | None
    attributes: str

    @property
    def is_lasting(self) -> bool:
        return LASTING in self.attributes and bool(read_json(self.attributes).get(LASTING))

    @property
    def trust(self) -> Trust:
        return trust_in(read_json(self.attributes)) if SOURCE_TRUST in self.attributes else OWNER


class ItemCount(NamedTuple):
    """How many items stand, and how many of these are past their due date."""

    total: int
    overdue: int


class ItemEnds(NamedTuple):
    id: FactId
    subject: EntityId
    object: EntityId | None
    attributes: str


def standing_items(view: View, entities: Collection[EntityId]) -> list[ItemEnds]:
    """The items of these entities that are not stale."""
    return view.fetch(ItemEnds, "items_standing_at", entities=sorted(entities)) if entities else []


def may_be_closed(view: View, items: Collection[FactId], ends: Collection[EntityId]) -> bool:
    """Whether a fact with a closing predicate shares an end or a thread with one of these items."""
    if not items or not view.rows("any_closing"):
        return False
    return bool(view.rows("items_closable", items=sorted(items), ends=sorted(ends)))


def item_facts(view: View, entities: Collection[EntityId], predicates: Collection[str]) -> list[ItemFactRow]:
    """The facts of these predicates with one of these entities at an end."""
    if not entities:
        return []
    return view.fetch(ItemFactRow, "item_facts_touching", entities=sorted(entities), predicates=sorted(predicates))


def item_facts_with(view: View, predicates: Collection[str]) -> list[ItemFactRow]:
    """The facts of these predicates in the whole workspace."""
    return view.fetch(ItemFactRow, "item_facts_with", predicates=sorted(predicates))


def item_facts_replaced(view: View, predicates: Collection[str], replacing: Collection[str]) -> list[ItemFactRow]:
    """The facts of these predicates that facts of the other predicates were declared to replace."""
    return view.fetch(ItemFactRow, "item_facts_replaced", predicates=sorted(predicates), replacing=sorted(replacing))


def item_facts_over(view: View, predicates: Collection[str], now: int) -> list[ItemFactRow]:
    """The items of these predicates that stand and lasted until a day that is over."""
    parameters = {"predicates": sorted(predicates), "now": now, "lasting": f'%"{LASTING}"%'}
    if view.is_latest:
        return view.fetch(ItemFactRow, "item_facts_over", **parameters)
    return view.fetch(ItemFactRow, "item_facts_over_then", **parameters)


def item_facts_by_id(view: View, ids: Collection[FactId], predicates: Collection[str]) -> list[ItemFactRow]:
    """Those of these facts that have one of these predicates."""
    if not ids:
        return []
    return view.fetch(ItemFactRow, "item_facts_by_id", ids=sorted(ids), predicates=sorted(predicates))


def threads_of(view: View, facts: Collection[FactId]) -> dict[FactId, frozenset[str]]:
    """The threads in which facts were stated, by fact; a fact stated outside of threads is left out."""
    found: dict[FactId, set[str]] = {}
    for fact, thread in view.rows("fact_threads", facts=sorted(facts)) if facts else ():
        found.setdefault(fact, set()).add(str(thread))
    return {fact: frozenset(threads) for fact, threads in found.items()}


def facts_in_threads(view: View, threads: Collection[str]) -> set[FactId]:
    """Every fact that was stated in one of these threads."""
    return set(view.fetch_values("facts_in_threads", threads=sorted(threads))) if threads else set()


MOST_MAILS = 1_000
"""The earliest mails of a person that are looked through for an address."""


def mails_known_before(view: View, person: EntityId, tx: int) -> list[Document]:
    """The earliest mails that name a person and were known before a transaction."""
    return view.fetch_documents("mails_known_before", entity=person, before=tx, limit=MOST_MAILS)


def documents_said_after(view: View, at: Instant, before_tx: int, limit: int) -> set[DocumentId]:
    """The records and conversations of after a moment that were known by a transaction; the earliest of them."""
    return set(view.fetch_values("documents_said_after", at=at, before=before_tx, limit=limit))


def items_by_due_date(
    view: View, predicates: Collection[str], until: int | None, page_size: int
) -> Iterator[ItemFactRow]:
    """The items that stand in a view, earliest due first; without a latest due date also those that have none, last."""
    parameters = {"predicates": sorted(predicates), "limit": page_size}
    last = MAX if until is None else until
    if not view.is_latest:
        bounds = {"dated": int(until is not None), "until": last, "limit": MOST_STANDING_THEN}
        yield from view.fetch(ItemFactRow, "item_facts_then", **{**parameters, **bounds})
        return
    after, after_id = MIN, ""
    while page := view.fetch(ItemFactRow, "item_facts_due", after=after, after_id=after_id, until=last, **parameters):
        yield from page
        after, after_id = page[-1].until_hi or MIN, page[-1].id
    after_id = ""
    while until is None and (
        page := view.fetch(ItemFactRow, "item_facts_without_due", after_id=after_id, **parameters)
    ):
        yield from page
        after_id = page[-1].id


def count_items(view: View, predicates: Collection[str], until: int | None, now: int) -> ItemCount:
    """The items that stand now and are due by then, if a latest due date is given."""
    bounds = {"dated": int(until is not None), "after": MIN, "until": MAX if until is None else until, "at_lo": now}
    [count] = view.fetch(ItemCount, "items_counted", predicates=sorted(predicates), **bounds)
    return ItemCount(int(count.total), int(count.overdue))
