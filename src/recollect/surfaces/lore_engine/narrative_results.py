"""What the narrative tools answer."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from recollect.reason.lore.telling.styles import Style
from recollect.surfaces.lore_engine.citations import CitationShown
from recollect.surfaces.lore_engine.results import Ref, ResolutionShown

GeneratedBy = Literal["template", "sampling", "endpoint"]


class EventShown(Ref):
    at: str | None


class TimelineEntry(TypedDict):
    """A citation by the event it stands with."""

    n: int
    at: str | None
    event: str
    sources: list[str]


class ChainTold(TypedDict):
    """The chain of events around an entity, in words."""

    entity: Ref
    depth: int
    style: Style
    text: str
    citations: dict[str, CitationShown]
    events: list[Ref]
    generated_by: GeneratedBy
    dropped_sentences: int
    truncated: bool
    note: str | None
    resolution: NotRequired[list[ResolutionShown]]


class ArcTold(TypedDict):
    """The story from one event to another, in words."""

    start_event: Ref
    end_event: Ref
    perspective: Ref | None
    connected: bool
    text: str
    events: list[EventShown]
    citations: dict[str, CitationShown]
    timeline: list[TimelineEntry]
    generated_by: GeneratedBy
    dropped_sentences: int
    note: str | None
    resolution: NotRequired[list[ResolutionShown]]
