"""Queries of the index of memories: entries by document, number, word, period and entity."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.model.ids import DocumentId, EntityId
from recollect.store.change import Change
from recollect.store.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

Filter = Mapping[str, Any]
"""The values that the `entry_wanted` fragment of the queries names."""
LAST_CHARACTER = "\U0010ffff"


class IndexEntry(NamedTuple):
    """A live memory as the index knows it; days are counted from 1970-01-01."""

    number: int
    document: DocumentId
    key: str
    content: str
    granularity: str
    instance: str
    others: str
    first_day: int
    last_day: int


class EntryOwner(NamedTuple):
    """The number of a live memory, whose it is and who else took part, and its last day."""

    number: int
    document: DocumentId
    instance: str
    others: str
    last_day: int


class UnlinkedName(NamedTuple):
    """A name that became known in a transaction."""

    tx: int
    folded: str
    entity: EntityId


def has_changes_since(view: View, upto: int) -> bool:
    return bool(view.rows("memory_lagging", upto=upto))


def changed_since(view: View, upto: int) -> list[DocumentId]:
    return sorted(DocumentId(row[0]) for row in view.rows("memories_changed", upto=upto))


def entries_of_documents(view: View, documents: Sequence[DocumentId]) -> dict[DocumentId, IndexEntry]:
    return {row[1]: IndexEntry._make(row) for row in view.rows("entries_of_documents", documents=documents)}


def entries_numbered(view: View, numbers: Sequence[int]) -> list[IndexEntry]:
    return list(map(IndexEntry._make, view.rows("entries_numbered", numbers=numbers) if numbers else ()))


def last_entry_number(view: View) -> int:
    return view.fetch_number("entry_last")


def put_entry(change: Change, entry: Mapping[str, Any]) -> None:
    change.run("entry_put", **entry)


def drop_entry(change: Change, number: int) -> None:
    change.run("entry_drop", number=number)


def add_entry_words(change: Change, number: int, words: Iterable[str]) -> None:
    change.run_many("memory_word_add", [{"word": word, "number": number} for word in sorted(words)])


def drop_entry_words(change: Change, number: int, words: Iterable[str]) -> None:
    change.run_many("memory_word_drop", [{"word": word, "number": number} for word in sorted(words)])


def all_entry_owners(view: View) -> list[EntryOwner]:
    return view.fetch(EntryOwner, "entries_placed")


def entry_owners(view: View, documents: Sequence[DocumentId]) -> list[EntryOwner]:
    return view.fetch(EntryOwner, "entry_placed", documents=documents)


def count_matching(view: View, where: Filter) -> int:
    return view.fetch_number("entries_counted", **where)


def matching_documents(view: View, where: Filter, limit: int, offset: int) -> list[DocumentId]:
    return view.fetch_values("entries_listed", **where, limit=limit, offset=offset)


def matching_texts(view: View, where: Filter, batch: int) -> Iterator[tuple[IndexEntry, str]]:
    """The memories that match with their texts, by number."""
    last_number = 0
    while rows := view.rows("entries_with_text", **where, behind=last_number, limit=batch):
        for *columns, text in rows:
            yield IndexEntry._make(columns), text
        last_number = rows[-1][0]


def matching_numbers(view: View, where: Filter) -> Numbers:
    return _numbers(view, "entries_wanted", **where)


def numbers_overlapping(view: View, first_day: int, last_day: int) -> Numbers:
    return _numbers(view, "entries_overlapping", low=first_day, high=last_day)


def numbers_naming(view: View, entities: Collection[EntityId]) -> Numbers:
    return _numbers(view, "entries_naming", entities=sorted(entities))


def numbers_with_word(view: View, word: str) -> Numbers:
    return _numbers(view, "entries_with_word", word=word)


def numbers_with_word_start(view: View, start: str) -> Numbers:
    return _numbers(view, "entries_with_word_start", word=start, behind=start + LAST_CHARACTER)


def _numbers(view: View, query: str, **parameters: Any) -> Numbers:
    """The numbers come as one text, which is parsed in a fraction of the time that as many rows take."""
    import numpy as np

    [[text]] = view.rows(query, **parameters)
    return np.fromstring(text or "", np.int64, sep=",")


def entries_of_passages(view: View, passages: Sequence[int]) -> dict[int, int]:
    """The memory of each passage, by numbers."""
    return dict(view.rows("entries_of_chunks", numbers=passages) if passages else ())


def passages_of_entries(view: View, entries: Sequence[int]) -> dict[int, int]:
    """The passages of memories, each with its memory, by numbers."""
    return dict(view.rows("chunks_of_entries", numbers=entries) if entries else ())


def names_to_link(view: View, upto: int, limit: int) -> list[UnlinkedName]:
    return view.fetch(UnlinkedName, "names_to_link", upto=upto, limit=limit)


def drop_vectors_of_dead(change: Change, hashes: Collection[str]) -> None:
    change.run("embeddings_of_dead", hashes=sorted(hashes))


def hashes_of_dead_memories(view: View) -> list[str]:
    return view.fetch_values("hashes_of_dead_memories")


def count_memory_vectors(view: View) -> int:
    return view.fetch_number("vectors_of_memories")


class OtherModels(NamedTuple):
    """How far the vectors of other models have come: the last passage, and how many of them."""

    upto: int
    vectors: int


def vectors_of_other_models(view: View, part: str) -> OtherModels:
    [[upto, count]] = view.rows("meanings_by_others", part=part)
    return OtherModels(int(upto), int(count))
