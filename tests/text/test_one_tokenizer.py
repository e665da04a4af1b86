"""Every reader cuts a word of an unspaced script in the same way."""

import numpy as np
import pytest

from recollect.reason.closures.completion_terms import completion_terms, item_terms
from recollect.search.bm25 import content_words
from recollect.text.tokens import bare_index_terms, bare_terms, terms
from tests.support.hash_embedder import HashEmbedder


@pytest.mark.parametrize("word", ["ភាសាខ្មែរ", "กรุงเทพ", "မြန်မာ", "東京タワー", "서울에서"])
def test_a_word_is_cut_alike_in_the_index_in_items_and_in_questions(word: str) -> None:
    expected = set(terms(word))
    assert set(bare_terms(word)) == expected == {each for each in bare_index_terms(word) if len(each) > 1}
    assert item_terms(word) == completion_terms(word, ()) == expected
    assert set(content_words(f"The {word}")) == expected


def test_the_test_embedder_finds_words_inside_an_unspaced_text() -> None:
    whole, part, other = HashEmbedder(512).embed(["ខ្ញុំនៅកម្ពុជា", "កម្ពុជា", "東京"])
    assert np.dot(whole, part) > 0.5 > np.dot(whole, other)
