"""Pairs of an open item and the fact that closes or moves it, and which facts are compared with items at all."""

from collections.abc import Collection, Iterable
from math import inf
from typing import NamedTuple

from recollect.model.ids import FactId
from recollect.reason.closures.open_items import ItemFact

LONGEST_DAY = 25 * 3_600_000_000  # when clocks are put back


class ItemAnswer(NamedTuple):
    """An item, and the fact that answers or moves it."""

    item: FactId
    by: FactId


def first_moment(items: Iterable[ItemFact], new: Collection[FactId]) -> float:
    """The moment since which old facts may concern a new item: none does that was told a day before it."""
    return min((item.latest.at for item in items if item.id in new), default=inf) - LONGEST_DAY


def facts_to_compare(facts: Iterable[ItemFact], items: Iterable[ItemFact], new: Collection[FactId]) -> list[ItemFact]:
    """Those of the facts, oldest first, that are new or may concern a new item.

    All others were compared with one another when they were new.
    """
    first = first_moment(items, new)
    found = [fact for fact in facts if fact.id in new or fact.latest.at > first]
    return sorted(found, key=lambda each: (each.latest, each.id))
