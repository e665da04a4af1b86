"""Entities made by hand: `add_entity`, `set_alias` and `merge_entities`."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.ingest.lore.entity import EntityWanted, describe, other_holders
from recollect.ingest.lore.merging import merge_into
from recollect.ingest.lore.problems import WrongType
from recollect.memory import Memory
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.ids import ENTITY_PREFIX, EntityId, is_id, read_id, say_entity
from recollect.model.labels import kind_of, say_label
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.surfaces.lore_engine.building import (
    MOST_LISTED,
    Name,
    Properties,
    built,
    candidates_of,
    exactly,
)
from recollect.surfaces.lore_engine.context_results import EntityShown
from recollect.surfaces.lore_engine.problems import AliasConflict, BadInput
from recollect.surfaces.lore_engine.results import Written
from recollect.surfaces.lore_engine.shapes import EntityName, LabelText
from recollect.surfaces.lore_engine.shown import say_ref, show_entity
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.writing import Writing
from recollect.write.edit import edit_entity
from recollect.write.ends import add_alias

Aliases = Annotated[list[Name], Field(max_length=MOST_LISTED, description="Other names of it")]


class AddedEntity(Written):
    """An entity that was added or confirmed."""

    id: str
    type: str
    name: str
    created: bool
    subtype: NotRequired[str]
    confirmed: bool
    aliases: list[str]
    properties: Mapping[str, Any]
    warnings: list[str]


@surface.tool(
    "write",
    example={"label": "Castle", "name": "Tern Rock", "properties": {"founded": "second_tide.year_5"}},
    older={"label": ("type",)},
    idempotent=True,
)
def add_entity(
    memory: Memory,
    label: LabelText,
    name: Name,
    properties: Properties | None = None,
    aliases: Aliases | None = None,
    provisional: Annotated[bool, Field(description="Nobody has confirmed it yet")] = False,
) -> AddedEntity:
    """Create or confirm an entity: a person, place, group, item, event or anything else.

    The same label and name is the same entity: properties given win, null removes one. Another `disambiguator`
    among the properties makes a second entity of the name.
    """

    def act(asked: Writing) -> Mapping[str, Any]:
        found = describe(asked.change, EntityWanted(label, name, properties or {}, provisional))
        for alias in aliases or ():
            _name_so(asked, found.entity, alias, allow_ambiguous=False)
        return {
            **say_ref(found.entity),
            "created": found.is_new,
            "confirmed": found.is_confirmed,
            "aliases": asked.view.aliases(found.entity),
            "properties": dict(found.entity.properties),
            "warnings": list[str](),
        }

    answer: AddedEntity = built(memory, act)
    return answer


def _name_so(asked: Writing, entity: Entity, alias: str, *, allow_ambiguous: bool) -> bool:
    """Give an entity an alias; one that names another already is refused."""
    if fold(alias) == entity.folded or asked.change.is_known_as(entity.id, fold(alias), "alias"):
        return False
    others = other_holders(asked.change, entity, alias)
    if others and not allow_ambiguous:
        raise AliasConflict(alias, candidates_of(asked, others))
    return add_alias(asked.change, entity, alias)


class AliasSet(Written):
    """An entity's names after one was added or removed."""

    id: str
    name: str
    alias: str
    aliases: list[str]
    added: bool
    removed: bool


@surface.tool("write", example={"entity_id": "Saltguard", "alias": "the Guard"}, idempotent=True)
def set_alias(
    memory: Memory,
    entity_id: EntityName,
    alias: Name,
    remove: Annotated[bool, Field(description="Take the alias away")] = False,
    allow_ambiguous: Annotated[bool, Field(description="Also if it names another entity already")] = False,
) -> AliasSet:
    """Give an entity another name, or take one away."""

    def act(asked: Writing) -> Mapping[str, Any]:
        entity = exactly(asked, entity_id, "entity_id")
        added = not remove and _name_so(asked, entity, alias, allow_ambiguous=allow_ambiguous)
        return {
            "id": say_entity(entity.id),
            "name": entity.name,
            "alias": alias,
            "removed": remove and _unname(asked.change, entity, alias),
            "added": added,
            "aliases": asked.view.aliases(entity),
        }

    answer: AliasSet = built(memory, act)
    return answer


def _unname(change: Change, entity: Entity, alias: str) -> bool:
    held = [row for row in change.names_of(entity.id) if row.kind == "alias" and row.folded == fold(alias)]
    for row in held:
        change.end_name(row)
    return bool(held)


class DifferenceShown(TypedDict):
    key: str
    kept: Any
    dropped: Any


class MergedShown(Written):
    """Two entities that are one now."""

    survivor: EntityShown
    merged_id: str
    moved_relations: int
    joined_relations: int
    retracted_relations: int
    property_conflicts: list[DifferenceShown]
    merged: bool


@surface.tool("destroy", example={"id_a": "Old Perrin", "id_b": "The Drowned Clerk"}, idempotent=True)
def merge_entities(
    memory: Memory,
    id_a: Annotated[EntityName, Field(description="The one that stays: its id, name or alias")],
    id_b: Annotated[EntityName, Field(description="The one that becomes part of it")],
    force: Annotated[bool, Field(description="Also if their labels differ")] = False,
) -> MergedShown:
    """Make two entities one: `id_a` stays.

    It takes over the relations, names and missing properties of `id_b`, whose id leads to it from then on.
    """
    if fold(id_a) == fold(id_b):
        raise BadInput("id_a and id_b are the same", field="id_b")

    def act(asked: Writing) -> Mapping[str, Any]:
        survivor = exactly(asked, id_a, "id_a")
        loser = exactly(asked, id_b, "id_b")
        if loser.id == survivor.id:
            return _merged(asked, survivor, _bare(id_b) or loser.id, (0, 0, 0), [], merged=False)
        survivor = _of_one_kind(asked.change, survivor, loser, force=force)
        done = merge_into(asked.change, survivor, loser)
        conflicts: list[DifferenceShown] = [
            {"key": each.key, "kept": each.kept, "dropped": each.dropped} for each in done.conflicts
        ]
        counts = (done.moved, done.joined, done.retracted)
        return _merged(asked, done.survivor, loser.id, counts, conflicts, merged=True)

    answer: MergedShown = built(memory, act)
    return answer


def _bare(given: str) -> EntityId | None:
    return EntityId(read_id(given, ENTITY_PREFIX)) if is_id(given, ENTITY_PREFIX) else None


def _of_one_kind(change: Change, survivor: Entity, loser: Entity, *, force: bool) -> Entity:
    """The survivor, of the other's type if nobody knew its own."""
    own, other = kind_of(survivor).type, kind_of(loser).type
    if own == UNKNOWN_TYPE and other != UNKNOWN_TYPE:
        return edit_entity(change, survivor, survivor._replace(type=loser.type))
    if own != other and other != UNKNOWN_TYPE and not force:
        raise WrongType(loser.name, "id_b", say_label(other), [say_label(own)])
    return survivor


def _merged(
    asked: Writing,
    survivor: Entity,
    loser: EntityId,
    counts: tuple[int, int, int],
    conflicts: list[DifferenceShown],
    *,
    merged: bool,
) -> Mapping[str, Any]:
    return {
        "survivor": show_entity(asked.view, survivor),
        "merged_id": say_entity(loser),
        "moved_relations": counts[0],
        "joined_relations": counts[1],
        "retracted_relations": counts[2],
        "property_conflicts": conflicts,
        "merged": merged,
    }
