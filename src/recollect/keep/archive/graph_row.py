"""One row of an archived graph, read field by field; an invalid field refuses the archive."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.keep.archive.export import GRAPH
from recollect.keep.archive.zip_file import BadArchive
from recollect.model.certainty import is_confidence
from recollect.model.entity import NAME_LIMIT
from recollect.store.world import World
from recollect.when.instant import Instant, read_instant
from recollect.when.period import Time

TEXT_LIMIT = 64 << 10
MAX_DEPTH = 8
MAX_KEY_LENGTH = 100


class ArchiveRow:
    """One JSON object of the graph, read field by field."""

    def __init__(self, place: str, values: Mapping[str, Any], world: World) -> None:
        self.place = place
        self.values = values
        self.world = world

    def refuse(self, key: str) -> BadArchive:
        return BadArchive(f"has a wrong value in {GRAPH} at {self.place}.{key}")

    def text(self, key: str, limit: int = TEXT_LIMIT) -> str | None:
        found = self.values.get(key)
        if found is None or (isinstance(found, str) and not found.strip()):
            return None
        if not isinstance(found, str) or "\0" in found or len(found) > limit:
            raise self.refuse(key)
        return found

    def required(self, key: str, limit: int = TEXT_LIMIT) -> str:
        found = self.text(key, limit)
        if found is None:
            raise self.refuse(key)
        return found

    def id(self, key: str) -> str | None:
        found = self.values.get(key)
        return str(found) if isinstance(found, int) and not isinstance(found, bool) else self.text(key, NAME_LIMIT)

    def fraction(self, key: str, usual: float | None) -> float | None:
        found = self.values.get(key)
        if found is None:
            return usual
        if not is_confidence(found):
            raise self.refuse(key)
        return float(found)

    def integer(self, key: str, low: int, high: int) -> int | None:
        found = self.values.get(key)
        if found is not None and (not isinstance(found, int) or isinstance(found, bool) or not low <= found <= high):
            raise self.refuse(key)
        return found

    def instant(self, key: str) -> Instant | None:
        """The instant; raises BadTime if it cannot be parsed."""
        text = self.text(key, NAME_LIMIT)
        return None if text is None else read_instant(text, self.world.zone)

    def time(self, key: str) -> Time | None:
        """The time on the world's timeline, which refuses one that it cannot parse."""
        text = self.text(key, NAME_LIMIT)
        return None if text is None else self.world.read(text)

    def properties(self, key: str = "properties") -> dict[str, Any]:
        found = self.values.get(key)
        if found is None or found == "":
            return {}
        # Older archives contain the object as JSON text.
        value = self._parse_json(key, found) if isinstance(found, str) else found
        if not isinstance(value, dict) or not _is_storable(value, MAX_DEPTH):
            raise self.refuse(key)
        if len(json.dumps(value, ensure_ascii=False).encode()) > TEXT_LIMIT:
            raise self.refuse(key)
        return value

    def _parse_json(self, key: str, text: str) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise self.refuse(key) from None

    def choice(self, key: str, accepted: Sequence[str]) -> str | None:
        found = self.text(key)
        if found is not None and found not in accepted:
            raise self.refuse(key)
        return found


def _is_storable(value: Any, depth: int) -> bool:
    if isinstance(value, str):
        return "\0" not in value
    if not isinstance(value, dict | list):
        return True
    if depth == 0:
        return False
    if isinstance(value, list):
        return all(_is_storable(each, depth - 1) for each in value)
    return all(
        1 <= len(key) <= MAX_KEY_LENGTH and "\0" not in key and _is_storable(value[key], depth - 1) for key in value
    )
