"""The stems that both engines index."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.store.text_index import fts5_document, quote_term, term_frequency_from_rank, tsvector_document
from recollect.text.stems import stem
from recollect.text.tokens import index_terms, terms

STEMS = {
    "caresses": "caress", "ponies": "poni", "cats": "cat", "feed": "feed", "agreed": "agre", "plastered": "plaster",
    "bled": "bled", "motoring": "motor", "sing": "sing", "conflated": "conflat", "sized": "size", "hopping": "hop",
    "falling": "fall", "failing": "fail", "filing": "file", "happy": "happi", "sky": "sky", "relational": "relat",
    "conditional": "condit", "digitizer": "digit", "operator": "oper", "hopefulness": "hope", "formality": "formal",
    "triplicate": "triplic", "electrical": "electr", "goodness": "good", "revival": "reviv", "adjustment": "adjust",
    "adoption": "adopt",
    "effective": "effect", "probate": "probat", "rate": "rate", "cease": "ceas",
    "controll": "control", "roll": "roll",
    "possibly": "possibl", "y": "y", "by": "by", "the": "the", "b2b": "b2b", "1848": "1848",
}  # fmt: skip


@pytest.mark.parametrize(("word", "expected"), STEMS.items())
def test_a_word_loses_its_endings(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_case_marks_and_possessives_do_not_matter() -> None:
    assert terms("Café CAFÉ café’s Zoë's") == ["cafe", "cafe", "cafe", "zoe"]


def test_scripts_without_spaces_are_cut_in_pairs() -> None:
    assert terms("東京タワー tower") == ["東京", "京タ", "タワ", "ワー", "tower"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("昨夜の霜で梅が枯れた", "霜"),
        ("昨夜の霜で梅が枯れた", "昨夜"),
        ("東京タワー2026年", "東京"),
        ("東京タワー2026年", "2026"),
        ("佐々木さん", "佐々木"),
        ("ฉันอยู่ที่กรุงเทพมหานคร", "กรุงเทพ"),
        ("ខ្ញុំនៅប្រទេសកម្ពុជា", "កម្ពុជា"),
        ("서울에서 만나요", "서울"),
        ("우리 집에서", "집"),
        ("frost霜damage", "frost"),
        ("𠮷野家で食べた", "𠮷"),
    ],
)
def test_a_word_inside_a_text_without_spaces_is_found(text: str, asked: str) -> None:
    assert set(terms(asked)) <= set(index_terms(text))


def test_a_lone_sign_counts_once() -> None:
    assert [list(index_terms(text)) for text in ("霜", "집", "집집")] == [["霜"], ["집"], ["집집", "집", "집"]]


def test_a_text_of_signs_has_no_words() -> None:
    assert terms("… !? _ ' \x00") == []


def test_engines_get_each_word_as_often_as_it_stands_there() -> None:
    assert fts5_document(7, "cat dog cats").split() == ["7_cat", "7_dog", "7_cat"]
    assert tsvector_document(7, "cat dog cats") == "'7_cat':1,2 '7_dog':1"


def test_a_text_of_signs_gives_an_engine_no_word() -> None:
    assert (fts5_document(7, "… !?").split(), tsvector_document(7, "… !?")) == ([], "")


@given(times=st.integers(1, 254))
def test_how_often_a_word_stands_somewhere_follows_from_its_rank(times: int) -> None:
    rank = np.float32(sum(0.1 / place**2 for place in range(1, times + 1)) / 1.64493406685)
    assert term_frequency_from_rank(float(rank)) == times


def test_quotes_inside_a_word_are_doubled() -> None:
    assert quote_term("a'b\\c") == "'a''b\\\\c'"
