"""Parameter and result types of this surface, and how texts of parameters are parsed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Annotated, Any, Literal, NotRequired

from pydantic import AfterValidator, Field, PlainValidator, WithJsonSchema
from typing_extensions import TypedDict

from recollect.errors import Refused
from recollect.model.fact import Label
from recollect.model.similarity import to_snake_case
from recollect.model.vocabulary import PREDICATE_LIMIT
from recollect.store.world import World
from recollect.surfaces.call_errors import BadArgument
from recollect.surfaces.parameter_types import (
    DATE_FORM,
    IntegralFloat,
    bad_value,
    fold_case_into,
    limited_text,
    trimmed_text,
)
from recollect.surfaces.views import LowTrust, TrustMarks
from recollect.when.instant import Instant, date_of_day, day_period, format_instant, local_day, read_date, read_instant
from recollect.when.span import Span
from recollect.when.time_errors import BadTime

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


DEFAULT_LIMIT = 500
CONTEXT_LIMIT = 100
"""A context has three lists, and is read as a whole: longer ones are left to the tools that list one thing."""
ACTIVITY_DAYS = 7


@dataclass(frozen=True, slots=True)
class DateOrInstant:
    """A date or an instant as it was given; what it means depends on the workspace's zone."""

    text: str

    @property
    def is_date(self) -> bool:
        return DATE_FORM.fullmatch(self.text) is not None

    def bounds(self, zone: tzinfo) -> tuple[Instant, Instant]:
        """Its first and last instant."""
        if self.is_date:
            return day_period(read_date(self.text), zone)
        instant = read_instant(self.text, zone)
        return instant, instant

    def format(self, zone: tzinfo) -> str:
        """A date as it is, an instant in UTC."""
        return self.text if self.is_date else format_instant(read_instant(self.text, zone))


def date_before(now: Instant, days: int, zone: tzinfo) -> DateOrInstant:
    """The local date a number of days ago."""
    return DateOrInstant(date_of_day(local_day(now, zone) - days).isoformat())


def _parse_moment(value: Any) -> DateOrInstant:
    moment = DateOrInstant(value.strip() if isinstance(value, str) else "")
    try:
        moment.bounds(UTC)
    except BadTime:
        raise bad_value("should be a date (YYYY-MM-DD) or an ISO 8601 instant") from None
    return moment


def parse_at_time(world: World, at_time: str | None) -> Span:
    """The period asked about; default: the present of the workspace."""
    if at_time is None:
        return world.present
    try:
        return world.read(at_time).span
    except Refused as problem:
        raise BadArgument("at_time", "bad_value", f"at_time: {problem}") from problem


_MOMENT_VALIDATORS = (PlainValidator(_parse_moment), WithJsonSchema({"type": "string"}))

Since = Annotated[
    DateOrInstant, *_MOMENT_VALIDATORS, Field(description="Only what was said since then: a date or an instant")
]
Until = Annotated[
    DateOrInstant,
    *_MOMENT_VALIDATORS,
    Field(description="Only what was said until the end of it: a date or an instant"),
]

FactType = Annotated[
    str,
    trimmed_text(PREDICATE_LIMIT),
    AfterValidator(to_snake_case),
    WithJsonSchema({"type": "string", "maxLength": PREDICATE_LIMIT}),
    Field(description="Only facts of this type, such as commitment or employee"),
]

EntityType = Annotated[
    str,
    *limited_text(500),
    Field(description="Only entities of this type, such as Person or Company"),
]

IncludeStale = Annotated[
    bool, Field(description="Also superseded, retracted and closed facts, affiliations outside their time")
]

IncludeUnasserted = Annotated[bool, Field(description="Also what is only asked, doubted or hoped")]

FactFormat = Annotated[
    Literal["chronological", "clustered"],
    fold_case_into("chronological", "clustered"),
    Field(description="A list, oldest first; or newest first under each edge label"),
]

FactLimit = Annotated[int, Field(ge=1, le=5000, description="At most this many, the newest"), IntegralFloat]
ContextLimit = Annotated[
    int, Field(ge=1, le=5000, description="At most this many of each list, the newest"), IntegralFloat
]
ConflictLimit = Annotated[int, Field(ge=1, le=1000, description="At most this many pairs, the newest"), IntegralFloat]
MaxHops = Annotated[int, Field(ge=1, le=4, description="The longest path to look for"), IntegralFloat]
