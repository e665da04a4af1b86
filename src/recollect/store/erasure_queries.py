"""Queries of erasure: what refers to a thing in any of its versions, and the removal of it all but for a hash."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.store.binary_code_blocks import erase_codes_of
from recollect.store.change import Change
from recollect.store.fact_index import drop_fact_index
from recollect.store.fact_vectors import drop_fact_vectors
from recollect.store.queries import ERASE_QUERIES, sqlite_queries
from recollect.store.view import View


class ErasedChunk(NamedTuple):
    number: int
    digest: str
    length: int


def tombstone_hash(*parts: str) -> str:
    """The hash that remains of something erased."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def add_tombstones(change: Change, hashes: Iterable[str]) -> None:
    """Prevent what has these hashes from being added again."""
    change.run_many("forgotten_add", [{"hash": each, "at": change.now} for each in sorted(set(hashes))])
    change.recent.forgotten = None


def drop_tombstones(change: Change, hashes: Collection[str]) -> None:
    """Let what has these hashes be added again."""
    if hashes:
        change.run("forgotten_drop", hashes=sorted(hashes))
        change.recent.forgotten = None


def erase_rows(change: Change, ids: Collection[str]) -> None:
    """Delete every row that refers to one of these, from every table."""
    drop_fact_index(change)
    drop_fact_vectors(change, ids)
    for query in sorted(name for name in sqlite_queries().names if name.startswith(ERASE_QUERIES)):
        change.run(query, ids=sorted(ids))
    change.run("idempotent_answers_erase")


def erase_body(change: Change, document: DocumentId) -> None:
    """Delete the text of a document, its chunks with their index entries and vectors, and quotes from it."""
    chunks = change.fetch(ErasedChunk, "chunks_ever", document=document)
    change.run_many("words_drop", [{"number": chunk.number} for chunk in chunks])
    change.run("chunk_number_keep", document=document)
    change.run("chunks_erase", document=document)
    hashes = sorted({chunk.digest for chunk in chunks})
    with erase_codes_of(change, hashes):
        change.run("embeddings_erase", hashes=hashes)
    texts = sorted(change.fetch_values("contents_ever", document=document))
    change.run("contents_unname", document=document)
    change.run("contents_erase", hashes=texts)
    change.run("quotes_erase", document=document)
    # The checksum over all texts is recomputed: it cannot be updated from this change.
    change.run("sync_state_drop")
    change.run("idempotent_answers_erase")


class DocumentName(NamedTuple):
    kind: str
    key: str


class AssertionVersion(NamedTuple):
    """One version of an assertion: the fact it states and the words it quotes."""

    id: str
    fact: FactId
    quote: str | None
    evidence: str | None
    given: str | None
    tx_from: int


class AssertionSource(NamedTuple):
    id: str
    fact: FactId
    document: DocumentId | None


class EntityName(NamedTuple):
    """A type and folded name that an entity had, and the transaction that first gave them."""

    type: str
    folded: str
    first_tx: int


class FactText(NamedTuple):
    """The words that one version of a fact repeats from its sources."""

    id: FactId
    tx_from: int
    words: str | None
    evidence: str | None


class SummaryVersion(NamedTuple):
    id: DocumentId
    key: str
    provenance: Mapping[str, Any]


class EntityVersion(NamedTuple):
    id: EntityId
    tx_from: int
    reason: str | None
    properties: Mapping[str, Any]


class IndexedName(NamedTuple):
    folded: str
    key: str


def document_names(view: View, document: str) -> list[DocumentName]:
    return view.fetch(DocumentName, "document_ever", id=document)


class FormerDocument(NamedTuple):
    """A name that a document had, and the hash of a text it had under it."""

    id: DocumentId
    kind: str
    key: str
    content: str | None


def documents_ever(view: View) -> Iterator[FormerDocument]:
    return (FormerDocument._make(row) for row in view.rows("documents_ever"))


def facts_ever(view: View) -> Iterator[FactId]:
    return (FactId(id_) for (id_,) in view.rows("facts_ever"))


def entities_ever(view: View) -> Iterator[tuple[EntityId, EntityName]]:
    """Every entity with each type and folded name that it had."""
    return ((EntityId(id_), EntityName(type_, folded, 0)) for id_, type_, folded in view.rows("entities_ever"))


def tombstones(view: View) -> list[str]:
    return sorted(str(digest) for (digest,) in view.rows("forgotten_hashes"))


def tombstones_among(view: View, hashes: Collection[str]) -> set[str]:
    """Those of some hashes that are tombstones."""
    return set(view.fetch_values("forgotten_among", hashes=sorted(hashes))) if hashes else set()


def documents_with_key(view: View, kinds: Collection[str], key: str) -> list[DocumentId]:
    return [DocumentId(id_) for id_, _ in view.rows("documents_keyed", kinds=kinds, key=key)]


def document_hashes(view: View, document: DocumentId) -> list[str]:
    """The content hashes of a document, those of erased texts included."""
    return [digest for digest, _ in view.rows("document_texts_ever", document=document)]


def document_texts(view: View, document: DocumentId) -> list[str]:
    """The texts of a document that are stored and not empty."""
    return [text for _, text in view.rows("document_texts_ever", document=document) if text]


def document_txs(view: View, documents: Collection[DocumentId]) -> set[int]:
    """The transactions that wrote a version of these documents."""
    return {int(tx) for (tx,) in view.rows("document_txs_ever", ids=sorted(documents))} if documents else set()


def assertions_from(view: View, documents: Collection[DocumentId]) -> list[AssertionVersion]:
    return view.fetch(AssertionVersion, "assertions_ever_from", ids=sorted(documents)) if documents else []


def assertions_of(view: View, facts: Collection[FactId]) -> list[AssertionSource]:
    return view.fetch(AssertionSource, "assertions_ever_of", ids=sorted(facts)) if facts else []


def fact_exists(view: View, fact: str) -> bool:
    return bool(view.rows("fact_ever", id=fact))


def facts_touching(view: View, entities: Collection[EntityId]) -> set[FactId]:
    """The facts that have one of these entities as subject or object."""
    return set(view.fetch_values("facts_ever_touching", ids=sorted(entities))) if entities else set()


def ends_of(view: View, facts: Collection[FactId]) -> set[EntityId]:
    """The subjects and objects of facts."""
    rows = view.rows("ends_ever", ids=sorted(facts)) if facts else ()
    return {EntityId(end) for row in rows for end in row if end}


def fact_slots(view: View, facts: Collection[FactId]) -> set[int]:
    return {int(slot) for (slot,) in view.rows("fact_slots_ever", ids=sorted(facts))} if facts else set()


def facts_in_slots(view: View, slots: Collection[int]) -> set[FactId]:
    return set(view.fetch_values("facts_in_slots_ever", slots=sorted(slots))) if slots else set()


def fact_texts(view: View, facts: Collection[FactId]) -> list[FactText]:
    return view.fetch(FactText, "fact_words_ever", ids=sorted(facts)) if facts else []


def entity_names(view: View, entity: str) -> list[EntityName]:
    return view.fetch(EntityName, "entity_ever", id=entity)


def indexed_names(view: View, entities: Collection[EntityId]) -> list[IndexedName]:
    return view.fetch(IndexedName, "names_ever_of", ids=sorted(entities)) if entities else []


def entities_with_source(view: View, property_name: str, key: str) -> list[EntityVersion]:
    """The versions of entities that name a document by its key in this property."""
    rows = view.rows("entities_learned_from", pattern=f'%"{property_name}": {json.dumps(key)}%')
    return [EntityVersion(id_, tx_from, reason, json.loads(text)) for id_, tx_from, reason, text in rows]


def documents_ever_mentioning(view: View, entity: EntityId) -> set[DocumentId]:
    return set(view.fetch_values("mentions_ever_of", entity=entity))


def entities_mentioned(view: View, documents: Collection[DocumentId]) -> set[EntityId]:
    return set(view.fetch_values("mentioned_ever", ids=sorted(documents))) if documents else set()


def summary_versions(view: View) -> list[SummaryVersion]:
    """The versions of weekly, monthly and yearly memories that record how they were made."""
    rows = ((id_, key, json.loads(text)) for id_, key, _, text in view.rows("summaries_ever"))
    return [SummaryVersion(id_, key, properties["summary"]) for id_, key, properties in rows if "summary" in properties]


def bullets_of_memory(view: View, memory: str) -> list[tuple[DocumentId, str]]:
    """The imported bullets of a memory: the conversation each came from and the hash of its line."""
    return [(DocumentId(document), digest) for document, digest in view.rows("chat_bullets_by_memory", memory=memory)]


def findings_naming(view: View, ids: Collection[str]) -> set[str]:
    return set(view.fetch_values("findings_naming", ids=sorted(ids)))


def erase_commits(change: Change, document: DocumentId) -> None:
    """Remove the commits that list a document: a repeat would report it as stored."""
    change.run("commits_erase", pattern=f'%"{document}"%')


def erase_memory_words(change: Change, document: DocumentId) -> None:
    change.run("memory_words_erase", ids=[document])


def erase_node_vectors(change: Change, entity: EntityId) -> None:
    change.run("node_vectors_erase", low=f"{entity}:", high=f"{entity};")


def erase_snapshots(change: Change, category: str, stem: str) -> None:
    change.run("snapshots_erase", category=category, stem=stem)


def rewrite_properties(change: Change, version: EntityVersion, properties: Mapping[str, Any]) -> None:
    """Replace the properties of one version of an entity in place."""
    text = json.dumps(properties, ensure_ascii=False)
    change.run("entity_scrub", id=version.id, tx_from=version.tx_from, properties=text)


def rewrite_fact_text(change: Change, version: FactText) -> None:
    """Replace the words of one version of a fact in place."""
    change.run("fact_scrub", **version._asdict())


def clear_references(change: Change, fact: FactId, among: Collection[FactId]) -> None:
    """Let none of these facts, nor any that supersedes it, refer to an erased fact."""
    change.run("fact_unname", id=fact, ids=sorted(among))


def erase_name_words(change: Change, words: Collection[str], keys: Collection[str]) -> None:
    change.run("name_words_erase", tokens=sorted(words), keys=sorted(keys))


def erase_token_variants(change: Change, variants: Iterable[tuple[str, str]]) -> None:
    """Remove the variants of tokens that no name has any more."""
    change.run_many("token_variant_erase", [{"variant": variant, "token": token} for variant, token in variants])
