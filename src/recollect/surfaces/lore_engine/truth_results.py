"""What the tools that ask for the truth of one relation answer."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from recollect.surfaces.lore_engine.results import ResolutionShown
from recollect.when.period import Coverage


class IntervalShown(TypedDict):
    relation_id: str
    valid_from: str | None
    valid_until: str | None
    coverage: Coverage
    confidence: float | None
    sources: list[str]
    disputed: bool


class NearestShown(TypedDict):
    relation_id: str
    valid_from: str | None
    valid_until: str | None
    side: Literal["earlier", "later"]
    sources: list[str]


class SourceShown(TypedDict):
    """One assertion of a relation that holds."""

    source: str
    document_id: str | None
    relation_id: str
    extraction: float
    reliability: float
    confidence: float
    valid_from: str | None
    valid_until: str | None
    quote: str | None


class RetconnedShown(TypedDict):
    relation_id: str
    was_true: bool
    valid_from: str | None
    valid_until: str | None
    sources: list[str]
    superseded_by: str | None
    superseded_at: str | None


class WasTrue(TypedDict):
    was_true: bool
    valid_from: str | None
    valid_until: str | None
    sources: list[str]
    confidence: float | None
    reason: Literal["holds", "outside_interval", "no_such_relation"]
    coverage: Coverage
    relation_id: str | None
    intervals: list[IntervalShown]
    nearest: NearestShown | None
    disputed: bool
    disputed_with: list[str]
    per_source: list[SourceShown]
    qualify: bool
    retconned: list[RetconnedShown]
    at_time: str
    direction: Literal["forward", "reverse"]
    resolution: NotRequired[list[ResolutionShown]]


class TrueDuring(TypedDict):
    """One relation that held in the period."""

    valid_from: str | None
    valid_until: str | None
    subject: str
    object: str | None
    sources: list[str]
    relation_id: str
    subject_id: str
    object_id: str | None
    coverage: Coverage
    clipped_from: str | None
    clipped_until: str | None
    confidence: float | None
    disputed: bool
