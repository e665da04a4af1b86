"""How entities, relations, lifespans and passages print on this surface."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from uuid import UUID

from recollect.model.certainty import is_number
from recollect.model.document import Document, content_hash
from recollect.model.entity import Entity
from recollect.model.fact import MARKS, default_text
from recollect.model.ids import DocumentId, EntityId, FactId, format_entity_id, format_fact_id
from recollect.model.labels import format_label, kind_of
from recollect.model.relations import format_relation
from recollect.reason.lore.disputes import find_disputes
from recollect.reason.lore.existence import Existence
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import (
    VISIBILITIES,
    VISIBILITY_KEYS,
    LoreSource,
    confidence_of,
    reliability_of,
    source_names,
    visibility_of,
)
from recollect.resolve.port import NameCandidate
from recollect.store.passage_filter import PassageRow
from recollect.store.view import View
from recollect.surfaces.lore_engine.results import (
    EntitySuggestionView,
    HoldingView,
    LifespanView,
    LoreEntityRef,
    NamesakeView,
    RelationView,
    StoredEntityView,
)
from recollect.surfaces.views import (
    TrustMarks,
    fact_id_or_none,
    mark_entity,
    mark_trust,
    mark_worst,
    render_scored,
)
from recollect.when.instant import format_instant
from recollect.when.period import Coverage, time_text

_DISAMBIGUATING_KEYS = ("disambiguator", "title", "occupation", "description", "born", "founded")
_MAX_HINT_LENGTH = 120
_UNPRINTED = VISIBILITY_KEYS | MARKS


def plain_ref(entity: Entity) -> LoreEntityRef:
    """An entity without its subtype."""
    shown: LoreEntityRef = {
        "id": format_entity_id(entity.id), "name": entity.name, "type": format_label(kind_of(entity).type)
    }  # fmt: skip
    mark_entity(shown, entity)
    return shown


def entity_ref(entity: Entity) -> LoreEntityRef:
    kind = kind_of(entity)
    said = plain_ref(entity)
    if kind.subtype is not None:
        said["subtype"] = kind.subtype
    return said


def render_suggestions(lore: LoreReader, near: Sequence[NameCandidate]) -> list[EntitySuggestionView]:
    """Entities with nearly the name that was given, each with its score."""
    entities = lore.entities(each.entity for each in near)
    return render_scored(near, entities, lambda entity, score: {**entity_ref(entity), "score": score})


def render_entity(view: View, entity: Entity) -> StoredEntityView:
    """An entity with all that is stored of it."""
    return {
        **entity_ref(entity),
        "aliases": view.aliases(entity),
        "properties": dict(entity.given_properties),
        "confidence": entity.confidence,
        "provisional": entity.provisional,
        "created_at": format_instant(entity.created_at),
        "confirmed_at": format_instant(entity.confirmed_at),
    }


def render_lifespan(existence: Existence) -> LifespanView:
    shown: LifespanView = {
        "from": time_text(existence.start),
        "until": time_text(existence.end),
        "disputed": existence.disputed,
        "basis": existence.basis,
    }
    mark_worst(shown, [existence.trust], "")
    return shown


def relation_text(relation: Relation, entities: Mapping[EntityId, Entity]) -> str:
    """The relation in words: as stated, else its evidence, else a sentence from its parts."""
    fact = relation.fact
    if fact.words or fact.evidence:
        return fact.words or fact.evidence or ""
    target = fact.literal if relation.object is None else entities[relation.object].name
    return default_text(entities[relation.subject].name, relation.name, target)


def disambiguation_hints(lore: LoreReader, entities: Iterable[Entity]) -> dict[EntityId, str | None]:
    """For each entity, a property or relation that distinguishes it from its namesakes."""
    told = {entity.id: _disambiguating_property(entity) for entity in entities}
    relations = lore.first_relation_each(entity for entity, hint in told.items() if hint is None)
    named = lore.entities(end for each in relations.values() for end in each.ends)
    return told | {entity: relation_text(each, named)[:_MAX_HINT_LENGTH] for entity, each in relations.items()}


def render_namesakes(lore: LoreReader, entities: Sequence[Entity]) -> list[NamesakeView]:
    """Candidates for a name, each with what distinguishes it."""
    hints = disambiguation_hints(lore, entities)
    return [{**entity_ref(each), "hint": hints.get(each.id)} for each in entities]


def _disambiguating_property(entity: Entity) -> str | None:
    for key in _DISAMBIGUATING_KEYS:
        value = entity.properties.get(key)
        if isinstance(value, str | int) and str(value).strip():
            return f"{key}: {value}"[:_MAX_HINT_LENGTH]
    return None


def mark_relation(shown: TrustMarks, relation: Relation, *names: str) -> None:
    """Mark a relation whose source is not trusted, or that names something that looks like an attack."""
    mark_trust(shown, relation.fact.attributes, "\n".join((*names, relation.literal or "")))


_format_instant_cached = lru_cache(4096)(format_instant)


class RelationRenderer:
    """Renders relations with their ends and sources, which are read in one batch."""

    def __init__(self, lore: LoreReader, relations: Iterable[Relation]) -> None:
        given = list(relations)
        self._lore = lore
        self._entities = lore.ends_of(given)
        self._sources = lore.sources(each.id for each in given)
        self._disputes = find_disputes(lore, given)
        self._refs: dict[EntityId, LoreEntityRef] = {}

    def ref(self, entity: EntityId | None) -> LoreEntityRef | None:
        return None if entity is None else self._ref(entity)

    def _ref(self, entity: EntityId) -> LoreEntityRef:
        said = self._refs.get(entity)
        if said is None:
            said = self._refs[entity] = entity_ref(self._entities[entity])
        return said

    def sources(self, relation: Relation) -> Sequence[LoreSource]:
        return self._sources[relation.id]

    def source_names(self, relation: Relation) -> list[str]:
        return source_names(self._sources[relation.id])

    def confidence(self, relation: Relation) -> float | None:
        return confidence_of(self._sources[relation.id])

    def is_disputed(self, relation: Relation) -> bool:
        return relation.id in self._disputes

    def disputed_with(self, relation: Relation) -> list[str]:
        return [format_fact_id(fact) for fact in self._disputes.get(relation.id, ())]

    def relation(self, relation: Relation, coverage: Coverage | None = None) -> RelationView:
        """A relation in full."""
        fact, sources = relation.fact, self._sources[relation.id]
        said: RelationView = {
            "id": format_fact_id(fact.id),
            "relation": format_relation(relation.name),
            "subject": self._ref(relation.subject),
            "object": self.ref(relation.object),
            "literal": fact.literal,
            "valid_from": time_text(fact.valid_from),
            "valid_until": time_text(fact.valid_until),
            "confidence": confidence_of(sources),
            "sources": source_names(sources),
            "disputed": fact.id in self._disputes,
            "disputed_with": self.disputed_with(relation),
            "text": relation_text(relation, self._entities),
            "attributes": {key: value for key, value in relation.attributes.items() if key not in _UNPRINTED},
            "visibility": visibility_of(fact, sources),
            "superseded_by": fact_id_or_none(fact.replaced_by),
            "recorded_at": _format_instant_cached(fact.recorded_at),
        }
        mark_trust(said, fact.attributes, said["text"])
        if coverage is not None:
            said["coverage"] = coverage
        return said

    def holding(self, relation: Relation, other: EntityId | None, coverage: Coverage | None = None) -> HoldingView:
        """A relation as an entry of a list, under the name of that end or its literal."""
        fact, entity = relation.fact, None if other is None else self._entities[other]
        said: HoldingView = {
            "name": entity.name if entity is not None else fact.literal or "",
            "valid_from": time_text(fact.valid_from),
            "valid_until": time_text(fact.valid_until),
            "id": None if entity is None else format_entity_id(entity.id),
            "type": None if entity is None else format_label(kind_of(entity).type),
            "relation": format_relation(relation.name),
            "relation_id": format_fact_id(fact.id),
            "confidence": self.confidence(relation),
            "sources": self.source_names(relation),
            "disputed": fact.id in self._disputes,
        }
        mark_relation(said, relation, said["name"])
        if coverage is not None:
            said["coverage"] = coverage
        return said

    def holdings(
        self, held: Iterable[tuple[Relation, EntityId | None]], coverages: Mapping[FactId, Coverage] | None = None
    ) -> list[HoldingView]:
        """Entries ordered by start, open ones first, then by name."""
        shown = [
            (each.fact.bounds.lo, self.holding(each, other, (coverages or {}).get(each.id))) for each, other in held
        ]
        return [said for _, said in sorted(shown, key=lambda item: (item[0], item[1]["name"], item[1]["relation_id"]))]


def chunk_uuid(document: DocumentId, seq: int, digest: str) -> str:
    """The id of a passage, stable as long as its text is unchanged."""
    return str(UUID(bytes=blake2b(f"{document}\0{seq}\0{digest}".encode(), digest_size=16).digest(), version=5))


def chunk_uuid_of(chunk: PassageRow) -> str:
    return chunk_uuid(chunk.document, chunk.seq, content_hash(chunk.text))


def document_reliability(document: Document) -> str | float:
    """The reliability of a document: a word, or a given number."""
    given = document.properties.get("reliability")
    if is_number(given):
        return given
    return reliability_of(document.kind, document.type, document.properties)


def document_visibility(document: Document) -> str:
    given = document.properties.get("visibility")
    return given if isinstance(given, str) and given in VISIBILITIES else VISIBILITIES[2]


def document_world_time(document: Document) -> str | None:
    given = document.properties.get("world_time")
    return given if isinstance(given, str) else None
