"""The default surface: one tool for each thing people do most, each as its own surface declares it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from recollect.errors import RecollectError
from recollect.settings import Settings
from recollect.surfaces.declare import Failure, Surface, Tool

NAME = "essentials"
SUMMARY = "The most used tools of all surfaces, few enough for a model to use them well."
MOST = 16
CHOSEN: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "cognitive-graph": {
        "recall": ("recall_entity",),
        "record": ("record_fact",),
        "decided": ("recall_decisions",),
        "rollup": ("weekly_rollup",),
    },
    "pearscarf": {
        "context": ("get_entity_context",),
        "facts": ("get_facts",),
        "relationship": ("get_relationship",),
        "conflicts": ("get_conflicts",),
    },
    "entity-core": {"memory_writing": ("memory_create",), "memory_finding": ("memory_search",)},
    "carabase": {"semantic": ("carabase_search_semantic",)},
    "lore-engine": {"citing": ("cite",)},
}
"""By surface and module, so that only these modules are loaded: this is what most processes start with."""


def select(present: Collection[str], load: Callable[[str, str], Surface]) -> Surface:
    """The chosen tools of the surfaces that are present."""
    chosen = [
        load(name, module).find(tool)
        for name in CHOSEN
        if name in present
        for module, tools in CHOSEN[name].items()
        for tool in tools
    ]
    names = frozenset(tool.name for tool in chosen)
    tools = {tool.name: replace(tool, beside=names) for tool in chosen}
    return Surface(NAME, SUMMARY, in_its_own_style, brief=True, tools=tools)


def in_its_own_style(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError, settings: Settings) -> Failure:
    return tool.surface.style(tool, arguments, failure, settings)
