"""Result types of this surface."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from recollect.model.fact import Label
from recollect.surfaces.views import LowTrust, TrustMarks

FactViews = list["FactView"] | dict[Label, list["FactView"]]


class EndView(TypedDict):
    name: str
    type: str


class EntityRef(TrustMarks):
    id: str
    name: str
    type: str


class EntityView(EntityRef):
    metadata: Mapping[str, Any]
    provisional: bool


class CandidateView(EntityRef):
    metadata: Mapping[str, Any]
    score: float


class FactView(TrustMarks):
    edge_label: Label
    fact_type: str
    fact: str
    confidence: Literal["inferred", "stated", "verified", "retracted"]
    source_at: str
    recorded_at: str
    valid_until: str | None
    source_record: str
    source_url: str | None
    stale: bool
    replaced_by: str | None
    from_entity: EndView
    to_entity: EndView | None
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
    source: str | None
    modality: str
    polarity: str
    time_text: str | None
    closed_by: str | None
    decided_by: str


class NameResolution(TypedDict):
    method: Literal["id", "exact", "alias", "fuzzy", "embedding"]
    score: float


class FindEntityResult(TypedDict):
    entity: EntityView | None
    aliases: list[str]
    resolution: NameResolution
    ambiguous: bool
    candidates: list[CandidateView]


class FactsResult(TypedDict):
    facts: FactViews
    entity: EntityRef
    count: int
    truncated: bool


class ConnectionView(TrustMarks):
    entity_name: str
    entity_type: str
    edge_label: Label
    fact_type: str
    entity_id: str
    direction: Literal["outgoing", "incoming", "both"]
    fact_count: int
    last_source_at: str


class ConnectionsResult(TypedDict):
    connections: list[ConnectionView]
    entity: EntityRef
    count: int
    truncated: bool


PathStepView = TypedDict(
    "PathStepView",
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
        "trust": NotRequired[LowTrust],
        "suspect": NotRequired[list[str]],
    },
)


class RelationshipResult(TypedDict):
    path: list[PathStepView]
    direct_facts: list[FactView]
    entity_a: EntityRef
    entity_b: EntityRef
    hops: int | None


class FactConflictView(TrustMarks):
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


class ConflictsResult(TypedDict):
    conflicts: list[FactConflictView]
    count: int
    truncated: bool


class EntityContextResult(TypedDict):
    entity: EntityView
    current_facts: FactViews
    connections: list[ConnectionView]
    recent_activity: FactViews
    aliases: list[str]
    since: str
    truncated: bool
