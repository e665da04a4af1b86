"""Parameter and result types that the tools of this surface share."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from recollect.reason.lore.existence import ExistenceBasis
from recollect.surfaces.parameter_types import AsOf as AnyAsOf
from recollect.surfaces.parameter_types import bad_value, limited_text
from recollect.surfaces.views import TrustMarks
from recollect.when.period import Coverage


class LoreEntityRef(TrustMarks):
    """An entity, in brief."""

    id: str
    name: str
    type: str
    subtype: NotRequired[str]


class EntitySuggestionView(LoreEntityRef):
    score: float


class NamesakeView(LoreEntityRef):
    hint: str | None


class FuzzyResolutionView(TypedDict):
    """How a name that was only nearly right was taken."""

    query: str
    id: str
    name: str
    method: str
    score: float


_LifeBounds = TypedDict(
    "_LifeBounds", {"from": str | None, "until": str | None, "disputed": bool, "basis": ExistenceBasis | None}
)


class LifespanView(_LifeBounds, TrustMarks):
    """When something existed."""


class RelationView(TrustMarks):
    """A relation in full."""

    id: str
    relation: str
    subject: LoreEntityRef
    object: LoreEntityRef | None
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


class HoldingView(TrustMarks):
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


class FindingBrief(TypedDict):
    """A finding that a write opened."""

    id: str
    category: str
    rule_id: str
    severity: Literal["error", "warn"]
    message: str


class WriteOutcome(TypedDict):
    """What every write adds to its own answer."""

    tx: int
    violations: list[FindingBrief]
    resolved_violations: list[str]


class ContextResult(TypedDict):
    """Who or what something is at one time."""

    entity: LoreEntityRef
    provisional: bool
    aliases: list[str]
    at_time: str
    factions: list[HoldingView]
    locations: list[HoldingView]
    cultures: list[HoldingView]
    titles: list[HoldingView]
    languages: list[HoldingView]
    magic_systems: list[HoldingView]
    deities: list[HoldingView]
    items_possessed: list[HoldingView]
    alive: bool | None
    exists: bool | None
    lifespan: LifespanView
    relations: list[RelationView]
    truncated: bool
    resolution: NotRequired[list[FuzzyResolutionView]]


class StoredEntityView(LoreEntityRef):
    """An entity with all that is stored of it."""

    aliases: list[str]
    properties: Mapping[str, Any]
    confidence: float
    provisional: bool
    created_at: str
    confirmed_at: str


class MentioningDocumentView(TrustMarks):
    document_id: str
    title: str
    source_type: str
    mentions: int


class FindingView(TrustMarks):
    id: str
    category: str
    rule_id: str
    severity: str
    message: str
    flagged: bool


class FlagView(TypedDict):
    reason: str
    flagged_by: str
    flagged_at: str


class FullContextResult(TypedDict):
    """Everything stored about one entity."""

    entity: StoredEntityView
    lifespan: LifespanView
    relations: list[RelationView]
    documents: list[MentioningDocumentView]
    violations: list[FindingView]
    flags: list[FlagView]
    truncated: bool
    resolution: NotRequired[list[FuzzyResolutionView]]


PassageMethod = Literal["vector", "text"]
SupportStance = Literal["supports", "contradicts", "related"]


class PassageMatchView(TrustMarks):
    """A passage that answers."""

    chunk_id: str
    document_id: str
    title: str | None
    source_type: str
    text: str
    score: float
    method: PassageMethod
    entities: list[LoreEntityRef]
    world_time: str | None
    reliability: str | float


class MentionChunkView(TypedDict):
    chunk_id: str
    text: str
    mentions: int


class MentioningSourceView(TrustMarks):
    """A document that tells of an entity."""

    document_id: str
    title: str | None
    source_type: str
    author: str | None
    relevance: float
    chunks: list[MentionChunkView]
    reliability: str | float
    visibility: str
    world_time: str | None
    url: str | None


class CitedPassageView(TrustMarks):
    """A passage behind a claim."""

    document_id: str | None
    title: str | None
    chunk_id: str | None
    text: str
    similarity: float | None
    support: SupportStance
    relation_ids: list[str]
    url: str | None
    reliability: str | float
    quote: str | None


class RelationAssertionView(TrustMarks):
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


class RetconView(TypedDict):
    relation_id: str
    was_true: bool
    valid_from: str | None
    valid_until: str | None
    sources: list[str]
    superseded_by: str | None
    superseded_at: str | None


NAME_LIMIT = 200
TEXT_LIMIT = 2000
REASON_LIMIT = 1000
_TIME_LIMIT = 500
_RELATION_LIMIT = 100
_LITERAL_LIMIT = 10_000


def text_validators(limit: int) -> tuple[Any, ...]:
    """Validators for a trimmed text of 1 to `limit` characters."""
    return limited_text(limit, least=1)


def _check_not_empty(texts: list[str]) -> list[str]:
    if not texts:
        raise bad_value("should not be empty; leave it out for all")
    return list(dict.fromkeys(texts))


not_empty = (AfterValidator(_check_not_empty),)
"""What makes a list one of at least one text, each taken once."""

EntityName = Annotated[str, *text_validators(NAME_LIMIT), Field(description="A name, alias or id")]
TimeText = Annotated[
    str,
    *text_validators(_TIME_LIMIT),
    Field(description="A time: era.year_3.month_2, 1848-03-17, current, T~, [T1..T2]"),
]
EventName = Annotated[EntityName, Field(description="A name, alias or id of an event")]
PersonName = Annotated[EntityName, Field(description="A name, alias or id of a person, creature or deity")]
PeriodText = Annotated[TimeText, Field(description="The period asked about: any time, not only an era")]
RelationText = Annotated[
    str,
    *text_validators(_RELATION_LIMIT),
    Field(description="A relation such as RULES, in any case, tense or direction"),
]
RelationTexts = Annotated[list[RelationText], *not_empty, Field(description="Only these relations")]
ListLimit = Annotated[int, Field(ge=1, le=500, description="At most this many in each list")]
LabelText = Annotated[
    str, *text_validators(NAME_LIMIT), Field(description="A label such as Person, Location or Battle")
]
LabelTexts = Annotated[list[LabelText], *not_empty, Field(description="Only entities of these labels")]
AsOf = Annotated[AnyAsOf, Field(description="As known then: an instant, a date or a transaction number")]


class LiteralText(TypedDict):
    literal: Annotated[str, *text_validators(_LITERAL_LIMIT)]
