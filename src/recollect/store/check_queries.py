"""Queries of the consistency engine's input and state: facts and entities to check, progress."""

from collections.abc import Collection, Iterator

from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId
from recollect.store.change import Change
from recollect.store.rows import entity_of, fact_of
from recollect.store.view import View


def facts_by_id(view: View, ids: Collection[FactId]) -> list[Fact]:
    """These facts, stale and retracted ones included."""
    return [fact_of(row) for row in view.rows("check_facts", ids=sorted(ids))] if ids else []


def facts_by_id_at(view: View, ids: Collection[FactId], tx: int) -> list[Fact]:
    """These facts as they were after a transaction."""
    return [fact_of(row) for row in view.rows("check_facts_before", ids=sorted(ids), seen=tx)] if ids else []


def facts_at(view: View, entities: Collection[EntityId]) -> list[Fact]:
    """The facts with one of these entities at an end, stale and retracted ones included."""
    return [fact_of(row) for row in view.rows("check_facts_of", entities=sorted(entities))] if entities else []


def live_facts_of_subjects(view: View, entities: Collection[EntityId]) -> list[Fact]:
    return [fact_of(row) for row in view.rows("check_facts_of_subjects", entities=entities)]


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
    return [row[0] for row in view.rows("check_ids_after", after=after, limit=limit)]


def entities_after(view: View, after: str, limit: int) -> list[Entity]:
    """A page of live entities in the order of their ids."""
    return [entity_of(row) for row in view.rows("rule_entities_after", after=after, limit=limit)]


def has_more_entities_than(view: View, count: int) -> bool:
    return bool(view.rows("check_beyond", many=count))


def entities_with_relations(view: View, entities: Collection[EntityId]) -> set[EntityId]:
    """The entities among these that have a live relation."""
    return {row[0] for row in view.rows("check_related", ids=sorted(entities))} if entities else set()


def entities_at(view: View, entities: Collection[EntityId], tx: int) -> dict[EntityId, Entity]:
    """These entities as they were after a transaction."""
    rows = view.rows("check_entities_before", ids=sorted(entities), seen=tx)
    return {row[0]: entity_of(row) for row in rows}


def state_of(view: View, key: str) -> str | None:
    return next((row[0] for row in view.rows("check_state", key=key)), None)


def put_state(change: Change, key: str, value: str) -> None:
    change.connection.run("check_state_put", {"ws": change.ws, "key": key, "value": value})
