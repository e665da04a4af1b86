"""What no store can hold is found wherever it stands."""

from typing import Any

import pytest

from recollect.model.storable import Flaw, flaw_of


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
    assert flaw_of(value, 10) == flaw
