"""The bitemporal algebra of a slot: which of its facts are current, stale or disputed.

Everything here is pure and independent of the order of arrival.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from recollect.model.fact import Fact
from recollect.model.history import period
from recollect.model.ids import FactId
from recollect.model.similarity import are_same_statement, have_same_words
from recollect.model.vocabulary import ACCUMULATING
from recollect.when.period import Time, clash


class Verdict(NamedTuple):
    """The state of a fact among its rivals."""

    stale: bool = False
    replaced_by: FactId | None = None
    disputed_with: frozenset[FactId] = frozenset()
    conflicts_with: frozenset[FactId] = frozenset()


def settle(
    facts: Sequence[Fact],
    superseders: Mapping[FactId, Sequence[Fact]] | None = None,
    asked: Collection[FactId] | None = None,
) -> dict[FactId, Verdict]:
    """The state of the facts of one slot, or of those in `asked`; retracted facts affect no others."""
    live = [fact for fact in facts if not fact.is_retracted]
    verdicts = {fact.id: Verdict(fact.stale, fact.replaced_by) if fact.is_retracted else Verdict() for fact in facts}
    for fact in live:
        retcon = _declared_replacement(fact, (superseders or {}).get(fact.id, ()))
        if retcon is not None:
            verdicts[fact.id] = Verdict(True, retcon.id)
        elif fact.is_declared_obsolete or fact.is_pending or fact.is_unasserted:
            verdicts[fact.id] = Verdict(True)
    current = [fact for fact in live if not verdicts[fact.id].stale]
    for fact in current:
        if asked is None or fact.id in asked:
            verdicts[fact.id] = _verdict_among(fact, current)
    return verdicts


def _verdict_among(fact: Fact, current: Sequence[Fact]) -> Verdict:
    newer = _superseding_rivals(fact, current)
    if newer:
        return Verdict(True, min(newer, key=lambda rival: (rival.source_at, rival.id)).id)
    others = [rival for rival in current if rival.id != fact.id]
    conflicting = [rival for rival in others if in_conflict(fact, rival)]
    return Verdict(
        disputed_with=frozenset(rival.id for rival in others if bounds_disputed(fact, rival)),
        conflicts_with=frozenset(rival.id for rival in conflicting if not _superseding_rivals(rival, current)),
    )


def _superseding_rivals(fact: Fact, current: Sequence[Fact]) -> list[Fact]:
    return [rival for rival in current if _supersedes(rival, fact)]


def affect_each_other(one: Fact, other: Fact) -> bool:
    """Whether the state of one of two facts of a slot depends on the other."""
    return _supersedes(one, other) or _supersedes(other, one) or in_conflict(one, other) or bounds_disputed(one, other)


def _declared_replacement(fact: Fact, superseders: Iterable[Fact]) -> Fact | None:
    """The fact declared to replace this one, unless this one is later; a retcon applies in any case."""
    declared = [
        other
        for other in superseders
        if not other.is_retracted and (fact.policy == "dispute" or other.source_at >= fact.source_at)
    ]
    return min(declared, key=lambda other: (other.source_at, other.id), default=None)


def _supersedes(rival: Fact, fact: Fact) -> bool:
    if fact.policy != "supersede" or rival.policy != "supersede" or rival.source_at <= fact.source_at:
        return False
    if rival.certainty == "inferred" and fact.certainty != "inferred":
        return False
    return are_rivals(rival, fact)


def are_rivals(one: Fact, other: Fact) -> bool:
    """Whether two facts of one slot are about the same thing, so that only one of them can be current."""
    if one.label == "AFFILIATED":
        return period(one).overlaps(period(other))
    if one.label == "TRANSITIONED":
        return False
    has_target = one.object is not None or one.literal is not None
    if has_target and one.fact_type not in ACCUMULATING:
        return True
    return are_same_statement(comparison_text(one), comparison_text(other))


def comparison_text(fact: Fact) -> str:
    """The text by which facts of one slot are compared."""
    return fact.words or fact.evidence or ""


def in_conflict(one: Fact, other: Fact) -> bool:
    """Rivals with equal source time and different texts: nothing decides between them."""
    return (
        one.source_at == other.source_at
        and one.policy == other.policy == "supersede"
        and are_rivals(one, other)
        and not have_same_words(comparison_text(one), comparison_text(other))
    )


def bounds_disputed(one: Fact, other: Fact) -> bool:
    """Two facts of one slot that overlap but have bounds that exclude each other."""
    if one.policy != "dispute" or other.policy != "dispute" or not clash(one.bounds, other.bounds):
        return False
    return _exclude_each_other(one.valid_from, other.valid_from) or _exclude_each_other(
        one.valid_until, other.valid_until
    )


def _exclude_each_other(one: Time | None, other: Time | None) -> bool:
    return one is not None and other is not None and (one.hi < other.lo or other.hi < one.lo)


def single_value_disputed(one: Fact, other: Fact, is_point: bool) -> bool:
    """Whether two facts violate a single-valued predicate."""
    if not is_point:
        return clash(one.bounds, other.bounds)
    differ = one.object is not None and other.object is not None and one.object != other.object
    return differ or _exclude_each_other(one.valid_from, other.valid_from)
