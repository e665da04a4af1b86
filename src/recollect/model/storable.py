"""What every store can hold: texts of whole characters, numbers that end, nesting that does."""

import math
import re
from typing import Any, Literal

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""A NUL, or half of a surrogate pair."""

Flaw = Literal["character", "number", "depth"]


def is_storable(text: str) -> bool:
    return "\0" not in text if text.isascii() else UNSTORABLE.search(text) is None


def flaw_of(value: Any, deepest: int) -> Flaw | None:
    """Why no store can hold a value of JSON, if so; walked without recursion, as callers nest as they like."""
    level = [value]
    for _ in range(deepest):
        texts: list[str] = []
        inner: list[Any] = []
        has_endless = False
        for each in level:
            if isinstance(each, str):
                texts.append(each)
            elif isinstance(each, dict):
                inner += (*each, *each.values())
            elif isinstance(each, list):
                inner += each
            elif isinstance(each, float):
                has_endless = has_endless or not math.isfinite(each)
        if not is_storable("".join(texts)):
            return "character"
        if has_endless:
            return "number"
        if not inner:
            return None
        level = inner
    return "depth"
