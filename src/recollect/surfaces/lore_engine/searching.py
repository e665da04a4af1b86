"""`semantic_search`: passages by meaning."""

from typing import Annotated

from pydantic import Field

from recollect.keep.indexing import index_before_read
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import say_uuid
from recollect.model.wording import snake
from recollect.resolve.spot import spotted_entities
from recollect.search.find import Asked, search
from recollect.search.hit import Found, Hit
from recollect.search.naming import AmongPassages, Names, body, passages_naming
from recollect.store.found import Filter
from recollect.store.index import StoredIndex
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import listed
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.lore_results import FoundPassage, Method
from recollect.surfaces.lore_engine.passages import found_chunk_uuid, say_reliability, say_world_time
from recollect.surfaces.lore_engine.shapes import NAME_LIMIT, TEXT_LIMIT, AsOf, EntityName, text
from recollect.surfaces.lore_engine.shown import say_ref
from recollect.surfaces.lore_engine.surface import surface

MOST_HITS = 400

Query = Annotated[str, *text(TEXT_LIMIT), Field(description="What to look for, in any words")]
PassageLimit = Annotated[int, Field(ge=1, le=50, description="At most this many passages")]
SourceType = Annotated[str, *text(NAME_LIMIT), Field(description="Only documents of this source_type, such as prose")]
Naming = Annotated[EntityName, Field(description="Only passages that name this entity")]
MinScore = Annotated[float, Field(ge=0, le=1, description="Only passages that score at least this")]


def spelled_types(given: str | None) -> frozenset[str]:
    """A document's type as it may be stored: as it was given, or as this surface writes it; none for any."""
    return frozenset() if given is None else frozenset({given, snake(given)})


@surface.tool(
    "read",
    example={"query": "why did the harbour wall fail", "limit": 1},
    older={"query": ("text", "q"), "limit": ("top_k", "k")},
)
def semantic_search(
    memory: Memory,
    query: Query,
    limit: PassageLimit = 10,
    type: SourceType | None = None,  # noqa: A002 the published name
    entity: Naming | None = None,
    min_score: MinScore = 0.0,
    as_of: AsOf = None,
) -> Result[list[FoundPassage]]:
    """Passages of the sources by meaning and words, best first.

    `score` is the cosine with the question; without an embedder, the share of the best text score.
    """
    index_before_read(memory)
    with asking(memory, as_of) as asked:
        about = None if entity is None else asked.entity(entity, "entity")
        where = Filter(types=spelled_types(type))
        found = _search(asked, query, where, about)
        scored = [(hit, *_score(found, hit)) for hit in found.hits]
        kept = [each for each in scored if each[1] >= min_score]
        return listed([_shown(asked, *each) for each in kept[:limit]], limit, asked, total=len(kept))


def _search(asked: Asking, query: str, where: Filter, about: Entity | None) -> Found:
    view, memory = asked.view, asked.memory
    index = StoredIndex(view, memory.kept.matrices)
    if about is not None:
        naming = passages_naming(index, Names([about.name, *view.aliases(about)]), where)
        index = AmongPassages(view, memory.kept.matrices, {number: each.chunk for number, each in naming.items()})
    question = Asked(query, view.now, view.world.zone, where, limit=MOST_HITS, one_per_document=False)
    return search(index, question, memory.embedder)


def _score(found: Found, hit: Hit) -> tuple[float, Method]:
    if hit.why.cosine is not None:
        return round(min(1.0, max(0.0, hit.why.cosine)), 4), "vector"
    best = max((each.why.text for each in found.hits), default=0.0)
    return round(hit.why.text / best, 4) if best else 0.0, "text"


def _shown(asked: Asking, hit: Hit, score: float, method: Method) -> FoundPassage:
    chunk = hit.chunk
    document = asked.view.documents([chunk.document])[chunk.document]
    words = body(chunk)
    entities = asked.lore.entities(spotted_entities(asked.view, words))
    return {
        "chunk_id": found_chunk_uuid(chunk),
        "document_id": say_uuid(chunk.document),
        "title": chunk.title,
        "source_type": chunk.type,
        "text": words,
        "score": score,
        "method": method,
        "entities": [say_ref(each) for each in entities.values()],
        "world_time": say_world_time(document),
        "reliability": say_reliability(document),
    }
