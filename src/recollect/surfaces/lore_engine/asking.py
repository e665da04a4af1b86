"""One call: the view it reads, and how the names, relations and times in it are taken."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar, cast

from rapidfuzz.distance import OSA

from recollect.errors import Refused
from recollect.ingest.lore.problems import WrongType
from recollect.memory import AsOf, Memory
from recollect.model.entity import Entity
from recollect.model.ids import ENTITY_PREFIX, FACT_PREFIX, EntityId, FactId, is_id, read_id, say_entity
from recollect.model.labels import kind_of, say_label, stored_types
from recollect.model.names import ANY_TYPE, Types, fold
from recollect.model.relations import (
    RelationName,
    all_relation_names,
    read_relation,
    relation_kinds,
    say_relation,
)
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.resolve.answer import Candidate, Resolution
from recollect.resolve.cascade import resolve, resolve_exactly
from recollect.resolve.suggest import suggest
from recollect.store.rows import entity_of
from recollect.store.view import View
from recollect.surfaces.lore_engine.problems import AmbiguousName, EntityNotFound, NotFound, UnknownRelation
from recollect.surfaces.lore_engine.results import CandidateShown, ResolutionShown, SuggestionShown
from recollect.surfaces.lore_engine.shown import hints_of, say_ref
from recollect.when.period import Time

T = TypeVar("T", bound=Mapping[str, object])

_MOST_NEAREST = 5


@dataclass(frozen=True, slots=True)
class Asking:
    """A view in the hands of one call; remembers which names were only nearly right.

    `knows_all_findings` is false while the engine has yet to go through the world for the first time.
    """

    memory: Memory
    view: View
    lore: Lore
    resolved: list[ResolutionShown] = field(default_factory=list)
    knows_all_findings: bool = True

    def time(self, text: str | None, name: str = "at_time") -> Time:
        """The period a text stands for, the world's now if it is missing."""
        if text is None:
            return self.lore.now
        try:
            return self.view.world.read(text)
        except Refused as problem:
            problem.field = name
            raise

    def relation(self, text: str, name: str = "relation") -> RelationName:
        """The relation a text names, which the table knows or somebody used."""
        asked = read_relation(text)
        if asked.name not in relation_kinds() and not self.lore.is_used(asked.name):
            raise UnknownRelation(text, name, self._nearest(asked.name))
        return asked

    def _nearest(self, name: str) -> list[str]:
        known = {*all_relation_names(), *self.lore.used()}
        near = sorted(known, key=lambda each: (-OSA.normalized_similarity(name, each), each))
        return [say_relation(each) for each in near[:_MOST_NEAREST]]

    def entity(self, text: str, name: str, *bases: str) -> Entity:
        """The one entity a name stands for; `bases` are the labels that the parameter takes, none being all."""
        types = Types(stored_types(*bases), others=False) if bases else ANY_TYPE
        known = self._only(text, types)
        if known is not None:
            return known
        found = self._found(text, name, types)
        if found.is_ambiguous:
            raise AmbiguousName(text, name, self._candidates(found.tied))
        entity = self._taken(text, found)
        if not types.admits(entity.type):
            raise WrongType(text, name, say_label(kind_of(entity).type), [say_label(base) for base in bases])
        return entity

    def end(self, text: str, name: str, fitting: Collection[str]) -> Entity:
        """An end of a relation: of several, the only one whose label the relation is for."""
        known = self._only(text, ANY_TYPE)
        if known is not None:
            return known
        found = self._found(text, name, ANY_TYPE)
        if found.is_ambiguous and fitting:
            types = Types(stored_types(*fitting), others=False)
            fit = tuple(each for each in found.tied if types.admits(each.name.type))
            found = Resolution(found.rung, fit) if len(fit) == 1 else found
        if found.is_ambiguous:
            raise AmbiguousName(text, name, self._candidates(found.tied))
        return self._taken(text, found)

    def _only(self, text: str, types: Types) -> Entity | None:
        """The one entity of exactly this name, in one probe; none if it takes more to say."""
        rows = self.view.rows("entities_named", folded=fold(text))
        if len(rows) != 1 or rows[0][0] != "name":
            return None
        entity = entity_of(rows[0][1:])
        if not entity.is_live or not types.admits(entity.type) or is_id(text, ENTITY_PREFIX):
            return None
        self.lore.keep(entity)
        return entity

    def _found(self, text: str, name: str, types: Types) -> Resolution:
        """What a name resolves to, those of the types that are taken before others of the same rung."""
        index = self.memory.names(self.view)
        found = resolve_exactly(index, text, types) if types != ANY_TYPE else None
        if found is None or not found.tied:
            found = resolve(index, text, embeddings=False)
        if not found.tied:
            raise EntityNotFound(text, name, self._suggestions(suggest(index, text)))
        return found.setting_aside(types) if found.is_ambiguous else found

    def _taken(self, text: str, found: Resolution) -> Entity:
        entity = self._entities(found.tied)[found.tied[0].entity]
        if found.rung == "fuzzy":
            self.resolved.append(
                {
                    "query": text,
                    "id": say_entity(entity.id),
                    "name": entity.name,
                    "method": found.rung,
                    "score": round(found.score, 4),
                }
            )
        return entity

    def _entities(self, found: Sequence[Candidate]) -> dict[EntityId, Entity]:
        return self.lore.entities(each.entity for each in found)

    def _suggestions(self, found: Sequence[Candidate]) -> list[SuggestionShown]:
        entities = self._entities(found)
        return [{**say_ref(entities[each.entity]), "score": each.score} for each in found if each.entity in entities]

    def _candidates(self, found: Sequence[Candidate]) -> list[CandidateShown]:
        entities = self._entities(found)
        hints = hints_of(self.lore, entities.values())
        return [
            {**say_ref(entities[each.entity]), "hint": hints[each.entity]} for each in found if each.entity in entities
        ]

    def relation_of_id(self, text: str, name: str = "relation_id", *, superseded: bool = False) -> Relation:
        """The live relation of an id."""
        found = self.lore.by_id([fact_id(text)], superseded=superseded) if is_id(text, FACT_PREFIX) else []
        if not found:
            raise NotFound("relation", text, name)
        return found[0]

    def with_resolution(self, said: T) -> T:
        """An object result, with how its names were taken if any was only nearly right."""
        return cast(T, {**said, "resolution": self.resolved}) if self.resolved else said


def fact_id(text: str) -> FactId:
    return FactId(read_id(text, FACT_PREFIX))


@contextmanager
def asking(memory: Memory, as_of: AsOf = None) -> Iterator[Asking]:
    """One consistent read of the world as it was known then."""
    with memory.read(as_of) as view:
        yield Asking(memory, view, Lore(view))
