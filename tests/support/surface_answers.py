"""The answers of the read tools of all surfaces about some names, without what numbers transactions and versions."""

from collections.abc import Iterator, Sequence
from typing import Any

from recollect.memory import Memory
from recollect.model.ids import format_entity_id
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

Call = tuple[str, str, dict[str, Any]]
# An undo is a write, which counts as a version. A finding that is back was detected anew, and passages of equal rank
# are listed by when they were stored.
COUNTERS = frozenset({"tx", "version", "versions", "as_of", "detected_at", "generated_at", "at_time", "waiting"})
RANKED = frozenset({"semantic_search", "cite"})


def answers(memory: Memory, names: Sequence[str], queries: Sequence[str] = ()) -> dict[str, Any]:
    """By call, what each read tool says now."""
    everyday = [each for each in _everyday_calls(names, queries) if each[1] in find_surface("recollect").tools]
    calls = [*_general_calls(), *everyday, *_calls_about(memory, names), *_calls_with(queries)]
    return {
        f"{surface}.{tool} {arguments}": _answer(memory, surface, tool, arguments) for surface, tool, arguments in calls
    }


def differences(before: Any, after: Any, path: str = "") -> list[str]:
    """Where two answers differ, and how."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [*before, *(key for key in after if key not in before)]
        return [line for key in keys for line in differences(before.get(key), after.get(key), f"{path}/{key}")]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [line for place, (one, other) in pairs for line in differences(one, other, f"{path}[{place}]")]
    return [] if before == after else [f"{path}: {before!r} is now {after!r}"]


def _answer(memory: Memory, surface: str, tool: str, arguments: dict[str, Any]) -> Any:
    found = find_surface(surface).find(tool)
    answer = call(found, lambda each: memory.as_actor(surface, each.name), arguments)
    assert answer.outcome != "crashed", answer.structured
    said = _scrubbed(answer.structured)
    if tool in RANKED:
        said = sorted(map(str, said["result"] if "result" in said else said["results"]))
    return said


def _scrubbed(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _scrubbed(each) for name, each in value.items() if name not in COUNTERS}
    if not isinstance(value, list):
        return value
    found = [_scrubbed(each) for each in value]
    return sorted(found, key=lambda each: each["id"]) if _are_findings(found) else found


def _are_findings(found: list[Any]) -> bool:
    return bool(found) and isinstance(found[0], dict) and str(found[0].get("id")).startswith("vio_")


def _general_calls() -> Iterator[Call]:
    yield "pearscarf", "get_conflicts", {}
    for tool in ("graph_stats", "graph_insights", "identity_get_all", "memory_list"):
        yield "entity-core", tool, {}
    for tool in ("graph_node_list", "graph_edge_get"):
        yield "entity-core", tool, {"includeDeleted": False}
        yield "entity-core", tool, {"includeDeleted": True}
    yield "entity-core", "memory_list", {"includeDeleted": True}
    yield "carabase", "carabase_query_metadata", {"filters": {"date_from": "2020"}}
    yield "cognitive-graph", "weekly_rollup", {}
    for tool in ("get_contradictions", "get_unresolved", "get_orphans", "get_ontology_violations", "get_anachronisms"):
        yield "lore-engine", tool, {}


def _everyday_calls(names: Sequence[str], queries: Sequence[str]) -> Iterator[Call]:
    yield "recollect", "open_items", {"include_closed": True}
    yield "recollect", "review", {}
    yield "recollect", "unread", {}
    yield "recollect", "history", {}
    for name in names:
        yield "recollect", "history", {"about": name}
    for query in queries:
        yield "recollect", "recall", {"query": query}


def _calls_about(memory: Memory, names: Sequence[str]) -> Iterator[Call]:
    for name in names:
        for stale in (False, True):
            yield "pearscarf", "get_facts", {"entity": name, "include_stale": stale}
        yield "pearscarf", "get_entity_context", {"entity": name}
        yield "pearscarf", "get_connections", {"entity": name}
        yield "carabase", "carabase_search_graph", {"start_entity": name, "include_history": True}
        yield "carabase", "carabase_find_entity_candidates", {"text": name}
        yield "cognitive-graph", "recall_entity", {"name_or_alias": name}
        yield "lore-engine", "get_context", {"name": name, "include_superseded": True}
        yield "lore-engine", "timeline", {"entity": name}
        yield "lore-engine", "entity_context", {"name": name}
        yield "lore-engine", "lore_about", {"entity": name}
    with memory.read() as view:
        found = {row.entity for name in names for row in view.names_matching(name.casefold())}
    for entity in sorted(found):
        yield "entity-core", "graph_node_get", {"id": format_entity_id(entity)}
        yield "entity-core", "graph_traverse", {"startNodeId": format_entity_id(entity)}


def _calls_with(queries: Sequence[str]) -> Iterator[Call]:
    for query in queries:
        yield "carabase", "carabase_search_semantic", {"query": query}
        yield "carabase", "carabase_verify_hypothesis", {"claim": query}
        yield "entity-core", "memory_search", {"query": query, "instanceId": "desk"}
        yield "entity-core", "memory_grep", {"query": query}
        yield "entity-core", "graph_node_search", {"query": query}
        yield "lore-engine", "semantic_search", {"query": query}
        yield "lore-engine", "cite", {"claim": query}
