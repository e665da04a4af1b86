"""Two edits of one text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.keep.client_sync.merge import merge_lines

BASE = "one\ntwo\nthree\nfour\nfive\n"


@pytest.mark.parametrize(
    ("one", "other", "merged"),
    [
        ("ONE\ntwo\nthree\nfour\nfive\n", "one\ntwo\nthree\nfour\nFIVE\n", "ONE\ntwo\nthree\nfour\nFIVE\n"),
        ("zero\none\ntwo\nthree\nfour\nfive\n", "one\ntwo\nfour\nfive\n", "zero\none\ntwo\nfour\nfive\n"),
        ("one\nthree\nfour\nfive\n", BASE + "six\n", "one\nthree\nfour\nfive\nsix\n"),
        ("ONE\ntwo\nthree\nfour\nfive\n", "ONE\ntwo\nthree\nfour\nFIVE\n", "ONE\ntwo\nthree\nfour\nFIVE\n"),
        (BASE, "all new", "all new"),
    ],
)
def test_edits_that_keep_clear_of_each_other_are_joined(one: str, other: str, merged: str) -> None:
    assert merge_lines(BASE, one, other) == merged
    assert merge_lines(BASE, other, one) == merged


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ONE\ntwo\nthree\nfour\nfive\n", "uno\ntwo\nthree\nfour\nfive\n"),
        ("ONE\ntwo\nthree\nfour\nfive\n", "one\nTWO\nthree\nfour\nfive\n"),
        (BASE + "six\n", BASE + "sex\n"),
        ("one\nthree\nfour\nfive\n", "one\nTWO\nthree\nfour\nfive\n"),
        ("", "ONE\ntwo\nthree\nfour\nfive\n"),
    ],
)
def test_edits_that_overlap_or_touch_are_not(one: str, other: str) -> None:
    assert merge_lines(BASE, one, other) is None
    assert merge_lines(BASE, other, one) is None


def test_texts_that_are_alike_everywhere_are_given_up_at_once() -> None:
    assert merge_lines("\n" * 100_000, "\n" * 100_001, "\n" * 100_002) is None


LINES = st.lists(st.sampled_from("abcde"), max_size=8).map("\n".join)


@given(LINES, LINES)
def test_one_edit_alone_is_taken_as_it_is(base: str, edited: str) -> None:
    assert merge_lines(base, edited, base) == merge_lines(base, base, edited) == edited


@given(LINES, LINES, LINES)
def test_the_sides_do_not_matter(base: str, one: str, other: str) -> None:
    assert merge_lines(base, one, other) == merge_lines(base, other, one)
