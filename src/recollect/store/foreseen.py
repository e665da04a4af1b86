"""What a writer will soon ask for, looked up together: one question to the store in place of hundreds.

Nothing here decides anything. What was not foreseen, or was forgotten since, is asked for when it is needed.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from recollect.model.names import tokens
from recollect.store.port import Row
from recollect.store.recalling import RecallingView
from recollect.store.rows import document_of, fact_of

_FOLDED = itemgetter(0)
_ID = attrgetter("id")


def foresee_lines(view: RecallingView, hashes: Sequence[str]) -> set[str]:
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


def foresee_documents(view: RecallingView, kind: str, keys: Iterable[str]) -> None:
    """The documents that have these keys."""
    batch = view.recent.batch
    if batch is None:
        return
    asked = [key for key in keys if (kind, key) not in batch.documents]
    batch.documents.update(((kind, key), None) for key in asked)
    found = (document_of(row) for row in _rows(view, "documents_by_keys", keys=asked, kind=kind))
    batch.documents.update(((kind, each.key), each) for each in found)


def foresee_names(view: RecallingView, names: Iterable[str]) -> None:
    """Whom these folded names stand for and, of those that stand for nobody yet, which words are new."""
    recent = view.recent
    asked = [name for name in names if name not in recent.named]
    found = sorted(_rows(view, "entities_named_any", names=asked), key=_FOLDED)
    for folded, rows in groupby(found, key=_FOLDED):
        view.recall_named(folded, [row[1:] for row in rows])
    unknown = [name for name in asked if name not in recent.named]
    recent.named.update((name, []) for name in unknown)
    _foresee_tokens(view, {word for name in unknown for word in tokens(name)})


def _foresee_tokens(view: RecallingView, words: Iterable[str]) -> None:
    known = view.recent.tokens
    asked = [word for word in words if word not in known]
    known.update(dict.fromkeys(asked, False))
    known.update((row[0], True) for row in _rows(view, "tokens_known", tokens=asked))


def foresee_slots(view: RecallingView, slots: Iterable[int]) -> None:
    """The facts that stand in these slots."""
    batch = view.recent.batch
    if batch is None:
        return
    asked = [slot for slot in slots if slot not in batch.slots]
    batch.slots.update(dict.fromkeys(asked, ()))
    for fact in sorted((fact_of(row) for row in _rows(view, "facts_in_slots", slots=asked)), key=_ID):
        batch.slots[fact.slot] += (fact,)


def _rows(view: RecallingView, query: str, **asked: Any) -> list[Row]:
    """The answer, unless there is nothing to ask for."""
    return view.rows(query, **asked) if all(asked.values()) else []
