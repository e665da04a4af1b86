"""Sentences found word for word, whatever their typography."""

import pytest

from recollect.text.verbatim import occurrences

TEXT = "The bell — called “Old Throat” — cracked.\nIt’s  still\n there. I doubt that it rang."


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ('The bell - called "Old Throat" - cracked.', ["The bell — called “Old Throat” — cracked."]),
        ("the bell-called 'old throat'", []),
        ("IT'S STILL THERE", ["It’s  still\n there."]),
        ("It rang", ["it rang."]),
        ("he bell", []),
        ("...", []),
    ],
)
def test_white_space_quotes_dashes_and_case_do_not_matter(sentence: str, found: list[str]) -> None:
    assert [TEXT[each.start : each.stop] for each in occurrences(sentence, TEXT)] == found


def test_a_part_of_a_sentence_is_told_from_a_whole_one() -> None:
    assert [each.is_whole for each in occurrences("It rang", TEXT)] == [False]
    assert [each.is_whole for each in occurrences("It's still there", TEXT)] == [True]
