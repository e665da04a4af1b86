"""The state of a fact at a time of the world: one word for people and agents."""

from typing import Literal

from recollect.model.fact import Fact
from recollect.model.history import begins_after, period
from recollect.reason.closures.open_items import ITEM_PREDICATES, closed_state
from recollect.when.span import Span

FactState = Literal["current", "upcoming", "ended", "stale", "disputed", "retracted"]
ItemState = Literal["open", "overdue", "done", "cancelled"]
State = FactState | ItemState


def fact_state(fact: Fact, at: Span) -> FactState:
    """The state of a fact that is not an open item; an event has not happened before it begins."""
    if fact.is_retracted:
        return "retracted"
    if fact.stale:
        return "stale"
    if fact.valid_from is not None or fact.valid_until is not None:
        if fact.label == "AFFILIATED" and period(fact).hi < at.lo:
            return "ended"
        if begins_after(fact, at):
            return "upcoming"
    return "disputed" if fact.disputed else "current"


def item_state(fact: Fact, at: Span, closing_predicate: str | None) -> State:
    """The state of a commitment, request, blocker, goal or pending decision; `closing_predicate` if it is closed."""
    if closing_predicate is not None:
        return closed_state(closing_predicate)
    if fact.is_retracted or fact.stale:
        return fact_state(fact, at)
    return open_state(None if fact.valid_until is None else fact.valid_until.hi, at)


def open_state(due: int | None, at: Span) -> Literal["open", "overdue"]:
    """The state of an item that nothing has closed; `due` is the last moment at which it is on time."""
    return "overdue" if due is not None and due < at.lo else "open"


def is_item(fact: Fact) -> bool:
    return fact.predicate in ITEM_PREDICATES
