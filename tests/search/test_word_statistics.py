"""What words weigh depends on what stands, not on what was taken back nor on how far an index has come."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.calls import asking
from tests.support.facts import fact, take_line
from tests.support.hash_embedder import HashEmbedder

from recollect.indexing import index_all
from recollect.memory import Memory, WorkspaceCache
from recollect.search.recall import is_word_known
from recollect.store.fact_index import FactIndex, index_all_facts
from recollect.store.passage_filter import CorpusSize, PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.vector_codes import count_comparable_texts

LANTERN = [("lantern",)]

ask = asking("recollect")


def tell(memory: Memory, value: str) -> None:
    ask(memory, "remember", facts=[{"subject": "Ada", "predicate": "likes", "value": value}])


def index_facts_now(memory: Memory) -> None:
    with memory.write() as change:
        index_all_facts(change)


@contextmanager
def undone_write(memory: Memory) -> Iterator[None]:
    """A note and a fact that are indexed, then taken back."""
    ask(memory, "remember", text="The brass lantern of the Quillon hangs in the hall.")
    tell(memory, "the lantern of the Quillon")
    index_facts_now(memory)
    yield
    ask(memory, "undo")
    ask(memory, "undo")


def holding(memory: Memory, as_of: int | None = None) -> int:
    with memory.read(as_of) as view:
        return FactIndex(view).document_frequency(LANTERN)


def population(memory: Memory) -> CorpusSize:
    with memory.read() as view:
        return StoredPassageIndex(view).corpus_size(PassageFilter())


def test_a_fact_counts_once_before_and_after_it_is_indexed(memory: Memory) -> None:
    tell(memory, "a lantern")
    tell(memory, "an old lantern")
    assert holding(memory) == 2
    index_facts_now(memory)
    assert holding(memory) == 2
    tell(memory, "a green lantern")
    assert holding(memory) == 3


def test_a_fact_that_was_taken_back_counts_no_more(memory: Memory) -> None:
    tell(memory, "a lantern")
    with undone_write(memory):
        assert holding(memory) == 2
    assert holding(memory) == 1
    index_facts_now(memory)
    assert holding(memory) == 1


def test_a_fact_counts_as_of_the_time_when_it_was_known(memory: Memory) -> None:
    tell(memory, "a lantern")
    with memory.read() as view:
        then = view.last_tx
    with undone_write(memory), memory.read(str(then)) as view:
        assert FactIndex(view).document_frequency(LANTERN) == 1


def test_a_fact_counts_by_the_words_it_has_now_and_is_found_by_all_it_ever_had(memory: Memory) -> None:
    take_line(memory, {"facts": [fact("Ada", "employee", "Acme")]})
    index_facts_now(memory)
    take_line(memory, {"facts": [fact("Ada", "employee", "Acme", "Ada keeps the lantern")]})
    with memory.read() as view:
        worded, known = holding(memory), view.last_tx
    index_facts_now(memory)
    assert (worded, holding(memory), holding(memory, known - 1)) == (1, 1, 0)
    ask(memory, "undo", transaction=known)
    taken_back = holding(memory)
    index_facts_now(memory)
    assert (taken_back, holding(memory), holding(memory, known)) == (0, 0, 1)
    with memory.read(known) as view:
        assert FactIndex(view).containing_all([LANTERN], 10)


def test_a_passage_that_was_taken_back_counts_no_more(memory: Memory) -> None:
    ask(memory, "remember", text="The boat is moored at the old pier.")
    before = population(memory)
    with undone_write(memory):
        assert population(memory).chunks == before.chunks + 1
    assert population(memory) == before


def test_a_text_that_was_taken_back_leaves_the_floor_alone(memory: Memory) -> None:
    own = memory.with_parts(cache=WorkspaceCache([HashEmbedder()]))

    def count() -> int:
        index_all(own)
        with own.read() as view:
            return count_comparable_texts(view, own.embedder)

    tell(own, "a boat")
    before = count()
    with undone_write(own):
        assert count() > before
    assert count() == before


def test_a_word_of_a_fact_is_known_before_it_is_indexed(memory: Memory) -> None:
    tell(memory, "the Quillon")
    with memory.read() as view:
        assert is_word_known(view, "Quillon")
    ask(memory, "undo")
    index_facts_now(memory)
    with memory.read() as view:
        assert not is_word_known(view, "Quillon")
