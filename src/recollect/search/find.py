"""One search: words and meaning, names and times, fused by score."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from recollect.embed.port import Embedder, EmbeddingFailed, Vectors
from recollect.model.ids import DocumentId, EntityId
from recollect.search.bm25 import TextScores, score
from recollect.search.fuse import MEASURED, Candidate, Weights, fused
from recollect.search.hit import Found, Hit, Why
from recollect.search.port import Index
from recollect.search.query import Question, read_question
from recollect.store.found import Filter
from recollect.when.instant import Instant

CANDIDATES = 200
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
    near = meaning.near if meaning else {}
    by_text = text.best(CANDIDATES)
    best = {*by_text, *near}
    beside = index.neighbours(best)
    candidates = _candidates(index, asked, question, text, meaning, best.union(*beside))
    ranked = fused(candidates, beside, weights)
    text_rank = _ranks(by_text)
    near_rank = _ranks(near)
    hits = (Hit(each.chunk, total, _why(each, context, text, text_rank, near_rank)) for each, total, context in ranked)
    return Found(_cut(hits, asked), meaning is not None, note)


def text_scores(index: Index, terms: Iterable[str], where: Filter) -> TextScores:
    """BM25 of every passage that holds one of the stems."""
    return score([(term, index.postings(term, where)) for term in terms], index.population(where))


def _meaning(index: Index, text: str, where: Filter, embedder: Embedder | None) -> tuple[_Meaning | None, str | None]:
    if embedder is None:
        return None, NO_EMBEDDER
    try:
        vector = embedder.embed([text])[0]
    except EmbeddingFailed as problem:
        return None, str(problem)
    near = dict(index.nearest(vector, embedder.model, where, CANDIDATES))
    return _Meaning(vector, embedder.model, near), None


def _candidates(
    index: Index, asked: Asked, question: Question, text: TextScores, meaning: _Meaning | None, numbers: set[int]
) -> list[Candidate]:
    """The passages that the filter allows, each scored by both legs."""
    chunks = index.chunks(numbers, asked.where)
    cosines = meaning.near | index.cosines(meaning.vector, meaning.model, chunks.keys()) if meaning else {}
    mentioning = index.mentioning(chunks.keys(), asked.entities)
    return [
        Candidate(
            chunk,
            text.by_chunk.get(number, 0.0),
            cosines.get(number),
            _names(chunk.author, chunk.title, question, number in mentioning),
            tuple(period.text for period in question.periods if period.lo <= chunk.source_at <= period.hi),
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
    each: Candidate, context: float, text: TextScores, text_rank: dict[int, int], near_rank: dict[int, int]
) -> Why:
    number = each.chunk.number
    words = text.words(number)
    return Why(
        each.text, text_rank.get(number), each.cosine, near_rank.get(number), words, each.names, each.times, context
    )


def _cut(hits: Iterable[Hit], asked: Asked) -> tuple[Hit, ...]:
    kept: list[Hit] = []
    seen: set[DocumentId] = set()
    for hit in hits:
        if asked.one_per_document and hit.document in seen:
            continue
        seen.add(hit.document)
        kept.append(hit)
        if len(kept) == asked.limit:
            break
    return tuple(kept)


def documents(hits: Sequence[Hit]) -> list[DocumentId]:
    """The documents of hits, best first, each once."""
    return list(dict.fromkeys(hit.document for hit in hits))
