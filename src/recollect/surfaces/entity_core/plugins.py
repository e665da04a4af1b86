"""Which extensions are installed."""

from collections import Counter
from importlib.metadata import EntryPoint, distributions

from typing_extensions import TypedDict

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
    """What its package says; nothing is loaded to find out."""
    id_ = name.lower().replace("_", "-")
    return {
        "id": id_,
        "name": name,
        "version": version,
        "enabled": settings.flag(f"plugins.{id_}", default=True),
        "active": False,
        "degraded": False,
        "restartRequired": False,
        "warnings": [],
        "entrypoints": sorted(f"{point.group}:{point.name}" for point in points),
        "capabilities": dict(sorted(Counter(point.group.removeprefix(GROUPS) for point in points).items())),
        "lastError": None,
    }
