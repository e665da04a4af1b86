from itertools import combinations, product

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.support.properties import examples

from recollect.model.spelling_variants import query_variants, variants
from recollect.resolve.typos import typo_distance

FEW_LETTERS = st.text("abc", min_size=1, max_size=14)


@st.composite
def edited_pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A token and what two random edits make of it, behind the same first letter."""
    letters = draw(st.text("abcdefgh", min_size=1, max_size=15))
    other = letters
    for _ in range(draw(st.integers(0, 2))):
        other = draw(st.sampled_from(sorted(_one_edit_away(other, "abx"))))
    return letters, other


def _one_edit_away(text: str, alphabet: str) -> set[str]:
    cuts = [(text[:at], text[at:]) for at in range(1, len(text) + 1)]
    inserted = {left + letter + right for left, right in cuts for letter in alphabet}
    deleted = {left + right[1:] for left, right in cuts}
    changed = {left + letter + right[1:] for left, right in cuts if right for letter in alphabet}
    swapped = {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
    return inserted | deleted | changed | swapped


def find_each_other(one: str, other: str) -> bool:
    return not (query_variants(one).isdisjoint(variants(other)) or query_variants(other).isdisjoint(variants(one)))


@pytest.mark.parametrize(
    ("one", "other", "edits"),
    [
        ("rob", "rob", 0),
        ("ann", "anne", 1),
        ("bob", "bib", None),
        ("sara", "sarah", 1),
        ("dora", "dara", None),
        ("dora", "droa", 1),
        ("mario", "maria", None),
        ("mario", "mairo", 1),
        ("marios", "marias", 1),
        ("copper", "coper", 1),
        ("copper", "copperr", 1),
        ("kettle", "kettel", 1),
        ("kettle", "katlle", None),
        ("warehouse", "wraehouze", None),
        ("ferrant", "terrant", None),
        ("warehouses", "wrehousez", 2),
        ("infrastructure", "infastrcture", 2),
        ("infrastructure", "infastrctue", None),
    ],
)
def test_longer_tokens_forgive_more(one: str, other: str, edits: int | None) -> None:
    assert typo_distance(one, other) == edits


@given(FEW_LETTERS, FEW_LETTERS)
def test_typing_errors_go_both_ways(one: str, other: str) -> None:
    assert typo_distance(one, other) == typo_distance(other, one)


@given(st.text("abc", min_size=1, max_size=7))
def test_one_typing_error_is_one_insert_delete_substitution_or_swap(token: str) -> None:
    for other in _one_edit_away(token, "abcx") - {token}:
        longer = max(len(token), len(other))
        substituted = len(token) == len(other) and sorted(token) != sorted(other)
        allowed = longer >= 6 or (longer >= 4 and not substituted)
        assert typo_distance(token, other) == (1 if allowed else None)


@settings(max_examples=examples(500))
@given(edited_pairs())
@example(("abcdefgh", "axxbcdefgh"))
@example(("abcdefghi", "axbcdxfghi"))
@example(("abcdefghij", "abcdefgxihj"))
def test_tokens_within_typing_errors_find_each_other(pair: tuple[str, str]) -> None:
    one, other = pair
    assume(typo_distance(one, other) is not None)
    assert find_each_other(one, other)


def test_no_two_short_tokens_within_typing_errors_miss_each_other() -> None:
    every = ["a" + "".join(rest) for length in range(7) for rest in product("ab", repeat=length)]
    near = [pair for pair in combinations(every, 2) if typo_distance(*pair) is not None]
    assert len(near) > 100
    assert all(find_each_other(one, other) for one, other in near)


@pytest.mark.parametrize("length", range(6, 14))
def test_a_token_is_found_wherever_it_is_mistyped(length: int) -> None:
    token = "abcdefghijklm"[:length]
    once = _one_edit_away(token, "x")
    near = {other for each in once for other in _one_edit_away(each, "y")} | once
    assert all(find_each_other(token, other) for other in near if typo_distance(token, other) is not None)
