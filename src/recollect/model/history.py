"""The bitemporal algebra of one fact: the aggregate of its statements, and when it holds.

Everything here is pure. A fact is the aggregate of its live assertions, independent of their order of arrival.
"""

from collections.abc import Mapping, Sequence

from recollect.model.certainty import Certainty, first_kind, stronger
from recollect.model.fact import Assertion, Fact, Statement
from recollect.model.similarity import have_same_words
from recollect.model.trust import outranks
from recollect.when.instant import MAX, MIN, Instant, format_instant
from recollect.when.period import Bounds, Time
from recollect.when.span import Span


def period(fact: Fact) -> Span:
    """The span between a fact's bounds; a missing bound is open."""
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
        return stated_period(statement).overlaps(period(fact)) and same_bounds(statement, fact)
    if statement.words and fact.words and not have_same_words(statement.words, fact.words):
        return False
    if fact.policy == "accumulate" and statement.words and statement.source_at != fact.source_at:
        return False
    return fact.label != "AFFILIATED" or stated_period(statement).overlaps(period(fact))


def _agree(one: Time | None, other: Time | None) -> bool:
    """Bounds agree when they are equal, one is missing, or one lies inside the other."""
    return one is None or other is None or other.contains(one) or one.contains(other)


def same_bounds(one: Fact | Statement, other: Fact) -> bool:
    """Whether two claims of one slot give bounds that agree on both sides."""
    return _agree(one.valid_from, other.valid_from) and _agree(one.valid_until, other.valid_until)


def choose_confirmed_fact(statement: Statement, slot: Sequence[Fact]) -> Fact | None:
    """The fact that the statement confirms: live before retracted, current before stale, then the newest."""
    fitting = [fact for fact in slot if says_the_same(statement, fact)] or _retracted_by(statement, slot)
    fitting = [fact for fact in fitting if not _challenges(statement, fact)]
    if not fitting or statement.supersedes is not None:
        return None
    return max(fitting, key=lambda fact: (not fact.is_retracted, not fact.stale, fact.source_at, fact.id))


def _challenges(statement: Statement, fact: Fact) -> bool:
    """Whether a less trusted source would retract, revive, end or move a fact, rather than merely repeat it."""
    if not outranks(fact.trust, statement.trust):
        return False
    if fact.is_retracted or fact.stale or statement.certainty == "retracted":
        return True
    start, end = statement.valid_from, statement.valid_until
    return (start is not None and start != fact.valid_from) or (end is not None and end != fact.valid_until)


def _retracted_by(statement: Statement, slot: Sequence[Fact]) -> list[Fact]:
    """Facts that a retraction with the same text retracts, although they ended before it was made."""
    if statement.certainty != "retracted" or statement.valid_from is not None or statement.valid_until is not None:
        return []
    # An event stated at another time is another event, so that the result would depend on the order of arrival.
    lasting = (fact for fact in slot if fact.policy != "accumulate")
    return [fact for fact in lasting if have_same_words(statement.words or "", fact.words or "")]


def new_fact_bounds(statement: Statement, slot: Sequence[Fact]) -> Bounds:
    """The bounds of a new fact; a relation that ended earlier starts where the statement's period begins."""
    begins = statement_begins(statement)
    if statement.valid_from is None and any(
        fact.label == "AFFILIATED" and not fact.is_retracted and period(fact).hi < begins for fact in slot
    ):
        start = Time(format_instant(Instant(begins)), begins, begins, grain="instant")
        return Bounds(start, statement.valid_until)
    return Bounds(statement.valid_from, statement.valid_until)


def add_assertion(fact: Fact, assertion: Assertion) -> Fact:
    """The fact with one more assertion, which may be older than the others.

    Only the most trusted assertions decide what the fact says; the others are counted.
    """
    if assertion.trust != fact.trust:
        return _count_source(fact, assertion) if outranks(fact.trust, assertion.trust) else _overrule(fact, assertion)
    if fact.is_retracted and assertion.source_at >= fact.source_at:
        return _revive(fact, assertion)
    is_newest = assertion.source_at >= fact.source_at
    bounds = _finer_bounds(fact, assertion) if fact.policy == "dispute" else _latest_bounds(fact, assertion)
    return fact._replace(
        evidence=fact.evidence or assertion.evidence,
        valid_from=bounds.valid_from,
        valid_until=bounds.valid_until,
        until_said_at=_end_stated_at(fact, assertion),
        source_at=max(fact.source_at, assertion.source_at),
        confirmed_at=max(fact.confirmed_at, assertion.recorded_at),
        confidence=max(fact.confidence, assertion.confidence),
        certainty=_certainty(fact, assertion, is_newest),
        source_kind=first_kind(fact.source_kind, assertion.source_kind),
        attributes=_attributes(fact, assertion, is_newest),
        newest=assertion.id if is_newest else fact.newest,
        source_count=fact.source_count + 1,
    )


def _count_source(fact: Fact, assertion: Assertion) -> Fact:
    """The fact with one more source that is trusted less than those that it has."""
    return fact._replace(confirmed_at=max(fact.confirmed_at, assertion.recorded_at), source_count=fact.source_count + 1)


def _overrule(fact: Fact, assertion: Assertion) -> Fact:
    """The fact as a more trusted source states it, whatever the less trusted ones said."""
    return _revive(fact, assertion)._replace(begins=assertion.begins, evidence=assertion.evidence or fact.evidence)


def _revive(fact: Fact, assertion: Assertion) -> Fact:
    """A retracted fact that is stated again is live, with the bounds and attributes of the new assertion."""
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
        attributes=assertion.fact_attributes,
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
        return {**fact.attributes, **assertion.fact_attributes}
    return {**assertion.fact_attributes, **fact.attributes}


def _latest_bounds(fact: Fact, assertion: Assertion) -> Bounds:
    """The earlier start, and the end given by the newest statement."""
    start = fact.valid_from
    if assertion.valid_from is not None and (start is None or assertion.valid_from.lo < start.lo):
        start = assertion.valid_from
    return Bounds(start, _latest_end(fact, assertion))


def _latest_end(fact: Fact, assertion: Assertion) -> Time | None:
    if assertion.valid_until is not None:
        return assertion.valid_until if _states_end(fact, assertion) else fact.valid_until
    if assertion.certainty == "retracted":
        return fact.valid_until
    if fact.valid_until is not None and assertion.source_at > fact.valid_until.hi and _states_end(fact, assertion):
        return None
    return fact.valid_until


def _states_end(fact: Fact, assertion: Assertion) -> bool:
    return fact.until_said_at is None or assertion.source_at >= fact.until_said_at


def _end_stated_at(fact: Fact, assertion: Assertion) -> Instant | None:
    if assertion.valid_until is None or not _states_end(fact, assertion):
        return fact.until_said_at
    return assertion.source_at


def _finer_bounds(fact: Fact, assertion: Assertion) -> Bounds:
    """The more precise bounds; any bound is more precise than none."""
    return Bounds(_finer_of(fact.valid_from, assertion.valid_from), _finer_of(fact.valid_until, assertion.valid_until))


def _finer_of(one: Time | None, other: Time | None) -> Time | None:
    if one is None or other is None:
        return one or other
    return other if one.contains(other) else one


def is_order_free(fact: Fact, assertion: Assertion, was_retracted: bool = True) -> bool:
    """Whether adding the assertion now gives the same as adding all assertions in order of source time.

    `was_retracted`: one of the fact's assertions may have retracted it, even if later ones revived it.
    """
    if assertion.trust != fact.trust:
        return True
    if fact.is_retracted:
        return False  # the fact no longer has the certainty of earlier assertions
    if assertion.source_at >= fact.source_at:
        return True
    if was_retracted or assertion.certainty == "retracted":
        return False
    if assertion.attributes or assertion.evidence or assertion.valid_until is not None:
        return False
    return fact.valid_until is None or assertion.source_at <= fact.valid_until.hi


def holds(fact: Fact, at: Span) -> bool:
    """Whether the fact's period overlaps a span."""
    return period(fact).overlaps(at)


def is_current(fact: Fact, at: Span) -> bool:
    """Not stale, not retracted and, if it is an affiliation, true during the span."""
    if fact.stale or fact.is_retracted:
        return False
    return fact.label != "AFFILIATED" or (fact.valid_from is None and fact.valid_until is None) or holds(fact, at)


def begins_after(fact: Fact, at: Span) -> bool:
    """Whether an affiliation or an event begins only after a span."""
    return fact.label != "ASSERTED" and period(fact).lo > at.hi


def is_partial(fact: Fact, at: Span) -> bool:
    """Whether the fact covers only a part of the span."""
    mine = period(fact)
    return mine.overlaps(at) and (mine.lo > at.lo or mine.hi < at.hi)
