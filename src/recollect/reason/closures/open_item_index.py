"""The words of open items, by which a report finds the items it may be about."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from math import log

from recollect.model.ids import EntityId, FactId
from recollect.model.names import PEOPLE
from recollect.reason.closures.closure_terms import (
    WEAK_STEMS,
    cross_language_key,
    have_similar_stems,
    is_unnamed,
    thing_terms,
)
from recollect.reason.closures.completion_terms import TERM_CACHE_SIZE, without_condition
from recollect.reason.closures.open_items import ItemFact, owner_of
from recollect.text.tokens import bare_terms

_PREFIX = 3
_SHORTEST_NAME = 3
_PUNCTUAL = 3 * 86_400_000_000
_RARE = 2
"""A word is rare if at most so many items have it."""


class ItemWords:
    """Which items have a word, or one akin to it, and how much a word tells."""

    def __init__(self, items: Sequence[ItemFact]) -> None:
        self._count = len(items)
        self._by_term: dict[str, set[FactId]] = defaultdict(set)
        self._terms_by_prefix: dict[str, set[str]] = defaultdict(set)
        self._kin_of: dict[str, tuple[str, ...]] = {}
        self.names: set[str] = set()
        """The words of people's names, which many items have."""
        self._people: dict[str, set[EntityId]] = defaultdict(set)
        for item in items:
            for end in (item.subject, item.object):
                if end is not None and end.type in PEOPLE:
                    for word in bare_terms(end.name):
                        if len(word) >= _SHORTEST_NAME:
                            self._people[word].add(end.id)
            self.names |= {term for name in item.names for term in thing_terms(name)}
            for term in terms_of(item):
                self._by_term[term].add(item.id)
                self._terms_by_prefix[cross_language_key(term)[:_PREFIX]].add(term)

    def having(self, terms: Iterable[str]) -> set[FactId]:
        """The items that have one of these words."""
        return {each for term in terms for each in self._by_term.get(term, ())}

    def people_in(self, words: Iterable[str]) -> frozenset[EntityId]:
        """The people, of those with items, whom a text with these words may name."""
        forms = {each.removesuffix("'s").removesuffix("’s") for each in words}
        return frozenset(person for word in forms for person in self._people.get(word, ()))

    def near(self, terms: Iterable[str]) -> set[FactId]:
        """The items that have one of these words, or one akin to it."""
        return self.having(kin for term in terms for kin in self._kin(term))

    def _kin(self, term: str) -> tuple[str, ...]:
        """A word and those akin to it that items have; reports use the same words again and again."""
        known = self._kin_of.get(term)
        if known is None:
            others = self._terms_by_prefix.get(cross_language_key(term)[:_PREFIX], ())
            known = (term, *(other for other in others if other != term and have_similar_stems(term, other)))
            self._kin_of[term] = known
        return known

    def has_rare(self, terms: Iterable[str]) -> bool:
        """Whether few items have one of these words."""
        return any(len(self._by_term.get(term, ())) <= _RARE for term in terms)

    def weight(self, terms: Collection[str], still_open: int) -> float:
        """How much these words tell together; the fewer items have a word, the more."""
        total = still_open + self._count + 1
        found = sum(log(1 + total / (1 + len(self._by_term.get(term, ())))) for term in terms)
        return found or 1.0


class UnnamedItems:
    """The items that name nothing, by the day they are due."""

    def __init__(self, items: Iterable[ItemFact]) -> None:
        self._by_day = sorted(
            (each.due, each.id) for each in items if each.due is not None and is_unnamed(each.own_text)
        )

    def around(self, at: int) -> list[FactId]:
        """Those due within days of a moment."""
        first = bisect_left(self._by_day, (at - _PUNCTUAL, FactId("")))
        last = bisect_right(self._by_day, (at + _PUNCTUAL + 1, FactId("")))
        return [item for _, item in self._by_day[first:last]]


def own_words(fact: ItemFact) -> frozenset[str]:
    """The words of a fact without the name of its subject, as they are written."""
    return _words(fact.own_text)


@lru_cache(TERM_CACHE_SIZE)
def _words(text: str) -> frozenset[str]:
    return frozenset(bare_terms(text))


def deed_text(item: ItemFact) -> str:
    """What is to be done, without the event it is due before; a blocker waits for just that event."""
    return item.own_text if item.kind == "blocker" else without_condition(item.own_text)


def terms_of(fact: ItemFact) -> frozenset[str]:
    """The stems of the words that say what a fact is about."""
    own = thing_terms(fact.own_text)
    return own | thing_terms(fact.context) if fact.context else own


def shared_terms(item: ItemFact, terms: frozenset[str]) -> dict[str, str]:
    """The words of an item that a report has too, with the report's own form of each."""
    own = terms_of(item)
    same = {term: term for term in own & terms}
    others = _by_letter(terms)
    akin = {
        mine: term
        for mine in own - same.keys()
        for term in others.get(cross_language_key(mine)[:1], ())
        if term not in same and have_similar_stems(mine, term)
    }
    return akin | same


def is_of_somebody_else(item: ItemFact, told: str, teller: EntityId, words: ItemWords) -> bool:
    """Whether an item and a report each name a third person, and not the same: *Claire's contract*, *joost's*."""
    named = words.people_in(own_words(item)) - item.ends
    others = words.people_in(_words(told)) - item.ends
    return bool(named and others) and teller not in named and named.isdisjoint(others)


def has_same_kind_and_owner(one: ItemFact, other: ItemFact) -> bool:
    """Whether two items are of one kind and to be done by the same person."""
    return one.id != other.id and one.kind == other.kind and owner_of(one) == owner_of(other)


def matches_other_item_better(siblings: Iterable[ItemFact], item: ItemFact, terms: frozenset[str]) -> bool:
    """Whether a report has more words of a sibling than of an item, and not what the item alone names."""
    return any(True for _ in siblings_matched_better(siblings, item, terms))


def siblings_matched_better(
    siblings: Iterable[ItemFact], item: ItemFact, terms: frozenset[str], idle: Set[str] = frozenset()
) -> Iterator[ItemFact]:
    """The siblings of which a report has more words than of an item, if it does not have what the item alone names.

    By `idle` words, such as names of people, no sibling fits better.
    """
    missing = terms_of(item) - WEAK_STEMS - terms
    if not missing:
        return
    shared = set(shared_terms(item, terms).values())
    for each in siblings:
        if missing - terms_of(each) and shared < set(shared_terms(each, terms).values()) - idle:
            yield each


@lru_cache(1_024)
def _by_letter(terms: frozenset[str]) -> Mapping[str, Sequence[str]]:
    """The words of a report by the letter that all words akin to them begin with."""
    found: dict[str, list[str]] = defaultdict(list)
    for term in terms:
        found[cross_language_key(term)[:1]].append(term)
    return dict(found)
