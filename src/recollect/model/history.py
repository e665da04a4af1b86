"""The two-clock algebra: what statements add up to, and which facts stand beside each other.

Everything here is pure. A fact is the sum of its live assertions (`begin`, `add`, `total`); the facts of one slot
decide together which of them is current (`settle`). Neither depends on the order in which sources arrived.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from recollect.model.certainty import Certainty, first_kind, stronger
from recollect.model.fact import Assertion, Fact, Statement
from recollect.model.ids import FactId
from recollect.model.vocabulary import ACCUMULATING
from recollect.model.wording import about_the_same, same_words
from recollect.when.instant import MAX, MIN, Instant, say_instant
from recollect.when.period import Bounds, Time, clash
from recollect.when.span import Span


def period(fact: Fact) -> Span:
    """A fact's period lies between its bounds, a missing one being open."""
    lo = fact.valid_from.lo if fact.valid_from else MIN
    return Span(lo, max(lo, fact.valid_until.hi) if fact.valid_until else MAX)


def stated_period(statement: Statement) -> Span:
    """A statement without a start begins when it was made, or at its end if that is earlier."""
    lo = statement_begins(statement)
    return Span(lo, max(lo, statement.valid_until.hi) if statement.valid_until else MAX)


def statement_begins(statement: Statement) -> int:
    if statement.valid_from is not None:
        return statement.valid_from.lo
    if statement.is_open_start:
        return MIN
    return min(statement.source_at, statement.valid_until.lo) if statement.valid_until else statement.source_at


def says_the_same(statement: Statement, fact: Fact) -> bool:
    """Whether the statement is one more assertion of this fact of its slot."""
    if fact.policy == "dispute":
        return stated_period(statement).overlaps(period(fact)) and _bounds_agree(statement, fact)
    if statement.words and fact.words and not same_words(statement.words, fact.words):
        return False
    if fact.policy == "accumulate" and statement.words and statement.source_at != fact.source_at:
        return False
    return fact.label != "AFFILIATED" or stated_period(statement).overlaps(period(fact))


def _bounds_agree(statement: Statement, fact: Fact) -> bool:
    return _agree(statement.valid_from, fact.valid_from) and _agree(statement.valid_until, fact.valid_until)


def _agree(one: Time | None, other: Time | None) -> bool:
    """Bounds agree when they are equal, one is missing, or one lies inside the other."""
    return one is None or other is None or other.contains(one) or one.contains(other)


def same_bounds(one: Fact, other: Fact) -> bool:
    """Whether two facts of one slot give bounds that agree on both sides."""
    return _agree(one.valid_from, other.valid_from) and _agree(one.valid_until, other.valid_until)


def choose(statement: Statement, slot: Sequence[Fact]) -> Fact | None:
    """The fact that the statement confirms: live before retracted, current before stale, then the newest."""
    fitting = [fact for fact in slot if says_the_same(statement, fact)]
    if not fitting or statement.supersedes is not None:
        return None
    return max(fitting, key=lambda fact: (not fact.is_retracted, not fact.stale, fact.source_at, fact.id))


def bounds_of_a_new_fact(statement: Statement, slot: Sequence[Fact]) -> Bounds:
    """A relation that ended before begins anew where the statement's period begins."""
    begins = statement_begins(statement)
    if statement.valid_from is None and any(
        fact.label == "AFFILIATED" and not fact.is_retracted and period(fact).hi < begins for fact in slot
    ):
        start = Time(say_instant(Instant(begins)), begins, begins, grain="instant")
        return Bounds(start, statement.valid_until)
    return Bounds(statement.valid_from, statement.valid_until)


def add(fact: Fact, assertion: Assertion) -> Fact:
    """The fact after one more assertion, whose statement may be older than what is known."""
    if fact.is_retracted and assertion.source_at >= fact.source_at:
        return _revive(fact, assertion)
    is_newest = assertion.source_at >= fact.source_at
    bounds = _finer(fact, assertion) if fact.policy == "dispute" else _latest_bounds(fact, assertion)
    return fact._replace(
        evidence=fact.evidence or assertion.evidence,
        valid_from=bounds.valid_from,
        valid_until=bounds.valid_until,
        until_said_at=_until_said_at(fact, assertion),
        source_at=max(fact.source_at, assertion.source_at),
        confirmed_at=max(fact.confirmed_at, assertion.recorded_at),
        confidence=max(fact.confidence, assertion.confidence),
        certainty=_certainty(fact, assertion, is_newest),
        source_kind=first_kind(fact.source_kind, assertion.source_kind),
        attributes=_attributes(fact, assertion, is_newest),
        newest=assertion.id if is_newest else fact.newest,
        source_count=fact.source_count + 1,
    )


def _revive(fact: Fact, assertion: Assertion) -> Fact:
    """A retracted fact said again is live again, with the bounds and attributes now given."""
    return fact._replace(
        evidence=fact.evidence or assertion.evidence,
        valid_from=assertion.valid_from,
        valid_until=assertion.valid_until,
        until_said_at=assertion.source_at if assertion.valid_until else None,
        source_at=assertion.source_at,
        confirmed_at=max(fact.confirmed_at, assertion.recorded_at),
        confidence=assertion.confidence,
        certainty=assertion.certainty,
        source_kind=assertion.source_kind,
        attributes=assertion.attributes,
        newest=assertion.id,
        source_count=fact.source_count + 1,
    )


def _certainty(fact: Fact, assertion: Assertion, is_newest: bool) -> Certainty:
    if assertion.certainty == "retracted":
        return "retracted" if is_newest else fact.certainty
    return fact.certainty if fact.is_retracted else stronger(fact.certainty, assertion.certainty)


def _attributes(fact: Fact, assertion: Assertion, is_newest: bool) -> Mapping[str, object]:
    if not assertion.attributes:
        return fact.attributes
    if is_newest:
        return {**fact.attributes, **assertion.attributes}
    return {**assertion.attributes, **fact.attributes}


def _latest_bounds(fact: Fact, assertion: Assertion) -> Bounds:
    """The earlier start; the end that the newest statement gives."""
    start = fact.valid_from
    if assertion.valid_from is not None and (start is None or assertion.valid_from.lo < start.lo):
        start = assertion.valid_from
    return Bounds(start, _latest_end(fact, assertion))


def _latest_end(fact: Fact, assertion: Assertion) -> Time | None:
    if assertion.valid_until is not None:
        return assertion.valid_until if _says_the_end(fact, assertion) else fact.valid_until
    if fact.valid_until is not None and assertion.source_at > fact.valid_until.hi and _says_the_end(fact, assertion):
        return None
    return fact.valid_until


def _says_the_end(fact: Fact, assertion: Assertion) -> bool:
    return fact.until_said_at is None or assertion.source_at >= fact.until_said_at


def _until_said_at(fact: Fact, assertion: Assertion) -> Instant | None:
    if assertion.valid_until is None or not _says_the_end(fact, assertion):
        return fact.until_said_at
    return assertion.source_at


def _finer(fact: Fact, assertion: Assertion) -> Bounds:
    """The stated over the missing, the finer over the coarser."""
    return Bounds(_finer_of(fact.valid_from, assertion.valid_from), _finer_of(fact.valid_until, assertion.valid_until))


def _finer_of(one: Time | None, other: Time | None) -> Time | None:
    if one is None or other is None:
        return one or other
    return other if one.contains(other) else one


def is_order_free(fact: Fact, assertion: Assertion, was_retracted: bool = True) -> bool:
    """Whether adding the assertion now gives what adding all in order of their time would give.

    `was_retracted` says that one of the fact's assertions may have retracted it, whatever came after.
    """
    if fact.is_retracted:
        return False  # how sure earlier assertions were, the fact no longer says
    if assertion.source_at >= fact.source_at:
        return True
    if was_retracted or assertion.certainty == "retracted":
        return False
    if assertion.attributes or assertion.evidence or assertion.valid_until is not None:
        return False
    return fact.valid_until is None or assertion.source_at <= fact.valid_until.hi


class Verdict(NamedTuple):
    """Where a fact stands among its rivals."""

    stale: bool = False
    replaced_by: FactId | None = None
    disputed_with: frozenset[FactId] = frozenset()
    conflicts_with: frozenset[FactId] = frozenset()


def settle(
    facts: Sequence[Fact],
    superseders: Mapping[FactId, Sequence[Fact]] | None = None,
    asked: Collection[FactId] | None = None,
) -> dict[FactId, Verdict]:
    """Which facts of one slot, or those of it asked about, are stale or disputed; retracted ones take no part."""
    live = [fact for fact in facts if not fact.is_retracted]
    verdicts = {fact.id: Verdict(fact.stale, fact.replaced_by) if fact.is_retracted else Verdict() for fact in facts}
    for fact in live:
        retcon = _retcon(fact, (superseders or {}).get(fact.id, ()))
        if retcon is not None:
            verdicts[fact.id] = Verdict(True, retcon.id)
    standing = [fact for fact in live if not verdicts[fact.id].stale]
    for fact in standing:
        if asked is None or fact.id in asked:
            verdicts[fact.id] = _among(fact, standing)
    return verdicts


def _among(fact: Fact, standing: Sequence[Fact]) -> Verdict:
    newer = _stalers(fact, standing)
    if newer:
        return Verdict(True, min(newer, key=lambda rival: (rival.source_at, rival.id)).id)
    others = [rival for rival in standing if rival.id != fact.id]
    conflicting = [rival for rival in others if in_conflict(fact, rival)]
    return Verdict(
        disputed_with=frozenset(rival.id for rival in others if bounds_disputed(fact, rival)),
        conflicts_with=frozenset(rival.id for rival in conflicting if not _stalers(rival, standing)),
    )


def _stalers(fact: Fact, standing: Sequence[Fact]) -> list[Fact]:
    return [rival for rival in standing if _stales(rival, fact)]


def have_to_do(one: Fact, other: Fact) -> bool:
    """Whether how one of two facts of a slot stands depends on the other."""
    return _stales(one, other) or _stales(other, one) or in_conflict(one, other) or bounds_disputed(one, other)


def _retcon(fact: Fact, superseders: Iterable[Fact]) -> Fact | None:
    """The fact that was declared to replace this one, unless this one is later; a retcon stands in any case."""
    declared = [
        other
        for other in superseders
        if not other.is_retracted and (fact.policy == "dispute" or other.source_at >= fact.source_at)
    ]
    return min(declared, key=lambda other: (other.source_at, other.id), default=None)


def _stales(rival: Fact, fact: Fact) -> bool:
    if fact.policy != "supersede" or rival.policy != "supersede" or rival.source_at <= fact.source_at:
        return False
    if rival.certainty == "inferred" and fact.certainty != "inferred":
        return False
    return are_rivals(rival, fact)


def are_rivals(one: Fact, other: Fact) -> bool:
    """Whether two facts of one slot speak of the same thing, so that only one of them can stand."""
    if one.label == "AFFILIATED":
        return period(one).overlaps(period(other))
    if one.label == "TRANSITIONED":
        return False
    has_target = one.object is not None or one.literal is not None
    if has_target and one.fact_type not in ACCUMULATING:
        return True
    return about_the_same(spoken(one), spoken(other))


def spoken(fact: Fact) -> str:
    """The words that two facts of one slot are compared by."""
    return fact.words or fact.evidence or ""


def in_conflict(one: Fact, other: Fact) -> bool:
    """Rivals of equal time with different texts: nothing has decided between them."""
    return (
        one.source_at == other.source_at
        and one.policy == other.policy == "supersede"
        and are_rivals(one, other)
        and not same_words(spoken(one), spoken(other))
    )


def bounds_disputed(one: Fact, other: Fact) -> bool:
    """Two claims of one slot that overlap but give an end that excludes the other's."""
    if one.policy != "dispute" or other.policy != "dispute" or not clash(one.bounds, other.bounds):
        return False
    return _exclude(one.valid_from, other.valid_from) or _exclude(one.valid_until, other.valid_until)


def _exclude(one: Time | None, other: Time | None) -> bool:
    return one is not None and other is not None and (one.hi < other.lo or other.hi < one.lo)


def single_value_disputed(one: Fact, other: Fact, is_point: bool) -> bool:
    """Two facts that break a one-object or one-subject mark."""
    if not is_point:
        return clash(one.bounds, other.bounds)
    differ = one.object is not None and other.object is not None and one.object != other.object
    return differ or _exclude(one.valid_from, other.valid_from)


def holds(fact: Fact, at: Span) -> bool:
    """Whether the period asked about meets the fact's own."""
    return period(fact).overlaps(at)


def is_current(fact: Fact, at: Span) -> bool:
    """Not stale, not retracted and, if it is an affiliation, true at the period asked about."""
    return not fact.stale and not fact.is_retracted and (fact.label != "AFFILIATED" or holds(fact, at))


def is_partial(fact: Fact, at: Span) -> bool:
    """Whether the fact covers only a part of the period asked about."""
    mine = period(fact)
    return mine.overlaps(at) and (mine.lo > at.lo or mine.hi < at.hi)
