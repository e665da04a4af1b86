"""What the tools of events answer."""

from typing import NotRequired

from typing_extensions import TypedDict

from recollect.surfaces.lore_engine.results import Ref, ResolutionShown
from recollect.surfaces.lore_engine.walk_results import EdgeShown
from recollect.when.period import Coverage


class EventNamed(Ref):
    at: str | None
    until: str | None
    location: str | None


class LinkShown(Ref):
    at: str | None
    until: str | None
    depth: int
    relation: str
    via: str
    relation_id: str


class EventChain(TypedDict):
    """An event, what led to it, what came of it and what went on beside it."""

    event: EventNamed
    causes: list[LinkShown]
    effects: list[LinkShown]
    concurrent: list[LinkShown]
    depth: int
    edges: list[EdgeShown]
    truncated: bool
    cyclic: bool
    resolution: NotRequired[list[ResolutionShown]]


class EventDuring(EventNamed):
    coverage: Coverage
    sources: list[str]
    participants: list[str]
