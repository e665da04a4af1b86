"""Which commitments, requests, goals, blockers and pending decisions are closed, and by which fact.

This is the one decision that all surfaces share. It is pure: `item_lookup` reads the facts it needs.

- A blocker is closed by a later `resolved_by`; module `blockers` has the rules.
- Any item is closed by a later completion, resolution or cancellation by its owner or about its project, if every
  content word of that report occurs in the item. A report that matches several open items closes none of them.

An item counts from its latest assertion, so stating it again reopens it. Only current facts take part, so retracting or
undoing the closing fact reopens it as well.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.model.names import PEOPLE
from recollect.reason.blockers import find_closing_resolutions
from recollect.reason.fact_links import AssertionMoment, LinkEnd
from recollect.reason.item_words import completion_terms, item_terms

BLOCKERS = frozenset({"blocker", "blocked_by"})
REQUEST = "request"
PENDING_DECISION = "pending_decision"
RESOLVED_BY = "resolved_by"
DECISION = "decision"
ITEM_PREDICATES = BLOCKERS | {"commitment", "promise", "goal", REQUEST, PENDING_DECISION}
CLOSING_PREDICATES = frozenset({"completion", "resolution", "cancellation", RESOLVED_BY})


class ItemFact(NamedTuple):
    """A current fact that is an item or may close one."""

    id: FactId
    predicate: str
    subject: LinkEnd
    object: LinkEnd | None
    literal: str | None
    text: str
    latest: AssertionMoment

    @property
    def target(self) -> str:
        """The name of the object, or the literal."""
        return self.object.name if self.object is not None else self.literal or ""

    @property
    def ends(self) -> frozenset[EntityId]:
        return frozenset({self.subject.id} if self.object is None else {self.subject.id, self.object.id})

    @property
    def names(self) -> tuple[str, ...]:
        return (self.subject.name,) if self.object is None else (self.subject.name, self.object.name)


def closing_predicates_of(items: Iterable[ItemFact]) -> frozenset[str]:
    """The predicates of facts that may close any of these items."""
    is_pending = any(item.predicate == PENDING_DECISION for item in items)
    return CLOSING_PREDICATES | {DECISION} if is_pending else CLOSING_PREDICATES


def find_closings(items: Sequence[ItemFact], closers: Sequence[ItemFact]) -> dict[FactId, FactId]:
    """By closed item, the earliest fact that closes it.

    To judge an item, every closer at its ends is needed, and every item at the ends of those closers.
    """
    blockers = [as_blocker(item) for item in items if item.predicate in BLOCKERS]
    closed = find_closing_resolutions(blockers, [each for each in closers if each.predicate == RESOLVED_BY])
    matcher = ItemMatcher(items)
    for closer in sorted(closers, key=lambda each: (each.latest, each.id)):
        matching = [item for item in matcher.answered_by(closer) if not _is_closed_before(item, closer, closed)]
        if len(matching) == 1:
            closed[matching[0].id] = closer
    return {item: closer.id for item, closer in closed.items()}


def _is_closed_before(item: ItemFact, closer: ItemFact, closed: Mapping[FactId, ItemFact]) -> bool:
    return item.id in closed and closed[item.id].latest <= closer.latest


def as_blocker(item: ItemFact) -> ItemFact:
    """A blocker with what is blocked as its subject and what blocks it as its target.

    `blocked_by` is stored that way. A `blocker` that a person reports has the blocked thing as its object, if any.
    """
    if item.predicate == "blocked_by" or item.literal is not None:
        return item
    if item.object is None:
        return item._replace(literal=item.text)
    is_reported = item.subject.type in PEOPLE and item.object.type not in PEOPLE
    return item._replace(subject=item.object, object=None, literal=item.text) if is_reported else item


class ItemMatcher:
    """Finds the items that contain the words of a closing fact."""

    def __init__(self, items: Iterable[ItemFact]) -> None:
        self._items = {item.id: item for item in items}
        self._items_by_term: dict[str, set[FactId]] = defaultdict(set)
        for item in self._items.values():
            for term in item_terms(" ".join((item.text, item.target, *item.names))):
                self._items_by_term[term].add(item.id)

    def answered_by(self, closer: ItemFact) -> Iterator[ItemFact]:
        """The earlier items that this fact, by its ends and words, may close; in the order of their ids."""
        terms = completion_terms(closer.text, closer.names)
        rarest_first = sorted((self._items_by_term.get(term, set()) for term in terms), key=len)
        for item in sorted(set.intersection(*rarest_first)) if rarest_first else ():
            if is_answered(self._items[item], closer, terms):
                yield self._items[item]


def is_answered(item: ItemFact, closer: ItemFact, terms: frozenset[str]) -> bool:
    """Whether a fact with words of an item may close it: by predicate, time and ends, and by more than its names."""
    if item.predicate in BLOCKERS and closer.predicate == RESOLVED_BY:
        return False  # decided by the rules of blockers
    if closer.predicate == DECISION and item.predicate != PENDING_DECISION:
        return False
    if item.latest >= closer.latest or anchors_of(item).isdisjoint(closer.ends):
        return False
    return not terms <= item_terms(" ".join(item.names))


def anchors_of(item: ItemFact) -> frozenset[EntityId]:
    """The entities that a closing fact must name one of: the item's owner or the thing it is about."""
    target = item.object
    if item.predicate == REQUEST and target is not None:
        return frozenset({target.id})  # who or what was asked; the subject is the requester
    is_about = target is not None and target.type not in PEOPLE
    return item.ends if is_about else frozenset({item.subject.id})
