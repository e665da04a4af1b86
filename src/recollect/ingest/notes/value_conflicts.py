"""Which current values a new one replaces, which it disputes, and for which it comes too late."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from recollect.model.fact import Fact, Statement
from recollect.model.history import is_current, period
from recollect.model.ids import DocumentId
from recollect.model.trust import outranks
from recollect.model.vocabulary import LIFELONG
from recollect.store.change import Change
from recollect.text.content_words import split_words
from recollect.when.format import period_before
from recollect.when.instant import MAX
from recollect.when.period import Time
from recollect.when.span import Span
from recollect.write.fact_edits import begin_fact, replace_fact, start_of, stated_start, supersede


class Rivals(NamedTuple):
    """Values beside a new one, by what becomes of them."""

    replaced: Sequence[Fact] = ()
    disputed: Sequence[Fact] = ()
    newer: Sequence[Fact] = ()
    """Values from newer sources, which stay while the new one has ended."""


NO_RIVALS = Rivals()


def declared_rivals(statement: Statement, replaced: Sequence[Fact]) -> Rivals:
    """The facts that the writer declares replaced; a late source does not replace a newer one."""
    beside = [fact for fact in replaced if fact.slot != statement.claim.slot]
    newer = [fact for fact in beside if fact.source_at > statement.source_at]
    above = [fact for fact in beside if outranks(fact.trust, statement.trust)]
    if above:
        return Rivals(disputed=above)
    return Rivals(newer=newer) if newer else Rivals(replaced=beside)


def is_over_before(change: Change, fact: Fact, statement: Statement) -> bool:
    """Whether a fact no longer held when a new one begins, so that this cannot replace it."""
    return fact.stale or (fact.label == "AFFILIATED" and period(fact).hi < start_of(change, statement).lo)


def rival_values(
    change: Change,
    statement: Statement,
    held: Sequence[Fact],
    declared: Sequence[Fact] = (),
    present: Span | None = None,
) -> Rivals:
    """The other values of an attribute that has one at a time, without those declared replaced.

    A value that ended only because the next began is cut or followed as if that had not been told yet: the result does
    not depend on the order in which sources arrive. The present is that of the world unless given.
    """
    present = present or change.world.present
    if _is_past_without_start(statement, present):
        return NO_RIVALS
    others = [fact for fact in held if fact.slot != statement.claim.slot and fact not in declared]
    beside = [fact for fact in _not_over(change, others, held, present) if _overlap(change, statement, fact)]
    disputed = [fact for fact in beside if _is_undecided(statement, fact) or _is_inside(statement, fact, present)]
    decided = [fact for fact in beside if fact not in disputed]
    newer = [fact for fact in decided if fact.source_at > statement.source_at]
    older = [fact for fact in decided if fact not in newer]
    return Rivals(older if _begins_before(change, statement, newer) else [], disputed, newer)


def _not_over(change: Change, facts: Sequence[Fact], held: Sequence[Fact], present: Span) -> list[Fact]:
    """The facts that go on, or ended where another of those held begins."""
    ended = [fact for fact in facts if period(fact).hi < present.lo]
    if not ended:
        return list(facts)
    before = (period_before(start_of(change, fact), change.timeline) for fact in held)
    ends = {each.hi for each in before if each is not None}
    return [fact for fact in facts if fact not in ended or period(fact).hi in ends]


def _begins_before(change: Change, statement: Statement, newer: Sequence[Fact]) -> bool:
    return not newer or start_of(change, statement).lo < _first_start(change, newer).lo


def merge_rivals(one: Rivals, other: Rivals) -> Rivals:
    return Rivals([*one.replaced, *other.replaced], [*one.disputed, *other.disputed], [*one.newer, *other.newer])


def current_values(change: Change, held: Sequence[Fact], is_wanted: Callable[[Fact], bool]) -> list[Fact]:
    present = change.world.present
    return [fact for fact in held if is_current(fact, present) and is_wanted(fact)]


def values_before(
    change: Change, statement: Statement, held: Sequence[Fact], is_wanted: Callable[[Fact], bool]
) -> list[Fact]:
    """The values that hold now, or, before a statement that begins only later, those that hold then."""
    start, present = start_of(change, statement), change.world.present
    if start.lo <= present.hi:
        return current_values(change, held, is_wanted)
    then = Span(start.lo, start.lo)
    return [fact for fact in held if is_current(fact, then) and is_wanted(fact)]


def _is_past_without_start(statement: Statement, present: Span) -> bool:
    """Whether all that is known of a value is that it has ended: it may have held before any other."""
    end = statement.valid_until
    return statement.valid_from is None and end is not None and end.hi < present.lo


def _overlap(change: Change, statement: Statement, fact: Fact) -> bool:
    mine = _span(start_of(change, statement), statement.valid_until)
    return mine.overlaps(_span(start_of(change, fact), fact.valid_until))


def _span(start: Time, end: Time | None) -> Span:
    low = start.lo if end is None else min(start.lo, end.lo)
    return Span(low, MAX if end is None else max(low, end.hi))


def _is_undecided(statement: Statement, fact: Fact) -> bool:
    """Whether neither source outweighs the other: nothing may change, both equally new, or the newer one infers."""
    if fact.predicate in LIFELONG:
        return not _is_more_exact(statement, fact)
    if statement.source_at == fact.source_at or outranks(fact.trust, statement.trust):
        return True
    is_new = statement.source_at > fact.source_at
    newer, older = (statement.certainty, fact.certainty) if is_new else (fact.certainty, statement.certainty)
    return newer == "inferred" and older != "inferred"


def _is_more_exact(statement: Statement, fact: Fact) -> bool:
    """Whether one value says all that the other does: `3 May` and `3 May 1990`."""
    one, other = (list(split_words(each.literal or "")) for each in (statement.claim, fact))
    if one and sorted(one) == sorted(other) and all(word.isdigit() for word in one):
        return one == other  # 1988-02-03 and 1988-03-02 are two days
    return bool(one and other) and (set(one) <= set(other) or set(other) <= set(one))


def _is_inside(statement: Statement, fact: Fact, present: Span) -> bool:
    """Whether the new value has ended while the other goes on, so that it cannot have replaced it."""
    end = statement.valid_until
    return end is not None and end.hi < present.lo and period(fact).hi > end.hi


def with_bounds(change: Change, statement: Statement, rivals: Rivals, former: Fact | None = None) -> Statement:
    """A value that replaces others, or held before, begins with its source; a late one ends before the newer one."""
    if statement.claim.label != "AFFILIATED":
        return statement
    if rivals.newer:
        statement = _ended_before(change, statement, _first_start(change, rivals.newer))
    begins_anew = former is not None and statement.valid_until is None and _has_ended_before(change, former, statement)
    if (rivals.replaced or begins_anew) and statement.valid_from is None and statement.claim.predicate not in LIFELONG:
        return statement._replace(valid_from=stated_start(change, None, statement.source_at))
    return statement


def _has_ended_before(change: Change, fact: Fact, statement: Statement) -> bool:
    is_live = not fact.is_retracted and not fact.stale
    return is_live and is_over_before(change, fact, statement)


def _ended_before(change: Change, statement: Statement, start: Time) -> Statement:
    until = period_before(start, change.timeline)
    if until is None or start_of(change, statement).lo >= start.lo:
        return statement
    end = statement.valid_until
    return statement._replace(valid_until=until if end is None or end.hi > until.hi else end)


def _first_start(change: Change, facts: Sequence[Fact]) -> Time:
    return min((start_of(change, fact) for fact in facts), key=lambda start: start.lo)


def replace_value(change: Change, old: Fact, new: Fact, document: DocumentId | None) -> None:
    """Let a new value take the place of an old one, which it ends; what has one value for good does not end."""
    if old.predicate in LIFELONG:
        supersede(change, new, [old.id])
    else:
        replace_fact(change, old, new, start_of(change, new), document)


def settle_late_value(change: Change, fact: Fact, newer: Sequence[Fact], document: DocumentId | None) -> None:
    """Let the newer values begin after a value from an older source; one that did not end before them becomes stale."""
    if newer and period(fact).hi >= _first_start(change, newer).lo:
        supersede(change, change.fact(newer[0].id) or newer[0], [fact.id])
        return
    for each in newer:
        # A source from before the late one may have stated it too: then it began before.
        is_told_later = each.begins >= start_of(change, fact).lo
        if each.valid_from is None and each.label == "AFFILIATED" and is_told_later:
            begin_fact(change, change.fact(each.id) or each, start_of(change, each), document)
