"""What the tools that tell who and what was somewhere answer."""

from typing import NotRequired

from typing_extensions import TypedDict

from recollect.surfaces.lore_engine.context_results import Context
from recollect.surfaces.lore_engine.results import HoldingShown, Ref, ResolutionShown
from recollect.surfaces.lore_engine.touching import ContradictionShown
from recollect.when.period import Coverage


class PlacedShown(HoldingShown):
    """An entry with the place it is in."""

    location: str | None


class ThingShown(HoldingShown):
    """An entry with those through whom it is there."""

    location: str | None
    by: list[str]


class OngoingShown(HoldingShown):
    at: str | None
    until: str | None
    location: str | None


class State(TypedDict):
    """A snapshot."""

    entity: Ref
    at_time: str
    ruling_factions: list[HoldingShown]
    ruling_persons: list[HoldingShown]
    controlling_factions: list[PlacedShown]
    persons_present: list[PlacedShown]
    ongoing_events: list[OngoingShown]
    contradictions: list[ContradictionShown]
    magic_systems: list[ThingShown]
    deities: list[ThingShown]
    languages: list[ThingShown]
    items: list[ThingShown]
    context: Context
    truncated: bool
    resolution: NotRequired[list[ResolutionShown]]


class PresentShown(Ref):
    """Something in a place."""

    location: Ref
    via: str
    valid_from: str | None
    valid_until: str | None
    coverage: Coverage
    confidence: float | None
    sources: list[str]
    disputed: bool
    relation_id: str
