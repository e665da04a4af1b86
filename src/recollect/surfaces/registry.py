"""Registry of surfaces: packages beside this module, loaded on demand."""

import importlib
import importlib.util
import pkgutil
import re
from functools import cache
from pathlib import Path

import recollect.surfaces as home
from recollect.errors import Refused
from recollect.surfaces.call_errors import UnknownSurface, UnknownTool
from recollect.surfaces.declarations import Surface, Tool

DEFAULT = "recollect"
ALIASES = {"essentials": DEFAULT}


class AmbiguousToolName(Refused):
    code = "shared_tool_name"

    def __init__(self, name: str, surfaces: list[str]) -> None:
        super().__init__(f"{name} is a tool of {' and '.join(surfaces)}; say which with --surface", accepted=surfaces)


def surface_names() -> tuple[str, ...]:
    """Names of all surfaces, the default one first."""
    return (DEFAULT, *(name for name in package_names() if name != DEFAULT))


@cache
def package_names() -> tuple[str, ...]:
    found = (each.name.replace("_", "-") for each in pkgutil.iter_modules(home.__path__) if each.ispkg)
    return tuple(sorted(found))


@cache
def find_surface(name: str) -> Surface:
    """The surface of that name with all its tools."""
    return _load(check_surface(name))


def check_surface(name: str) -> str:
    """The published name of a surface, which is not loaded; an unknown one is refused."""
    wanted = canonical_name(name)
    if wanted not in package_names():
        raise UnknownSurface(name, surface_names())
    return wanted


def canonical_name(name: str) -> str:
    """The name of a surface as it is published, from any spelling or alias."""
    spelled = name.strip().lower().replace("_", "-")
    return ALIASES.get(spelled, spelled)


def default_tool(name: str) -> Tool:
    """A tool of the default surface, from the module of its name: a command needs no other."""
    package = f"{home.__name__}.{DEFAULT}"
    importlib.import_module(f"{package}.{name}")
    surface: Surface = importlib.import_module(f"{package}.surface").surface
    return surface.find(name)


def find_tool(name: str) -> Tool:
    """The one tool of that name on any surface."""
    candidates = [find_surface(each) for each in package_names() if _mentions(each, name)]
    holders = [surface for surface in candidates if surface.tool_called(name)]
    if not holders:
        surfaces = [find_surface(each) for each in package_names()]
        tools = (tool for surface in surfaces for tool in surface.tools)
        raise UnknownTool(name, "any surface", tools, "recollect list tools shows them all")
    if len(holders) > 1:
        raise AmbiguousToolName(name, [surface.name for surface in holders])
    return holders[0].find(name)


def _mentions(surface: str, tool: str) -> bool:
    """Whether the source of a surface defines a function or contains a text of this name; found without loading it."""
    spec = importlib.util.find_spec(f"{home.__name__}.{surface.replace('-', '_')}")
    folders = (spec.submodule_search_locations or ()) if spec else ()
    defined = re.compile(rf"def {re.escape(tool)}\(|[\"']{re.escape(tool)}[\"']")
    return any(defined.search(file.read_text("utf-8")) for folder in folders for file in Path(folder).glob("*.py"))


def has_resources(name: str) -> bool:
    return _has_module(name, "resources")


def has_prompts(name: str) -> bool:
    return _has_module(name, "prompts")


def _has_module(name: str, module: str) -> bool:
    """Whether a surface has a module of this name; found without loading the surface."""
    path = f"{home.__name__}.{name.replace('-', '_')}.{module}"
    return name in package_names() and importlib.util.find_spec(path) is not None


def _load(name: str) -> Surface:
    package = importlib.import_module(f"{home.__name__}.{name.replace('-', '_')}")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    loaded: Surface = importlib.import_module(f"{package.__name__}.surface").surface
    _sort_tools(loaded)
    return loaded


def _sort_tools(surface: Surface) -> None:
    """Put tools into the published order, whichever module was imported first; those without a place go last."""
    places = {name: place for place, name in enumerate(surface.tool_order)}
    tools = sorted(surface.tools.values(), key=lambda tool: (places.get(tool.name, len(places)), tool.source_location))
    surface.tools.clear()
    surface.tools.update((tool.name, tool) for tool in tools)
