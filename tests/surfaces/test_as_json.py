"""Whatever an answer holds, it is written as the SDK would write it."""

import json
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from recollect.surfaces.dispatch import json_bytes, json_text


class Pair(NamedTuple):
    one: int
    other: str


_texts = st.text(st.characters(exclude_categories=["Cs"]))
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _texts,
    lambda inner: st.lists(inner) | st.dictionaries(_texts, inner),
    max_leaves=20,
)


@given(_values)
def test_what_is_written_reads_back_the_same(value: Any) -> None:
    assert json.loads(json_bytes(value)) == value
    assert json.loads(json_text(value, 2)) == value


@pytest.mark.parametrize(
    "value",
    [Pair(1, "a"), {"at": {1: "a"}}, (1, 2), 2**80, {"è": "\u2028 \x7f\n"}, 0.1, 1e22, -0.0],
    ids=repr,
)
def test_unusual_values_are_written_as_before(value: Any) -> None:
    assert json_bytes(value) == to_json(value)
