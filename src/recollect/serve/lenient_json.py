"""JSON that strict parsers reject as a whole, rewritten so that only the argument at fault is refused."""

import json
import re
from typing import Any

DEEPEST = 150
"""Deeper than any argument may be nested, and not too deep for any parser."""
MAX_COMMAS = 500_000
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]|[^"\[\]{}]+|"', re.DOTALL)
_LONG_INTEGER = re.compile(r"-?\d{1000,}(?![\d.eE])")
_INFINITE = "1e999"
_ESCAPE = re.compile(r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_LONE_SURROGATE = len("\\ud800")
_NUL = "\\u0000"


def load_json(text: str) -> Any:
    """The value of a JSON text; a `ValueError` only if it is malformed."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return json.loads(make_readable(text))


def has_too_many_values(text: str | bytes) -> bool:
    """Whether parsing a JSON text could stop everything else for seconds; commas in strings count as well."""
    commas = text.count(",") if isinstance(text, str) else text.count(b",")
    return commas > MAX_COMMAS


def is_readable(text: str | bytes) -> bool:
    """Whether the MCP SDK's parser takes a text."""
    from pydantic_core import from_json

    try:
        from_json(text)
    except ValueError:
        return False
    return True


def make_readable(text: str) -> str:
    """The text with the values replaced that parsers give up on; malformed JSON stays malformed."""
    kept: list[str] = []
    depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in ("[", "{"):
            depth += 1
        if depth <= DEEPEST:
            kept.append(_replace_token(token))
        elif depth == DEEPEST + 1 and token in ("[", "{"):
            kept.append("null")
        if token in ("]", "}"):
            depth -= 1
    return "".join(kept)


def _replace_token(token: str) -> str:
    if token.startswith('"'):
        return _ESCAPE.sub(lambda found: _NUL if len(found[0]) == _LONE_SURROGATE else found[0], token)
    return _LONG_INTEGER.sub(_INFINITE, token)
