"""Entities and facts as this surface prints them, the same in every tool, and how names resolve."""

from collections.abc import Collection, Mapping
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.certainty import Certainty, SourceKind
from recollect.model.entity import Entity
from recollect.model.fact import Fact, Label
from recollect.model.history import is_current, is_partial
from recollect.model.ids import EntityId, format_entity_id, format_fact_id
from recollect.model.names import ANY_TYPE, Name, Types, fold
from recollect.model.similarity import to_snake_case
from recollect.reason.closures.open_items import ITEM_PREDICATES
from recollect.reason.items.item_lookup import closed_items
from recollect.resolve.port import NameCandidate, Resolution
from recollect.resolve.resolver import EXACT_SCORE, resolve
from recollect.store.entity_queries import entities_with_any_role
from recollect.store.fact_rows import FactRow
from recollect.store.view import View
from recollect.surfaces.carabase.artifacts import artifact_uri
from recollect.surfaces.views import (
    TrustMarks,
    fact_id_or_none,
    is_past_due,
    mark_entity,
    mark_trust,
    marks_text,
)
from recollect.text.fold import collapse_spaces
from recollect.text.tokens import name_key
from recollect.when.instant import format_date, format_instant, local_day
from recollect.when.period import Time, time_text

EntityType = Literal["person", "organization", "project", "tool", "event", "topic", "concept"]

STORED_TYPES: Mapping[EntityType, frozenset[str]] = {
    "person": frozenset({"person", "self", "npc", "pc", "human", "character"}),
    "organization": frozenset({"organization", "team", "faction", "institution"}),
    "project": frozenset({"project"}),
    "tool": frozenset({"tool", "product", "software", "item", "repository"}),
    "event": frozenset({"event", "decision", "meeting", "battle", "encounter"}),
    "topic": frozenset({"topic", "source", "lore_source", "preference", "tag"}),
}
TYPES: tuple[EntityType, ...] = (*STORED_TYPES, "concept")
SELF, PRIMARY_ORG = "self", "primary_org"
_SUMMARY_LENGTH = 500
_PRINTED_TYPES: Mapping[str, EntityType] = {stored: shown for shown, all_ in STORED_TYPES.items() for stored in all_}


class TypedEntityRef(TrustMarks):
    id: str
    name: str
    type: EntityType
    kind: str


class EntitySummaryView(TypedEntityRef):
    aliases: list[str]
    metadata: Mapping[str, Any]
    concept_role: str | None
    summary: str | None
    provisional: bool


def type_of(stored: str) -> EntityType:
    """The printed type of a stored type."""
    return _PRINTED_TYPES.get(stored, "concept")


def types_named(given: str) -> Types:
    """The stored types that a type or kind of this surface covers."""
    wanted = to_snake_case(given)
    wanted = "organization" if wanted == "company" else wanted
    if wanted == "concept":
        return Types(frozenset(_PRINTED_TYPES), others=True)
    listed = next((stored for shown, stored in STORED_TYPES.items() if shown == wanted), frozenset({wanted}))
    return Types(listed, others=False)


def role_of(entity: Entity) -> str | None:
    role = entity.properties.get("concept_role")
    if role in (SELF, PRIMARY_ORG):
        return str(role)
    return SELF if entity.type == "self" else None


def metadata_of(entity: Entity) -> Mapping[str, Any]:
    own = entity.given_properties
    return {**own, "kind": "decision"} if entity.type == "decision" else own


def entity_ref(entity: Entity) -> TypedEntityRef:
    shown: TypedEntityRef = {
        "id": format_entity_id(entity.id), "name": entity.name, "type": type_of(entity.type), "kind": entity.type
    }  # fmt: skip
    mark_entity(shown, entity)
    return shown


def render_entity(view: View, entity: Entity) -> EntitySummaryView:
    description = entity.properties.get("description")
    return {
        **entity_ref(entity),
        "aliases": view.aliases(entity),
        "metadata": metadata_of(entity),
        "concept_role": role_of(entity),
        "summary": description[:_SUMMARY_LENGTH] if isinstance(description, str) and description else None,
        "provisional": entity.provisional,
    }


ROLE_PRONOUNS = {"i": SELF, "me": SELF, "myself": SELF, "we": PRIMARY_ORG, "us": PRIMARY_ORG}
_MAX_ROLE_HOLDERS = 10


def resolve_name(memory: Memory, view: View, text: str, types: Types = ANY_TYPE) -> Resolution:
    """Resolve a name; a pronoun resolves to the entities with its role, if there are any."""
    role = ROLE_PRONOUNS.get(fold(text))
    holders = [each for each in entities_with_role(view, role) if types.admits(each.type)] if role else []
    if holders:
        return Resolution("exact", tuple(NameCandidate(_name_of(each), EXACT_SCORE) for each in holders))
    return resolve(memory.names(view), text, types)


def entities_with_role(view: View, role: str) -> list[Entity]:
    """The live entities with a role, ordered by id."""
    explicit = entities_with_any_role(view)
    typed = view.entities_of_types({"self"}, _MAX_ROLE_HOLDERS) if role == SELF else []
    found = {each.id: each for each in (*explicit, *typed) if role_of(each) == role}
    return [found[id_] for id_ in sorted(found)]


def _name_of(entity: Entity) -> Name:
    return Name(entity.id, entity.type, entity.name, "name", entity.folded, name_key(entity.folded))


EdgeDirection = Literal["out", "in"]


class EdgeSource(TypedDict):
    artifact_uri: str | None
    record_id: str | None
    quote: str | None
    url: str | None
    surface: str
    tool: str | None
    actor: str | None
    tx: int
    assertions: int
    source: NotRequired[str]


class EdgeView(TrustMarks):
    id: str
    type: str
    label: Label
    fact_type: str
    source_id: str
    source_name: str
    source_type: str
    target_id: str | None
    target_name: str | None
    target_type: str | None
    literal: str | None
    day: str | None
    text: str
    hop: int | None
    direction: EdgeDirection | None
    confidence: float
    certainty: Certainty
    source_kind: SourceKind
    valid_from: str | None
    valid_until: str | None
    partial: bool
    current: bool
    overdue: bool
    stale: bool
    replaced_by: str | None
    disputed: bool
    disputed_with: list[str]
    source_at: str
    recorded_at: str
    provenance: EdgeSource


class EdgeRenderer:
    """Renders facts as of one time; their assertions and documents are read in one batch."""

    def __init__(self, view: View, at: Time, facts: Collection[FactRow]) -> None:
        self._view = view
        self._at = at.span
        self._assertions = view.assertions_of([seen.fact.id for seen in facts])
        having_items = {seen.fact.subject for seen in facts if seen.fact.predicate in ITEM_PREDICATES}
        self._closed = closed_items(view, having_items) if having_items else {}
        self._documents = view.documents(
            {each.document for told in self._assertions.values() for each in told if each.document is not None}
        )

    def render(self, seen: FactRow, hop: int | None = None, near: EntityId | None = None) -> EdgeView:
        """One edge; `near` is the end from which a walk reached it."""
        fact = seen.fact
        has_target = seen.object_name is not None and fact.object is not None
        shown: EdgeView = {
            "id": format_fact_id(fact.id),
            "type": fact.predicate,
            "label": fact.label,
            "fact_type": fact.fact_type,
            "source_id": format_entity_id(fact.subject),
            "source_name": seen.subject_name,
            "source_type": type_of(seen.subject_type),
            "target_id": format_entity_id(fact.object) if fact.object is not None and has_target else None,
            "target_name": seen.object_name,
            "target_type": type_of(seen.object_type) if seen.object_type is not None else None,
            "literal": fact.literal,
            "day": self._day(fact),
            "text": seen.text,
            "hop": hop,
            "direction": None if near is None else "out" if fact.subject == near else "in",
            "confidence": round(fact.confidence, 4),
            "certainty": fact.certainty,
            "source_kind": fact.source_kind,
            "valid_from": time_text(fact.valid_from),
            "valid_until": time_text(fact.valid_until),
            "partial": fact.label == "AFFILIATED" and is_partial(fact, self._at),
            "current": self._is_current(fact),
            "overdue": self._is_overdue(fact),
            "stale": fact.stale,
            "replaced_by": fact_id_or_none(fact.replaced_by),
            "disputed": fact.disputed,
            "disputed_with": self._disputed_with(fact) if fact.disputed else [],
            "source_at": format_instant(fact.source_at),
            "recorded_at": format_instant(fact.recorded_at),
            "provenance": self._provenance(seen),
        }
        mark_trust(shown, fact.attributes, seen.text)
        return shown

    def _day(self, fact: Fact) -> str | None:
        """A fact without object and literal is anchored to the day of its source."""
        if fact.object is not None or fact.literal is not None:
            return None
        return format_date(local_day(fact.source_at, self._view.world.zone))

    def _is_overdue(self, fact: Fact) -> bool:
        until = None if fact.valid_until is None else fact.valid_until.hi
        return is_past_due(fact.label, fact.fact_type, until, self._at) and self._is_current(fact)

    def _is_current(self, fact: Fact) -> bool:
        return is_current(fact, self._at) and fact.id not in self._closed

    def _disputed_with(self, fact: Fact) -> list[str]:
        found = self._view.disputes_of(fact.id)
        return sorted({format_fact_id(each.other if each.one == fact.id else each.one) for each in found})

    def _provenance(self, seen: FactRow) -> EdgeSource:
        told = self._assertions.get(seen.fact.id, [])
        newest = next((each for each in told if each.id == seen.fact.newest), told[-1] if told else None)
        document = self._documents.get(newest.document) if newest and newest.document else None
        shown: EdgeSource = {
            "artifact_uri": artifact_uri(document.id) if document is not None and not document.deleted else None,
            "record_id": document.key if document is not None else None,
            "quote": seen.quote,
            "url": seen.source_url,
            "surface": seen.surface,
            "tool": seen.tool or None,
            "actor": seen.actor or None,
            "tx": newest.tx_from if newest else seen.fact.tx_from,
            "assertions": len(told),
        }
        if seen.given:
            shown["source"] = seen.given
        return shown


def format_edge(edge: EdgeView) -> str:
    """An edge as a line of text; if it was not extracted, with its confidence."""
    target = edge["target_name"] or edge["literal"] or edge["day"]
    period = (
        f" ({edge['valid_from'] or ''}..{edge['valid_until'] or ''})"
        if edge["valid_from"] or edge["valid_until"]
        else ""
    )
    past = "" if edge["current"] else " (not current)"
    hop = f"hop {edge['hop']}: " if edge["hop"] is not None else ""
    doubt = "" if edge["source_kind"] == "extracted" else f" [{edge['source_kind']} {edge['confidence']:.2f}]"
    arrow = f"{edge['source_name']} –{edge['type']}→ {target}"
    text = collapse_spaces(edge["text"])
    return f"{hop}{collapse_spaces(arrow)}{period}{past} · {text} · {edge['id']}{doubt}{marks_text(edge)}"
