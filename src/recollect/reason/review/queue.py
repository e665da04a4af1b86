"""The questions that wait for a decision, those that do most harm first, and what a decision does."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from recollect.errors import NotKnown, Refused
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import ENTITY_PREFIX, FACT_PREFIX, EntityId, FactId, read_id
from recollect.model.review_ids import ReviewId
from recollect.reason.checks.findings import set_flag
from recollect.reason.review.duplicates import (
    COMMON_VARIANT,
    SimilarNameIndex,
    find_duplicate,
    find_duplicate_predicates,
    find_duplicates,
    find_duplicates_of,
    find_predicate_pair,
)
from recollect.reason.review.questions import (
    BOTH,
    DISMISS,
    MERGE,
    NEW,
    PredicateUse,
    ReviewKind,
    ReviewQuestion,
    close_item,
    decide_conflict,
    find_ambiguous_closing,
    find_ambiguous_closings,
    find_conflict,
    find_conflicts,
    find_finding,
    find_findings,
    find_held_fact,
    find_held_facts,
    find_suspect,
    find_suspects,
)
from recollect.store import review_queries
from recollect.store.change import Change
from recollect.store.review_queries import HeldFact, drop_held_fact, held_fact
from recollect.store.view import View
from recollect.write.merge import merge, merge_predicates


@dataclass(frozen=True, slots=True)
class ReviewQueue:
    """The first questions, and how many there are in all."""

    questions: list[ReviewQuestion]
    count: int


def list_questions(
    memory: Memory,
    view: View,
    kind: ReviewKind | None = None,
    about: Entity | None = None,
    limit: int = 20,
    *,
    may_lag: bool = False,
) -> ReviewQueue:
    """The undecided questions of a kind, or of all kinds; `may_lag` takes near names as they were last looked up."""
    entity = None if about is None else about.id
    found: dict[ReviewId, ReviewQuestion] = {}
    for question in chain.from_iterable(
        questions
        for each, questions in (
            ("conflict", find_conflicts(view, entity)),
            ("ambiguous", chain(find_held_facts(view, entity), find_ambiguous_closings(view, entity))),
            ("duplicate", _duplicates(memory, view, about, may_lag=may_lag)),
            ("finding", chain(find_findings(view, entity), find_suspects(view) if about is None else ())),
        )
        if kind in (None, each)
    ):
        found.setdefault(question.id, question)
    decided = review_queries.decisions_on(view, [str(each) for each in found])
    waiting = sorted((each for each in found.values() if str(each.id) not in decided), key=lambda each: each.order)
    return ReviewQueue(waiting[:limit], len(waiting))


def _duplicates(memory: Memory, view: View, about: Entity | None, *, may_lag: bool) -> Iterator[ReviewQuestion]:
    if about is not None:
        return find_duplicates_of(view, memory.names(view), about)
    names = memory.names(view).ignoring_common_variants(COMMON_VARIANT)
    return chain(
        find_duplicates(view, names, memory.cache.get_or_create(SimilarNameIndex), may_lag=may_lag),
        find_duplicate_predicates(view),
    )


def find_question(view: View, id_: ReviewId) -> ReviewQuestion | None:
    """A question by its id, if it can still be decided."""
    first, last = id_.parts[0], id_.parts[-1]
    match id_.type:
        case "conflict":
            return find_conflict(view, FactId(first), FactId(last))
        case "duplicate":
            return find_duplicate(view, EntityId(first), EntityId(last))
        case "predicates":
            return find_predicate_pair(view, first, last)
        case "held":
            return find_held_fact(view, first)
        case "closing":
            return find_ambiguous_closing(view, FactId(first))
        case "finding":
            return find_finding(view, first)
        case "suspect":
            return find_suspect(view, first)


HeldFactRecorder = Callable[[Change, HeldFact, EntityId | None], tuple[FactId, ...]]
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
    held = held_fact(change, question.id.parts[0])
    if held is None:
        raise UnknownQuestion(str(question.id))
    if choice == DISMISS:
        drop_held_fact(change, held.id)
        return ()
    entity = None if choice == NEW else EntityId(read_id(choice, ENTITY_PREFIX))
    return record_held(change, held, entity)
