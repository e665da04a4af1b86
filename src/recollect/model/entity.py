"""Entities: the nodes of the graph."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.model.ids import EntityId
from recollect.model.trust import CLAIMED_PROPERTIES, SOURCE_TRUST, Trust, claims_of, trust_in
from recollect.when.instant import Instant

UNKNOWN_TYPE = "unknown"
NAME_LIMIT = 200
TYPE_LIMIT = 64
PROPERTY_LIMIT = 100
"""The longest name of a property."""


class Entity(NamedTuple):
    """One version of an entity; a named tuple, since a read may create thousands."""

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

    @property
    def trust(self) -> Trust:
        """The level of the most trusted source that names it."""
        return trust_in(self.properties)

    @property
    def given_properties(self) -> Mapping[str, Any]:
        """Its properties without the mark of who named it; those that only less trusted sources gave stand apart."""
        if SOURCE_TRUST not in self.properties and CLAIMED_PROPERTIES not in self.properties:
            return self.properties
        claimed = claims_of(self.properties)
        hidden = {SOURCE_TRUST, CLAIMED_PROPERTIES} | claimed
        own = {key: value for key, value in self.properties.items() if key not in hidden}
        claims = {key: self.properties[key] for key in sorted(claimed) if key in self.properties}
        return own | ({"claimed": {**claims, "trust": "unknown"}} if claims else {})


def is_live_entity(entity: Entity | None) -> bool:
    """Whether there is such an entity, neither deleted nor merged into another."""
    return entity is not None and entity.is_live
