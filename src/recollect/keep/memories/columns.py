"""Where every live memory stands in time and whose it is, as columns by number: kept in memory, mended by change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recollect.keep.memories.index import APART, indexed_upto
from recollect.model.ids import DocumentId
from recollect.store.view import View

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MOST_MENDED = 2000
MOST_LISTS = 64
HOLE = -1


@dataclass(frozen=True, slots=True)
class Columns:
    """By number of a memory: its last day, and which of `owners` it belongs to; a hole where there is none."""

    upto: int
    last_day: Array
    owner: Array
    owners: dict[tuple[str, str], int]
    numbers: dict[DocumentId, int]
    lists: dict[str, Array] = field(default_factory=dict)
    """Memories by word, for as long as nothing changes."""

    @property
    def size(self) -> int:
        return len(self.last_day)

    def nearness(self, caller: str) -> Array:
        """By number 1 for the caller's own, half of that where it only took part."""
        import numpy as np

        sought = f"{APART}{caller}{APART}"
        near = [1.0 if own == caller else 0.5 * (sought in others) for own, others in self.owners]
        table: Array = np.array([*near, 0.0])
        return table[self.owner]

    def listed(self, word: str, read: Callable[[], Array]) -> Array:
        """The memories that have a word; those of the last few words asked for are at hand."""
        found = self.lists.get(word)
        if found is None:
            found = read()
            if len(self.lists) >= MOST_LISTS:
                self.lists.pop(next(iter(self.lists)), None)
            self.lists[word] = found
        return found


class MemoryColumns:
    """The columns of the newest state that was asked for."""

    def __init__(self) -> None:
        self._held: Columns | None = None

    def of(self, view: View) -> Columns:
        """The columns as a view of the latest state sees them."""
        held, upto = self._held, indexed_upto(view)
        if held is not None and held.upto == upto:
            return held
        found = _mended(view, held, upto) if held is not None and held.upto < upto else _read(view, upto)
        if held is None or held.upto < upto:
            self._held = found
        return found


def _read(view: View, upto: int) -> Columns:
    import numpy as np

    empty = Columns(upto, np.full(1, HOLE, np.int64), np.full(1, HOLE, np.int64), {}, {})
    return _with(empty, view.rows("entries_placed"))


def _mended(view: View, held: Columns, upto: int) -> Columns:
    """The columns with what changed since; all anew if that was much."""
    changed = [DocumentId(row[0]) for row in view.rows("memories_changed", upto=held.upto)]
    if len(changed) > MOST_MENDED:
        return _read(view, upto)
    if not changed:
        return replace(held, upto=upto)
    numbers = dict(held.numbers)
    gone = [numbers.pop(document) for document in changed if document in numbers]
    last_day, owner = held.last_day.copy(), held.owner.copy()
    last_day[gone] = owner[gone] = HOLE
    left = Columns(upto, last_day, owner, dict(held.owners), numbers)
    return _with(left, view.rows("entry_placed", documents=changed))


def _with(held: Columns, rows: Iterable[tuple[Any, ...]]) -> Columns:
    """The columns with these memories at their places."""
    import numpy as np

    placed = list(rows)
    if not placed:
        return held
    codes = [held.owners.setdefault((row[2], row[3]), len(held.owners)) for row in placed]
    held.numbers.update((row[1], row[0]) for row in placed)
    at = np.array([row[0] for row in placed], np.int64)
    size = max(held.size, int(at.max()) + 1)
    last_day, owner = (
        np.concatenate([each, np.full(size - held.size, HOLE, np.int64)]) for each in (held.last_day, held.owner)
    )
    last_day[at] = [row[4] for row in placed]
    owner[at] = codes
    return replace(held, last_day=last_day, owner=owner, lists={})
