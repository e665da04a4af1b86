"""A durable thing."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.model.ids import EntityId
from recollect.when.instant import Instant

UNKNOWN_TYPE = "unknown"
NAME_LIMIT = 200
TYPE_LIMIT = 64
PROPERTY_LIMIT = 100
"""Of a property, the length of its name."""


class Entity(NamedTuple):
    """One version of an entity. A tuple, since a read makes thousands of them from rows."""

    id: EntityId
    tx_from: int
    type: str
    name: str
    folded: str
    provisional: bool
    confidence: float
    properties: Mapping[str, Any]
    created_at: Instant
    confirmed_at: Instant
    reason: str
    merged_into: EntityId | None
    deleted: str | None

    @property
    def is_live(self) -> bool:
        return self.deleted is None and self.merged_into is None
