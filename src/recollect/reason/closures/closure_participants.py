"""Whose words can answer an item: who owes it, who awaits it, and who is named."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from collections.abc import Set as AbstractSet
from datetime import date
from functools import lru_cache

from recollect.model.ids import EntityId, FactId
from recollect.reason.closures.closure_terms import ANSWER_WANTED, TOLD_LATER, WEAK_STEMS, is_receipt, thing_terms
from recollect.reason.closures.completion_terms import TERM_CACHE_SIZE
from recollect.reason.closures.object_mismatch import has_different_object
from recollect.reason.closures.open_item_index import shared_terms, terms_of
from recollect.reason.closures.open_items import ItemFact, owner_of
from recollect.text.tokens import bare_terms
from recollect.when.english.words import SHORT_MONTHS, SHORT_WEEKDAYS
from recollect.when.instant import Instant

_TIMELY = 10 * 86_400_000_000
_MONTH = rf"({'|'.join(SHORT_MONTHS)})[a-z]*"
_NAMED_DAY = re.compile(rf"\b(\d\d?)(?:st|nd|rd|th)\b(?:(?: of)? {_MONTH})?|\b(\d\d?)\.? {_MONTH}|\b{_MONTH} (\d\d?)\b")

_CAPITALS = re.compile(r"\b[A-ZÀ-Þ]{2,3}\b")
_DAY_IN_NUMBERS = re.compile(r"(?<![\d/.])(\d{1,2})[/.](\d{1,2})(?![\d%])")


class ItemPlaces:
    """Which items have something to do with a person or a thread."""

    def __init__(self, items: Iterable[ItemFact]) -> None:
        self._by_end: dict[EntityId, set[FactId]] = defaultdict(set)
        self._by_subject: dict[EntityId, set[FactId]] = defaultdict(set)
        self._by_thread: dict[str, set[FactId]] = defaultdict(set)
        self._of_anybody: set[FactId] = set()
        """Requests to nobody in particular."""
        for item in items:
            self._by_subject[item.subject.id].add(item.id)
            for end in item.ends:
                self._by_end[end].add(item.id)
            for thread in item.threads:
                self._by_thread[thread].add(item.id)
            if item.kind == "request" and owner_of(item) is None:
                self._of_anybody.add(item.id)

    def in_threads(self, threads: Iterable[str]) -> set[FactId]:
        return {each for thread in threads for each in self._by_thread.get(thread, ())}

    def of_subject(self, entity: EntityId) -> Collection[FactId]:
        return self._by_subject.get(entity, ())

    def around(self, item: ItemFact) -> set[FactId]:
        """The items of its threads, and those that have a person in common with it."""
        return self.in_threads(item.threads).union(*(self._by_end.get(end, ()) for end in item.ends))

    def beside(self, report: ItemFact) -> set[FactId]:
        """The items of a report's thread, of its author, by or for whom it names, and of anybody."""
        named = self._by_subject.get(report.object.id, ()) if report.object is not None else ()
        return self.in_threads(report.threads).union(self._by_end.get(report.subject.id, ()), named, self._of_anybody)


def is_same_day(one: ItemFact, other: ItemFact) -> bool:
    """Whether two items of one thread are due on the same day."""
    return one.due is not None and one.due == other.due and not one.threads.isdisjoint(other.threads)


def is_told_twice(item: ItemFact, other: ItemFact) -> bool:
    """Whether two items of one person tell of the same thing for the same day: what was asked, and a note of it.

    All that the shorter one names has to be in the other, beside people.
    """
    if item.id == other.id or owner_id(item) != owner_id(other) or item.due is None or item.due != other.due:
        return False
    if not {item.kind, other.kind} <= {"commitment", "request"}:
        return False
    names = {term for each in (item, other) for name in each.names for term in thing_terms(name)}
    first, second = (terms_of(each) - WEAK_STEMS - names for each in (item, other))
    shorter = min(first, second, key=len)
    return bool(shorter) and shorter <= first & second and not has_different_object(item.own_text, other.own_text)


def is_due_around(item: ItemFact, report: ItemFact) -> bool:
    """Whether a report comes within days of the due date."""
    return item.due is not None and abs(report.latest.at - item.due) <= _TIMELY


def names_owner(item: ItemFact, text: str) -> bool:
    """Whether a text names who owes an item, or has their initials: *Orla's money is in*, *shelves up (OK)*."""
    return names_person(item.subject.name, text)


def names_person(name: str, text: str) -> bool:
    """Whether a text has a word of a name, or the initials of a name of several words."""
    return bool(set(bare_terms(text)) & name_words(name)) or _initials(name) in _CAPITALS.findall(text)


@lru_cache(TERM_CACHE_SIZE)
def _initials(name: str) -> str:
    """The initials of a name of several words; of one word, none."""
    words = name.split()
    return "".join(word[0].upper() for word in words) if len(words) > 1 else ""


def is_restated_by(item: ItemFact, later: ItemFact) -> bool:
    """Whether a later item can be the same one: of the same kind and author, or the promise of who was asked."""
    if item.kind == "request" and later.kind == "commitment":
        return owner_id(item) == later.subject.id
    return item.kind == later.kind and item.subject.id == later.subject.id


def is_delegated(item: ItemFact, passed_on: ItemFact) -> bool:
    """Whether who was asked something asked somebody else for it afterwards."""
    both_asked = item.kind == "request" and passed_on.kind == "request"
    return both_asked and owner_id(item) == passed_on.subject.id and item.latest.at < passed_on.latest.at


def is_prepared_for(item: ItemFact, step: ItemFact) -> bool:
    """Whether a request was to be fulfilled before the step that its author promised with it."""
    if item.kind != "request" or step.kind != "commitment" or item.subject.id != step.subject.id:
        return False
    together = item.latest.at == step.latest.at and not item.threads.isdisjoint(step.threads)
    return together and item.due is not None and step.due is not None and item.due <= step.due


def names_due_day(item: ItemFact, text: str, local_day: Callable[[Instant], object]) -> bool:
    """Whether a text names the day on which an item is due: *the 8th*, *8 February*."""
    day = local_day(Instant(item.due)) if item.due is not None else None
    if not isinstance(day, date):
        return False
    month = SHORT_MONTHS[day.month - 1]
    for found in _NAMED_DAY.finditer(text.casefold()):
        number, named = found[1] or found[3] or found[6], found[2] or found[4] or found[5] or month
        if int(number) == day.day and named == month:
            return True
    pairs = [(int(found[1]), int(found[2])) for found in _DAY_IN_NUMBERS.finditer(text)]
    return (day.day, day.month) in pairs or (day.month, day.day) in pairs


def names_due_weekday(item: ItemFact, words: Iterable[str], local_day: Callable[[Instant], object]) -> bool:
    """Whether words have the weekday on which an item is due."""
    day = local_day(Instant(item.due)) if item.due is not None else None
    return isinstance(day, date) and any(word.startswith(SHORT_WEEKDAYS[day.weekday()]) for word in words)


def names_a_day(text: str) -> bool:
    """Whether a text names any day of a month."""
    return _NAMED_DAY.search(text.casefold()) is not None


def owner_id(item: ItemFact) -> EntityId | None:
    owner = owner_of(item)
    return owner.id if owner is not None else None


def group_by_owner(items: Iterable[ItemFact]) -> dict[EntityId | None, list[ItemFact]]:
    """The items that each person is to do."""
    found: dict[EntityId | None, list[ItemFact]] = defaultdict(list)
    for item in items:
        found[owner_id(item)].append(item)
    return found


def is_by(item: ItemFact, person: EntityId) -> bool:
    """Whether an item is this person's; a request to nobody in particular is anybody's but its author's."""
    owner = owner_of(item)
    if owner is None and item.kind == "request":
        return person != item.subject.id
    return person == (owner.id if owner is not None else item.subject.id)


def wants_answer(item: ItemFact) -> bool:
    """Whether an item asks for an answer, promises or awaits one, so that a later statement in the thread is it."""
    if item.kind == "request":
        return ANSWER_WANTED.search(item.text) is not None
    if item.kind == "blocker":
        return True
    return item.kind == "commitment" and TOLD_LATER.search(item.text) is not None


def is_told_by(item: ItemFact, report: ItemFact, words: AbstractSet[str]) -> bool:
    """Whether a report is by or names who promised, or is by who was asked and names who asked."""
    is_named = bool(words & name_words(item.subject.name))
    if item.kind == "request":
        return is_named and is_by(item, report.subject.id)
    return item.kind == "commitment" and (is_named or item.subject.id == report.subject.id)


def is_awaited_from(item: ItemFact, said: ItemFact) -> bool:
    """Whether the answer is this person's to give; a blocker names whom it waits for."""
    if item.kind != "blocker":
        return is_by(item, said.subject.id)
    words = set(bare_terms(item.text.partition(":")[2] or item.text))
    return said.subject.id != item.subject.id and bool(words & name_words(said.subject.name))


def is_answered_by(item: ItemFact, said: ItemFact) -> bool:
    """Whether a statement can be the answer: any to a request, else one about the same thing."""
    if said.predicate == "commitment" and TOLD_LATER.search(said.text):
        return False
    if is_receipt(said.own_text):
        return False
    if item.kind == "request":
        return said.predicate != "request" or bool(shared_terms(item, terms_of(said)))
    shared = set(shared_terms(item, terms_of(said))) - WEAK_STEMS
    return bool(shared) and said.predicate not in ("commitment", "request")


@lru_cache(TERM_CACHE_SIZE)
def name_words(name: str) -> frozenset[str]:
    """The words of a name, also in the genitive."""
    words = [word for word in bare_terms(name) if len(word) > 2]
    return frozenset(f"{word}{ending}" for word in words for ending in ("", "s", "'s", "’s"))
