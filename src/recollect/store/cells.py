"""Vectors by cells: a query is compared with those in the cells nearest to it, a few in a hundred of all.

Up to `EXACT` vectors are compared with all of them, so that small stores never miss one. Beyond that, cells are
trained on a sample and filled in order; what came since stands beside them and is compared with in full.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Literal, NamedTuple

from recollect.store.change import Change
from recollect.store.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

EXACT = 50_000
GROWTH = 4
SAMPLE = 20_000
ROUNDS = 6
FEWEST_CELLS, MOST_CELLS = 256, 4_096
AT_ONCE = 50_000
BEHIND = 20_000
PROBED = 0.05
FEWEST_PROBED = 96
STEPS = 127


class Generation(NamedTuple):
    """One set of cells: filled with the embeddings up to a number, trained when there were so many."""

    generation: int
    upto: int
    trained_on: int
    is_ready: bool


def generations(view: View, model: str) -> list[Generation]:
    return [Generation(row[0], row[1], row[2], bool(row[3])) for row in view.rows("generations", model=model)]


def in_use(view: View, model: str) -> Generation | None:
    """The cells to search by, or none while everything is compared with everything."""
    return max((each for each in generations(view, model) if each.is_ready), default=None)


class Centres:
    """The centres of cells, kept from call to call: a megabyte or two."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[tuple[int, str], tuple[int, Floats]] = {}

    def of(self, view: View, model: str, generation: int) -> Floats:
        import numpy as np

        with self._lock:
            held = self._held.get((view.ws, model))
            if held is None or held[0] != generation:
                rows = [row[0] for row in view.rows("cells", model=model, generation=generation)]
                held = generation, np.frombuffer(b"".join(rows), np.float32).reshape(len(rows), -1)
                self._held[view.ws, model] = held
            return held[1]


def near_in_cells(
    view: View, model: str, generation: int, centres: Floats, vector: Floats, probes: int
) -> tuple[NDArray[np.int64], Floats]:
    """The numbers of the embeddings in the nearest cells, with nearly their cosines."""
    import numpy as np

    cells = np.argsort(-(centres @ vector), kind="stable")[:probes].tolist()
    blocks = view.rows("blocks_of_cells", model=model, generation=generation, cells=cells)
    if not blocks:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    numbers = np.frombuffer(b"".join(block[0] for block in blocks), np.int64)
    scales = np.frombuffer(b"".join(block[1] for block in blocks), np.float32)
    rows = np.frombuffer(b"".join(block[2] for block in blocks), np.int8).reshape(len(numbers), -1)
    return numbers, (rows.astype(np.float32) @ vector) * scales


def probes_of(centres: Floats) -> int:
    return max(FEWEST_PROBED, round(len(centres) * PROBED))


Step = Literal["fill", "train", "catch up"]


def next_step(view: View, model: str, embedded: int) -> Step | None:
    """What there is to do for the cells of a model that has embedded so many passages."""
    held = generations(view, model)
    if any(not each.is_ready for each in held):
        return "fill"
    ready = max(held, default=None)
    if embedded >= (EXACT if ready is None else ready.trained_on * GROWTH):
        return "train"
    [[last]] = view.rows("embeddings_last")
    return "catch up" if ready is not None and last - ready.upto >= BEHIND else None


def advance(change: Change, model: str, embedded: int) -> bool:
    """Take one bounded step towards cells that hold every embedding; whether there was one to take."""
    held = generations(change, model)
    match next_step(change, model, embedded):
        case "train":
            _train(change, model, embedded, max((each.generation for each in held), default=0) + 1)
        case "catch up":
            return _fill(change, model, max(held))
        case "fill":
            building = max(each for each in held if not each.is_ready)
            if not _fill(change, model, building):
                _take_over(change, model, building, [each for each in held if each.is_ready])
        case None:
            return False
    return True


def _train(change: Change, model: str, embedded: int, generation: int) -> None:
    import numpy as np

    step = max(1, embedded // SAMPLE)
    rows = [row[0] for row in change.rows("embeddings_every", model=model, step=step, limit=SAMPLE * 2)]
    sample = np.frombuffer(b"".join(rows), np.float32).reshape(len(rows), -1)
    count = min(max(round(2 * embedded**0.5), FEWEST_CELLS), MOST_CELLS, len(sample))
    key = {"ws": change.ws, "model": model, "generation": generation}
    cells = [{**key, "cell": cell, "centre": centre.tobytes()} for cell, centre in enumerate(centres_of(sample, count))]
    change.connection.run_many("cell_add", cells)
    change.connection.run("generation_put", {**key, "upto": 0, "trained_on": embedded, "is_ready": 0})


def centres_of(sample: Floats, count: int) -> Floats:
    """The middles of that many groups of directions, found in a few rounds from an even choice of the sample."""
    import numpy as np

    centres: Floats = sample[np.linspace(0, len(sample) - 1, count).astype(int)].copy()
    for _ in range(ROUNDS):
        nearest = np.argmax(sample @ centres.T, axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, sample)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-12), centres).astype(np.float32)
    return centres


def _fill(change: Change, model: str, into: Generation) -> bool:
    """Put the next embeddings into their cells; whether there were any."""
    import numpy as np

    rows = change.rows("embeddings_some", model=model, upto=into.upto, limit=AT_ONCE)
    if not rows:
        return False
    numbers = np.array([row[0] for row in rows], np.int64)
    vectors = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(len(rows), -1)
    key = {"ws": change.ws, "model": model, "generation": into.generation}
    centres = Centres().of(change, model, into.generation)
    nearest = np.argmax(vectors @ centres.T, axis=1)
    blocks = [
        {
            **key,
            "cell": int(cell),
            "block": int(numbers[-1]),
            **_block(numbers[nearest == cell], vectors[nearest == cell]),
        }
        for cell in np.unique(nearest)
    ]
    change.connection.run_many("block_add", blocks)
    state = into._replace(upto=int(numbers[-1]))._asdict() | {"is_ready": int(into.is_ready)}
    change.connection.run("generation_put", {**key, **state})
    return True


def _block(numbers: NDArray[np.int64], vectors: Floats) -> dict[str, bytes]:
    """Embeddings in a quarter of their size: each number in steps of the largest of its row."""
    import numpy as np

    scales = (np.abs(vectors).max(axis=1) / STEPS).astype(np.float32)
    rows = np.rint(vectors / np.maximum(scales, 1e-12)[:, None]).astype(np.int8)
    return {"numbers": numbers.tobytes(), "scales": scales.tobytes(), "rows": rows.tobytes()}


def _take_over(change: Change, model: str, building: Generation, before: list[Generation]) -> None:
    """Let what is whole by now be searched, in place of what was."""
    key = {"ws": change.ws, "model": model}
    change.connection.run("generation_put", {**key, **building._asdict(), "is_ready": 1})
    for each in before:
        for drop in ("generation_drop", "cells_drop", "blocks_drop"):
            change.connection.run(drop, {**key, "generation": each.generation})


def drop_cells(change: Change) -> None:
    """Forget all cells of the workspace; they are built anew from what is left."""
    for [model, generation] in change.rows("generations_all"):
        for drop in ("generation_drop", "cells_drop", "blocks_drop"):
            change.connection.run(drop, {"ws": change.ws, "model": model, "generation": generation})
