"""`semantic_search` and `lore_about`: passages by meaning, documents that tell of an entity."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from recollect.indexing import index_before_read
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.ids import DocumentId, format_uuid
from recollect.model.similarity import to_snake_case
from recollect.resolve.name_finder import find_entities
from recollect.search.hidden_sentences import HiddenText, hidden_text
from recollect.search.name_search import NameCounter, NamedPassage, passages_naming
from recollect.search.passage_index import RestrictedIndex
from recollect.search.passage_search import SearchRequest, search_passages
from recollect.search.ranking import PassageHit, PassageResults
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.surfaces.declarations import Result
from recollect.surfaces.lore_engine.rendering import (
    chunk_uuid_of,
    document_reliability,
    document_visibility,
    document_world_time,
    entity_ref,
)
from recollect.surfaces.lore_engine.results import (
    NAME_LIMIT,
    TEXT_LIMIT,
    AsOf,
    EntityName,
    MentionChunkView,
    MentioningSourceView,
    PassageMatchView,
    PassageMethod,
    text_validators,
)
from recollect.surfaces.lore_engine.session import ReadSession, list_result, read_session
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.views import mark_passage

MAX_HITS = 400

PassageQuery = Annotated[str, *text_validators(TEXT_LIMIT), Field(description="What to look for, in any words")]
PassageLimit = Annotated[int, Field(ge=1, le=50, description="At most this many passages")]
SourceType = Annotated[
    str, *text_validators(NAME_LIMIT), Field(description="Only documents of this source_type, such as prose")
]
NamedEntity = Annotated[EntityName, Field(description="Only passages that name this entity")]
MinScore = Annotated[float, Field(ge=0, le=1, description="Only passages that score at least this")]


def type_spellings(given: str | None) -> frozenset[str]:
    """A document's type as it may be stored: as it was given, or as this surface writes it; none for any."""
    return frozenset() if given is None else frozenset({given, to_snake_case(given)})


@surface.tool(
    "read",
    example={"query": "why did the harbour wall fail", "limit": 1},
    older={"query": ("text", "q"), "limit": ("top_k", "k")},
)
def semantic_search(
    memory: Memory,
    query: PassageQuery,
    limit: PassageLimit = 10,
    type: SourceType | None = None,  # noqa: A002 the published name
    entity: NamedEntity | None = None,
    min_score: MinScore = 0.0,
    as_of: AsOf = None,
) -> Result[list[PassageMatchView]]:
    """Passages of the sources by meaning and words, best first.

    `score` is the cosine with the question; without an embedder, the share of the best text score.
    """
    index_before_read(memory)
    with read_session(memory, as_of) as session:
        about = None if entity is None else session.entity(entity, "entity")
        where = PassageFilter(types=type_spellings(type))
        found = _search_passages(session, query, where, about)
        hidden = hidden_text(session.view, {hit.chunk.document for hit in found.hits})
        scored = [(hit, hidden.body(hit.chunk), *_score_of(found, hit)) for hit in found.hits]
        kept = [each for each in scored if each[1] and each[2] >= min_score]
        return list_result([_render_passage(session, *each) for each in kept[:limit]], limit, session, total=len(kept))


def _search_passages(session: ReadSession, query: str, where: PassageFilter, about: Entity | None) -> PassageResults:
    view, memory = session.view, session.memory
    index = StoredPassageIndex(view, memory.cache.vectors)
    if about is not None:
        naming = passages_naming(index, NameCounter([about.name, *view.aliases(about)]), where)
        lengths = {number: each.chunk.stop - each.chunk.start for number, each in naming.items()}
        index = RestrictedIndex(view, memory.cache.vectors, lengths)
    question = SearchRequest(query, view.now, view.world.zone, where, limit=MAX_HITS, one_per_document=False)
    return search_passages(index, question, memory.embedder)


def _score_of(found: PassageResults, hit: PassageHit) -> tuple[float, PassageMethod]:
    if hit.why.cosine is not None:
        return round(min(1.0, max(0.0, hit.why.cosine)), 4), "vector"
    best = max((each.why.text for each in found.hits), default=0.0)
    return round(hit.why.text / best, 4) if best else 0.0, "text"


def _render_passage(
    session: ReadSession, hit: PassageHit, words: str, score: float, method: PassageMethod
) -> PassageMatchView:
    chunk = hit.chunk
    document = session.view.documents([chunk.document])[chunk.document]
    entities = session.lore.entities(find_entities(session.view, words))
    shown: PassageMatchView = {
        "chunk_id": chunk_uuid_of(chunk),
        "document_id": format_uuid(chunk.document),
        "title": chunk.title,
        "source_type": chunk.type,
        "text": words,
        "score": score,
        "method": method,
        "entities": [entity_ref(each) for each in entities.values()],
        "world_time": document_world_time(document),
        "reliability": document_reliability(document),
    }
    mark_passage(shown, session.view, document, words, (chunk.start, chunk.stop))
    return shown


MAX_CHUNKS = 5
TITLE_WEIGHT = 3
HALF_RELEVANCE_WEIGHT = 3

DocumentLimit = Annotated[int, Field(ge=1, le=100, description="At most this many documents")]


@surface.tool("read", example={"entity": "Saltguard", "limit": 1})
def lore_about(
    memory: Memory,
    entity: EntityName,
    type: SourceType | None = None,  # noqa: A002 the published name
    limit: DocumentLimit = 10,
    as_of: AsOf = None,
) -> Result[list[MentioningSourceView]]:
    """What the sources say about an entity: documents that name it or that its facts are from."""
    with read_session(memory, as_of) as session:
        who = session.entity(entity, "entity")
        names = NameCounter([who.name, *session.view.aliases(who)])
        naming = _mentions_by_document(session, names)
        sourced = _relations_by_document(session, who)
        documents = session.view.documents({*naming, *sourced})
        hidden = hidden_text(session.view, documents)
        told = [
            _render_source(
                session.view, each, _shown_chunks(naming.get(each.id, ()), hidden), sourced.get(each.id, 0), names
            )
            for each in documents.values()
            if each.deleted is None and (type is None or each.type in type_spellings(type))
            if each.id not in hidden.documents
        ]
        told.sort(key=lambda each: (-each["relevance"], each["title"] or "", each["document_id"]))
        return list_result(told, limit, session)


def _mentions_by_document(session: ReadSession, names: NameCounter) -> dict[DocumentId, list[NamedPassage]]:
    """By document, the passages that name the entity."""
    index = StoredPassageIndex(session.view, session.memory.cache.vectors)
    found: dict[DocumentId, list[NamedPassage]] = {}
    for each in passages_naming(index, names, PassageFilter()).values():
        found.setdefault(each.chunk.document, []).append(each)
    return found


def _relations_by_document(session: ReadSession, entity: Entity) -> dict[DocumentId, int]:
    """By document, how many live relations of the entity come from it."""
    relations = session.lore.relations_of([entity.id])
    sources = session.lore.sources(each.id for each in relations)
    found: dict[DocumentId, int] = {}
    for relation in relations:
        for document in {each.document for each in sources[relation.id]}:
            if document is not None:
                found[document] = found.get(document, 0) + 1
    return found


def _render_source(
    view: View, document: Document, naming: Sequence[MentionChunkView], relations: int, names: NameCounter
) -> MentioningSourceView:
    is_titled = bool(document.title and names.count(document.title))
    weight = sum(each["mentions"] for each in naming) + TITLE_WEIGHT * is_titled + relations
    shown: MentioningSourceView = {
        "document_id": format_uuid(document.id),
        "title": document.title,
        "source_type": document.type,
        "author": document.author,
        "relevance": round(weight / (weight + HALF_RELEVANCE_WEIGHT), 4),
        "chunks": list(naming[:MAX_CHUNKS]),
        "reliability": document_reliability(document),
        "visibility": document_visibility(document),
        "world_time": document_world_time(document),
        "url": document.url,
    }
    words = (document.title or "", *(each["text"] for each in shown["chunks"]))
    mark_passage(shown, view, document, "\n".join(words))
    return shown


def _shown_chunks(naming: Sequence[NamedPassage], hidden: HiddenText) -> list[MentionChunkView]:
    """The passages that name an entity most first, without what is hidden of them."""
    most_first = sorted(naming, key=lambda each: (-each.mentions, each.chunk.seq))
    bodies = [(each, hidden.body(each.chunk)) for each in most_first]
    return [
        {"chunk_id": chunk_uuid_of(each.chunk), "text": body, "mentions": each.mentions}
        for each, body in bodies
        if body
    ]
