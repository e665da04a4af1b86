"""After an upgrade of the model a store answers by its old vectors until it is embedded anew."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tests.search.library import BOOKS, ask, keys, shelve
from tests.support.hash_embedder import HashEmbedder

from recollect.embed.local import EarlierModel
from recollect.embed.port import Vectors
from recollect.memory import Memory
from recollect.search.chunking import index_all_passages
from recollect.store.passage_index import index_vectors

OLD = HashEmbedder()
MATRIX = np.random.default_rng(1).permutation(np.eye(OLD.dimensions, dtype=np.float32))


class NewModel:
    """Vectors of the old model with their numbers in another order: comparing the two would find anything."""

    model = "new"
    dimensions = OLD.dimensions

    def __init__(self, folder: Path) -> None:
        np.save(folder / "earlier.npy", MATRIX.T)
        older = EarlierModel("older", folder / "missing.npy")
        self.earlier = (older, EarlierModel(OLD.model, folder / "earlier.npy"))

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows: Vectors = OLD.embed(texts) @ MATRIX
        return rows


def test_old_vectors_answer_while_the_new_model_is_behind(memory: Memory, tmp_path: Path) -> None:
    shelve(memory, OLD)
    new = NewModel(tmp_path)
    question = "a powerful support group"
    before = ask(memory, question, OLD)
    with memory.write() as change:
        assert index_vectors(change, new, 2) == 2
    meanwhile = ask(memory, question, new)
    assert meanwhile.by_meaning
    assert [(hit.chunk.key, hit.why.cosine) for hit in meanwhile.hits] == [
        (hit.chunk.key, hit.why.cosine) for hit in before.hits
    ]


def test_the_new_model_answers_once_it_has_caught_up(memory: Memory, tmp_path: Path) -> None:
    shelve(memory, OLD)
    new = NewModel(tmp_path)
    with memory.write() as change:
        index_all_passages(change, new)
    shelve(memory, new, (BOOKS[1]._replace(key="group again"),))
    assert keys(ask(memory, "a powerful support group", new))[:2] == ["group", "group again"]


def test_a_store_without_old_vectors_is_searched_by_the_new_model(memory: Memory, tmp_path: Path) -> None:
    new = NewModel(tmp_path)
    shelve(memory, new)
    found = ask(memory, "a powerful support group", new)
    assert keys(found)[0] == "group"
    assert found.hits[0].why.cosine is not None
