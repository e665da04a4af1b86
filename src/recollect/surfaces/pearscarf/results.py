"""What the tools of this surface answer."""

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

from recollect.model.fact import Label

Facts = list["FactShown"] | dict[Label, list["FactShown"]]


class EndShown(TypedDict):
    name: str
    type: str


class EntityNamed(TypedDict):
    id: str
    name: str
    type: str


class EntityShown(EntityNamed):
    metadata: Mapping[str, Any]
    provisional: bool


class CandidateShown(EntityNamed):
    metadata: Mapping[str, Any]
    score: float


class FactShown(TypedDict):
    edge_label: Label
    fact_type: str
    fact: str
    confidence: Literal["inferred", "stated", "verified", "retracted"]
    source_at: str
    recorded_at: str
    valid_until: str | None
    source_record: str
    source_url: str | None
    source: str | None
    stale: bool
    replaced_by: str | None
    from_entity: EndShown
    to_entity: EndShown | None
    id: str
    predicate: str
    literal: str | None
    day: str | None
    valid_from: str | None
    overdue: bool
    partial: bool
    disputed: bool
    score: float
    quote: str | None
    extracted_by: str
    source_count: int


class ResolvedBy(TypedDict):
    method: Literal["id", "exact", "alias", "fuzzy", "embedding"]
    score: float


class FoundEntity(TypedDict):
    entity: EntityShown | None
    aliases: list[str]
    resolution: ResolvedBy
    ambiguous: bool
    candidates: list[CandidateShown]


class FactsFound(TypedDict):
    facts: Facts
    entity: EntityNamed
    count: int
    truncated: bool


class ConnectionShown(TypedDict):
    entity_name: str
    entity_type: str
    edge_label: Label
    fact_type: str
    entity_id: str
    direction: Literal["outgoing", "incoming", "both"]
    fact_count: int
    last_source_at: str


class ConnectionsFound(TypedDict):
    connections: list[ConnectionShown]
    entity: EntityNamed
    count: int
    truncated: bool


StepShown = TypedDict(
    "StepShown",
    {
        "entity": str,
        "edge_label": Label,
        "fact_type": str,
        "fact": str,
        "direction": Literal["outgoing", "incoming"],
        "from": str,
        "entity_type": str,
        "fact_id": str,
        "source_at": str,
    },
)


class RelationshipFound(TypedDict):
    path: list[StepShown]
    direct_facts: list[FactShown]
    entity_a: EntityNamed
    entity_b: EntityNamed
    hops: int | None


class ConflictShown(TypedDict):
    entity: str
    edge_label: Label
    fact_type: str
    fact_a: str
    fact_b: str
    source_at_a: str
    source_at_b: str
    entity_id: str
    target: str | None
    fact_id_a: str
    fact_id_b: str
    reason: Literal["equal_source_at", "disputed"]


class ConflictsFound(TypedDict):
    conflicts: list[ConflictShown]
    count: int
    truncated: bool


class EntityContext(TypedDict):
    entity: EntityShown
    current_facts: Facts
    connections: list[ConnectionShown]
    recent_activity: Facts
    aliases: list[str]
    since: str
    truncated: bool
