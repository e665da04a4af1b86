"""The learned ranker: a weight for each signal of a hit, as plain numbers in a JSON file.

The signals are what text and vector search found, what stands around a hit, and what is asked. There are two sets of
weights: where most hits are turns of conversations, what is said around a turn counts; where they are documents, it
does not.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import log
from pathlib import Path

from recollect.model.ids import DocumentId
from recollect.search.bm25 import Bm25Scores
from recollect.search.fusion_weights import FusionWeights, SignalWeights
from recollect.search.question import Question
from recollect.search.ranking import (
    PassageCandidate,
    PassageHit,
    are_same_conversation,
    best_asker_scores,
    score_without_lead,
)

FILE = Path(__file__).parent / "ranker.json"
RANKED_HITS = 100
EXPLAINED_SIGNALS = 3
SCORE_DECIMALS = 6
SIGNALS = (
    "cosine",
    "text",
    "words_covered",
    "fused_place",
    "cosine_place",
    "text_place",
    "before",
    "after",
    "two_before",
    "two_after",
    "answers",
    "asks",
    "after_question",
    "by_named_author",
    "by_other_author",
    "names_named_author",
    "in_period",
    "title",
    "lead",
    "length",
    "number_wanted",
    "time_wanted",
)
"""The order of the columns; a stored ranker names the signals it has weights for."""

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


@dataclass(frozen=True)
class RankingContext:
    """What the signals of all hits of one query are computed from."""

    question: Question
    text: Bm25Scores
    candidates: Sequence[PassageCandidate]
    beside: Sequence[tuple[int, int]]
    weights: FusionWeights
    turns: frozenset[int]

    @cached_property
    def own(self) -> dict[int, float]:
        """What text and vector search give each passage."""
        weight = self.weights.text
        return {each.chunk.number: max(0.0, each.cosine or 0.0) + weight * each.text for each in self.candidates}

    @cached_property
    def _asker_scores(self) -> dict[DocumentId, float]:
        return best_asker_scores(self.candidates, self.own)

    @cached_property
    def _by_number(self) -> dict[int, PassageCandidate]:
        return {each.chunk.number: each for each in self.candidates}

    @cached_property
    def _texts(self) -> dict[int, str]:
        return {each.chunk.number: each.chunk.text for each in self.candidates}

    @cached_property
    def _with_title_match(self) -> set[int]:
        return {each.chunk.number for each in self.candidates if each.has_title_match}

    @cached_property
    def _next_in_conversation(self) -> dict[int, int]:
        """The next passage of the same conversation."""
        chunks = {each.chunk.number: each.chunk for each in self.candidates}
        known = ((one, other) for one, other in self.beside if one in chunks and other in chunks)
        return {one: other for one, other in known if are_same_conversation(chunks[one], chunks[other])}

    @cached_property
    def _previous_in_conversation(self) -> dict[int, int]:
        return {other: one for one, other in self._next_in_conversation.items()}

    def rows(self, hits: Sequence[PassageHit]) -> list[tuple[float, ...]]:
        """A row of signals for each hit, in the order of `SIGNALS`."""
        return [
            (*self._legs(hit, place), *self._surroundings(hit), *self._matches(hit), *self._answer_signals(hit))
            for place, hit in enumerate(hits, start=1)
        ]

    def _legs(self, hit: PassageHit, place: int) -> Iterable[float]:
        why, shares = hit.why, self.text.term_shares
        covered = sum(shares.get(word, 0.0) for word in why.words)
        places = 1 / place, _inverse(why.cosine_rank), _inverse(why.text_rank)
        return max(0.0, why.cosine or 0.0), why.text, covered, *places

    def _surroundings(self, hit: PassageHit) -> Iterable[float]:
        """What is said before and after a passage of a conversation."""
        number = hit.chunk.number
        before, after = self._previous_in_conversation.get(number, -1), self._next_in_conversation.get(number, -1)
        near = (
            before,
            after,
            self._previous_in_conversation.get(before, -1),
            self._next_in_conversation.get(after, -1),
        )
        is_answer = "?" in self._texts.get(before, "")
        answered = self.own.get(before, 0.0) if is_answer else 0.0
        return *(self.own.get(each, 0.0) for each in near), answered, float("?" in hit.chunk.text), float(is_answer)

    def _matches(self, hit: PassageHit) -> Iterable[float]:
        chunk, named = hit.chunk, self.question.authors
        is_by_named = chunk.author in named
        return (
            float(is_by_named),
            float(bool(named) and chunk.author is not None and not is_by_named),
            float(any(name in chunk.text for name in named)),
            float(bool(hit.why.times)),
            float(chunk.number in self._with_title_match),
            self._lead_gain(hit),
        )

    def _lead_gain(self, hit: PassageHit) -> float:
        """What a lead added to the fused score."""
        if hit.why.led_from is None:
            return 0.0
        number = hit.chunk.number
        likeness, told = self.own[number] + hit.why.context, self._asker_scores.get(hit.document, 0.0)
        return hit.why.score - score_without_lead(self._by_number[number], likeness, told, self.weights)

    def _answer_signals(self, hit: PassageHit) -> Iterable[float]:
        text = hit.chunk.text
        number = self._wants_number and bool(_NUMBER.search(text))
        return log(1 + len(text)), float(number), float(self._wants_time and bool(_TIME.search(text)))

    @cached_property
    def _wants_number(self) -> bool:
        return bool(_HOW_MANY.search(self.question.text))

    @cached_property
    def _wants_time(self) -> bool:
        return bool(_WHEN.search(self.question.text))


def _inverse(rank: int | None) -> float:
    return 1 / rank if rank else 0.0


@cache
def ranker_weights() -> Mapping[str, SignalWeights]:
    """The weights in the package by kind of text; a kind without weights keeps the fused order."""
    stored = json.loads(FILE.read_text(encoding="utf-8"))["weights"]
    return {kind: SignalWeights.read(SIGNALS, each) for kind, each in stored.items()}


def text_kind(hits: Sequence[PassageHit], context: RankingContext) -> str:
    """Which weights apply: `conversation` if most hits are turns, else `documents`."""
    turns = sum(hit.chunk.number in context.turns for hit in hits)
    return "conversation" if 2 * turns >= len(hits) else "documents"


def order_by_ranker(hits: Sequence[PassageHit], context: RankingContext) -> Sequence[PassageHit]:
    """The hits in the order of the bundled ranker; as they are without vectors, which it was trained with."""
    if not any(hit.why.cosine is not None for hit in hits):
        return hits
    weights = ranker_weights().get(text_kind(hits, context))
    return rank_hits(weights, hits, context) if weights else hits


def rank_hits(weights: SignalWeights, hits: Sequence[PassageHit], context: RankingContext) -> list[PassageHit]:
    """The hits by weighted sum of their signals, each with the signals that set it apart from the others.

    The fused scores go to the new order by place, so that they stay comparable with those of other searches.
    """
    added = [weights.products(row) for row in context.rows(hits)]
    means = [sum(column) / len(hits) for column in zip(*added, strict=True)]
    order = sorted(range(len(hits)), key=lambda at: (-round(sum(added[at]), SCORE_DECIMALS), at))
    scores = sorted((hit.score for hit in hits), reverse=True)
    return [
        hits[at]._replace(score=score, why=hits[at].why._replace(signals=_strongest(added[at], means)))
        for at, score in zip(order, scores, strict=True)
    ]


def _strongest(added: Sequence[float], means: Sequence[float]) -> tuple[str, ...]:
    """The signals that moved a hit most against the mean of all hits."""
    moved = {name: value - mean for name, value, mean in zip(SIGNALS, added, means, strict=True)}
    best = sorted(moved, key=lambda name: -abs(moved[name]))[:EXPLAINED_SIGNALS]
    return tuple(f"{name} {moved[name]:+.2f}" for name in best if moved[name])
