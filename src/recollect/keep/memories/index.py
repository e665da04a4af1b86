"""The index of live memories, their periods and words: caught up from the versions themselves, whoever wrote them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from recollect.keep.artifacts.versions import texts_of
from recollect.keep.memories.dates import GRANULARITIES
from recollect.keep.memories.entry import MemoryDraft, draft_of, is_memory
from recollect.keep.memories.words import findable
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.view import View

PART = "memories"
AT_ONCE = 200
APART = "\n"
"""Stands around each of several instances that took part."""


class Entry(NamedTuple):
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


def is_caught_up(view: View) -> bool:
    """Whether the index shows what this view sees."""
    return view.is_latest and not view.rows("memory_lagging", upto=_state(view)[0])


def indexed_upto(view: View) -> int:
    """The last transaction that the index knows."""
    return _state(view)[0]


def count_entries(view: View) -> int:
    """How many live memories there are."""
    return _state(view)[1]


def index_memories(change: Change) -> int:
    """Bring the index up to this moment; how many memories had changed. No transaction."""
    upto, count = _state(change)
    now = change.tx if change.has_changed else change.last_tx
    changed = sorted(row[0] for row in change.rows("memories_changed", upto=upto)) if now > upto else []
    for start in range(0, len(changed), AT_ONCE):
        count += _index(change, changed[start : start + AT_ONCE])
    if now > upto:
        _put_state(change, now, count)
    return len(changed)


def index_memory(change: Change, document: DocumentId) -> None:
    """Bring the index up to this moment, in which a memory was written; it may not be the first of its transaction."""
    upto, count = _state(change)
    if upto < change.tx:
        index_memories(change)
    else:
        _put_state(change, upto, count + _index(change, [document]))


def _put_state(change: Change, upto: int, count: int) -> None:
    state = {"ws": change.ws, "part": PART, "upto": upto, "chunks": count, "characters": 0}
    change.connection.run("indexed_put", state)


def _state(view: View) -> tuple[int, int]:
    found = view.rows("indexed", part=PART)
    return (int(found[0][0]), int(found[0][1])) if found else (0, 0)


def _index(change: Change, ids: Sequence[DocumentId]) -> int:
    """Enter these memories as they now stand; how many more there are than before."""
    held = {row[1]: Entry._make(row) for row in change.rows("entries_of_documents", documents=ids)}
    live = [each for each in change.documents(ids).values() if is_memory(each) and not each.deleted]
    before: dict[str, str] = dict(change.rows("texts", hashes=sorted({entry.content for entry in held.values()})))
    texts = texts_of(change, live)
    [[last]] = change.rows("entry_last")
    for document in live:
        known = held.get(document.id)
        last += known is None
        number = known.number if known else last
        change.connection.run("entry_put", _columns(change, number, document, draft_of(document)))
        if known is None or known.content != document.content:
            _put_words(change, number, before.get(known.content, "") if known else "", texts[document.id])
    gone = [entry for id_, entry in held.items() if id_ not in {document.id for document in live}]
    for entry in gone:
        change.connection.run("entry_drop", {"ws": change.ws, "number": entry.number})
        _put_words(change, entry.number, before.get(entry.content, ""), "")
    return len(live) - sum(document.id in held for document in live) - len(gone)


def _put_words(change: Change, number: int, before: str, after: str) -> None:
    old, new = findable(before), findable(after)
    for query, words in (("memory_word_drop", old - new), ("memory_word_add", new - old)):
        if words:
            rows = [{"ws": change.ws, "word": word, "number": number} for word in sorted(words)]
            change.connection.run_many(query, rows)


def _columns(change: Change, number: int, document: Document, draft: MemoryDraft) -> Mapping[str, Any]:
    first, last = draft.period.days
    return {
        "ws": change.ws,
        "number": number,
        "document": document.id,
        "key": document.key,
        "content": document.content or "",
        "granularity": draft.period.granularity,
        "place": GRANULARITIES.index(draft.period.granularity),
        "instance": draft.instance,
        "others": f"{APART}{APART.join(draft.participants)}{APART}",
        "first_day": first,
        "last_day": last,
    }
