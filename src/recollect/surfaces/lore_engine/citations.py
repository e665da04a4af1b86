"""`cite`: passages behind a claim and against it; and how citations print."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, NamedTuple

from pydantic import Field

from recollect.embed.port import EmbeddingFailed, Vectors
from recollect.indexing import index_before_read
from recollect.memory import Memory
from recollect.model.document import Document, passage_body
from recollect.model.fact import NOTHING
from recollect.model.ids import DocumentId, EntityId, FactId, format_fact_id, format_uuid
from recollect.model.trust import SOURCE_TRUST
from recollect.reason.lore.claims import parse_claim, weigh_claim
from recollect.reason.lore.narration.rendering import Citation
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import LoreSource
from recollect.search.hidden_sentences import hidden_text
from recollect.search.name_search import NameCounter
from recollect.search.recall import RecallRequest, recall
from recollect.search.recall_results import RecalledPassage
from recollect.search.verbatim import quotations
from recollect.store.fact_vectors import FactVectorFilter, FactVectors
from recollect.store.passage_filter import PassageFilter, PassageRow
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.surfaces.declarations import Result
from recollect.surfaces.lore_engine.rendering import chunk_uuid_of, document_reliability, relation_text
from recollect.surfaces.lore_engine.results import TEXT_LIMIT, AsOf, CitedPassageView, SupportStance, text_validators
from recollect.surfaces.lore_engine.session import ReadSession, list_result, read_session
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.views import TrustMarks, mark_passage, mark_trust
from recollect.text.fold import fold_case
from recollect.when.period import time_text


class CitationView(TrustMarks):
    """What one number of a text stands for."""

    relation_id: str
    statement: str
    at: str | None
    sources: list[str]
    confidence: float | None
    disputed: bool
    document_ids: list[str]


def render_citations(citations: Iterable[Citation]) -> dict[str, CitationView]:
    """The citations by number."""
    return {str(each.number): _render_citation(each) for each in citations}


def _render_citation(citation: Citation) -> CitationView:
    shown: CitationView = {
        "relation_id": format_fact_id(citation.fact),
        "statement": citation.statement,
        "at": time_text(citation.at),
        "sources": list(citation.sources),
        "confidence": citation.confidence,
        "disputed": citation.disputed,
        "document_ids": [format_uuid(each) for each in citation.documents],
    }
    mark_trust(shown, {SOURCE_TRUST: citation.trust}, citation.statement)
    return shown


MIN_SIMILARITY = 0.6
MIN_SIMILARITY_NAMED = 0.5
MAX_NEAREST = 3
"""This many are listed if none is as near as that."""
NEAREST_ONLY = (
    "No source is known to state or deny the claim. What is listed is only near it in meaning: do not cite it."
)
MAX_PASSAGES = 200
MAX_FACTS = 20
RELATED: SupportStance = "related"
STANCE_ORDER: tuple[SupportStance, ...] = ("supports", "contradicts", "related")

ClaimText = Annotated[str, *text_validators(TEXT_LIMIT), Field(description="A statement, in any words")]
CiteLimit = Annotated[int, Field(ge=1, le=50, description="At most this many passages")]
EntryKey = tuple[SupportStance, DocumentId | None, int | str]


@dataclass(slots=True)
class _CitedEntry:
    """A passage, or a source without one, and the relations it is cited for."""

    support: SupportStance
    title: str | None
    text: str
    chunk: PassageRow | None = None
    document: DocumentId | None = None
    url: str | None = None
    quote: str | None = None
    relations: list[str] = field(default_factory=list)
    is_verbatim: bool = False
    marks: Mapping[str, object] = field(default_factory=lambda: NOTHING)
    """How far a source without a document is trusted."""


@surface.tool("read", example={"claim": "House Orrin and Saltguard were allied in second_tide.year_60"})
def cite(memory: Memory, claim: ClaimText, limit: CiteLimit = 10, as_of: AsOf = None) -> Result[list[CitedPassageView]]:
    """The passages that stand behind a claim, those against it, and those near it.

    A relation between the named things supports the claim, or contradicts it at the time that the claim states. If no
    source does either, and none is near, the next nearest are listed as `related`, with `cited` false in `_meta`.
    """
    index_before_read(memory)
    with read_session(memory, as_of) as session:
        found = _CitationFinder(session, claim).entries()
        listed = list_result(found.shown, limit, session)
        if not found.are_nearest_only:
            return listed
        texts, meta = (*listed.extra_texts, NEAREST_ONLY), {**listed.meta, "cited": False}
        return replace(listed, extra_texts=texts, meta=meta)


class _FoundEntries(NamedTuple):
    """What is listed; `are_nearest_only` if none of it is cited for the claim."""

    shown: list[CitedPassageView]
    are_nearest_only: bool


class _CitationFinder:
    """The passages around one claim."""

    def __init__(self, session: ReadSession, claim: str) -> None:
        self._session = session
        self._claim = claim
        self._index = StoredPassageIndex(session.view, session.memory.cache.vectors)
        self._vector = _claim_vector(session.memory, claim)

    def entries(self) -> _FoundEntries:
        claimed = parse_claim(self._session.lore, self._claim)
        found = self._collect_entries(weigh_claim(self._session.lore, claimed))
        self._add_quotations(found)
        named = frozenset(claimed.entities)
        self._add_near_relations(found, named)
        cited = {each.chunk.number for each in found.values() if each.chunk is not None}
        related = self._related_entries(claimed.entities, cited)
        cited_entries = self._without_hidden([*found.values(), *related])
        entries = cited_entries or self._nearest_entries(named)
        alike = self._similarities(entries)
        documents = self._session.view.documents({each.document for each in entries if each.document is not None})
        order = sorted(range(len(entries)), key=lambda at: _entry_order(entries[at], alike[at], at))
        shown = [_render_entry(self._session.view, entries[at], alike[at], documents) for at in order]
        return _FoundEntries(shown, bool(shown) and not cited_entries)

    def _without_hidden(self, entries: list[_CitedEntry]) -> list[_CitedEntry]:
        """The entries without what somebody asked to hide of them; those that say nothing else are left out."""
        hidden = hidden_text(self._session.view, {each.document for each in entries if each.document is not None})
        for each in entries:
            if each.document is not None:
                each.text = hidden.remove_from(each.text, each.document)
                is_shown = each.quote and hidden.remove_from(each.quote, each.document) == each.quote
                each.quote = each.quote if is_shown else None
                each.is_verbatim = each.is_verbatim and bool(is_shown)
        return [each for each in entries if each.text]

    def _collect_entries(self, relations: Iterable[tuple[Relation, SupportStance]]) -> dict[EntryKey, _CitedEntry]:
        """One entry for each passage, whatever it is cited for."""
        found: dict[EntryKey, _CitedEntry] = {}
        for relation, support in relations:
            for source in self._session.lore.sources([relation.id])[relation.id]:
                entry = self._entry(relation, support, source)
                place = entry.chunk.number if entry.chunk is not None else f"{entry.title}: {entry.text}"
                held = found.setdefault((support, entry.document, place), entry)
                if format_fact_id(relation.id) not in held.relations:
                    held.relations.append(format_fact_id(relation.id))
        return found

    def _add_quotations(self, found: dict[EntryKey, _CitedEntry]) -> None:
        """Adds the passages in which the claim stands word for word; a passage already cited keeps its place."""
        for each in quotations(self._session.view, self._index, self._claim):
            cited = [entry for entry in found.values() if entry.chunk and entry.chunk.number == each.chunk.number]
            for entry in cited:
                entry.quote = entry.quote or each.quote
                entry.is_verbatim = True
            if not cited:
                chunk = each.chunk
                entry = replace(_related_entry(chunk), quote=each.quote, is_verbatim=True)
                found["related", chunk.document, chunk.number] = entry

    def _nearest_entries(self, named: frozenset[EntityId]) -> list[_CitedEntry]:
        """The sources of the first few that `recall` would answer the claim with; none without an embedder.

        They are cited for nothing, so they have neither relations nor a quote.
        """
        if self._vector is None:
            return []
        view = self._session.view
        found: dict[EntryKey, _CitedEntry] = {}
        for each in recall(self._session.memory, view, RecallRequest(self._claim, view.world.present))[:MAX_NEAREST]:
            if isinstance(each, RecalledPassage):
                chunk = each.chunk
                found["related", chunk.document, chunk.number] = _related_entry(chunk)
            else:
                relations = self._session.lore.by_id([each.row.fact.id])
                new = ((relation, RELATED) for relation in relations if not _was_weighed(relation, named))
                found = {**self._collect_entries(new), **found}
        nearest = self._without_hidden([*found.values()])[:MAX_NEAREST]
        return [replace(each, relations=[], quote=None) for each in nearest]

    def _add_near_relations(self, found: dict[EntryKey, _CitedEntry], named: frozenset[EntityId]) -> None:
        """Adds the sources of relations that say nearly what the claim says; what is already cited keeps its place.

        One of a named thing may be as far away as a passage that names it.
        """
        if self._vector is None or self._session.memory.embedder is None:
            return
        vectors = FactVectors(self._session.view, self._session.memory.cache.vectors, self._session.memory.embedder)
        hits = vectors.nearest(self._vector[0], FactVectorFilter(), MAX_FACTS)
        near = {FactId(fact): cosine for fact, cosine in hits if cosine >= MIN_SIMILARITY_NAMED}
        cited = {relation for each in found.values() for relation in each.relations}
        relations = self._session.lore.by_id(list(near)) if near else []
        new: list[tuple[Relation, SupportStance]] = [
            (each, "related")
            for each in relations
            if format_fact_id(each.id) not in cited
            and not _was_weighed(each, named)
            and (near[each.id] >= MIN_SIMILARITY or not named.isdisjoint(each.ends))
        ]
        numbers = {each.chunk.number for each in found.values() if each.chunk is not None}
        for key, entry in self._collect_entries(new).items():
            if entry.chunk is None or entry.chunk.number not in numbers:
                found.setdefault(key, entry)

    def _entry(self, relation: Relation, support: SupportStance, source: LoreSource) -> _CitedEntry:
        if source.document is None:
            words = relation_text(relation, self._session.lore.entities(relation.ends))
            marks = relation.fact.attributes
            return _CitedEntry(support, source.name, words, url=source.url, quote=source.quote, marks=marks)
        chunk = self._passage(relation, source, source.document)
        words = passage_body(chunk) if chunk is not None else source.quote or ""
        return _CitedEntry(support, source.title, words, chunk, source.document, source.url, source.quote)

    def _passage(self, relation: Relation, source: LoreSource, document: DocumentId) -> PassageRow | None:
        """The passage that says it: the one with the quote, else the one that names its ends most."""
        chunks = self._index.chunks([each.number for each in self._session.view.chunks(document)], PassageFilter())
        quote = fold_case(source.quote or "")
        quoted = [each for each in chunks.values() if quote and quote in fold_case(each.text)]
        if quoted:
            return quoted[0]
        names = self._names(relation.ends)
        return max(chunks.values(), key=lambda each: (_count_names(each, names), -each.seq), default=None)

    def _names(self, entities: Iterable[EntityId]) -> list[NameCounter]:
        found = self._session.lore.entities(entities)
        return [NameCounter([each.name, *self._session.view.aliases(each)]) for each in found.values()]

    def _related_entries(self, entities: Iterable[EntityId], cited: set[int]) -> list[_CitedEntry]:
        if self._vector is None:
            return []
        vector, model = self._vector
        near = dict(self._index.nearest(vector, model, PassageFilter(), MAX_PASSAGES))
        close = [number for number, cosine in near.items() if cosine >= MIN_SIMILARITY_NAMED and number not in cited]
        names = self._names(entities)
        chunks = self._index.chunks(close, PassageFilter())
        return [
            _related_entry(chunk)
            for number, chunk in chunks.items()
            if near[number] >= MIN_SIMILARITY or _count_names(chunk, names)[0]
        ]

    def _similarities(self, entries: list[_CitedEntry]) -> list[float | None]:
        """The cosine of the claim with each entry; those without a stored vector are embedded here."""
        if self._vector is None:
            return [None] * len(entries)
        vector, model = self._vector
        numbers = {each.chunk.number for each in entries if each.chunk is not None}
        known = self._index.cosines(vector, model, numbers)
        found = [known.get(each.chunk.number) if each.chunk is not None else None for each in entries]
        missing = [at for at, cosine in enumerate(found) if cosine is None]
        fresh = _embed_texts(self._session.memory, [entries[at].text for at in missing])
        for at, row in zip(missing, fresh, strict=False):
            found[at] = float(row @ vector)
        return [None if each is None else round(min(1.0, max(0.0, each)), 4) for each in found]


def _related_entry(chunk: PassageRow) -> _CitedEntry:
    return _CitedEntry("related", chunk.title, passage_body(chunk), chunk, chunk.document)


def _was_weighed(relation: Relation, named: frozenset[EntityId]) -> bool:
    """Whether a relation is one between named things: those that say what the claim says are cited already."""
    return len(relation.ends) > 1 and named.issuperset(relation.ends)


def _claim_vector(memory: Memory, claim: str) -> tuple[Vectors, str] | None:
    rows = _embed_texts(memory, [claim])
    embedder = memory.embedder
    return (rows[0], embedder.model) if rows and embedder is not None else None


def _embed_texts(memory: Memory, texts: list[str]) -> list[Vectors]:
    """The vectors of texts; none if no model answers."""
    embedder = memory.embedder
    if embedder is None or not texts:
        return []
    try:
        return list(embedder.embed(texts))
    except EmbeddingFailed:
        return []


def _count_names(chunk: PassageRow, names: Iterable[NameCounter]) -> tuple[int, int]:
    """How many of the things a passage names, and how often."""
    counts = [each.count(passage_body(chunk)) for each in names]
    return sum(map(bool, counts)), sum(counts)


def _entry_order(entry: _CitedEntry, alike: float | None, at: int) -> tuple[int, bool, float, int]:
    """By support; there the passages that have the very sentence first, however long they are."""
    return STANCE_ORDER.index(entry.support), not entry.is_verbatim, -(alike or 0.0), at


def _render_entry(
    view: View, entry: _CitedEntry, alike: float | None, documents: Mapping[DocumentId, Document]
) -> CitedPassageView:
    document = None if entry.document is None else documents.get(entry.document)
    shown: CitedPassageView = {
        "document_id": None if entry.document is None else format_uuid(entry.document),
        "title": entry.title,
        "chunk_id": None if entry.chunk is None else chunk_uuid_of(entry.chunk),
        "text": entry.text,
        "similarity": alike,
        "support": entry.support,
        "relation_ids": entry.relations,
        "url": entry.url or (document.url if document else None),
        "reliability": "canonical" if document is None else document_reliability(document),
        "quote": entry.quote,
    }
    said = f"{entry.title or ''}\n{entry.text}"
    if document is None:
        mark_trust(shown, entry.marks, said)
    else:
        mark_passage(
            shown, view, document, said, None if entry.chunk is None else (entry.chunk.start, entry.chunk.stop)
        )
    return shown
