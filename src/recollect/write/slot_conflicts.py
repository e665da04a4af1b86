"""Storing which facts of a slot are current, stale or disputed."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from recollect.model.fact import DISPUTED, EQUAL_TIME, OUTRANKED, Fact
from recollect.model.history import period
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import base_type
from recollect.model.review_ids import ACCEPTED, conflict_id
from recollect.model.slot import (
    Verdict,
    affect_each_other,
    bounds_disputed,
    decide_slot,
    facts_it_may_affect,
    may_replace,
    remains_superseded,
    single_value_disputed,
)
from recollect.model.trust import outranks
from recollect.model.vocabulary import Predicate, TypeScope, built_in_predicates
from recollect.store.change import Change
from recollect.store.review_queries import decisions_on
from recollect.store.write_queries import facts_also_superseded
from recollect.write.predicates import is_single_valued, marks_of

# A thing with more rivals than this is in dispute with the first of them; pairs grow with the square.
_MOST_RIVALS = 50


def settle_slot(change: Change, slot: Sequence[Fact], touched: Fact) -> Fact:
    """Settle the facts of one slot after one of them was written; returns that one as it now stands."""
    superseded = touched.supersedes
    if superseded is not None and all(fact.id != superseded for fact in slot):
        _settle_other_slots(change, [superseded])
    is_never_current = bool(touched.attributes) and (touched.is_pending or touched.is_unasserted)
    if superseded is not None or touched.stale or is_never_current or _is_declared_replaced(change, touched):
        return _settle(change, slot, touched)
    single = _single_value_rivals(change, touched)
    if len(slot) == 1 and not single and not touched.disputed:
        return touched
    if touched.policy == "dispute":
        return _settle_single(change, slot, touched, single)
    return _settle(change, slot, touched, _affected_facts(change, slot, touched))


def _is_declared_replaced(change: Change, fact: Fact) -> bool:
    """Whether a known fact was declared replaced."""
    return fact.source_count > 1 and bool(change.superseders([fact.id]))


def _settle_single(change: Change, slot: Sequence[Fact], touched: Fact, single: Sequence[Fact]) -> Fact:
    """Settle a fact that stales none and is not stale: only the pairs that it is part of can change."""
    beside = [fact for fact in slot if fact.id != touched.id and not fact.stale and not fact.is_retracted]
    same = [] if touched.is_retracted else [fact for fact in beside if bounds_disputed(touched, fact)]
    same = _without_accepted(change, touched, same[:_MOST_RIVALS])
    rivals = [*same, *single]
    version = _write_verdict(change, touched, Verdict(), rivals)
    _mark_disputed(change, touched, rivals)
    return version


def _mark_disputed(change: Change, fact: Fact, rivals: Iterable[Fact]) -> None:
    """Mark the rivals of a fact as disputed, save those whose source is trusted more."""
    for rival in rivals:
        if not rival.disputed and not outranks(rival.trust, fact.trust):
            change.put_fact(rival._replace(disputed=True))


def _settle_other_slots(change: Change, facts: Iterable[FactId]) -> None:
    """Facts that were declared replaced may be in other slots than their replacement.

    What they replaced in turn stays replaced, whether or not they are current.
    """
    for found in [change.fact(each) for each in facts]:
        if found is not None:
            _settle(change, change.facts_in_slot(found.slot), found)


def resettle(change: Change, fact: Fact) -> Fact:
    """Settle the slot that a fact stands in, as it is stored, and those of the facts it was declared to replace."""
    slot = change.facts_in_slot(fact.slot)
    now = _settle(change, slot, fact)
    if fact.supersedes is not None:
        further = facts_also_superseded(change, fact.id)
        here = {each.id for each in slot}
        _settle_other_slots(change, [old for old in (fact.supersedes, *further) if old not in here])
    return now


def settle_retyped(change: Change, entity: EntityId, *types: str) -> None:
    """Settle the facts of an entity whose type went from one of these to the other: marks may count for one only."""
    by_subject, by_object = _typed_marks()
    counted = {base_type(each) for each in types}
    found: list[Fact] = []
    for name, among in by_subject:
        found += change.facts_of_subject(entity, name, _MOST_RIVALS) if counted & among else ()
    for name, among in by_object:
        found += change.facts_of_object(entity, name, _MOST_RIVALS) if counted & among else ()
    for fact in found:
        resettle(change, fact)


@cache
def _typed_marks() -> tuple[list[tuple[str, frozenset[str]]], list[tuple[str, frozenset[str]]]]:
    """The predicates whose single-valued marks count for certain types of subjects, and of objects, with the types."""
    marks = [
        (name, each.one_object or TypeScope(), each.one_subject or TypeScope())
        for name, each in built_in_predicates().items()
    ]
    by_subject = [(name, one.subjects | other.subjects) for name, one, other in marks]
    by_object = [(name, one.objects | other.objects) for name, one, other in marks]
    return [each for each in by_subject if each[1]], [each for each in by_object if each[1]]


def accept_both(change: Change, one: Fact, other: Fact) -> None:
    """End the dispute between two facts after it was decided that both are true."""
    change.end_dispute(min(one.id, other.id), max(one.id, other.id))
    for fact in (one, other):
        _forget_dispute(change, fact.id)
        resettle(change, change.fact(fact.id) or fact)


def _without_accepted(change: Change, fact: Fact, rivals: Sequence[Fact]) -> list[Fact]:
    accepted = _accepted_with(change, fact, [rival.id for rival in rivals])
    return [rival for rival in rivals if rival.id not in accepted]


def _accepted_with(change: Change, fact: Fact, others: Collection[FactId]) -> frozenset[FactId]:
    """Those of these facts of which somebody decided that they are true beside this one."""
    if not others or not change.has_decisions():
        return frozenset()
    questions = {conflict_id(fact.id, other): other for other in others}
    decided = decisions_on(change, questions)
    return frozenset(questions[question] for question, choice in decided.items() if choice == ACCEPTED)


def _affected_facts(change: Change, slot: Sequence[Fact], touched: Fact) -> list[Fact]:
    """The facts whose state may change: the one written, and those that it affects or affected before."""
    beside = {fact for pair in change.disputes_of(touched.id) for fact in (pair.one, pair.other)}
    known = {fact.id: fact for fact in slot}
    near = {fact.id for fact in facts_it_may_affect(touched, slot)}
    return [
        fact
        for fact in slot
        if fact.id == touched.id
        or fact.replaced_by == touched.id
        or fact.id in beside
        or (fact.id in near and not remains_superseded(fact, known, touched) and affect_each_other(touched, fact))
    ]


def _settle(change: Change, slot: Sequence[Fact], touched: Fact, concerned: Sequence[Fact] | None = None) -> Fact:
    some = slot if concerned is None else concerned
    if concerned == [touched]:
        # No other fact of the slot affects it.
        slot = concerned
    verdicts = decide_slot(slot, change.superseders([fact.id for fact in slot]), {fact.id for fact in some})
    now = touched
    for fact in some:
        verdict = verdicts[fact.id]
        rivals = _single_value_rivals(change, fact._replace(stale=verdict.stale))
        version = _write_verdict(change, fact, verdict, rivals)
        now = version if fact.id == touched.id else now
        _mark_disputed(change, fact, rivals)
    return now


def _write_verdict(change: Change, fact: Fact, verdict: Verdict, rivals: Sequence[Fact]) -> Fact:
    """Store the verdict on a fact; `rivals` are facts of other slots that it cannot stand beside."""
    challenged = verdict.challenges | _challenged_elsewhere(change, fact)
    disputing = (
        dict.fromkeys(verdict.conflicts_with, EQUAL_TIME)
        | dict.fromkeys(challenged, OUTRANKED)
        | dict.fromkeys(verdict.disputed_with | _rival_values(change, fact, verdict), DISPUTED)
        | {rival.id: DISPUTED if rival.trust == fact.trust else OUTRANKED for rival in rivals}
    )
    accepted = _accepted_with(change, fact, disputing)
    disputing = {other: reason for other, reason in disputing.items() if other not in accepted}
    ended = _write_disputes(change, fact, disputing)
    is_outranked = any(outranks(rival.trust, fact.trust) for rival in rivals if rival.id in disputing)
    is_outranked = is_outranked or (verdict.is_outranked and fact.policy == "dispute")
    disputed = is_outranked or any(reason == DISPUTED for reason in disputing.values())
    if verdict.is_outranked and verdict.stale and accepted and verdict.challenges <= accepted:
        verdict = verdict._replace(stale=False, replaced_by=None)
    settled = fact._replace(stale=verdict.stale, replaced_by=verdict.replaced_by, disputed=disputed)
    for other in ended:
        _forget_dispute(change, other)
    return fact if settled == fact else change.put_fact(settled)


def _challenged_elsewhere(change: Change, fact: Fact) -> frozenset[FactId]:
    """The more trusted fact, perhaps of another slot, that this one was declared to replace."""
    old = change.fact(fact.supersedes) if fact.supersedes is not None and fact.attributes else None
    return frozenset({old.id} if old is not None and not old.is_retracted and not may_replace(fact, old) else ())


def _write_disputes(change: Change, fact: Fact, disputing: Mapping[FactId, str]) -> list[FactId]:
    """Begin and end the pairs of one fact; returns the facts that no longer dispute it."""
    if not disputing and not fact.disputed and fact.policy == "accumulate":
        return []
    stored = {(each.one, each.other): each.reason for each in change.disputes_of(fact.id)}
    current = {(min(fact.id, other), max(fact.id, other)): reason for other, reason in disputing.items()}
    for pair in stored.keys() - current.keys():
        change.end_dispute(*pair)
    for pair, reason in current.items():
        if stored.get(pair) != reason:
            change.add_dispute(*pair, reason)
    return [
        one if other == fact.id else other
        for one, other in stored.keys() - current.keys()
        if stored[one, other] == DISPUTED
    ]


def ask_about_closing(change: Change, item: Fact, report: Fact) -> None:
    """Leave it to review whether a report closes an item of a more trusted source."""
    _ask_about(change, item, report, OUTRANKED)


def ask_about_reading(change: Change, one: Fact, other: Fact) -> None:
    """Leave it to review which of two readings of one sentence is right."""
    _ask_about(change, one, other, DISPUTED)


def _ask_about(change: Change, one: Fact, other: Fact, reason: str) -> None:
    if not _accepted_with(change, one, [other.id]):
        change.add_dispute(min(one.id, other.id), max(one.id, other.id), reason)


def dispute_values(change: Change, one: Fact, other: Fact) -> None:
    """Mark two values of a single-valued attribute as disputed, until one of them is replaced or withdrawn.

    One from a more trusted source than the other is not marked. If it was decided that both are true, neither is.
    """
    if _accepted_with(change, one, [other.id]):
        return
    change.add_dispute(min(one.id, other.id), max(one.id, other.id), DISPUTED)
    _mark_disputed(change, one, [other])
    _mark_disputed(change, other, [one])


def _rival_values(change: Change, fact: Fact, verdict: Verdict) -> frozenset[FactId]:
    """Other values of a single-valued attribute that this one was found to dispute, as far as both still stand."""
    if not fact.disputed or not is_single_valued(change, fact.predicate) or fact.is_retracted or verdict.stale:
        return frozenset()
    pairs = [pair for pair in change.disputes_of(fact.id) if pair.reason == DISPUTED]
    others = [change.fact(pair.other if pair.one == fact.id else pair.one) for pair in pairs]
    return frozenset(
        other.id
        for other in others
        if other is not None and other.slot != fact.slot and not other.stale and not other.is_retracted
        if period(fact).overlaps(period(other))
    )


def _forget_dispute(change: Change, fact: FactId) -> None:
    found = change.fact(fact)
    if found is not None and found.disputed and not any(d.reason == DISPUTED for d in change.disputes_of(fact)):
        change.put_fact(found._replace(disputed=False))


def has_values_of_other_trust(change: Change, fact: Fact) -> bool:
    """Whether an attribute with one value at a time has another value from a source that is trusted more or less."""
    return bool(_values_of_other_trust(change, fact))


def _values_of_other_trust(change: Change, fact: Fact) -> list[Fact]:
    """Other values of a single-valued attribute that hold at the same time, from sources of other trust.

    Those of equal trust are left to whoever states them: the newer one may replace the older.
    """
    if fact.stale or fact.is_retracted or fact.certainty == "inferred" or not is_single_valued(change, fact.predicate):
        return []
    beside = change.facts_of_subject(fact.subject, fact.predicate, _MOST_RIVALS)
    return [
        rival
        for rival in beside
        if rival.trust != fact.trust and rival.slot != fact.slot and period(fact).overlaps(period(rival))
    ]


def _single_value_rivals(change: Change, fact: Fact) -> list[Fact]:
    """Facts of other slots that break a one-object or one-subject mark, or give another value, beside this one."""
    if fact.policy != "dispute":
        return _without_accepted(change, fact, _values_of_other_trust(change, fact))
    if fact.stale or fact.is_retracted:
        return []
    marks = marks_of(change, fact.predicate)
    if marks is None or (marks.one_object is None and marks.one_subject is None):
        return []
    rivals = [
        rival for rival in _facts_sharing_end(change, fact, marks) if single_value_disputed(fact, rival, marks.point)
    ]
    return _without_accepted(change, fact, rivals)


def _facts_sharing_end(change: Change, fact: Fact, marks: Predicate) -> list[Fact]:
    found: list[Fact] = []
    if marks.one_object is not None and _mark_applies(change, fact, marks.one_object):
        beside = change.facts_of_subject(fact.subject, fact.predicate, _MOST_RIVALS)
        found += [rival for rival in beside if _mark_applies(change, rival, marks.one_object)]
    if marks.one_subject is not None and fact.object is not None and _mark_applies(change, fact, marks.one_subject):
        beside = change.facts_of_object(fact.object, fact.predicate, _MOST_RIVALS)
        found += [rival for rival in beside if _mark_applies(change, rival, marks.one_subject)]
    # An event can be stated twice in one slot, at times that exclude each other.
    return [rival for rival in found if rival.id != fact.id and (marks.point or rival.slot != fact.slot)]


def _mark_applies(change: Change, fact: Fact, among: TypeScope) -> bool:
    """Whether the ends of the fact are of the types between which the mark counts."""
    return _has_type(change, fact.subject, among.subjects) and _has_type(change, fact.object, among.objects)


def _has_type(change: Change, entity: EntityId | None, types: frozenset[str]) -> bool:
    if not types:
        return True
    found = change.entity(entity) if entity is not None else None
    return found is not None and base_type(found.type) in types
