"""Keeping memories: a version for each change, with its links, passages and words, and what it says."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import replace
from hashlib import sha256

from recollect.ingest.documents import DocumentDraft, keep_document
from recollect.keep.artifacts.versions import EARLIER, texts_of, version_numbers
from recollect.keep.forgetting.tombstones import without_forgotten
from recollect.keep.identity.blocks import title_of
from recollect.keep.memories.dates import Granularity
from recollect.keep.memories.entry import (
    KIND,
    SUMMARIES,
    Kept,
    MemoryDraft,
    Summary,
    draft_of,
    is_memory,
    properties_of,
)
from recollect.keep.memories.index import index_memory
from recollect.keep.memories.mentions import begin_links, link_memory
from recollect.keep.memories.vectors import drop_dead_vectors, live_hashes
from recollect.keep.reading.extracted import drop_unsupported, ends_of, spoken_of_in
from recollect.keep.reading.jobs import drop_extraction, want_extraction
from recollect.keep.reading.reader import loose
from recollect.model.document import Document
from recollect.model.fact import Fact
from recollect.store.change import Change
from recollect.store.rows import document_of
from recollect.store.view import View
from recollect.when.instant import Instant, day_end
from recollect.write.retract import retract_document, withdraw

__all__ = [
    "KIND",
    "SUMMARIES",
    "Kept",
    "MemoryDraft",
    "Summary",
    "derived_slug",
    "draft_of",
    "find_memory",
    "is_memory",
    "kept",
    "kept_one",
    "memories_of",
    "put_memory",
    "remove_memory",
    "source_at",
    "union",
]

SLUG_LENGTH = 50
SLUG_WORDS = 8
_NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")


def kept(view: View, documents: Collection[Document]) -> list[Kept]:
    """These documents as memories, in the order given."""
    texts, versions = texts_of(view, documents), version_numbers(view, documents)
    return [Kept(draft_of(each), texts[each.id], versions[each.id], each) for each in documents]


def kept_one(view: View, document: Document) -> Kept:
    return kept(view, (document,))[0]


def find_memory(view: View, id_: str, *, deleted: bool = False) -> Kept | None:
    """The memory of this id; a deleted one only if asked for."""
    document = view.document_named(KIND, id_)
    if document is None or not is_memory(document) or (document.deleted and not deleted):
        return None
    return kept_one(view, document)


def memories_of(view: View, granularity: Granularity, first: str, last: str) -> list[Document]:
    """The live memories of a granularity that are dated from one date to another, by id."""
    rows = view.rows("memories_between", low=f"{granularity}-{first}", high=f"{granularity}-{last}`")
    found = (document_of(row) for row in rows)
    return sorted((each for each in found if is_memory(each) and not each.deleted), key=lambda each: each.key)


def put_memory(change: Change, draft: MemoryDraft, content: str, *, is_grown: bool = False) -> Kept:
    """A new version of a memory, or its first; what the text no longer says is withdrawn.

    `is_grown` says that the text only gained something, so that the rest need not be read again.
    """
    begin_links(change)
    content = without_forgotten(change, content)
    held = change.document_named(KIND, draft.id)
    before = change.text_of(held) if held and not held.deleted else None
    hashes = live_hashes(change, held) if held else set()
    elsewhere = {EARLIER: held.properties[EARLIER]} if held and EARLIER in held.properties else {}
    document = keep_document(
        change,
        DocumentDraft(
            KIND,
            draft.period.granularity,
            draft.id,
            title_of(content),
            draft.instance,
            None,
            source_at(change, draft),
            content,
            properties_of(draft) | elsewhere,
        ),
        held,
    )
    if before != content:
        spoken_of = set(change.mentioned(document.id))
        if before is not None:
            spoken_of |= ends_of(_withdraw_unsaid(change, document, before, content))
        link_memory(change, document.id, content)
        drop_unsupported(change, spoken_of)
        drop_dead_vectors(change, hashes)
        want_extraction(change, document, content, held.tx_from if held and is_grown else None)
    _index(change, document)
    return kept_one(change, document)


def _index(change: Change, document: Document) -> None:
    """A batch is indexed as a whole, when it is committed."""
    if change.recent.batch is None:
        index_memory(change, document.id)


def source_at(view: View, draft: MemoryDraft) -> Instant:
    """When a memory speaks: when it was made, but not after the end of its period."""
    return min(draft.created_at, day_end(draft.period.days[1], view.world.zone))


def _withdraw_unsaid(change: Change, document: Document, before: str, after: str) -> list[Fact]:
    """Withdraw what rests on words that were in the old text and are not in the new one; the facts it was."""
    old, new = loose(before), loose(after)
    said = ((each, loose(each.quote or each.evidence or "")) for each in change.assertions_from(document.id))
    return withdraw(change, [each for each, words in said if words and words in old and words not in new])


def remove_memory(change: Change, memory: Kept) -> None:
    """Take a memory out with its links, passages, vectors and assertions."""
    hashes = live_hashes(change, memory.document)
    spoken_of = spoken_of_in(change, memory.document)
    draft = replace(memory.draft, updated_at=change.now)
    elsewhere = {key: value for key, value in memory.document.properties.items() if key == EARLIER}
    retract_document(change, memory.document._replace(properties=properties_of(draft) | elsewhere), "deleted")
    drop_unsupported(change, spoken_of)
    drop_dead_vectors(change, hashes)
    drop_extraction(change, memory.document)
    _index(change, memory.document)


def derived_slug(content: str) -> str:
    """The short name of a significant memory, from its heading or its first words."""
    text = title_of(content) or " ".join(content.split()[:SLUG_WORDS])
    apart = unicodedata.normalize("NFKD", text)
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter)).lower()
    slug = _NOT_IN_SLUG.sub("-", plain).strip("-")
    if len(slug) > SLUG_LENGTH:
        slug = (slug[: SLUG_LENGTH + 1].rpartition("-")[0] or slug[:SLUG_LENGTH]).strip("-")
    return slug or f"m-{sha256(text.encode()).hexdigest()[:8]}"


def union(*lists: Iterable[str]) -> tuple[str, ...]:
    """All members, first seen first, each once."""
    return tuple(dict.fromkeys(member for each in lists for member in each))
