"""What the graph tools answer."""
# ruff: noqa: N815 the published names

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from recollect.surfaces.entity_core.answers import Written

SkipReason = Literal["from_not_found", "to_not_found", "from_ambiguous", "to_ambiguous"]


class NodeRef(TypedDict):
    id: str
    type: str
    label: str


class NodeTold(NodeRef):
    description: str | None


class NodeFound(NodeTold):
    confidence: float
    aliases: list[str]


class NodeListed(NodeTold):
    confidence: float
    properties: dict[str, Any]
    createdAt: str
    updatedAt: str
    provisional: bool
    deleted: bool


class StatementShown(TypedDict):
    """A fact about a node that joins it to no other node."""

    id: str
    type: str
    text: str
    value: str | None
    occurredAt: str | None
    validUntil: str | None


class NodeShown(NodeListed):
    """A node with all its own fields."""

    sourceInstance: str
    sourceMemoryId: str | None
    firstLearnedAt: str
    lastConfirmedAt: str | None
    version: int
    aliases: list[str]


class NodeWhole(NodeShown):
    """A node with what is said of it and the memories behind it."""

    mergedFrom: NotRequired[str]
    memories: list[str]
    statements: list[StatementShown]


class NodeMade(Written):
    success: bool
    message: str
    node: NodeShown
    created: bool
    matchedBy: Literal["label", "alias"] | None


class NodeGot(TypedDict):
    success: bool
    node: NodeWhole


class NodeChanged(Written):
    success: bool
    message: str
    node: NodeShown


class NodeDeleted(Written):
    success: bool
    message: str
    edgesDeleted: int


class NodeMatch(TypedDict):
    node: NodeFound
    score: float
    matchedBy: Literal["vector", "label", "alias", "words"]


class NodesFound(TypedDict):
    results: list[NodeMatch]
    vectorSearchUsed: bool


class Nodes(TypedDict):
    nodes: list[NodeListed]
    total: int


class SourceShown(TypedDict):
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


class EdgeShown(EdgeRef):
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
    sources: list[SourceShown]


class EdgeStated(Written):
    success: bool
    message: str
    edge: EdgeShown
    created: bool
    reopened: bool
    previousEdgeId: str | None


class Edges(TypedDict):
    edges: list[EdgeShown]
    total: int


class EdgeChanged(Written):
    success: bool
    message: str
    edge: EdgeShown


class EdgeWithdrawn(Written):
    success: bool
    message: str


class StepShown(TypedDict):
    node: NodeTold
    path: list[str]
    depth: int


class Traversed(TypedDict):
    startNode: NodeRef
    results: list[StepShown]
    truncated: bool
    found: bool


class NodePlaced(NodeTold):
    confidence: float
    depth: int


class Subgraph(TypedDict):
    nodes: list[NodePlaced]
    edges: list[EdgeRef]
    truncated: bool
    found: bool


class InsightShown(TypedDict):
    type: Literal["bridge", "cluster", "temporal"]
    description: str
    nodeIds: list[str]
    edgeIds: list[str]
    confidence: float


class Insights(TypedDict):
    insights: list[InsightShown]


class Statistics(TypedDict):
    totalNodes: int
    totalEdges: int
    nodesByType: dict[str, int]
    edgesByType: dict[str, int]
    oldestNode: str | None
    newestNode: str | None
    vectorSearchAvailable: bool
    validEdges: int
    endedEdges: int


class NodeWritten(NodeRef):
    created: bool


class EdgeWritten(TypedDict):
    id: str
    type: str
    fromLabel: str
    toLabel: str
    created: bool


class EdgeSkipped(TypedDict):
    """An edge whose ends could not be told; its labels are as given."""

    index: int
    fromLabel: str | None
    toLabel: str | None
    type: str
    reason: SkipReason
    choices: NotRequired[list[NodeRef]]


class GraphWritten(Written):
    success: bool
    message: str
    nodesCreated: int
    edgesCreated: int
    nodes: list[NodeWritten]
    edges: list[EdgeWritten]
    nodesReused: int
    edgesConfirmed: int
    skippedEdges: list[EdgeSkipped]
