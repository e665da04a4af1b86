"""Ambiguous facts: a name that fits several entities, and a report that fits several open items."""

from collections.abc import Iterator

from recollect.model.ids import EntityId, FactId, format_entity_id, format_fact_id
from recollect.model.review_ids import ReviewId
from recollect.model.sentence import fact_sentence
from recollect.reason.items.item_lookup import JudgedItems, judge_all_closings, judge_items_of
from recollect.reason.review.questions import DISMISS, NEW, ReviewQuestion, Risk
from recollect.store.change import Change
from recollect.store.review_queries import AmbiguousFact, ambiguous_fact, ambiguous_facts
from recollect.store.view import View
from recollect.write.slot_conflicts import resettle

_MAX_HELD = 500


def find_ambiguous_facts(view: View, about: EntityId | None = None) -> Iterator[ReviewQuestion]:
    """The facts that wait until somebody says which entity is meant."""
    for held in ambiguous_facts(view, _MAX_HELD):
        if about is None or about in held.candidates:
            yield _held_question(view, held)


def find_ambiguous_fact(view: View, id_: str) -> ReviewQuestion | None:
    found = ambiguous_fact(view, id_)
    return None if found is None else _held_question(view, found)


def _held_question(view: View, held: AmbiguousFact) -> ReviewQuestion:
    known = view.entities(held.candidates)
    entities = tuple(known[each] for each in held.candidates if each in known and known[each].is_live)
    choices = (*(format_entity_id(each.id) for each in entities), NEW, DISMISS)
    return ReviewQuestion(
        ReviewId("held", (held.id,)), "ambiguous", choices, Risk.HELD_FACT, candidates=entities, text=claim_text(held)
    )


def claim_text(held: AmbiguousFact) -> str:
    """What a held fact claims, as a sentence."""
    claim = held.claim
    target = claim.get("value", claim.get("object"))
    return fact_sentence(_name_of(claim.get("subject")), str(claim.get("predicate", "")), _name_of(target))


def _name_of(end: object) -> str:
    return str(end.get("name") or end.get("id")) if isinstance(end, dict) else str(end)


def find_ambiguous_closings(view: View, about: EntityId | None = None) -> Iterator[ReviewQuestion]:
    """The reports of a completion that fit several items, of which at least one is still open."""
    judged = judge_all_closings(view) if about is None else judge_items_of(view, {about})
    for closer in judged.closings.ambiguous:
        question = _closing_question(judged, closer)
        if question is not None:
            yield question


def find_ambiguous_closing(view: View, closer: FactId) -> ReviewQuestion | None:
    fact = view.fact(closer)
    if fact is None:
        return None
    ends = {fact.subject} if fact.object is None else {fact.subject, fact.object}
    judged = judge_items_of(view, ends)
    return _closing_question(judged if closer in judged.closings.ambiguous else judge_all_closings(view), closer)


def _closing_question(judged: JudgedItems, closer: FactId) -> ReviewQuestion | None:
    fitting = judged.closings.ambiguous.get(closer, ())
    still_open = tuple(item for item in fitting if item not in judged.closings.closed)
    if not still_open:
        return None
    choices = (*map(format_fact_id, still_open), NEW, DISMISS)
    id_ = ReviewId("closing", (closer,))
    return ReviewQuestion(id_, "ambiguous", choices, Risk.CLOSING, candidates=still_open, about=closer)


def close_item(change: Change, closer: FactId, item: FactId) -> tuple[FactId, ...]:
    """Let a closing fact close one item, as if it had named it by id."""
    fact = change.fact(closer)
    if fact is None:
        raise LookupError(closer)
    resettle(change, change.put_fact(fact._replace(supersedes=item)))
    return (item, closer)
