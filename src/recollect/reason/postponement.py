"""Which items a report puts off to another day: *safety file: moved to Monday 22 March*."""

from collections.abc import Callable, Collection, Iterable, Iterator

from recollect.model.ids import FactId
from recollect.reason.answer_index import shared_terms, terms_of
from recollect.reason.answer_parties import is_by, names_due_day
from recollect.reason.answer_words import PUT_OFF, WEAK_STEMS
from recollect.reason.answering import ItemAnswer
from recollect.reason.items_to_compare import first_moment
from recollect.reason.open_items import ItemFact
from recollect.reason.other_things import tells_of_other_thing
from recollect.when.instant import Instant

_ENOUGH = 0.6
"""The share of an item's words that a report has to repeat, where it is not in the same thread."""
_ENOUGH_IN_THREAD = 0.3


def find_postponed(
    items: Iterable[ItemFact],
    events: Iterable[ItemFact],
    new: Collection[FactId],
    local_day: Callable[[Instant], object],
) -> Iterator[ItemAnswer]:
    """The dated items that an event puts off, where it fits only one: by what it names, or by the day given up."""
    dated = [item for item in items if item.due is not None and item.kind in ("commitment", "request", "goal")]
    first = first_moment(dated, new)
    for event in events:
        if event.id not in new and event.latest.at <= first:
            continue
        if event.predicate != "event" or PUT_OFF.search(event.own_text) is None:
            continue
        fitting = [item for item in dated if _is_put_off(item, event, local_day)]
        if len(fitting) == 1 and (event.id in new or fitting[0].id in new):
            yield ItemAnswer(fitting[0].id, event.id)


def _is_put_off(item: ItemFact, event: ItemFact, local_day: Callable[[Instant], object]) -> bool:
    if item.latest.at >= event.latest.at or tells_of_other_thing(item.own_text, event.own_text):
        return False
    own = terms_of(item) - WEAK_STEMS
    shared = set(shared_terms(item, terms_of(event))) - WEAK_STEMS
    if shared and names_due_day(item, event.text, local_day):
        return True
    if not (is_by(item, event.subject.id) or event.subject.id in item.ends):
        return False
    in_thread = not item.threads.isdisjoint(event.threads)
    return bool(shared) and len(shared) >= len(own) * (_ENOUGH_IN_THREAD if in_thread else _ENOUGH)
