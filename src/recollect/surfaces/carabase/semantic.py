"""`carabase_search_semantic`: the artifacts nearest in meaning to a text."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.embed.port import EmbeddingFailed, Vectors
from recollect.keep.artifacts.artifact import dated
from recollect.keep.indexing import index_before_read
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.model.names import fold
from recollect.search.by_words import by_words
from recollect.search.filed import few_filed
from recollect.search.near import Near, nearest, nearest_among
from recollect.store.found import ALWAYS, Artifacts, Filter
from recollect.store.index import StoredIndex
from recollect.store.view import View
from recollect.surfaces.carabase.artifact import ArtifactShown, artifact_lines, is_shown, show_artifacts
from recollect.surfaces.carabase.folios import the_folio, unknown_folio
from recollect.surfaces.carabase.shapes import Folio, Kinds, Query, SourceKinds, Tags, TimeText, share, whole
from recollect.surfaces.carabase.surface import surface
from recollect.surfaces.carabase.times import read_dates
from recollect.surfaces.carabase.trailers import Call, Hint, Trailed, answer, call, options, quoted
from recollect.surfaces.declare import Result
from recollect.surfaces.shapes import AsOf

NAME = "carabase_search_semantic"
_ROUTER = "carabase_route_and_execute"
LOWER_BY = 0.2
FEW = 5_000
"""So many documents are compared one by one; of more, the nearest are looked for among all."""

Method = Literal["vector", "text"]
K = Annotated[int, Field(ge=1, le=20, description="How many"), whole(1, 20)]
Floor = Annotated[float, Field(ge=0, le=1, description="Leave out what scores less"), share]


class ScoredArtifact(ArtifactShown):
    score: float


class SemanticFound(Trailed):
    query: str
    k: int
    min_similarity: float | None
    method: Method
    results: list[ScoredArtifact]
    count: int


@surface.tool("read", example={"query": "frost damage to the orchard", "k": 1}, older={"k": ("limit",)})
def carabase_search_semantic(
    memory: Memory,
    query: Query,
    k: K = 5,
    min_similarity: Floor | None = None,
    folio: Folio | None = None,
    kinds: Kinds | None = None,
    tags: Tags | None = None,
    date_from: TimeText | None = None,
    date_to: TimeText | None = None,
    source_kinds: SourceKinds | None = None,
    as_of: AsOf = None,
) -> Result[SemanticFound]:
    """The artifacts nearest in meaning to a text, best first.

    Bodies are not in the answer; read them through the resource that each `uri` names.
    """
    index_before_read(memory)
    given: dict[str, Any] = {"folio": folio, "kinds": kinds, "tags": tags, "date_from": date_from, "date_to": date_to}
    given |= {"source_kinds": source_kinds, "as_of": as_of}
    with memory.read(as_of) as view:
        span = read_dates(view, date_from, date_to, ("date_from", "date_to"))
        held = the_folio(view, folio)
        again = call(NAME, query=query, k=k, min_similarity=min_similarity, **given)
        value: dict[str, Any] = {"query": query, "k": k, "min_similarity": min_similarity}
        if folio is not None and held is None:
            without = call(NAME, query=query, k=k, min_similarity=min_similarity, **(given | {"folio": None}))
            hint = unknown_folio(view, folio, again, without)
            method = "vector" if memory.embedder else "text"
            empty = {**value, "method": method, "results": [], "count": 0}
            trace = [f"find folio {quoted(folio)} → unknown"]
            return answer(empty, [_said(0, query)], hint=hint, trace=trace, as_of=as_of)
        wanted = Artifacts(
            frozenset(kinds or ()),
            None if held is None else held.id,
            frozenset(map(fold, tags or ())),
            None,
            frozenset(source_kinds or ()),
            span or ALWAYS,
        )
        found = find_near(memory, view, query, wanted, k)
        kept = [each for each in found.hits if min_similarity is None or each.score >= min_similarity][:k]
        shown = show_scored(view, kept, found.documents)
        value |= {"method": found.method, "results": shown, "count": len(shown)}
        lines = [_said(len(shown), query), *artifact_lines(shown)]
        if shown:
            return answer(value, lines)
        ways = [call(_ROUTER, query=query)] if memory.offers(_ROUTER) else []
        hint = _nothing(query, k, min_similarity, given, found, ways)
        trace = [f"search {found.method} {quoted(query)} → {_outcome(found)}"]
        return answer(value, lines, hint=hint, trace=trace, as_of=as_of)


class NearFound:
    """What a search by meaning came to: hits in their order, their documents, and how they were found."""

    def __init__(self, hits: Sequence[Near], documents: dict[DocumentId, Document], method: Method) -> None:
        self.hits = hits
        self.documents = documents
        self.method = method


def find_near(memory: Memory, view: View, query: str, wanted: Artifacts, limit: int) -> NearFound:
    """The best artifacts, those that tie by date and id; by their words where nothing embeds."""
    index, where = StoredIndex(view, memory.kept.matrices), Filter(artifacts=wanted)
    asked = _embedded(memory, query)
    if asked is None:
        found, method = by_words(view, index, query, where, limit), "text"
    else:
        few = few_filed(view, wanted, FEW)
        found = nearest(index, *asked, where, limit) if few is None else nearest_among(view, index, *asked, few, limit)
        method = "vector"
    documents = {
        id_: each for id_, each in view.documents({each.document for each in found}).items() if is_shown(each, view)
    }
    zone = view.world.zone
    hits = [each for each in found if each.document in documents]
    hits.sort(key=lambda each: each.document)
    hits.sort(key=lambda each: dated(documents[each.document], zone).last, reverse=True)
    hits.sort(key=lambda each: each.score, reverse=True)
    return NearFound(hits, documents, "vector" if method == "vector" else "text")


def _embedded(memory: Memory, query: str) -> tuple[Vectors, str] | None:
    embedder = memory.embedder
    if embedder is None:
        return None
    try:
        return embedder.embed([query])[0], embedder.model
    except EmbeddingFailed:
        return None


def show_scored(view: View, hits: Sequence[Near], documents: dict[DocumentId, Document]) -> list[ScoredArtifact]:
    places = {each.document: (each.start, each.stop) for each in hits if each.stop}
    shown = show_artifacts(view, [documents[each.document] for each in hits], places)
    return [{**shown[each.document], "score": round(each.score, 4)} for each in hits]


def _said(count: int, query: str) -> str:
    return f"{count} artifact{'' if count == 1 else 's'} near {quoted(query)}"


def _outcome(found: NearFound) -> str:
    return f"best {found.hits[0].score:.4f}" if found.hits else "nothing"


def _nothing(
    query: str, k: int, floor: float | None, given: dict[str, Any], found: NearFound, ways: Sequence[Call]
) -> Hint:
    """What to try next; `ways` are the calls of other tools, where there are any."""
    others = [f"let `{way['tool']}` choose among all ways" for way in ways] or ["ask in other words"]
    if floor is None:
        text = f"Nothing was found for {quoted(query)}. {others[0].capitalize()}."
        return Hint("semanticNoResults", text, tuple(ways))
    lower = round(max(0.0, floor - LOWER_BY), 4)
    best = f"the best score below it is {found.hits[0].score:.4f}" if found.hits else "nothing scored at all"
    calls = [call(NAME, query=query, k=k, min_similarity=lower, **given)] if lower < floor else []
    choices = [f"call `{NAME}` with min_similarity {lower}" for _ in calls] + others
    text = f"The floor {floor} left nothing for {quoted(query)}; {best}. {options(choices)}"
    return Hint("semanticNoResults", text, (*calls, *ways))
