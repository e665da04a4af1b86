"""Evidence for both sides of a question of review, and what a decision would most likely be."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.model.document import Document
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.fact import Assertion, Fact
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.reason.review.questions import KEEP_A, KEEP_B, MERGE, NOT_SAME, ReviewQuestion
from recollect.store.fact_rows import FactFilter, FactRow
from recollect.store.finding_queries import open_findings_by_id
from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.write.predicates import has_one_value

_FACTS_READ = 60
_FACTS_SHOWN = 4
_IDENTIFIERS = ("email", "phone", "url", "handle")


@dataclass(frozen=True, slots=True)
class SourceEvidence:
    """One assertion: where it comes from, its words, and by whom."""

    name: str
    quote: str | None
    document: DocumentId | None
    author: str | None
    source_at: Instant
    confidence: float


@dataclass(frozen=True, slots=True)
class EntityEvidence:
    """An entity as a card shows it."""

    entity: Entity
    aliases: tuple[str, ...]
    facts: tuple[FactId, ...]
    fact_count: int


@dataclass(frozen=True, slots=True)
class PairEvidence:
    """Two entities, what speaks for their being one, and what against."""

    a: EntityEvidence
    b: EntityEvidence
    reasons_for: tuple[str, ...] = ()
    reasons_against: tuple[str, ...] = ()
    shared_neighbours: int = 0
    shared_identifiers: int = 0
    contradictions: int = 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about some questions: sources by fact; pairs, and the entities of findings, by question id."""

    sources: Mapping[FactId, tuple[SourceEvidence, ...]] = field(default_factory=dict)
    facts: Mapping[FactId, Fact] = field(default_factory=dict)
    pairs: Mapping[str, PairEvidence] = field(default_factory=dict)
    subjects: Mapping[str, tuple[Entity, ...]] = field(default_factory=dict)


def find_evidence(view: View, questions: Sequence[ReviewQuestion]) -> Evidence:
    """The evidence for a page of questions."""
    asked = {FactId(part) for each in questions for part in _parts(each) if isinstance(part, str)}
    facts = {row.fact.id: row.fact for row in view.fact_rows(asked)}
    pairs = {str(each.id): compare_entities(view, each.a, each.b) for each in questions if _is_pair(each)}  # type: ignore[arg-type]
    return Evidence(sources_of(view, facts), facts, pairs, _subjects(view, questions))


def _subjects(view: View, questions: Sequence[ReviewQuestion]) -> dict[str, tuple[Entity, ...]]:
    """By question about a finding, the entities that break the rule."""
    by_finding = {each.id.parts[0]: str(each.id) for each in questions if each.id.type == "finding"}
    nodes = {row.id: json.loads(row.nodes) for row in open_findings_by_id(view, by_finding)}
    entities = view.entities({EntityId(each) for some in nodes.values() for each in some})
    return {by_finding[id_]: tuple(entities[each] for each in some if each in entities) for id_, some in nodes.items()}


def _parts(question: ReviewQuestion) -> tuple[object, ...]:
    return (question.a, question.b, question.about, *question.candidates)


def _is_pair(question: ReviewQuestion) -> bool:
    return isinstance(question.a, Entity) and isinstance(question.b, Entity)


def sources_of(view: View, facts: Collection[FactId]) -> dict[FactId, tuple[SourceEvidence, ...]]:
    """By fact, its sources, oldest first."""
    assertions = view.assertions_of(facts)
    documents = view.documents({each.document for said in assertions.values() for each in said if each.document})
    return {fact: tuple(_source(each, documents) for each in said) for fact, said in assertions.items()}


def _source(said: Assertion, documents: Mapping[DocumentId, Document]) -> SourceEvidence:
    document = None if said.document is None else documents.get(said.document)
    name = said.given or (document.title or document.key if document else None) or said.source_url or said.actor
    author = document.author if document else None
    quote = said.quote or said.evidence
    return SourceEvidence(name, quote, document.id if document else None, author, said.source_at, said.confidence)


def compare_entities(view: View, a: Entity, b: Entity) -> PairEvidence:
    """What speaks for two entities being one, and what against."""
    rows = {each.id: _facts(view, each.id) for each in (a, b)}
    near = {each.id: _neighbours(rows[each.id], each.id) for each in (a, b)}
    shared = near[a.id].keys() & near[b.id].keys()
    same = [key for key in _IDENTIFIERS if _property(a, key) and _property(a, key) == _property(b, key)]
    differing = _differing_values(view, rows[a.id], rows[b.id], a, b)
    known_types = {a.type, b.type} - {UNKNOWN_TYPE}
    reasons_for = [
        "the same name" if a.folded == b.folded else "nearly the same name",
        *(f"the same {key}: {_property(a, key)}" for key in same),
        *_shared_reason([near[a.id][each] for each in sorted(shared)]),
        *([f"both of type {a.type}"] if a.type == b.type != UNKNOWN_TYPE else []),
    ]
    reasons_against = [
        *([f"different types: {a.type} and {b.type}"] if len(known_types) > 1 else []),
        *(f"different {key}" for key in _IDENTIFIERS if _differs(a, b, key)),
        *differing,
        *([f"{a.name} and {b.name} are related to each other"] if b.id in near[a.id] else []),
    ]
    cards = [_card(view, each, rows[each.id]) for each in (a, b)]
    return PairEvidence(
        cards[0], cards[1], tuple(reasons_for), tuple(reasons_against), len(shared), len(same), len(reasons_against)
    )


def _facts(view: View, entity: EntityId) -> list[FactRow]:
    return view.facts_about(entity, FactFilter(view.world.present, limit=_FACTS_READ))


def _neighbours(rows: Iterable[FactRow], entity: EntityId) -> dict[EntityId, str]:
    """By neighbour, its name."""
    found: dict[EntityId, str] = {}
    for row in rows:
        if row.fact.object is not None and row.object_name is not None:
            outgoing = row.fact.subject == entity
            found[row.fact.object if outgoing else row.fact.subject] = row.object_name if outgoing else row.subject_name
    return found


def _shared_reason(names: Sequence[str]) -> list[str]:
    if not names:
        return []
    shown, rest = ", ".join(names[:3]), len(names) - 3
    return [f"both related to {shown}{f' and {rest} more' if rest > 0 else ''}"]


def _property(entity: Entity, key: str) -> str:
    return str(entity.properties.get(key) or "").casefold()


def _differs(a: Entity, b: Entity, key: str) -> bool:
    one, other = _property(a, key), _property(b, key)
    return bool(one and other and one != other)


def _differing_values(view: View, one: Iterable[FactRow], other: Iterable[FactRow], a: Entity, b: Entity) -> list[str]:
    """Predicates with one value of which the two entities have different ones."""
    values_a, values_b = _single_values(view, one, a.id), _single_values(view, other, b.id)
    return [
        f"{predicate.replace('_', ' ')}: {values_a[predicate]} and {values_b[predicate]}"
        for predicate in sorted(values_a.keys() & values_b.keys())
        if values_a[predicate].casefold() != values_b[predicate].casefold()
    ]


def _single_values(view: View, rows: Iterable[FactRow], entity: EntityId) -> dict[str, str]:
    return {
        row.fact.predicate: row.object_name or row.fact.literal or ""
        for row in rows
        if row.fact.subject == entity and has_one_value(view, row.fact.predicate)
    }


def _card(view: View, entity: Entity, rows: Sequence[FactRow]) -> EntityEvidence:
    shown = tuple(row.fact.id for row in rows[:_FACTS_SHOWN])
    return EntityEvidence(entity, tuple(view.aliases(entity)), shown, len(rows))


_SAME_NAME = 0.72
_NEAR_NAME = 0.5
_SHARED_IDENTIFIER = 0.25
_SHARED_NEIGHBOUR = 0.07
_CONTRADICTION = 0.3
_FURTHER_SOURCE = 0.25
_NEWER = 1.15


class Suggestion(NamedTuple):
    """A choice, and how certain it is: from a half to one."""

    choice: str
    certainty: float


def suggest_decision(question: ReviewQuestion, evidence: Evidence) -> Suggestion | None:
    """The likely decision on a conflict or a duplicate; none for other questions, and where nothing tips the scale."""
    pair = evidence.pairs.get(str(question.id))
    if pair is not None:
        return suggest_for_pair(pair)
    a, b = (evidence.facts.get(FactId(str(part))) for part in (question.a, question.b))
    return None if a is None or b is None else suggest_for_conflict(a, b)


def suggest_for_conflict(a: Fact, b: Fact) -> Suggestion | None:
    """The fact with more confidence, more sources and the newer source."""
    one, other = _weight(a, b), _weight(b, a)
    if one == other:
        return None
    choice = KEEP_A if one > other else KEEP_B
    return Suggestion(choice, round(max(one, other) / (one + other), 2))


def _weight(fact: Fact, rival: Fact) -> float:
    support = fact.confidence * (1 + _FURTHER_SOURCE * (fact.source_count - 1))
    return support * (_NEWER if fact.source_at > rival.source_at else 1.0)


def suggest_for_pair(pair: PairEvidence) -> Suggestion:
    """Whether two entities are one, by their names, identifiers, neighbours and contradictions."""
    score = _SAME_NAME if pair.a.entity.folded == pair.b.entity.folded else _NEAR_NAME
    score += _SHARED_IDENTIFIER * pair.shared_identifiers + _SHARED_NEIGHBOUR * min(3, pair.shared_neighbours)
    score = min(0.99, max(0.01, score - _CONTRADICTION * pair.contradictions))
    return Suggestion(MERGE, round(score, 2)) if score >= 0.5 else Suggestion(NOT_SAME, round(1 - score, 2))
