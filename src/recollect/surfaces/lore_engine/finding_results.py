"""What the consistency tools answer."""

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

from recollect.surfaces.lore_engine.results import LoreEntityRef, RelationView, WriteOutcome
from recollect.surfaces.views import TrustMarks


class ListedFinding(TrustMarks):
    """What every listed finding says of itself."""

    id: str
    severity: Literal["error", "warn"]
    flagged: bool
    detected_at: str
    rule_id: str
    category: str
    status: Literal["open", "resolved"]
    resolved_at: str | None
    nodes: list[LoreEntityRef]
    relations: list[str]
    message: str
    confidence: float | None


class ContradictionView(ListedFinding):
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


class AnachronismView(ListedFinding):
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


class OntologyViolationView(ListedFinding):
    """A breach of a rule."""

    subject: str | None
    predicate: str | None
    claim: str
    sources: list[str]
    details: Mapping[str, Any]


class OrphanView(ListedFinding):
    """An entity with something missing."""

    entity_name: str
    entity_type: str
    reason: str
    entity_id: str
    reasons: list[str]


class FlagResult(WriteOutcome):
    """Something marked for review, or no longer."""

    node_id: str
    kind: Literal["entity", "relation", "document", "violation"]
    flagged: bool
    reason: str
    flagged_at: str | None
    flagged_by: str | None


class RuleView(TypedDict):
    id: str
    description: str
    severity: Literal["error", "warn"]
    cypher: str | None


class FindingSourceView(TypedDict):
    source: str
    document_id: str | None
    chunk_id: str | None
    quote: str | None
    url: str | None
    relation_id: str


class ExplanationResult(TypedDict):
    """Why something is a finding."""

    id: str
    category: str
    severity: Literal["error", "warn"]
    status: Literal["open", "resolved"]
    message: str
    rule: RuleView
    nodes: list[LoreEntityRef]
    edges: list[RelationView]
    sources: list[FindingSourceView]
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


class SeverityCounts(TypedDict):
    error: int
    warn: int


class RunErrorView(TypedDict):
    rule_id: str
    error: str
    message: str


class ConsistencyRunView(TypedDict):
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
    by_severity: SeverityCounts
    by_rule: dict[str, int]
    opened: int
    resolved: int
    unchanged: int
    flagged: int
    complete: bool
    errors: list[RunErrorView]


class ConsistencyRunResult(ConsistencyRunView, WriteOutcome):
    """A run that a call made, with the first findings that are open in its scope."""

    opened_violations: list[str]


class NoRunResult(TypedDict):
    run_id: None
    message: str


class ListedRuleView(RuleView):
    enabled: bool
    built_in: bool
    category: str
    min_confidence: float
    open_violations: int


class RuleWriteResult(WriteOutcome, RuleView):
    """A rule that was added or changed."""

    enabled: bool
    built_in: bool
    created: bool
    violations_found: int
    truncated: bool
    warnings: list[str]
