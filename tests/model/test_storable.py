"""What no store can hold is found wherever it stands."""

from typing import Any

import pytest

from recollect.model.json_limits import Flaw, Limits, find_flaw


def nested(depth: int) -> Any:
    value: Any = "x"
    for place in range(depth):
        value = [value] if place % 2 else {"k": value}
    return value


@pytest.mark.parametrize(
    ("value", "flaw"),
    [
        ("plain é 🙂", None),
        ({"a": [1, 2.5, None, True, {"b": ""}]}, None),
        ("a\0", "character"),
        ({"a": ["\ud800"]}, "character"),
        ({"\udfff": 1}, "character"),
        ([float("nan")], "number"),
        ({"a": {"b": float("inf")}}, "number"),
        (nested(9), None),
        (nested(10), "depth"),
        (nested(50_000), "depth"),
    ],
)
def test_a_value_that_no_store_can_hold_says_why(value: Any, flaw: Flaw | None) -> None:
    assert find_flaw(value, Limits(10)) == flaw


@pytest.mark.parametrize(
    ("value", "flaw"),
    [
        ({"a": [2**63 - 1, -(2**63)]}, None),
        ({"a": [2**63]}, "integer"),
        ([[-(2**63) - 1]], "integer"),
        (10**400, "integer"),
        ([0] * 19, None),
        ([0] * 20, "size"),
        ([[0] * 10, [0] * 10], "size"),
    ],
)
def test_integers_and_the_number_of_values_are_limited_where_asked(value: Any, flaw: Flaw | None) -> None:
    assert find_flaw(value, Limits(10, 20, has_64_bits=True)) == flaw
    assert find_flaw(value, Limits(10)) is None
