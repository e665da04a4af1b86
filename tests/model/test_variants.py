from hypothesis import given
from hypothesis import strategies as st

from recollect.model.spelling_variants import (
    SHORTEST_PART,
    index_keys,
    query_variants,
    suffix_keys,
    suffix_query_keys,
    variants,
)

TOKENS = st.text("abcé中", min_size=1, max_size=60)


def test_a_token_of_three_letters_is_its_own_only_variant() -> None:
    assert variants("rob") == ["rob"]


def test_a_short_token_is_kept_without_one_of_its_thirds() -> None:
    assert variants("sara") == ["sara", "4s/ra", "4sa/a", "4sar/"]
    assert variants("charles") == ["charles", "7c/rles", "7cha/es", "7charl/"]


def test_a_long_token_is_kept_by_its_beginning_its_end_and_half_of_each() -> None:
    assert variants("margaret") == [
        "margaret",
        "marga/",
        "m/aret",
        "mar/ar/",
        "mar//et",
        "m/ga/ar/",
        "m/ga//et",
    ]


def test_a_token_has_few_variants_however_long_it_is() -> None:
    long = "abcdefghijklmnopqrstuvwxyz" * 8
    assert len(variants(long)) == 7
    assert len(query_variants(long)) == 28


def test_only_parts_begin_with_the_mark_that_no_token_holds() -> None:
    assert index_keys("acme") == ["acme", "4a/me", "4ac/e", "4acm/", "/me"]


@given(TOKENS, st.data())
def test_a_text_inside_a_token_is_found_by_its_parts(token: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(1, max(1, len(token) - SHORTEST_PART)))
    text = token[start : data.draw(st.integers(start + SHORTEST_PART, max(start + SHORTEST_PART, len(token))))]
    if len(text) >= SHORTEST_PART:
        assert any(part.startswith(asked) for part in suffix_keys(token) for asked in suffix_query_keys(text))
