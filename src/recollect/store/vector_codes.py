"""Binary codes of all vectors that may be too many to compare: those of passages and of facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from recollect.embed.port import Embedder
from recollect.store.binary_code_blocks import add_blocks, is_behind, lacks_lists, put_centroids, sample_vectors
from recollect.store.change import Change
from recollect.store.fact_vectors import fact_model, fact_progress
from recollect.store.passage_index import vector_progress
from recollect.store.view import View

if TYPE_CHECKING:
    from recollect.store.binary_codes import Floats

COUNTED_EXACTLY = 2_000


def has_unquantized_vectors(view: View, embedder: Embedder) -> bool:
    """Whether the binary codes of a large store's vectors are behind these."""
    return any(is_behind(view, model, count) for model, count in _vector_counts(view, embedder))


def missing_centroids(view: View, embedder: Embedder) -> dict[str, Floats]:
    """By model the centroids of lists that its vectors should be in: trained here, so that no write waits for it."""
    from recollect.store.code_lists import train_centroids

    lacking = [model for model, count in _vector_counts(view, embedder) if lacks_lists(view, model, count)]
    return {model: train_centroids(sample_vectors(view, model)) for model in lacking}


def quantize_vectors(change: Change, embedder: Embedder, centroids: Mapping[str, Floats]) -> bool:
    """Take one bounded step towards binary codes of every vector; whether there was one to take."""
    for model, count in _vector_counts(change, embedder):
        if model in centroids and lacks_lists(change, model, count):
            put_centroids(change, model, centroids[model])
    return any(add_blocks(change, model, count) for model, count in _vector_counts(change, embedder))


def _vector_counts(view: View, embedder: Embedder) -> Iterator[tuple[str, int]]:
    """The models that may have too many vectors to compare all of them, with how many."""
    yield embedder.model, vector_progress(embedder).read(view).items
    yield fact_model(embedder), fact_progress(embedder).read(view).items


def count_comparable_texts(view: View, embedder: Embedder | None) -> int:
    """How many passages and facts there are to compare a question with; in a large store those that ever had a vector.

    What was taken back keeps its vector, so that vectors are not counted where it matters that one is more.
    """
    stored = 0 if embedder is None else sum(count for _, count in _vector_counts(view, embedder))
    if not 0 < stored <= COUNTED_EXACTLY:
        return stored
    [[passages, facts]] = view.rows("texts_standing")
    return int(passages) + int(facts)
