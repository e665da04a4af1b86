"""Which surfaces there are, found by their place and loaded only when asked for.

A surface is a package beside this file. Its `surface.py` holds `surface = Surface(…)`; the other modules declare
tools on it. There is no list of surfaces and none of tools.
"""

import importlib
import importlib.util
import pkgutil
from functools import cache

import recollect.surfaces as home
from recollect.errors import Refused
from recollect.surfaces import essentials
from recollect.surfaces.declare import Surface, Tool
from recollect.surfaces.problems import UnknownSurface, UnknownTool


class SharedToolName(Refused):
    code = "shared_tool_name"

    def __init__(self, name: str, surfaces: list[str]) -> None:
        super().__init__(f"{name} is a tool of {' and '.join(surfaces)}; say which with --surface", accepted=surfaces)


def surface_names() -> tuple[str, ...]:
    """Every surface by name; the selection out of the others comes first."""
    return (essentials.NAME, *packages())


@cache
def packages() -> tuple[str, ...]:
    found = (each.name.replace("_", "-") for each in pkgutil.iter_modules(home.__path__) if each.ispkg)
    return tuple(sorted(found))


@cache
def find_surface(name: str) -> Surface:
    """The surface of that name with all its tools."""
    wanted = name.strip().lower().replace("_", "-")
    if wanted == essentials.NAME:
        return essentials.select(packages(), _load_part)
    if wanted not in packages():
        raise UnknownSurface(name, surface_names())
    return _load(wanted)


def find_tool(name: str) -> Tool:
    """The one tool of that name on any surface."""
    surfaces = [find_surface(each) for each in packages()]
    holders = [surface for surface in surfaces if surface.called(name)]
    if not holders:
        raise UnknownTool(name, "any surface", (tool for surface in surfaces for tool in surface.tools))
    if len(holders) > 1:
        raise SharedToolName(name, [surface.name for surface in holders])
    return holders[0].find(name)


def has_resources(name: str) -> bool:
    """Whether a surface declares any, in a module of that name; seen from outside, since surfaces load late."""
    module = f"{home.__name__}.{name.replace('-', '_')}.resources"
    return name in packages() and importlib.util.find_spec(module) is not None


def _load(name: str) -> Surface:
    package = importlib.import_module(f"{home.__name__}.{name.replace('-', '_')}")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    loaded: Surface = importlib.import_module(f"{package.__name__}.surface").surface
    _put_in_order(loaded)
    return loaded


def _load_part(name: str, module: str) -> Surface:
    """A surface with at least the tools of one of its modules."""
    package = f"{home.__name__}.{name.replace('-', '_')}"
    importlib.import_module(f"{package}.{module}")
    part: Surface = importlib.import_module(f"{package}.surface").surface
    return part


def _put_in_order(surface: Surface) -> None:
    """Tools stand as their files and lines do, whichever module happened to be imported first."""
    tools = sorted(surface.tools.values(), key=lambda tool: tool.place)
    surface.tools.clear()
    surface.tools.update((tool.name, tool) for tool in tools)
