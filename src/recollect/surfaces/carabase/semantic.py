"""`carabase_search_semantic`: the artifacts nearest in meaning to a text."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.embed.port import EmbeddingFailed, Vectors
from recollect.indexing import index_before_read
from recollect.keep.artifacts.artifact import artifact_date
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.model.names import fold
from recollect.search.document_search import (
    NearDocument,
    find_few_filed,
    nearest_among_documents,
    nearest_by_words,
    nearest_documents,
)
from recollect.store.passage_filter import ANY_TIME, ArtifactFilter, PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.surfaces.carabase.artifacts import ArtifactView, artifact_lines, is_visible, render_artifacts
from recollect.surfaces.carabase.hints import (
    Hint,
    SuggestedCall,
    TrailedResult,
    find_named_folio,
    format_options,
    quote,
    suggest_call,
    trailed_answer,
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

TOOL_NAME = "carabase_search_semantic"
_ROUTER_TOOL = "carabase_route_and_execute"
FLOOR_STEP = 0.2
SMALL_CORPUS = 5_000
"""So many documents are compared one by one; of more, the nearest are looked for among all."""

SearchMethod = Literal["vector", "text"]
ResultCount = Annotated[int, Field(ge=1, le=20, description="How many"), integer_between(1, 20)]
MinSimilarity = Annotated[float, Field(ge=0, le=1, description="Leave out what scores less"), share_validator]


class ScoredArtifactView(ArtifactView):
    score: float


class SemanticSearchResult(TrailedResult):
    query: str
    k: int
    min_similarity: float | None
    method: SearchMethod
    results: list[ScoredArtifactView]
    count: int


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
    """The artifacts nearest in meaning to a text, best first.

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
            return trailed_answer(empty, [_describe_count(0, query)], hint=hint, trace=trace, as_of=as_of)
        wanted = ArtifactFilter(
            frozenset(kinds or ()),
            None if held is None else held.id,
            frozenset(map(fold, tags or ())),
            None,
            frozenset(source_kinds or ()),
            span or ANY_TIME,
        )
        found = search_by_meaning(memory, view, query, wanted, k)
        kept = [each for each in found.hits if min_similarity is None or each.score >= min_similarity][:k]
        shown = render_scored(view, kept, found.documents)
        value |= {"method": found.method, "results": shown, "count": len(shown)}
        lines = [_describe_count(len(shown), query), *artifact_lines(shown)]
        if shown:
            return trailed_answer(value, lines)
        ways = [suggest_call(_ROUTER_TOOL, query=query)] if memory.offers(_ROUTER_TOOL) else []
        hint = _no_results_hint(query, k, min_similarity, given, found, ways)
        trace = [f"search {found.method} {quote(query)} → {_describe_best(found)}"]
        return trailed_answer(value, lines, hint=hint, trace=trace, as_of=as_of)


class SemanticMatches:
    """What a search by meaning came to: hits in their order, their documents, and how they were found."""

    def __init__(
        self, hits: Sequence[NearDocument], documents: dict[DocumentId, Document], method: SearchMethod
    ) -> None:
        self.hits = hits
        self.documents = documents
        self.method = method


def search_by_meaning(memory: Memory, view: View, query: str, wanted: ArtifactFilter, limit: int) -> SemanticMatches:
    """The best artifacts, those that tie by date and id; by their words where nothing embeds."""
    index, where = StoredPassageIndex(view, memory.cache.vectors), PassageFilter(artifacts=wanted)
    asked = _embed_query(memory, query)
    if asked is None:
        found, method = nearest_by_words(view, index, query, where, limit), "text"
    else:
        few = find_few_filed(view, wanted, SMALL_CORPUS)
        found = (
            nearest_documents(index, *asked, where, limit)
            if few is None
            else nearest_among_documents(view, index, *asked, few, limit)
        )
        method = "vector"
    documents = {
        id_: each for id_, each in view.documents({each.document for each in found}).items() if is_visible(each, view)
    }
    zone = view.world.zone
    hits = [each for each in found if each.document in documents]
    hits.sort(key=lambda each: each.document)
    hits.sort(key=lambda each: artifact_date(documents[each.document], zone).last, reverse=True)
    hits.sort(key=lambda each: each.score, reverse=True)
    return SemanticMatches(hits, documents, "vector" if method == "vector" else "text")


def _embed_query(memory: Memory, query: str) -> tuple[Vectors, str] | None:
    embedder = memory.embedder
    if embedder is None:
        return None
    try:
        return embedder.embed([query])[0], embedder.model
    except EmbeddingFailed:
        return None


def render_scored(
    view: View, hits: Sequence[NearDocument], documents: dict[DocumentId, Document]
) -> list[ScoredArtifactView]:
    places = {each.document: (each.start, each.stop) for each in hits if each.stop}
    shown = render_artifacts(view, [documents[each.document] for each in hits], places)
    return [{**shown[each.document], "score": round(each.score, 4)} for each in hits]


def _describe_count(count: int, query: str) -> str:
    return f"{count} artifact{'' if count == 1 else 's'} near {quote(query)}"


def _describe_best(found: SemanticMatches) -> str:
    return f"best {found.hits[0].score:.4f}" if found.hits else "nothing"


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
    best = f"the best score below it is {found.hits[0].score:.4f}" if found.hits else "nothing scored at all"
    calls = [suggest_call(TOOL_NAME, query=query, k=k, min_similarity=lower, **given)] if lower < floor else []
    choices = [f"call `{TOOL_NAME}` with min_similarity {lower}" for _ in calls] + others
    text = f"The floor {floor} left nothing for {quote(query)}; {best}. {format_options(choices)}"
    return Hint("semanticNoResults", text, (*calls, *ways))
