"""Index of live memories by period, owner and word, with a column cache that follows each change; their embeddings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recollect.embed.port import Embedder
from recollect.keep.document_versions import texts_of
from recollect.keep.memory_formats import GRANULARITIES
from recollect.keep.memory_index.stored_memory import MemoryDraft, draft_of, is_memory
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.model.progress import Phase, Progress, Rebuild, batches
from recollect.store import memory_queries
from recollect.store.binary_code_blocks import erase_codes_of
from recollect.store.change import Change
from recollect.store.document_queries import texts_by_hash
from recollect.store.erasure_queries import erase_memory_words
from recollect.store.index_progress import NOTHING_INDEXED, IndexProgress, IndexState
from recollect.store.memory_queries import (
    EntryOwner,
    count_memory_vectors,
    drop_vectors_of_dead,
    hashes_of_dead_memories,
    vectors_of_other_models,
)
from recollect.store.passage_index import vector_progress
from recollect.store.view import View
from recollect.text.tokens import bare_index_terms

MEMORY_INDEX = IndexProgress("memories:2")
EARLIER_INDEX = IndexProgress("memories")
"""Before its words were those of the text kit."""
BATCH_SIZE = 200
SEPARATOR = "\n"
"""Stands around each of several instances that took part."""

REBUILD_JOB = "embedding-rebuild"
"""The job that stands in the queue while vectors are computed anew."""


@dataclass(frozen=True, slots=True)
class EmbeddingLag:
    """How many passages this model has embedded, of those that another one had."""

    done: int
    total: int
    is_over: bool


@dataclass(slots=True)
class ModelChangeNotice:
    """Whether this process has said that the model was changed."""

    is_told: bool = False


def is_caught_up(view: View) -> bool:
    """Whether the index shows what this view sees."""
    return view.is_latest and not memory_queries.has_changes_since(view, indexed_upto(view))


def indexed_upto(view: View) -> int:
    """The last transaction that the index knows."""
    return MEMORY_INDEX.read(view).upto


def count_entries(view: View) -> int:
    """How many live memories there are."""
    return MEMORY_INDEX.read(view).items


def index_memories(change: Change) -> int:
    """Bring the index up to this moment; how many memories had changed. No transaction."""
    upto, count, _ = MEMORY_INDEX.find(change) or _renew_words(change)
    now = change.last_tx
    changed = memory_queries.changed_since(change, upto) if now > upto else []
    for batch in batches(changed, BATCH_SIZE):
        count += _index_batch(change, batch)
    if now > upto:
        MEMORY_INDEX.save(change, now, count)
    return len(changed)


def _renew_words(change: Change) -> IndexState:
    """Index again, once, the words that an earlier release cut in another way; those of ASCII texts are the same."""
    state = EARLIER_INDEX.find(change)
    if state is None:
        return NOTHING_INDEXED
    entries = memory_queries.entries_numbered(change, [each.number for each in memory_queries.all_entry_owners(change)])
    texts = texts_by_hash(change, {entry.content for entry in entries})
    outdated = [entry for entry in entries if not texts.get(entry.content, "").isascii()]
    erase_memory_words(change, [entry.document for entry in outdated])
    for entry in outdated:
        memory_queries.add_entry_words(change, entry.number, bare_index_terms(texts[entry.content]))
    EARLIER_INDEX.drop(change)
    MEMORY_INDEX.save(change, *state)
    return state


def index_memory(change: Change, document: DocumentId) -> None:
    """Bring the index up to this moment, in which a memory was written; it may not be the first of its transaction."""
    upto, count, _ = MEMORY_INDEX.read(change)
    if upto < change.tx:
        index_memories(change)
    else:
        MEMORY_INDEX.save(change, upto, count + _index_batch(change, [document]))


def _index_batch(change: Change, ids: Sequence[DocumentId]) -> int:
    """Enter these memories as they now stand; how many more there are than before."""
    entries = memory_queries.entries_of_documents(change, ids)
    live = [each for each in change.documents(ids).values() if is_memory(each) and not each.deleted]
    before = texts_by_hash(change, {entry.content for entry in entries.values()})
    texts = texts_of(change, live)
    last = memory_queries.last_entry_number(change)
    for document in live:
        known = entries.get(document.id)
        last += known is None
        number = known.number if known else last
        memory_queries.put_entry(change, _entry_row(number, document, draft_of(document)))
        if known is None or known.content != document.content:
            _update_postings(change, number, before.get(known.content, "") if known else "", texts[document.id])
    gone = [entry for id_, entry in entries.items() if id_ not in {document.id for document in live}]
    for entry in gone:
        memory_queries.drop_entry(change, entry.number)
        _update_postings(change, entry.number, before.get(entry.content, ""), "")
    return len(live) - sum(document.id in entries for document in live) - len(gone)


def _update_postings(change: Change, number: int, before: str, after: str) -> None:
    old, new = bare_index_terms(before), bare_index_terms(after)
    memory_queries.drop_entry_words(change, number, old - new)
    memory_queries.add_entry_words(change, number, new - old)


def _entry_row(number: int, document: Document, draft: MemoryDraft) -> Mapping[str, Any]:
    first, last = draft.period.days
    return {
        "number": number,
        "document": document.id,
        "key": document.key,
        "content": document.content or "",
        "granularity": draft.period.granularity,
        "place": GRANULARITIES.index(draft.period.granularity),
        "instance": draft.instance,
        "others": f"{SEPARATOR}{SEPARATOR.join(draft.participants)}{SEPARATOR}",
        "first_day": first,
        "last_day": last,
    }


if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MAX_PATCHED = 2000
MAX_CACHED_LISTS = 64
HOLE = -1


@dataclass(frozen=True, slots=True)
class ColumnSnapshot:
    """By number of a memory: its last day, and which of `owners` it belongs to; a hole where there is none."""

    upto: int
    last_day: Array
    owner: Array
    owners: dict[tuple[str, str], int]
    numbers: dict[DocumentId, int]
    posting_lists: dict[str, Array] = field(default_factory=dict)
    """Memories by word, for as long as nothing changes."""

    @property
    def size(self) -> int:
        return len(self.last_day)

    def instance_affinity(self, caller: str) -> Array:
        """By number 1 for the caller's own, half of that where it only took part."""
        import numpy as np

        sought = f"{SEPARATOR}{caller}{SEPARATOR}"
        near = [1.0 if own == caller else 0.5 * (sought in others) for own, others in self.owners]
        table: Array = np.array([*near, 0.0])
        return table[self.owner]

    def posting_list(self, word: str, read: Callable[[], Array]) -> Array:
        """The memories that have a word; those of the last few words asked for are at hand."""
        found = self.posting_lists.get(word)
        if found is None:
            found = read()
            if len(self.posting_lists) >= MAX_CACHED_LISTS:
                self.posting_lists.pop(next(iter(self.posting_lists)), None)
            self.posting_lists[word] = found
        return found


class MemoryColumnCache:
    """The columns of the newest state that was asked for."""

    def __init__(self) -> None:
        self._latest: ColumnSnapshot | None = None

    def snapshot_at(self, view: View) -> ColumnSnapshot:
        """The columns as a view of the latest state sees them."""
        latest, upto = self._latest, indexed_upto(view)
        if latest is not None and latest.upto == upto:
            return latest
        found = (
            _apply_changes(view, latest, upto)
            if latest is not None and latest.upto < upto
            else _load_columns(view, upto)
        )
        if latest is None or latest.upto < upto:
            self._latest = found
        return found


def _load_columns(view: View, upto: int) -> ColumnSnapshot:
    import numpy as np

    empty = ColumnSnapshot(upto, np.full(1, HOLE, np.int64), np.full(1, HOLE, np.int64), {}, {})
    return _place_rows(empty, memory_queries.all_entry_owners(view))


def _apply_changes(view: View, held: ColumnSnapshot, upto: int) -> ColumnSnapshot:
    """The columns with what changed since; all anew if that was much."""
    changed = memory_queries.changed_since(view, held.upto)
    if len(changed) > MAX_PATCHED:
        return _load_columns(view, upto)
    if not changed:
        return replace(held, upto=upto)
    numbers = dict(held.numbers)
    gone = [numbers.pop(document) for document in changed if document in numbers]
    last_day, owner = held.last_day.copy(), held.owner.copy()
    last_day[gone] = owner[gone] = HOLE
    left = ColumnSnapshot(upto, last_day, owner, dict(held.owners), numbers)
    return _place_rows(left, memory_queries.entry_owners(view, changed))


def _place_rows(held: ColumnSnapshot, placed: Sequence[EntryOwner]) -> ColumnSnapshot:
    """The columns with these memories at their places."""
    import numpy as np

    if not placed:
        return held
    codes = [held.owners.setdefault((each.instance, each.others), len(held.owners)) for each in placed]
    held.numbers.update((each.document, each.number) for each in placed)
    at = np.array([each.number for each in placed], np.int64)
    size = max(held.size, int(at.max()) + 1)
    last_day, owner = (
        np.concatenate([each, np.full(size - held.size, HOLE, np.int64)]) for each in (held.last_day, held.owner)
    )
    last_day[at] = [each.last_day for each in placed]
    owner[at] = codes
    return replace(held, last_day=last_day, owner=owner, posting_lists={})


def passage_hashes(view: View, document: Document) -> set[str]:
    """What the vectors of a memory's passages are kept under."""
    return {chunk.hash for chunk in view.chunks(document.id)}


def drop_dead_vectors(change: Change, hashes: Collection[str]) -> None:
    """Drop the vectors of passages that stand in no live document any more."""
    if not hashes:
        return
    with erase_codes_of(change, hashes):
        drop_vectors_of_dead(change, hashes)


def purge_vectors(change: Change) -> tuple[int, int]:
    """Drop the vectors that belong to no live memory; how many went, how many of live ones there are."""
    dead = hashes_of_dead_memories(change)
    drop_dead_vectors(change, dead)
    return len(dead), count_memory_vectors(change)


def embedding_lag(view: View, embedder: Embedder) -> EmbeddingLag:
    progress = vector_progress(embedder)
    upto, done, _ = progress.read(view)
    others = vectors_of_other_models(view, progress.part)
    return EmbeddingLag(done, max(done, others.vectors), upto >= others.upto)


def report_model_change(memory: Memory, lag: EmbeddingLag) -> None:
    """Say that vectors are computed anew, how far that is, and that it is done; nothing if no model came before."""
    noticed = memory.cache.get_or_create(ModelChangeNotice)
    if not noticed.is_told:
        if lag.is_over:
            return
        _report(memory, lag, "model_change_detected", "The model was changed; I re-embed in the background.")
    else:
        _report(memory, lag, "done" if lag.is_over else "progress", f"{lag.done} re-embedded")
    noticed.is_told = not lag.is_over


def _report(memory: Memory, lag: EmbeddingLag, phase: Phase, message: str) -> None:
    memory.report_progress(Progress(lag.done, lag.total, message, Rebuild(phase, "all")))
