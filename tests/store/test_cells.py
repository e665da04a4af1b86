"""Vectors by cells: nearly all that a full comparison finds, through filters, growth, restarts and erasure."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.ingest.documents import DocumentDraft, keep_document
from recollect.memory import Kept, Memory, open_memory
from recollect.search.indexing import build_cells, index_everything
from recollect.settings import Settings
from recollect.store import cells
from recollect.store.cells import drop_cells, generations
from recollect.store.found import Filter
from recollect.store.index import StoredIndex

WIDTH = 32
TOPICS = 12


class Spread:
    """An embedder that gives texts of one topic like directions."""

    model = "spread"
    dimensions = WIDTH

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([self._one(text) for text in texts], np.float32)

    def _one(self, text: str) -> NDArray[np.float32]:
        topic, number = (int(part) for part in text.split()[-2:])
        near = np.random.default_rng(topic).normal(size=WIDTH)
        own = np.random.default_rng(1_000 + number).normal(size=WIDTH) * 0.7
        return ((near + own) / np.linalg.norm(near + own)).astype(np.float32)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells from three hundred vectors on, so that a test need not write fifty thousand."""
    for name, value in (("EXACT", 300), ("AT_ONCE", 150), ("BEHIND", 100), ("FEWEST_CELLS", 24), ("FEWEST_PROBED", 8)):
        monkeypatch.setattr(cells, name, value)


@pytest.fixture
def store(tmp_path: Path, small: None) -> Memory:
    del small
    return replace(open_memory(str(tmp_path / "m.db"), settings=Settings()), kept=Kept([Spread()]))


def _write(memory: Memory, numbers: range) -> None:
    with memory.write() as change:
        for number in numbers:
            text = f"note {number % TOPICS} {number}"
            kind = "odd" if number % 50 == 7 else "note"
            keep_document(change, DocumentDraft("record", kind, str(number), None, None, None, change.now, text))
        index_everything(change, memory.embedder)


def _build(memory: Memory) -> int:
    steps = 0
    while build_cells(memory):
        steps += 1
    return steps


def _nearest(memory: Memory, query: str, where: Filter, limit: int = 10) -> list[tuple[int, float]]:
    with memory.read() as view:
        [vector] = Spread().embed([query])
        return StoredIndex(view, memory.kept.matrices).nearest(vector, Spread.model, where, limit)


def _recall(memory: Memory, where: Filter = Filter()) -> float:  # noqa: B008 frozen
    """The share of what a full comparison finds."""
    shares = []
    for number in range(40):
        query = f"q {number % TOPICS} {5_000 + number}"
        wanted = {each for each, _ in _exactly(memory, query, where)}
        shares.append(len(wanted & {each for each, _ in _nearest(memory, query, where)}) / len(wanted))
    return float(np.mean(shares))


def _exactly(memory: Memory, query: str, where: Filter) -> list[tuple[int, float]]:
    with memory.read() as view:
        [vector] = Spread().embed([query])
        numbers = [row[0] for row in view.rows("numbers_wanted", limit=10_000, **where.parameters())]
        found = StoredIndex(view, memory.kept.matrices).cosines(vector, Spread.model, numbers)
    return sorted(found.items(), key=lambda hit: (-hit[1], hit[0]))[:10]


def test_a_small_store_has_no_cells_and_misses_nothing(store: Memory) -> None:
    _write(store, range(200))
    assert _build(store) == 0
    assert _recall(store) == 1.0


def test_a_large_one_finds_nearly_everything_with_its_true_cosine(store: Memory) -> None:
    _write(store, range(600))
    assert _build(store) == 6
    assert _recall(store) >= 0.98
    found = dict(_nearest(store, "q 3 5003", Filter()))
    exact = dict(_exactly(store, "q 3 5003", Filter()))
    assert {number: found[number] for number in found if number in exact} == {
        number: exact[number] for number in found if number in exact
    }


def test_what_came_since_is_found_at_once_and_joins_the_cells_later(store: Memory) -> None:
    _write(store, range(400))
    _build(store)
    _write(store, range(400, 450))
    assert _nearest(store, f"q {420 % TOPICS} 420", Filter())[0][1] == pytest.approx(1.0, abs=1e-5)
    assert _build(store) == 0
    _write(store, range(450, 520))
    assert _build(store) == 1
    assert _recall(store) >= 0.98


def test_a_filter_that_few_pass_is_exact(store: Memory) -> None:
    _write(store, range(600))
    _build(store)
    assert _recall(store, Filter(types=frozenset({"odd"}))) == 1.0


def test_cells_are_trained_anew_when_the_store_has_grown_and_the_old_ones_go(store: Memory) -> None:
    _write(store, range(300))
    _build(store)
    _write(store, range(300, 1_250))
    _build(store)
    with store.read() as view:
        [held] = generations(view, Spread.model)
    assert (held.generation, held.trained_on, held.is_ready) == (2, 1_250, True)
    assert _recall(store) >= 0.98


def test_another_process_uses_the_same_cells(store: Memory) -> None:
    _write(store, range(600))
    _build(store)
    other = replace(store, kept=Kept([Spread()]))
    assert _build(other) == 0
    assert _nearest(other, "q 3 5003", Filter()) == _nearest(store, "q 3 5003", Filter())


def test_dropped_cells_are_built_from_what_is_left(store: Memory) -> None:
    _write(store, range(600))
    _build(store)
    with store.write() as change:
        drop_cells(change)
    assert _recall(store) == 1.0
    assert _build(store) == 6
