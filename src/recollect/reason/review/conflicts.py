"""Conflicts: two facts that disagree and that nothing has decided."""

from collections.abc import Iterator

from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId
from recollect.model.review_ids import pair_id
from recollect.reason.entity_overview import OpenConflict, find_open_conflicts
from recollect.reason.review.questions import (
    BOTH,
    CONFLICT_CHOICES,
    DISMISS,
    KEEP_A,
    KEEP_B,
    ReviewQuestion,
    Risk,
)
from recollect.store.change import Change
from recollect.store.view import View
from recollect.write.fact_edits import mark_obsolete
from recollect.write.predicate_names import has_one_value
from recollect.write.slot_conflicts import accept_both


def find_conflicts(view: View, about: EntityId | None = None) -> Iterator[ReviewQuestion]:
    """The open conflicts, each as a question; `a` is the older fact."""
    for pair in find_open_conflicts(view, about):
        one, other = pair.one.fact, pair.other.fact
        yield ReviewQuestion(
            pair_id("conflict", one.id, other.id), "conflict", CONFLICT_CHOICES, _risk_of(view, pair), one.id, other.id
        )


def _risk_of(view: View, pair: OpenConflict) -> int:
    if not pair.is_disputed:
        return Risk.EQUAL_TIME
    return Risk.SINGLE_VALUE if has_one_value(view, pair.one.fact.predicate) else Risk.DISPUTE


def find_conflict(view: View, one: FactId, other: FactId) -> ReviewQuestion | None:
    """The question about two facts, if they still conflict."""
    wanted = pair_id("conflict", one, other)
    if not any({pair.one, pair.other} == {one, other} for pair in view.disputes_of(one)):
        return None
    fact = view.fact(one)
    found = find_conflicts(view, fact.subject) if fact is not None else iter(())
    return next((question for question in found if question.id == wanted), None)


def decide_conflict(change: Change, question: ReviewQuestion, choice: str) -> tuple[FactId, ...]:
    """Keep one fact, so that the other becomes stale, or both without dispute."""
    a, b = _fact(change, question.a), _fact(change, question.b)
    match choice:
        case c if c == KEEP_A:
            mark_obsolete(change, b, None)
        case c if c == KEEP_B:
            mark_obsolete(change, a, None)
        case c if c == BOTH:
            accept_both(change, a, b)
        case c if c == DISMISS:
            return ()
    return (a.id, b.id)


def _fact(change: Change, part: object) -> Fact:
    found = change.fact(FactId(str(part)))
    if found is None:
        raise LookupError(part)
    return found
