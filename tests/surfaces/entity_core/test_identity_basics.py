"""What all tools of the surface have in common."""

import sys
from dataclasses import replace
from importlib.metadata import Distribution, EntryPoint
from types import ModuleType
from typing import Any

import pytest

from recollect.errors import RecollectError, Unavailable
from recollect.keep.call_conflicts import (
    AlreadyExists,
    Ambiguous,
    ContentTooLarge,
    ItemNotFound,
    LabelTaken,
    NeedsForget,
    VersionConflict,
)
from recollect.keep.memory_formats import sanitize_instance
from recollect.memory import Memory
from recollect.model.actor import Actor
from recollect.settings import Settings
from recollect.store.port import StoreUnavailable
from recollect.surfaces.call_errors import BadArgument, Crashed
from recollect.surfaces.declarations import Failure, Tool
from recollect.surfaces.entity_core import status
from recollect.surfaces.entity_core.surface import (
    acting_as,
    camel_case,
    instance_of,
    other_spellings,
    render_failure,
    snake_case,
)
from recollect.surfaces.registry import find_surface
from tests.surfaces.entity_core.asking import Entity

READ = {
    *("identity_get_all", "identity_get_meta", "memory_search", "memory_list", "memory_read", "memory_grep"),
    *("sync_status", "snapshot_list", "snapshot_get", "graph_node_get", "graph_node_search", "graph_node_list"),
    *("graph_edge_get", "graph_traverse", "graph_subgraph", "graph_insights", "graph_stats"),
    *("entity_export", "plugin_status"),
}
DESTROY = {
    *("identity_write", "identity_rewrite_section", "identity_delete_custom", "memory_update", "memory_delete"),
    *("snapshot_restore", "graph_node_update", "graph_node_delete", "graph_edge_update", "graph_edge_delete"),
    "entity_import",
}
REPEATABLE = READ | {
    *("identity_write", "identity_rewrite_section", "identity_set_meta", "memory_create", "memory_update"),
    *("memory_consolidate", "memory_embedding_purge", "memory_embedding_rebuild", "embedding_rebuild_all"),
    *("sync_pull", "snapshot_restore", "graph_node_create", "graph_node_update", "graph_edge_update"),
}
TOOLS = list(find_surface("entity-core").tools.values())


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_says_what_it_does_to_the_store(tool: Tool) -> None:
    effect = "read" if tool.name in READ else "destroy" if tool.name in DESTROY else "write"
    assert (tool.effect, tool.idempotent) == (effect, tool.name in REPEATABLE)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_speaks_in_the_first_person(tool: Tool) -> None:
    assert tool.description.startswith("I use this to ")


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_argument_has_both_spellings(tool: Tool) -> None:
    for parameter in tool.parameters:
        assert {snake_case(parameter.name), camel_case(parameter.name)} <= {parameter.name, *parameter.older}


@pytest.mark.parametrize(
    ("name", "others"),
    [("instanceId", ("instance_id",)), ("as_of", ("asOf",)), ("category", ()), ("minScore", ("min_score",))],
)
def test_a_name_has_one_other_spelling_at_most(name: str, others: tuple[str, ...]) -> None:
    assert other_spellings(name) == others


class Busy(Unavailable):
    code = "busy"


@pytest.mark.parametrize(
    ("failure", "code", "is_error"),
    [
        (BadArgument("limit", "bad_value", "limit should be 1"), "invalid_input", True),
        (ContentTooLarge("content", "1 MiB"), "too_large", True),
        (Busy("locked"), "busy", True),
        (StoreUnavailable("gone"), "unavailable", True),
        (Crashed("abcd"), "internal", True),
        (ItemNotFound("no such file"), "not_found", False),
        (Ambiguous("two fit", ({"id": "a"}, {"id": "b"})), "ambiguous", False),
        (AlreadyExists("there is one", ("a",)), "already_exists", False),
        (LabelTaken("taken", ("a",)), "name_taken", False),
        (VersionConflict("a", 1, 2), "version_conflict", False),
        (NeedsForget("a"), "needs_forget", False),
    ],
)
def test_every_failure_is_the_one_object(failure: RecollectError, code: str, is_error: bool) -> None:
    said: Failure = render_failure(TOOLS[0], {}, failure, Settings())
    assert (said.structured["success"], said.structured["error"], said.is_error) == (False, code, is_error)
    assert said.structured["message"].startswith(str(failure))
    assert set(said.structured) <= {"success", "error", "message", "field", "accepted", "choices"}


@pytest.mark.parametrize(
    ("given", "fit"),
    [
        ("Claude Desktop", "Claude-Desktop"),
        ("../up", "up"),
        ("a..b", "a.b"),
        ("", "unknown"),
        (None, "unknown"),
        ("日本", "unknown"),
        ("x" * 100, "x" * 64),
    ],
)
def test_any_name_becomes_an_instance_id(given: str | None, fit: str) -> None:
    assert sanitize_instance(given) == fit


def test_whoever_is_named_acts(memory: Memory) -> None:
    caller = memory.as_actor("entity-core", "identity_write", "Ann's laptop")
    assert instance_of(memory, None) == "unknown"
    assert instance_of(caller, None) == "Ann-s-laptop"
    assert acting_as(caller, "psy-desk").actor.name == "psy-desk"


def test_a_client_that_said_its_name_acts_under_it(memory: Memory) -> None:
    caller = replace(memory, actor=Actor("entity-core", "identity_write", client="Claude Desktop"))
    assert instance_of(caller, None) == "Claude-Desktop"
    assert instance_of(caller, "psy-desk") == "psy-desk"


class Package(Distribution):
    def __init__(self, name: str, *points: EntryPoint) -> None:
        self._text = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n"
        self._points = points

    def read_text(self, filename: str) -> str | None:
        return self._text if filename == "METADATA" else None

    def locate_file(self, path: Any) -> Any:
        return path

    @property
    def entry_points(self) -> Any:
        return self._points


def test_extensions_are_the_packages_with_an_entry_point_of_ours(
    entity: Entity, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert entity.ok("plugin_status") == {"result": []}
    found = [
        Package("Zebra_expert", EntryPoint("zebra", "zebra:Expert", "recollect.experts")),
        Package("other", EntryPoint("x", "x:y", "console_scripts")),
        Package("ant", *(EntryPoint(name, "ant:C", "recollect.connectors") for name in ("b", "a"))),
    ]
    monkeypatch.setattr(status, "distributions", lambda: found)
    entity.memory = replace(entity.memory, settings=Settings(file={"plugins.ant": False}))
    ant, zebra = entity.ok("plugin_status")["result"]
    assert ant == {
        "id": "ant",
        "name": "ant",
        "version": "1.2",
        "enabled": False,
        "active": False,
        "degraded": False,
        "restartRequired": False,
        "warnings": [],
        "entrypoints": ["recollect.connectors:a", "recollect.connectors:b"],
        "capabilities": {"connectors": 2},
        "lastError": None,
    }
    assert (zebra["id"], zebra["enabled"]) == ("zebra-expert", True)


def test_an_extension_is_active_once_its_code_is_loaded_and_degraded_if_it_cannot_be_used(
    entity: Entity, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = ModuleType("broken_expert")
    broken.Expert = type("Expert", (), {"manifest": {}})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "broken_expert", broken)
    monkeypatch.setitem(sys.modules, "fine_connector", ModuleType("fine_connector"))
    found = [
        Package("broken", EntryPoint("b", "broken_expert:Expert", "recollect.experts")),
        Package("fine", EntryPoint("f", "fine_connector:C", "recollect.connectors")),
    ]
    monkeypatch.setattr(status, "distributions", lambda: found)
    entity.memory = replace(entity.memory, settings=Settings(file={"plugins.fine": False}))
    one, other = entity.ok("plugin_status")["result"]
    assert (one["active"], one["degraded"], one["restartRequired"]) == (True, True, False)
    assert "not loaded" in one["lastError"]
    assert (other["active"], other["degraded"], other["restartRequired"]) == (True, False, True)
