"""The bitemporal algebra of a slot: which of its facts are current, stale or disputed.

Everything here is pure and independent of the order of arrival.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from recollect.model.fact import OWN_ITEMS, Fact, Statement
from recollect.model.history import choose_confirmed_fact, period, says_the_same
from recollect.model.ids import FactId
from recollect.model.names import fold_words
from recollect.model.similarity import are_same_statement, have_same_words, texts_like
from recollect.model.trust import OWNER, outranks
from recollect.model.vocabulary import ACCUMULATING
from recollect.when.instant import MAX, MIN, Instant
from recollect.when.period import are_disjoint, clash


class Verdict(NamedTuple):
    """The state of a fact among its rivals."""

    stale: bool = False
    replaced_by: FactId | None = None
    disputed_with: frozenset[FactId] = frozenset()
    conflicts_with: frozenset[FactId] = frozenset()
    challenges: frozenset[FactId] = frozenset()
    """Facts that this one would replace if its source were trusted or sure enough, and those that would replace it."""
    is_outranked: bool = False
    """Whether a fact from a more trusted source stands against this one."""


TEXT_LENGTH = 100
"""So much of its folded text finds a replaced fact; the index `fact_replaced` has as much."""
_DECIDING = frozenset({"modality", "time_pending", "obsolete_since", "own_items", "ends_only", "hidden_since"})


class ComparisonScope(NamedTuple):
    """Where the facts lie that a statement can reach, as indexes know them; of those that are current, all."""

    text: str
    """What a replaced fact with the same words has; empty if no index can tell."""
    events_from: int
    events_to: int


def decide_slot(
    facts: Sequence[Fact],
    superseders: Mapping[FactId, Sequence[Fact]] | None = None,
    only: Collection[FactId] | None = None,
) -> dict[FactId, Verdict]:
    """The state of the facts of one slot, or of those in `only`; retracted facts affect no others."""
    live = [fact for fact in facts if not fact.is_retracted]
    verdicts = {fact.id: Verdict(fact.stale, fact.replaced_by) if fact.is_retracted else Verdict() for fact in facts}
    for fact in live:
        retcon = _declared_replacement(fact, (superseders or {}).get(fact.id, ()))
        if retcon is not None:
            verdicts[fact.id] = Verdict(True, retcon.id)
        elif fact.is_declared_obsolete or fact.is_pending or fact.is_unasserted:
            verdicts[fact.id] = Verdict(True)
    denied = [fact for fact in facts if fact.is_retracted and not fact.is_hidden]
    current = sorted((fact for fact in live if not verdicts[fact.id].stale), key=age)
    for fact in current:
        if only is None or fact.id in only:
            declared = (superseders or {}).get(fact.id, ())
            verdicts[fact.id] = _verdict_among(fact, current, [*denied, *declared])
    return verdicts


def _verdict_among(fact: Fact, current: Sequence[Fact], further: Sequence[Fact]) -> Verdict:
    """The state of a fact among the current ones by age; `further` were retracted, or declare that they replace it."""
    newer = _first_superseding(fact, current)
    if newer is not None:
        return Verdict(True, newer.id)
    others = [rival for rival in current if rival.id != fact.id]
    conflicting = [rival for rival in others if in_conflict(fact, rival)]
    challenged = [rival for rival in (*others, *further) if challenges(fact, rival) or challenges(rival, fact)]
    above = [rival for rival in challenged if outranks(rival.trust, fact.trust)]
    is_held = bool(above) and fact.policy == "supersede"
    disputed = (rival for rival in others if rival.trust == fact.trust and bounds_disputed(fact, rival))
    return Verdict(
        is_held,
        min(above, key=age).id if is_held else None,
        disputed_with=frozenset(rival.id for rival in disputed),
        conflicts_with=frozenset(rival.id for rival in conflicting if _first_superseding(rival, current) is None),
        challenges=frozenset(rival.id for rival in challenged),
        is_outranked=bool(above),
    )


def age(fact: Fact) -> tuple[Instant, FactId]:
    """By which the facts of a slot are in order; of those that would replace a fact, the first does."""
    return fact.source_at, fact.id


def _first_superseding(fact: Fact, current: Sequence[Fact]) -> Fact | None:
    """The first of the current facts, which are in order, that replaces a fact; mostly one of the next."""
    later = islice(current, bisect_right(current, fact.source_at, key=attrgetter("source_at")), None)
    return next((rival for rival in later if _supersedes(rival, fact)), None)


def remains_superseded(fact: Fact, slot: Mapping[FactId, Fact], touched: Fact) -> bool:
    """Whether an older fact than the one that was written replaced this one, and still does."""
    by = slot.get(fact.replaced_by) if fact.stale and fact.replaced_by is not None else None
    return by is not None and by.id != touched.id and age(by) < age(touched) and _supersedes(by, fact)


def affect_each_other(one: Fact, other: Fact) -> bool:
    """Whether the state of one of two facts of a slot depends on the other."""
    if one.supersedes != other.id and other.supersedes != one.id and not _could_affect(one, other):
        return False
    return (
        _supersedes(one, other)
        or _supersedes(other, one)
        or in_conflict(one, other)
        or bounds_disputed(one, other)
        or challenges(one, other)
        or challenges(other, one)
    )


def facts_it_may_affect(touched: Fact, slot: Sequence[Fact]) -> Sequence[Fact]:
    """The facts of a slot less those that cannot affect one of them: of many promises few are in nearly its words."""
    if touched.policy != "supersede" or not _is_compared_by_words(touched):
        return slot
    is_like = texts_like(comparison_text(touched))
    return [
        fact
        for fact in slot
        if fact.supersedes == touched.id
        or touched.supersedes == fact.id
        or (fact.policy == touched.policy and (not _is_compared_by_words(fact) or is_like(comparison_text(fact))))
    ]


def _could_affect(one: Fact, other: Fact) -> bool:
    """What all ways to affect each other have in common; asked first, since slots may have thousands of facts."""
    if one.policy != other.policy or one.policy == "accumulate":
        return False
    return one.policy != "supersede" or are_rivals(one, other) or are_rivals(other, one)


def may_replace(fact: Fact, other: Fact) -> bool:
    """Whether a fact that is declared to replace another is trusted enough: as much, or a report on one's own item."""
    return not outranks(other.trust, fact.trust) or other.id in fact.attributes.get(OWN_ITEMS, ())


def challenges(fact: Fact, other: Fact) -> bool:
    """Whether a fact is as new as another and would replace it, but its source is trusted less or is less sure."""
    if fact.is_retracted:
        return False
    if fact.supersedes == other.id:
        return not may_replace(fact, other)
    if other.supersedes == fact.id or fact.policy != other.policy or fact.policy == "accumulate":
        return False
    if fact.policy == "supersede" and fact.source_at < other.source_at:
        return False
    is_above = outranks(other.trust, fact.trust)
    if is_above and bounds_disputed(fact, other):
        return True
    is_surer = other.trust == fact.trust and not other.is_retracted and _is_surer(other, fact)
    if not is_above and not is_surer:
        return False
    return fact.policy == other.policy == "supersede" and fact.source_at >= other.source_at and are_rivals(fact, other)


def _is_surer(one: Fact, other: Fact) -> bool:
    """Whether somebody verified one fact, and the other was only stated."""
    return one.certainty == "verified" and other.certainty == "stated"


def _declared_replacement(fact: Fact, superseders: Iterable[Fact]) -> Fact | None:
    """The fact declared to replace this one, unless this one is later; a retcon applies in any case."""
    declared = [
        other
        for other in superseders
        if not other.is_retracted
        and may_replace(other, fact)
        and (fact.policy == "dispute" or other.source_at >= fact.source_at)
        and not _is_repeated_after(fact, other)
        and not _returned_after(fact, other)
    ]
    return min(declared, key=age, default=None)


def _is_repeated_after(item: Fact, report: Fact) -> bool:
    """Whether an item was stated again after a report that closed it, by a source of the same time; ids grow."""
    is_closing = item.fact_type in ACCUMULATING and report.predicate != item.predicate
    return is_closing and report.source_at == item.source_at and report.newest < item.newest


def _returned_after(fact: Fact, other: Fact) -> bool:
    """Whether a fact was stated again as beginning after the end of what replaced it, by a source of the same time."""
    is_stated_again = other.source_at == fact.source_at and other.newest < fact.newest
    return is_stated_again and fact.label == "AFFILIATED" and period(other).hi < period(fact).lo


def _supersedes(rival: Fact, fact: Fact) -> bool:
    if fact.policy != "supersede" or rival.policy != "supersede" or rival.source_at <= fact.source_at:
        return False
    if rival.certainty == "inferred" and fact.certainty != "inferred":
        return False
    if outranks(fact.trust, rival.trust) or (rival.trust == fact.trust and _is_surer(fact, rival)):
        return False
    return are_rivals(rival, fact)


def are_rivals(one: Fact, other: Fact) -> bool:
    """Whether two facts of one slot are about the same thing, so that only one of them can be current."""
    if one.label == "AFFILIATED":
        return period(one).overlaps(period(other))
    if one.label == "TRANSITIONED":
        return False
    return not _is_compared_by_words(one) or are_same_statement(comparison_text(one), comparison_text(other))


def _is_compared_by_words(fact: Fact) -> bool:
    """Whether only words tell whether two facts are about the same thing."""
    has_target = fact.object is not None or fact.literal is not None
    is_told = fact.label not in ("AFFILIATED", "TRANSITIONED")
    return is_told and (not has_target or fact.fact_type in ACCUMULATING)


def comparison_text(fact: Fact) -> str:
    """The text by which facts of one slot are compared."""
    return fact.words or fact.evidence or ""


def in_conflict(one: Fact, other: Fact) -> bool:
    """Rivals with equal source time and different texts: nothing decides between them."""
    return (
        one.source_at == other.source_at
        and one.trust == other.trust
        and one.policy == other.policy == "supersede"
        and are_rivals(one, other)
        and not have_same_words(comparison_text(one), comparison_text(other))
    )


def bounds_disputed(one: Fact, other: Fact) -> bool:
    """Two facts of one slot that overlap but have bounds that exclude each other."""
    if one.policy != "dispute" or other.policy != "dispute" or not clash(one.bounds, other.bounds):
        return False
    return are_disjoint(one.valid_from, other.valid_from) or are_disjoint(one.valid_until, other.valid_until)


def single_value_disputed(one: Fact, other: Fact, is_point: bool) -> bool:
    """Whether two facts violate a single-valued predicate."""
    if not is_point:
        return clash(one.bounds, other.bounds)
    differ = one.object is not None and other.object is not None and one.object != other.object
    return differ or are_disjoint(one.valid_from, other.valid_from)


def comparison_scope(statement: Statement) -> ComparisonScope | None:
    """Where the facts lie that a statement can reach; none if that may be the whole slot."""
    policy, is_plain = statement.claim.policy, statement.attributes.keys().isdisjoint(_DECIDING)
    if not statement.words or statement.supersedes is not None or policy == "dispute" or not is_plain:
        return None
    if statement.certainty == "retracted" or statement.trust != OWNER:
        return None
    folded = fold_words(statement.words)
    text = folded[:TEXT_LENGTH] if folded.isascii() else ""
    # An affiliation that ended bounds the next one, whatever its policy.
    if statement.claim.label == "AFFILIATED":
        return ComparisonScope(text, MIN, MAX)
    return ComparisonScope(text, statement.source_at, statement.source_at)


def facts_in_reach(statement: Statement, slot: Sequence[Fact]) -> list[Fact] | None:
    """Those of the facts that a statement can reach; none if the whole slot has to be settled."""
    near = [fact for fact in slot if not _is_out_of_reach(statement, fact)]
    rivals = [fact for fact in near if fact.policy == statement.claim.policy == "supersede"]
    if not all(_is_decided_by_time(statement, fact) for fact in rivals):
        return None
    confirmed = choose_confirmed_fact(statement, near)
    if confirmed is None or (confirmed in rivals and _is_newest(confirmed, rivals)):
        return near
    return None


def _is_out_of_reach(statement: Statement, fact: Fact) -> bool:
    """Whether a fact neither says the same as a newer statement nor changes by it, whatever else is in the slot."""
    is_affiliation = fact.label == "AFFILIATED"
    if fact.policy == "accumulate":
        return fact.source_at != statement.source_at and not is_affiliation
    return (
        fact.stale
        and fact.policy == "supersede"
        and fact.replaced_by is not None
        and fact.source_at < statement.source_at
        and fact.certainty not in ("verified", "retracted")
        and fact.trust == OWNER
        and not (is_affiliation and fact.valid_until is not None)
        and not says_the_same(statement, fact)
    )


def _is_decided_by_time(statement: Statement, fact: Fact) -> bool:
    return (
        not fact.stale
        and fact.source_at <= statement.source_at
        and fact.certainty != "verified"
        and fact.trust == OWNER
    )


def _is_newest(confirmed: Fact, rivals: Sequence[Fact]) -> bool:
    """Whether a current fact is the newest of its slot, so that what it replaced stays replaced by it."""
    if confirmed.is_retracted or confirmed.supersedes is not None:
        return False
    return all(fact is confirmed or fact.source_at < confirmed.source_at for fact in rivals)
