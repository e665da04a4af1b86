"""Read sessions: one consistent view per call, with resolution of names, relations and times."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar, cast

from rapidfuzz.distance import OSA

from recollect.errors import Refused
from recollect.ingest.lore.lore_errors import WrongType
from recollect.memory import AsOfValue, Memory
from recollect.model.entity import Entity
from recollect.model.ids import ENTITY_PREFIX, EntityId, format_entity_id, is_id
from recollect.model.labels import format_label, kind_of, stored_types
from recollect.model.names import ANY_TYPE, Types, fold
from recollect.model.relations import RelationName, all_relation_names, format_relation, read_relation, relation_kinds
from recollect.reason.lore.lore_reader import LoreReader
from recollect.resolve.port import NameCandidate, Resolution
from recollect.resolve.resolver import resolve, resolve_exact
from recollect.resolve.suggestions import suggest
from recollect.store.entity_queries import entity_named
from recollect.store.view import View
from recollect.surfaces.declarations import Result
from recollect.surfaces.lore_engine.rendering import render_namesakes, render_suggestions
from recollect.surfaces.lore_engine.results import FuzzyResolutionView, NamesakeView
from recollect.surfaces.lore_engine.surface import AmbiguousEntityName, EntityNotFound, UnknownRelation
from recollect.when.period import Time

if TYPE_CHECKING:
    from recollect.reason.checks.check_runs import ScanEffort

JsonMapping = TypeVar("JsonMapping", bound=Mapping[str, object])

_MAX_NEAREST = 5


@dataclass(frozen=True, slots=True)
class ReadSession:
    """The view of one call; records names that were resolved fuzzily.

    `knows_all_findings` is false until the engine has scanned the workspace once.
    """

    memory: Memory
    view: View
    lore: LoreReader
    fuzzy_resolutions: list[FuzzyResolutionView] = field(default_factory=list)
    knows_all_findings: bool = True

    def time(self, text: str | None, name: str = "at_time") -> Time:
        """The period of a text; default: the present of the workspace."""
        if text is None:
            return self.lore.now
        try:
            return self.view.world.read(text)
        except Refused as problem:
            problem.field = name
            raise

    def relation(self, text: str, name: str = "relation") -> RelationName:
        """The relation that a text names, built in or already used."""
        wanted = read_relation(text)
        if wanted.name not in relation_kinds() and not self.lore.is_used(wanted.name):
            raise UnknownRelation(text, name, self._nearest(wanted.name))
        return wanted

    def _nearest(self, name: str) -> list[str]:
        known = {*all_relation_names(), *self.lore.used_predicates()}
        near = sorted(known, key=lambda each: (-OSA.normalized_similarity(name, each), each))
        return [format_relation(each) for each in near[:_MAX_NEAREST]]

    def entity(self, text: str, name: str, *bases: str) -> Entity:
        """The one entity of a name; `bases` are the accepted labels, all if none are given."""
        types = Types(stored_types(*bases), others=False) if bases else ANY_TYPE
        known = self._only_candidate(text, types)
        if known is not None:
            return known
        found = self._resolve(text, name, types)
        if found.is_ambiguous:
            raise AmbiguousEntityName(text, name, self._candidates(found.tied))
        entity = self._record_resolution(text, found)
        if not types.admits(entity.type):
            raise WrongType(text, name, format_label(kind_of(entity).type), [format_label(base) for base in bases])
        return entity

    def end(self, text: str, name: str, fitting: Collection[str]) -> Entity:
        """An end of a relation; an ambiguous name resolves to the only candidate whose label fits."""
        known = self._only_candidate(text, ANY_TYPE)
        if known is not None:
            return known
        found = self._resolve(text, name, ANY_TYPE)
        if found.is_ambiguous and fitting:
            types = Types(stored_types(*fitting), others=False)
            fit = tuple(each for each in found.tied if types.admits(each.name.type))
            found = Resolution(found.rung, fit) if len(fit) == 1 else found
        if found.is_ambiguous:
            raise AmbiguousEntityName(text, name, self._candidates(found.tied))
        return self._record_resolution(text, found)

    def _only_candidate(self, text: str, types: Types) -> Entity | None:
        """The one live entity of exactly this name, in one query; none if the text needs full resolution."""
        entity = entity_named(self.view, fold(text))
        if entity is None or not entity.is_live or not types.admits(entity.type) or is_id(text, ENTITY_PREFIX):
            return None
        self.lore.cache_entities(entity)
        return entity

    def _resolve(self, text: str, name: str, types: Types) -> Resolution:
        """Resolve a name; of equal matches, those of the accepted types win."""
        index = self.memory.names(self.view)
        found = resolve_exact(index, text, types) if types != ANY_TYPE else None
        if found is None or not found.tied:
            found = resolve(index, text, embeddings=False)
        if not found.tied:
            raise EntityNotFound(text, name, render_suggestions(self.lore, suggest(index, text)))
        return found.preferring(types) if found.is_ambiguous else found

    def _record_resolution(self, text: str, found: Resolution) -> Entity:
        entity = self._entities(found.tied)[found.tied[0].entity]
        if found.rung == "fuzzy":
            self.fuzzy_resolutions.append(
                {
                    "query": text,
                    "id": format_entity_id(entity.id),
                    "name": entity.name,
                    "method": found.rung,
                    "score": round(found.score, 4),
                }
            )
        return entity

    def _entities(self, found: Sequence[NameCandidate]) -> dict[EntityId, Entity]:
        return self.lore.entities(each.entity for each in found)

    def _candidates(self, found: Sequence[NameCandidate]) -> list[NamesakeView]:
        entities = self._entities(found)
        return render_namesakes(self.lore, [entities[each.entity] for each in found if each.entity in entities])

    def with_resolution(self, said: JsonMapping) -> JsonMapping:
        """An object result, with the fuzzy resolutions if there were any."""
        return cast(JsonMapping, {**said, "resolution": self.fuzzy_resolutions}) if self.fuzzy_resolutions else said


@contextmanager
def read_session(memory: Memory, as_of: AsOfValue = None) -> Iterator[ReadSession]:
    """One consistent read of the world as it was known then."""
    with memory.read(as_of) as view:
        yield ReadSession(memory, view, LoreReader(view))


ListItem = TypeVar("ListItem")
LARGEST_LIMIT = 1_000
INCOMPLETE_NOTE = (
    "not all of this world was gone through yet, so findings may be missing; run_consistency_check does so now"
)


def list_result(
    items: Sequence[ListItem], limit: int, session: ReadSession, total: int | None = None
) -> Result[list[ListItem]]:
    """The first items; `_meta` has the total and the fuzzy resolutions, and a second text says if the list was cut."""
    count = len(items) if total is None else total
    meta: dict[str, object] = {"total": count, "truncated": count > limit}
    if session.fuzzy_resolutions:
        meta["resolution"] = session.fuzzy_resolutions
    meta |= completeness_meta(session)
    advice = "raise `limit` or ask for less" if limit < LARGEST_LIMIT else "ask for less"
    cut = f"Only the first {limit:,} of {count:,} are listed; {advice}."
    return Result(list(items[:limit]), extra_texts=(cut,) if count > limit else (), meta=meta)


def findings_result(value: ListItem, session: ReadSession) -> Result[ListItem]:
    """An object with findings; `_meta` says if some may be missing."""
    return Result(value, meta=completeness_meta(session))


def completeness_meta(session: ReadSession) -> dict[str, object]:
    """The `_meta` note on missing findings; empty if all are known."""
    return {} if session.knows_all_findings else {"complete": False, "note": INCOMPLETE_NOTE}


@contextmanager
def findings_session(memory: Memory, as_of: AsOfValue = None, effort: "ScanEffort" = "look") -> Iterator[ReadSession]:
    """One consistent read of the world and its findings as they were known then."""
    from recollect.reason.checks.check_runs import refresh_findings  # few tools of the surface need the rule engine

    is_complete = refresh_findings(memory, effort)
    with memory.read(as_of) as view:
        yield ReadSession(memory, view, LoreReader(view), knows_all_findings=is_complete)
