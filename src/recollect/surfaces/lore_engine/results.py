"""The objects that the tools of this surface share in their answers."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from recollect.reason.lore.existence import Basis
from recollect.when.period import Coverage


class Ref(TypedDict):
    """An entity, in brief."""

    id: str
    name: str
    type: str
    subtype: NotRequired[str]


class SuggestionShown(Ref):
    score: float


class CandidateShown(Ref):
    hint: str | None


class ResolutionShown(TypedDict):
    """How a name that was only nearly right was taken."""

    query: str
    id: str
    name: str
    method: str
    score: float


LifespanShown = TypedDict(
    "LifespanShown", {"from": str | None, "until": str | None, "disputed": bool, "basis": Basis | None}
)


class RelationShown(TypedDict):
    """A relation in full."""

    id: str
    relation: str
    subject: Ref
    object: Ref | None
    literal: str | None
    valid_from: str | None
    valid_until: str | None
    confidence: float | None
    sources: list[str]
    coverage: NotRequired[Coverage]
    disputed: bool
    disputed_with: list[str]
    text: str
    attributes: Mapping[str, Any]
    visibility: str
    superseded_by: str | None
    recorded_at: str


class HoldingShown(TypedDict):
    """A relation as an entry of a list in somebody's context."""

    name: str
    valid_from: str | None
    valid_until: str | None
    id: str | None
    type: str | None
    relation: str
    relation_id: str
    confidence: float | None
    sources: list[str]
    coverage: NotRequired[Coverage]
    disputed: bool


class ViolationBrief(TypedDict):
    """A finding that a write opened."""

    id: str
    category: str
    rule_id: str
    severity: Literal["error", "warn"]
    message: str


class Written(TypedDict):
    """What every write adds to its own answer."""

    tx: int
    violations: list[ViolationBrief]
    resolved_violations: list[str]
