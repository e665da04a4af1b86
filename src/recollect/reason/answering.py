"""Which items a report answers, by words, people and thread, though it does not repeat the item word for word.

A completion, cancellation or event answers an item if both have a person or a thread in common, it is said no earlier,
and they are about the same thing: they share words that few other items have, or words that are akin. A bare *done* or
an attachment in a reply answers the only open item that its author has in the thread. A partial completion answers
nothing. A later item with another due date about the same thing moves the earlier one.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date
from math import log
from typing import NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.model.names import fold
from recollect.reason.answer_parties import (
    is_awaited_from,
    is_by,
    is_same_day,
    is_told_by,
    name_words,
    owner_id,
    wants_answer,
)
from recollect.reason.answer_words import (
    AHEAD,
    BARE_REPORT,
    CONTACT_STEMS,
    CONTACTED_STEMS,
    DELAYED,
    DELIVERED,
    PARTIAL,
    PERFORMED,
    TOLD_LATER,
    WEAK_STEMS,
    head_terms,
    is_akin,
    skeleton,
    thing_terms,
)
from recollect.reason.open_items import ANSWERING_PREDICATES, ItemFact, can_close, owner_of
from recollect.text.tokens import bare_terms
from recollect.when.instant import Instant

_COMMON_SHARE = 0.25
_ALONE_SHARE = 0.5
_SHORT_REPLY = 4
_LONGEST_DELAY = 60 * 86_400_000_000
_TIMELY = 10 * 86_400_000_000
_PUNCTUAL = 3 * 86_400_000_000
_PREFIX = 3
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_RARE = 2
"""A word is rare if at most so many items have it."""


class ItemAnswer(NamedTuple):
    """An item, and the fact that answers or moves it."""

    item: FactId
    by: FactId


@dataclass(slots=True)
class AnswerFinder:
    """Finds the items that reports answer, among the open items of a workspace."""

    items: Sequence[ItemFact]
    owner: EntityId | None
    local_day: Callable[[Instant], object]
    _by_term: dict[str, set[FactId]] = field(default_factory=lambda: defaultdict(set))
    _by_thread: dict[str, set[FactId]] = field(default_factory=lambda: defaultdict(set))
    _terms_by_prefix: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _requests_to: dict[EntityId, set[FactId]] = field(default_factory=lambda: defaultdict(set))
    _items: dict[FactId, ItemFact] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)
    """The words of people's names, which many items have."""

    def __post_init__(self) -> None:
        for item in self.items:
            self._items[item.id] = item
            self._names |= {term for name in item.names for term in thing_terms(name)}
            for term in self._terms(item):
                self._by_term[term].add(item.id)
                self._terms_by_prefix[skeleton(term)[:_PREFIX]].add(term)
            for thread in item.threads:
                self._by_thread[thread].add(item.id)
            owner = owner_of(item)
            if item.kind == "request" and owner is not None:
                self._requests_to[owner.id].add(item.id)

    def answers(self, reports: Iterable[ItemFact], new: Collection[FactId]) -> Iterator[ItemAnswer]:
        """The items that the reports answer, where the report or the item is new."""
        for report in sorted(reports, key=lambda each: (each.latest, each.id)):
            for item in self._answered_by(report):
                if report.id in new or item.id in new:
                    self._forget(item)
                    yield ItemAnswer(item.id, report.id)

    def replies(self, statements: Iterable[ItemFact], new: AbstractSet[FactId]) -> Iterator[ItemAnswer]:
        """The items that ask for, promise or await an answer, where who owes it states something in the thread."""
        wanted = [item for item in self._items.values() if wants_answer(item)]
        for said in sorted(statements, key=lambda each: (each.latest, each.id)):
            for item in wanted:
                is_reply = not said.threads.isdisjoint(item.threads) and item.latest.at < said.latest.at
                is_answer = is_reply and is_awaited_from(item, said) and self._is_told(item, said)
                if item.id in self._items and is_answer and {item.id, said.id} & new:
                    for each in (item, *self._promised_for(item, said)):
                        self._forget(each)
                        yield ItemAnswer(each.id, said.id)

    def _promised_for(self, item: ItemFact, said: ItemFact) -> list[ItemFact]:
        """The promises of what a blocker waited for, where the one who promised has told it."""
        if item.kind != "blocker":
            return []
        near = {each for thread in item.threads for each in self._by_thread.get(thread, ())}
        own = [each for each in self._open(near, said) if each.kind == "commitment" and is_by(each, said.subject.id)]
        return [each for each in own if set(self._shared(each, self._terms(item))) - WEAK_STEMS]

    def _is_told(self, item: ItemFact, said: ItemFact) -> bool:
        """Whether a statement can be the answer: any to a request, else one about the same thing."""
        if said.predicate == "commitment" and TOLD_LATER.search(said.text):
            return False
        if item.kind == "request":
            return said.predicate != "request" or bool(self._shared(item, self._terms(said)))
        shared = set(self._shared(item, self._terms(said))) - WEAK_STEMS
        return bool(shared) and said.predicate not in ("commitment", "request")

    def moves(self, new: Collection[FactId]) -> Iterator[ItemAnswer]:
        """The items that a later item about the same thing gives another due date."""
        for later in sorted(self._items.values(), key=lambda each: (each.latest, each.id)):
            if later.due is None or later.id not in self._items:
                continue
            for item in self._moved_by(later):
                if later.id in new or item.id in new:
                    self._forget(item)
                    yield ItemAnswer(item.id, later.id)

    def _forget(self, item: ItemFact) -> None:
        self._items.pop(item.id, None)

    def _own_text(self, fact: ItemFact) -> str:
        """The words of a fact without the name of its subject in front."""
        prefix = f"{fact.subject.name}:"
        return fact.text[len(prefix) :] if fold(fact.text).startswith(fold(prefix)) else fact.text

    def _terms(self, fact: ItemFact) -> frozenset[str]:
        return thing_terms(self._own_text(fact))

    def _answered_by(self, report: ItemFact) -> list[ItemFact]:
        if PARTIAL.search(report.text):
            return []
        terms = self._terms(report)
        if report.predicate in ANSWERING_PREDICATES:
            return self._seen_in(report, terms)
        if not terms - WEAK_STEMS or BARE_REPORT.match(self._own_text(report)):
            bare = self._bare_answer(report, terms)
            if bare or not terms:
                return bare
        near = self._near(terms)
        by_name = self._owed_to_named(report)
        if by_name is not None:
            return [by_name]
        scored = [(self._score(item, report, terms), item) for item in self._open(near, report)]
        found = self._best([(score, item) for score, item in scored if score > 0], terms)
        found = found or self._short_reply(report, terms) or self._unnamed_item(report)
        return self._with_counterparts(found, near, report, terms) if found else []

    def _seen_in(self, report: ItemFact, terms: frozenset[str]) -> list[ItemFact]:
        """The item that an event shows to be done: *demo bike is in town since yesterday*, *the key is in your box*."""
        if DELAYED.search(report.text) or AHEAD.search(self._own_text(report)):
            return []
        near = self._near(terms - WEAK_STEMS)
        scored = [(self._score(item, report, terms), item) for item in self._open(near, report)]
        fitting = [(score, item) for score, item in scored if score > 0 and self._is_shown(item, report, terms)]
        found = self._best(fitting, terms) or self._unnamed_item(report)
        return self._with_counterparts(found, near, report, terms) if found else []

    def _is_shown(self, item: ItemFact, report: ItemFact, terms: frozenset[str]) -> bool:
        """Whether an event is near enough to an item: of the same person or thread, else timely and in two words."""
        if not report.threads.isdisjoint(item.threads) or is_by(item, report.subject.id):
            return True
        count = len(set(self._shared(item, terms)) - WEAK_STEMS)
        return count >= (1 if self._is_due_around(item, report) else 2)

    def _unnamed_item(self, report: ItemFact) -> list[ItemFact]:
        """An item that names nothing, *will do the 22nd instead*, where its owner reports something on that day."""
        words = set(bare_terms(self._own_text(report)))
        own = [
            item
            for item in self._open(self._items, report)
            if item.due is not None and not self._terms(item) - WEAK_STEMS
            if abs(report.latest.at - item.due) <= _PUNCTUAL and is_told_by(item, report, words)
        ]
        return own if len(own) == 1 else []

    def _near(self, terms: Iterable[str]) -> set[FactId]:
        """The items that have one of these words, or one akin to it."""
        return {each for term in terms for kin in self._kin(term) for each in self._by_term.get(kin, ())}

    def _kin(self, term: str) -> Iterator[str]:
        yield term
        for other in self._terms_by_prefix.get(skeleton(term)[:_PREFIX], ()):
            if other != term and is_akin(term, other):
                yield other

    def _shared(self, item: ItemFact, terms: frozenset[str]) -> dict[str, str]:
        """The words of an item that a report has too, with the report's own form of each."""
        own = self._terms(item)
        same = {term: term for term in own & terms}
        others = [term for term in terms if term not in same]
        akin = {mine: term for mine in own - same.keys() for term in others if is_akin(mine, term)}
        return akin | same

    def _with_counterparts(
        self, found: list[ItemFact], near: Collection[FactId], report: ItemFact, terms: frozenset[str]
    ) -> list[ItemFact]:
        """The items, with a request for what the same person promised, or a promise of what was asked."""
        first = found[0]
        wanted = set(self._shared(first, terms)) - WEAK_STEMS
        beside = {each for thread in first.threads for each in self._by_thread.get(thread, ())}
        more = [
            item
            for item in self._open({*near, *beside}, report)
            if item not in found and item.kind != first.kind and {item.kind, first.kind} <= {"commitment", "request"}
            if (owner_id(item) == owner_id(first) and wanted & self._terms(item)) or is_same_day(item, first)
        ]
        return [*found, *more[:2]]

    def _short_reply(self, report: ItemFact, terms: frozenset[str]) -> list[ItemFact]:
        """The only open item of the author in the thread that a delivery or a brief report fulfils."""
        is_delivery = DELIVERED.search(report.text) is not None
        own = self._bare_answer(report, frozenset()) if is_delivery or len(terms) <= _SHORT_REPLY else []
        return [item for item in own if is_delivery or item.kind == "request"]

    def _owed_to_named(self, report: ItemFact) -> ItemFact | None:
        """The only open request of a person whom a report names: *signed lindqvist's rent thing*."""
        if not PERFORMED.search(report.text):
            return None
        words = set(bare_terms(self._own_text(report)))
        asked = [
            item
            for item in self._open(self._requests_to.get(report.subject.id, ()), report)
            if words & name_words(item.subject.name)
        ]
        return asked[0] if len(asked) == 1 and asked[0].due is not None else None

    def _open(self, candidates: Iterable[FactId], report: ItemFact) -> Iterator[ItemFact]:
        for each in sorted(candidates):
            item = self._items.get(each)
            if item is None or item.id == report.id or not can_close(item.predicate, report.predicate):
                continue
            if self._is_later(report, item):
                yield item

    def _is_later(self, report: ItemFact, item: ItemFact) -> bool:
        """Whether a report is said no earlier; the note of a day counts for all of that day."""
        if report.latest.at > item.latest.at:
            return True
        same_day = self.local_day(report.latest.at) == self.local_day(item.latest.at)
        return same_day and report.threads.isdisjoint(item.threads) and report.latest.at != item.latest.at

    def _bare_answer(self, report: ItemFact, terms: frozenset[str]) -> list[ItemFact]:
        """The only open item that the author of a bare *done* or *sent* has in the thread."""
        near = {each for thread in report.threads for each in self._by_thread.get(thread, ())}
        own = [item for item in self._open(near, report) if is_by(item, report.subject.id)]
        fitting = [item for item in own if not terms or self._shared(item, terms)] or own
        return fitting if len(fitting) == 1 else []

    def _score(self, item: ItemFact, report: ItemFact, terms: frozenset[str]) -> float:
        """How surely a report is about an item; 0 if it is not."""
        pairs = self._shared(item, self._with_name(report, item, terms))
        shared = set(pairs)
        strong = shared - WEAK_STEMS - self._names
        in_thread = not report.threads.isdisjoint(item.threads)
        is_close = in_thread or is_by(item, report.subject.id)
        is_near = is_close or report.subject.id in (self.owner, *item.ends) or item.subject.id in report.ends
        if not is_near or not (in_thread or self._is_head(pairs, item, report)) or self._is_other_contact(item, terms):
            return 0.0
        if not strong and (shared <= self._names or not (is_close or len(shared) > 1)):
            return 0.0
        weight = self._weight(shared)
        share = max(weight / self._weight(terms), weight / self._weight(self._terms(item)))
        is_rare = any(len(self._by_term.get(term, ())) <= _RARE for term in shared)
        if len(shared) >= 2 and strong:
            return weight * share if share >= _COMMON_SHARE else 0.0
        if not strong:
            return weight * share if is_rare and share >= _ALONE_SHARE else 0.0
        is_timely = self._is_due_around(item, report)
        needed = _COMMON_SHARE if is_close or is_timely else _ALONE_SHARE
        if not is_rare or share < needed:
            return 0.0
        return weight * share * (1.5 if is_timely and self._names_due_day(item, report) else 1.0)

    def _is_other_contact(self, item: ItemFact, terms: frozenset[str]) -> bool:
        """Whether an item is to call or ask somebody, and the report tells of something else with them."""
        own = self._terms(item)
        return (
            bool(own & CONTACT_STEMS)
            and not own - CONTACT_STEMS - WEAK_STEMS - self._names - terms
            and not (terms & CONTACTED_STEMS)
        )

    def _with_name(self, report: ItemFact, item: ItemFact, terms: frozenset[str]) -> frozenset[str]:
        """The words of a report with its author's name, where the item is somebody else's: *pay Greta*."""
        return terms if is_by(item, report.subject.id) else terms | thing_terms(report.subject.name)

    def _is_head(self, pairs: Mapping[str, str], item: ItemFact, report: ItemFact) -> bool:
        """Whether the shared words name the thing itself in one of the two: not only what it is for."""
        own, told = head_terms(self._own_text(item)), head_terms(self._own_text(report))
        is_event = report.predicate in ANSWERING_PREDICATES
        return any(mine in own or (theirs in told and not is_event) for mine, theirs in pairs.items())

    def _is_due_around(self, item: ItemFact, report: ItemFact) -> bool:
        """Whether a report comes within days of the due date."""
        return item.due is not None and abs(report.latest.at - item.due) <= _TIMELY

    def _names_due_day(self, item: ItemFact, report: ItemFact) -> bool:
        """Whether a report names the weekday on which the item was due."""
        day = self.local_day(Instant(item.due)) if item.due is not None else None
        if not isinstance(day, date):
            return False
        name = _WEEKDAYS[day.weekday()]
        return any(word.startswith(name) for word in bare_terms(self._own_text(report)))

    def _best(self, scored: list[tuple[float, ItemFact]], terms: frozenset[str]) -> list[ItemFact]:
        """The items that a report answers: the best, with others about the same thing; none if two things fit alike."""
        if not scored:
            return []
        scored.sort(key=lambda each: (-each[0], each[1].id))
        top, first = scored[0]
        shared = set(self._shared(first, terms))
        same = [item for _, item in scored if set(self._shared(item, terms)) == shared]
        if len(shared - WEAK_STEMS) < 2 and len({(item.kind, item.subject.id) for item in same}) < len(same):
            same = [first]
        others = [score for score, item in scored if item not in same]
        return same[:3] if not others or top >= 1.3 * others[0] else []

    def _weight(self, terms: Collection[str]) -> float:
        total = len(self._items) + len(self.items) + 1
        found = sum(log(1 + total / (1 + len(self._by_term.get(term, ())))) for term in terms)
        return found or 1.0

    def _moved_by(self, later: ItemFact) -> list[ItemFact]:
        terms = self._terms(later)
        found = []
        for each in {each for term in terms - WEAK_STEMS for each in self._by_term.get(term, ())}:
            item = self._items.get(each)
            if item is None or item.id == later.id or item.due is None or item.due == later.due:
                continue
            if item.kind == later.kind and item.subject.id == later.subject.id and item.latest.at < later.latest.at:
                found.append(item)
        same = [item for item in found if self._is_same_thing(item, later, terms)]
        return same or self._delayed_by(later)

    def _delayed_by(self, later: ItemFact) -> list[ItemFact]:
        """The only other dated item of the same person, where a later one says that it will be later."""
        if not DELAYED.search(later.text):
            return []
        own = [
            item
            for item in self._items.values()
            if item.due is not None and item.kind == later.kind and item.id != later.id
            if item.subject.id == later.subject.id and 0 < later.latest.at - item.latest.at <= _LONGEST_DELAY
        ]
        is_later = len(own) == 1 and own[0].due is not None and later.due is not None and own[0].due < later.due
        return own if is_later else []

    def _is_same_thing(self, item: ItemFact, later: ItemFact, terms: frozenset[str]) -> bool:
        shared = terms & self._terms(item)
        weight = self._weight(shared)
        shares = weight / self._weight(terms), weight / self._weight(self._terms(item))
        in_thread = not later.threads.isdisjoint(item.threads)
        share, needed = (max(shares), 0.4) if in_thread else (min(shares), 0.6)
        return len(shared - WEAK_STEMS) >= (1 if in_thread else 2) and share >= needed
