"""What the tools that tell of one entity answer."""

from collections.abc import Mapping
from typing import Any, NotRequired

from typing_extensions import TypedDict

from recollect.surfaces.lore_engine.results import HoldingShown, LifespanShown, Ref, RelationShown, ResolutionShown


class Context(TypedDict):
    """Who or what something is at one time."""

    entity: Ref
    provisional: bool
    aliases: list[str]
    at_time: str
    factions: list[HoldingShown]
    locations: list[HoldingShown]
    cultures: list[HoldingShown]
    titles: list[HoldingShown]
    languages: list[HoldingShown]
    magic_systems: list[HoldingShown]
    deities: list[HoldingShown]
    items_possessed: list[HoldingShown]
    alive: bool | None
    exists: bool | None
    lifespan: LifespanShown
    relations: list[RelationShown]
    truncated: bool
    resolution: NotRequired[list[ResolutionShown]]


class EntityShown(Ref):
    """An entity with all that is stored of it."""

    aliases: list[str]
    properties: Mapping[str, Any]
    confidence: float
    provisional: bool
    created_at: str
    confirmed_at: str


class DocumentMentioning(TypedDict):
    document_id: str
    title: str
    source_type: str
    mentions: int


class FindingShown(TypedDict):
    id: str
    category: str
    rule_id: str
    severity: str
    message: str
    flagged: bool


class FlagShown(TypedDict):
    reason: str
    flagged_by: str
    flagged_at: str


class Everything(TypedDict):
    """Everything stored about one entity."""

    entity: EntityShown
    lifespan: LifespanShown
    relations: list[RelationShown]
    documents: list[DocumentMentioning]
    violations: list[FindingShown]
    flags: list[FlagShown]
    truncated: bool
    resolution: NotRequired[list[ResolutionShown]]
