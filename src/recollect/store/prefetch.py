"""Prefetch: what a batch will ask for is looked up in one query instead of hundreds."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from recollect.model.names import tokens
from recollect.store.cached_view import CachedView
from recollect.store.port import Row
from recollect.store.rows import document_of, fact_of

_FOLDED = itemgetter(0)
_ID = attrgetter("id")


def prefetch_lines(view: CachedView, hashes: Sequence[str]) -> set[str]:
    """Which of these lines were taken in."""
    batch = view.recent.batch
    if batch is None:
        return {each for each in hashes if view.has_taken(each)}
    known = batch.lines
    asked = [each for each in hashes if each not in known]
    taken = {row[0] for row in _rows(view, "lines_taken", hashes=asked)}
    if len(asked) < len(hashes):
        taken.update(each for each in hashes if known.get(each))
    known.update(dict.fromkeys(asked, False))
    known.update(dict.fromkeys(taken, True))
    return taken


def prefetch_documents(view: CachedView, kind: str, keys: Iterable[str]) -> None:
    """The documents that have these keys."""
    batch = view.recent.batch
    if batch is None:
        return
    asked = [key for key in keys if (kind, key) not in batch.documents]
    batch.documents.update(((kind, key), None) for key in asked)
    found = (document_of(row) for row in _rows(view, "documents_by_keys", keys=asked, kind=kind))
    batch.documents.update(((kind, each.key), each) for each in found)


def prefetch_names(view: CachedView, names: Iterable[str]) -> None:
    """Whom these folded names stand for and, of those that stand for nobody yet, which words are new."""
    recent = view.recent
    asked = [name for name in names if name not in recent.named]
    found = sorted(_rows(view, "entities_named_any", names=asked), key=_FOLDED)
    for folded, rows in groupby(found, key=_FOLDED):
        view.recall_named(folded, [row[1:] for row in rows])
    unknown = [name for name in asked if name not in recent.named]
    recent.named.update((name, []) for name in unknown)
    _prefetch_tokens(view, {word for name in unknown for word in tokens(name)})


def _prefetch_tokens(view: CachedView, words: Iterable[str]) -> None:
    known = view.recent.tokens
    asked = [word for word in words if word not in known]
    known.update(dict.fromkeys(asked, False))
    known.update((row[0], True) for row in _rows(view, "tokens_known", tokens=asked))


def prefetch_slots(view: CachedView, slots: Iterable[int]) -> None:
    """The facts that stand in these slots."""
    batch = view.recent.batch
    if batch is None:
        return
    asked = [slot for slot in slots if slot not in batch.slots]
    batch.slots.update(dict.fromkeys(asked, ()))
    for fact in sorted((fact_of(row) for row in _rows(view, "facts_in_slots", slots=asked)), key=_ID):
        batch.slots[fact.slot] += (fact,)


def _rows(view: CachedView, query: str, **asked: Any) -> list[Row]:
    """The answer, unless there is nothing to ask for."""
    return view.rows(query, **asked) if all(asked.values()) else []
