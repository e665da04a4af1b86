"""Stored memories: loading, writing as new versions, restoring, and removing with everything derived from them."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import replace
from hashlib import sha256

from recollect.ingest.documents import DocumentDraft, store_document
from recollect.keep.document_versions import (
    carried_properties,
    documents_of,
    remove_forgotten,
    texts_of,
    version_numbers,
)
from recollect.keep.graph.extraction import (
    drop_unsupported_nodes,
    entities_of_memory,
    restore_supported_nodes,
)
from recollect.keep.graph.extraction_queue import cancel_extraction, enqueue_extraction
from recollect.keep.markdown import first_heading
from recollect.keep.memory_formats import Granularity
from recollect.keep.memory_index.index import drop_dead_vectors, index_memory, passage_hashes
from recollect.keep.memory_index.mentions import initialize_links, link_memory
from recollect.keep.memory_index.stored_memory import (
    MEMORY_KIND,
    MemoryDraft,
    StoredMemory,
    SummaryProvenance,
    draft_of,
    draft_properties,
    is_memory,
)
from recollect.model.document import Document
from recollect.model.fact import Assertion, Fact, ends_of_facts
from recollect.store import document_queries
from recollect.store.change import Change
from recollect.store.view import View
from recollect.text.fold import fold_case
from recollect.when.instant import Instant, day_end
from recollect.write.record_statement import sum_assertions
from recollect.write.retract import retract_document, withdraw_assertions
from recollect.write.slot_conflicts import resettle

SLUG_LENGTH = 50
SLUG_WORDS = 8
_INVALID_IN_SLUG = re.compile(r"[^a-z0-9]+")


def load_memories(view: View, documents: Collection[Document]) -> list[StoredMemory]:
    """These documents as memories, in the order given."""
    texts, versions = texts_of(view, documents), version_numbers(view, documents)
    return [StoredMemory(draft_of(each), texts[each.id], versions[each.id], each) for each in documents]


def load_memory(view: View, document: Document) -> StoredMemory:
    return load_memories(view, (document,))[0]


def find_memory(view: View, id_: str) -> StoredMemory | None:
    """The live memory of this id."""
    document = view.document_named(MEMORY_KIND, id_)
    if document is None or not is_memory(document) or document.deleted:
        return None
    return load_memory(view, document)


def memories_between(view: View, granularity: Granularity, first: str, last: str) -> list[Document]:
    """The live memories of a granularity from one date to another, by id."""
    found = document_queries.memories_between(view, *id_range(granularity, first, last))
    return [each for each in found if is_memory(each) and not each.deleted]


def id_range(granularity: str, first: str, last: str) -> tuple[str, str]:
    """The lower and the excluded upper bound of the ids of memories from one date to another."""
    return f"{granularity}-{first}", f"{granularity}-{last}`"


def put_memory(change: Change, draft: MemoryDraft, content: str, *, is_grown: bool = False) -> StoredMemory:
    """A new version of a memory, or its first; assertions that the text no longer supports are withdrawn.

    `is_grown` means that the text only gained content, so that the rest need not be extracted again.
    """
    initialize_links(change)
    content = remove_forgotten(change, content)
    old = change.document_named(MEMORY_KIND, draft.id)
    before = change.text_of(old) if old and not old.deleted else None
    hashes = passage_hashes(change, old) if old else set()
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
            draft_properties(draft) | carried_properties(old),
        ),
        old,
    )
    if before != content:
        affected = set(change.mentioned(document.id))
        if before is not None:
            affected |= ends_of_facts(_withdraw_removed_text(change, document, before, content))
        link_memory(change, document.id, content)
        drop_unsupported_nodes(change, affected)
        drop_dead_vectors(change, hashes)
        enqueue_extraction(change, document, content, old.tx_from if old and is_grown else None)
    _index_unless_batched(change, document)
    return load_memory(change, document)


def _index_unless_batched(change: Change, document: Document) -> None:
    """Index a memory at once; a batch is indexed when it is committed."""
    if change.recent.batch is None:
        index_memory(change, document.id)


def source_at(view: View, draft: MemoryDraft) -> Instant:
    """The source time of a memory: its creation, but not after the end of its period."""
    return min(draft.created_at, day_end(draft.period.days[1], view.world.zone))


def _withdraw_removed_text(change: Change, document: Document, before: str, after: str) -> list[Fact]:
    """Withdraw the assertions that quote text which is in the old version only; the facts they were about."""
    old, new = fold_case(before), fold_case(after)
    assertions = change.assertions_from(document.id)
    quotes = ((each, fold_case(each.quote or each.evidence or "")) for each in assertions)
    return withdraw_assertions(change, [each for each, quote in quotes if quote and quote in old and quote not in new])


def remove_memory(change: Change, memory: StoredMemory, reason: str = "deleted") -> None:
    """Delete a memory with its links, passages, vectors and assertions."""
    hashes = passage_hashes(change, memory.document)
    affected = entities_of_memory(change, memory.document)
    draft = replace(memory.draft, updated_at=change.now)
    properties = draft_properties(draft) | carried_properties(memory.document)
    retract_document(change, memory.document._replace(properties=properties), reason)
    drop_unsupported_nodes(change, affected)
    drop_dead_vectors(change, hashes)
    cancel_extraction(change, memory.document)
    _index_unless_batched(change, memory.document)


def derive_slug(content: str) -> str:
    """The slug of a significant memory, from its heading or its first words."""
    text = first_heading(content) or " ".join(content.split()[:SLUG_WORDS])
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter)).lower()
    slug = _INVALID_IN_SLUG.sub("-", plain).strip("-")
    if len(slug) > SLUG_LENGTH:
        slug = (slug[: SLUG_LENGTH + 1].rpartition("-")[0] or slug[:SLUG_LENGTH]).strip("-")
    return slug or f"m-{sha256(text.encode()).hexdigest()[:8]}"


def merge_unique(*lists: Iterable[str]) -> tuple[str, ...]:
    """The members of all lists, each once, in the order of their first occurrence."""
    return tuple(dict.fromkeys(member for each in lists for member in each))


def extend_draft(draft: MemoryDraft, chats: Iterable[str], participants: Iterable[str]) -> MemoryDraft:
    """A draft with the conversations and participants of a text that was merged into its memory."""
    return replace(
        draft,
        chats=merge_unique(draft.chats, chats),
        participants=merge_unique(draft.participants, participants),
    )


def edited_by_hand(summary: SummaryProvenance | None) -> SummaryProvenance | None:
    """The provenance of a summary after somebody edited its text."""
    return SummaryProvenance("hand", summary.sources) if summary else None


UPDATED_AT = "updatedAt"


def memory_documents(view: View) -> list[Document]:
    """All memories by id, deleted ones included."""
    return [document for document in documents_of(view, MEMORY_KIND) if is_memory(document)]


def restore_memory(change: Change, document: Document, text: str, then: View) -> None:
    """Write a new version with the text of an earlier one and the assertions it had then."""
    put_memory(change, replace(draft_of(document), updated_at=change.now), text)
    restore_supported_nodes(change, document, then)
    restore_assertions(change, then.assertions_from(document.id), change.assertions_from(document.id))


def restore_assertions(change: Change, then: list[Assertion], now: list[Assertion]) -> None:
    """Restore the assertions of an earlier state that are not live now."""
    live = {each.id for each in now}
    restored = [each for each in then if each.id not in live and change.fact(each.fact) is not None]
    for assertion in restored:
        change.put_assertion(assertion)
    for id_ in dict.fromkeys(assertion.fact for assertion in restored):
        fact = change.fact(id_)
        if fact is not None:
            resettle(change, change.put_fact(sum_assertions(fact, change.assertions(id_))))
