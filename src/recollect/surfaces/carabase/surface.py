"""The surface that the tools of this package are declared on."""

from recollect.surfaces.carabase.problems import say_external, say_failure, say_unknown
from recollect.surfaces.declare import Surface

_SAME_WITHOUT_PREFIX = (
    "search_semantic",
    "search_graph",
    "query_metadata",
    "find_entity_candidates",
    "route_and_execute",
    "query_timeseries",
    "resolve_mesh_uri",
    "traverse_memory_network",
    "verify_hypothesis",
)

surface = Surface(
    "carabase",
    "Retrieval with hints: search by meaning, graph, place and time; memories, claims, series and folios.",
    say_failure,
    equal_twice=True,
    brief=True,
    blank_is_absent=True,
    shows_bodies=True,
    aliases={
        **{name: f"carabase_{name}" for name in _SAME_WITHOUT_PREFIX},
        "query_graph": "carabase_search_graph",
        "carabase_commit_to_folio": "commit_to_folio",
    },
    unknown=say_unknown,
    external=say_external,
)
