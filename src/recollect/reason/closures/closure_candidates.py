"""Which open items a later text may be about: a few for each text, by thread, people, words and time.

What an item and a text have in common is weighed by `closure_weights.json`, which `training.closure_weights` learns.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from math import log, log1p
from pathlib import Path
from typing import NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.reason.closures.closure_participants import (
    is_by,
    name_words,
    names_due_day,
    names_due_weekday,
    names_person,
    owner_id,
)
from recollect.reason.closures.closure_terms import NOT_YET, WEAK_STEMS, clauses_of, head_terms, thing_terms
from recollect.reason.closures.open_item_index import ItemWords, own_words, shared_terms
from recollect.reason.closures.open_items import ItemFact, owner_of
from recollect.search.fusion_weights import SignalWeights
from recollect.text.tokens import bare_terms
from recollect.text_models.closure import ClosurePair, LaterMessage, OpenItem, Role
from recollect.when.instant import Instant

_DAY = 86_400_000_000
_LONGEST_WAIT = 120 * _DAY
WEIGHTS = Path(__file__).parent / "closure_weights.json"
_ROLES: tuple[Role, ...] = ("owner", "asker", "other")
_NEAR_DUE, _LONG_BEFORE = 10, 14
"""Days around a due day, and before it."""
_RECENT = 100
"""The newest items of each person and thread that are looked at."""


@dataclass(frozen=True, slots=True)
class SaidText:
    """What the candidates of a text are found by."""

    text: str
    author: EntityId
    author_name: str
    addressees: frozenset[EntityId]
    threads: frozenset[str]
    at: Instant
    subject: str = ""
    before: str = ""
    acts: frozenset[str] = frozenset()
    """The acts that rules read in it."""

    @property
    def is_note(self) -> bool:
        """Whether it was written to nobody."""
        return not self.addressees and not self.threads


class PairSignals(NamedTuple):
    """What is weighed of an item and a text."""

    same_thread: float
    by_owner: float
    by_owner_note: float
    by_party: float
    to_party: float
    names_person: float
    is_named: float
    shared_words: float
    shared_weight: float
    shares_head: float
    age: float
    has_due: float
    near_due: float
    past_due: float
    names_due_day: float
    names_due_weekday: float
    long_before_due: float
    is_note: float
    is_request: float
    is_blocker: float
    by_asker: float
    tells_completion: float
    tells_cancellation: float
    tells_event: float
    tells_attribute: float
    text_length: float
    item_length: float
    open_items: float


@cache
def bundled_weights() -> SignalWeights:
    """The weight of each signal; the sum is the log-odds that the text tells what became of the item."""
    stored = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return SignalWeights.read(PairSignals._fields, stored["weights"], stored["bias"])


class Candidate(NamedTuple):
    """An item that a text may be about, and whether both are of one thread."""

    score: float
    item: ItemFact
    is_in_thread: bool


@dataclass(slots=True)
class ClosureCandidates:
    """Finds the open items that a text may close; closed ones are dropped as they are found."""

    items: Sequence[ItemFact]
    local_day: Callable[[Instant], date | None]
    _open: dict[FactId, ItemFact] = field(default_factory=dict)
    _by_place: dict[str, list[FactId]] = field(default_factory=lambda: defaultdict(list))
    _by_name: dict[str, list[FactId]] = field(default_factory=lambda: defaultdict(list))
    _words: ItemWords = field(init=False)

    def __post_init__(self) -> None:
        self._words = ItemWords(self.items)
        for item in sorted(self.items, key=lambda each: (each.latest, each.id)):
            self._open[item.id] = item
            for place in (*item.threads, *item.ends):
                self._by_place[place].append(item.id)
            for word in frozenset().union(*map(name_words, item.names)):
                self._by_name[word].append(item.id)

    @property
    def names(self) -> Set[str]:
        """The words of people's names, which many items have."""
        return self._words.names

    @property
    def words(self) -> ItemWords:
        return self._words

    def open_in(self, places: Iterable[str]) -> list[ItemFact]:
        """The newest open items of these threads and people, the oldest first."""
        found = dict.fromkeys(each for place in places for each in self._by_place.get(place, ())[-_RECENT:])
        return [self._open[each] for each in found if each in self._open]

    def drop(self, item: FactId) -> None:
        """Forget an item that was closed."""
        self._open.pop(item, None)

    def of(self, said: SaidText, is_asked: Callable[[ItemFact], bool]) -> list[Candidate]:
        """The items that a text may be about, the likeliest first, of those that are asked about."""
        words = set(bare_terms(said.text))
        terms = thing_terms(said.text) - WEAK_STEMS
        weights = bundled_weights()
        scored = [
            Candidate(weights.score(signals), item, not said.threads.isdisjoint(item.threads))
            for item, signals in self.signals(said, words, terms, is_asked)
        ]
        return sorted(scored, key=lambda each: (-each.score, each.item.id))

    def signals(
        self, said: SaidText, words: set[str], terms: frozenset[str], is_asked: Callable[[ItemFact], bool]
    ) -> Iterator[tuple[ItemFact, PairSignals]]:
        """The open items with a person, a thread or a word in common with a text, and what is weighed of each."""
        near = {
            each
            for place in (*said.threads, said.author, *said.addressees)
            for each in self._by_place.get(place, ())[-_RECENT:]
        }
        near |= {each for word in words for each in self._by_name.get(word, ())[-_RECENT:]}
        near |= self._words.near(terms)
        for each in near:
            item = self._open.get(each)
            if item is not None and self._is_before(item, said) and is_asked(item):
                yield item, self._signals(item, said, words, terms)

    def items_called_unfinished(self, said: SaidText, sentence: str) -> Iterator[FactId]:
        """The items that a sentence calls undone: it has the word for the thing itself, and says *not yet*."""
        terms = thing_terms(_undone_part(sentence)) - WEAK_STEMS
        for each in self._words.near(terms - self._words.names):
            item = self._open.get(each)
            if item is not None and self._is_before(item, said):
                shared = set(shared_terms(item, terms)) - WEAK_STEMS - self._words.names
                if shared & head_terms(item.own_text):
                    yield each

    def _is_before(self, item: ItemFact, said: SaidText) -> bool:
        return 0 < said.at - item.latest.at <= _LONGEST_WAIT

    def _signals(self, item: ItemFact, said: SaidText, words: set[str], terms: frozenset[str]) -> PairSignals:
        shared = set(shared_terms(item, terms)) - WEAK_STEMS - self._words.names
        is_note, by_owner = said.is_note, is_by(item, said.author)
        left = (item.due - said.at) / _DAY if item.due is not None else None
        return PairSignals(
            same_thread=not said.threads.isdisjoint(item.threads),
            by_owner=by_owner and not is_note,
            by_owner_note=by_owner and is_note,  # the owner writes all notes, so that says little
            by_party=said.author in item.ends and not is_note,
            to_party=bool(said.addressees & item.ends),
            names_person=any(names_person(name, said.text) for name in item.names),
            is_named=bool(own_words(item) & name_words(said.author_name)),
            shared_words=min(len(shared), 3),
            shared_weight=min(8.0, self._words.weight(shared, len(self._open))) if shared else 0.0,
            shares_head=bool(shared & head_terms(item.own_text)),
            age=log1p((said.at - item.latest.at) / _DAY),
            has_due=left is not None,
            near_due=left is not None and abs(left) <= _NEAR_DUE,
            past_due=left is not None and left < 0,
            names_due_day=names_due_day(item, said.text, self.local_day),
            names_due_weekday=names_due_weekday(item, words, self.local_day),
            long_before_due=left is not None and left > _LONG_BEFORE,
            is_note=is_note,
            is_request=item.kind == "request",
            is_blocker=item.kind == "blocker",
            by_asker=role_of(item, said.author) == "asker",
            tells_completion="completion" in said.acts,
            tells_cancellation="cancellation" in said.acts,
            tells_event="event" in said.acts,
            tells_attribute="attribute" in said.acts,
            text_length=log1p(len(said.text.split())),
            item_length=log1p(len(item.own_text.split())),
            open_items=log(len(self._open) + 1),
        )


def _undone_part(sentence: str) -> str:
    """The clauses that say *not yet*, each with the one before it, which may name the thing; of the first, the next."""
    clauses = clauses_of(sentence) if NOT_YET.search(sentence) else []
    undone = [at for at, each in enumerate(clauses) if NOT_YET.search(each)]
    near = {place for at in undone for place in ((at - 1, at) if at else (at, at + 1))}
    return " ".join(each for at, each in enumerate(clauses) if at in near or not undone)


def pair_of(item: ItemFact, said: SaidText, local_day: Callable[[Instant], date | None]) -> ClosurePair:
    """An item and a text as the model reads them."""
    owner = owner_of(item)
    owner_name = owner.name if owner is not None else ""
    told = OpenItem(
        item.kind, item.own_text.strip(), item.subject.name, owner_name, local_day(item.latest.at),
        local_day(Instant(item.due)) if item.due is not None else None,
    )  # fmt: skip
    addressee = _addressee_role(item, said.addressees)
    message = LaterMessage(
        said.text, said.author_name, role_of(item, said.author), addressee, local_day(said.at), said.subject,
        said.before, not said.threads.isdisjoint(item.threads),
    )  # fmt: skip
    return ClosurePair(told, message)


def role_of(item: ItemFact, person: EntityId) -> Role:
    """Who a person is to an item."""
    if owner_id(item) == person:
        return "owner"
    return "asker" if item.subject.id == person else "other"


def _addressee_role(item: ItemFact, people: Iterable[EntityId]) -> Role | None:
    roles = {role_of(item, each) for each in people}
    return next((role for role in _ROLES if role in roles), None)
