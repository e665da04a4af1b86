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

from recollect.model.ids import EntityId, FactId
from recollect.reason.closures.closure_participants import (
    ItemPlaces,
    is_answered_by,
    is_awaited_from,
    is_by,
    is_delegated,
    is_due_around,
    is_prepared_for,
    is_same_day,
    is_told_by,
    name_words,
    names_due_weekday,
    names_owner,
    owner_id,
    wants_answer,
)
from recollect.reason.closures.closure_terms import (
    AHEAD,
    BARE_REPORT,
    CONTACT_STEMS,
    CONTACTED_STEMS,
    DELAYED,
    DELIVERED,
    MESSAGE,
    NOT_YET,
    PARTIAL,
    PERFORMED,
    PUT_OFF,
    WEAK_STEMS,
    addressee_terms,
    clauses_of,
    head_terms,
    is_receipt,
    name_terms,
    step_terms,
    thing_terms,
)
from recollect.reason.closures.item_pairs import LONGEST_DAY, ItemAnswer, facts_to_compare
from recollect.reason.closures.open_item_index import (
    ItemWords,
    UnnamedItems,
    has_same_kind_and_owner,
    is_of_somebody_else,
    matches_other_item_better,
    own_words,
    shared_terms,
    terms_of,
)
from recollect.reason.closures.open_items import (
    ANSWERING_PREDICATES,
    CANCELLATION,
    ItemFact,
    can_close,
    is_report_of,
    owner_of,
)
from recollect.reason.closures.rescheduled_items import LONGEST_DELAY, RescheduledItems
from recollect.when.instant import Instant

_COMMON_SHARE = 0.25
_ALONE_SHARE = 0.5
_SHORT_REPLY = 4
_SHORTEST_CLAUSE = 3


@dataclass(slots=True)
class ClosureRules:
    """Finds the items that reports answer, among the open items of a workspace."""

    items: Sequence[ItemFact]
    owner: EntityId | None
    local_day: Callable[[Instant], object]
    _requests_to: dict[EntityId, set[FactId]] = field(default_factory=lambda: defaultdict(set))
    _items: dict[FactId, ItemFact] = field(default_factory=dict)
    _places: ItemPlaces = field(init=False)
    _words: ItemWords = field(init=False)
    _moves: RescheduledItems = field(init=False)
    _unnamed: UnnamedItems = field(init=False)

    def __post_init__(self) -> None:
        self._words = ItemWords(self.items)
        self._places = ItemPlaces(self.items)
        self._moves = RescheduledItems(self._items, self._words, self._places, self.local_day)
        for item in self.items:
            self._items[item.id] = item
            owner = owner_of(item)
            if item.kind == "request" and owner is not None:
                self._requests_to[owner.id].add(item.id)
        self._unnamed = UnnamedItems(self.items)

    def answers(self, reports: Iterable[ItemFact], new: Collection[FactId]) -> Iterator[ItemAnswer]:
        """The items that the reports answer, where the report or the item is new."""
        for report in facts_to_compare(reports, self.items, new):
            answered = dict.fromkeys((*self._answered_by(report), *self._answered_in_part(report)))
            for item in [
                each for each in answered if is_report_of(each, report) and not self._names_sibling(each, report)
            ]:
                if report.id in new or item.id in new:
                    self._forget(item)
                    yield ItemAnswer(item.id, report.id)

    def _names_sibling(self, item: ItemFact, report: ItemFact) -> bool:
        """Whether a report names what another item of the same person is about, and not what this one is."""
        near = self._words.having(terms_of(report))
        siblings = [each for each in self._open(near, report) if has_same_kind_and_owner(item, each)]
        return matches_other_item_better(siblings, item, terms_of(report))

    def _answered_in_part(self, report: ItemFact) -> Iterator[ItemFact]:
        """The items that one clause of several in a report answers by a word for the thing."""
        is_whole = PARTIAL.search(report.text) is None and PUT_OFF.search(report.text) is None
        parts = clauses_of(report.own_text) if is_whole else []
        for part in [each for each in parts if len(each.split()) >= _SHORTEST_CLAUSE] if len(parts) > 1 else ():
            found = self._answered_by(report._replace(text=part))
            yield from (item for item in found if set(shared_terms(item, thing_terms(part))) - WEAK_STEMS)

    def replies(self, statements: Iterable[ItemFact], new: AbstractSet[FactId]) -> Iterator[ItemAnswer]:
        """The items that ask for, promise or await an answer, where who owes it states something in the thread."""
        told = facts_to_compare(statements, self.items, new)
        items = enumerate(self._items.values()) if told else ()
        wanted = {item.id: (at, item) for at, item in items if wants_answer(item)}
        for said in told:
            for _, item in sorted(wanted[each] for each in self._places.in_threads(said.threads) & wanted.keys()):
                is_reply = item.latest.at < said.latest.at and not _is_consent(said)
                is_answer = is_reply and is_awaited_from(item, said) and is_answered_by(item, said)
                if item.id in self._items and is_answer and {item.id, said.id} & new:
                    for each in (item, *self._promised_for(item, said)):
                        self._forget(each)
                        yield ItemAnswer(each.id, said.id)

    def messages(self, new: AbstractSet[FactId]) -> Iterator[ItemAnswer]:
        """The items to tell or ask somebody something, where their owner has written to others about it."""
        asked = facts_to_compare([each for each in self.items if each.kind == "request"], self.items, new)
        promised = [each for each in self._items.values() if each.kind == "commitment"] if asked else []
        to_tell = {each.id for each in promised if MESSAGE.search(each.text)}
        for said in asked if to_tell else ():
            near = to_tell & self._words.near(terms_of(said) - WEAK_STEMS) & self._items.keys()
            for item in [self._items[each] for each in sorted(near)]:
                is_later = item.subject.id == said.subject.id and 0 < said.latest.at - item.latest.at <= LONGEST_DELAY
                if is_later and {item.id, said.id} & new and self._is_topic(item, said):
                    self._forget(item)
                    yield ItemAnswer(item.id, said.id)

    def _is_topic(self, item: ItemFact, said: ItemFact) -> bool:
        shared = set(shared_terms(item, terms_of(said))) - WEAK_STEMS - CONTACT_STEMS - self._words.names
        return self._words.has_rare(shared)

    def _promised_for(self, item: ItemFact, said: ItemFact) -> list[ItemFact]:
        """The promises of what a blocker waited for, where the one who promised has told it."""
        if item.kind != "blocker":
            return []
        near = self._places.in_threads(item.threads)
        own = [each for each in self._open(near, said) if each.kind == "commitment" and is_by(each, said.subject.id)]
        return [each for each in own if set(shared_terms(each, terms_of(item))) - WEAK_STEMS]

    def moves(self, new: Collection[FactId]) -> Iterator[ItemAnswer]:
        """The items that a later item about the same thing gives another due date."""
        for later in facts_to_compare(self._items.values(), self.items, new):
            if later.due is None or later.id not in self._items:
                continue
            for item in self._moves.moved_by(later):
                if later.id in new or item.id in new:
                    self._forget(item)
                    yield ItemAnswer(item.id, later.id)

    def _forget(self, item: ItemFact) -> None:
        self._items.pop(item.id, None)

    def _answered_by(self, report: ItemFact) -> list[ItemFact]:
        if PARTIAL.search(report.text) or PUT_OFF.search(report.text) or NOT_YET.search(report.text):
            return []
        terms = terms_of(report)
        is_event = report.predicate in ANSWERING_PREDICATES
        if BARE_REPORT.match(report.own_text) or not (is_event or terms - WEAK_STEMS):
            bare = self._bare_answer(report, terms)
            if bare or not terms:
                return bare
        if is_event:
            return self._seen_in(report, terms)
        near, by_name = self._words.near(terms), self._owed_to_named(report)
        if by_name is not None:
            return [by_name]
        scored = self._score_items(near, report, terms)
        found = self._best([(score, item) for score, item in scored if score > 0], terms)
        found = found or self._short_reply(report, terms) or self._unnamed_item(report)
        return self._with_counterparts(found, near, report, terms) if found else []

    def _seen_in(self, report: ItemFact, terms: frozenset[str]) -> list[ItemFact]:
        """The item that an event shows to be done: *demo bike is in town since yesterday*, *the key is in your box*."""
        told_first = clauses_of(report.own_text)[0]
        if DELAYED.search(told_first) or AHEAD.search(told_first):
            return []
        near = self._words.near(terms - WEAK_STEMS)
        scored = self._score_items(near, report, terms)
        fitting = [(score, item) for score, item in scored if score > 0 and self._is_shown(item, report, terms)]
        found = self._best(fitting, terms) or self._unnamed_item(report)
        return self._with_counterparts(found, near, report, terms) if found else []

    def _is_shown(self, item: ItemFact, report: ItemFact, terms: frozenset[str]) -> bool:
        """Whether an event is near enough to an item: of the same person or thread, else timely and in two words."""
        if not report.threads.isdisjoint(item.threads) or is_by(item, report.subject.id):
            return True
        count = len(set(shared_terms(item, terms)) - WEAK_STEMS)
        return count >= (1 if is_due_around(item, report) else 2)

    def _unnamed_item(self, report: ItemFact) -> list[ItemFact]:
        """The item without comparable words whose owner reports something, or is named in a report, around its day."""
        around = list(self._open(self._unnamed.around(report.latest.at), report))
        words = own_words(report)
        own = [item for item in around if is_told_by(item, report, words) and self._is_no_other_matter(item, report)]
        return own if len(own) == 1 else []

    def _is_no_other_matter(self, item: ItemFact, report: ItemFact) -> bool:
        """Whether a report need not be one of the many that the owner writes about other things.

        What only names the owner of an item that has a thing of its own may be about anything.
        """
        if not report.threads.isdisjoint(item.threads):
            return True
        is_by_author = item.subject.id == report.subject.id
        return self.owner != report.subject.id if is_by_author else not terms_of(item) - WEAK_STEMS - self._words.names

    def _with_counterparts(
        self, found: list[ItemFact], near: Collection[FactId], report: ItemFact, terms: frozenset[str]
    ) -> list[ItemFact]:
        """The items, with a request for what the same person promised, or a promise of what was asked."""
        first = found[0]
        wanted = set(shared_terms(first, terms)) - WEAK_STEMS
        beside = self._places.in_threads(first.threads)
        beside |= self._words.near(terms_of(first) - WEAK_STEMS)
        more = [
            item
            for item in self._open({*near, *beside}, report)
            if item not in found and {item.kind, first.kind} <= {"commitment", "request"}
            if self._is_counterpart(item, first, wanted)
        ]
        return [*found, *more[:2]]

    def _is_counterpart(self, item: ItemFact, first: ItemFact, wanted: AbstractSet[str]) -> bool:
        """Whether an item is settled with another: its request, what it was passed on from, or what it waited for."""
        if is_delegated(item, first):
            return bool((terms_of(item) & terms_of(first)) - WEAK_STEMS)
        if is_prepared_for(item, first):
            return True
        is_own = owner_id(item) == owner_id(first) and bool(wanted & terms_of(item))
        return item.kind != first.kind and (is_own or is_same_day(item, first))

    def _short_reply(self, report: ItemFact, terms: frozenset[str]) -> list[ItemFact]:
        """The only open item of the author in the thread that a delivery or a brief report fulfils."""
        is_delivery = DELIVERED.search(report.text) is not None
        if report.predicate == CANCELLATION and not is_delivery:
            return []  # what is called off is some other thing
        own = self._bare_answer(report, frozenset()) if is_delivery or len(terms) <= _SHORT_REPLY else []
        return [item for item in own if is_delivery or item.kind == "request"]

    def _owed_to_named(self, report: ItemFact) -> ItemFact | None:
        """The only open request of a person whom a report names: *signed lindqvist's rent thing*."""
        if not PERFORMED.search(report.text):
            return None
        words = own_words(report)
        asked = [
            item
            for item in self._open(self._requests_to.get(report.subject.id, ()), report)
            if words & name_words(item.subject.name)
        ]
        return asked[0] if len(asked) == 1 and asked[0].due is not None else None

    def _open(self, candidates: Iterable[FactId], report: ItemFact) -> Iterator[ItemFact]:
        items, said_at = self._items, report.latest.at
        for each in sorted(candidates):
            item = items.get(each)
            if item is None or item.id == report.id or not can_close(item.predicate, report.predicate):
                continue
            if said_at > item.latest.at or self._is_same_day(report, item):
                yield item

    def _is_same_day(self, report: ItemFact, item: ItemFact) -> bool:
        """Whether a report is no earlier though its time is: the note of a day counts for all of that day."""
        is_near = report.latest.at < item.latest.at < report.latest.at + LONGEST_DAY
        same_day = is_near and self.local_day(report.latest.at) == self.local_day(item.latest.at)
        return same_day and report.threads.isdisjoint(item.threads)

    def _bare_answer(self, report: ItemFact, terms: frozenset[str]) -> list[ItemFact]:
        """The only open item that the author of a bare *done* or *sent* has in the thread."""
        if is_receipt(report.own_text):
            return []  # it acknowledges what another did
        near = self._places.in_threads(report.threads)
        own = [item for item in self._open(near, report) if is_by(item, report.subject.id)]
        is_bare = BARE_REPORT.match(report.own_text) is not None
        fitting = [item for item in own if not terms or shared_terms(item, terms)] or (own if is_bare else [])
        return fitting if len(fitting) == 1 else []

    def _score_items(
        self, near: AbstractSet[FactId], report: ItemFact, terms: frozenset[str]
    ) -> list[tuple[float, ItemFact]]:
        """The items with words of a report that are near its people or thread, each with its score."""
        beside = near if report.subject.id == self.owner else near & self._places.beside(report)
        scored = [(self._score(item, report, terms), item) for item in self._open(beside, report)]
        return [(score, item) for score, item in scored if score > 0 and is_report_of(item, report)]

    def _score(self, item: ItemFact, report: ItemFact, terms: frozenset[str]) -> float:
        """How surely a report is about an item; 0 if it is not."""
        in_thread = not report.threads.isdisjoint(item.threads)
        if not in_thread and is_of_somebody_else(item, report.own_text, report.subject.id, self._words):
            return 0.0
        is_close = in_thread or is_by(item, report.subject.id)
        is_near = is_close or report.subject.id == self.owner or item.involves(report.subject.id)
        if not (is_near or report.involves(item.subject.id)):
            return 0.0
        pairs = shared_terms(item, self._with_name(report, item, terms))
        shared = set(pairs)
        called = addressee_terms(item.own_text)
        strong = shared - WEAK_STEMS - self._words.names - (called if in_thread else called | name_terms(item.own_text))
        is_other = report.predicate != CANCELLATION and self._is_other_matter(item, report, terms)
        if not (in_thread or self._is_head(pairs, item, report)) or is_other:
            return 0.0
        is_named = names_owner(item, report.own_text)
        if not strong and (
            shared <= self._words.names | name_terms(item.own_text) | called
            or not (is_close or is_named or len(shared) > 1)
        ):
            return 0.0
        weight = self._weight(shared)
        told = terms - thing_terms(item.subject.name) if is_named else terms
        share = max(weight / self._weight(told), weight / self._weight(terms_of(item)))
        is_timely = is_due_around(item, report)
        is_rare = self._is_rare(item, shared, report)
        if len(shared) >= 2 and strong:
            return weight * share if share >= _COMMON_SHARE else 0.0
        if not strong:
            return weight * share if is_rare and share >= (_COMMON_SHARE if is_timely else _ALONE_SHARE) else 0.0
        needed = _COMMON_SHARE if is_close or is_timely else _ALONE_SHARE
        if not is_rare or share < needed:
            return 0.0
        is_due_then = is_timely and names_due_weekday(item, own_words(report), self.local_day)
        return weight * share * (1.5 if is_due_then else 1.0)

    def _is_rare(self, item: ItemFact, shared: AbstractSet[str], report: ItemFact) -> bool:
        """Whether few items have a word, or only this one of the person who reports on their own."""
        if self._words.has_rare(shared):
            return True
        if not is_by(item, report.subject.id) or report.subject.id == self.owner:
            return False
        with_word = self._words.having(shared) & self._items.keys()
        return [each for each in with_word if is_by(self._items[each], report.subject.id)] == [item.id]

    def _is_other_matter(self, item: ItemFact, report: ItemFact, terms: frozenset[str]) -> bool:
        """Whether a report tells of a step only, or of something else with somebody whom the item is to call or ask."""
        own = terms_of(item)
        if not step_terms(report.own_text) <= own:
            return True
        is_covered = own - CONTACT_STEMS - WEAK_STEMS - self._words.names <= terms
        return bool(own & CONTACT_STEMS) and is_covered and not terms & CONTACTED_STEMS

    def _with_name(self, report: ItemFact, item: ItemFact, terms: frozenset[str]) -> frozenset[str]:
        """The words of a report with its author's name, where the item is somebody else's: *pay Greta*."""
        return terms if is_by(item, report.subject.id) else terms | thing_terms(report.subject.name)

    def _is_head(self, pairs: Mapping[str, str], item: ItemFact, report: ItemFact) -> bool:
        """Whether the shared words name the thing itself in one of the two: not only what it is for."""
        own, told = head_terms(item.own_text), head_terms(report.own_text)
        is_event = report.predicate in ANSWERING_PREDICATES
        return any(mine in own or (theirs in told and not is_event) for mine, theirs in pairs.items())

    def _best(self, scored: list[tuple[float, ItemFact]], terms: frozenset[str]) -> list[ItemFact]:
        """The items that a report answers: the best, with others about the same thing; none if two things fit alike."""
        if not scored:
            return []
        scored.sort(key=lambda each: (-each[0], each[1].id))
        top, first = scored[0]
        shared = set(shared_terms(first, terms))
        same = [item for _, item in scored if set(shared_terms(item, terms)) == shared]
        if len(shared - WEAK_STEMS) < 2 and len({(item.kind, item.subject.id) for item in same}) < len(same):
            same = [
                first,
                *(each for each in same if first in self._moves.moved_by(each) or each in self._moves.moved_by(first)),
            ]
        others = [score for score, item in scored if item not in same]
        return same[:3] if not others or top >= 1.3 * others[0] else []

    def _weight(self, terms: Collection[str]) -> float:
        return self._words.weight(terms, len(self._items))


def _is_consent(said: ItemFact) -> bool:
    """Whether somebody only says that they will: *will do*."""
    return said.predicate == "commitment" and not terms_of(said) - WEAK_STEMS
