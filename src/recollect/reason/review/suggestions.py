"""What a decision would most likely be, and how certain that is. Pure; nothing is decided here."""

from typing import NamedTuple

from recollect.model.fact import Fact
from recollect.model.ids import FactId
from recollect.reason.review.evidence import Evidence, PairEvidence
from recollect.reason.review.questions import KEEP_A, KEEP_B, MERGE, NOT_SAME, ReviewQuestion

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
