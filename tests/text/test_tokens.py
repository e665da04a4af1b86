"""The tokenizer that every index and every rule shares."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.store.passage_index import title_keys
from recollect.text.content_words import content_tokens, split_words
from recollect.text.fold import fold_for_search, fold_name
from recollect.text.tokens import (
    bare_terms,
    bare_words,
    bigrams,
    count_terms,
    count_unspaced_letters,
    index_terms,
    index_words,
    name_key,
    name_token_spans,
    name_tokens,
    terms,
    words,
)

# What version 1 of the index stored for these texts: databases in use hold exactly these terms.
STORED = json.loads((Path(__file__).parent / "data" / "index_terms.json").read_text("utf-8"))
KHMER = "ភាសាខ្មែរ"


@pytest.mark.parametrize("stored", STORED, ids=lambda each: each["text"][:20])
def test_stored_index_terms_never_change(stored: dict[str, object]) -> None:
    text = str(stored["text"])
    assert terms(text) == stored["terms"]
    assert list(index_terms(text)) == stored["index_terms"]
    assert sorted(title_keys(text)) == stored["title_keys"]


@given(st.text(st.characters(max_codepoint=127)))
def test_a_text_of_plain_letters_has_the_index_words_that_it_has_beside_others(text: str) -> None:
    assert index_words(text) == index_words(f"{text} é")[:-1]


def test_words_keep_apostrophes_and_accents_and_leave_out_punctuation() -> None:
    assert words("Zoë's dog, snake_case; 3 o'clock!") == ["Zoë's", "dog", "snake", "case", "3", "o'clock"]


def test_a_decomposed_word_and_a_word_with_vowel_signs_are_one_word_each() -> None:
    assert words("cafe\u0301 हिन्दी") == ["cafe\u0301", "हिन्दी"]


def test_a_run_of_an_unspaced_script_is_a_word_of_its_own() -> None:
    assert words("iPhone手机 ok") == ["iPhone", "手机", "ok"]


def test_one_khmer_word_is_cut_the_same_way_by_every_index() -> None:
    folded = fold_for_search(KHMER)
    pairs = list(bigrams(folded))
    assert words(KHMER) == [KHMER]
    assert terms(KHMER) == bare_terms(KHMER) == list(index_terms(KHMER)) == pairs
    assert "".join(pair[0] for pair in pairs) + folded[-1] == folded
    assert count_unspaced_letters(f"in {KHMER}!") == len(KHMER)


def test_bare_terms_are_not_stemmed_and_are_cut_at_apostrophes() -> None:
    assert bare_terms("O’Brien's running Zoë 東京") == ["o", "brien", "s", "running", "zoe", "東京"]


def test_bare_words_are_runs_of_letters_and_digits() -> None:
    assert bare_words("don't stop-now é2") == ["don", "t", "stop", "now", "é2"]


def test_terms_are_counted_as_they_are_indexed() -> None:
    text = "The cat's cats, 東京 and cat"
    assert count_terms(text, {"cat", "東", "dog"}) == {"cat": 3, "東": 1}


def test_name_tokens_split_at_spaces_hyphens_underscores_dots_and_slashes() -> None:
    assert name_tokens(fold_name("Jean-Luc O'Neil_x a.b/c&d")) == ("jean", "luc", "o'neil", "x", "a", "b", "c&d")
    assert name_key("j. r.r. tolkien") == "j r r tolkien"
    assert [(each.start, each.text) for each in name_token_spans("Jean-Luc & co")] == [
        (0, "Jean"),
        (5, "Luc"),
        (9, "&"),
        (11, "co"),
    ]


def test_words_of_a_statement_write_negations_out_and_keep_numbers_whole() -> None:
    assert split_words("He didn’t pay 1,200.50 and cannot") == [
        "he",
        "did",
        "not",
        "pay",
        "1,200.50",
        "and",
        "can",
        "not",
    ]
    assert content_tokens("She wasn't taken by the ponies") == ["not", "take", "poni"]
