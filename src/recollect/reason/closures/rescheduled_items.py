"""Which items get another due date: from a later item about the same thing, or from a report that puts them off."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from recollect.model.ids import FactId
from recollect.reason.closures.closure_participants import (
    ItemPlaces,
    is_by,
    is_restated_by,
    names_a_day,
    names_due_day,
    owner_id,
)
from recollect.reason.closures.closure_terms import DELAYED, NEW_DAY, PUT_OFF, WEAK_STEMS
from recollect.reason.closures.item_pairs import ItemAnswer, first_moment
from recollect.reason.closures.object_mismatch import are_other_things, has_different_object
from recollect.reason.closures.open_item_index import ItemWords, shared_terms, terms_of
from recollect.reason.closures.open_items import ItemFact
from recollect.text.patterns import lazy_pattern
from recollect.when.instant import Instant

_INSTEAD = lazy_pattern(r"\b(?:then|instead|rather|better)\b(?! (?:i|we|you|u|he|she|they|it)\b)", re.IGNORECASE)
LONGEST_DELAY = 60 * 86_400_000_000
_RESTATED = 0.8
"""The share of an item's words that a later one of the same person has where both are one."""
_ENOUGH = 0.6
"""The share of an item's words that a report has to repeat, where it is not in the same thread."""
_ENOUGH_IN_THREAD = 0.3


@dataclass(frozen=True, slots=True)
class RescheduledItems:
    """Finds the items that a later one moves, among those that are open while it is asked."""

    items: Mapping[FactId, ItemFact]
    words: ItemWords
    places: ItemPlaces
    local_day: Callable[[Instant], object]

    def moved_by(self, later: ItemFact) -> list[ItemFact]:
        """The items that a later one gives another day."""
        terms = terms_of(later)
        found = []
        for each in self.words.having(terms - WEAK_STEMS):
            item = self.items.get(each)
            if item is None or item.id == later.id or item.due is None or item.due == later.due:
                continue
            if (is_restated_by(item, later) or _is_wanted_later(item, later)) and item.latest.at < later.latest.at:
                found.append(item)
        told = f"{later.context} {later.own_text}".strip()
        found = [
            item
            for item in found
            if not (has_different_object(item.own_text, told) or are_other_things(item.own_text, told))
        ]
        same = [item for item in found if self._is_same_thing(item, later, terms)]
        return same or self._redated_by(later) or self._delayed_by(later)

    def _redated_by(self, later: ItemFact) -> list[ItemFact]:
        """The only item in the thread, or of the same things and people, whose day a later one names and gives up."""
        if later.due is None or not names_a_day(later.text):
            return []
        found = [
            item
            for item in self._open(self.places.around(later))
            if item.due is not None and item.due < later.due
            if item.latest.at < later.latest.at and self._is_near(item, later)
            if names_due_day(item, later.text, self.local_day)
        ]
        return found if len(found) == 1 else []

    def _is_near(self, item: ItemFact, later: ItemFact) -> bool:
        """Whether two items are of one thread, or of one person and about one thing."""
        if not item.threads.isdisjoint(later.threads):
            return True
        return bool(item.ends & later.ends) and bool(shared_terms(item, terms_of(later)))

    def _delayed_by(self, later: ItemFact) -> list[ItemFact]:
        """The only other dated item of the same person, where a later one says that it will be later."""
        if not DELAYED.search(later.text):
            return []
        own = [
            item
            for item in self._open(self.places.of_subject(later.subject.id))
            if item.due is not None and item.kind == later.kind and item.id != later.id
            if 0 < later.latest.at - item.latest.at <= LONGEST_DELAY
        ]
        is_later = len(own) == 1 and own[0].due is not None and later.due is not None and own[0].due < later.due
        return own if is_later else []

    def _open(self, ids: Iterable[FactId]) -> Iterator[ItemFact]:
        return (self.items[each] for each in ids if each in self.items)

    def _is_same_thing(self, item: ItemFact, later: ItemFact, terms: frozenset[str]) -> bool:
        weight = self._weight(shared := terms & terms_of(item))
        shares = weight / self._weight(terms), weight / self._weight(terms_of(item))
        in_thread = not later.threads.isdisjoint(item.threads)
        strong = len(shared - WEAK_STEMS)
        if in_thread:
            return strong >= 1 and max(shares) >= 0.4
        own = terms_of(item) - WEAK_STEMS
        return strong >= 2 and (min(shares) >= 0.6 or self._weight(shared & own) >= _RESTATED * self._weight(own))

    def _weight(self, terms: Collection[str]) -> float:
        return self.words.weight(terms, len(self.items))


def _is_wanted_later(item: ItemFact, later: ItemFact) -> bool:
    """Whether somebody asks for what was promised to be done on another day: *Manikins on the 28th then please!*."""
    if item.kind != "commitment" or later.kind != "request" or item.threads.isdisjoint(later.threads):
        return False
    is_after = item.due is not None and later.due is not None and item.due < later.due
    return is_after and owner_id(later) == item.subject.id and _INSTEAD.search(later.own_text) is not None


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
    if item.latest.at >= event.latest.at:
        return False
    in_thread, is_own = not item.threads.isdisjoint(event.threads), is_by(item, event.subject.id)
    shared = set(shared_terms(item, terms_of(event))) - WEAK_STEMS
    if not shared and not (in_thread and is_own):
        return False  # as is true of nearly all: of the others it is asked whether they are about something else
    if has_different_object(item.own_text, event.own_text):
        return False
    own = terms_of(item) - WEAK_STEMS
    if shared and names_due_day(item, event.text, local_day):
        return True
    if not (is_own or event.subject.id in item.ends):
        return False
    gives_up = NEW_DAY.search(event.own_text) is not None or names_due_day(item, event.text, local_day)
    if in_thread and is_own and gives_up:
        return True
    return bool(shared) and len(shared) >= len(own) * (_ENOUGH_IN_THREAD if in_thread else _ENOUGH)
