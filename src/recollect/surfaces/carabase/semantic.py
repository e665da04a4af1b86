"""`carabase_search_semantic`: the artifacts and facts nearest in meaning to a text."""

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal, NamedTuple, NotRequired

from pydantic import Field

from recollect.embed.port import EmbeddingFailed, Vectors
from recollect.indexing import index_before_read
from recollect.keep.artifacts.artifact import artifact_date
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.history import is_current
from recollect.model.ids import DocumentId, FactId, format_fact_id
from recollect.model.names import fold
from recollect.reason.items.item_lookup import closed_items
from recollect.search.document_search import (
    ScoredDocument,
    choose_best,
    filed_documents_if_few,
    nearest_by_words,
    nearest_documents,
    rank_documents,
)
from recollect.search.fact_search import fact_meaning
from recollect.search.passage_index import SmallSetIndex
from recollect.search.passage_search import MAX_CANDIDATES, SearchRequest, embed_query
from recollect.search.recall import relevance_floor
from recollect.store.document_queries import passage_lengths
from recollect.store.fact_rows import FactRow
from recollect.store.fact_vectors import FactVectorFilter
from recollect.store.passage_filter import ANY_ARTIFACT, ANY_TIME, ArtifactFilter, PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.surfaces.carabase.artifacts import (
    ArtifactView,
    artifact_lines,
    is_visible,
    render_artifacts,
    without_hidden,
)
from recollect.surfaces.carabase.hints import (
    Hint,
    HintedResult,
    SuggestedCall,
    find_named_folio,
    format_options,
    hinted_answer,
    quote,
    suggest_call,
    unknown_folio_hint,
)
from recollect.surfaces.carabase.parameters import (
    FolioText,
    Kinds,
    QueryText,
    SourceKinds,
    Tags,
    TimeText,
    integer_between,
    parse_date_range,
    share_validator,
)
from recollect.surfaces.carabase.surface import surface
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import AsOf
from recollect.surfaces.views import TrustMarks, format_count, mark_trust, marks_text

TOOL_NAME = "carabase_search_semantic"
_ROUTER_TOOL = "carabase_route_and_execute"
FLOOR_STEP = 0.2
MAX_NEAR_FACTS = 100
SMALL_CORPUS = 5_000
"""Up to this many documents are compared one by one; of more, the nearest are looked up among all."""

SearchMethod = Literal["vector", "text"]
ResultCount = Annotated[int, Field(ge=1, le=20, description="How many"), integer_between(1, 20)]
MinSimilarity = Annotated[float, Field(ge=0, le=1, description="Leave out what scores less"), share_validator]


class ScoredArtifactView(ArtifactView):
    score: float


class NearFactView(TrustMarks):
    """A fact that says what the query asks for; `score` is the cosine."""

    id: str
    text: str
    score: float


class SemanticSearchResult(HintedResult):
    query: str
    k: int
    min_similarity: float | None
    method: SearchMethod
    results: list[ScoredArtifactView]
    count: int
    facts: NotRequired[list[NearFactView]]


@surface.tool("read", example={"query": "frost damage to the orchard", "k": 1}, older={"k": ("limit",)})
def carabase_search_semantic(
    memory: Memory,
    query: QueryText,
    k: ResultCount = 5,
    min_similarity: MinSimilarity | None = None,
    folio: FolioText | None = None,
    kinds: Kinds | None = None,
    tags: Tags | None = None,
    date_from: TimeText | None = None,
    date_to: TimeText | None = None,
    source_kinds: SourceKinds | None = None,
    as_of: AsOf = None,
) -> Result[SemanticSearchResult]:
    """The artifacts nearest in meaning to a text, best first; without filters also facts.

    Bodies are not in the answer; read them through the resource that each `uri` names.
    """
    index_before_read(memory)
    given: dict[str, Any] = {"folio": folio, "kinds": kinds, "tags": tags, "date_from": date_from, "date_to": date_to}
    given |= {"source_kinds": source_kinds, "as_of": as_of}
    with memory.read(as_of) as view:
        span = parse_date_range(view, date_from, date_to, ("date_from", "date_to"))
        held = find_named_folio(view, folio)
        again = suggest_call(TOOL_NAME, query=query, k=k, min_similarity=min_similarity, **given)
        value: dict[str, Any] = {"query": query, "k": k, "min_similarity": min_similarity}
        if folio is not None and held is None:
            without = suggest_call(
                TOOL_NAME, query=query, k=k, min_similarity=min_similarity, **(given | {"folio": None})
            )
            hint = unknown_folio_hint(view, folio, again, without)
            method = "vector" if memory.embedder else "text"
            empty = {**value, "method": method, "results": [], "count": 0}
            trace = [f"find folio {quote(folio)} → unknown"]
            return hinted_answer(empty, [_describe_count(0, query)], hint=hint, trace=trace, as_of=as_of)
        wanted = ArtifactFilter(
            frozenset(kinds or ()),
            None if held is None else held.id,
            frozenset(map(fold, tags or ())),
            None,
            frozenset(source_kinds or ()),
            span or ANY_TIME,
        )
        found = search_by_meaning(memory, view, query, wanted, k, min_similarity)
        shown = render_scored(view, found.hits, found.documents)
        value |= {"method": found.method, "results": shown, "count": len(shown)}
        lines = [_describe_count(len(shown), query), *artifact_lines(shown)]
        facts = near_facts(memory, view, query, k, min_similarity) if wanted == ANY_ARTIFACT else []
        if facts:
            value["facts"] = facts
            lines += [
                f"- {each['text']} [{each['id']}] (fact, {each['score']:.4f}){marks_text(each)}" for each in facts
            ]
        if shown or facts:
            return hinted_answer(value, lines)
        ways = [suggest_call(_ROUTER_TOOL, query=query)]
        hint = _no_results_hint(query, k, min_similarity, given, found, ways)
        trace = [f"search {found.method} {quote(query)} → {_describe_best(found)}"]
        return hinted_answer(value, lines, hint=hint, trace=trace, as_of=as_of)


def near_facts(memory: Memory, view: View, query: str, limit: int, floor: float | None) -> list[NearFactView]:
    """The current facts nearest in meaning to a text, best first; none that is far from it."""
    meaning = fact_meaning(view, memory.cache.vectors, memory.embedder, query)
    if meaning is None:
        return []
    relevance = relevance_floor(view, query, memory.embedder)
    near = dict(meaning.vectors.nearest(meaning.vector, FactVectorFilter(), MAX_NEAR_FACTS))

    def reaches(row: FactRow) -> bool:
        cosine = near[row.fact.id]
        return relevance.is_near(cosine) if floor is None else cosine >= floor

    found = view.fact_rows([FactId(id_) for id_ in near])
    rows = [row for row in found if reaches(row) and is_current(row.fact, view.world.present)]
    closed = closed_items(view, {row.fact.subject for row in rows})
    standing = sorted((row for row in rows if row.fact.id not in closed), key=lambda row: -near[row.fact.id])
    return [_render_near_fact(row, near[row.fact.id]) for row in standing[:limit]]


def _render_near_fact(row: FactRow, cosine: float) -> NearFactView:
    shown: NearFactView = {"id": format_fact_id(row.fact.id), "text": row.text, "score": round(cosine, 4)}
    mark_trust(shown, row.fact.attributes, row.text)
    return shown


class SemanticMatches(NamedTuple):
    """What a search by meaning found: the artifacts to return, and the best score of all where a floor left none."""

    hits: Sequence[ScoredDocument]
    documents: dict[DocumentId, Document]
    method: SearchMethod
    best_score: float | None = None


def search_by_meaning(
    memory: Memory, view: View, query: str, wanted: ArtifactFilter, limit: int, floor: float | None = None
) -> SemanticMatches:
    """The artifacts that answer best and reach the floor, by score, then date and id; by words where nothing embeds.

    The score is the cosine with the query; which artifacts are returned is decided by the search of the core.
    """
    vector = _embed_query(memory, query)
    where = PassageFilter(artifacts=wanted)
    if vector is None or memory.embedder is None:
        index = StoredPassageIndex(view, memory.cache.vectors)
        return _order_matches(view, nearest_by_words(view, index, query, where, limit), "text", limit, floor)
    index = _index_of(memory, view, wanted)
    request = SearchRequest(query, view.now, view.world.zone, where, limit=MAX_CANDIDATES)
    ranked = rank_documents(view, index, request, memory.embedder, vector)
    visible = _visible_documents(view, [each.near for each in ranked])
    chosen = choose_best(
        [each for each in ranked if each.near.document in visible and _reaches(each.near, floor)], limit
    )
    if len(chosen) >= limit:
        return _order_matches(view, chosen, "vector", limit, floor)
    known = {each.document for each in chosen}
    nearest = nearest_documents(index, vector, memory.embedder.model, where, limit)
    others = [each for each in nearest if each.document not in known]
    return _order_matches(view, [*chosen, *others], "vector", limit, floor, known)


def _index_of(memory: Memory, view: View, wanted: ArtifactFilter) -> StoredPassageIndex:
    """The index to search; where the filter allows few documents, the vectors of those alone are compared."""
    few = filed_documents_if_few(view, wanted, SMALL_CORPUS)
    if few is None:
        return StoredPassageIndex(view, memory.cache.vectors)
    return SmallSetIndex(view, memory.cache.vectors, passage_lengths(view, few))


def _order_matches(
    view: View,
    found: Sequence[ScoredDocument],
    method: SearchMethod,
    limit: int,
    floor: float | None,
    preferred: Collection[DocumentId] = (),
) -> SemanticMatches:
    """The published order; where there are too many, the preferred ones stay."""
    documents = _visible_documents(view, found)
    hits = [each for each in found if each.document in documents]
    hits.sort(key=lambda each: each.document)
    hits.sort(key=lambda each: artifact_date(documents[each.document], view.world.zone).last, reverse=True)
    hits.sort(key=lambda each: each.score, reverse=True)
    reaching = [each for each in hits if _reaches(each, floor)]
    chosen = {each.document for each in sorted(reaching, key=lambda each: each.document not in preferred)[:limit]}
    best = hits[0].score if hits else None
    return SemanticMatches([each for each in reaching if each.document in chosen], documents, method, best)


def _reaches(hit: ScoredDocument, floor: float | None) -> bool:
    return floor is None or hit.score >= floor


def _visible_documents(view: View, found: Sequence[ScoredDocument]) -> dict[DocumentId, Document]:
    documents = view.documents({each.document for each in found})
    return without_hidden(view, {id_: each for id_, each in documents.items() if is_visible(each, view)})


def _embed_query(memory: Memory, query: str) -> Vectors | None:
    try:
        found = embed_query(memory.embedder, query)
    except EmbeddingFailed:
        return None
    return None if found is None else found.vector


def render_scored(
    view: View, hits: Sequence[ScoredDocument], documents: dict[DocumentId, Document]
) -> list[ScoredArtifactView]:
    places = {each.document: (each.start, each.stop) for each in hits if each.stop}
    shown = render_artifacts(view, [documents[each.document] for each in hits], places)
    return [{**shown[each.document], "score": round(each.score, 4)} for each in hits]


def _describe_count(count: int, query: str) -> str:
    return f"{format_count(count, 'artifact')} near {quote(query)}"


def _describe_best(found: SemanticMatches) -> str:
    return "nothing" if found.best_score is None else f"best {found.best_score:.4f}"


def _no_results_hint(
    query: str,
    k: int,
    floor: float | None,
    given: dict[str, Any],
    found: SemanticMatches,
    ways: Sequence[SuggestedCall],
) -> Hint:
    """What to try next; `ways` are the calls of other tools, where there are any."""
    others = [f"let `{way['tool']}` choose among all ways" for way in ways] or ["ask in other words"]
    if floor is None:
        text = f"Nothing was found for {quote(query)}. {others[0].capitalize()}."
        return Hint("semanticNoResults", text, tuple(ways))
    lower = round(max(0.0, floor - FLOOR_STEP), 4)
    is_empty = found.best_score is None
    best = "nothing scored at all" if is_empty else f"the best score below it is {found.best_score:.4f}"
    calls = [suggest_call(TOOL_NAME, query=query, k=k, min_similarity=lower, **given)] if lower < floor else []
    choices = [f"call `{TOOL_NAME}` with min_similarity {lower}" for _ in calls] + others
    text = f"The floor {floor} left nothing for {quote(query)}; {best}. {format_options(choices)}"
    return Hint("semanticNoResults", text, (*calls, *ways))
