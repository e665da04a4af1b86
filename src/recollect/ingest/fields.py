"""Reading typed values out of one JSON object, with errors that name the field."""

import sys
from collections.abc import Collection, Mapping, Sequence, Set
from typing import Any

from recollect.ingest.problems import BadLine, too_long

Json = Mapping[str, Any]


class Fields:
    """The values of one object in a line; `path` says where it stands."""

    __slots__ = ("path", "values")

    def __init__(self, value: Any, path: str) -> None:
        if type(value) is not dict and not isinstance(value, Mapping):
            raise BadLine(path, "should be an object")
        self.values: Json = value
        self.path = path

    def only(self, known: Set[str]) -> None:
        if not self.values.keys() <= known:
            unknown = [key for key in self.values if key not in known]
            raise BadLine(f"{self.path}.{unknown[0]}", f"is not known here; known are {', '.join(sorted(known))}")

    def text(self, key: str) -> str | None:
        """A string, trimmed; blank counts as absent."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            raise BadLine(f"{self.path}.{key}", "should be a string")
        return value.strip() or None

    def short(self, key: str, limit: int) -> str | None:
        """A string of at most so many characters, trimmed; blank counts as absent."""
        value = self.text(key)
        if value is not None and len(value) > limit:
            raise too_long(f"{self.path}.{key}", value, limit)
        return value

    def many(self, keys: Sequence[str]) -> list[str | None]:
        """The texts of these keys, in their order."""
        values = self.values
        return [
            None if value is None else value.strip() or None if type(value) is str else self.text(key)
            for key, value in zip(keys, map(values.get, keys), strict=True)
        ]

    def verbatim(self, key: str) -> str | None:
        value = self.values.get(key)
        if value is not None and not isinstance(value, str):
            raise BadLine(f"{self.path}.{key}", "should be a string")
        return value

    def needed(self, key: str) -> str:
        value = self.text(key)
        if value is None:
            raise BadLine(f"{self.path}.{key}", "is needed")
        return value

    def table(self, key: str, longest_name: int = sys.maxsize) -> Json:
        value = self.values.get(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise BadLine(f"{self.path}.{key}", "should be an object")
        for name in value:
            if len(name) > longest_name:
                raise too_long(f"{self.path}.{key}", name, longest_name)
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

    def word(self, key: str, allowed: Collection[str]) -> Any:
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
