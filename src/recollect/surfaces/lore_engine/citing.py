"""`cite`: which passages stand behind a claim, and which speak against it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from recollect.embed.port import EmbeddingFailed, Vectors
from recollect.keep.indexing import index_before_read
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.ids import DocumentId, EntityId, say_fact, say_uuid
from recollect.reason.lore.claims import read_claim, weighed
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import Source
from recollect.search.naming import Names, body
from recollect.search.verbatim import quotations
from recollect.store.found import Filter, FoundChunk
from recollect.store.index import StoredIndex
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import listed
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.lore_results import CitedShown, Support
from recollect.surfaces.lore_engine.passages import found_chunk_uuid, say_reliability
from recollect.surfaces.lore_engine.shapes import TEXT_LIMIT, AsOf, text
from recollect.surfaces.lore_engine.shown import say_text
from recollect.surfaces.lore_engine.surface import surface

NEAR = 0.6
NEAR_AND_NAMED = 0.5
LOOKED_AT = 200
SUPPORTS: tuple[Support, ...] = ("supports", "contradicts", "related")

Claim = Annotated[str, *text(TEXT_LIMIT), Field(description="A statement, in any words")]
CiteLimit = Annotated[int, Field(ge=1, le=50, description="At most this many passages")]
Key = tuple[Support, DocumentId | None, int | str]


@dataclass(slots=True)
class _Entry:
    """A passage, or a source without one, and the relations it is cited for."""

    support: Support
    title: str | None
    text: str
    chunk: FoundChunk | None = None
    document: DocumentId | None = None
    url: str | None = None
    quote: str | None = None
    relations: list[str] = field(default_factory=list)
    is_verbatim: bool = False


@surface.tool("read", example={"claim": "House Orrin and Saltguard were allied in second_tide.year_60"})
def cite(memory: Memory, claim: Claim, limit: CiteLimit = 10, as_of: AsOf = None) -> Result[list[CitedShown]]:
    """The passages that stand behind a claim, those against it, and those near it.

    A relation between the named things supports the claim, or contradicts it at the time that the claim states. A
    sentence that stands word for word in a source is always found, with the sentence as `quote`.
    """
    index_before_read(memory)
    with asking(memory, as_of) as asked:
        found = _Cited(asked, claim).entries()
        return listed(found, limit, asked)


class _Cited:
    """The passages around one claim."""

    def __init__(self, asked: Asking, claim: str) -> None:
        self._asked = asked
        self._claim = claim
        self._index = StoredIndex(asked.view, asked.memory.kept.matrices)
        self._vector = _vector(asked.memory, claim)

    def entries(self) -> list[CitedShown]:
        claimed = read_claim(self._asked.lore, self._claim)
        found = {**self._weighed(weighed(self._asked.lore, claimed))}
        self._add_quotations(found)
        cited = {each.chunk.number for each in found.values() if each.chunk is not None}
        related = self._related(claimed.entities, cited)
        entries = [*found.values(), *related]
        alike = self._similarities(entries)
        documents = self._asked.view.documents({each.document for each in entries if each.document is not None})
        order = sorted(range(len(entries)), key=lambda at: _order(entries[at], alike[at], at))
        return [_shown(entries[at], alike[at], documents) for at in order]

    def _weighed(self, relations: Iterable[tuple[Relation, Support]]) -> Mapping[Key, _Entry]:
        """One entry for each passage, whatever it is cited for."""
        found: dict[Key, _Entry] = {}
        for relation, support in relations:
            for source in self._asked.lore.sources([relation.id])[relation.id]:
                entry = self._entry(relation, support, source)
                place = entry.chunk.number if entry.chunk is not None else f"{entry.title}: {entry.text}"
                held = found.setdefault((support, entry.document, place), entry)
                if say_fact(relation.id) not in held.relations:
                    held.relations.append(say_fact(relation.id))
        return found

    def _add_quotations(self, found: dict[Key, _Entry]) -> None:
        """Adds the passages in which the claim stands word for word; a passage already cited keeps its place."""
        for each in quotations(self._asked.view, self._index, self._claim):
            cited = [entry for entry in found.values() if entry.chunk and entry.chunk.number == each.chunk.number]
            for entry in cited:
                entry.quote = entry.quote or each.quote
                entry.is_verbatim = True
            if not cited:
                chunk = each.chunk
                entry = _Entry("related", chunk.title, body(chunk), chunk, chunk.document, quote=each.quote)
                entry.is_verbatim = True
                found["related", chunk.document, chunk.number] = entry

    def _entry(self, relation: Relation, support: Support, source: Source) -> _Entry:
        if source.document is None:
            words = say_text(relation, self._asked.lore.entities(relation.ends))
            return _Entry(support, source.name, words, url=source.url, quote=source.quote)
        chunk = self._passage(relation, source, source.document)
        words = body(chunk) if chunk is not None else source.quote or ""
        return _Entry(support, source.title, words, chunk, source.document, source.url, source.quote)

    def _passage(self, relation: Relation, source: Source, document: DocumentId) -> FoundChunk | None:
        """The passage that says it: the one with the quote, else the one that names its ends most."""
        chunks = self._index.chunks([each.number for each in self._asked.view.chunks(document)], Filter())
        quote = _squeezed(source.quote or "")
        quoted = [each for each in chunks.values() if quote and quote in _squeezed(each.text)]
        if quoted:
            return quoted[0]
        names = self._names(relation.ends)
        return max(chunks.values(), key=lambda each: (_naming(each, names), -each.seq), default=None)

    def _names(self, entities: Iterable[EntityId]) -> list[Names]:
        found = self._asked.lore.entities(entities)
        return [Names([each.name, *self._asked.view.aliases(each)]) for each in found.values()]

    def _related(self, entities: Iterable[EntityId], cited: set[int]) -> list[_Entry]:
        if self._vector is None:
            return []
        vector, model = self._vector
        near = dict(self._index.nearest(vector, model, Filter(), LOOKED_AT))
        close = [number for number, cosine in near.items() if cosine >= NEAR_AND_NAMED and number not in cited]
        names = self._names(entities)
        chunks = self._index.chunks(close, Filter())
        return [
            _Entry("related", chunk.title, body(chunk), chunk, chunk.document)
            for number, chunk in chunks.items()
            if near[number] >= NEAR or _naming(chunk, names)[0]
        ]

    def _similarities(self, entries: list[_Entry]) -> list[float | None]:
        """The cosine of the claim with each entry; those without a stored vector are embedded here."""
        if self._vector is None:
            return [None] * len(entries)
        vector, model = self._vector
        numbers = {each.chunk.number for each in entries if each.chunk is not None}
        known = self._index.cosines(vector, model, numbers)
        found = [known.get(each.chunk.number) if each.chunk is not None else None for each in entries]
        missing = [at for at, cosine in enumerate(found) if cosine is None]
        fresh = _embedded(self._asked.memory, [entries[at].text for at in missing])
        for at, row in zip(missing, fresh, strict=False):
            found[at] = float(row @ vector)
        return [None if each is None else round(min(1.0, max(0.0, each)), 4) for each in found]


def _vector(memory: Memory, claim: str) -> tuple[Vectors, str] | None:
    rows = _embedded(memory, [claim])
    embedder = memory.embedder
    return (rows[0], embedder.model) if rows and embedder is not None else None


def _embedded(memory: Memory, texts: list[str]) -> list[Vectors]:
    """The vectors of texts; none if no model answers."""
    embedder = memory.embedder
    if embedder is None or not texts:
        return []
    try:
        return list(embedder.embed(texts))
    except EmbeddingFailed:
        return []


def _naming(chunk: FoundChunk, names: Iterable[Names]) -> tuple[int, int]:
    """How many of the things a passage names, and how often."""
    counts = [each.count(body(chunk)) for each in names]
    return sum(map(bool, counts)), sum(counts)


def _squeezed(text: str) -> str:
    return " ".join(text.split()).casefold()


def _order(entry: _Entry, alike: float | None, at: int) -> tuple[int, bool, float, int]:
    """By support; there the passages that have the very sentence first, however long they are."""
    return SUPPORTS.index(entry.support), not entry.is_verbatim, -(alike or 0.0), at


def _shown(entry: _Entry, alike: float | None, documents: Mapping[DocumentId, Document]) -> CitedShown:
    document = None if entry.document is None else documents.get(entry.document)
    return {
        "document_id": None if entry.document is None else say_uuid(entry.document),
        "title": entry.title,
        "chunk_id": None if entry.chunk is None else found_chunk_uuid(entry.chunk),
        "text": entry.text,
        "similarity": alike,
        "support": entry.support,
        "relation_ids": entry.relations,
        "url": entry.url or (document.url if document else None),
        "reliability": "canonical" if document is None else say_reliability(document),
        "quote": entry.quote,
    }
