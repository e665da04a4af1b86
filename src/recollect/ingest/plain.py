"""A line as plain JSON: read fast, hashed whatever the order of its keys, and refused if no store could hold it."""

import json
import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import orjson
from pydantic_core import from_json, to_json

from recollect.ingest.fields import Json
from recollect.ingest.problems import BadLine
from recollect.model.storable import Flaw, Limits, flaw_of

DEEPEST = 64
_LIMITS = Limits(DEEPEST + 1)

# What was read from JSON holds no circles.
_PLAIN = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False
)
_NO_NUMBER = re.compile(b"NaN|Infinity")
_FLAWS: Mapping[Flaw, str] = {
    "character": "holds a character that cannot be stored: a NUL, or half of a surrogate pair",
    "number": "holds a number that JSON has no form for",
    "depth": f"is nested too deeply; {DEEPEST} levels are enough",
}


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


def hash_of(value: Json) -> str:
    """The hash of what a line says, whatever the order of its keys."""
    plain = _plain(value)
    # Nearly every line holds no backslash, and too few brackets to be deep.
    opened = plain.count(b"[") + plain.count(b"{")
    if (opened > DEEPEST and opened - _siblings(value) > DEEPEST) or (b"\\" in plain and b"\\u" in plain):
        _check_storable(value)
    return blake2b(plain, digest_size=16).hexdigest()


def _plain(value: Json) -> bytes:
    """The value in the one form that all orders of its keys share."""
    try:
        plain = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        # Whole numbers beyond 64 bits, halves of surrogate pairs, nesting without end: rare, and slower.
        return _with_care(value)
    if b"null" in plain and _NO_NUMBER.search(to_json(value, inf_nan_mode="constants")):
        _with_care(value)
    return plain


def _with_care(value: Json) -> bytes:
    try:
        return _PLAIN.encode(value).encode()
    except ValueError:
        raise BadLine("line", _FLAWS["number"]) from None


def _siblings(value: Json) -> int:
    """How many items stand beside the first in the lists of a line; what is nested deepest goes through one of them.

    What is no object among them opens nothing, and has the line refused when its parts are read.
    """
    return sum([len(items) - 1 for items in value.values() if type(items) is list and items])


def _check_storable(value: Json) -> None:
    flaw = flaw_of(value, _LIMITS)
    if flaw is not None:
        raise BadLine("line", _FLAWS[flaw])
