"""Looking up entities by name: one list of steps, which every caller configures with a policy."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.names import KnownAs, NameKind
from recollect.model.trust import is_low
from recollect.store.change import Change
from recollect.store.view import View
from recollect.write.names import IDENTIFIERS, name_text
from recollect.write.trust_rules import speaker_trust

EntityTest = Callable[[Entity], bool]
NamedEntities = Sequence[tuple[KnownAs, Entity]]
"""Entities known by one text, each with what the text is to it."""

NAME: frozenset[NameKind] = frozenset({"name"})
ALIAS: frozenset[NameKind] = frozenset({"alias"})
NAME_OR_ALIAS = NAME | ALIAS
ALIAS_OR_IDENTIFIER: frozenset[NameKind] = ALIAS | frozenset(IDENTIFIERS)
GUESSED = "guessed"
"""The reason of an entity whose type was inferred from a relation."""


class LookupStep(NamedTuple):
    """One step of a lookup: entities that pass the test, known by a text of one of these kinds."""

    kinds: frozenset[NameKind]
    admits: EntityTest


@dataclass(frozen=True, slots=True)
class LookupPolicy:
    """Which entities a name may refer to: the first step with a match decides."""

    steps: tuple[LookupStep, ...]

    def select(self, named: NamedEntities) -> list[Entity]:
        """The matches of the first step that has any, each entity once."""
        for kinds, admits in self.steps if named else ():
            found = {entity.id: entity for kind, entity in named if kind in kinds and admits(entity)}
            if found:
                return list(found.values())
        return []

    def find_all(self, view: View, text: str) -> list[Entity]:
        return believed(view, self.select(entities_named(view, name_text(text).folded)))

    def find_only(self, view: View, text: str) -> Entity | None:
        """The entity a name refers to, unless it is ambiguous."""
        found = self.find_all(view, text)
        return found[0] if len(found) == 1 else None


def entities_named(view: View, folded: str) -> NamedEntities:
    """The live entities known by a folded text, as far as the writer may rely on the name."""
    if isinstance(view, Change):
        named = view.entities_named(folded)
        return _drop_unbelieved(view, named) if any(kind == "claimed" for kind, _ in named) else named
    rows = view.names_matching(folded)
    entities = view.entities({row.entity for row in rows})
    return [(row.kind, entities[row.entity]) for row in rows if entities[row.entity].is_live]


def _drop_unbelieved(change: Change, named: NamedEntities) -> NamedEntities:
    """Without what a stranger claims to be another name of somebody more trusted, unless strangers say it.

    Whoever is only known from strangers goes by all the names they gave; an alias that is vouched for decides alone.
    """
    vouched = [(kind, entity) for kind, entity in named if kind != "claimed"]
    if any(kind == "alias" for kind, _ in vouched):
        return vouched
    is_stranger = is_low(speaker_trust(change))
    claimed = [entity for kind, entity in named if kind == "claimed" and (is_stranger or may_be_known_as(entity, kind))]
    return [*vouched, *(("alias", entity) for entity in claimed)]


def believed(view: View, found: list[Entity]) -> list[Entity]:
    """Those of one name whom the writer means: a namesake that only strangers know does not make a name ambiguous."""
    if len(found) < 2 or not isinstance(view, Change) or is_low(speaker_trust(view)):
        return found
    return [each for each in found if not is_low(each.trust)] or found


def may_be_known_as(entity: Entity | None, known_as: KnownAs) -> bool:
    """Whether a text may name an entity so: not where a stranger gave another name to somebody more trusted."""
    return known_as != "claimed" or (entity is not None and is_low(entity.trust))


def owner_among(entities: Iterable[Entity]) -> Entity | None:
    """The owner among those of one name, if all the others have it from strangers only."""
    found = list(entities)
    owners = [each for each in found if each.properties.get("concept_role") == "self"]
    is_alone = len(owners) == 1 and all(is_low(each.trust) for each in found if each is not owners[0])
    return owners[0] if is_alone else None


def any_entity(_: Entity) -> bool:
    return True


def has_unknown_type(entity: Entity) -> bool:
    return entity.type == UNKNOWN_TYPE


def is_untyped(entity: Entity) -> bool:
    """Whether the type is unknown, or only inferred from a relation."""
    return entity.type == UNKNOWN_TYPE or (entity.provisional and entity.reason == GUESSED)


def has_type(type_: str) -> EntityTest:
    return lambda entity: entity.type == type_


def has_type_or_none(type_: str) -> EntityTest:
    return lambda entity: entity.type in (type_, UNKNOWN_TYPE)


def matching(admits: EntityTest, *, is_typed: bool = True) -> LookupPolicy:
    """By name, then by alias or identifier; at each step an untyped entity if none passes the test."""
    tests = (admits, is_untyped) if is_typed else (admits,)
    return LookupPolicy(tuple(LookupStep(kinds, test) for kinds in (NAME, ALIAS_OR_IDENTIFIER) for test in tests))


@lru_cache(256)
def of_type(type_: str | None) -> LookupPolicy:
    """The policy of an end with this type; without one it refers to whatever has the name."""
    return matching(any_entity, is_typed=False) if type_ is None else matching(has_type(type_))


@lru_cache(64)
def by_name_or_alias(type_: str, *, or_unknown: bool = False) -> LookupPolicy:
    """Entities of a type by name, then by alias; at each step those of unknown type if asked for."""
    tests = (has_type(type_), has_unknown_type) if or_unknown else (has_type(type_),)
    return LookupPolicy(tuple(LookupStep(kinds, test) for kinds in (NAME, ALIAS) for test in tests))


@lru_cache(64)
def by_identifier(kind: NameKind, type_: str) -> LookupPolicy:
    """Entities of a type, or of none, that have an identifier of this kind."""
    return LookupPolicy((LookupStep(frozenset({kind}), has_type_or_none(type_)),))
