"""What stands in a text without being said by its author."""

from collections.abc import Callable

import pytest

from recollect.text.quotations import mask_quotations, mask_quoted_words, mask_unsaid


@pytest.mark.parametrize("mask", [mask_quotations, mask_unsaid])
def test_quoted_lines_code_and_comments_leave_blanks_of_equal_length_and_their_line_breaks(
    mask: Callable[[str], str],
) -> None:
    text = "Mine.\n> theirs\n```\ncode\n```\n<!-- a\nremark -->also mine"
    masked = mask(text)
    assert len(masked) == len(text)
    assert masked.count("\n") == text.count("\n")
    assert masked.split() == ["Mine.", "also", "mine"]


def test_words_in_quotation_marks_are_not_the_author_s() -> None:
    assert mask_quotations('He wrote "I will\ngo" and «je reste».').split() == ["He", "wrote", "and", "."]
    assert mask_unsaid("~~old~~ new %%hidden%% text ^block-1").split() == ["new", "text"]


def test_one_word_in_quotation_marks_is_only_emphasized() -> None:
    assert mask_quoted_words("it's `done` and 'fine'") == "it's `done` and 'fine'"
    assert mask_quoted_words('it says "not yet" there') == "it says           there"
