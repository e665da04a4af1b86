"""Physical erasure of every version, for privacy and retention; only a hash remains of what was erased."""

import hashlib
import json
from collections.abc import Collection, Iterable
from typing import NamedTuple

from recollect.model.ids import DocumentId
from recollect.store.binary_code_blocks import erase_codes_of
from recollect.store.change import Change
from recollect.store.fact_index import drop_fact_index
from recollect.store.fact_vectors import drop_fact_vectors
from recollect.store.queries import sqlite_queries

ERASE_QUERIES = "forget_in_"


class ErasedChunk(NamedTuple):
    number: int
    digest: str
    length: int


def tombstone_hash(*parts: str) -> str:
    """The hash that remains of something erased."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def add_tombstones(change: Change, hashes: Iterable[str]) -> None:
    """Prevent what has these hashes from being added again."""
    rows = [{"ws": change.ws, "hash": each, "at": change.now} for each in sorted(set(hashes))]
    change.connection.run_many("forgotten_add", rows)
    change.recent.forgotten = None


def erase_rows(change: Change, ids: Collection[str]) -> None:
    """Delete every row that refers to one of these, from every table."""
    drop_fact_index(change)
    drop_fact_vectors(change, ids)
    for query in sorted(name for name in sqlite_queries().names if name.startswith(ERASE_QUERIES)):
        change.connection.run(query, {"ws": change.ws, "ids": sorted(ids)})
    change.connection.run("idempotent_answers_erase", {"ws": change.ws})


def erase_body(change: Change, document: DocumentId) -> None:
    """Delete the text of a document, its chunks with their index entries and vectors, and quotes from it."""
    key = {"ws": change.ws, "document": document}
    chunks = change.fetch(ErasedChunk, "chunks_ever", document=document)
    change.connection.run_many("words_drop", [{"ws": change.ws, "number": chunk.number} for chunk in chunks])
    change.connection.run("chunk_number_keep", key)
    change.connection.run("chunks_erase", key)
    hashes = sorted({chunk.digest for chunk in chunks})
    with erase_codes_of(change, hashes):
        change.connection.run("embeddings_erase", {"ws": change.ws, "hashes": hashes})
    texts = sorted(digest for (digest,) in change.rows("contents_ever", document=document))
    change.connection.run("contents_unname", key)
    change.connection.run("contents_erase", {"ws": change.ws, "hashes": texts})
    change.connection.run("quotes_erase", key)
    # The checksum over all texts is recomputed: it cannot be updated from this change.
    change.connection.run("sync_state_drop", {"ws": change.ws})
    change.connection.run("idempotent_answers_erase", {"ws": change.ws})
