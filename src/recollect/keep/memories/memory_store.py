"""Stored memories: loaded, written as new versions, restored and removed with all that rests on them."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import replace
from hashlib import sha256

from recollect.ingest.documents import DocumentDraft, store_document
from recollect.keep.documents import EARLIER_VERSIONS, documents_of, remove_forgotten, texts_of, version_numbers
from recollect.keep.formats import Granularity
from recollect.keep.graph.extraction import (
    drop_unsupported_nodes,
    entities_of_facts,
    entities_of_memory,
    normalize_quote,
    restore_supported_nodes,
)
from recollect.keep.graph.extraction_queue import cancel_extraction, enqueue_extraction
from recollect.keep.markdown import first_heading
from recollect.keep.memory_index.embeddings import drop_dead_vectors, passage_hashes
from recollect.keep.memory_index.index import index_memory
from recollect.keep.memory_index.mentions import initialize_links, link_memory
from recollect.keep.memory_index.stored_memory import (
    MEMORY_KIND,
    SUMMARY_GRANULARITIES,
    MemoryDraft,
    StoredMemory,
    SummaryProvenance,
    draft_of,
    draft_properties,
    is_memory,
)
from recollect.model.document import Document
from recollect.model.fact import Assertion, Fact
from recollect.store.change import Change
from recollect.store.rows import document_of
from recollect.store.view import View
from recollect.when.instant import Instant, day_end
from recollect.write.record import sum_assertions
from recollect.write.retract import retract_document, withdraw_assertions
from recollect.write.settle import resettle

__all__ = [
    "MEMORY_KIND",
    "SUMMARY_GRANULARITIES",
    "MemoryDraft",
    "StoredMemory",
    "SummaryProvenance",
    "derive_slug",
    "draft_of",
    "find_memory",
    "is_memory",
    "load_memories",
    "load_memory",
    "memories_between",
    "merge_unique",
    "put_memory",
    "remove_memory",
    "source_at",
]

SLUG_LENGTH = 50
SLUG_WORDS = 8
_INVALID_IN_SLUG = re.compile(r"[^a-z0-9]+")


def load_memories(view: View, documents: Collection[Document]) -> list[StoredMemory]:
    """These documents as memories, in the order given."""
    texts, versions = texts_of(view, documents), version_numbers(view, documents)
    return [StoredMemory(draft_of(each), texts[each.id], versions[each.id], each) for each in documents]


def load_memory(view: View, document: Document) -> StoredMemory:
    return load_memories(view, (document,))[0]


def find_memory(view: View, id_: str, *, deleted: bool = False) -> StoredMemory | None:
    """The memory of this id; a deleted one only if asked for."""
    document = view.document_named(MEMORY_KIND, id_)
    if document is None or not is_memory(document) or (document.deleted and not deleted):
        return None
    return load_memory(view, document)


def memories_between(view: View, granularity: Granularity, first: str, last: str) -> list[Document]:
    """The live memories of a granularity that are dated from one date to another, by id."""
    rows = view.rows("memories_between", low=f"{granularity}-{first}", high=f"{granularity}-{last}`")
    found = (document_of(row) for row in rows)
    return sorted((each for each in found if is_memory(each) and not each.deleted), key=lambda each: each.key)


def put_memory(change: Change, draft: MemoryDraft, content: str, *, is_grown: bool = False) -> StoredMemory:
    """A new version of a memory, or its first; what the text no longer says is withdrawn.

    `is_grown` says that the text only gained something, so that the rest need not be read again.
    """
    initialize_links(change)
    content = remove_forgotten(change, content)
    held = change.document_named(MEMORY_KIND, draft.id)
    before = change.text_of(held) if held and not held.deleted else None
    hashes = passage_hashes(change, held) if held else set()
    elsewhere = (
        {EARLIER_VERSIONS: held.properties[EARLIER_VERSIONS]} if held and EARLIER_VERSIONS in held.properties else {}
    )
    document = store_document(
        change,
        DocumentDraft(
            MEMORY_KIND,
            draft.period.granularity,
            draft.id,
            first_heading(content),
            draft.instance,
            None,
            source_at(change, draft),
            content,
            draft_properties(draft) | elsewhere,
        ),
        held,
    )
    if before != content:
        spoken_of = set(change.mentioned(document.id))
        if before is not None:
            spoken_of |= entities_of_facts(_withdraw_removed_text(change, document, before, content))
        link_memory(change, document.id, content)
        drop_unsupported_nodes(change, spoken_of)
        drop_dead_vectors(change, hashes)
        enqueue_extraction(change, document, content, held.tx_from if held and is_grown else None)
    _index_unless_batched(change, document)
    return load_memory(change, document)


def _index_unless_batched(change: Change, document: Document) -> None:
    """A batch is indexed as a whole, when it is committed."""
    if change.recent.batch is None:
        index_memory(change, document.id)


def source_at(view: View, draft: MemoryDraft) -> Instant:
    """When a memory speaks: when it was made, but not after the end of its period."""
    return min(draft.created_at, day_end(draft.period.days[1], view.world.zone))


def _withdraw_removed_text(change: Change, document: Document, before: str, after: str) -> list[Fact]:
    """Withdraw what rests on words that were in the old text and are not in the new one; the facts it was."""
    old, new = normalize_quote(before), normalize_quote(after)
    said = ((each, normalize_quote(each.quote or each.evidence or "")) for each in change.assertions_from(document.id))
    return withdraw_assertions(change, [each for each, words in said if words and words in old and words not in new])


def remove_memory(change: Change, memory: StoredMemory) -> None:
    """Take a memory out with its links, passages, vectors and assertions."""
    hashes = passage_hashes(change, memory.document)
    spoken_of = entities_of_memory(change, memory.document)
    draft = replace(memory.draft, updated_at=change.now)
    elsewhere = {key: value for key, value in memory.document.properties.items() if key == EARLIER_VERSIONS}
    retract_document(change, memory.document._replace(properties=draft_properties(draft) | elsewhere), "deleted")
    drop_unsupported_nodes(change, spoken_of)
    drop_dead_vectors(change, hashes)
    cancel_extraction(change, memory.document)
    _index_unless_batched(change, memory.document)


def derive_slug(content: str) -> str:
    """The short name of a significant memory, from its heading or its first words."""
    text = first_heading(content) or " ".join(content.split()[:SLUG_WORDS])
    apart = unicodedata.normalize("NFKD", text)
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter)).lower()
    slug = _INVALID_IN_SLUG.sub("-", plain).strip("-")
    if len(slug) > SLUG_LENGTH:
        slug = (slug[: SLUG_LENGTH + 1].rpartition("-")[0] or slug[:SLUG_LENGTH]).strip("-")
    return slug or f"m-{sha256(text.encode()).hexdigest()[:8]}"


def merge_unique(*lists: Iterable[str]) -> tuple[str, ...]:
    """All members, first seen first, each once."""
    return tuple(dict.fromkeys(member for each in lists for member in each))


UPDATED_AT = "updatedAt"


def memory_documents(view: View) -> list[Document]:
    """All memories by id, the deleted ones included."""
    return [document for document in documents_of(view, MEMORY_KIND) if is_memory(document)]


def restore_memory(change: Change, document: Document, text: str, then: View) -> None:
    """A new version that says what an earlier one said, with the assertions it had then."""
    put_memory(change, replace(draft_of(document), updated_at=change.now), text)
    restore_supported_nodes(change, document, then)
    restore_assertions(change, then.assertions_from(document.id), change.assertions_from(document.id))


def restore_assertions(change: Change, then: list[Assertion], now: list[Assertion]) -> None:
    """Let the assertions of then that do not stand now stand again."""
    standing = {each.id for each in now}
    again = [each for each in then if each.id not in standing and change.fact(each.fact) is not None]
    for assertion in again:
        change.put_assertion(assertion)
    for fact in dict.fromkeys(assertion.fact for assertion in again):
        held = change.fact(fact)
        if held is not None:
            resettle(change, change.put_fact(sum_assertions(held, change.assertions(fact))))


def remove_memory_document(change: Change, document: Document) -> None:
    """Take a memory out with all that it says."""
    remove_memory(change, load_memory(change, document))
