"""Physical erasure in every version, for privacy and retention; what was erased is known by its hash alone."""

import hashlib
import json
from collections.abc import Collection, Iterable

from recollect.model.ids import DocumentId
from recollect.store.binary_code_blocks import erase_codes_of
from recollect.store.change import Change
from recollect.store.fact_index import drop_fact_index
from recollect.store.queries import sqlite_queries

ERASE_QUERIES = "forget_in_"


def tombstone_hash(*parts: str) -> str:
    """What something is known by once it is gone."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def add_tombstones(change: Change, hashes: Iterable[str]) -> None:
    """Let what these hashes stand for never come back."""
    rows = [{"ws": change.ws, "hash": each, "at": change.now} for each in sorted(set(hashes))]
    change.connection.run_many("forgotten_add", rows)
    change.recent.forgotten = None


def erase_rows(change: Change, ids: Collection[str]) -> None:
    """Remove every row that names one of these, from every table."""
    drop_fact_index(change)
    for query in sorted(name for name in sqlite_queries().names if name.startswith(ERASE_QUERIES)):
        change.connection.run(query, {"ws": change.ws, "ids": sorted(ids)})


def erase_body(change: Change, document: DocumentId) -> None:
    """Remove the text of a document, its passages with their words and vectors, and what was quoted from it."""
    key = {"ws": change.ws, "document": document}
    passages = change.rows("chunks_ever", document=document)
    change.connection.run_many("words_drop", [{"ws": change.ws, "number": number} for number, _, _ in passages])
    change.connection.run("chunk_number_keep", key)
    change.connection.run("chunks_erase", key)
    hashes = sorted({digest for _, digest, _ in passages})
    with erase_codes_of(change, hashes):
        change.connection.run("embeddings_erase", {"ws": change.ws, "hashes": hashes})
    texts = sorted(digest for (digest,) in change.rows("contents_ever", document=document))
    change.connection.run("contents_unname", key)
    change.connection.run("contents_erase", {"ws": change.ws, "hashes": texts})
    change.connection.run("quotes_erase", key)
    # What all texts add up to is worked out anew: this is no change that it could follow.
    change.connection.run("sync_state_drop", {"ws": change.ws})
