"""Binary codes of a large store's vectors, kept in the database in append-only blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.text_index import is_sqlite
from recollect.store.view import View

if TYPE_CHECKING:
    from recollect.store.binary_codes import BinaryCodes, Floats

EXACT_SEARCH_LIMIT = 50_000
BLOCK_SIZE = 4_096
BLOCKS_PER_STEP = 8
SAMPLED_PLACES = 640
"""Vectors to train centroids on are read from so many places of a store."""
_SENT_HEADER = 4


class CodeProgress(NamedTuple):
    """The last embedding that has a binary code, and how far blocks have all that this release keeps of a vector.

    Caches of codes reload when `erasures` grows: after an erasure, and when all blocks are renewed.
    """

    upto: int
    erasures: int
    renewed: int


def code_progress(view: View, model: str) -> CodeProgress | None:
    """How far the vectors of a model have binary codes; none while the search is exact."""
    found = view.rows("coded", model=model)
    return CodeProgress(*found[0]) if found else None


def read_codes(view: View, model: str, after: int) -> list[BinaryCodes]:
    """The blocks after an embedding, in order."""
    from recollect.store.binary_codes import BinaryCodes, CodeBlock

    found: list[BinaryCodes] = []
    while rows := view.rows("code_blocks", model=model, behind=after, limit=BLOCKS_PER_STEP):
        found += [BinaryCodes.read(CodeBlock(*block)) for _, *block in rows]
        after = rows[-1][0]
    return found


def read_centroids(view: View, model: str) -> Floats | None:
    """The centroids of a very large store's lists."""
    import numpy as np

    from recollect.store.code_lists import LISTS

    for [centroids] in view.rows("code_centroids", model=model):
        found: Floats = np.frombuffer(centroids, np.float32).reshape(LISTS, -1)
        return found
    return None


def is_behind(view: View, model: str, embedded: int) -> bool:
    """Whether a model that has embedded so many passages has a block of vectors without what is kept of each."""
    progress = code_progress(view, model)
    if progress is None:
        return embedded > EXACT_SEARCH_LIMIT
    if progress.renewed < progress.upto or lacks_lists(view, model, embedded):
        return True
    return view.fetch_number("embeddings_last", model=model) - progress.upto >= BLOCK_SIZE


def lacks_lists(view: View, model: str, embedded: int) -> bool:
    """Whether a model has so many codes that they should be in lists, and has no centroids yet."""
    from recollect.store.code_lists import TRAINED_FROM

    coded = embedded >= TRAINED_FROM and code_progress(view, model) is not None
    return coded and not view.rows("code_centroids", model=model)


def sample_vectors(view: View, model: str) -> Floats:
    """Vectors from all parts of a store, to train centroids on."""
    from recollect.store.code_lists import TRAINING_VECTORS

    last = view.fetch_number("embeddings_last", model=model)
    found: dict[int, bytes] = {}
    for place in range(SAMPLED_PLACES):
        start = last * place // SAMPLED_PLACES
        found |= view.rows(
            "embeddings_some", model=model, behind=start, last=last, limit=TRAINING_VECTORS // SAMPLED_PLACES
        )
    return _decode(view, list(found.values()))


def put_centroids(change: Change, model: str, centroids: Floats) -> None:
    """Keep the centroids of lists; every block is renewed by them."""
    change.run("code_centroids_put", model=model, centroids=centroids.tobytes())


def add_blocks(change: Change, model: str, embedded: int) -> bool:
    """Store the codes of some vectors, those of older blocks anew if they lack something; whether any were behind."""
    if not is_behind(change, model, embedded):
        return False
    progress = code_progress(change, model) or CodeProgress(0, 0, 0)
    step = _renew_blocks if progress.renewed < progress.upto else _append_blocks
    _put(change, model, step(change, model, progress))
    return True


def _append_blocks(change: Change, model: str, progress: CodeProgress) -> CodeProgress:
    centroids = read_centroids(change, model)
    last = change.fetch_number("embeddings_last", model=model)
    for _ in range(BLOCKS_PER_STEP):
        rows = change.rows("embeddings_some", model=model, behind=progress.upto, last=last, limit=BLOCK_SIZE)
        if not rows:
            return progress._replace(upto=last, renewed=last)
        upto = int(rows[-1][0])
        _put_block(change, model, upto, _quantize(change, rows, centroids))
        progress = progress._replace(upto=upto, renewed=upto)
    return progress


def _renew_blocks(change: Change, model: str, progress: CodeProgress) -> CodeProgress:
    """Make the next blocks anew; after the last, caches must reload."""
    centroids = read_centroids(change, model)
    ends = change.fetch_values("code_block_ends", model=model, behind=progress.renewed, limit=BLOCKS_PER_STEP)
    for last in ends:
        among = {"behind": progress.renewed, "last": last, "limit": last - progress.renewed}
        rows = change.rows("embeddings_some", model=model, **among)
        _put_block(change, model, last, _quantize(change, rows, centroids))
        progress = progress._replace(renewed=last)
    if len(ends) < BLOCKS_PER_STEP:
        return progress._replace(renewed=progress.upto, erasures=progress.erasures + 1)
    return progress


def _quantize(view: View, rows: Sequence[Row], centroids: Floats | None) -> BinaryCodes | None:
    """The codes of rows of number and vector; none if there are no rows."""
    from recollect.store.binary_codes import BinaryCodes
    from recollect.store.code_lists import nearest_lists

    if not rows:
        return None
    vectors = _decode(view, [row[1] for row in rows])
    lists = None if centroids is None else nearest_lists(vectors, centroids)
    return BinaryCodes.quantize([row[0] for row in rows], vectors, lists)


def _decode(view: View, stored: Sequence[bytes]) -> Floats:
    """Vectors as SQLite keeps them, or as pgvector sends them: behind a header, most significant byte first."""
    import numpy as np

    form, skipped = ("<f4", 0) if is_sqlite(view) else (">f4", _SENT_HEADER)
    found: Floats = np.stack([np.frombuffer(each, form, offset=skipped) for each in stored]).astype(np.float32)
    return found


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
    from recollect.store.binary_codes import BinaryCodes, CodeBlock

    progress = code_progress(change, model)
    if progress is None or not numbers:
        return
    for number in sorted(numbers):
        for last, *block in change.rows("code_blocks", model=model, behind=number - 1, limit=1):
            _put_block(change, model, last, BinaryCodes.read(CodeBlock(*block)).without([number]))
    _put(change, model, progress._replace(erasures=progress.erasures + 1))


def _put_block(change: Change, model: str, last: int, codes: BinaryCodes | None) -> None:
    """Store a block; one without vectors goes."""
    if codes is None or not len(codes.numbers):
        change.run("code_block_drop", model=model, last=last)
    else:
        change.run("code_block_put", model=model, last=last, **codes.encode()._asdict())


def _put(change: Change, model: str, progress: CodeProgress) -> None:
    change.run("coded_put", model=model, **progress._asdict())
