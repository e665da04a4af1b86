"""Queries of the graph as named entities with observations and relations."""

from collections.abc import Collection

from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId
from recollect.store.rows import entity_of, fact_of
from recollect.store.view import View


def live_entities(view: View, ids: Collection[EntityId] | None = None) -> list[Entity]:
    """The entities with these ids, or all of them."""
    rows = view.rows("named_entities", everything=int(ids is None), ids=sorted(ids or ()))
    return [entity_of(row) for row in rows]


def current_facts(view: View, ids: Collection[EntityId] | None = None) -> list[Fact]:
    """The facts that hold now, of these entities or of all; aliases and retracted facts are left out."""
    now = view.world.now.span
    moment = {"at_lo": now.lo, "at_hi": now.hi}
    if ids is None:
        return [fact_of(row) for row in view.rows("named_facts", **moment)]
    return [fact_of(row) for row in view.rows("named_facts_touching", ids=sorted(ids), **moment)] if ids else []
