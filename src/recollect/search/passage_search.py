"""Hybrid passage search: BM25, vectors, names and times, fused by score."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from math import inf

from recollect.embed.local import EarlierModel, UpgradedEmbedder
from recollect.embed.port import Embedder, EmbeddingFailed, Vectors
from recollect.model.ids import DocumentId, EntityId
from recollect.search.bm25 import Bm25Scores, bm25_scores
from recollect.search.fusion_weights import DEFAULT_WEIGHTS
from recollect.search.passage_index import PassageIndex
from recollect.search.question import Question
from recollect.search.ranker import RANKED_HITS, RankingContext, order_by_ranker
from recollect.search.ranking import (
    MAX_SEEDS,
    ExpansionScore,
    ExpansionSeed,
    HitExplanation,
    PassageCandidate,
    PassageHit,
    PassageResults,
    RecencyRule,
    are_same_conversation,
    conversation_turns,
    follow_names,
    fuse_scores,
    is_later,
    is_said_by_user,
    may_be_turn,
    put_newest_first,
)
from recollect.store.passage_filter import PassageFilter, PassageRow
from recollect.when.instant import Instant

MAX_CANDIDATES = 200
MAX_LEAD_PASSAGES = 20
NO_EMBEDDER = "no embedder is set up: found by words, names and times alone"


@dataclass(frozen=True, slots=True)
class QueryVector:
    """The vector of a query, and the model whose vectors it may be compared with, if any.

    `earlier` are models that were in use before, whose vectors it can be turned into.
    """

    vector: Vectors
    model: str | None
    earlier: tuple[EarlierModel, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A query and how it is to be answered; a given `vector` is used instead of embedding the query.

    Without `rerank` the hits keep the order of the fused scores, as if there were no learned ranker.
    """

    text: str
    at: Instant
    zone: tzinfo = UTC
    where: PassageFilter = field(default_factory=PassageFilter)
    entities: tuple[EntityId, ...] = ()
    limit: int = 10
    one_per_document: bool = True
    vector: QueryVector | None = None
    rerank: bool = True


@dataclass(frozen=True, slots=True)
class _VectorHits:
    """The query's vector, and the passages nearest to it."""

    vector: Vectors
    model: str
    near: dict[int, float]


@dataclass(frozen=True, slots=True)
class FusedHits:
    """The best hits in the order of the fused scores, before the learned ranker, and what it decides by."""

    hits: list[PassageHit]
    context: RankingContext
    by_meaning: bool
    note: str | None


def search_passages(index: PassageIndex, request: SearchRequest, embedder: Embedder | None) -> PassageResults:
    """The passages that answer best, each with why; without an embedder by words, names and times."""
    found = find_passages(index, request, embedder)
    context, text = found.context, found.context.text
    ranked = order_by_ranker(found.hits, context) if request.rerank else found.hits
    rule = RecencyRule(text, request.at, context.turns, context.question.asks_for_current)
    ordered = put_newest_first(ranked, rule)
    common = text.deferred.common_terms if text.deferred else ()
    return PassageResults(tuple(ordered[: request.limit]), found.by_meaning, found.note, common)


def find_passages(index: PassageIndex, request: SearchRequest, embedder: Embedder | None) -> FusedHits:
    """The candidates of the text search and the vector search, with their fused scores."""
    question = Question(request.text, request.at, request.zone, index)
    text = bm25_scores(index, question.terms, request.where)
    meaning, note = _vector_hits(index, request, question.meaning, embedder)
    scorer = _PassageScorer(index, request, question, text, meaning)
    by_text = text.best(MAX_CANDIDATES)
    near = meaning.near if meaning else {}
    best = index.chunks({*by_text, *near}, request.where)
    beside = index.neighbours([number for number, chunk in best.items() if may_be_turn(chunk)])
    candidates = scorer.around(best, beside)
    ranked = fuse_scores(candidates, beside, DEFAULT_WEIGHTS)
    led = _find_leads(scorer, ranked)
    candidates += scorer.candidates(_unscored_passages(index, led, candidates))
    ranked = fuse_scores(_apply_leads(candidates, ranked, led), beside, DEFAULT_WEIGHTS) if led else ranked
    ranks = _ranks(by_text), _ranks(near)
    hits = (PassageHit(each.chunk, total, _why(each, (total, context), text, ranks)) for each, total, context in ranked)
    turns = frozenset(conversation_turns(candidates, beside))
    scored = [each for each, _, _ in ranked]
    context = RankingContext(question, text, scored, beside, DEFAULT_WEIGHTS, turns)
    return FusedHits(_first_hits(hits, request), context, meaning is not None, note)


def _find_leads(
    scorer: "_PassageScorer", ranked: Sequence[tuple[PassageCandidate, float, float]]
) -> dict[DocumentId, ExpansionScore]:
    """The documents that the best passages lead to."""
    best: dict[DocumentId, ExpansionSeed] = {}
    ceiling = _lowest_named(scorer.question, ranked)
    for each, total, _ in ranked:
        if len(best) < MAX_SEEDS and each.chunk.document not in best:
            best[each.chunk.document] = ExpansionSeed(each.chunk, min(total, ceiling), (total / ranked[0][1]) ** 2)
    return follow_names(scorer.index, list(best.values())) if best else {}


def _lowest_named(question: Question, ranked: Sequence[tuple[PassageCandidate, float, float]]) -> float:
    """The lowest score of a document that the question names, each by its best passage: no lead goes beyond it."""
    best: dict[DocumentId, float] = {}
    for each, total, _ in ranked:
        if each.chunk.title in question.capitalised_titles:
            best.setdefault(each.chunk.document, total)
    return min(best.values(), default=inf)


def _unscored_passages(
    index: PassageIndex, led: dict[DocumentId, ExpansionScore], candidates: Sequence[PassageCandidate]
) -> set[int]:
    seen = {each.chunk.number for each in candidates}
    return set(index.chunk_numbers(led.keys(), MAX_LEAD_PASSAGES)) - seen


def _apply_leads(
    candidates: Sequence[PassageCandidate],
    ranked: Sequence[tuple[PassageCandidate, float, float]],
    led: dict[DocumentId, ExpansionScore],
) -> list[PassageCandidate]:
    """All candidates, the best passage of every document that is led to marked with its lead."""
    totals = {each.chunk.number: total for each, total, _ in ranked}
    waiting = dict(led)

    def best(each: PassageCandidate) -> tuple[float, tuple[DocumentId, int]]:
        return -round(totals.get(each.chunk.number, each.likeness), 6), each.chunk.place

    lifted = []
    for each in sorted(candidates, key=best):
        lead = waiting.pop(each.chunk.document, None)
        lifted.append(each if lead is None else each._replace(lead=lead))
    return lifted


def _first_hits(hits: Iterable[PassageHit], request: SearchRequest) -> list[PassageHit]:
    """The first hits, one of each document where that is asked for."""
    seen: set[DocumentId] = set()
    kept: list[PassageHit] = []
    for hit in hits:
        if len(kept) == max(request.limit, RANKED_HITS):
            break
        if not (request.one_per_document and hit.document in seen):
            seen.add(hit.document)
            kept.append(hit)
    return kept


def _vector_hits(
    index: PassageIndex, request: SearchRequest, text: str, embedder: Embedder | None
) -> tuple[_VectorHits | None, str | None]:
    try:
        query = request.vector or embed_query(embedder, text)
    except EmbeddingFailed as problem:
        return None, str(problem)
    if query is None or query.model is None:
        return None, NO_EMBEDDER
    query = _for_stored_vectors(index, query)
    assert query.model is not None
    near = dict(index.nearest(query.vector, query.model, request.where, MAX_CANDIDATES))
    return _VectorHits(query.vector, query.model, near), None


def _for_stored_vectors(index: PassageIndex, query: QueryVector) -> QueryVector:
    """The query for the model that has embedded more of the store; one search never mixes vectors of two models."""
    if not query.earlier:
        return query
    counts = {each.model: index.count_embedded(each.model) for each in query.earlier}
    most = max(query.earlier, key=lambda each: counts[each.model])
    if index.count_embedded(query.model) >= counts[most.model]:
        return query
    return QueryVector(most.translate(query.vector), most.model)


def embed_query(embedder: Embedder | None, text: str) -> QueryVector | None:
    if embedder is None:
        return None
    vector = embedder.embed([text])[0]
    earlier = embedder.earlier if isinstance(embedder, UpgradedEmbedder) else ()
    return QueryVector(vector, embedder.model, earlier)


@dataclass(frozen=True, slots=True)
class _PassageScorer:
    """Scores passages against the parsed query, by their words and by their vectors."""

    index: PassageIndex
    request: SearchRequest
    question: Question
    text: Bm25Scores
    meaning: _VectorHits | None

    def around(self, best: Mapping[int, PassageRow], beside: Iterable[tuple[int, int]]) -> list[PassageCandidate]:
        """The best passages and what was said right before and after them in the same talk."""
        others = set[int]().union(*beside) - best.keys()
        chunks = {**best, **self.index.chunks(others, self.request.where)}
        pairs = (pair for pair in beside if pair[0] in chunks and pair[1] in chunks)
        talk = set[int]().union(*(pair for pair in pairs if are_same_conversation(chunks[pair[0]], chunks[pair[1]])))
        return self._score_chunks(
            {number: chunk for number, chunk in chunks.items() if number in best or number in talk}
        )

    def candidates(self, numbers: set[int]) -> list[PassageCandidate]:
        """The passages that the filter allows, each scored by words and by vector."""
        return self._score_chunks(self.index.chunks(numbers, self.request.where))

    def _score_chunks(self, chunks: Mapping[int, PassageRow]) -> list[PassageCandidate]:
        meaning = self.meaning
        cosines = self.index.cosines(meaning.vector, meaning.model, chunks.keys()) if meaning else {}
        mentioning = self.index.mentioning(chunks.keys(), self.request.entities)
        periods, titles, is_about_asker = self.question.periods, self.question.titles, self.question.is_about_asker
        return [
            PassageCandidate(
                chunk,
                self.text.score_of(number, chunk.text, chunk.stop - chunk.start),
                cosines.get(number),
                _names(chunk.author, chunk.title, self.question, number in mentioning),
                tuple([each.text for each in periods if each.lo <= chunk.source_at <= each.hi]) if periods else (),
                chunk.title is not None and chunk.title in titles,
                is_later=is_later(chunk, self.request.at),
                is_by_asker=is_about_asker and is_said_by_user(chunk),
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
    each: PassageCandidate, score: tuple[float, float], text: Bm25Scores, ranks: tuple[dict[int, int], dict[int, int]]
) -> HitExplanation:
    number = each.chunk.number
    total, context = score
    by_text, near = ranks
    matched = text.matched_terms(number), each.names, each.times
    return HitExplanation(
        each.text,
        by_text.get(number),
        each.cosine,
        near.get(number),
        *matched,
        context,
        each.lead.source if each.lead else None,
        total,
    )


def hit_documents(hits: Sequence[PassageHit]) -> list[DocumentId]:
    """The documents of hits, best first, each once."""
    return list(dict.fromkeys(hit.document for hit in hits))
