"""A line as plain JSON: read fast, hashed whatever the order of its keys, and refused if no store could hold it."""

import json
import re
from hashlib import blake2b
from typing import Any

from pydantic_core import from_json

from recollect.ingest.problems import BadLine

DEEPEST = 64

# What was read from JSON holds no circles.
_PLAIN = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False
)
_SUSPECT = re.compile(r"\\u(?:0000|d[89a-f])")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def read_json(text: bytes) -> Any:
    """The value that a line of JSON stands for."""
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError:
        return _read_with_care(text)


def _read_with_care(text: bytes) -> Any:
    """The few lines that the fast reader refuses: some of them are JSON all the same, the others are told why not."""
    try:
        return json.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadLine("line", "is not UTF-8") from None
    except ValueError as problem:
        raise BadLine("line", f"is not JSON ({problem})") from None
    except RecursionError:
        raise BadLine("line", "is nested too deeply") from None


def hash_of(value: Any) -> str:
    """The hash of what a line says, whatever the order of its keys."""
    try:
        plain = _PLAIN.encode(value)
    except ValueError:
        raise BadLine("line", "holds a number that JSON has no form for") from None
    if plain.count("[") + plain.count("{") - _siblings(value) > DEEPEST:
        _check_depth(value)
    if _SUSPECT.search(plain):
        _check_storable(value)
    return blake2b(plain.encode(), digest_size=16).hexdigest()


def _siblings(value: Any) -> int:
    """How many objects stand in the lists of a line; what is nested deepest goes through one of them at most."""
    lists = [each for each in value.values() if type(each) is list] if type(value) is dict else []
    return sum(max(0, sum(type(item) is dict for item in items) - 1) for items in lists)


def _check_depth(value: Any) -> None:
    """No reader wants endless nesting."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for each in level
            if type(each) in (dict, list)
            for inner in (each.values() if type(each) is dict else each)
        ]
        if not level:
            return
    raise BadLine("line", f"is nested too deeply; {DEEPEST} levels are enough")


def _check_storable(value: Any) -> None:
    """No store holds a NUL or half of a surrogate pair."""
    if isinstance(value, str) and _UNSTORABLE.search(value):
        raise BadLine("line", "holds a character that cannot be stored: a NUL, or half of a surrogate pair")
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for inner in value:
            _check_storable(inner)
