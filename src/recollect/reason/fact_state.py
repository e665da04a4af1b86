"""The state of a fact at a time of the world: one word for people and agents."""

from typing import Literal

from recollect.model.fact import Fact
from recollect.reason.open_items import ITEM_PREDICATES
from recollect.when.instant import MAX, MIN
from recollect.when.span import Span

FactState = Literal["current", "upcoming", "ended", "stale", "disputed", "retracted"]
ItemState = Literal["open", "overdue", "done", "cancelled"]
State = FactState | ItemState

CANCELLATION = "cancellation"


def fact_state(fact: Fact, at: Span) -> FactState:
    """The state of a fact that is not an open item; bounds limit the truth of affiliations only."""
    if fact.is_retracted:
        return "retracted"
    if fact.stale:
        return "stale"
    if fact.label == "AFFILIATED":
        period = _period(fact)
        if period.hi < at.lo:
            return "ended"
        if period.lo > at.hi:
            return "upcoming"
    return "disputed" if fact.disputed else "current"


def item_state(fact: Fact, at: Span, closing_predicate: str | None) -> State:
    """The state of a commitment, request, blocker, goal or pending decision; `closing_predicate` if it is closed."""
    if closing_predicate is not None:
        return "cancelled" if closing_predicate == CANCELLATION else "done"
    if fact.is_retracted or fact.stale:
        return fact_state(fact, at)
    return "overdue" if fact.valid_until is not None and fact.valid_until.hi < at.lo else "open"


def is_item(fact: Fact) -> bool:
    return fact.predicate in ITEM_PREDICATES


def _period(fact: Fact) -> Span:
    low = MIN if fact.valid_from is None else fact.valid_from.lo
    return Span(low, MAX if fact.valid_until is None else max(low, fact.valid_until.hi))
