"""What the adapters share: items of a memory read, searched and written, and the log of a session."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from recollect.embed.port import EmbeddingFailed
from recollect.indexing import embed_passages, index_before_read
from recollect.keep import items
from recollect.keep.artifacts.artifact import sweep_expired_bodies
from recollect.keep.items import ItemDraft, ItemPath, Namespace, StoredItem
from recollect.memory import Memory
from recollect.model.actor import Framework
from recollect.search.document_search import ScoredDocument, nearest_among_documents, nearest_by_words
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.surfaces.everyday_memory import EverydayMemory, open_memory

SESSIONS: Final = "sessions"
_ARTIFACTS: Final = PassageFilter(kinds=frozenset({"artifact"}))


def opened(memory: EverydayMemory | str | None) -> EverydayMemory:
    """The memory itself, or the one at an address; None is the default one."""
    return memory if isinstance(memory, EverydayMemory) else open_memory(memory)


def used_by(memory: Memory, framework: Framework) -> Memory:
    """The memory as a framework writes to it; the history of a change names the framework."""
    return memory.as_actor(framework, "adapter", memory.actor.name, may_write=memory.may_write)


class ScoredItem(NamedTuple):
    """An item and how near it is to the query; no score if nothing was asked, or it is not indexed."""

    item: StoredItem
    score: float | None


class ItemStore:
    """JSON values under paths, searchable by meaning; every write is one transaction that can be undone."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def find(self, path: ItemPath, *, refresh: bool = False) -> StoredItem | None:
        with self._memory.read() as view:
            found = items.find_item(view, path)
        if found is not None and refresh:
            self.refresh([found])
        return found

    def namespaces(self) -> list[Namespace]:
        with self._memory.read() as view:
            return items.namespaces(view)

    def search(
        self, prefix: Namespace, query: str | None = None, is_wanted: Callable[[Any], bool] = lambda _: True
    ) -> list[ScoredItem]:
        """The items below a prefix: nearest to the query first, else the last written first."""
        if query:
            self._index()
        with self._memory.read() as view:
            found = [each for each in items.items_below(view, prefix) if is_wanted(each.value)]
            newest = sorted(found, key=lambda item: item.updated_at, reverse=True)
            scores = self._scores(view, query, newest) if query and found else {}
        ranked = [ScoredItem(item, scores.get(item.document.id)) for item in newest]
        return sorted(ranked, key=lambda each: float("-inf") if each.score is None else each.score, reverse=True)

    def _index(self) -> None:
        """Embed what waits, since no server may be running that would; without a model, words must do."""
        index_before_read(self._memory)
        if self._memory.may_write:
            with suppress(EmbeddingFailed):
                while embed_passages(self._memory):
                    pass

    def _scores(self, view: View, query: str, found: Sequence[StoredItem]) -> dict[str, float]:
        index = StoredPassageIndex(view, self._memory.cache.vectors)
        embedder = self._memory.embedder
        documents = {item.document.id for item in found}
        near: list[ScoredDocument] = []
        if embedder is not None:
            with suppress(EmbeddingFailed):
                vector = embedder.embed([query])[0]
                near = nearest_among_documents(view, index, vector, embedder.model, documents, len(documents))
        if not near:
            near = nearest_by_words(view, index, query, _ARTIFACTS, len(documents))
        return {each.document: each.score for each in near if each.document in documents}

    def apply(self, changes: Iterable[ItemDraft | ItemPath]) -> None:
        """Store drafts and delete paths, in one transaction."""
        with self._memory.write() as change:
            for each in changes:
                if isinstance(each, ItemDraft):
                    items.put_item(change, each)
                else:
                    items.remove_item(change, each)

    def refresh(self, found: Iterable[StoredItem]) -> None:
        """Begin the lifetime of items anew."""
        limited = [each for each in found if each.minutes is not None]
        if limited and self._memory.may_write:
            with self._memory.write() as change:
                for each in limited:
                    items.refresh_item(change, each)

    def sweep(self) -> int:
        """Delete the items whose lifetime is over, and erase their values; how many there were."""
        with self._memory.write() as change:
            removed = items.remove_expired(change)
        sweep_expired_bodies(self._memory)
        return removed


class SessionLog:
    """The entries of one conversation in order, as JSON; deleting one is a change that can be undone."""

    def __init__(self, memory: Memory, session: str) -> None:
        self._memory = memory
        self._namespace: Namespace = (SESSIONS, session)

    def entries(self, limit: int | None = None) -> list[Any]:
        """All entries, or the last few, oldest first; a negative limit means no limit, as in SQL."""
        with self._memory.read() as view:
            found = [item.value for item in self._items(view)]
        return found if limit is None or limit < 0 else found[len(found) - min(limit, len(found)) :]

    def add(self, values: Iterable[Any], found_by: Callable[[Any], Sequence[str]] = items.texts_in) -> None:
        """Append entries, in one transaction; search finds each by these texts."""
        with self._memory.write() as change:
            stored = self._items(change)
            first = int(stored[-1].path.key) + 1 if stored else 0
            for number, value in enumerate(values, first):
                path = ItemPath(self._namespace, f"{number:09d}")
                items.put_item(change, ItemDraft(path, value, found_by=found_by(value)))

    def pop(self) -> Any | None:
        """The last entry, which is deleted; None if there is none."""
        return self.remove(-1)

    def remove(self, position: int) -> Any | None:
        """The entry at a position, which is deleted; None if there is none."""
        with self._memory.write() as change:
            stored = self._items(change)
            if not -len(stored) <= position < len(stored):
                return None
            items.remove_item(change, stored[position].path)
        return stored[position].value

    def clear(self) -> None:
        with self._memory.write() as change:
            for each in self._items(change):
                items.remove_item(change, each.path)

    def _items(self, view: View) -> list[StoredItem]:
        return [each for each in items.items_below(view, self._namespace) if each.path.namespace == self._namespace]


def sessions(memory: Memory) -> list[str]:
    """The names of the sessions that have entries."""
    with memory.read() as view:
        found = items.namespaces(view)
    return [each[1] for each in found if len(each) > 1 and each[0] == SESSIONS]
