"""Which open items a later text may be about: a few for each text, by thread, people and words."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.reason.answer_index import ItemWords, own_text, shared_terms
from recollect.reason.answer_parties import is_by, name_words, owner_id
from recollect.reason.answer_words import NOT_YET, WEAK_STEMS, head_terms, thing_terms
from recollect.reason.open_items import ItemFact, owner_of
from recollect.text.tokens import bare_terms
from recollect.text_models.closure import ClosurePair, LaterMessage, OpenItem, Role
from recollect.when.instant import Instant

_DAY = 86_400_000_000
_LONGEST_WAIT = 120 * _DAY
_ROLES: tuple[Role, ...] = ("owner", "asker", "other")
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

    @property
    def is_note(self) -> bool:
        """Whether it was written to nobody."""
        return not self.addressees and not self.threads


class Candidate(NamedTuple):
    """An item that a text may be about; near ones have a thread, a party, or people and thing in common with it."""

    score: float
    item: ItemFact
    is_near: bool


@dataclass(slots=True)
class ClosureCandidates:
    """Finds the open items that a text may close; closed ones are dropped as they are found."""

    items: Sequence[ItemFact]
    local_day: Callable[[Instant], date | None]
    _open: dict[FactId, ItemFact] = field(default_factory=dict)
    _by_place: dict[str, list[FactId]] = field(default_factory=lambda: defaultdict(list))
    _words: ItemWords = field(init=False)

    def __post_init__(self) -> None:
        self._words = ItemWords(self.items)
        for item in sorted(self.items, key=lambda each: (each.latest, each.id)):
            self._open[item.id] = item
            for place in (*item.threads, *item.ends):
                self._by_place[place].append(item.id)

    def drop(self, item: FactId) -> None:
        """Forget an item that was closed."""
        self._open.pop(item, None)

    def of(
        self, said: SaidText, most_near: int, most_far: int, is_asked: Callable[[ItemFact], bool]
    ) -> list[Candidate]:
        """The items that a text may be about, the likeliest first; only those that are asked about take a place."""
        terms = thing_terms(said.text) - WEAK_STEMS
        words = set(bare_terms(said.text))
        near = {
            each
            for place in (*said.threads, said.author, *said.addressees)
            for each in self._by_place.get(place, ())[-_RECENT:]
        }
        near |= self._words.near(terms)
        scored = [
            Candidate(self._score(item, said, terms, words), item, self._have_in_common(item, said, words))
            for each in near
            if (item := self._open.get(each)) is not None and self._is_before(item, said) and is_asked(item)
        ]
        scored.sort(key=lambda each: (-each.score, each.item.id))
        far = [each for each in scored if not each.is_near]
        return [each for each in scored if each.is_near][:most_near] + far[:most_far]

    def called_undone(self, said: SaidText, sentence: str) -> Iterator[FactId]:
        """The items that a sentence calls undone: it has the word for the thing itself, and says *not yet*."""
        terms = thing_terms(sentence) - WEAK_STEMS if NOT_YET.search(sentence) else frozenset[str]()
        for each in self._words.near(terms - self._words.names):
            item = self._open.get(each)
            if item is not None and self._is_before(item, said):
                shared = set(shared_terms(item, terms)) - WEAK_STEMS - self._words.names
                if shared & head_terms(own_text(item)):
                    yield each

    def _is_before(self, item: ItemFact, said: SaidText) -> bool:
        return 0 < said.at - item.latest.at <= _LONGEST_WAIT

    def _have_in_common(self, item: ItemFact, said: SaidText, words: set[str]) -> bool:
        """Whether a text may be about an item: the thread is the same, it names a party, or people and thing agree."""
        owner = owner_of(item)
        parties = {item.subject.name, owner.name if owner is not None else ""}
        if not said.threads.isdisjoint(item.threads) or any(words & name_words(name) for name in parties):
            return True
        if said.author not in item.ends and set(bare_terms(own_text(item))) & name_words(said.author_name):
            return True
        is_between_parties = said.is_note or bool({said.author, *said.addressees} & item.ends)
        return is_between_parties and bool(set(shared_terms(item, thing_terms(said.text))) - WEAK_STEMS)

    def _score(self, item: ItemFact, said: SaidText, terms: frozenset[str], words: set[str]) -> float:
        shared = set(shared_terms(item, terms)) - WEAK_STEMS - self._words.names
        score = 2.0 * (not said.threads.isdisjoint(item.threads))
        if said.is_note:
            score += is_by(item, said.author)  # the owner writes all notes, so that says little
        else:
            score += 1.5 * is_by(item, said.author) + 0.7 * (said.author in item.ends)
        score += 0.5 * bool(said.addressees & item.ends)
        score += 0.7 * any(words & name_words(name) for name in item.names)
        score += min(3.0, self._words.weight(shared, len(self._open)) / 2) if shared else 0.0
        score += 0.5 * (item.due is not None and abs(said.at - item.due) <= 10 * _DAY)
        return score - (said.at - item.latest.at) / (30 * _DAY)


def pair_of(item: ItemFact, said: SaidText, local_day: Callable[[Instant], date | None]) -> ClosurePair:
    """An item and a text as the model reads them."""
    owner = owner_of(item)
    owner_name = owner.name if owner is not None else ""
    told = OpenItem(
        item.kind, own_text(item).strip(), item.subject.name, owner_name, local_day(item.latest.at),
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
