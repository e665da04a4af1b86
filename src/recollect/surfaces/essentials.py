"""The default surface: one tool for each thing people do most, each as its own surface declares it."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from recollect.errors import RecollectError
from recollect.settings import Settings
from recollect.surfaces.declare import Failure, Surface, Tool

NAME = "essentials"
SUMMARY = "The most used tools of all surfaces, few enough for a model to use them well."
MOST = 16
CHOSEN: Mapping[str, tuple[str, ...]] = {
    "cognitive-graph": ("recall_entity", "record_fact", "recall_decisions", "weekly_rollup"),
    "pearscarf": ("get_entity_context", "get_facts", "get_relationship", "get_conflicts"),
    "entity-core": ("memory_create", "memory_search"),
    "carabase": ("carabase_search_semantic",),
    "lore-engine": ("cite",),
}


def select(present: Collection[str], find_surface: Callable[[str], Surface]) -> Surface:
    """The chosen tools of the surfaces that are present."""
    chosen = [find_surface(name).find(tool) for name in CHOSEN if name in present for tool in CHOSEN[name]]
    return Surface(NAME, SUMMARY, in_its_own_style, brief=True, tools={tool.name: tool for tool in chosen})


def in_its_own_style(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError, settings: Settings) -> Failure:
    return tool.surface.style(tool, arguments, failure, settings)
