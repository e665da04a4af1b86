"""How far a relation has spread: its visibility, to whom it is known, and since when that was written down."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import VISIBILITIES, Source, visibility_of
from recollect.when.period import Time

OPEN_LEVELS = frozenset({"public", "common"})


class Spread(NamedTuple):
    """Through one source: those it is known to by name, and when the source was written."""

    known_to: tuple[str, ...]
    written: Time | None


class Reach(NamedTuple):
    level: str
    spreads: tuple[Spread, ...]


def reach_of(lore: Lore, relation: Relation) -> Reach:
    """Who may know a relation; its own word wins, else the most open of its documents decides."""
    sources = lore.sources([relation.id]).get(relation.id, [])
    level = visibility_of(relation.fact, sources)
    if level not in OPEN_LEVELS:
        return Reach(level, ())
    own = relation.fact.attributes
    if own.get("visibility") in VISIBILITIES:
        names = names_in(own)
        return Reach(level, tuple(Spread(names, written(lore, each.properties)) for each in sources))
    return Reach(level, tuple(_spread(lore, each) for each in _saying(sources, level)))


def _saying(sources: Sequence[Source], level: str) -> list[Source]:
    return [each for each in sources if each.document is not None and each.properties.get("visibility") == level]


def _spread(lore: Lore, source: Source) -> Spread:
    return Spread(names_in(source.properties), written(lore, source.properties))


def names_in(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The names in a `known_to`, whatever stands there."""
    held = given.get("known_to")
    return tuple(name for name in held if isinstance(name, str)) if isinstance(held, (list, tuple)) else ()


def written(lore: Lore, properties: Mapping[str, Any]) -> Time | None:
    """When a document was written, in the world."""
    return lore.read(properties.get("world_time"))
