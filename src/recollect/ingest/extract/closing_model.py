"""Items that a trained matcher sees closed by what people said, where no rule does.

Rules choose a few open items for each sentence; the matcher decides; then rules look at the sentence again: a
question, a plan, a condition, a denial and a partial report close nothing, nor does anything said before somebody
calls the item undone.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import groupby
from typing import NamedTuple
from zoneinfo import ZoneInfo

from recollect.errors import Refused
from recollect.ingest.extract.releases import RULE as RELEASE
from recollect.ingest.extract.releases import released_items
from recollect.ingest.extract.thread_answers import RULE, answers_in_thread, done_at_once, messages_sent
from recollect.ingest.extract.told_outcomes import CLOSING, MOVING, Report, read_report
from recollect.ingest.extract.utterances import Sentence, SpokenText, SpokenTexts
from recollect.model.document import Document
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.trust import outranks, trust_in
from recollect.reading.language import detect_language
from recollect.reason.closures.closure_candidates import Candidate, ClosureCandidates, SaidText, pair_of
from recollect.reason.closures.closure_participants import (
    group_by_owner,
    is_by,
    name_words,
    names_due_day,
    names_owner,
    owner_id,
)
from recollect.reason.closures.closure_terms import WEAK_STEMS, addressee_terms, name_terms, thing_terms
from recollect.reason.closures.completion_terms import content_terms
from recollect.reason.closures.item_pairs import ItemAnswer
from recollect.reason.closures.non_completions import is_no_report_of
from recollect.reason.closures.object_mismatch import has_different_object
from recollect.reason.closures.open_item_index import (
    has_same_kind_and_owner,
    is_of_somebody_else,
    shared_terms,
    siblings_matched_better,
)
from recollect.reason.closures.open_items import ItemFact, owner_of
from recollect.reason.closures.partial_completions import leaves_out_thing
from recollect.store.fact_queries import facts_of_any_state
from recollect.store.view import View
from recollect.text.lexicon import HONORIFICS
from recollect.text.tokens import bare_terms
from recollect.text_models.closure import ClosureMatcher, ClosurePair, ClosureReading
from recollect.when.instant import Instant, local_date

_MOST_OF_DOCUMENT, _MOST_OF_TEXT = 32, 8
"""How many items a document, and a sentence of it, are compared with; each costs some 20 ms."""
_TOO_FAR = -4.4
"""Log-odds below which nothing is compared."""
_SURE_ABROAD = 0.8
"""The probability from which on an item in another language than English is closed by a text that has little in common
with it: the matcher has learned little of other languages."""
_SURE_UNNAMED, _SURE_UNNAMED_ABROAD = 0.85, 0.92
"""The probability from which on a sentence of another thread that shares no word with an item closes it, in the same
language and in another."""
_SURE_OF_ANYBODY = 0.925
"""The same for a sentence that does not even name who owes the item, if it is said about the day that this is due. Of
nine such closings in twelve sets eight were right."""
_DAYS_AHEAD, _DAYS_LATE = 3, 12
_UNRELATED = 0.15
"""Below this probability of a closing, what rules took for an answer is none: of such answers in nine unseen sets two
were right, two closed what was open and eight what something else had closed."""
_MOST_CONFIRMED = 500
"""The newest answers of rules that the matcher looks at after an ingest."""
_TOLD = frozenset({"completion", "cancellation", "event"})
"""Acts of sentences that tell that something has come about, by the rules."""
_NUMBERED = re.compile(
    r"\b(?:ticket|issue|order|invoice|case|bug|request|pr|mr|no|nr)\.? ?#?(?P<number>\d{2,})\b|#(?P<bare>\d{2,})",
    re.IGNORECASE,
)


class SpokenClosing(NamedTuple):
    """An item, and the sentence that shows what became of it."""

    item: ItemFact
    said: SpokenText
    sentence: Sentence
    reading: ClosureReading
    new_day: date | None = None
    """The day that the item is put off to."""


@dataclass(slots=True)
class NewThings:
    """What has come since the last run: a pair is compared only if its text or its item is new."""

    documents: Collection[DocumentId]
    items: Collection[FactId]

    def has(self, item: ItemFact, said: SpokenText) -> bool:
        return said.document.id in self.documents or item.id in self.items


def find_spoken_closings(
    view: View,
    documents: Iterable[Document],
    items: Collection[ItemFact],
    new: NewThings,
    matcher: ClosureMatcher,
    closed: Collection[ItemFact] = (),
) -> list[SpokenClosing]:
    """The open items that texts show to be done, cancelled or put off, each with the first such text."""
    local_day = partial(_local_day, zone=view.world.zone)
    texts = SpokenTexts(view)
    said = [each for document in documents for each in texts.of(document)]
    said.sort(key=lambda each: (each.at, each.document.id))
    compared = [item for item in items if item.kind != "goal"]  # one message seldom tells that a goal is reached
    candidates = ClosureCandidates(compared, local_day)
    owned = group_by_owner([*items, *closed])
    finder = _ClosingFinder(candidates, new, matcher, local_day, _calls_undone(candidates, said), owned)
    together = groupby(said, key=lambda each: (each.at, each.document.id))
    return [closing for _, texts in together for closing in finder.closings_in(list(texts))]


@dataclass(slots=True)
class _ClosingFinder:
    candidates: ClosureCandidates
    new: NewThings
    matcher: ClosureMatcher
    local_day: Callable[[Instant], date | None]
    items_called_unfinished: dict[FactId, Instant]
    owned: Mapping[EntityId | None, Sequence[ItemFact]]
    compared: Counter[DocumentId] = field(default_factory=Counter)

    def closings_in(self, texts: Sequence[SpokenText]) -> Iterator[SpokenClosing]:
        """The items that the texts of one moment close; those whose authors may do so are candidates no more."""
        closed: set[FactId] = set()
        reports = [read_report(text, self.local_day(text.at)) for text in texts]
        said = [said_text(text, report) for text, report in zip(texts, reports, strict=True)]
        nearest = self._nearest(texts, said, reports)
        for text, about, report, near in zip(texts, said, reports, nearest, strict=True):
            still = [each for each in near if each.item.id not in closed]
            told = [
                (candidate.item, reading)
                for candidate, reading in zip(still, self._read(about, still), strict=True)
                if report.tells(reading.outcome, candidate.item) and self._decides(reading, candidate, report, text)
            ]
            for item, reading in self._of_named_things(text, told, report):
                if not outranks(item.trust, trust_in(text.document.properties)):
                    self.candidates.drop(item.id)
                    closed.add(item.id)
                new_day = report.new_day if reading.outcome == "moved" else None
                yield SpokenClosing(item, text, text.sentence, reading, new_day)
        yield from self._releases(texts, said, reports, closed)
        answered = [*answers_in_thread(texts, self._open_in(texts[0].threads, texts[0], closed))]
        closed |= {item.id for item, _ in answered}
        own = self._open_in([texts[0].author.id], texts[0], closed)
        answered += [*messages_sent(texts, own), *done_at_once(texts, own)]
        for item, text in dict(reversed(answered)).items():
            self.candidates.drop(item.id)
            yield SpokenClosing(item, text, text.sentence, ClosureReading("done", 1.0, True, RULE))

    def _releases(
        self, texts: Sequence[SpokenText], said: Sequence[SaidText], reports: Sequence[Report], closed: set[FactId]
    ) -> Iterator[SpokenClosing]:
        """The items that the texts of one moment say need not be done."""
        for text, about, report in zip(texts, said, reports, strict=True):
            if "cancelled" not in report.outcomes:
                continue
            near = [each.item for each in self.candidates.of(about, partial(self.new.has, said=text))]
            for item in released_items(text.text, [each for each in near if each.id not in closed]):
                closed.add(item.id)
                yield SpokenClosing(item, text, text.sentence, ClosureReading("cancelled", 1.0, True, RELEASE, True))

    def _open_in(self, places: Iterable[str], text: SpokenText, closed: Collection[FactId]) -> list[ItemFact]:
        """The items of threads and people that a text, and those of the same moment, may still answer."""
        return [
            item
            for item in self.candidates.open_in(places)
            if item.id not in closed and self.new.has(item, text) and self._is_finished_after(item, text)
        ]

    def _decides(self, reading: ClosureReading, candidate: Candidate, report: Report, text: SpokenText) -> bool:
        if reading.outcome != "moved" and not self._is_finished_after(candidate.item, text):
            return False
        if not candidate.is_in_thread and detect_language(candidate.item.own_text) != "en":
            return reading.outcome in CLOSING and reading.probability >= _SURE_ABROAD
        if reading.outcome == "moved":
            return (reading.is_sure or report.puts_off) and self._is_later(report.new_day, candidate.item)
        is_of_day = bool(report.acts & _TOLD) and _shares_thing(candidate.item, text)
        is_of_day = is_of_day and self._is_due_then(candidate.item, text, report)
        return is_closing(reading, is_in_thread=candidate.is_in_thread or is_of_day)

    def _is_due_then(self, item: ItemFact, text: SpokenText, report: Report) -> bool:
        """Whether a sentence names the very day that an item is due."""
        if item.due is None:
            return False
        return self.local_day(Instant(item.due)) in report.days or names_due_day(item, text.text, self.local_day)

    def _is_later(self, day: date | None, item: ItemFact) -> bool:
        due = self.local_day(Instant(item.due)) if item.due is not None else None
        return day is not None and due is not None and due < day

    def _of_named_things(
        self, text: SpokenText, told: Sequence[tuple[ItemFact, ClosureReading]], report: Report
    ) -> list[tuple[ItemFact, ClosureReading]]:
        """The items that a sentence can be about by what it names; one that names nothing is about the only one."""
        terms = thing_terms(text.text)
        if terms - WEAK_STEMS:
            return [(item, reading) for item, reading in told if self._may_be_of(item, text, terms, reading, report)]
        here = [each for each in told if not text.threads.isdisjoint(each[0].threads)]
        asked = [each for item, _ in here for each in self._siblings(item) if not text.threads.isdisjoint(each.threads)]
        return [] if asked else here

    def _may_be_of(
        self, item: ItemFact, text: SpokenText, terms: frozenset[str], reading: ClosureReading, report: Report
    ) -> bool:
        """Whether a sentence does not tell of another ticket, order or door, or that the item is not done."""
        own, owner = item.own_text, owner_of(item) or item.subject
        if _numbers(text.text) - _numbers(own):
            return False
        if reading.outcome == "done" and leaves_out_thing(own, item.names, content_terms(text.text, item.names)):
            return False
        if reading.outcome == "moved":
            return not has_different_object(own, text.text)
        in_thread = not text.threads.isdisjoint(item.threads)
        if not in_thread and not self._is_near(item, text, terms, reading, report):
            return False
        if is_no_report_of(own, owner.name, text.text, is_cancellation=reading.outcome == "cancelled"):
            return False
        said = [each for each in self._siblings(item) if each.latest.at < text.at and not _was_over(each, text.at)]
        # With an item in another language, a sentence shares only names and the like.
        idle = WEAK_STEMS | self.candidates.names if detect_language(own) == "en" else frozenset[str]()
        return not any(self._may_tell_of(each, text) for each in siblings_matched_better(said, item, terms, idle))

    def _is_near(
        self, item: ItemFact, text: SpokenText, terms: frozenset[str], reading: ClosureReading, report: Report
    ) -> bool:
        """Whether a sentence of another thread has a thing in common with an item, or tells surely of its owner.

        What tells of the owner and of the day that the item is due need not be as sure.
        """
        if is_of_somebody_else(item, text.text, text.author.id, self.candidates.words):
            return False
        names = self.candidates.names | name_terms(item.own_text) | addressee_terms(item.own_text)
        if set(shared_terms(item, terms)) - names:
            return True
        is_owners = is_by(item, text.author.id) or names_owner(item, text.text)
        if is_owners and self._is_due_then(item, text, report):
            return True
        if not is_owners:
            return reading.probability >= _SURE_OF_ANYBODY and self._is_timely(item, text)
        is_same_language = detect_language(item.own_text) == detect_language(text.text)
        return reading.probability >= (_SURE_UNNAMED if is_same_language else _SURE_UNNAMED_ABROAD)

    def _is_timely(self, item: ItemFact, text: SpokenText) -> bool:
        due, said = self.local_day(Instant(item.due)) if item.due is not None else None, self.local_day(text.at)
        return due is not None and said is not None and -_DAYS_AHEAD <= (said - due).days <= _DAYS_LATE

    def _may_tell_of(self, item: ItemFact, text: SpokenText) -> bool:
        """Whether the matcher does not call an item unrelated to a text that has words of it."""
        if detect_language(item.own_text) != detect_language(text.text):
            return True  # of two languages the matcher knows less than the words tell
        [reading] = self._read(said_text(text, Report()), [Candidate(0.0, item, False)])
        return _closing_probability(reading) >= _UNRELATED

    def _siblings(self, item: ItemFact) -> list[ItemFact]:
        return [each for each in self.owned.get(owner_id(item), ()) if has_same_kind_and_owner(item, each)]

    def _nearest(
        self, texts: Sequence[SpokenText], said: Sequence[SaidText], reports: Sequence[Report]
    ) -> list[list[Candidate]]:
        """The items that each text is compared with: the likeliest over all texts, as many as a document may have."""
        ranked = [
            (at, candidate)
            for at, text in enumerate(texts)
            if (reports[at].outcomes or reports[at].parts) and not self._names_people_only(text)
            for candidate in self.candidates.of(said[at], partial(self.new.has, said=text))[:_MOST_OF_TEXT]
            if candidate.score >= _TOO_FAR and self._may_tell(reports[at], candidate, text)
        ]
        ranked.sort(key=lambda each: -each[1].score)
        chosen: list[list[Candidate]] = [[] for _ in texts]
        document = texts[0].document.id
        for at, candidate in ranked[: _MOST_OF_DOCUMENT - self.compared[document]]:
            self.compared[document] += 1
            chosen[at].append(candidate)
        return chosen

    def _names_people_only(self, text: SpokenText) -> bool:
        """Whether a text is a salutation or a signature: *Ms Lyne*, *B. Quill*."""
        words = self.candidates.words
        return all(
            len(each) == 1 or each in HONORIFICS or each in name_words(text.author.name) or words.people_in([each])
            for each in bare_terms(text.text)
        )

    def _may_tell(self, report: Report, candidate: Candidate, text: SpokenText) -> bool:
        """Whether nobody calls an item undone from a text on, or the text may put it off: *not yet, on Monday*."""
        may_move = "moved" in report.outcomes and self._is_later(report.new_day, candidate.item)
        if not self._is_finished_after(candidate.item, text):
            return may_move and candidate.is_in_thread
        return may_move or report.outcomes != MOVING or bool(report.parts)

    def _is_finished_after(self, item: ItemFact, text: SpokenText) -> bool:
        return self.items_called_unfinished.get(item.id, text.at - 1) < text.at

    def _read(self, about: SaidText, candidates: Sequence[Candidate]) -> list[ClosureReading]:
        made = [_pair(each.item, about, self.local_day) for each in candidates]
        return self.matcher.read(made) if made else []


def _pair(item: ItemFact, said: SaidText, local_day: Callable[[Instant], date | None]) -> ClosurePair:
    """An item and a text as the model reads them, with what an item that names no thing points at."""
    pair = pair_of(item, said, local_day)
    return replace(pair, item=replace(pair.item, text=f"{item.context} {pair.item.text}")) if item.context else pair


def without_unrelated(
    view: View, answers: Sequence[ItemAnswer], items: Mapping[FactId, ItemFact], matcher: ClosureMatcher
) -> list[ItemAnswer]:
    """The answers that rules found, but those whose report says nothing of the item by the matcher's reading."""
    texts, local_day = SpokenTexts(view), partial(_local_day, zone=view.world.zone)
    facts = facts_of_any_state(view, {each.by for each in answers})
    newest = {fact.id for fact in sorted(facts, key=lambda each: each.source_at)[-_MOST_CONFIRMED:]}
    said = _sentences_of(view, newest, texts)

    def is_unrelated(answer: ItemAnswer) -> bool:
        text = said.get(answer.by)
        if text is None or detect_language(items[answer.item].own_text) != detect_language(text.text):
            return False  # of two languages the matcher knows less than the rules
        [reading] = matcher.read([_pair(items[answer.item], said_text(text, Report()), local_day)])
        return _closing_probability(reading) < _UNRELATED

    return [each for each in answers if not is_unrelated(each)]


def _sentences_of(view: View, reports: Collection[FactId], texts: SpokenTexts) -> dict[FactId, SpokenText]:
    """By report, the sentence that it was read in."""
    told = [each for said in view.assertions_of(reports).values() for each in said if each.document and each.quote]
    documents = view.documents({each.document for each in told if each.document})
    found: dict[FactId, SpokenText] = {}
    for each in told:
        document, quote = documents.get(each.document) if each.document else None, each.quote or ""
        for text in texts.of(document) if document is not None and each.fact not in found else ():
            if quote in text.sentence.text or text.sentence.text in quote:
                found.setdefault(each.fact, text)
    return found


def _local_day(at: Instant, zone: ZoneInfo) -> date | None:
    try:
        return local_date(at, zone)
    except Refused:
        return None  # a year that no calendar of days has


def _closing_probability(reading: ClosureReading) -> float:
    return reading.probability if reading.outcome in CLOSING else 1 - reading.probability


def is_closing(reading: ClosureReading, *, is_in_thread: bool) -> bool:
    """Whether the matcher is sure that an item is done or cancelled."""
    return reading.outcome in CLOSING and (reading.is_sure if is_in_thread else reading.is_sure_alone)


def _shares_thing(item: ItemFact, text: SpokenText) -> bool:
    return bool(set(shared_terms(item, thing_terms(text.text))) - WEAK_STEMS - name_terms(item.own_text))


def _was_over(item: ItemFact, at: Instant) -> bool:
    """Whether an item was closed before a moment, so that nothing is told of it any more."""
    return item.ended_by is not None and item.ended_by.moment.at < at


def _calls_undone(candidates: ClosureCandidates, said: Iterable[SpokenText]) -> dict[FactId, Instant]:
    """When each item was last called undone."""
    found: dict[FactId, Instant] = {}
    for text in said:
        about = said_text(text, Report())
        undone = set(candidates.items_called_unfinished(about, text.sentence.text))
        found.update(dict.fromkeys(undone, text.at))
    return found


def said_text(text: SpokenText, report: Report) -> SaidText:
    """A sentence as the candidates are found by."""
    return SaidText(
        text.text, text.author.id, text.author.name, text.addressees, text.threads, text.at, text.subject, text.before,
        report.acts,
    )  # fmt: skip


def _numbers(text: str) -> set[str]:
    """The numbers of tickets, orders and the like that a text names."""
    return {found["number"] or found["bare"] for found in _NUMBERED.finditer(text)}
