"""Answers as JSON: the one writer of what goes out."""

from typing import Any

import orjson
from pydantic_core import to_json, to_jsonable_python


def json_bytes(value: Any) -> bytes:
    """The value without a space between its parts."""
    try:
        return orjson.dumps(value, default=to_jsonable_python)
    except TypeError:
        # Whole numbers beyond 64 bits, keys that are no texts: rare, and slower.
        return to_json(value)


def json_text(value: Any, indent: int | None = None) -> str:
    return (json_bytes(value) if indent is None else to_json(value, indent=indent)).decode()
