"""Vectors by their signs: nearly all that a full comparison finds, through filters, growth, restarts and erasure."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.conftest import Build
from tests.support.databases import gather_statistics

from recollect.indexing import build_vector_codes
from recollect.ingest.documents import DocumentDraft, store_document
from recollect.memory import Memory, WorkspaceCache
from recollect.model.ids import DocumentId
from recollect.search.chunking import index_all_passages
from recollect.store import binary_code_blocks, binary_codes, code_lists, nearest_neighbors
from recollect.store.binary_code_blocks import code_progress, read_codes
from recollect.store.erasure_queries import erase_body
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex

WIDTH = 96
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
def codes_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs from three hundred vectors on, so that a test need not write fifty thousand."""
    for name, value in (("EXACT_SEARCH_LIMIT", 300), ("BLOCK_SIZE", 100), ("BLOCKS_PER_STEP", 2)):
        monkeypatch.setattr(binary_code_blocks, name, value)
    monkeypatch.setattr(binary_codes, "MIN_NARROW", 60)
    monkeypatch.setattr(binary_codes, "NARROW_SHARE", 0.1)


@pytest.fixture
def store(memory: Memory, codes_early: None) -> Memory:
    del codes_early
    return _embedding(memory)


@pytest.fixture
def large(filled: Callable[[Build], Memory], codes_early: None) -> Memory:
    """A store of six hundred texts."""
    del codes_early
    copied = _embedding(filled(_write_six_hundred))
    gather_statistics(copied)
    return copied


def _embedding(memory: Memory) -> Memory:
    return replace(memory, cache=WorkspaceCache([Spread()]))


def _write_six_hundred(memory: Memory) -> None:
    _write(_embedding(memory), range(600))


def _write(memory: Memory, numbers: range) -> None:
    with memory.write() as change:
        for number in numbers:
            text = f"note {number % TOPICS} {number}"
            kind = "odd" if number % 50 == 7 else "note"
            store_document(change, DocumentDraft("record", kind, str(number), None, None, None, change.now, text))
        index_all_passages(change, memory.embedder)
    gather_statistics(memory)


def _build(memory: Memory) -> int:
    steps = 0
    while build_vector_codes(memory):
        steps += 1
    return steps


def _nearest(memory: Memory, query: str, where: PassageFilter, limit: int = 10) -> list[tuple[int, float]]:
    with memory.read() as view:
        [vector] = Spread().embed([query])
        return StoredPassageIndex(view, memory.cache.vectors).nearest(vector, Spread.model, where, limit)


def _recall(memory: Memory, where: PassageFilter = PassageFilter()) -> float:  # noqa: B008 frozen
    """The share of what a full comparison finds."""
    shares = []
    for number in range(40):
        query = f"q {number % TOPICS} {5_000 + number}"
        wanted = {each for each, _ in _exactly(memory, query, where)}
        shares.append(len(wanted & {each for each, _ in _nearest(memory, query, where)}) / len(wanted))
    return float(np.mean(shares))


def _exactly(memory: Memory, query: str, where: PassageFilter) -> list[tuple[int, float]]:
    with memory.read() as view:
        [vector] = Spread().embed([query])
        asked = {"model": Spread.model, "limit": 10_000, **where.parameters()}
        numbers = [row[0] for row in view.rows("embedded_allowed", **asked)]
        found = StoredPassageIndex(view, memory.cache.vectors).cosines(vector, Spread.model, numbers)
    return sorted(found.items(), key=lambda hit: (-hit[1], hit[0]))[:10]


def test_a_small_store_keeps_no_signs_and_misses_nothing(store: Memory) -> None:
    _write(store, range(200))
    assert _build(store) == 0
    assert _recall(store) == 1.0


def test_a_large_one_finds_nearly_everything_with_its_true_cosine(large: Memory) -> None:
    assert _build(large) == 3
    assert _recall(large) >= 0.98
    found = dict(_nearest(large, "q 3 5003", PassageFilter()))
    exact = dict(_exactly(large, "q 3 5003", PassageFilter()))
    shared = found.keys() & exact.keys()
    assert {number: found[number] for number in shared} == pytest.approx({number: exact[number] for number in shared})


def test_the_same_question_has_the_same_answer(large: Memory) -> None:
    _build(large)
    first = _nearest(large, "q 3 5003", PassageFilter())
    large.cache.vectors.clear()
    assert _nearest(large, "q 3 5003", PassageFilter()) == first


def test_what_came_since_is_found_at_once_and_gets_its_signs_later(store: Memory) -> None:
    _write(store, range(400))
    _build(store)
    _write(store, range(400, 450))
    assert _nearest(store, f"q {420 % TOPICS} 420", PassageFilter())[0][1] == pytest.approx(1.0, abs=1e-5)
    assert _build(store) == 0
    _write(store, range(450, 520))
    assert _build(store) == 1
    assert _recall(store) >= 0.98


def test_a_filter_that_few_pass_is_exact(large: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest_neighbors, "SELECTIVE_FILTER_ROWS", 100)
    _build(large)
    assert _recall(large, PassageFilter(types=frozenset({"odd"}))) == 1.0


def test_of_the_few_that_pass_a_filter_the_likely_ones_are_compared_and_those_that_came_since(
    store: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest_neighbors, "MIN_RESCORED", 0)
    monkeypatch.setattr(nearest_neighbors, "RESCORE_FACTOR", 3)
    _write(store, range(2_000))
    _build(store)
    _write(store, range(2_000, 2_060))
    odd = PassageFilter(types=frozenset({"odd"}))
    assert _recall(store, odd) >= 0.9
    assert _nearest(store, f"q {2_057 % TOPICS} 2057", odd, 1)[0][1] == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("few", [0, 14_000])
def test_a_filter_that_leaves_much_out_loses_nothing(large: Memory, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(nearest_neighbors, "SELECTIVE_FILTER_ESTIMATE", few)
    _build(large)
    assert _recall(large, PassageFilter(types=frozenset({"odd"}))) >= 0.98


def test_what_was_known_earlier_is_found_as_of_then(store: Memory) -> None:
    _write(store, range(60))
    with store.read() as view:
        then = view.last_tx
    _write(store, range(60, 600))
    _build(store)
    with store.read(then) as view:
        [vector] = Spread().embed(["q 3 5003"])
        found = StoredPassageIndex(view, store.cache.vectors).nearest(vector, Spread.model, PassageFilter(), 60)
    assert len(found) == 60


def test_another_process_uses_the_same_signs_and_sees_what_this_one_adds(large: Memory) -> None:
    _build(large)
    other = replace(large, cache=WorkspaceCache([Spread()]))
    assert _build(other) == 0
    assert _nearest(other, "q 3 5003", PassageFilter()) == _nearest(large, "q 3 5003", PassageFilter())
    _write(large, range(600, 720))
    _build(large)
    assert _nearest(other, f"q {710 % TOPICS} 710", PassageFilter())[0][1] == pytest.approx(1.0, abs=1e-5)


def test_signs_of_erased_vectors_are_overwritten_for_every_process(large: Memory) -> None:
    _build(large)
    other = replace(large, cache=WorkspaceCache([Spread()]))
    [(number, _)] = _nearest(other, f"q {410 % TOPICS} 410", PassageFilter(), 1)
    [(embedded, document)] = _owner(large, number)
    with large.write() as change:
        erase_body(change, document)
    assert embedded not in _coded_numbers(large)
    assert len(_coded_numbers(large)) == 599
    assert number not in dict(_nearest(other, f"q {410 % TOPICS} 410", PassageFilter(), 10))
    assert _recall(large) >= 0.98


def test_a_vector_of_another_width_finds_nothing(store: Memory) -> None:
    _write(store, range(400))
    _build(store)
    with store.read() as view:
        found = StoredPassageIndex(view, store.cache.vectors).nearest(
            np.ones(200, np.float32), Spread.model, PassageFilter(), 5
        )
    assert found == []


def _owner(memory: Memory, chunk: int) -> list[tuple[int, DocumentId]]:
    with memory.read() as view:
        found = StoredPassageIndex(view, memory.cache.vectors).chunks([chunk], PassageFilter())[chunk]
        [passage] = view.chunks(found.document)
        rows = view.rows("embeddings_numbered", models=[Spread.model], hashes=[passage.hash])
        return [(number, found.document) for _, number in rows]


def _coded_numbers(memory: Memory) -> set[int]:
    with memory.read() as view:
        assert code_progress(view, Spread.model) is not None
        return {int(number) for each in read_codes(view, Spread.model, 0) for number in each.numbers}


def test_more_candidates_are_compared_in_a_larger_store() -> None:
    counts = [nearest_neighbors.rescored_candidates(10, total) for total in (60_000, 100_000, 1_000_000, 10_000_000)]
    assert counts == [100, 100, 230, 640]


@pytest.fixture
def lists_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists from five hundred vectors on, of which a search looks at half."""
    small = {"TRAINED_FROM": 500, "LISTS": 12, "PROBED": 6, "TRAINING_VECTORS": 240}
    for name, value in small.items():
        monkeypatch.setattr(code_lists, name, value)
    monkeypatch.setattr(binary_code_blocks, "SAMPLED_PLACES", 24)


def test_a_very_large_store_has_lists_of_which_a_search_looks_at_the_nearest(store: Memory, lists_early: None) -> None:
    del lists_early
    _write(store, range(400))
    _build(store)
    before = [each.encode() for each in _blocks(store)]
    assert all(set(np.frombuffer(each.lists or b"", np.uint16)) == {binary_codes.NO_LIST} for each in before)
    _write(store, range(400, 800))
    assert _recall(store) >= 0.98
    _build(store)
    lists = np.concatenate([each.lists for each in _blocks(store)])
    assert len(lists) == 800
    assert lists.max() < 12
    assert len(np.unique(lists)) > 6
    assert _recall(store) >= 0.98


def test_lists_are_the_same_in_every_process_and_take_in_what_comes(store: Memory, lists_early: None) -> None:
    del lists_early
    _write(store, range(700))
    _build(store)
    other = replace(store, cache=WorkspaceCache([Spread()]))
    assert _nearest(other, "q 3 5003", PassageFilter()) == _nearest(store, "q 3 5003", PassageFilter())
    for first in range(700, 1_300, 150):
        _write(store, range(first, first + 150))
        _build(store)
        asked = f"q {(first + 9) % TOPICS} {first + 9}"
        assert _nearest(other, asked, PassageFilter(), 1)[0][1] == pytest.approx(1.0, abs=1e-5)
    assert _recall(other) >= 0.98


def test_filters_and_erasure_work_with_lists(store: Memory, lists_early: None, monkeypatch: pytest.MonkeyPatch) -> None:
    del lists_early
    _write(store, range(700))
    _build(store)
    assert _recall(store, PassageFilter(types=frozenset({"odd"}))) == 1.0
    [(number, _)] = _nearest(store, f"q {410 % TOPICS} 410", PassageFilter(), 1)
    [(embedded, document)] = _owner(store, number)
    with store.write() as change:
        erase_body(change, document)
    assert embedded not in _coded_numbers(store)
    assert number not in dict(_nearest(store, f"q {410 % TOPICS} 410", PassageFilter(), 10))
    monkeypatch.setattr(nearest_neighbors, "SELECTIVE_FILTER_ROWS", 5)
    assert _recall(store, PassageFilter(types=frozenset({"odd"}))) >= 0.98


def test_blocks_of_an_earlier_release_answer_and_are_made_anew(large: Memory) -> None:
    _build(large)
    with large.write() as change:
        [progress] = change.rows("coded", model=Spread.model)
        change.run("coded_put", model=Spread.model, upto=progress[0], erasures=progress[1], renewed=0)
        ends = change.fetch_values("code_block_ends", model=Spread.model, behind=0, limit=100)
        for last, block in zip(ends, _blocks(large), strict=True):
            signs_alone = block.encode()._replace(magnitudes=None, lists=None)._asdict()
            change.run("code_block_put", model=Spread.model, last=last, **signs_alone)
    large.cache.vectors.clear()
    assert _recall(large) >= 0.95
    assert _build(large) > 0
    assert all(np.frombuffer(each.encode().magnitudes or b"", np.uint64).any() for each in _blocks(large))
    assert _recall(large) >= 0.98


def test_a_block_whose_vectors_are_all_erased_goes(large: Memory) -> None:
    _build(large)
    first = {int(number) for number in _blocks(large)[0].numbers}
    for number in range(600):
        [(passage, _)] = _nearest(large, f"q {number % TOPICS} {number}", PassageFilter(), 1)
        [(embedded, document)] = _owner(large, passage)
        if embedded in first:
            with large.write() as change:
                erase_body(change, document)
    assert not first & _coded_numbers(large)
    assert _recall(large) >= 0.95


def _blocks(memory: Memory) -> list[binary_codes.BinaryCodes]:
    with memory.read() as view:
        return read_codes(view, Spread.model, 0)
