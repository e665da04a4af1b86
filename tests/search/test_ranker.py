"""The learned ranker: signals of hits, their weighted order, and what it says of itself."""

from math import log

import pytest
from tests.search.library import Book, ask, keys, shelve
from tests.support.hash_embedder import HashEmbedder

from recollect.memory import Memory
from recollect.search import ranker
from recollect.search.fusion_weights import DEFAULT_WEIGHTS, SignalWeights
from recollect.search.passage_search import FusedHits, SearchRequest, find_passages
from recollect.search.ranker import SIGNALS, rank_hits, text_kind
from recollect.store.passage_index import StoredPassageIndex

EMBEDDER = HashEmbedder()
TALK = (
    Book("asked", "Where is the old bridge, and when was it painted?", author="Ann", at="2026-05-01T10:00:00Z"),
    Book("answer", "In 1999, near the mill.", author="Bob", at="2026-05-01T10:01:00Z"),
    Book("after", "Fine, we should walk there.", author="Ann", at="2026-05-01T10:02:00Z"),
    Book("old", "The old bridge is closed.", title="Roads", at="2026-04-01T10:00:00Z"),
    Book("new", "The old bridge is open again.", title="Road news", at="2026-04-20T10:00:00Z"),
)


def found(memory: Memory, text: str) -> FusedHits:
    with memory.read() as view:
        return find_passages(StoredPassageIndex(view), SearchRequest(text, view.now), EMBEDDER)


def signals(memory: Memory, text: str) -> dict[str, dict[str, float]]:
    fused = found(memory, text)
    rows = fused.context.rows(fused.hits)
    return {hit.chunk.key: dict(zip(SIGNALS, row, strict=True)) for hit, row in zip(fused.hits, rows, strict=True)}


def test_an_answer_knows_the_question_before_it(memory: Memory) -> None:
    shelve(memory, EMBEDDER, TALK)
    seen = signals(memory, "When was the old bridge painted, Bob?")
    answer = seen["answer"]
    assert (answer["after_question"], answer["asks"], answer["time_wanted"]) == (1, 0, 1)
    asked = seen["asked"]["cosine"] + DEFAULT_WEIGHTS.text * seen["asked"]["text"]
    assert answer["answers"] == answer["before"] == pytest.approx(asked)
    assert seen["after"]["two_before"] == answer["before"]
    assert (answer["by_named_author"], seen["asked"]["by_other_author"]) == (1, 1)
    assert answer["length"] == pytest.approx(log(1 + len("In 1999, near the mill.")))


def test_weights_order_the_hits_and_the_scores_keep_their_scale(memory: Memory) -> None:
    shelve(memory, EMBEDDER, TALK)
    fused = found(memory, "When was the old bridge painted?")
    weights = SignalWeights.read(SIGNALS, {"after_question": 1.0, "cosine": 0.1})
    ranked = rank_hits(weights, fused.hits, fused.context)
    assert ranked[0].chunk.key == "answer"
    assert [hit.score for hit in ranked] == [hit.score for hit in fused.hits]
    assert ranked[0].why.signals[0].startswith("after_question +0.")


def test_the_weights_follow_the_kind_of_text(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    shelve(memory, EMBEDDER, TALK)
    turns = found(memory, "Where is the mill?")
    assert text_kind(turns.hits, turns.context) == "conversation"
    documents = [hit for hit in turns.hits if hit.chunk.title]
    assert text_kind(documents, turns.context) == "documents"
    weights = SignalWeights.read(SIGNALS, {"after_question": 1.0})
    monkeypatch.setattr(ranker, "ranker_weights", lambda: {"conversation": weights})
    assert keys(ask(memory, "Where is the mill?", EMBEDDER))[0] == "answer"


def test_the_ranker_leaves_a_search_without_vectors_alone(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    shelve(memory, None, TALK)
    without = keys(ask(memory, "the old bridge", None))
    weights = SignalWeights.read(SIGNALS, {"length": -1.0})
    monkeypatch.setattr(ranker, "ranker_weights", lambda: {"documents": weights})
    assert keys(ask(memory, "the old bridge", None)) == without
