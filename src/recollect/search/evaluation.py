"""Retrieval evaluation: quality metrics of search beside BM25, vectors and rank fusion."""

import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from math import log2
from pathlib import Path

from recollect.embed.cached import CachedEmbedder
from recollect.embed.port import Embedder
from recollect.memory import Memory, create_workspace
from recollect.model.actor import Actor
from recollect.model.document import Document, content_hash
from recollect.model.ids import DocumentId, IdMaker
from recollect.search.bm25 import bm25_scores
from recollect.search.chunking import index_all_passages, store_passages
from recollect.search.eval_file import EvalDoc, EvalQuery, EvalSet, read_eval_file
from recollect.search.eval_statistics import Interval, Latency, bootstrap, latency
from recollect.search.passage_search import SearchRequest, hit_documents, search_passages
from recollect.settings import Settings
from recollect.store.address import engine_for
from recollect.store.change import Change
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.port import Engine
from recollect.store.vectors import VectorCache
from recollect.text.tokens import terms
from recollect.when.clock import Clock, SystemClock
from recollect.when.instant import Instant

DEPTH = 20


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over queries, each between 0 and 1; `n` is how many queries there were."""

    recall_1: float
    recall_2: float
    recall_5: float
    recall_10: float
    recall_20: float
    hit_5: float
    all_5: float
    mrr: float
    ndcg_10: float
    n: int


MEASURES = tuple(name for name in Quality.__slots__ if name != "n")
Ranking = tuple[Sequence[str], Sequence[str]]


def mean_quality(rankings: Sequence[Ranking]) -> Quality:
    """The means over pairs of a ranking, best first, and the gold it should hold."""
    measured = [_measure_ranking(list(dict.fromkeys(ranked)), frozenset(gold)) for ranked, gold in rankings]
    means = [sum(column) / len(measured) for column in zip(*measured, strict=True)] or [0.0] * len(MEASURES)
    return Quality(**dict(zip(MEASURES, means, strict=True)), n=len(measured))


def _measure_ranking(ranked: Sequence[str], gold: frozenset[str]) -> tuple[float, ...]:
    recalls = tuple(recall(ranked, gold, depth) for depth in (1, 2, 5, 10, 20))
    hit = float(recall(ranked, gold, 5) > 0)
    complete = float(recall(ranked, gold, 5) == 1)
    return (*recalls, hit, complete, reciprocal_rank(ranked, gold), ndcg(ranked, gold, 10))


@dataclass(frozen=True, slots=True)
class NewestShare:
    """In how many of the queries the newest of several gold documents ranked above all older ones."""

    share: float
    n: int


DatedRanking = tuple[Sequence[str], Mapping[str, int]]


def newest_above_older(cases: Sequence[DatedRanking]) -> NewestShare | None:
    """The share over pairs of a ranking and gold with its times; none unless some gold is of several times."""
    above = [_is_newest_above(ranked, gold) for ranked, gold in cases if len(set(gold.values())) > 1]
    return NewestShare(sum(above) / len(above), len(above)) if above else None


def _is_newest_above(ranked: Sequence[str], gold: Mapping[str, int]) -> bool:
    latest = max(gold.values())
    places = {each: list(ranked).index(each) if each in ranked else len(ranked) for each in gold}
    newest = min(places[each] for each, at in gold.items() if at == latest)
    return newest < min(places[each] for each, at in gold.items() if at < latest)


def recall(ranked: Sequence[str], gold: frozenset[str], depth: int) -> float:
    """The share of the gold among the first ones, up to a depth."""
    return len(gold.intersection(ranked[:depth])) / len(gold)


def reciprocal_rank(ranked: Sequence[str], gold: frozenset[str]) -> float:
    """The reciprocal rank of the first gold document; 0 if there is none."""
    return next((1 / place for place, document in enumerate(ranked, start=1) if document in gold), 0.0)


def ndcg(ranked: Sequence[str], gold: frozenset[str], depth: int) -> float:
    """The discounted gain of the first ones, relative to that of the ideal order."""
    gain = sum(1 / log2(place + 1) for place, document in enumerate(ranked[:depth], start=1) if document in gold)
    return gain / sum(1 / log2(place + 1) for place in range(1, min(len(gold), depth) + 1))


CANDIDATE_DEPTH = 400
RRF_K = 60
Dates = Mapping[tuple[str, str], Instant]
OURS, BM25, DENSE, RRF = "recollect", "bm25", "dense", "rrf"


@dataclass(frozen=True, slots=True)
class MethodReport:
    """One way of searching: its quality over all queries and by category, and what a query took.

    `intervals` has the bounds of each measure over all queries at 95 % confidence.
    """

    overall: Quality
    by_category: Mapping[str, Quality]
    latency_ms: Latency
    intervals: Mapping[str, Interval]
    newest: Mapping[str, NewestShare] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    """Every way of searching over the same documents and queries."""

    methods: Mapping[str, MethodReport]
    documents: int
    queries: int
    model: str | None
    unknown_gold: int = 0
    rerank: bool = True

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, indent=2)

    def table(self) -> str:
        """The measures in percent, overall and by category, a line for each way of searching."""
        head = (
            f"{'':28} {'':10} "
            + " ".join(f"{name.replace('_', '@'):>9}" for name in MEASURES)
            + "     n    p50 ms   p95 ms"
        )
        categories = sorted({name for each in self.methods.values() for name in each.by_category})
        blocks = [("all", {name: each.overall for name, each in self.methods.items()})]
        blocks += [(name, {m: each.by_category[name] for m, each in self.methods.items()}) for name in categories]
        lines = [head, *(self._line(label, method, each) for label, block in blocks for method, each in block.items())]
        lines += [*self._interval_lines(), *self._newest_lines()]
        if self.unknown_gold:
            lines.append(f"{self.unknown_gold} gold ids name no document of their query's group; they count as missed")
        return "\n".join(lines)

    def _interval_lines(self) -> list[str]:
        """The bounds of each measure over all queries, at 95 % confidence."""
        lines = ["", "95 % confidence, all queries"]
        for method, each in self.methods.items():
            for bound in ("low", "high"):
                values = " ".join(f"{100 * getattr(each.intervals[name], bound):9.1f}" for name in MEASURES)
                lines.append(f"{bound:28} {method:10} {values}")
        return lines

    def _newest_lines(self) -> list[str]:
        """For every category with gold of several times, how often the newest stands above the older."""
        categories = sorted({name for each in self.methods.values() for name in each.newest})
        head = ["", f"{'newest gold above older':39} {'percent':>9}     n"] if categories else []
        lines = [
            f"{label[:28]:28} {method:10} {100 * found.share:9.1f} {found.n:5}"
            for label in categories
            for method, found in ((name, each.newest[label]) for name, each in self.methods.items())
        ]
        return [*head, *lines]

    def _line(self, label: str, method: str, measured: Quality) -> str:
        values = " ".join(f"{100 * getattr(measured, name):9.1f}" for name in MEASURES)
        times = self.methods[method].latency_ms
        took = f"  {times.p50:8.1f} {times.p95:8.1f}" if label == "all" else ""
        return f"{label[:28]:28} {method:10} {values} {measured.n:5}{took}"


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """How to evaluate: the cache of vectors, the clock, the database, and whether to use the learned ranker."""

    cache: Path | None = None
    clock: Clock | None = None
    db: str | None = None
    rerank: bool = True


def evaluate(path: Path, embedder: Embedder | None, options: EvalOptions | None = None) -> RetrievalReport:
    """The report on a file of documents and queries, searched in a scratch database that is deleted afterwards."""
    eval_set, how = read_eval_file(path), options or EvalOptions()
    keeper = CachedEmbedder(embedder, how.cache) if embedder and how.cache else embedder
    with scratch_engine(how.db) as engine:
        runs = [run for group in group_queries(eval_set) for run in _run_group(engine, group, (embedder, keeper), how)]
    report = _build_report(eval_set, runs, embedder.model if embedder else None)
    return replace(report, rerank=how.rerank)


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """Queries that are answered from the same documents."""

    name: str
    docs: Sequence[EvalDoc]
    queries: Sequence[EvalQuery]


@dataclass(frozen=True, slots=True)
class _Run:
    method: str
    query: EvalQuery
    ranked: Sequence[str]
    seconds: float


@contextmanager
def scratch_engine(db: str | None) -> Iterator[Engine]:
    with tempfile.TemporaryDirectory(prefix="recollect-eval-") as folder:
        engine = engine_for(db or str(Path(folder) / "scratch.db"))
        try:
            yield engine
        finally:
            engine.close()


def group_queries(eval_set: EvalSet) -> Iterator[QueryGroup]:
    docs: dict[str, list[EvalDoc]] = defaultdict(list)
    for doc in eval_set.docs:
        docs[doc.group].append(doc)
    queries = sorted((query for query in eval_set.queries if query.gold), key=lambda query: query.group)
    for name, asked in groupby(queries, key=lambda query: query.group):
        yield QueryGroup(name, docs[name], list(asked))


def _run_group(
    engine: Engine, group: QueryGroup, embedders: tuple[Embedder | None, Embedder | None], options: EvalOptions
) -> Iterator[_Run]:
    embedder, keeper = embedders
    with indexed_group(engine, group, keeper, options.clock) as indexed:
        if embedder is not None:
            indexed.index.nearest(embedder.embed(["warm"])[0], embedder.model, PassageFilter(), 1)
        for query in group.queries:
            request = SearchRequest(query.text, query.at or indexed.now, limit=DEPTH, rerank=options.rerank)
            yield from _run_query(indexed, query, request, embedder)


@dataclass(frozen=True, slots=True)
class IndexedGroup:
    """The index of a group's documents, their ids in the file, and the time of the database."""

    index: StoredPassageIndex
    ids: Mapping[DocumentId, str]
    now: Instant


@contextmanager
def indexed_group(
    engine: Engine, group: QueryGroup, embedder: Embedder | None, clock: Clock | None = None
) -> Iterator[IndexedGroup]:
    """A group is a workspace of its own, so nothing outside it is seen or counted."""
    time_ = clock or SystemClock()
    workspace = create_workspace(engine, f"eval {group.name}", time_)
    memory = Memory(engine, workspace, time_, Settings(), IdMaker(time_), Actor("cli", "eval"))
    ids = _index_docs(memory, group.docs, embedder)
    with memory.read() as view:
        yield IndexedGroup(StoredPassageIndex(view, VectorCache()), ids, view.now)


def _index_docs(memory: Memory, docs: Iterable[EvalDoc], keeper: Embedder | None) -> dict[DocumentId, str]:
    ids: dict[DocumentId, str] = {}
    with memory.write() as change:
        for doc in docs:
            ids[_store_doc(change, doc)] = doc.id
        index_all_passages(change, keeper)
    return ids


def _store_doc(change: Change, doc: EvalDoc) -> DocumentId:
    document = DocumentId(change.new_id())
    at = change.now if doc.source_at is None else doc.source_at
    row = Document(
        document, 0, "record", "eval", doc.id, doc.title, doc.author, None, at, content_hash(doc.text), {}, None
    )
    change.put_document(row)
    store_passages(change, document, doc.title, doc.text)
    return document


def _run_query(
    indexed: IndexedGroup, query: EvalQuery, request: SearchRequest, embedder: Embedder | None
) -> Iterator[_Run]:
    index = indexed.index
    ways: dict[str, Callable[[], Sequence[DocumentId]]] = {
        OURS: lambda: hit_documents(search_passages(index, request, embedder).hits),
        BM25: lambda: _rank_by_bm25(index, query.text),
    }
    if embedder is not None:
        ways[DENSE] = lambda: _rank_by_vector(index, query.text, embedder)
        ways[RRF] = lambda: _fuse_ranks(_rank_by_bm25(index, query.text), _rank_by_vector(index, query.text, embedder))
    for method, way in ways.items():
        start = time.perf_counter()
        ranked = way()
        yield _Run(method, query, [indexed.ids[document] for document in ranked], time.perf_counter() - start)


def _rank_by_bm25(index: StoredPassageIndex, text: str) -> list[DocumentId]:
    """Plain BM25: every word of the query, a document as good as its best passage."""
    return _owners(index, bm25_scores(index, dict.fromkeys(terms(text)), PassageFilter()).best(CANDIDATE_DEPTH))


def _rank_by_vector(index: StoredPassageIndex, text: str, embedder: Embedder) -> list[DocumentId]:
    """Plain dense: the query as it is, a document as good as its best passage."""
    near = index.nearest(embedder.embed([text])[0], embedder.model, PassageFilter(), CANDIDATE_DEPTH)
    return _owners(index, [number for number, _ in near])


def _owners(index: StoredPassageIndex, numbers: Sequence[int]) -> list[DocumentId]:
    chunks = index.chunks(numbers, PassageFilter())
    return list(dict.fromkeys(chunks[number].document for number in numbers))


def _fuse_ranks(*rankings: Sequence[DocumentId]) -> list[DocumentId]:
    """Reciprocal rank fusion, all searches alike."""
    scores: dict[DocumentId, float] = defaultdict(float)
    for ranking in rankings:
        for place, document in enumerate(ranking, start=1):
            scores[document] += 1 / (RRF_K + place)
    return sorted(scores, key=lambda document: (-scores[document], document))


def _build_report(eval_set: EvalSet, runs: Sequence[_Run], model: str | None) -> RetrievalReport:
    by_method: dict[str, list[_Run]] = defaultdict(list)
    for run in runs:
        by_method[run.method].append(run)
    dates = {(doc.group, doc.id): doc.source_at for doc in eval_set.docs if doc.source_at is not None}
    methods = {method: _measure_method(mine, dates) for method, mine in by_method.items()}
    return RetrievalReport(methods, len(eval_set.docs), len(eval_set.queries), model, eval_set.unknown_gold)


def _measure_method(runs: Sequence[_Run], dates: Dates) -> MethodReport:
    by_category: dict[str, list[_Run]] = defaultdict(list)
    for run in runs:
        by_category[run.query.category].append(run)
    named = {name: _mean_quality(mine) for name, mine in sorted(by_category.items()) if name}
    newest = {
        name: found for name, mine in sorted(by_category.items()) if (found := _newest_share(mine, dates)) is not None
    }
    measured = [_measure_ranking(list(dict.fromkeys(run.ranked)), frozenset(run.query.gold)) for run in runs]
    intervals = dict(zip(MEASURES, bootstrap(measured), strict=False))
    return MethodReport(_mean_quality(runs), named, latency([run.seconds for run in runs]), intervals, newest)


def _newest_share(runs: Sequence[_Run], dates: Dates) -> NewestShare | None:
    def dated(query: EvalQuery) -> dict[str, int]:
        return {each: dates[query.group, each] for each in query.gold if (query.group, each) in dates}

    return newest_above_older([(run.ranked, dated(run.query)) for run in runs])


def _mean_quality(runs: Sequence[_Run]) -> Quality:
    return mean_quality([(run.ranked, run.query.gold) for run in runs])
