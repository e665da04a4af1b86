"""Entities as this surface prints them, with stored types mapped to seven, and how names resolve."""

from collections.abc import Mapping
from typing import Any, Literal

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import format_entity_id
from recollect.model.names import ANY_TYPE, Name, Types, fold, token_key
from recollect.model.similarity import to_snake_case
from recollect.resolve.candidates import NameCandidate, Resolution
from recollect.resolve.cascade import EXACT_SCORE, resolve
from recollect.store.entity_queries import entities_with_any_role
from recollect.store.view import View
from recollect.surfaces.views import TrustMarks, mark_entity

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
    return Name(entity.id, entity.type, entity.name, "name", entity.folded, token_key(entity.folded))
