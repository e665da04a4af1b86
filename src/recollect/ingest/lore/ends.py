"""The ends of a relation: an id, a name or an alias; what nobody knows yet is brought in provisionally."""

from collections.abc import Collection

from recollect.ingest.lore.draft import Named
from recollect.ingest.lore.problems import NoSuchEntity
from recollect.model.entity import Entity
from recollect.model.ids import ENTITY_PREFIX, EntityId, is_id, read_id
from recollect.model.labels import Kind, kind_of, read_label
from recollect.model.relations import RelationKind
from recollect.store.change import Change
from recollect.write.ends import GUESSED, AmbiguousName, End, Found, find, find_or_make


def known_end(change: Change, named: Named, fitting: Collection[str], field: str) -> Entity | None:
    """The live entity that a text names; of several, the only one of a type the relation is for."""
    if is_id(named.name, ENTITY_PREFIX):
        held = change.survivor(EntityId(read_id(named.name, ENTITY_PREFIX)))
        if held is None:
            raise NoSuchEntity(named.name, field)
        return held
    kind = read_label(named.type) if named.type else None
    try:
        return find(change, End(named.name, kind.type if kind else None), _admits(kind) if kind else None)
    except AmbiguousName as several:
        fit = [each for each in several.candidates if kind_of(each).type in fitting]
        if len(fit) == 1:
            return fit[0]
        several.field = field
        raise


def _admits(kind: Kind) -> "Fits":
    return _Fits(kind)


class _Fits:
    """Entities of a kind, whichever word they are stored under."""

    def __init__(self, kind: Kind) -> None:
        self.type = kind.type

    def __call__(self, entity: Entity) -> bool:
        return kind_of(entity).type == self.type


Fits = _Fits


def end(change: Change, named: Named, known: Entity | None, *, confirmed: bool = False) -> Found:
    """The entity behind an end, made if there is none; a type that was only guessed can be given later."""
    if known is not None:
        return Found(_typed(change, known, named))
    kind = read_label(named.type) if named.type else None
    properties = {"subtype": kind.subtype} if kind and kind.subtype else {}
    stored = kind.type if kind else named.guess
    reason = GUESSED if kind is None and named.guess else named.reason or "auto_created"
    wanted = End(named.name, stored, (), properties, reason=reason, stays_provisional=not confirmed)
    return find_or_make(change, wanted)


def _typed(change: Change, known: Entity, named: Named) -> Entity:
    """A thing of unknown type takes the one it is now given."""
    if not named.type or not known.provisional or is_id(named.name, ENTITY_PREFIX):
        return known
    kind = read_label(named.type)
    return find_or_make(
        change, End(named.name, kind.type, stays_provisional=True), lambda each: each.id == known.id
    ).entity


def guessed(kind: RelationKind | None, named: Named, side: Collection[str], other: Entity | str | None) -> Named:
    """The end with the only type that the relation allows on its side, if there is only one."""
    if named.type or kind is None:
        return named
    if kind.like:
        return named._replace(guess=_like(other))
    return named._replace(guess=next(iter(side)) if len(side) == 1 else None)


def _like(other: Entity | str | None) -> str | None:
    """What lies in, or holds, a thing of a type is of that type; spells lie in systems."""
    type_ = kind_of(other).type if isinstance(other, Entity) else other
    return None if type_ in (None, "unknown", "spell", "magic_system") else type_
