"""Items that a trained matcher sees closed by what people said, where no rule does.

Rules choose a few open items for each sentence; the matcher decides; then rules look at the sentence again: a
question, a plan, a condition, a denial and a partial report close nothing, nor does anything said before somebody
calls the item undone.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from itertools import groupby
from typing import NamedTuple

from recollect.errors import Refused
from recollect.ingest.extract.spoken_texts import Sentence, SpokenText, SpokenTexts
from recollect.model.document import Document
from recollect.model.ids import DocumentId, FactId
from recollect.model.trust import outranks, trust_in
from recollect.reading.clause_reading import ClauseReading
from recollect.reading.context import Context, Person, TextKind
from recollect.reading.english_verbs import past_forms, third_person_forms
from recollect.reading.guards import is_conditional
from recollect.reading.language import detect_language
from recollect.reading.reader import read_block
from recollect.reason.answer_index import own_text
from recollect.reason.answer_words import NOT_YET, PARTIAL, PUT_OFF
from recollect.reason.closure_candidates import Candidate, ClosureCandidates, SaidText, pair_of
from recollect.reason.open_items import ItemFact
from recollect.store.view import View
from recollect.text_models.closure import ClosureMatcher, ClosureReading, Outcome
from recollect.when.instant import Instant, local_date

_NEAR_OF_DOCUMENT, _NEAR_OF_TEXT = 16, 5
_FAR_OF_DOCUMENT, _FAR_OF_TEXT = 6, 2
"""How many items a document, and a sentence of it, are compared with, of those with something in common and of the
others; each costs some 20 ms."""
_TOO_FAR = -1.4
"""Below this score nothing is compared: what has little in common with a text and is weeks older."""
_AHEAD = re.compile(
    r"\b(?:will|shall|won't|going to|gonna|planned|scheduled|tomorrow|tmrw|wird|werden|morgen|demain|mañana|zal"
    r"|zullen|amanhã|domani|jutro)\b|'ll\b|\bin (?:an?|\d+|some|two|three) (?:hour|minute|day|week)s?\b",
    re.IGNORECASE,
)
"""Words of a clause that tells what is still to come."""
_NUMBERED = re.compile(
    r"\b(?:ticket|issue|order|invoice|case|bug|request|pr|mr|no|nr)\.? ?#?(?P<number>\d{2,})\b|#(?P<bare>\d{2,})",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\S {6,}\S")
"""A sentence around words of another, which are blanked out."""
_CLOSING: tuple[Outcome, ...] = ("done", "cancelled")
_REPORTING = frozenset(
    "is are was were am been has have had it's that's got done gone here now again finally since already".split()
)
"""Words of sentences that may tell of a deed or its result though no verb of doing stands in the past."""
_NOT_REPORTS = frozenset({"commitment", "request", "question", "goal", "blocker", "preference"})


class SpokenClosing(NamedTuple):
    """An item, and the sentence that shows what became of it."""

    item: ItemFact
    said: SpokenText
    sentence: Sentence
    reading: ClosureReading


@dataclass(slots=True)
class NewThings:
    """What has come since the last run: a pair is compared only if its text or its item is new."""

    documents: Collection[DocumentId]
    items: Collection[FactId]

    def has(self, item: ItemFact, said: SpokenText) -> bool:
        return said.document.id in self.documents or item.id in self.items


def find_spoken_closings(
    view: View, documents: Iterable[Document], items: Collection[ItemFact], new: NewThings, matcher: ClosureMatcher
) -> list[SpokenClosing]:
    """The open items that texts show to be done or cancelled, each with the first such text."""
    zone = view.world.zone

    def local_day(at: Instant) -> date | None:
        try:
            return local_date(at, zone)
        except Refused:
            return None  # a year that no calendar of days has

    texts = SpokenTexts(view)
    said = [each for document in documents for each in texts.of(document)]
    said.sort(key=lambda each: (each.at, each.document.id))
    compared = [item for item in items if item.kind != "goal"]  # one message seldom tells that a goal is reached
    candidates = ClosureCandidates(compared, local_day)
    finder = _ClosingFinder(candidates, new, matcher, local_day, _calls_undone(candidates, said))
    together = groupby(said, key=lambda each: (each.at, each.document.id))
    return [closing for _, texts in together for closing in finder.closings_in(list(texts))]


@dataclass(slots=True)
class _ClosingFinder:
    candidates: ClosureCandidates
    new: NewThings
    matcher: ClosureMatcher
    local_day: Callable[[Instant], date | None]
    called_undone: dict[FactId, Instant]
    compared: Counter[tuple[DocumentId, bool]] = field(default_factory=Counter)

    def closings_in(self, texts: Sequence[SpokenText]) -> Iterator[SpokenClosing]:
        """The items that the texts of one moment close; those whose authors may do so are candidates no more."""
        closed: set[FactId] = set()
        told = [self._outcomes_told(text) for text in texts]
        for text, near, outcomes in zip(texts, self._nearest(texts, told), told, strict=True):
            still = [each for each in near if each.item.id not in closed]
            for candidate, reading in zip(still, self._read(said_text(text), still), strict=True):
                item = candidate.item
                if reading.outcome not in outcomes or not is_closing(reading, is_near=candidate.is_near):
                    continue
                if _numbers(text.text) - _numbers(own_text(item)):
                    continue  # it tells of that ticket or order, and not of this item
                if not outranks(item.trust, trust_in(text.document.properties)):
                    self.candidates.drop(item.id)
                    closed.add(item.id)
                yield SpokenClosing(item, text, text.sentence, reading)

    def _outcomes_told(self, text: SpokenText) -> frozenset[Outcome]:
        """What a sentence may tell of an item; nothing where it is no report."""
        day = self.local_day(text.at)
        return frozenset(each for each in _CLOSING if is_report(text.sentence.text, each, text, day))

    def _nearest(self, texts: Sequence[SpokenText], told: Sequence[frozenset[Outcome]]) -> list[list[Candidate]]:
        """The items that each text is compared with: the nearest over all texts, as many as a document may have."""
        ranked = [
            (at, candidate)
            for at, text in enumerate(texts)
            if told[at]
            for candidate in self.candidates.of(
                said_text(text), _NEAR_OF_TEXT, _FAR_OF_TEXT, partial(self.new.has, said=text)
            )
            if candidate.score >= _TOO_FAR and self.called_undone.get(candidate.item.id, text.at - 1) < text.at
        ]
        ranked.sort(key=lambda each: -each[1].score)
        chosen: list[list[Candidate]] = [[] for _ in texts]
        for at, candidate in ranked:
            key = (texts[0].document.id, candidate.is_near)
            if self.compared[key] < (_NEAR_OF_DOCUMENT if candidate.is_near else _FAR_OF_DOCUMENT):
                self.compared[key] += 1
                chosen[at].append(candidate)
        return chosen

    def _read(self, about: SaidText, candidates: Sequence[Candidate]) -> list[ClosureReading]:
        made = [pair_of(each.item, about, self.local_day) for each in candidates]
        return self.matcher.read(made) if made else []


def is_closing(reading: ClosureReading, *, is_near: bool) -> bool:
    """Whether the matcher is sure that an item is done or cancelled."""
    return reading.outcome in _CLOSING and (reading.is_sure if is_near else reading.is_sure_alone)


def _calls_undone(candidates: ClosureCandidates, said: Iterable[SpokenText]) -> dict[FactId, Instant]:
    """When each item was last called undone."""
    found: dict[FactId, Instant] = {}
    for text in said:
        about = said_text(text)
        undone = set(candidates.called_undone(about, text.sentence.text))
        found.update(dict.fromkeys(undone, text.at))
    return found


def said_text(text: SpokenText) -> SaidText:
    """A sentence as the candidates are found by."""
    return SaidText(
        text.text, text.author.id, text.author.name, text.addressees, text.threads, text.at, text.subject, text.before
    )


def is_report(sentence: str, outcome: Outcome, text: SpokenText, day: date | None) -> bool:
    """Whether a sentence can tell that something is over: some clause of it is meant, and tells of no plan."""
    if outcome != "cancelled" and (PARTIAL.search(sentence) or PUT_OFF.search(sentence)):
        return False
    if NOT_YET.search(sentence) or sentence.rstrip().endswith("?") or _QUOTED.search(sentence):
        return False
    if _tells_habit(sentence.casefold()):
        return False
    alone = detect_language(sentence)
    language = text.language if alone in (None, "en") else alone
    if is_conditional(sentence.casefold(), language):
        return False
    kind: TextKind = "mail" if text.document.type == "email" else "note"
    context = Context(kind, day, speaker=Person(text.author.name), language=language)
    return any(_is_told(each, outcome) for each in read_block(sentence, context))


def _numbers(text: str) -> set[str]:
    """The numbers of tickets, orders and the like that a text names."""
    return {found["number"] or found["bare"] for found in _NUMBERED.finditer(text)}


def _tells_habit(low: str) -> bool:
    """Whether a sentence only tells what somebody or something does: *the crane team works in three shifts*."""
    words = set(re.findall(r"[a-z']+", low))
    return bool(words & third_person_forms()) and not words & (past_forms() | _REPORTING)


def _is_told(clause: ClauseReading, outcome: Outcome) -> bool:
    if clause.modality not in ("asserted", "reported") or clause.act in _NOT_REPORTS or _AHEAD.search(clause.text):
        return False
    return clause.polarity == "positive" or outcome == "cancelled"
