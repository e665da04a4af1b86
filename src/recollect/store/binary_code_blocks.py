"""Binary codes of a large store's vectors, kept in the database in append-only blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from recollect.store.change import Change
from recollect.store.view import View

if TYPE_CHECKING:
    from recollect.store.binary_codes import BinaryCodes

EXACT_SEARCH_LIMIT = 50_000
BLOCK_SIZE = 4_096
BLOCKS_PER_STEP = 8


class CodeProgress(NamedTuple):
    """The last embedding that has a binary code, and how many erasures there were; caches of codes reload after one."""

    upto: int
    erasures: int


def code_progress(view: View, model: str) -> CodeProgress | None:
    """How far the vectors of a model have binary codes; none while the search is exact."""
    found = view.rows("coded", model=model)
    return CodeProgress(*found[0]) if found else None


def read_codes(view: View, model: str, after: int) -> list[BinaryCodes]:
    """The blocks after an embedding, in order."""
    from recollect.store.binary_codes import BinaryCodes

    found: list[BinaryCodes] = []
    while rows := view.rows("code_blocks", model=model, behind=after, limit=BLOCKS_PER_STEP):
        found += [BinaryCodes.read(numbers, signs) for _, numbers, signs in rows]
        after = rows[-1][0]
    return found


def is_behind(view: View, model: str, embedded: int) -> bool:
    """Whether a model that has embedded so many passages has a block of vectors without binary codes."""
    progress = code_progress(view, model)
    if progress is None:
        return embedded > EXACT_SEARCH_LIMIT
    return view.fetch_number("embeddings_last", model=model) - progress.upto >= BLOCK_SIZE


def add_blocks(change: Change, model: str, embedded: int) -> bool:
    """Store the binary codes of the next vectors; whether there were any to keep."""
    if not is_behind(change, model, embedded):
        return False
    progress = code_progress(change, model) or CodeProgress(0, 0)
    last = change.fetch_number("embeddings_last", model=model)
    for _ in range(BLOCKS_PER_STEP):
        upto = _add_block(change, model, progress.upto)
        progress = progress._replace(upto=last if upto is None else upto)
        if upto is None:
            break
    _put(change, model, progress)
    return True


def _add_block(change: Change, model: str, after: int) -> int | None:
    """Store the binary codes of one block; the number of its last vector, none if nothing is left."""
    import numpy as np

    from recollect.store.binary_codes import BinaryCodes, quantize

    rows = change.rows("embeddings_some", model=model, upto=after, limit=BLOCK_SIZE)
    if not rows:
        return None
    last = int(rows[-1][0])
    words = quantize([row[1] for row in rows])
    _put_block(change, model, last, BinaryCodes(np.array([row[0] for row in rows], np.int64), words.T))
    return last


@contextmanager
def erase_codes_of(change: Change, hashes: Collection[str]) -> Iterator[None]:
    """Whatever vectors of these texts are erased within, their binary codes are overwritten too."""
    models = change.fetch_values("coded_models")
    before = _numbers(change, models, hashes)
    yield
    gone = before - _numbers(change, models, hashes)
    for model in models:
        _erase(change, model, {number for each, number in gone if each == model})


def _numbers(view: View, models: Sequence[str], hashes: Collection[str]) -> set[tuple[str, int]]:
    if not models or not hashes:
        return set()
    rows = view.rows("embeddings_numbered", models=models, hashes=sorted(hashes))
    return {(model, int(number)) for model, number in rows}


def _erase(change: Change, model: str, numbers: Collection[int]) -> None:
    from recollect.store.binary_codes import BinaryCodes

    progress = code_progress(change, model)
    if progress is None or not numbers:
        return
    for number in sorted(numbers):
        for last, written, signs in change.rows("code_blocks", model=model, behind=number - 1, limit=1):
            _put_block(change, model, last, BinaryCodes.read(written, signs).without([number]))
    _put(change, model, progress._replace(erasures=progress.erasures + 1))


def _put_block(change: Change, model: str, last: int, codes: BinaryCodes) -> None:
    change.run("code_block_put", model=model, last=last, **codes.encode()._asdict())


def _put(change: Change, model: str, progress: CodeProgress) -> None:
    change.run("coded_put", model=model, **progress._asdict())
