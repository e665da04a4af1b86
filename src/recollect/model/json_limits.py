"""Limits of what every engine can store: valid characters, finite numbers, bounded nesting."""

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Literal

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""A NUL, or half of a surrogate pair."""

LARGEST_INTEGER = 2**63 - 1
"""Integers beyond 64 bits fit in no column, and few JSON readers keep all their digits."""

_NUMBERS = int, float  # a union would be made anew for every value
Flaw = Literal["character", "number", "depth", "integer", "size"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How deep a JSON value may be nested, and optionally how many values it has and the size of its integers."""

    depth: int
    values: int | None = None
    has_64_bits: bool = False


def is_64_bit(number: int) -> bool:
    return -LARGEST_INTEGER - 1 <= number <= LARGEST_INTEGER


def is_storable(text: str) -> bool:
    return "\0" not in text if text.isascii() else UNSTORABLE.search(text) is None


def replace_unstorable(text: str) -> str:
    """The text without characters that cannot be stored."""
    return UNSTORABLE.sub("\ufffd", text)


def json_object(text: str | bytes) -> dict[str, Any] | None:
    """The JSON object that a text is; none if it is anything else, or nested too deeply to be read."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def find_flaw(value: Any, limits: Limits) -> Flaw | None:
    """Why a JSON value cannot be stored, or None; without recursion, since callers may nest deeply."""
    if type(value) is str:
        return None if is_storable(value) else "character"
    level = [value]
    count = 0
    for _ in range(limits.depth):
        count += len(level)
        if limits.values is not None and count > limits.values:
            return "size"
        texts: list[str] = []
        numbers: list[int | float] = []
        inner: list[Any] = []
        for each in level:
            if isinstance(each, str):
                texts.append(each)
            elif isinstance(each, dict):
                inner += each
                inner += each.values()
            elif isinstance(each, list):
                inner += each
            elif isinstance(each, _NUMBERS):
                numbers.append(each)
        if not is_storable("".join(texts)):
            return "character"
        flaw = _flaw_of_numbers(numbers, limits) if numbers else None
        if flaw is not None or not inner:
            return flaw
        level = inner
    return "depth"


def _flaw_of_numbers(numbers: list[int | float], limits: Limits) -> Flaw | None:
    if not all(math.isfinite(each) for each in numbers if isinstance(each, float)):
        return "number"
    if limits.has_64_bits and not all(is_64_bit(each) for each in numbers if isinstance(each, int)):
        return "integer"
    return None
