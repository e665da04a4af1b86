"""What every store can hold: texts of whole characters, numbers that end, nesting that does."""

import math
import re
from collections.abc import Mapping
from typing import Any, Literal

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""A NUL, or half of a surrogate pair."""

Flaw = Literal["character", "number", "depth"]


def is_storable(text: str) -> bool:
    return UNSTORABLE.search(text) is None


def flaw_of(value: Any, deepest: int) -> Flaw | None:
    """Why no store can hold a value of JSON, if so; walked without recursion, as callers nest as they like."""
    if isinstance(value, str):
        return None if is_storable(value) else "character"
    level = [value]
    for _ in range(deepest):
        if not all(is_storable(each) for each in level if isinstance(each, str)):
            return "character"
        if not all(math.isfinite(each) for each in level if isinstance(each, float)):
            return "number"
        objects = [each for each in level if isinstance(each, Mapping)]
        level = [inner for each in level if isinstance(each, list) for inner in each]
        level += [inner for each in objects for inner in (*each, *each.values())]
        if not level:
            return None
    return "depth"
