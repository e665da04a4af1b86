"""`lore_about`: which documents tell of an entity, and where in them."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.ids import DocumentId, say_uuid
from recollect.search.naming import Names, Naming, body, passages_naming
from recollect.store.found import Filter
from recollect.store.index import StoredIndex
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import listed
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.lore_results import AboutShown, ChunkShown
from recollect.surfaces.lore_engine.passages import (
    found_chunk_uuid,
    say_reliability,
    say_visibility,
    say_world_time,
)
from recollect.surfaces.lore_engine.searching import SourceType, spelled_types
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName
from recollect.surfaces.lore_engine.surface import surface

MOST_CHUNKS = 5
TITLE_WEIGHT = 3
HALF_WAY = 3

DocumentLimit = Annotated[int, Field(ge=1, le=100, description="At most this many documents")]


@surface.tool("read", example={"entity": "Saltguard", "limit": 1})
def lore_about(
    memory: Memory,
    entity: EntityName,
    type: SourceType | None = None,  # noqa: A002 the published name
    limit: DocumentLimit = 10,
    as_of: AsOf = None,
) -> Result[list[AboutShown]]:
    """What the sources say about an entity: documents that name it or that its facts are from."""
    with asking(memory, as_of) as asked:
        who = asked.entity(entity, "entity")
        names = Names([who.name, *asked.view.aliases(who)])
        naming = _by_document(asked, names)
        sourced = _sourced(asked, who)
        documents = asked.view.documents({*naming, *sourced})
        told = [
            _about(each, naming.get(each.id, ()), sourced.get(each.id, 0), names)
            for each in documents.values()
            if each.deleted is None and (type is None or each.type in spelled_types(type))
        ]
        return listed(sorted(told, key=_best_first), limit, asked)


def _by_document(asked: Asking, names: Names) -> dict[DocumentId, list[Naming]]:
    """By document, the passages that name the entity."""
    index = StoredIndex(asked.view, asked.memory.kept.matrices)
    found: dict[DocumentId, list[Naming]] = {}
    for each in passages_naming(index, names, Filter()).values():
        found.setdefault(each.chunk.document, []).append(each)
    return found


def _sourced(asked: Asking, entity: Entity) -> dict[DocumentId, int]:
    """By document, how many live relations of the entity come from it."""
    relations = asked.lore.relations_of([entity.id])
    sources = asked.lore.sources(each.id for each in relations)
    found: dict[DocumentId, int] = {}
    for relation in relations:
        for document in {each.document for each in sources[relation.id]}:
            if document is not None:
                found[document] = found.get(document, 0) + 1
    return found


def _about(document: Document, naming: Sequence[Naming], relations: int, names: Names) -> AboutShown:
    is_titled = bool(document.title and names.count(document.title))
    weight = sum(each.times for each in naming) + TITLE_WEIGHT * is_titled + relations
    return {
        "document_id": say_uuid(document.id),
        "title": document.title,
        "source_type": document.type,
        "author": document.author,
        "relevance": round(weight / (weight + HALF_WAY), 4),
        "chunks": [_chunk(each) for each in sorted(naming, key=_most_first)[:MOST_CHUNKS]],
        "reliability": say_reliability(document),
        "visibility": say_visibility(document),
        "world_time": say_world_time(document),
        "url": document.url,
    }


def _most_first(naming: Naming) -> tuple[int, int]:
    return -naming.times, naming.chunk.seq


def _chunk(naming: Naming) -> ChunkShown:
    return {"chunk_id": found_chunk_uuid(naming.chunk), "text": body(naming.chunk), "mentions": naming.times}


def _best_first(told: AboutShown) -> tuple[float, str, str]:
    return -told["relevance"], told["title"] or "", told["document_id"]
