"""Facts: the claim, its statements and assertions, and its default text."""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol, get_args

from recollect.model.certainty import Certainty, SourceKind
from recollect.model.ids import AssertionId, DocumentId, EntityId, FactId
from recollect.model.trust import CLAIMED_TIME, OWNER, SOURCE_TRUST, SUSPECT, Trust, lower_trust, trust_in
from recollect.when.instant import Instant
from recollect.when.period import Bounds, Time

Label = Literal["AFFILIATED", "ASSERTED", "TRANSITIONED"]
LABELS: tuple[Label, ...] = get_args(Label)
Policy = Literal["supersede", "accumulate", "dispute"]
ALIAS_TAG = "alias:"
NOTHING: Mapping[str, Any] = MappingProxyType({})
OBSOLETE_SINCE = "obsolete_since"
"""Attribute: when somebody declared a fact outdated without naming a replacement."""
HIDDEN_SINCE = "hidden_since"
"""Attribute of a retracted fact: when it was hidden, so that not even lists of retracted facts show it."""
MODALITY = "modality"
"""Attribute: how a statement is meant, where it is not plainly asserted: reported, asked, doubted …"""
POLARITY = "polarity"
"""Attribute: `negative` where a statement says that something is not so."""
TIME_TEXT = "time_text"
"""Attribute: the words of a time that could not be read."""
PENDING_TIME = "time_pending"
"""Attribute: the fact has a time that could not be read, so it is not known when it holds."""
LASTING = "lasting"
"""Attribute of an item that lasts until its day and is over after it; other items are overdue then."""
DECIDED_BY = "decided_by"
"""Attribute: the rule or model that decided what a clause states, where it is not the extractor."""
OWN_ITEMS = "own_items"
"""Attribute of a report: the items that it closes because who owes them made it, however far they are trusted."""
ENDS_ONLY = "ends_only"
"""Attribute of an assertion, not of its fact: it states only when the fact began or ended and is not a source of it."""
UNASSERTED = frozenset(
    "asked doubted conditional hoped planned considered attempted figurative habitual negated".split()
)
"""Modalities of statements that do not say that something is so; default reads leave them out."""
MARKS = frozenset(
    {
        OBSOLETE_SINCE, HIDDEN_SINCE, MODALITY, POLARITY, TIME_TEXT, PENDING_TIME, LASTING, DECIDED_BY, SOURCE_TRUST,
        SUSPECT, CLAIMED_TIME, OWN_ITEMS, ENDS_ONLY,
    }
)  # fmt: skip
"""Attributes that record decisions about a fact; no surface prints them."""
# Why two facts are in dispute, as it is stored with the pair.
DISPUTED = "disputed"
EQUAL_TIME = "equal_source_at"
OUTRANKED = "outranked"
"""One of two facts would replace the other, but its source is trusted less or is less sure."""


class Claim(NamedTuple):
    """Subject, predicate and object: the part of a fact that determines its slot."""

    subject: EntityId
    predicate: str
    label: Label
    fact_type: str
    object: EntityId | None = None
    literal: str | None = None
    symmetric: bool = False
    policy: Policy = "supersede"

    @property
    def is_alias(self) -> bool:
        """Whether the fact only records another name of its subject."""
        return self.predicate == "tagged" and self.literal is not None and self.literal.lower().startswith(ALIAS_TAG)

    @property
    def slot(self) -> int:
        return slot_of(self.subject, self.label, self.predicate, self.object, self.literal, self.symmetric)


def slot_of(
    subject: str, label: str, predicate: str, object_: str | None, literal: str | None, symmetric: bool = False
) -> int:
    """A 64-bit hash of (subject, label, predicate, object), equal for both directions of a symmetric predicate."""
    if symmetric and object_ is not None and object_ < subject:
        subject, object_ = object_, subject
    target = f"e{object_}" if object_ is not None else "n" if literal is None else f"l{literal}"
    digest = blake2b(f"{subject}\0{label}\0{predicate}\0{target}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


class Source(NamedTuple):
    """Where a statement comes from."""

    document: DocumentId | None = None
    key: str | None = None
    url: str | None = None
    given: str | None = None
    quote: str | None = None
    extracted_by: str = "given"
    trust: Trust = OWNER


class Statement(NamedTuple):
    """One claim from one source, as passed to the write path."""

    claim: Claim
    source_at: Instant
    certainty: Certainty
    source_kind: SourceKind
    confidence: float
    words: str | None = None
    evidence: str | None = None
    valid_from: Time | None = None
    valid_until: Time | None = None
    is_open_start: bool = False
    source: Source = Source()
    attributes: Mapping[str, Any] = NOTHING
    supersedes: FactId | None = None

    @property
    def trust(self) -> Trust:
        """The level of its source; its attributes may lower it further, never raise it."""
        return lower_trust(self.source.trust, trust_in(self.attributes)) if self.attributes else self.source.trust


class Assertion(NamedTuple):
    """A statement as it is stored."""

    id: AssertionId
    tx_from: int
    fact: FactId
    document: DocumentId | None
    source_key: str
    source_url: str | None
    given: str | None
    quote: str | None
    evidence: str | None
    extracted_by: str
    surface: str
    tool: str
    actor: str
    source_at: Instant
    recorded_at: Instant
    confidence: float
    certainty: Certainty
    source_kind: SourceKind
    valid_from: Time | None
    valid_until: Time | None
    begins: int
    attributes: Mapping[str, Any]

    @property
    def trust(self) -> Trust:
        return trust_in(self.attributes)

    @property
    def is_claim(self) -> bool:
        """Whether it says that the fact is or was so, rather than that it is wrong or over."""
        return self.certainty != "retracted" and self.attributes.keys().isdisjoint((ENDS_ONLY, OBSOLETE_SINCE))

    @property
    def fact_attributes(self) -> Mapping[str, Any]:
        """The attributes that it gives the fact."""
        if ENDS_ONLY not in self.attributes:
            return self.attributes
        return {key: value for key, value in self.attributes.items() if key != ENDS_ONLY}


class Fact(NamedTuple):
    """One version of a fact: the claim and the aggregate of its live assertions."""

    id: FactId
    tx_from: int
    subject: EntityId
    predicate: str
    object: EntityId | None
    literal: str | None
    label: Label
    fact_type: str
    policy: Policy
    slot: int
    is_alias: bool
    words: str | None
    evidence: str | None
    valid_from: Time | None
    valid_until: Time | None
    begins: int
    until_said_at: Instant | None
    source_at: Instant
    recorded_at: Instant
    confirmed_at: Instant
    confidence: float
    certainty: Certainty
    source_kind: SourceKind
    stale: bool
    replaced_by: FactId | None
    disputed: bool
    supersedes: FactId | None
    attributes: Mapping[str, Any]
    newest: AssertionId
    source_count: int

    @property
    def is_retracted(self) -> bool:
        return self.certainty == "retracted"

    @property
    def is_declared_obsolete(self) -> bool:
        """Whether it was declared outdated, and no newer source has stated it since."""
        since = self.attributes.get(OBSOLETE_SINCE)
        return isinstance(since, int) and self.source_at <= since

    @property
    def is_pending(self) -> bool:
        """Whether its time could not be read, so that it is current at no time."""
        return bool(self.attributes.get(PENDING_TIME)) and self.valid_from is None and self.valid_until is None

    @property
    def is_unasserted(self) -> bool:
        return self.attributes.get(MODALITY) in UNASSERTED

    @property
    def trust(self) -> Trust:
        """The level of its most trusted sources; only these decide what it says."""
        return trust_in(self.attributes)

    @property
    def is_hidden(self) -> bool:
        return self.is_retracted and HIDDEN_SINCE in self.attributes

    @property
    def bounds(self) -> Bounds:
        return Bounds(self.valid_from, self.valid_until)

    @property
    def claim(self) -> Claim:
        """What it says, without the policy and symmetry of its predicate."""
        return Claim(self.subject, self.predicate, self.label, self.fact_type, self.object, self.literal)


class FactEnds(Protocol):
    """Anything with the ends of a fact: a fact, a draft, a row."""

    @property
    def subject(self) -> EntityId: ...
    @property
    def object(self) -> EntityId | None: ...


def ends_of_facts(facts: Iterable[FactEnds]) -> set[EntityId]:
    """The subjects and objects of facts."""
    return {end for fact in facts for end in (fact.subject, fact.object) if end is not None}


def default_text(subject: str, predicate: str, target: str | None) -> str:
    """The text of a fact that was given none."""
    return " ".join(part for part in (subject, predicate.replace("_", " "), target) if part)
