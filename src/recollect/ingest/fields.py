"""Typed access to one JSON object of a bundle line, with errors that name the field."""

import sys
from collections.abc import Collection, Mapping, Sequence, Set
from typing import Any

from recollect.errors import Refused
from recollect.text.fold import shorten

MAX_REASON_CHARS = 400
"""Longer values are truncated in messages."""


class BadLine(Refused):
    code = "bad_line"

    def __init__(self, field: str, why: str) -> None:
        told = shorten(why, MAX_REASON_CHARS)
        super().__init__(f"{field}: {told}", field=field)
        self._field, self._why = field, why

    def with_prefix(self, place: str) -> "BadLine":
        """The same error with the path of the enclosing object in front."""
        return BadLine(f"{place}{self._field}", self._why)


def too_long_error(field: str, text: str, limit: int) -> BadLine:
    return BadLine(field, f"has at most {limit} characters, not {len(text)}")


Json = Mapping[str, Any]


class JsonFields:
    """The values of one object in a line; `path` locates it in error messages."""

    __slots__ = ("path", "values")

    def __init__(self, value: Any, path: str) -> None:
        if type(value) is not dict and not isinstance(value, Mapping):
            raise BadLine(path, "should be an object")
        self.values: Json = value
        self.path = path

    def reject_unknown(self, known: Set[str]) -> None:
        if not self.values.keys() <= known:
            unknown = [key for key in self.values if key not in known]
            raise BadLine(f"{self.path}.{unknown[0]}", f"is unknown; expected one of {', '.join(sorted(known))}")

    def text(self, key: str) -> str | None:
        """A string, trimmed; blank counts as absent."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            raise BadLine(f"{self.path}.{key}", "should be a string")
        return value.strip() or None

    def limited_text(self, key: str, limit: int) -> str | None:
        """A string of at most so many characters, trimmed; blank counts as absent."""
        value = self.text(key)
        if value is not None and len(value) > limit:
            raise too_long_error(f"{self.path}.{key}", value, limit)
        return value

    def texts_of(self, keys: Sequence[str]) -> list[str | None]:
        """The texts of these keys, in their order."""
        values = self.values
        return [
            None if value is None else value.strip() or None if type(value) is str else self.text(key)
            for key, value in zip(keys, map(values.get, keys), strict=True)
        ]

    def raw_text(self, key: str) -> str | None:
        value = self.values.get(key)
        if value is not None and not isinstance(value, str):
            raise BadLine(f"{self.path}.{key}", "should be a string")
        return value

    def required_text(self, key: str) -> str:
        value = self.text(key)
        if value is None:
            raise BadLine(f"{self.path}.{key}", "is needed")
        return value

    def object_of(self, key: str, longest_name: int = sys.maxsize) -> Json:
        value = self.values.get(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise BadLine(f"{self.path}.{key}", "should be an object")
        for name in value:
            if len(name) > longest_name:
                raise too_long_error(f"{self.path}.{key}", name, longest_name)
        return value

    def items(self, key: str) -> list[Any]:
        value = self.values.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise BadLine(f"{self.path}.{key}", "should be a list")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        found = self.items(key)
        if not all(isinstance(item, str) for item in found):
            raise BadLine(f"{self.path}.{key}", "should be a list of strings")
        return tuple(item.strip() for item in found if item.strip())

    def choice(self, key: str, allowed: Collection[str]) -> Any:
        value = self.values.get(key)
        if value is None or (type(value) is str and value in allowed):
            return value
        value = self.text(key)
        if value is None:
            return None
        chosen = {each.casefold(): each for each in allowed}.get(value.casefold())
        if chosen is None:
            raise BadLine(f"{self.path}.{key}", f"should be one of {', '.join(allowed)}")
        return chosen
