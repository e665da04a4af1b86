"""Facts read as relations: under the relation's own name, with the ends that way round, and between which times."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId
from recollect.model.relations import is_life, is_point, is_symmetric, relation_stored_as
from recollect.when.period import Bounds, Time


class Relation(NamedTuple):
    """A fact as this reading sees it; the ends are those of the relation, not those of the stored predicate."""

    fact: Fact
    name: str
    subject: EntityId
    object: EntityId | None
    role: str | None = None
    is_symmetric: bool = False

    @property
    def id(self) -> FactId:
        return self.fact.id

    @property
    def literal(self) -> str | None:
        return self.fact.literal

    @property
    def ends(self) -> tuple[EntityId, ...]:
        """The one or two entities that it is about."""
        return (self.subject,) if self.object is None else (self.subject, self.object)

    @property
    def attributes(self) -> Mapping[str, Any]:
        """What else was said of it; the word it is stored under may tell a role."""
        if self.role is None or "role" in self.fact.attributes:
            return self.fact.attributes
        return {**self.fact.attributes, "role": self.role}

    def other_end(self, entity: EntityId) -> EntityId | None:
        """The end that is not this entity."""
        return self.object if self.subject == entity else self.subject

    def has_role(self, role: str) -> bool:
        return self.attributes.get("role") == role


def read_fact(fact: Fact, symmetric: frozenset[str] = frozenset()) -> Relation:
    """The relation that a fact tells of; `symmetric` are the workspace's own that count both ways."""
    name, swapped, role, both_ways = reading_of(fact.predicate)
    if symmetric and name in symmetric:
        both_ways = True
    if swapped and fact.object is not None:
        return Relation(fact, name, fact.object, fact.subject, role, both_ways)
    return Relation(fact, name, fact.subject, fact.object, role, both_ways)


@lru_cache(4096)
def reading_of(predicate: str) -> tuple[str, bool, str | None, bool]:
    """How a stored predicate is read: under which name, with swapped ends or not, its role, both ways or not."""
    name, swapped, role = relation_stored_as(predicate)
    return name, swapped, role, is_symmetric(name)


def stated(relation: Relation) -> Bounds:
    """The bounds as its sources state them: a deadline ends nothing, what happens at one time ends there."""
    fact = relation.fact
    if fact.label == "ASSERTED":
        return Bounds(fact.valid_from, None)
    if fact.label == "TRANSITIONED" and is_point(relation.name):
        return Bounds(fact.valid_from or fact.valid_until, fact.valid_until or fact.valid_from)
    return fact.bounds


def since(bounds: Bounds, relation: Relation) -> Bounds:
    """What happened stays happened: a transition is shown from its start on."""
    return Bounds(bounds.valid_from, None) if relation.fact.label == "TRANSITIONED" else bounds


def needs_life(relation: Relation) -> bool:
    """Whether the life rule has an open bound to close."""
    bounds = stated(relation)
    return (bounds.valid_from is None or bounds.valid_until is None) and is_life(relation.name)


def lived(bounds: Bounds, *lives: Bounds) -> Bounds:
    """The life rule: an open bound closes where the first of these existences ends or the last of them begins."""
    starts = [life.valid_from for life in lives if life.valid_from is not None]
    ends = [life.valid_until for life in lives if life.valid_until is not None]
    return Bounds(bounds.valid_from or _latest(starts), bounds.valid_until or _earliest(ends))


def _latest(times: list[Time]) -> Time | None:
    return _one_for_all(times, max((t.lo for t in times), default=0), max((t.hi for t in times), default=0))


def _earliest(times: list[Time]) -> Time | None:
    return _one_for_all(times, min((t.lo for t in times), default=0), min((t.hi for t in times), default=0))


def _one_for_all(times: list[Time], lo: int, hi: int) -> Time | None:
    """The time with these ends, or one made of two that reach across each other."""
    if not times:
        return None
    found = next((time for time in times if (time.lo, time.hi) == (lo, hi)), None)
    return found or Time(f"[{times[0]}..{times[-1]}]", lo, hi, True, "range")
