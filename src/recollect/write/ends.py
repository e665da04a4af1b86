"""The ends of a fact: found by id, name or alias, never by likeness; made if new."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from recollect.errors import Refused
from recollect.model.document import KEY_LIMIT
from recollect.model.entity import NAME_LIMIT, UNKNOWN_TYPE, Entity
from recollect.model.fact import NOTHING
from recollect.model.ids import EntityId, format_entity_id
from recollect.model.names import Name, NameKind, clean, fold, token_key
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.write.property_sources import newest_properties, save_property_sources
from recollect.write.settle import settle_retyped
from recollect.write.tombstones import check_entity

IDENTIFIERS: tuple[NameKind, ...] = ("email", "domain", "gedcom_id")
RUNGS: tuple[frozenset[NameKind], ...] = (frozenset({"name"}), frozenset({"alias", *IDENTIFIERS}))
DISTINGUISHING_PROPERTIES = ("disambiguator", "gedcom_id")
GUESSED = "guessed"


class BadName(Refused):
    def __init__(self, why: str) -> None:
        super().__init__(f"a name is 1 to {NAME_LIMIT} characters; this one is {why}", field="name")


class BadIdentifier(Refused):
    def __init__(self, kind: str, given: int) -> None:
        super().__init__(f"{kind} has at most {KEY_LIMIT} characters, not {given}", field=kind)


class AmbiguousName(Refused):
    code = "ambiguous"

    def __init__(self, name: str, candidates: Sequence[Entity]) -> None:
        shown = ", ".join(f"{format_entity_id(each.id)} ({each.type})" for each in candidates[:5])
        super().__init__(f"{name!r} may be {shown}; pass one of these ids", field="name")
        self.candidates = tuple(candidates)


@dataclass(frozen=True, slots=True)
class End:
    """One end as a writer names it; without a type it is whatever is known by that name."""

    name: str
    type: str | None = None
    aliases: tuple[str, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    confirmed: bool = False
    reason: str = "auto_created"
    stays_provisional: bool = False
    said_at: Instant | None = None
    """When the source spoke; with it, of two values of a property the newer source's counts."""
    folded: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folded", fold(self.name))

    @property
    def confirms(self) -> bool:
        """Whether whoever names it so vouches for it."""
        return (self.confirmed or self.type is not None) and not self.stays_provisional

    def at_source_time(self, at: Instant) -> "End":
        """The same end as a source names it that spoke at this time."""
        return replace(self, said_at=at)


class ResolvedEnd(NamedTuple):
    """The entity behind an end, and whether this call made it."""

    entity: Entity
    is_new: bool = False


EntityTest = Callable[[Entity], bool]


def find_or_create(change: Change, end: End, fits: EntityTest | None = None) -> ResolvedEnd:
    """The entity that an end names, typed, confirmed and completed by it; made if there is none.

    `fits` says which known entities the given type admits; by default those stored under it.
    """
    known = find_cached(change, end) if fits is None else None
    if known is not None:
        return ResolvedEnd(known)
    name = clean(end.name)
    if not name or len(name) > NAME_LIMIT:
        raise BadName("blank" if not name else f"{len(name)} long")
    known = find(change, end, fits)
    if known is None:
        return ResolvedEnd(_create(change, end, name), True)
    return ResolvedEnd(complete(change, known, end))


def find_cached(change: Change, end: End) -> Entity | None:
    """The entity that an end names, if it was looked up before, nobody else is meant and the end adds nothing to it."""
    only = change.recent.only(end.folded)
    return only if only is not None and end.type in (None, only.type) and _adds_nothing(only, end) else None


def find(change: Change, end: End, fits: EntityTest | None = None) -> Entity | None:
    """The live entity an end names exactly or by alias; several are refused."""
    admits = fits or (lambda entity: end.type is None or entity.type == end.type)
    by_identifier = _by_identifier(change, end) if end.properties else None
    if by_identifier is not None:
        return by_identifier
    named = change.entities_named(end.folded)
    for rung in RUNGS if named else ():
        found = list({entity.id: entity for kind, entity in named if kind in rung}.values())
        if end.properties:
            found = [each for each in found if not _is_distinguished(each, end)]
        chosen = _choose(end, found, admits) if found else None
        if chosen is not None:
            return chosen
    return None


def _choose(end: End, found: Sequence[Entity], admits: EntityTest) -> Entity | None:
    fitting = [entity for entity in found if admits(entity)]
    if len(fitting) > 1 and end.type is not None:
        exact = [entity for entity in fitting if entity.type == end.type]
        fitting = exact if len(exact) == 1 else fitting
    if not fitting and end.type is not None:
        fitting = [entity for entity in found if is_untyped(entity)]
    if len(fitting) > 1:
        raise AmbiguousName(end.name, fitting)
    return fitting[0] if fitting else None


def is_untyped(entity: Entity) -> bool:
    """Whether nobody gave the entity its type: it has none, or a relation's other end suggested it."""
    return entity.type == UNKNOWN_TYPE or (entity.provisional and entity.reason == GUESSED)


def _by_identifier(change: Change, end: End) -> Entity | None:
    """The entity of the same name that already has the given email or domain."""
    for kind, value in _identifiers(end):
        same = [
            entity
            for known_as, entity in change.entities_named(fold(value))
            if known_as == kind and entity.folded == end.folded
            if end.type is None or entity.type in (end.type, UNKNOWN_TYPE)
        ]
        if len(same) == 1:
            return same[0]
    return None


def _identifiers(end: End) -> Iterator[tuple[NameKind, str]]:
    for kind in IDENTIFIERS:
        value = end.properties.get(kind)
        if isinstance(value, str) and value.strip():
            if len(value) > KEY_LIMIT:
                raise BadIdentifier(kind, len(value))
            yield kind, value


def _is_distinguished(entity: Entity, end: End) -> bool:
    """Whether an identifier tells the newcomer apart from a known entity of its name."""
    for kind in IDENTIFIERS:
        mine, theirs = entity.properties.get(kind), end.properties.get(kind)
        if isinstance(mine, str) and isinstance(theirs, str) and mine.strip() and theirs.strip():
            return fold(mine) != fold(theirs)
    return any(
        end.properties.get(key) is not None and end.properties[key] != entity.properties.get(key)
        for key in DISTINGUISHING_PROPERTIES
    )


def create(change: Change, end: End) -> Entity:
    """A new entity, whatever else has its name."""
    name = clean(end.name)
    if not name or len(name) > NAME_LIMIT:
        raise BadName("blank" if not name else f"{len(name)} long")
    return _create(change, end, name)


def _create(change: Change, end: End, name: str) -> Entity:
    check_entity(change, end.type or UNKNOWN_TYPE, fold(name))
    entity = Entity(
        EntityId(change.new_id()),
        change.tx,
        end.type or UNKNOWN_TYPE,
        name,
        fold(name),
        not end.confirms,
        1.0,
        dict(end.properties),
        change.now,
        change.now,
        end.reason,
        None,
        None,
    )
    change.add_entity(entity)
    change.add_name(_name_row(entity, name, "name"))
    _add_names(change, entity, end)
    if end.said_at is not None:
        save_property_sources(change, entity.id, end.properties, end.said_at)
    return entity


def complete(change: Change, entity: Entity, end: End) -> Entity:
    """The known entity with the type, aliases and properties that the end adds to it."""
    if _adds_nothing(entity, end):
        return entity
    if end.said_at is None:
        merged = {**end.properties, **entity.properties}
    else:
        merged = newest_properties(change, entity, end.properties, end.said_at)
    fuller = entity
    type_ = end.type if end.type is not None and is_untyped(entity) else entity.type
    provisional = entity.provisional and not end.confirms
    if (type_, provisional, merged) != (entity.type, entity.provisional, entity.properties):
        stated = entity._replace(type=type_, provisional=provisional, properties=merged, confirmed_at=change.now)
        fuller = change.put_entity(stated)
    if type_ != entity.type:
        retype_names(change, fuller)
        settle_retyped(change, entity.id, entity.type, type_)
    _add_names(change, fuller, end)
    return fuller


def _adds_nothing(entity: Entity, end: End) -> bool:
    if end.aliases or end.properties:
        return False
    return not (entity.provisional and end.confirms) and (end.type is None or not is_untyped(entity))


def retype_names(change: Change, entity: Entity) -> None:
    """Names carry their entity's type, so that a probe for people finds people only."""
    for row in change.names_of(entity.id):
        change.retype_name(Name(row.entity, entity.type, row.spelling, row.kind, row.folded, row.key))


def _add_names(change: Change, entity: Entity, end: End) -> None:
    for alias in end.aliases:
        add_alias(change, entity, alias)
    for kind, value in _identifiers(end) if end.properties else ():
        if not change.is_known_as(entity.id, fold(value), kind):
            change.add_name(_name_row(entity, clean(value), kind))


def add_alias(change: Change, entity: Entity, alias: str) -> bool:
    """Give an entity one more name; one it already has changes nothing."""
    spelling = clean(alias)
    if not spelling or len(spelling) > NAME_LIMIT:
        raise BadName("blank" if not spelling else f"{len(spelling)} long")
    folded = fold(spelling)
    if folded == entity.folded or change.is_known_as(entity.id, folded, "alias"):
        return False
    change.add_name(_name_row(entity, spelling, "alias"))
    return True


def _name_row(entity: Entity, spelling: str, kind: NameKind) -> Name:
    folded = fold(spelling)
    return Name(entity.id, entity.type, spelling, kind, folded, token_key(folded))
