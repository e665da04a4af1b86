"""`get_entity_context`, `get_connections` and `get_relationship`: all about an entity, its neighbours, paths."""

from collections.abc import Sequence
from dataclasses import replace

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import format_entity_id, format_fact_id
from recollect.reason.entity_overview import find_connections, newest_facts, recent_activity, with_each_blocker_once
from recollect.reason.items.item_lookup import closed_items
from recollect.reason.traversal import MAX_HOPS, PathHop, facts_between, shortest_path
from recollect.store.edge_queries import ConnectionRow
from recollect.store.fact_rows import FactFilter
from recollect.store.view import View
from recollect.surfaces.parameter_types import AsOf, AtTime, EdgeLabel, NameText
from recollect.surfaces.pearscarf.entities import entity_ref, format_type, render_entity, resolve_entity
from recollect.surfaces.pearscarf.facts import FactRenderer
from recollect.surfaces.pearscarf.results import (
    ACTIVITY_DAYS,
    CONTEXT_LIMIT,
    DEFAULT_LIMIT,
    ConnectionsResult,
    ConnectionView,
    ContextLimit,
    EntityContextResult,
    FactFormat,
    FactLimit,
    IncludeStale,
    MaxHops,
    PathStepView,
    RelationshipResult,
    Since,
    date_before,
    parse_at_time,
)
from recollect.surfaces.pearscarf.surface import surface
from recollect.surfaces.views import mark_entity, mark_trust
from recollect.when.instant import format_instant


@surface.tool("read", example={"entity": "Odile Ferrant"}, older={"entity": ("entity_name",)})
def get_connections(
    memory: Memory,
    entity: NameText,
    edge_label: EdgeLabel | None = None,
    include_stale: IncludeStale = False,
    as_of: AsOf = None,
    at_time: AtTime = None,
    limit: FactLimit = DEFAULT_LIMIT,
) -> ConnectionsResult:
    """The neighbours of an entity and by what kind of fact each is joined.

    One row for each neighbour, edge label and fact type; the most recently mentioned come first.
    """
    with memory.read(as_of) as view:
        at = parse_at_time(view.world, at_time)
        who = resolve_entity(memory, view, entity)
        closed = frozenset(closed_items(view, {who.id}))
        wanted = FactFilter(at, every=include_stale, label=edge_label, limit=limit, closed=closed)
        found = find_connections(view, who.id, wanted)
        return {
            "connections": render_connections(view, found.newest),
            "entity": entity_ref(who),
            "count": found.count,
            "truncated": found.is_cut,
        }


def render_connections(view: View, found: Sequence[ConnectionRow]) -> list[ConnectionView]:
    entities = view.entities({each.entity for each in found})
    return [_render_connection(each, entities[each.entity]) for each in found]


def _render_connection(found: ConnectionRow, entity: Entity) -> ConnectionView:
    shown: ConnectionView = {
        "entity_name": found.name,
        "entity_type": format_type(found.type),
        "edge_label": found.label,
        "fact_type": found.fact_type,
        "entity_id": format_entity_id(found.entity),
        "direction": found.direction,
        "fact_count": found.fact_count,
        "last_source_at": format_instant(found.last_source_at),
    }
    mark_entity(shown, entity)
    return shown


@surface.tool("read", example={"entity_a": "Harrow Bridge", "entity_b": "Lumen Audit"})
def get_relationship(
    memory: Memory,
    entity_a: NameText,
    entity_b: NameText,
    max_hops: MaxHops = MAX_HOPS,
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> RelationshipResult:
    """How two entities are related: a shortest path, and the facts between them."""
    with memory.read(as_of) as view:
        at = parse_at_time(view.world, at_time)
        one = resolve_entity(memory, view, entity_a, "entity_a")
        other = resolve_entity(memory, view, entity_b, "entity_b")
        is_same = one.id == other.id
        closed = closed_items(view, {one.id})
        direct = [] if is_same else facts_between(view, one.id, other.id, at, closed=closed)
        path = (
            (PathHop(one.id, other.id, direct[0]),) if direct else shortest_path(view, one.id, other.id, at, max_hops)
        )
        printer = FactRenderer(view, at, closed)
        return {
            "path": [_render_step(hop) for hop in path],
            "direct_facts": [printer.fact(fact) for fact in reversed(direct)],
            "entity_a": entity_ref(one),
            "entity_b": entity_ref(other),
            "hops": len(path) if path or is_same else None,
        }


def _render_step(hop: PathHop) -> PathStepView:
    fact = hop.by
    shown: PathStepView = {
        "entity": hop.end_name,
        "edge_label": fact.label,
        "fact_type": fact.fact_type,
        "fact": fact.text,
        "direction": "outgoing" if hop.is_outgoing else "incoming",
        "from": hop.start_name,
        "entity_type": format_type(hop.end_type),
        "fact_id": format_fact_id(fact.id),
        "source_at": format_instant(fact.source_at),
    }
    mark_trust(shown, fact.marks, f"{fact.text}\n{hop.end_name}")
    return shown


@surface.tool("read", example={"entity": "Lumen Audit"}, older={"entity": ("entity_name",)})
def get_entity_context(
    memory: Memory,
    entity: NameText,
    since: Since | None = None,
    include_stale: IncludeStale = False,
    format: FactFormat = "chronological",  # noqa: A002 the published name
    as_of: AsOf = None,
    at_time: AtTime = None,
    limit: ContextLimit = CONTEXT_LIMIT,
) -> EntityContextResult:
    """Everything about one entity: its facts, its connections and what happened lately.

    `recent_activity` holds changes and references since `since`, by default the last seven days. When `truncated`,
    call again with a larger `limit`, or list the rest with `get_facts` and `get_connections`.
    """
    with memory.read(as_of) as view:
        at, zone = parse_at_time(view.world, at_time), view.world.zone
        who = resolve_entity(memory, view, entity)
        window = since or date_before(view.now, ACTIVITY_DAYS, zone)
        closed = closed_items(view, {who.id})
        wanted = FactFilter(at, every=include_stale, limit=limit, closed=frozenset(closed))
        facts = with_each_blocker_once(view, who.id, wanted, newest_facts(view, who.id, wanted))
        joined = find_connections(view, who.id, replace(wanted, every=False))
        recent = recent_activity(view, who.id, wanted, window.bounds(zone)[0], facts)
        printer = FactRenderer(view, at, closed)
        return {
            "entity": render_entity(who),
            "current_facts": printer.facts(facts.facts, format),
            "connections": render_connections(view, joined.newest),
            "recent_activity": printer.facts(recent.facts, format),
            "aliases": view.aliases(who),
            "since": window.format(zone),
            "truncated": facts.is_cut or joined.is_cut or recent.is_cut,
        }
