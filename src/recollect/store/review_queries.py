"""Queries of review: names that several entities share, uses of predicates, and decisions."""

from collections.abc import Collection
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.store.change import Change
from recollect.store.finding_queries import FlagRow, flags_on, put_flag
from recollect.store.rows import EntityColumns
from recollect.store.view import View

DECISION = "decision"
"""The kind of flag that holds a decision of a review."""


class SharedName(NamedTuple):
    key: str
    entity: EntityId


class PredicateUseRow(NamedTuple):
    name: str
    facts: int


def names_shared(view: View, limit: int) -> list[SharedName]:
    """The entities whose names consist of the same words; at most so many names."""
    return view.fetch(SharedName, "names_shared", limit=limit)


def newest_entities(view: View, limit: int) -> list[Entity]:
    """The live entities created last."""
    return [row.to_entity() for row in view.fetch(EntityColumns, "entities_newest", limit=limit)]


def predicate_uses(view: View, limit: int) -> list[PredicateUseRow]:
    """The predicates that facts have now, with the number of those facts."""
    return view.fetch(PredicateUseRow, "predicate_uses", limit=limit)


def decisions_on(view: View, questions: Collection[str]) -> dict[str, str]:
    """The decisions on these questions that were not undone, by question."""
    return {row.node: row.reason for row in flags_on(view, questions) if row.kind == DECISION}


def put_decision(change: Change, question: str, choice: str) -> None:
    change.recent.decided = True
    put_flag(change, FlagRow(question, DECISION, choice, change.actor.name, change.now))
