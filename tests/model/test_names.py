import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.model.names import ANY_TYPE, PEOPLE, Types, clean, digits, fold, fold_words
from recollect.text.tokens import name_key, name_tokens

TEXT = st.text(max_size=30)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("sarah  lind", "Sarah Lind"),
        ("  Sarah Lind\t", "SARAH LIND"),
        ("Straße", "STRASSE"),
        ("Jose\u0301", "José"),
        ("ﬁnch", "Finch"),
        ("Ｋｙｏｔｏ", "kyoto"),
        ("Odile\u00a0Ferrant", "odile ferrant"),
        ("ὈΔΥΣΣΕΎΣ", "ὀδυσσεύς"),
    ],
)
def test_texts_that_differ_in_case_spacing_or_composition_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("Jose", "José"), ("Copper Kettle", "Copper-Kettle"), ("I", "1")])
def test_texts_that_differ_in_letters_accents_or_separators_fold_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(TEXT)
def test_folding_a_folded_text_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold_words(fold_words(text)) == fold_words(text)


def test_every_character_that_folding_changes_folds_to_a_fixed_point_also_beside_a_mark_that_moves() -> None:
    for changing in filter(lambda letter: fold(letter) != letter, map(chr, range(0x30000))):
        for text in (changing, changing + "\u0345\u0301", "\u03b1\u0345" + changing):
            assert fold(fold(text)) == fold(text)


@given(TEXT)
def test_folding_ignores_composition(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(text)


@given(TEXT)
def test_cleaning_keeps_all_but_spaces(text: str) -> None:
    assert clean(f"x {text}").split() == ["x", *text.split()]
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize("text", ["\u200b", "\ufeff", "\u2060 \u200d", "\x01", "\u00ad"])
def test_a_text_of_which_nothing_can_be_seen_is_cleaned_away(text: str) -> None:
    assert clean(text) == ""


@pytest.mark.parametrize("text", ["\U0001faef", "\ue000", "a\u200bb", "👩\u200d👩"])
def test_what_can_be_seen_keeps_what_joins_it(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [("It shipped.", "it shipped"), ("Really?!", "really"), ("done …", "done"), ("v1.2", "v1.2"), ("100%", "100%")],
)
def test_words_fold_without_closing_punctuation(text: str, words: str) -> None:
    assert fold_words(text) == words


def test_tokens_are_split_at_spaces_hyphens_underscores_dots_and_slashes() -> None:
    assert name_tokens("a-b_c.d/e f") == ("a", "b", "c", "d", "e", "f")
    assert name_tokens("--o. ferrant ") == ("o", "ferrant")
    assert name_tokens("-._/ ") == ()


@given(TEXT)
def test_a_token_key_is_the_tokens_with_one_space_between_them(text: str) -> None:
    assert name_key(fold(text)) == " ".join(name_tokens(fold(text)))
    assert name_key(name_key(fold(text))) == name_key(fold(text))


@given(TEXT)
def test_a_token_key_has_the_digits_of_its_name(text: str) -> None:
    assert digits(name_key(fold(text))) == digits(fold(text))


def test_digits_are_read_run_by_run() -> None:
    assert digits("phase 12, part 3b") == "12 3"
    assert digits("1 12") != digits("11 2")
    assert digits("phase") == ""


def test_types_name_those_that_count_or_those_that_do_not() -> None:
    projects, concepts = Types(frozenset({"project"}), others=False), Types(PEOPLE | {"project"})
    assert [projects.admits("project"), projects.admits("person"), projects.admits("tool")] == [True, False, False]
    assert [concepts.admits("project"), concepts.admits("person"), concepts.admits("tool")] == [False, False, True]
    assert ANY_TYPE.admits("tool")


@given(st.frozensets(st.sampled_from("abcd")), st.booleans(), st.frozensets(st.sampled_from("abcd")))
def test_types_are_narrowed_by_what_is_allowed_and_what_is_barred(
    listed: frozenset[str], others: bool, named: frozenset[str]
) -> None:
    types = Types(listed, others)
    for each in "abcde":
        assert types.within(named).admits(each) == (types.admits(each) and each in named)
        assert types.without(named).admits(each) == (types.admits(each) and each not in named)
