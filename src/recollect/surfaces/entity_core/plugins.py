"""Which extensions are installed."""

import sys
from collections import Counter
from importlib.metadata import EntryPoint, distributions

from typing_extensions import TypedDict

from recollect.ingest.experts.loading import GROUP as EXPERTS
from recollect.ingest.experts.loading import CannotLoad, loaded, plugin_id
from recollect.memory import Memory
from recollect.settings import Settings
from recollect.surfaces.entity_core.surface import surface

GROUPS = "recollect."


class Plugin(TypedDict):
    """One installed extension."""

    id: str
    name: str
    version: str
    enabled: bool
    active: bool
    degraded: bool
    restartRequired: bool
    warnings: list[str]
    entrypoints: list[str]
    capabilities: dict[str, int]
    lastError: str | None


@surface.tool("read", example={})
def plugin_status(memory: Memory) -> list[Plugin]:
    """I use this to see which extensions are installed with me."""
    found: dict[str, Plugin] = {}
    for package in distributions():
        points = [point for point in package.entry_points if point.group.startswith(GROUPS)]
        if points:
            shown = _shown(package.metadata["Name"], package.version, points, memory.settings)
            found.setdefault(shown["id"], shown)
    return [found[id_] for id_ in sorted(found)]


def _shown(name: str, version: str, points: list[EntryPoint], settings: Settings) -> Plugin:
    """What its package says, and whether a part of it is at work here; nothing is loaded to find out."""
    id_ = plugin_id(name)
    enabled = settings.flag(f"plugins.{id_}", default=True)
    running = [point for point in points if point.module in sys.modules]
    problem = next((why for point in running if (why := _problem(point))), None)
    return {
        "id": id_,
        "name": name,
        "version": version,
        "enabled": enabled,
        "active": bool(running),
        "degraded": problem is not None,
        "restartRequired": bool(running) and not enabled,
        "warnings": [],
        "entrypoints": sorted(f"{point.group}:{point.name}" for point in points),
        "capabilities": dict(sorted(Counter(point.group.removeprefix(GROUPS) for point in points).items())),
        "lastError": problem,
    }


def _problem(point: EntryPoint) -> str | None:
    """Why an expert whose code is loaded cannot be used."""
    if point.group != EXPERTS:
        return None
    try:
        loaded(point)
    except CannotLoad as problem:
        return str(problem)
    return None
