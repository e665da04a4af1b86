"""The questions that wait for a decision, those that do most harm first."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.review_ids import ReviewId
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
    ReviewKind,
    ReviewQuestion,
    find_ambiguous_closing,
    find_ambiguous_closings,
    find_ambiguous_fact,
    find_ambiguous_facts,
    find_conflict,
    find_conflicts,
    find_finding,
    find_findings,
    find_suspect,
    find_suspects,
)
from recollect.store import review_queries
from recollect.store.view import View


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
            ("ambiguous", chain(find_ambiguous_facts(view, entity), find_ambiguous_closings(view, entity))),
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
            return find_ambiguous_fact(view, first)
        case "closing":
            return find_ambiguous_closing(view, FactId(first))
        case "finding":
            return find_finding(view, first)
        case "suspect":
            return find_suspect(view, first)
