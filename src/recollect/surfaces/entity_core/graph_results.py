"""Result types of the graph tools."""
# ruff: noqa: N815 the published names

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from recollect.surfaces.entity_core.surface import WriteResult
from recollect.surfaces.views import TrustMarks

SkipReason = Literal["from_not_found", "to_not_found", "from_ambiguous", "to_ambiguous"]


class NodeRef(TrustMarks):
    id: str
    type: str
    label: str


class DescribedNodeRef(NodeRef):
    description: str | None


class FoundNodeView(DescribedNodeRef):
    confidence: float
    aliases: list[str]


class ListedNodeView(DescribedNodeRef):
    confidence: float
    properties: dict[str, Any]
    createdAt: str
    updatedAt: str
    provisional: bool
    deleted: bool


class StatementView(TrustMarks):
    """A fact about a node that joins it to no other node."""

    id: str
    type: str
    text: str
    value: str | None
    occurredAt: str | None
    validUntil: str | None


class NodeView(ListedNodeView):
    """A node with all its own fields."""

    sourceInstance: str
    sourceMemoryId: str | None
    firstLearnedAt: str
    lastConfirmedAt: str | None
    version: int
    aliases: list[str]


class FullNodeView(NodeView):
    """A node with what is said of it and the memories behind it."""

    mergedFrom: NotRequired[str]
    memories: list[str]
    statements: list[StatementView]


class NodeCreateResult(WriteResult):
    node: NodeView
    created: bool
    matchedBy: Literal["label", "alias"] | None


class NodeGetResult(TypedDict):
    success: bool
    node: FullNodeView


class NodeUpdateResult(WriteResult):
    node: NodeView


class NodeDeleteResult(WriteResult):
    edgesDeleted: int


class NodeMatchView(TypedDict):
    node: FoundNodeView
    score: float
    matchedBy: Literal["vector", "label", "alias", "words"]


class NodeSearchResult(TypedDict):
    results: list[NodeMatchView]
    vectorSearchUsed: bool


class NodeListResult(TypedDict):
    nodes: list[ListedNodeView]
    total: int


class EdgeAssertionView(TypedDict):
    """One assertion of an edge."""

    memoryId: NotRequired[str]
    record: NotRequired[str]
    tool: NotRequired[str]
    source: NotRequired[str]
    instanceId: str
    evidence: str | None
    confidence: float
    recordedAt: str


class EdgeRef(TypedDict):
    id: str
    fromId: str
    toId: str
    type: str
    weight: float


class GraphEdgeView(EdgeRef, TrustMarks):
    """An edge with all that is known of it."""

    evidence: str | None
    occurredAt: str | None
    validUntil: str | None
    createdAt: str
    updatedAt: str
    version: int
    properties: dict[str, Any]
    valid: bool
    stale: bool
    disputed: bool
    deleted: bool
    confidence: float
    lastConfirmedAt: str | None
    sources: list[EdgeAssertionView]


class EdgeCreateResult(WriteResult):
    edge: GraphEdgeView
    created: bool
    reopened: bool
    previousEdgeId: str | None


class EdgeGetResult(TypedDict):
    edges: list[GraphEdgeView]
    total: int


class EdgeUpdateResult(WriteResult):
    edge: GraphEdgeView


class TraversalStepView(TypedDict):
    node: DescribedNodeRef
    path: list[str]
    depth: int


class TraversalResult(TypedDict):
    startNode: NodeRef
    results: list[TraversalStepView]
    truncated: bool
    found: bool


class SubgraphNodeView(DescribedNodeRef):
    confidence: float
    depth: int


class SubgraphResult(TypedDict):
    nodes: list[SubgraphNodeView]
    edges: list[EdgeRef]
    truncated: bool
    found: bool


class InsightView(TrustMarks):
    type: Literal["bridge", "cluster", "temporal"]
    description: str
    nodeIds: list[str]
    edgeIds: list[str]
    confidence: float


class InsightsResult(TypedDict):
    insights: list[InsightView]


class GraphStatisticsResult(TypedDict):
    totalNodes: int
    totalEdges: int
    nodesByType: dict[str, int]
    edgesByType: dict[str, int]
    oldestNode: str | None
    newestNode: str | None
    vectorSearchAvailable: bool
    validEdges: int
    endedEdges: int


class WrittenNodeView(NodeRef):
    created: bool


class WrittenEdgeView(TypedDict):
    id: str
    type: str
    fromLabel: str
    toLabel: str
    created: bool


class SkippedEdgeView(TypedDict):
    """An edge whose ends could not be told; its labels are as given."""

    index: int
    fromLabel: str | None
    toLabel: str | None
    type: str
    reason: SkipReason
    choices: NotRequired[list[NodeRef]]


class GraphTransactionResult(WriteResult):
    nodesCreated: int
    edgesCreated: int
    nodes: list[WrittenNodeView]
    edges: list[WrittenEdgeView]
    nodesReused: int
    edgesConfirmed: int
    skippedEdges: list[SkippedEdgeView]
