"""What the consistency tools answer."""

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

from recollect.surfaces.lore_engine.results import Ref, RelationShown, Written


class FindingListed(TypedDict):
    """What every listed finding says of itself."""

    id: str
    severity: Literal["error", "warn"]
    flagged: bool
    detected_at: str
    rule_id: str
    category: str
    status: Literal["open", "resolved"]
    resolved_at: str | None
    nodes: list[Ref]
    relations: list[str]
    message: str
    confidence: float | None


class Contradiction(FindingListed):
    """Two claims that cannot both stand, or a cycle."""

    subject: str
    predicate: str | None
    claim_a: str
    doc_a: str
    claim_b: str | None
    doc_b: str | None
    kind: Literal["bounds", "single_valued", "cycle", "conflict"]
    relation_a: str | None
    relation_b: str | None
    confidence_a: float | None
    confidence_b: float | None


class Anachronism(FindingListed):
    """Something out of its time."""

    entity_name: str
    event_name: str | None
    era: str | None
    claim: Literal["EXISTED_BEFORE", "EXISTED_AFTER", "EXISTED_DURING_MISMATCH"]
    expected: str
    actual: str | None
    sources: list[str]
    entity_id: str
    relation_id: str | None


class OntologyViolation(FindingListed):
    """A breach of a rule."""

    subject: str | None
    predicate: str | None
    claim: str
    sources: list[str]
    details: Mapping[str, Any]


class Orphan(FindingListed):
    """An entity with something missing."""

    entity_name: str
    entity_type: str
    reason: str
    entity_id: str
    reasons: list[str]


class Flagged(Written):
    """Something marked for review, or no longer."""

    node_id: str
    kind: Literal["entity", "relation", "document", "violation"]
    flagged: bool
    reason: str
    flagged_at: str | None
    flagged_by: str | None


class RuleShown(TypedDict):
    id: str
    description: str
    severity: Literal["error", "warn"]
    cypher: str | None


class SourceShown(TypedDict):
    source: str
    document_id: str | None
    chunk_id: str | None
    quote: str | None
    url: str | None
    relation_id: str


class Explained(TypedDict):
    """Why something is a finding."""

    id: str
    category: str
    severity: Literal["error", "warn"]
    status: Literal["open", "resolved"]
    message: str
    rule: RuleShown
    nodes: list[Ref]
    edges: list[RelationShown]
    sources: list[SourceShown]
    why: list[str]
    flagged: bool
    flag_reason: str | None
    detected_at: str
    resolved_at: str | None
    suggestions: list[str]


class RunTotals(TypedDict):
    contradictions: int
    anachronisms: int
    ontology_violations: int
    orphans: int


class BySeverity(TypedDict):
    error: int
    warn: int


class RunError(TypedDict):
    rule_id: str
    error: str
    message: str


class ConsistencyRun(TypedDict):
    """One run of the engine."""

    run_id: str
    kind: Literal["full", "scoped", "incremental"]
    scope: str
    started_at: str
    finished_at: str
    duration_ms: int
    entities_checked: int
    relations_checked: int
    rules_run: int
    rules_disabled: list[str]
    totals: RunTotals
    by_severity: BySeverity
    by_rule: dict[str, int]
    opened: int
    resolved: int
    unchanged: int
    flagged: int
    complete: bool
    errors: list[RunError]


class ConsistencyRunDone(ConsistencyRun, Written):
    """A run that a call made."""


class NoRun(TypedDict):
    run_id: None
    message: str


class RuleListed(RuleShown):
    enabled: bool
    built_in: bool
    category: str
    min_confidence: float
    open_violations: int


class RulePut(Written, RuleShown):
    """A rule that was added or changed."""

    enabled: bool
    built_in: bool
    created: bool
    violations_found: int
    truncated: bool
    warnings: list[str]
