"""What a decision does: each is one transaction, remembered so that the question does not come back."""

from collections.abc import Callable

from recollect.errors import NotKnown, Refused
from recollect.model.entity import Entity
from recollect.model.ids import ENTITY_PREFIX, FACT_PREFIX, EntityId, FactId, read_id
from recollect.model.review_ids import ReviewId
from recollect.reason.checks.findings import set_flag
from recollect.reason.review.questions import (
    BOTH,
    DISMISS,
    MERGE,
    NEW,
    PredicateUse,
    ReviewQuestion,
    close_item,
    decide_conflict,
)
from recollect.reason.review.queue import find_question
from recollect.store import review_queries
from recollect.store.change import Change
from recollect.store.review_queries import AmbiguousFact, ambiguous_fact, drop_ambiguous_fact
from recollect.write.merge import merge, merge_predicates

HeldFactRecorder = Callable[[Change, AmbiguousFact, EntityId | None], tuple[FactId, ...]]
"""Records a held fact with the entity that was chosen, or with a new one, and no longer holds it."""


class UnknownQuestion(NotKnown):
    def __init__(self, id_: str) -> None:
        super().__init__(f"there is no open question {id_!r}; call review without decide to list them")
        self.field = "decide.id"


class BadChoice(Refused):
    def __init__(self, choice: str, question: ReviewQuestion) -> None:
        accepted = ", ".join(question.choices)
        super().__init__(
            f"choice is {choice!r}; this question takes one of: {accepted}",
            field="decide.choice",
            accepted=question.choices,
        )


def decide(change: Change, id_: ReviewId, choice: str, record_held: HeldFactRecorder) -> tuple[FactId, ...]:
    """Carry out a decision; the facts it affects."""
    question = find_question(change, id_)
    if question is None:
        raise UnknownQuestion(str(id_))
    if choice not in question.choices:
        raise BadChoice(choice, question)
    if _must_be_remembered(question, choice):
        review_queries.put_decision(change, str(id_), choice)
    return _carry_out(change, question, choice, record_held)


def _must_be_remembered(question: ReviewQuestion, choice: str) -> bool:
    """Whether the question would come back: a merge or a kept fact leaves nothing to ask."""
    if question.id.type in ("held", "finding"):
        return False
    return choice in (DISMISS, BOTH, "not_same", NEW)


def _carry_out(
    change: Change, question: ReviewQuestion, choice: str, record_held: HeldFactRecorder
) -> tuple[FactId, ...]:
    match question.id.type:
        case "conflict":
            return decide_conflict(change, question, choice)
        case "duplicate" | "predicates":
            return _merge(change, question) if choice == MERGE else ()
        case "held":
            return _decide_held(change, question, choice, record_held)
        case "closing":
            if choice in (NEW, DISMISS):
                return ()
            return close_item(change, FactId(question.id.parts[0]), FactId(read_id(choice, FACT_PREFIX)))
        case "finding":
            set_flag(change, question.id.parts[0], "violation", "dismissed in review")
            return ()
        case "suspect":
            return ()


def _merge(change: Change, question: ReviewQuestion) -> tuple[FactId, ...]:
    a, b = question.a, question.b
    if isinstance(a, PredicateUse) and isinstance(b, PredicateUse):
        return merge_predicates(change, b.name, a.name)
    if not isinstance(a, Entity) or not isinstance(b, Entity):
        raise TypeError(question)
    moved = [fact.id for fact in change.facts_touching(b.id) if not fact.is_retracted]
    merge(change, b, a)
    return tuple(moved)


def _decide_held(
    change: Change, question: ReviewQuestion, choice: str, record_held: HeldFactRecorder
) -> tuple[FactId, ...]:
    held = ambiguous_fact(change, question.id.parts[0])
    if held is None:
        raise UnknownQuestion(str(question.id))
    if choice == DISMISS:
        drop_ambiguous_fact(change, held.id)
        return ()
    entity = None if choice == NEW else EntityId(read_id(choice, ENTITY_PREFIX))
    return record_held(change, held, entity)
