"""One search: words and meaning, names and times, fused by score."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo

from recollect.embed.port import Embedder, EmbeddingFailed, Vectors
from recollect.model.ids import DocumentId, EntityId
from recollect.search.bm25 import TextScores
from recollect.search.fuse import MEASURED, Candidate, Weights, are_one_talk, fused
from recollect.search.hit import Found, Hit, Why
from recollect.search.linked import SEEDS, Led, Seed, led_to
from recollect.search.newest import LOOKED_AT, newest_first, turns_among
from recollect.search.port import Index
from recollect.search.query import Question, read_question
from recollect.search.rare_first import text_scores
from recollect.store.found import Filter, FoundChunk
from recollect.when.instant import Instant

CANDIDATES = 200
PASSAGES_LED_TO = 20
NO_EMBEDDER = "no embedder is set up: found by words, names and times alone"


@dataclass(frozen=True, slots=True)
class Asked:
    """A query and how it is to be answered."""

    text: str
    at: Instant
    zone: tzinfo = UTC
    where: Filter = field(default_factory=Filter)
    entities: tuple[EntityId, ...] = ()
    limit: int = 10
    one_per_document: bool = True


@dataclass(frozen=True, slots=True)
class _Meaning:
    """The dense leg: the vector that was asked with and what lies near it."""

    vector: Vectors
    model: str
    near: dict[int, float]


def search(index: Index, asked: Asked, embedder: Embedder | None, weights: Weights = MEASURED) -> Found:
    """The passages that answer best, each with why; without an embedder by words, names and times."""
    question = read_question(asked.text, index, asked.at, asked.zone)
    text = text_scores(index, question.terms, asked.where)
    meaning, note = _meaning(index, question.meaning, asked.where, embedder)
    legs = _Legs(index, asked, question, text, meaning)
    by_text = text.best(CANDIDATES)
    near = meaning.near if meaning else {}
    best = {*by_text, *near}
    beside = index.neighbours(best)
    candidates = legs.around(best, beside)
    ranked = fused(candidates, beside, weights)
    led = _led(legs, ranked)
    candidates += legs.candidates(_unseen(index, led, candidates))
    ranked = fused(_lifted(candidates, ranked, led), beside, weights) if led else ranked
    ranks = _ranks(by_text), _ranks(near)
    hits = (Hit(each.chunk, total, _why(each, (total, context), text, ranks)) for each, total, context in ranked)
    ordered = _newest(hits, asked, text, turns_among(candidates, beside))
    common = text.unread.common if text.unread else ()
    return Found(tuple(ordered[: asked.limit]), meaning is not None, note, common)


def _led(legs: "_Legs", ranked: Sequence[tuple[Candidate, float, float]]) -> dict[DocumentId, Led]:
    """The documents that the best passages lead to."""
    best: dict[DocumentId, Seed] = {}
    for each, total, _ in ranked:
        if len(best) < SEEDS and each.chunk.document not in best:
            best[each.chunk.document] = Seed(each.chunk, total, (total / ranked[0][1]) ** 2)
    return led_to(legs.index, list(best.values())) if best else {}


def _unseen(index: Index, led: dict[DocumentId, Led], candidates: Sequence[Candidate]) -> set[int]:
    seen = {each.chunk.number for each in candidates}
    return set(index.chunk_numbers(led.keys(), PASSAGES_LED_TO)) - seen


def _lifted(
    candidates: Sequence[Candidate], ranked: Sequence[tuple[Candidate, float, float]], led: dict[DocumentId, Led]
) -> list[Candidate]:
    """All candidates, the best passage of every document that is led to marked with its lead."""
    totals = {each.chunk.number: total for each, total, _ in ranked}
    waiting = dict(led)

    def best(each: Candidate) -> tuple[float, int]:
        return -round(totals.get(each.chunk.number, each.likeness), 6), each.chunk.number

    lifted = []
    for each in sorted(candidates, key=best):
        lead = waiting.pop(each.chunk.document, None)
        lifted.append(each if lead is None else replace(each, lead=lead))
    return lifted


def _newest(hits: Iterable[Hit], asked: Asked, text: TextScores, turns: set[int]) -> list[Hit]:
    """The first hits, one of each document where that is asked for, the newer of the same thing before the older."""
    seen: set[DocumentId] = set()
    kept: list[Hit] = []
    for hit in hits:
        if len(kept) == max(asked.limit, LOOKED_AT):
            break
        if not (asked.one_per_document and hit.document in seen):
            seen.add(hit.document)
            kept.append(hit)
    return newest_first(kept, text, asked.at, turns)


def _meaning(index: Index, text: str, where: Filter, embedder: Embedder | None) -> tuple[_Meaning | None, str | None]:
    if embedder is None:
        return None, NO_EMBEDDER
    try:
        vector = embedder.embed([text])[0]
    except EmbeddingFailed as problem:
        return None, str(problem)
    near = dict(index.nearest(vector, embedder.model, where, CANDIDATES))
    return _Meaning(vector, embedder.model, near), None


@dataclass(frozen=True, slots=True)
class _Legs:
    """What scores a passage: the query taken apart and both legs."""

    index: Index
    asked: Asked
    question: Question
    text: TextScores
    meaning: _Meaning | None

    def around(self, best: set[int], beside: Iterable[tuple[int, int]]) -> list[Candidate]:
        """The best passages and what stands beside them; where passages must be read, only what is of one talk."""
        chunks = self.index.chunks(best.union(*beside), self.asked.where)
        if self.text.unread is not None:
            pairs = (pair for pair in beside if chunks.keys() >= set(pair))
            talk = best.union(*(pair for pair in pairs if are_one_talk(chunks[pair[0]], chunks[pair[1]])))
            chunks = {number: chunk for number, chunk in chunks.items() if number in talk}
        return self._scored(chunks)

    def candidates(self, numbers: set[int]) -> list[Candidate]:
        """The passages that the filter allows, each scored by both legs."""
        return self._scored(self.index.chunks(numbers, self.asked.where))

    def _scored(self, chunks: Mapping[int, FoundChunk]) -> list[Candidate]:
        meaning = self.meaning
        cosines = meaning.near | self.index.cosines(meaning.vector, meaning.model, chunks.keys()) if meaning else {}
        mentioning = self.index.mentioning(chunks.keys(), self.asked.entities)
        return [
            Candidate(
                chunk,
                self.text.of(number, chunk.text, chunk.stop - chunk.start),
                cosines.get(number),
                _names(chunk.author, chunk.title, self.question, number in mentioning),
                tuple(period.text for period in self.question.periods if period.lo <= chunk.source_at <= period.hi),
                chunk.title is not None and chunk.title in self.question.titles,
            )
            for number, chunk in chunks.items()
        ]


def _names(author: str | None, title: str | None, question: Question, is_mentioning: bool) -> tuple[str, ...]:
    names = [author] if author and author in question.authors else []
    names += [title] if title and title in question.titles else []
    return (*names, "mentioned") if is_mentioning else tuple(names)


def _ranks(numbers: Iterable[int]) -> dict[int, int]:
    return {number: rank for rank, number in enumerate(numbers, start=1)}


def _why(
    each: Candidate, score: tuple[float, float], text: TextScores, ranks: tuple[dict[int, int], dict[int, int]]
) -> Why:
    number = each.chunk.number
    total, context = score
    by_text, near = ranks
    matched = text.words(number), each.names, each.times
    return Why(
        each.text,
        by_text.get(number),
        each.cosine,
        near.get(number),
        *matched,
        context,
        each.lead.since if each.lead else None,
        total,
    )


def documents(hits: Sequence[Hit]) -> list[DocumentId]:
    """The documents of hits, best first, each once."""
    return list(dict.fromkeys(hit.document for hit in hits))
