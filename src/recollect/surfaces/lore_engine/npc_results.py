"""What a character's answer consists of."""

from typing_extensions import TypedDict

from recollect.reason.lore.knowing.way import How
from recollect.surfaces.lore_engine.results import Ref


class KnownShown(TypedDict):
    """One relation as the character knows it."""

    relation_id: str
    subject: Ref
    relation: str
    object: Ref | None
    literal: str | None
    valid_from: str | None
    valid_until: str | None
    statement: str
    how: How
    learned_at: str | None
    via: str | None
    told_by: str | None
    belief: float
    channels: list[How]
    disputed: bool


class EncounterShown(TypedDict):
    encounter_id: str
    title: str
    at_time: str | None
    location: Ref | None
    text: str


class PassageShown(TypedDict):
    document_id: str
    title: str | None
    chunk_id: str
    text: str


class NpcSays(TypedDict):
    """What the character says, and on what it rests."""

    answer: str
    known: list[KnownShown]
    encounters: list[EncounterShown]
    lore: list[PassageShown]


class NpcAnswer(NpcSays):
    """The same, with who was asked and when."""

    npc: Ref
    at_time: str
    alive: bool | None
