"""Queries of the rule engine: live entities by type and live facts by predicate, few at once or page by page."""

from collections.abc import Iterable

from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.store.rows import entity_of, fact_of
from recollect.store.view import View


def entity_types_in_use(view: View) -> frozenset[str]:
    return frozenset(type_ for (type_,) in view.rows("rule_types_used"))


def entities_of_types(view: View, types: Iterable[str], most: int) -> list[Entity] | None:
    """Live entities of these types, in no order; none if there are more than `most`."""
    rows = view.rows("rule_entities_few", types=sorted(types), limit=most + 1)
    return [entity_of(row) for row in rows] if len(rows) <= most else None


def entities_after(view: View, after: str, limit: int) -> list[Entity]:
    """The next live entities by id."""
    return [entity_of(row) for row in view.rows("rule_entities_after", after=after, limit=limit)]


def count_entities(view: View, types: Iterable[str], limit: int) -> int:
    """How many live entities of these types there are, counted up to the limit."""
    return len(view.rows("rule_types_counted", types=sorted(types), limit=limit))


def facts_of_predicates(view: View, predicates: Iterable[str], most: int) -> list[Fact] | None:
    """Live facts with these predicates, in no order; none if there are more than `most`."""
    rows = view.rows("rule_facts_few", predicates=sorted(predicates), limit=most + 1)
    return [fact_of(row) for row in rows] if len(rows) <= most else None


def facts_after(view: View, after: str, limit: int) -> list[Fact]:
    """The next live facts by id."""
    return [fact_of(row) for row in view.rows("rule_facts_after", after=after, limit=limit)]


def count_facts(view: View, predicates: Iterable[str], limit: int) -> int:
    """How many live facts with these predicates there are, counted up to the limit."""
    return len(view.rows("rule_predicates_counted", predicates=sorted(predicates), limit=limit))
