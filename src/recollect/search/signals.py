"""Signals of a hit that the learned ranker weighs: what the legs found, what stands around it, and what is asked."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

from recollect.model.ids import DocumentId
from recollect.search.bm25 import Bm25Scores
from recollect.search.question import Question
from recollect.search.ranking import FusionWeights, PassageCandidate, PassageHit, are_same_conversation
from recollect.when.instant import DAY, Instant

SIGNALS = (
    "fused",
    "fused_gap",
    "fused_place",
    "cosine",
    "cosine_gap",
    "cosine_place",
    "text",
    "text_gap",
    "text_place",
    "words_covered",
    "before",
    "after",
    "two_before",
    "two_after",
    "talk",
    "asks",
    "before_asks",
    "by_named_author",
    "by_other_author",
    "names_named_author",
    "in_period",
    "out_of_period",
    "title",
    "lead",
    "length",
    "has_number",
    "number_wanted",
    "time_wanted",
    "newer_share",
    "older_alike",
    "newer_alike",
    "same_document",
    "is_turn",
    "question_words",
    "question_when",
    "question_number",
    "question_person",
    "question_place",
    "question_yes_no",
)
"""The order of the columns; a stored ranker names the signals it was trained with."""

ALIKE_WEIGHT = 0.35
ALIKE_DEPTH = 10
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand)\b", re.IGNORECASE
)
_TIME = re.compile(
    r"\d{4}|\d{1,2}[:.]\d{2}|\b(?:today|tomorrow|tonight|yesterday|(?:last|next|this) \w+|ago|weekend|o'clock"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(r"\b(?:when|how long|since|(?:what|which) (?:date|day|time|year|month))\b", re.IGNORECASE)
_HOW_MANY = re.compile(
    r"\b(?:how (?:much|many|old|far|often|big|tall|long)|what (?:number|price|sum|amount))\b", re.IGNORECASE
)
_WHO = re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)
_WHERE = re.compile(r"\b(?:where|(?:what|which) (?:city|town|country|place))\b", re.IGNORECASE)
_YES_NO = re.compile(r"^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b", re.IGNORECASE)


@dataclass(frozen=True)
class RankingContext:
    """What the signals of all hits of one query are computed from."""

    question: Question
    text: Bm25Scores
    candidates: Sequence[PassageCandidate]
    beside: Sequence[tuple[int, int]]
    weights: FusionWeights
    turns: frozenset[int]

    @property
    def at(self) -> Instant:
        return self.question.at

    @cached_property
    def own(self) -> dict[int, float]:
        """What both legs give each passage."""
        weight = self.weights.text
        return {each.chunk.number: max(0.0, each.cosine or 0.0) + weight * each.text for each in self.candidates}

    @cached_property
    def _texts(self) -> dict[int, str]:
        return {each.chunk.number: each.chunk.text for each in self.candidates}

    @cached_property
    def _passages(self) -> Counter[DocumentId]:
        """How many candidates each document has."""
        return Counter(each.chunk.document for each in self.candidates)

    @cached_property
    def _leads(self) -> dict[int, float]:
        return {each.chunk.number: each.lead.strength for each in self.candidates if each.lead}

    @cached_property
    def _titled(self) -> set[int]:
        return {each.chunk.number for each in self.candidates if each.has_title_match}

    @cached_property
    def _after(self) -> dict[int, int]:
        """The next passage of the same conversation."""
        chunks = {each.chunk.number: each.chunk for each in self.candidates}
        known = ((one, other) for one, other in self.beside if one in chunks and other in chunks)
        return {one: other for one, other in known if are_same_conversation(chunks[one], chunks[other])}

    @cached_property
    def _before(self) -> dict[int, int]:
        return {other: one for one, other in self._after.items()}

    @cached_property
    def _asked(self) -> tuple[float, ...]:
        """The signals that are the same for every hit."""
        text = self.question.text
        kinds = (_WHEN, _HOW_MANY, _WHO, _WHERE)
        return (
            len(self.question.terms),
            *(float(bool(kind.search(text))) for kind in kinds),
            float(bool(_YES_NO.match(text))),
        )

    def has_titles(self) -> bool:
        """Whether the question names titled documents."""
        return bool(self._titled)

    def rows(self, hits: Sequence[PassageHit]) -> list[tuple[float, ...]]:
        """A row of signals for each hit, in the order of `SIGNALS`."""
        best = _Best(hits)
        return [
            (*self._legs(hit, place, best), *self._surroundings(hit), *self._matches(hit, best), *self._asked)
            for place, hit in enumerate(hits)
        ]

    def _legs(self, hit: PassageHit, place: int, best: "_Best") -> Iterable[float]:
        why, cosine = hit.why, hit.why.cosine or 0.0
        shares = self.text.term_shares
        covered = sum(shares.get(word, 0.0) for word in why.words)
        return (
            *(why.score, best.score - why.score, _place(place + 1)),
            *(cosine, best.cosine - cosine, _place(why.cosine_rank)),
            *(why.text, best.text - why.text, _place(why.text_rank)),
            covered,
        )

    def _surroundings(self, hit: PassageHit) -> Iterable[float]:
        """What is said before and after a passage of a conversation."""
        number = hit.chunk.number
        before, after = self._before.get(number), self._after.get(number)
        two_before, two_after = self._before.get(before or -1), self._after.get(after or -1)
        near = [self.own.get(each or -1, 0.0) for each in (before, after, two_before, two_after)]
        asks = "?" in hit.chunk.text
        return *near, sum(near) / len(near), asks, "?" in self._texts.get(before or -1, "")

    def _matches(self, hit: PassageHit, best: "_Best") -> Iterable[float]:
        chunk, question = hit.chunk, self.question
        named = question.authors
        is_by_named = chunk.author in named
        has_number, has_time = bool(_NUMBER.search(chunk.text)), bool(_TIME.search(chunk.text))
        others = [other for other in best.first if other is not hit and self._is_alike(hit, other)]
        newer = sum(other.chunk.source_at > chunk.source_at for other in others)
        return (
            float(is_by_named),
            float(bool(named) and chunk.author is not None and not is_by_named),
            float(any(name in chunk.text for name in named)),
            float(bool(hit.why.times)),
            float(bool(question.periods) and not hit.why.times),
            float(chunk.number in self._titled),
            self._leads.get(chunk.number, 0.0),
            log(1 + len(chunk.text)),
            float(has_number),
            float(has_number and bool(_HOW_MANY.search(question.text))),
            float(has_time and bool(_WHEN.search(question.text))),
            best.newer_share(chunk.source_at) if chunk.source_at <= self.at + DAY else 0.0,
            float(sum(other.chunk.source_at < chunk.source_at for other in others)),
            float(newer),
            float(self._passages[chunk.document]),
            float(chunk.number in self.turns),
        )

    def _is_alike(self, hit: PassageHit, other: PassageHit) -> bool:
        return self.text.shared_weight(hit.chunk.number, other.chunk.number) >= ALIKE_WEIGHT


class _Best:
    """What the hits are compared with: the best of each leg, the first hits, and the times of all."""

    def __init__(self, hits: Sequence[PassageHit]) -> None:
        self.score = max(hit.why.score for hit in hits)
        self.cosine = max(hit.why.cosine or 0.0 for hit in hits)
        self.text = max(hit.why.text for hit in hits)
        self.first = hits[:ALIKE_DEPTH]
        self._times = sorted(hit.chunk.source_at for hit in hits)

    def newer_share(self, at: Instant) -> float:
        """The share of the hits that are older than this time."""
        return bisect_left(self._times, at) / len(self._times)


def _place(rank: int | None) -> float:
    return 1 / rank if rank else 0.0
