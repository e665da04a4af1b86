"""Entities as this surface shows them: seven types over whatever is stored."""

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

from recollect.model.entity import Entity
from recollect.model.ids import say_entity
from recollect.model.names import Types
from recollect.model.wording import snake
from recollect.store.view import View

EntityType = Literal["person", "organization", "project", "tool", "event", "topic", "concept"]

STORED: Mapping[EntityType, frozenset[str]] = {
    "person": frozenset({"person", "self", "npc", "pc", "human", "character"}),
    "organization": frozenset({"organization", "team", "faction", "institution"}),
    "project": frozenset({"project"}),
    "tool": frozenset({"tool", "product", "software", "item", "repository"}),
    "event": frozenset({"event", "decision", "meeting", "battle", "encounter"}),
    "topic": frozenset({"topic", "source", "lore_source", "preference", "tag"}),
}
TYPES: tuple[EntityType, ...] = (*STORED, "concept")
SELF, PRIMARY_ORG = "self", "primary_org"
_SUMMARY = 500
_SHOWN_AS: Mapping[str, EntityType] = {stored: shown for shown, all_ in STORED.items() for stored in all_}


class EntityNamed(TypedDict):
    id: str
    name: str
    type: EntityType
    kind: str


class EntityShown(EntityNamed):
    aliases: list[str]
    metadata: Mapping[str, Any]
    concept_role: str | None
    summary: str | None
    provisional: bool


def type_of(stored: str) -> EntityType:
    """The one of seven types that a stored type counts as."""
    return _SHOWN_AS.get(stored, "concept")


def types_called(given: str) -> Types:
    """The stored types that a type or kind of this surface covers."""
    wanted = snake(given)
    wanted = "organization" if wanted == "company" else wanted
    if wanted == "concept":
        return Types(frozenset(_SHOWN_AS), others=True)
    listed = next((stored for shown, stored in STORED.items() if shown == wanted), frozenset({wanted}))
    return Types(listed, others=False)


def role_of(entity: Entity) -> str | None:
    said = entity.properties.get("concept_role")
    if said in (SELF, PRIMARY_ORG):
        return str(said)
    return SELF if entity.type == "self" else None


def metadata_of(entity: Entity) -> Mapping[str, Any]:
    return {**entity.properties, "kind": "decision"} if entity.type == "decision" else entity.properties


def show_name(entity: Entity) -> EntityNamed:
    return {"id": say_entity(entity.id), "name": entity.name, "type": type_of(entity.type), "kind": entity.type}


def show_entity(view: View, entity: Entity) -> EntityShown:
    said = entity.properties.get("description")
    return {
        **show_name(entity),
        "aliases": view.aliases(entity),
        "metadata": metadata_of(entity),
        "concept_role": role_of(entity),
        "summary": said[:_SUMMARY] if isinstance(said, str) and said else None,
        "provisional": entity.provisional,
    }
