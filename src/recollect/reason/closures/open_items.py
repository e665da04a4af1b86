"""Which commitments, requests, goals, blockers and pending decisions are closed, and by which fact.

This is the one decision that all surfaces share. It is pure: `item_lookup` reads the facts it needs.

- Any item is closed by a completion, resolution or cancellation that was declared to replace it; a pending decision
  also by a decision. The item is then stale. What was said of it before in another spelling is closed with it.
- A blocker is closed by a later `resolved_by`; module `blockers` has the rules.
- An item that lasts until a day (*I'll hold the price until Friday*) is done once that day is over, by no fact.
- Any item is closed by a later completion, resolution or cancellation by its owner, about its project or from the same
  thread, if every content word of that report occurs in the item. A report that matches several open items closes none
  of them, unless these are one item in several spellings. A report on one of several things of an item closes nothing.

An item counts from its latest assertion, so stating it again reopens it. Only live facts take part, so retracting or
undoing the closing fact reopens it as well.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from recollect.model.entity import UNKNOWN_TYPE
from recollect.model.ids import EntityId, FactId
from recollect.model.names import PEOPLE, fold
from recollect.model.trust import OWNER, Trust, outranks
from recollect.reason.closures.blockers import find_closing_resolutions
from recollect.reason.closures.completion_terms import completion_terms, content_terms, item_terms, without_condition
from recollect.reason.fact_links import AssertionMoment, LinkEnd
from recollect.when.instant import Instant
from recollect.when.span import Span

ItemKind = Literal["commitment", "request", "blocker", "goal", "decision"]
ITEM_KINDS: tuple[ItemKind, ...] = ("commitment", "request", "blocker", "goal", "decision")

BLOCKERS = frozenset({"blocker", "blocked_by"})
REQUEST = "request"
PENDING_DECISION = "pending_decision"
RESOLVED_BY = "resolved_by"
DECISION = "decision"
COMPLETION = "completion"
CANCELLATION = "cancellation"
RESOLUTION = "resolution"
KIND_OF_PREDICATE: Mapping[str, ItemKind] = {
    "commitment": "commitment",
    "promise": "commitment",
    REQUEST: "request",
    "blocker": "blocker",
    "blocked_by": "blocker",
    "goal": "goal",
    PENDING_DECISION: "decision",
}
ITEM_PREDICATES = frozenset(KIND_OF_PREDICATE)
CLOSING_PREDICATES = frozenset({COMPLETION, RESOLUTION, CANCELLATION, RESOLVED_BY})

ANSWERING_PREDICATES = frozenset({"event", "update"})
"""Statements that close an item only where they were found to answer it, never by their words alone."""


ClosedState = Literal["done", "cancelled"]


def closed_state(closing_predicate: str) -> ClosedState:
    """The state of an item that a fact with this predicate closes."""
    return "cancelled" if closing_predicate == CANCELLATION else "done"


class Closing(NamedTuple):
    """The fact that closes an item; none for an item that lasted until a day."""

    fact: FactId | None
    predicate: str
    moment: AssertionMoment

    @property
    def state(self) -> ClosedState:
        return closed_state(self.predicate)


class ItemFact(NamedTuple):
    """An item or a fact that may close one; `ended_by` is the fact that was declared to close it."""

    id: FactId
    predicate: str
    subject: LinkEnd
    object: LinkEnd | None
    literal: str | None
    text: str
    latest: AssertionMoment
    due: int | None = None
    supersedes: FactId | None = None
    ended_by: Closing | None = None
    threads: frozenset[str] = frozenset()
    trust: Trust = OWNER
    is_lasting: bool = False
    context: str = ""
    """What was said right before an item that only points at its thing: *the hinges squeak. Please order some.*"""

    @property
    def kind(self) -> ItemKind:
        return KIND_OF_PREDICATE[self.predicate]

    @property
    def target(self) -> str:
        """The name of the object, or the literal."""
        return self.object.name if self.object is not None else self.literal or ""

    @property
    def own_text(self) -> str:
        """The words without the name of the subject in front."""
        prefix = f"{self.subject.name}:"
        is_named = self.text.startswith(prefix) or fold(self.text).startswith(fold(prefix))
        return self.text[len(prefix) :] if is_named else self.text

    @property
    def ends(self) -> frozenset[EntityId]:
        return frozenset({self.subject.id} if self.object is None else {self.subject.id, self.object.id})

    def involves(self, entity: EntityId) -> bool:
        return entity == self.subject.id or (self.object is not None and entity == self.object.id)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.subject.name,) if self.object is None else (self.subject.name, self.object.name)

    @property
    def closes_by_words(self) -> bool:
        """Whether a closing fact is matched by its words: one that names an item by id closes only that one."""
        return self.supersedes is None or self.predicate == DECISION


@dataclass(frozen=True, slots=True)
class ItemClosings:
    """The closed items, and the closing facts that fit several items and so close none."""

    closed: dict[FactId, Closing] = field(default_factory=dict)
    ambiguous: dict[FactId, tuple[FactId, ...]] = field(default_factory=dict)


def can_close(item_predicate: str, closing_predicate: str) -> bool:
    """Whether a fact with this predicate closes such an item when it is declared to replace it."""
    if closing_predicate == DECISION:
        return item_predicate == PENDING_DECISION
    return closing_predicate in CLOSING_PREDICATES or closing_predicate in ANSWERING_PREDICATES


def closing_predicates_of(items: Iterable[ItemFact]) -> frozenset[str]:
    """The predicates of facts that may close any of these items."""
    is_pending = any(item.predicate == PENDING_DECISION for item in items)
    return CLOSING_PREDICATES | {DECISION} if is_pending else CLOSING_PREDICATES


def find_closings(
    items: Sequence[ItemFact], closers: Sequence[ItemFact], present: Callable[[], Span] | None = None
) -> ItemClosings:
    """By closed item, the earliest fact that closes it; with the present, also items that lasted until a day before.

    To judge an item, every closer at its ends is needed, and every item at the ends of those closers.
    """
    lasting = [item for item in items if item.is_lasting]
    over = _items_over(lasting, present().lo) if lasting and present is not None else {}
    found = ItemClosings(over | _closed_by_id(items))
    closers = sorted((each for each in closers if each.closes_by_words), key=lambda each: (each.latest, each.id))
    _close_blockers(items, closers, found.closed)
    matcher = ItemMatcher(items)
    for closer in closers:
        matching = [item for item in matcher.answered_by(closer) if not _is_closed_before(item, closer, found.closed)]
        if len({identity_of(item) for item in matching}) == 1:
            found.closed.update((item.id, _closing_by(closer)) for item in matching)
        elif matching:
            found.ambiguous[closer.id] = tuple(item.id for item in matching)
    return found


def _closed_by_id(items: Sequence[ItemFact]) -> dict[FactId, Closing]:
    """The items that a fact was declared to close, with the other spellings of them that were said before it."""
    closed = {item.id: item.ended_by for item in items if item.ended_by is not None}
    ended = [item for item in items if item.id in closed]
    places = {(item.kind, end) for item in ended for end in item.ends}
    spelled = {identity_of(item): closed[item.id] for item in ended}
    for item in items if ended else ():
        is_near = item.id not in closed and any((item.kind, end) in places for end in item.ends)
        closing = spelled.get(identity_of(item)) if is_near else None
        if closing is not None and item.latest < closing.moment:
            closed[item.id] = closing
    return closed


def _items_over(items: Iterable[ItemFact], now: int) -> dict[FactId, Closing]:
    return {
        item.id: Closing(None, COMPLETION, AssertionMoment(Instant(item.due), item.latest.tx))
        for item in items
        if item.due is not None and item.due < now
    }


def _close_blockers(items: Iterable[ItemFact], closers: Iterable[ItemFact], closed: dict[FactId, Closing]) -> None:
    blockers = [as_blocker(item) for item in items if item.predicate in BLOCKERS]
    resolutions = [each for each in closers if each.predicate == RESOLVED_BY]
    spelled: dict[tuple[object, ...], list[ItemFact]] = defaultdict(list)
    for item in blockers:
        spelled[identity_of(item)].append(item)
    by_id = {item.id: item for item in blockers}
    for each, resolution in find_closing_resolutions(blockers, resolutions).items():
        for item in spelled[identity_of(by_id[each])]:
            is_later = item.latest < resolution.latest and not outranks(item.trust, resolution.trust)
            if is_later and (item.id not in closed or resolution.latest < closed[item.id].moment):
                closed[item.id] = _closing_by(resolution)


def _closing_by(closer: ItemFact) -> Closing:
    return Closing(closer.id, closer.predicate, closer.latest)


def _is_closed_before(item: ItemFact, closer: ItemFact, closed: Mapping[FactId, Closing]) -> bool:
    return item.id in closed and closed[item.id].moment <= closer.latest


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


def identity_of(item: ItemFact) -> tuple[object, ...]:
    """What two spellings of one item have in common: kind, ends, content words and due date."""
    if item.kind == "blocker":
        blocker = as_blocker(item)
        return blocker_identity(blocker.subject, blocker.target, item.subject.name)
    target = None if item.object is None else item.object.id
    return (item.kind, item.subject.id, target, content_terms(item.text, (item.subject.name,)), item.due)


def spelling_rank(item: ItemFact) -> tuple[bool, int, int, str]:
    """Of several spellings of one item, the first due stands for it, and of these the latest.

    A later spelling that tells no day leaves the item due on the day that was told.
    """
    return item.due is not None, -(item.due or 0), item.latest.at, item.text


def blocker_identity(blocked: LinkEnd, by: str, *reporters: str) -> tuple[object, ...]:
    """What two spellings of one blocker have in common: what is blocked, and the content words of what blocks it."""
    return ("blocker", blocked.id, content_terms(by, (blocked.name, *reporters)) or by)


def owner_of(item: ItemFact) -> LinkEnd | None:
    """Who is to act: who committed or was asked, or the person who has to decide; nobody for a blocker."""
    if item.kind == "blocker" or (item.kind == "decision" and item.subject.type not in PEOPLE):
        return None
    if item.kind != "request":
        return item.subject
    return item.object if item.object is not None and item.object.type in PEOPLE | {UNKNOWN_TYPE} else None


def topic_of(item: ItemFact) -> LinkEnd | None:
    """What the item is about: the blocked thing, the project, or the person opposite the owner."""
    if item.kind == "blocker":
        return as_blocker(item).subject
    owner = owner_of(item)
    return next((end for end in (item.object, item.subject) if end is not None and end != owner), None)


LONG_BEFORE = 60 * 86_400_000_000
"""What is reported late, or was done before it was asked for, is rarely older."""


class ItemMatcher:
    """Finds the items that contain the words of a closing fact and have an end or a thread in common with it."""

    def __init__(self, items: Iterable[ItemFact]) -> None:
        self._items = {item.id: item for item in items}
        self._items_by_term: dict[str, set[FactId]] = defaultdict(set)
        self._items_by_place: dict[str, set[FactId]] = defaultdict(set)
        for item in self._items.values():
            for term in item_terms(" ".join((item.text, item.target, *item.names))):
                self._items_by_term[term].add(item.id)
            for place in (*anchors_of(item), *item.threads):
                self._items_by_place[place].add(item.id)

    def answered_by(self, closer: ItemFact) -> Iterator[ItemFact]:
        """The earlier items that this fact, by its ends and words, may close; in the order of their ids."""
        terms = completion_terms(closer.text, closer.names)
        near = self._items_near(closer) if terms else set()
        if not near:
            return
        rarest_first = sorted((near, *(self._items_by_term.get(term, set()) for term in terms)), key=len)
        for item in sorted(set.intersection(*rarest_first)):
            if is_answered(self._items[item], closer, terms):
                yield self._items[item]

    def _items_near(self, closer: ItemFact) -> set[FactId]:
        found = [self._items_by_place.get(place, set()) for place in (*closer.ends, *closer.threads)]
        return set().union(*found)


def is_answered(item: ItemFact, closer: ItemFact, terms: frozenset[str]) -> bool:
    """Whether a fact near an item, with words of it, may close it: by predicate, time, and more than its names."""
    if item.predicate in BLOCKERS and closer.predicate == RESOLVED_BY:
        return False  # decided by the rules of blockers
    if not can_close(item.predicate, closer.predicate) or item.latest >= closer.latest:
        return False
    if outranks(item.trust, closer.trust):
        return False  # a less trusted report closes nothing; review asks about it
    if not is_report_of(item, closer):
        return False
    if closer.due is not None and closer.due + LONG_BEFORE < item.latest.at:
        return False  # it was over long before the item was said
    names = item_terms(" ".join(item.names))
    waits_for = terms - item_terms(without_condition(f"{item.text} {item.target}"))
    return not terms <= (names if item.kind == "blocker" else names | waits_for)


def is_report_of(item: ItemFact, report: ItemFact) -> bool:
    """Whether a report can be of an item: of the very thing, of all that the item holds, and no denial."""
    # Its word lists take long to load, and few items are reported on.
    from recollect.reason.closures.non_completions import is_no_report_of

    if is_partially_completed(item, content_terms(report.own_text, item.names)):
        return False
    owner, is_cancellation = owner_of(item) or item.subject, report.predicate == CANCELLATION
    return not is_no_report_of(item.own_text, owner.name, report.own_text, is_cancellation=is_cancellation)


def is_partially_completed(item: ItemFact, terms: frozenset[str]) -> bool:
    """Whether a report with these content words tells of one of the several things that an item holds."""
    if item.kind == "blocker":
        return False
    # Its patterns take long to compile, and few items are reported on.
    from recollect.reason.closures.partial_completions import completes_part

    return completes_part(item.literal or item.text, item.names, terms)


def anchors_of(item: ItemFact) -> frozenset[EntityId]:
    """The entities that a closing fact must name one of: the item's owner or the thing it is about."""
    target = item.object
    if item.predicate == REQUEST and target is not None:
        return frozenset({target.id})  # who or what was asked; the subject is the requester
    is_about = target is not None and target.type not in PEOPLE
    return item.ends if is_about else frozenset({item.subject.id})
