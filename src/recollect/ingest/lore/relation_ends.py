"""Resolving the ends of a relation and parsing its time bounds."""

from collections.abc import Collection
from typing import NamedTuple

from recollect.errors import Refused
from recollect.ingest.drafts import NameRef
from recollect.ingest.lore.lore_errors import BadStatement, NoSuchEntity
from recollect.model.entity import Entity
from recollect.model.ids import ENTITY_PREFIX, EntityId, is_id, read_id
from recollect.model.labels import EntityKind, kind_of, read_label
from recollect.model.relations import RelationKind, format_relation, is_point
from recollect.store.change import Change
from recollect.store.world import World
from recollect.when.period import Bounds, Time
from recollect.when.time_errors import NoCurrentTime
from recollect.write.entity_refs import AmbiguousName, NamedRef, ResolvedRef, find, find_or_create
from recollect.write.lookup import GUESSED


def find_end(change: Change, named: NameRef, fitting: Collection[str], field: str) -> Entity | None:
    """The live entity that a text names; of several, the only one whose type suits the relation."""
    if is_id(named.name, ENTITY_PREFIX):
        survivor = change.survivor(EntityId(read_id(named.name, ENTITY_PREFIX)))
        if survivor is None:
            raise NoSuchEntity(named.name, field)
        return survivor
    kind = read_label(named.type) if named.type else None
    try:
        return find(change, NamedRef(named.name, kind.type if kind else None), _KindTest(kind) if kind else None)
    except AmbiguousName as several:
        fit = [each for each in several.candidates if kind_of(each).type in fitting]
        if len(fit) == 1:
            return fit[0]
        several.field = field
        raise


class _KindTest:
    """Entities of a kind, whichever word they are stored under."""

    def __init__(self, kind: EntityKind) -> None:
        self.type = kind.type

    def __call__(self, entity: Entity) -> bool:
        return kind_of(entity).type == self.type


def resolve_end(change: Change, named: NameRef, known: Entity | None, *, confirmed: bool = False) -> ResolvedRef:
    """The entity of an end, created if there is none; a guessed type can be corrected later."""
    if known is not None:
        return ResolvedRef(_complete_type(change, known, named))
    kind = read_label(named.type) if named.type else None
    properties = {"subtype": kind.subtype} if kind and kind.subtype else {}
    stored = kind.type if kind else named.guess
    reason = GUESSED if kind is None and named.guess else named.reason or "auto_created"
    wanted = NamedRef(named.name, stored, (), properties, reason=reason, stays_provisional=not confirmed)
    return find_or_create(change, wanted)


def _complete_type(change: Change, known: Entity, named: NameRef) -> Entity:
    """Give an entity of unknown type the type that is now stated."""
    if not named.type or not known.provisional or is_id(named.name, ENTITY_PREFIX):
        return known
    kind = read_label(named.type)
    return find_or_create(
        change, NamedRef(named.name, kind.type, stays_provisional=True), lambda each: each.id == known.id
    ).entity


def with_guessed_type(
    kind: RelationKind | None, named: NameRef, side: Collection[str], other: Entity | str | None
) -> NameRef:
    """The end with the only type that the relation allows on its side, if there is only one."""
    if named.type or kind is None:
        return named
    if kind.like:
        return named._replace(guess=_type_like(other))
    return named._replace(guess=next(iter(side)) if len(side) == 1 else None)


def _type_like(other: Entity | str | None) -> str | None:
    """What lies in, or holds, a thing of a type is of that type; spells lie in systems."""
    type_ = kind_of(other).type if isinstance(other, Entity) else other
    return None if type_ in (None, "unknown", "spell", "magic_system") else type_


RANGE_SEPARATOR = " .. "


class TimeInput(NamedTuple):
    """Time bounds as texts."""

    valid_from: str | None = None
    valid_until: str | None = None
    at: str | None = None


def read_world_time(world: World, text: str, field: str) -> Time:
    """Parse a time; an error names the field."""
    try:
        time = world.read(text)
    except Refused as problem:
        problem.field = field
        raise
    if time.text == "current":
        raise NoCurrentTime
    return time


def parse_bounds(world: World, relation: str, times: TimeInput) -> Bounds:
    """The bounds of a relation; one that happens at a point has both or none."""
    if times.at is not None and (times.valid_from is not None or times.valid_until is not None):
        raise BadStatement("at sets both bounds; remove valid_from and valid_until", field="at")
    if times.at is not None:
        both = read_world_time(world, times.at, "at")
        return Bounds(both, both)
    start = None if times.valid_from is None else read_world_time(world, times.valid_from, "valid_from")
    end = None if times.valid_until is None else read_world_time(world, times.valid_until, "valid_until")
    if is_point(relation):
        start, end = start or end, end or start
    return check_bounds(Bounds(start, end))


def check_bounds(bounds: Bounds) -> Bounds:
    start, end = bounds.valid_from, bounds.valid_until
    if start is not None and end is not None and start.lo > end.hi:
        raise BadStatement(f"valid_until {end} lies before valid_from {start}; swap them", field="valid_until")
    return bounds


def parse_time_object(world: World, relation: str, text: str, times: TimeInput) -> tuple[str, Bounds]:
    """The object of a relation to a time: its canonical text, and its ends as bounds."""
    if times != TimeInput():
        given = next(key for key, value in zip(TimeInput._fields, times, strict=True) if value is not None)
        raise BadStatement(f"{format_relation(relation)} takes its time as object; remove {given}", field=given)
    first, _, last = text.partition(RANGE_SEPARATOR)
    start = read_world_time(world, first.strip(), "to")
    if not last.strip():
        return start.text, Bounds(start, start)
    end = read_world_time(world, last.strip(), "to")
    bounds = check_bounds(Bounds(start, end))
    return f"{start}{RANGE_SEPARATOR}{end}", bounds
