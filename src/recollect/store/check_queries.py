"""Queries of the consistency engine and its rules: facts and entities to check, few at once or by page, progress."""

from collections.abc import Collection, Iterable, Iterator

from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId
from recollect.store.change import Change
from recollect.store.view import View


def facts_by_id(view: View, ids: Collection[FactId]) -> list[Fact]:
    """These facts, stale and retracted ones included."""
    return view.fetch_facts("check_facts", ids=sorted(ids)) if ids else []


def facts_at(view: View, entities: Collection[EntityId]) -> list[Fact]:
    """The facts with one of these entities at an end, stale and retracted ones included."""
    return view.fetch_facts("check_facts_of", entities=sorted(entities)) if entities else []


def disputed_facts_at(view: View, entities: Collection[EntityId]) -> list[Fact]:
    """The disputed facts with one of these entities at an end."""
    return view.fetch_facts("check_disputed_of", entities=sorted(entities)) if entities else []


def live_facts_of_subjects(view: View, entities: Collection[EntityId]) -> list[Fact]:
    return view.fetch_facts("check_facts_of_subjects", entities=entities)


def live_links_of(
    view: View, entities: Collection[EntityId], predicates: Collection[str]
) -> Iterator[tuple[EntityId, EntityId, str]]:
    """Subject, object and predicate of the live facts from one of these entities to another."""
    yield from view.rows("check_links", entities=entities, predicates=predicates)


def count_facts_of_subjects(view: View, entities: Collection[EntityId]) -> dict[EntityId, int]:
    """How many facts start at each of these entities."""
    return dict(view.rows("check_sizes", entities=entities))


def entity_ids_after(view: View, after: str, limit: int) -> list[EntityId]:
    """A page of live entities in the order of their ids."""
    return view.fetch_values("check_ids_after", after=after, limit=limit)


def has_more_entities_than(view: View, count: int) -> bool:
    return bool(view.rows("check_beyond", many=count))


def entities_with_relations(view: View, entities: Collection[EntityId]) -> set[EntityId]:
    """The entities among these that have a live relation."""
    return set(view.fetch_values("check_related", ids=sorted(entities))) if entities else set()


def state_of(view: View, key: str) -> str | None:
    return view.fetch_text("check_state", key=key)


def put_state(change: Change, key: str, value: str) -> None:
    change.run("check_state_put", key=key, value=value)


def entity_types_in_use(view: View) -> frozenset[str]:
    return frozenset(type_ for (type_,) in view.rows("rule_types_used"))


def entities_of_types(view: View, types: Iterable[str], most: int) -> list[Entity] | None:
    """Live entities of these types, in no order; none if there are more than `most`."""
    found = view.fetch_entities("rule_entities_few", types=sorted(types), limit=most + 1)
    return found if len(found) <= most else None


def count_entities(view: View, types: Iterable[str], limit: int) -> int:
    """How many live entities of these types there are, counted up to the limit."""
    return len(view.rows("rule_types_counted", types=sorted(types), limit=limit))


def facts_of_predicates(view: View, predicates: Iterable[str], most: int) -> list[Fact] | None:
    """Live facts with these predicates, in no order; none if there are more than `most`."""
    found = view.fetch_facts("rule_facts_few", predicates=sorted(predicates), limit=most + 1)
    return found if len(found) <= most else None


def facts_after(view: View, after: str, limit: int) -> list[Fact]:
    """The next live facts by id."""
    return view.fetch_facts("rule_facts_after", after=after, limit=limit)


def count_facts(view: View, predicates: Iterable[str], limit: int) -> int:
    """How many live facts with these predicates there are, counted up to the limit."""
    return len(view.rows("rule_predicates_counted", predicates=sorted(predicates), limit=limit))
