"""Registry of surfaces: packages beside this module, loaded on demand, and the default selection of tools."""

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import recollect.surfaces as home
from recollect.errors import RecollectError, Refused
from recollect.settings import Settings
from recollect.surfaces.declarations import Failure, Surface, Tool
from recollect.surfaces.problems import UnknownSurface, UnknownTool

ESSENTIALS = "essentials"
ESSENTIALS_SUMMARY = "The most used tools of all surfaces, few enough for a model to use them well."
MAX_ESSENTIALS = 16
ESSENTIAL_TOOLS = (
    ("cognitive-graph", "recall", "recall_entity"),
    ("cognitive-graph", "record", "record_fact"),
    ("cognitive-graph", "decisions", "recall_decisions"),
    ("cognitive-graph", "rollup", "weekly_rollup"),
    ("pearscarf", "context", "get_entity_context"),
    ("pearscarf", "facts", "get_facts"),
    ("pearscarf", "connections", "get_relationship"),
    ("pearscarf", "facts", "get_conflicts"),
    ("entity-core", "memory_writing", "memory_create"),
    ("entity-core", "memory_queries", "memory_search"),
    ("carabase", "semantic", "carabase_search_semantic"),
    ("lore-engine", "citations", "cite"),
)
"""Surface, module and tool: only these modules are loaded, since most processes start with this selection."""


def select_essentials(present: Collection[str], load: Callable[[str, str], Surface]) -> Surface:
    """The chosen tools of the surfaces that are present."""
    chosen = [load(name, module).find(tool) for name, module, tool in ESSENTIAL_TOOLS if name in present]
    names = frozenset(tool.name for tool in chosen)
    tools = {tool.name: replace(tool, listed_with=names) for tool in chosen}
    return Surface(ESSENTIALS, ESSENTIALS_SUMMARY, render_in_own_style, brief=True, tools=tools)


def render_in_own_style(
    tool: Tool, arguments: Mapping[str, Any], failure: RecollectError, settings: Settings
) -> Failure:
    return tool.surface.render_failure(tool, arguments, failure, settings)


class AmbiguousToolName(Refused):
    code = "shared_tool_name"

    def __init__(self, name: str, surfaces: list[str]) -> None:
        super().__init__(f"{name} is a tool of {' and '.join(surfaces)}; say which with --surface", accepted=surfaces)


def surface_names() -> tuple[str, ...]:
    """Names of all surfaces, the default selection first."""
    return (ESSENTIALS, *package_names())


@cache
def package_names() -> tuple[str, ...]:
    found = (each.name.replace("_", "-") for each in pkgutil.iter_modules(home.__path__) if each.ispkg)
    return tuple(sorted(found))


@cache
def find_surface(name: str) -> Surface:
    """The surface of that name with all its tools."""
    wanted = name.strip().lower().replace("_", "-")
    if wanted == ESSENTIALS:
        return select_essentials(package_names(), _load_part)
    if wanted not in package_names():
        raise UnknownSurface(name, surface_names())
    return _load(wanted)


def find_tool(name: str) -> Tool:
    """The one tool of that name on any surface."""
    surfaces = [find_surface(each) for each in package_names()]
    holders = [surface for surface in surfaces if surface.tool_called(name)]
    if not holders:
        raise UnknownTool(name, "any surface", (tool for surface in surfaces for tool in surface.tools))
    if len(holders) > 1:
        raise AmbiguousToolName(name, [surface.name for surface in holders])
    return holders[0].find(name)


def has_resources(name: str) -> bool:
    """Whether a surface has a module `resources`; found without loading the surface."""
    module = f"{home.__name__}.{name.replace('-', '_')}.resources"
    return name in package_names() and importlib.util.find_spec(module) is not None


def _load(name: str) -> Surface:
    package = importlib.import_module(f"{home.__name__}.{name.replace('-', '_')}")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    loaded: Surface = importlib.import_module(f"{package.__name__}.surface").surface
    _sort_tools(loaded)
    return loaded


def _load_part(name: str, module: str) -> Surface:
    """A surface with at least the tools of one of its modules."""
    package = f"{home.__name__}.{name.replace('-', '_')}"
    importlib.import_module(f"{package}.{module}")
    part: Surface = importlib.import_module(f"{package}.surface").surface
    return part


def _sort_tools(surface: Surface) -> None:
    """Put tools into the published order, whichever module was imported first; those without a place go last."""
    places = {name: place for place, name in enumerate(surface.tool_order)}
    tools = sorted(surface.tools.values(), key=lambda tool: (places.get(tool.name, len(places)), tool.source_location))
    surface.tools.clear()
    surface.tools.update((tool.name, tool) for tool in tools)
