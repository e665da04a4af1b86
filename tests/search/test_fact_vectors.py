"""Vectors of facts: made in the background and by reads, out of the way of writes, gone with what is erased."""

from collections.abc import Sequence
from dataclasses import replace
from threading import Event, Thread
from time import sleep

import pytest
from tests.support.facts import entity_named, fact, facts_of, tell
from tests.support.hash_embedder import HashEmbedder

from recollect.embed.port import Vectors
from recollect.indexing import EMBEDDINGS_PER_READ, embed_facts, index_all, index_before_read, index_step
from recollect.keep.forgetting.erasure import forget
from recollect.memory import Memory, WorkspaceCache
from recollect.model.ids import FactId
from recollect.store import binary_code_blocks
from recollect.store.fact_vectors import FactVectorFilter, FactVectors, count_unembedded_facts
from recollect.store.vector_codes import quantize_vectors
from recollect.write.entity_edits import edit_entity
from recollect.write.undo import undo


class CountingEmbedder(HashEmbedder):
    def __init__(self) -> None:
        super().__init__(256)
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return super().embed(texts)


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def store(memory: Memory, embedder: CountingEmbedder) -> Memory:
    return replace(memory, cache=WorkspaceCache([embedder]))


def nearest(store: Memory, text: str, as_of: int | None = None, **where: object) -> str | None:
    """The text of the fact that is nearest to a text."""
    assert store.embedder is not None
    [vector] = store.embedder.embed([text])
    with store.read(as_of) as view:
        found = FactVectors(view, store.cache.vectors, store.embedder).nearest(vector, FactVectorFilter(**where), 1)  # type: ignore[arg-type]
        rows = view.fact_rows([FactId(id_) for id_, _ in found])
        return rows[0].text if rows else None


def waiting(store: Memory) -> int:
    with store.read() as view:
        return count_unembedded_facts(view, store.embedder)


def tell_lanterns(store: Memory, *numbers: int) -> None:
    for number in numbers:
        tell(store, fact("Ada", "noted", {"literal": f"lantern {number} is lit"}))


def test_facts_wait_for_a_vector_until_a_read_embeds_them(store: Memory) -> None:
    tell_lanterns(store, *range(3))
    assert (waiting(store), nearest(store, "lantern 2 is lit")) == (3, None)
    index_before_read(store)
    assert (waiting(store), nearest(store, "lantern 2 is lit")) == (0, "Ada noted lantern 2 is lit")


def test_a_read_leaves_a_long_backlog_alone_unless_it_asks_for_the_newest(store: Memory) -> None:
    tell_lanterns(store, *range(EMBEDDINGS_PER_READ + 20))
    index_before_read(store)
    assert waiting(store) == EMBEDDINGS_PER_READ + 20
    index_before_read(store, newest_facts=True)
    assert waiting(store) == 20
    assert (
        nearest(store, f"lantern {EMBEDDINGS_PER_READ + 19} is lit")
        == f"Ada noted lantern {EMBEDDINGS_PER_READ + 19} is lit"
    )


def test_a_read_beside_the_indexer_waits_for_its_short_write(store: Memory) -> None:
    """What was told just now is embedded, whoever writes meanwhile."""
    tell_lanterns(store, 1)
    store.cache.wake_indexer = lambda: None
    begun = Event()
    writer = Thread(target=_write_for_a_moment, args=(store, begun))
    writer.start()
    begun.wait()
    index_before_read(store, newest_facts=True)
    writer.join()
    assert waiting(store) == 0


def _write_for_a_moment(store: Memory, begun: Event) -> None:
    with store.write():
        begun.set()
        sleep(0.1)


def test_a_read_embeds_what_still_waits_after_another_process_was_faster(
    memory: Memory, embedder: CountingEmbedder
) -> None:
    class Overtaken(CountingEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            if not self.texts:
                self.texts += texts
                embed_facts(slower)
                tell_lanterns(slower, 2)
            return super().embed(texts)

    slower = replace(memory, cache=WorkspaceCache([embedder]))
    store = replace(memory, cache=WorkspaceCache([Overtaken()]))
    tell_lanterns(store, 1)
    index_before_read(store, newest_facts=True)
    assert waiting(store) == 0


def test_the_background_embeds_every_fact_once(store: Memory, embedder: CountingEmbedder) -> None:
    tell(store, *(fact("Ada", "noted", {"literal": f"lantern {number}"}) for number in range(150)))
    tell_lanterns(store, *range(10))
    index_before_read(store, newest_facts=True)
    while index_step(store):
        pass
    index_all(store)
    told = [text for text in embedder.texts if "lantern" in text]
    assert (waiting(store), len(told), len(set(told))) == (0, 160, 160)


def test_a_fact_of_an_entity_that_is_renamed_is_embedded_with_its_new_name(store: Memory) -> None:
    tell(store, fact({"name": "Kettle", "type": "project"}, "uses", {"literal": "copper"}))
    index_all(store)
    kettle = entity_named(store, "Kettle")
    assert kettle is not None
    with store.write() as change:
        edit_entity(change, kettle, kettle._replace(name="Teapot", folded="teapot"))
        renamed = change.tx
    index_all(store)
    assert store.embedder is not None
    assert stored_cosine(store, "Teapot uses copper") == pytest.approx(1.0)
    with store.write() as change:
        undo(change, renamed)
    index_all(store)
    assert stored_cosine(store, "Kettle uses copper") == pytest.approx(1.0)


def stored_cosine(store: Memory, text: str) -> float:
    """The cosine of a text with the only vector of a fact."""
    assert store.embedder is not None
    [vector] = store.embedder.embed([text])
    with store.read() as view:
        [(_, cosine)] = FactVectors(view, store.cache.vectors, store.embedder).nearest(vector, FactVectorFilter(), 5)
        return cosine


def test_a_retracted_fact_is_found_only_as_of_a_time_when_it_was_not(store: Memory) -> None:
    tell_lanterns(store, 1)
    index_all(store)
    with store.read() as view:
        before = view.last_tx
    tell(store, fact("Ada", "noted", {"literal": "lantern 1 is lit"}, confidence="retracted"))
    index_all(store)
    assert nearest(store, "lantern 1 is lit") is None
    assert nearest(store, "lantern 1 is lit", as_of=before) == "Ada noted lantern 1 is lit"


def test_facts_are_filtered_by_entity_and_by_the_time_of_their_source(store: Memory) -> None:
    for who, day in (("Ada", "2026-05-01"), ("Ben", "2026-05-02")):
        lit = fact(who, "noted", {"literal": "the lantern is lit"})
        tell(store, lit, id=f"n-{who}", source_at=f"{day}T10:00:00Z", content="A note.")
    index_all(store)
    ben = entity_named(store, "Ben")
    [ada_noted] = [row.fact for row in facts_of(store, "Ada")]
    assert ben is not None
    assert nearest(store, "lantern", entity=ben.id) == "Ben noted the lantern is lit"
    assert nearest(store, "lantern", until=ada_noted.source_at) == "Ada noted the lantern is lit"
    assert nearest(store, "lantern", since=ada_noted.source_at + 1) == "Ben noted the lantern is lit"


def test_no_vector_of_an_erased_fact_is_left(store: Memory) -> None:
    tell_lanterns(store, 1, 2)
    index_all(store)
    [first, _] = facts_of(store, "Ada")
    forget(store, [first.fact.id])
    with store.read() as view:
        assert view.rows("embeddings_known", model="hash-256#fact", hashes=[first.fact.id]) == []
    assert nearest(store, "lantern 1 is lit") == "Ada noted lantern 2 is lit"


def test_a_fact_whose_quote_was_erased_is_embedded_without_it(store: Memory) -> None:
    lit = fact("Ada", "tends", {"name": "Harbour"}, "Secretly, Ada tends the harbour")
    tell(store, lit, id="secret", source_at="2026-05-01T10:00:00Z", content="Secretly, Ada tends the harbour")
    tell(store, fact("Ada", "tends", {"name": "Harbour"}), id="open", source_at="2026-05-02T10:00:00Z", content="Rota.")
    index_all(store)
    with store.read() as view:
        secret = view.document_named("record", "secret")
    assert secret is not None
    forget(store, [secret.id])
    index_all(store)
    assert stored_cosine(store, "Ada tends Harbour") == pytest.approx(1.0)


def test_many_facts_are_found_by_their_binary_codes(store: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary_code_blocks, "EXACT_SEARCH_LIMIT", 50)
    monkeypatch.setattr(binary_code_blocks, "BLOCK_SIZE", 16)
    tell_lanterns(store, *range(80))
    index_all(store)
    assert store.embedder is not None
    with store.write() as change:
        assert not quantize_vectors(change, store.embedder, {})
    with store.read() as view:
        assert store.cache.vectors.binary_codes(view, "hash-256#fact") is not None
    assert nearest(store, "Ada noted lantern 17 is lit") == "Ada noted lantern 17 is lit"


def test_no_binary_code_of_an_erased_fact_is_left(store: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary_code_blocks, "EXACT_SEARCH_LIMIT", 10)
    monkeypatch.setattr(binary_code_blocks, "BLOCK_SIZE", 8)
    tell_lanterns(store, *range(20))
    index_all(store)
    before = coded(store)
    forget(store, [facts_of(store, "Ada")[3].fact.id])
    assert len(before) == len(coded(store)) + 1
    assert coded(store) < before


def coded(store: Memory) -> set[int]:
    """The numbers of the embeddings that have a binary code."""
    with store.read() as view:
        held = store.cache.vectors.binary_codes(view, "hash-256#fact")
    assert held is not None
    return set(held.codes.codes.numbers.tolist())
