"""Nodes of the graph: entities created, edited, deleted and restored by an instance."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from recollect.keep.call_conflicts import Ambiguous, ContentTooLarge, ItemNotFound, LabelTaken
from recollect.keep.graph.node_vectors import GIVEN_VECTOR, put_given_vector
from recollect.keep.memory_formats import GRANULARITIES
from recollect.keep.memory_index.mentions import unlink_names
from recollect.keep.memory_index.stored_memory import MEMORY_KIND, is_memory
from recollect.model.document import Document
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.ids import EntityId, format_entity_id, parse_entity_id
from recollect.model.names import fold
from recollect.model.trust import CLAIMED_PROPERTIES, SOURCE_TRUST
from recollect.store import entity_queries, memory_queries
from recollect.store.change import Change
from recollect.store.edge_queries import count_edges
from recollect.store.entity_queries import names_of_entities
from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.write.entity_edits import edit_entity, find_name_conflict, restore_entity
from recollect.write.entity_refs import AmbiguousName, NamedRef, find, find_or_create
from recollect.write.retract import delete_entity
from recollect.write.tombstones import HIDDEN

DESCRIPTION = "description"
LEARNED_AT = "entity_core.learned_at"
SOURCE_MEMORY = "entity_core.source_memory"
RESERVED = frozenset({LEARNED_AT, SOURCE_MEMORY, GIVEN_VECTOR, SOURCE_TRUST, CLAIMED_PROPERTIES})
DEFAULT_CONFIDENCE = 0.5
MAX_MEMORIES = 50
MAX_PROPERTIES_BYTES = 64 << 10

MatchedBy = Literal["label", "alias"]


@dataclass(frozen=True, slots=True)
class NodeDraft:
    """A node to create or complete."""

    type: str
    label: str
    properties: Mapping[str, Any] = field(default_factory=dict)
    description: str | None = None
    confidence: float = DEFAULT_CONFIDENCE
    aliases: tuple[str, ...] = ()
    learned_at: Instant | None = None
    source: Document | None = None
    vector: Sequence[float] | None = None


class NodeUpsert(NamedTuple):
    """The node of a draft, whether it is new, and what an existing one was matched by."""

    entity: Entity
    is_new: bool
    matched_by: MatchedBy | None


def upsert_node(change: Change, draft: NodeDraft, model: str) -> NodeUpsert:
    """Fill the missing fields of the node that a draft describes, or create it."""
    known = _find_existing(change, draft)
    if known is None:
        properties = {**_given_properties(draft), **_provenance_properties(draft)}
        found = find_or_create(change, NamedRef(draft.label, draft.type, draft.aliases, properties, True, "node"))
        entity = change.put_entity(found.entity._replace(confidence=draft.confidence))
        return NodeUpsert(_with_vector(change, entity, draft.vector, model), True, None)
    matched_by: MatchedBy = "label" if known.folded == fold(draft.label) else "alias"
    return NodeUpsert(_fill_blanks(change, known, draft), False, matched_by)


def _find_existing(change: Change, draft: NodeDraft) -> Entity | None:
    """By type and label, else by type and alias, else by the label of an untyped node."""
    untyped = NamedRef(draft.label, properties=draft.properties)
    try:
        of_type = find(change, untyped, lambda entity: entity.type == draft.type)
        if of_type is not None and of_type.type == draft.type:
            return of_type
        return find(change, replace(untyped, type=draft.type))
    except AmbiguousName as problem:
        raise Ambiguous(
            str(problem), [_describe_choice(each) for each in problem.candidates], field="label"
        ) from problem


def _describe_choice(entity: Entity) -> dict[str, str]:
    return {"id": format_entity_id(entity.id), "type": entity.type, "label": entity.name}


def _given_properties(draft: NodeDraft) -> dict[str, Any]:
    described = {} if draft.description is None else {DESCRIPTION: draft.description}
    return {**draft.properties, **described}


def _provenance_properties(draft: NodeDraft) -> dict[str, Any]:
    """The reserved properties of a new node: when and from which memory it was learned."""
    learned = {} if draft.learned_at is None else {LEARNED_AT: draft.learned_at}
    return learned if draft.source is None else {**learned, SOURCE_MEMORY: draft.source.key}


def _fill_blanks(change: Change, known: Entity, draft: NodeDraft) -> Entity:
    """Add what the existing node lacks; nothing present is overwritten."""
    rows = [row.spelling for row in change.names_of(known.id) if row.kind == "alias"]
    properties = {**_given_properties(draft), **known.properties}
    if properties != known.properties:
        check_properties_size(properties)
    wanted = known._replace(
        type=draft.type if known.type == UNKNOWN_TYPE else known.type,
        provisional=False,
        confidence=max(known.confidence, draft.confidence),
        properties=properties,
        confirmed_at=change.now,
    )
    return edit_entity(change, known, wanted, (*rows, *draft.aliases))


def _with_vector(change: Change, entity: Entity, vector: Sequence[float] | None, model: str) -> Entity:
    if vector is None:
        return entity
    digest = put_given_vector(change, entity.id, vector, model)
    if entity.properties.get(GIVEN_VECTOR) == digest:
        return entity
    return change.put_entity(entity._replace(properties={**entity.properties, GIVEN_VECTOR: digest}))


@dataclass(frozen=True, slots=True)
class NodeEdit:
    """The changes to a node; none leaves a field as it is."""

    type: str | None = None
    label: str | None = None
    description: str | None = None
    properties: Mapping[str, Any] | None = None
    merge: bool = False
    confidence: float | None = None
    confirmed_at: Instant | None = None
    aliases: tuple[str, ...] | None = None
    vector: Sequence[float] | None = None
    clear: frozenset[str] = frozenset()


def edit_node(change: Change, entity: Entity, edit: NodeEdit, model: str) -> Entity:
    """Apply an edit; refused if another node has the new label and type."""
    wanted = entity._replace(
        type=edit.type or entity.type,
        name=edit.label or entity.name,
        provisional=entity.provisional and edit.type is None,
        confidence=entity.confidence if edit.confidence is None else edit.confidence,
        confirmed_at=entity.confirmed_at if edit.confirmed_at is None else edit.confirmed_at,
        properties=_edited_properties(entity, edit),
    )
    if (wanted.type, fold(wanted.name)) != (entity.type, entity.folded):
        check_label_free(change, wanted)
    aliases = () if "aliases" in edit.clear else edit.aliases
    known_as = _spellings(change, entity)
    edited = edit_entity(change, entity, wanted, aliases)
    unlink_names(change, entity.id, sorted(known_as - _spellings(change, entity)))
    if edit.vector is None:
        return edited
    return _with_vector(change, edited, edit.vector, model)


def _spellings(change: Change, entity: Entity) -> set[str]:
    return {name.spelling for name in change.names_of(entity.id)}


def _edited_properties(entity: Entity, edit: NodeEdit) -> dict[str, Any]:
    old = entity.properties
    described = {DESCRIPTION: old[DESCRIPTION]} if DESCRIPTION in old and DESCRIPTION not in edit.clear else {}
    own = {} if "properties" in edit.clear else own_properties(entity)
    if edit.properties is not None:
        own = {**(own if edit.merge else {}), **edit.properties}
        check_properties_size(own)
    given = {} if edit.description is None else {DESCRIPTION: edit.description}
    edited = {**described, **own, **given}
    has_same_text = edit.label in (None, entity.name) and edited.get(DESCRIPTION) == old.get(DESCRIPTION)
    reserved = {key: old[key] for key in RESERVED & old.keys() if key != GIVEN_VECTOR or has_same_text}
    return {**edited, **reserved}


def check_properties_size(properties: Mapping[str, Any]) -> None:
    """Refuse properties that are too large once merged."""
    if len(json.dumps(properties, ensure_ascii=False).encode()) > MAX_PROPERTIES_BYTES:
        raise ContentTooLarge("properties", "64 KiB of JSON")


def own_properties(entity: Entity) -> dict[str, Any]:
    """The properties of a node without its description and the reserved ones."""
    return {key: value for key, value in entity.given_properties.items() if key != DESCRIPTION and key not in RESERVED}


def description_of(entity: Entity) -> str | None:
    found = entity.properties.get(DESCRIPTION)
    return found if isinstance(found, str) else None


def check_label_free(change: Change, wanted: Entity) -> None:
    holder = find_name_conflict(change, wanted)
    if holder is not None:
        raise LabelTaken(
            f"{holder.name} of type {holder.type} is another node", (_describe_choice(holder),), field="label"
        )


def restore_node(change: Change, entity: Entity) -> Entity:
    """Restore a deleted node with the edges that were deleted with it."""
    check_label_free(change, entity._replace(deleted=None))
    return restore_entity(change, entity)


def delete_node(change: Change, entity: Entity, reason: str) -> int:
    """Delete a node; how many edges are deleted with it."""
    edges = count_edges(change, entity.id)
    delete_entity(change, entity, reason)
    return edges


def find_node(view: View, text: str) -> Entity | None:
    """The node of this id, deleted or not, unless it is hidden; for a merged one, its survivor."""
    id_ = parse_entity_id(text)
    found = None if id_ is None else view.entity(id_)
    while found is not None and found.merged_into is not None:
        found = view.entity(found.merged_into)
    return None if found is None or found.deleted == HIDDEN else found


def require_live_node(view: View, text: str, name: str = "id") -> Entity:
    """The live node of this id; a refusal names the argument."""
    found = find_node(view, text)
    if found is None or not found.is_live:
        raise ItemNotFound(f"{name}: there is no node {text!r}", field=name, listed_by="graph_node_list")
    return found


def node_version(view: View, entity: EntityId) -> int:
    """How many versions a node had so far, counting changes of it or its names but not confirmations."""
    changed = entity_queries.name_change_txs(view, entity)
    before: Entity | None = None
    for version in view.entity_versions(entity):
        if version.tx_from > view.as_of_tx:
            break
        if before is None or version._replace(tx_from=before.tx_from, confirmed_at=before.confirmed_at) != before:
            changed.add(version.tx_from)
        before = version
    return len(changed)


def creator_of(view: View, entity: EntityId) -> str:
    """The actor that created a node."""
    created = view.transaction(view.entity_versions(entity)[0].tx_from)
    return created.actor if created is not None else "unknown"


def memories_naming(view: View, entity: EntityId) -> list[str]:
    """Ids of live memories that name the node or are a source of its facts, latest first."""
    return memory_queries.memories_of_node(view, entity, GRANULARITIES, MAX_MEMORIES)


def source_memory(view: View, memory_id: str, name: str = "sourceMemoryId") -> Document:
    """The live memory of this id; a refusal names the argument."""
    found = view.document_named(MEMORY_KIND, memory_id)
    if found is None or found.deleted or not is_memory(found):
        raise ItemNotFound(f"{name}: there is no memory {memory_id!r}", field=name, listed_by="memory_list")
    return found


def aliases_by_node(view: View, entities: Collection[Entity]) -> dict[EntityId, list[str]]:
    """The other names of several nodes, first learned first."""
    found: dict[EntityId, list[str]] = {entity.id: [] for entity in entities}
    folded = {entity.id: entity.folded for entity in entities}
    names = names_of_entities(view, found)
    others = [name for name in names if name.kind == "alias" and name.folded != folded[name.entity]]
    learned = view.learned_aliases({name.entity for name in others}) if others else {}
    for name in sorted(others, key=lambda name: (learned[name.entity, name.folded], name.spelling)):
        found[name.entity].append(name.spelling)
    return found
