"""`add_entity`, `set_alias` and `merge_entities`: entities edited by hand."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from recollect.ingest.lore.entities import EntityInput, describe_entity, merge_world_entities, other_alias_holders
from recollect.ingest.lore.lore_errors import WrongType
from recollect.memory import Memory
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.ids import EntityId, format_entity_id, parse_entity_id
from recollect.model.labels import format_label, kind_of
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.surfaces.lore_engine.rendering import entity_ref, render_entity, render_namesakes
from recollect.surfaces.lore_engine.results import EntityName, LabelText, StoredEntityView, WriteOutcome
from recollect.surfaces.lore_engine.surface import AliasConflict, RejectedInput, surface
from recollect.surfaces.lore_engine.write_session import (
    MAX_LIST_LENGTH,
    NameText,
    Properties,
    WriteSession,
    resolve_exactly_named,
    run_write,
)
from recollect.write.entity_edits import edit_entity
from recollect.write.names import add_alias

AliasNames = Annotated[list[NameText], Field(max_length=MAX_LIST_LENGTH, description="Other names of it")]


class EntityAddResult(WriteOutcome):
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
    name: NameText,
    properties: Properties | None = None,
    aliases: AliasNames | None = None,
    provisional: Annotated[bool, Field(description="Nobody has confirmed it yet")] = False,
) -> EntityAddResult:
    """Create or confirm an entity: a person, place, group, item, event or anything else.

    The same label and name is the same entity: properties given win, null removes one. Another `disambiguator`
    among the properties makes a second entity of the name.
    """

    def act(session: WriteSession) -> Mapping[str, Any]:
        found = describe_entity(session.change, EntityInput(label, name, properties or {}, provisional))
        for alias in aliases or ():
            _add_alias(session, found.entity, alias, allow_ambiguous=False)
        return {
            **entity_ref(found.entity),
            "created": found.is_new,
            "confirmed": found.is_confirmed,
            "aliases": session.view.aliases(found.entity),
            "properties": dict(found.entity.given_properties),
            "warnings": list[str](),
        }

    return cast(EntityAddResult, run_write(memory, act))


def _add_alias(session: WriteSession, entity: Entity, alias: str, *, allow_ambiguous: bool) -> bool:
    """Add an alias; refused if it already names another entity."""
    if fold(alias) == entity.folded or session.change.is_known_as(entity.id, fold(alias), "alias"):
        return False
    others = other_alias_holders(session.change, entity, alias)
    if others and not allow_ambiguous:
        raise AliasConflict(alias, render_namesakes(session.lore, others))
    return add_alias(session.change, entity, alias)


class AliasResult(WriteOutcome):
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
    alias: NameText,
    remove: Annotated[bool, Field(description="Take the alias away")] = False,
    allow_ambiguous: Annotated[bool, Field(description="Also if it names another entity already")] = False,
) -> AliasResult:
    """Give an entity another name, or take one away."""

    def act(session: WriteSession) -> Mapping[str, Any]:
        entity = resolve_exactly_named(session, entity_id, "entity_id")
        added = not remove and _add_alias(session, entity, alias, allow_ambiguous=allow_ambiguous)
        return {
            "id": format_entity_id(entity.id),
            "name": entity.name,
            "alias": alias,
            "removed": remove and _remove_alias(session.change, entity, alias),
            "added": added,
            "aliases": session.view.aliases(entity),
        }

    return cast(AliasResult, run_write(memory, act))


def _remove_alias(change: Change, entity: Entity, alias: str) -> bool:
    aliases = [row for row in change.names_of(entity.id) if row.kind == "alias" and row.folded == fold(alias)]
    for row in aliases:
        change.end_name(row)
    return bool(aliases)


class PropertyConflictView(TypedDict):
    key: str
    kept: Any
    dropped: Any


class MergeResult(WriteOutcome):
    """Two entities that are one now."""

    survivor: StoredEntityView
    merged_id: str
    moved_relations: int
    joined_relations: int
    retracted_relations: int
    property_conflicts: list[PropertyConflictView]
    merged: bool


@surface.tool("destroy", example={"id_a": "Old Perrin", "id_b": "The Drowned Clerk"}, idempotent=True)
def merge_entities(
    memory: Memory,
    id_a: Annotated[EntityName, Field(description="The one that stays: its id, name or alias")],
    id_b: Annotated[EntityName, Field(description="The one that becomes part of it")],
    force: Annotated[bool, Field(description="Also if their labels differ")] = False,
) -> MergeResult:
    """Make two entities one: `id_a` stays.

    It takes over the relations, names and missing properties of `id_b`, whose id leads to it from then on.
    """
    if fold(id_a) == fold(id_b):
        raise RejectedInput("id_a and id_b are the same", field="id_b")

    def act(session: WriteSession) -> Mapping[str, Any]:
        survivor = resolve_exactly_named(session, id_a, "id_a")
        loser = resolve_exactly_named(session, id_b, "id_b")
        if loser.id == survivor.id:
            return _render_merge(
                session, survivor, parse_entity_id(id_b, strict=True) or loser.id, (0, 0, 0), [], merged=False
            )
        survivor = _with_known_type(session.change, survivor, loser, force=force)
        done = merge_world_entities(session.change, survivor, loser)
        conflicts: list[PropertyConflictView] = [
            {"key": each.key, "kept": each.kept, "dropped": each.dropped} for each in done.conflicts
        ]
        counts = (done.moved, done.joined, done.retracted)
        return _render_merge(session, done.survivor, loser.id, counts, conflicts, merged=True)

    return cast(MergeResult, run_write(memory, act))


def _with_known_type(change: Change, survivor: Entity, loser: Entity, *, force: bool) -> Entity:
    """The survivor, with the type of the other if its own is unknown."""
    own, other = kind_of(survivor).type, kind_of(loser).type
    if own == UNKNOWN_TYPE and other != UNKNOWN_TYPE:
        return edit_entity(change, survivor, survivor._replace(type=loser.type))
    if own != other and other != UNKNOWN_TYPE and not force:
        raise WrongType(loser.name, "id_b", format_label(other), [format_label(own)])
    return survivor


def _render_merge(
    session: WriteSession,
    survivor: Entity,
    loser: EntityId,
    counts: tuple[int, int, int],
    conflicts: list[PropertyConflictView],
    *,
    merged: bool,
) -> Mapping[str, Any]:
    return {
        "survivor": render_entity(session.view, survivor),
        "merged_id": format_entity_id(loser),
        "moved_relations": counts[0],
        "joined_relations": counts[1],
        "retracted_relations": counts[2],
        "property_conflicts": conflicts,
        "merged": merged,
    }
