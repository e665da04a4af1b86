"""Folding of names and of words for search."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.text.fold import (
    clean,
    collapse_spaces,
    fold_case,
    fold_for_search,
    fold_name,
    fold_text,
    fold_with_offsets,
)


def test_a_name_folds_case_compatibility_forms_and_spaces_but_keeps_accents() -> None:
    assert fold_name("  Zoë \u00a0 STRASSE ﬁn ") == "zoë strasse fin"


def test_a_search_fold_removes_accents_but_keeps_vowel_signs_of_khmer() -> None:
    assert fold_for_search("Café Zoë Ångström") == "cafe zoe angstrom"
    assert fold_for_search("ភាសា") == "ភាសា"


def test_a_text_without_a_visible_character_is_empty() -> None:
    assert clean(" \u200b\u200c ") == ""
    assert clean(" \u200bIda  Holm ") == "\u200bIda Holm"


@given(st.text())
def test_a_long_text_folds_as_a_name_does_unless_it_is_invisible(text: str) -> None:
    assert fold_text(text) == fold_name(text) or fold_name(text) == ""


@given(st.text())
def test_folding_a_name_twice_changes_nothing(text: str) -> None:
    assert fold_name(fold_name(text)) == fold_name(text)


def test_case_folding_leaves_compatibility_forms() -> None:
    assert fold_case(" A  ﬁn\tday ") == "a fin day"
    assert fold_case("½ Cup") == "½ cup"
    assert collapse_spaces(" A \n b ") == "A b"


def test_offsets_lead_from_a_folded_text_back_to_the_original() -> None:
    original = "Das  ist die STRASSE nach Cafe\u0301ville"
    folded = fold_with_offsets(original)
    at = folded.text.index("caféville")
    start, stop = folded.span(at, at + len("caféville"))
    assert original[start:stop] == "Cafe\u0301ville"


@given(st.text())
def test_every_folded_letter_has_a_place_and_the_end_has_one(text: str) -> None:
    folded = fold_with_offsets(text)
    assert len(folded.offsets) == len(folded.text) + 1
    assert folded.offsets == sorted(folded.offsets)


def test_a_folded_name_is_kept_once() -> None:
    """Not among the cleaned names, too: an import folds every sentence that it stores."""
    kept = clean.cache_info().currsize
    assert fold_name("The Folded  Name of Nobody Else") == "the folded name of nobody else"
    assert clean.cache_info().currsize == kept
