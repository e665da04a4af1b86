"""Nodes of the graph: entities as an embodiment makes, changes, deletes and brings them back."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from recollect.keep.formats import GRANULARITIES
from recollect.keep.graph.node_vectors import GIVEN_VECTOR, put_given_vector
from recollect.keep.memory_index.mentions import unlink_names
from recollect.keep.problems import Ambiguous, ContentTooLarge, ItemNotFound, LabelTaken, VersionConflict
from recollect.model.document import Document
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.ids import ENTITY_PREFIX, BadId, EntityId, format_entity_id, read_id
from recollect.model.names import Name, fold
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.write.ends import AmbiguousName, End, find, find_or_create
from recollect.write.entity_edits import edit_entity, find_name_conflict, restore_entity
from recollect.write.retract import delete_entity

DESCRIPTION = "description"
LEARNED_AT = "entity_core.learned_at"
SOURCE_MEMORY = "entity_core.source_memory"
RESERVED = frozenset({LEARNED_AT, SOURCE_MEMORY, GIVEN_VECTOR})
DEFAULT_CONFIDENCE = 0.5
MAX_MEMORIES = 50
MAX_PROPERTIES_BYTES = 64 << 10

MatchedBy = Literal["label", "alias"]


@dataclass(frozen=True, slots=True)
class NodeDraft:
    """A node as a caller describes it; what was left out is none."""

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
    """The node behind a draft, whether it is new, and by what a known one was found."""

    entity: Entity
    is_new: bool
    matched_by: MatchedBy | None


def upsert_node(change: Change, draft: NodeDraft, model: str) -> NodeUpsert:
    """The node that the draft describes: the one already there, its blanks filled, or a new one."""
    known = _find_existing(change, draft)
    if known is None:
        properties = {**_given_properties(draft), **_provenance_properties(draft)}
        found = find_or_create(change, End(draft.label, draft.type, draft.aliases, properties, True, "node"))
        entity = change.put_entity(found.entity._replace(confidence=draft.confidence))
        return NodeUpsert(_with_vector(change, entity, draft.vector, model), True, None)
    matched_by: MatchedBy = "label" if known.folded == fold(draft.label) else "alias"
    return NodeUpsert(_fill_blanks(change, known, draft), False, matched_by)


def _find_existing(change: Change, draft: NodeDraft) -> Entity | None:
    """Same type and label, else same type and alias, else the same label of a type that nobody gave."""
    untyped = End(draft.label, properties=draft.properties)
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
    """What this surface notes of a new node beside its properties."""
    learned = {} if draft.learned_at is None else {LEARNED_AT: draft.learned_at}
    return learned if draft.source is None else {**learned, SOURCE_MEMORY: draft.source.key}


def _fill_blanks(change: Change, known: Entity, draft: NodeDraft) -> Entity:
    """The known node with what it lacked; nothing present is overwritten."""
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
    """What is to change of a node; none keeps what is there."""

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
    """The node as the edit wants it; refused if its label and type are another's."""
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
    held = entity.properties
    told = {DESCRIPTION: held[DESCRIPTION]} if DESCRIPTION in held and DESCRIPTION not in edit.clear else {}
    own = {} if "properties" in edit.clear else own_properties(entity)
    if edit.properties is not None:
        own = {**(own if edit.merge else {}), **edit.properties}
        check_properties_size(own)
    given = {} if edit.description is None else {DESCRIPTION: edit.description}
    edited = {**told, **own, **given}
    says_the_same = edit.label in (None, entity.name) and edited.get(DESCRIPTION) == held.get(DESCRIPTION)
    reserved = {key: held[key] for key in RESERVED & held.keys() if key != GIVEN_VECTOR or says_the_same}
    return {**edited, **reserved}


def check_properties_size(properties: Mapping[str, Any]) -> None:
    """Properties that were joined may be too large together."""
    if len(json.dumps(properties, ensure_ascii=False).encode()) > MAX_PROPERTIES_BYTES:
        raise ContentTooLarge("properties", "64 KiB of JSON")


def own_properties(entity: Entity) -> dict[str, Any]:
    """The properties of a node without its description and what this surface notes there."""
    return {key: value for key, value in entity.properties.items() if key != DESCRIPTION and key not in RESERVED}


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
    """A deleted node, back with the edges that went with it."""
    check_label_free(change, entity._replace(deleted=None))
    return restore_entity(change, entity)


def delete_node(change: Change, entity: Entity, reason: str) -> int:
    """Take a node out; how many edges leave with it."""
    [[edges]] = change.rows("edges_of_node_count", entity=entity.id)
    delete_entity(change, entity, reason)
    return int(edges)


def parse_entity_id(text: str) -> EntityId | None:
    """The id that a text is, if it is one."""
    try:
        return EntityId(read_id(text, ENTITY_PREFIX))
    except BadId:
        return None


def find_node(view: View, text: str) -> Entity | None:
    """The node of this id, deleted or not; of a merged one the survivor."""
    found = _entity_or_none(view, parse_entity_id(text))
    while found is not None and found.merged_into is not None:
        found = view.entity(found.merged_into)
    return found


def _entity_or_none(view: View, id_: EntityId | None) -> Entity | None:
    return None if id_ is None else view.entity(id_)


def require_live_node(view: View, text: str, name: str = "id") -> Entity:
    """The live node of this id, or a no that names the argument."""
    found = find_node(view, text)
    if found is None or not found.is_live:
        raise ItemNotFound(f"{name}: there is no node {text!r}", field=name)
    return found


def check_version(expected: int | None, current: int, what: str) -> None:
    if expected is not None and expected != current:
        raise VersionConflict(what, expected, current)


def node_version(view: View, entity: EntityId) -> int:
    """How many versions of a node there were so far: changes of it or of its names, not mere confirmations."""
    changed = {int(tx) for row in view.rows("names_ever", entity=entity) for tx in row if tx <= view.known}
    before: Entity | None = None
    for version in view.entity_versions(entity):
        if version.tx_from > view.known:
            break
        if before is None or version._replace(tx_from=before.tx_from, confirmed_at=before.confirmed_at) != before:
            changed.add(version.tx_from)
        before = version
    return len(changed)


def creator_of(view: View, entity: EntityId) -> str:
    """Who acted when the node was made."""
    made = view.transaction(view.entity_versions(entity)[0].tx_from)
    return made.actor if made is not None else "unknown"


def memories_naming(view: View, entity: EntityId) -> list[str]:
    """Ids of live memories that name the node or are a source of its facts, latest first."""
    rows = view.rows("memories_of_node", entity=entity, granularities=GRANULARITIES, limit=MAX_MEMORIES)
    return [row[0] for row in rows]


def source_memory(view: View, memory_id: str, name: str = "sourceMemoryId") -> Document:
    """The live memory of this id, or a no that names the argument."""
    found = view.document_named("memory", memory_id)
    if found is None or found.deleted or found.type not in GRANULARITIES:
        raise ItemNotFound(f"{name}: there is no memory {memory_id!r}", field=name)
    return found


def aliases_by_node(view: View, entities: Collection[Entity]) -> dict[EntityId, list[str]]:
    """The other names of several nodes, first learned first."""
    found: dict[EntityId, list[str]] = {entity.id: [] for entity in entities}
    folded = {entity.id: entity.folded for entity in entities}
    rows = view.rows("names_of_entities", entities=sorted(found)) if found else ()
    others = [Name(*row) for row in rows if row[3] == "alias" and row[4] != folded[row[0]]]
    learned = view.learned_aliases({name.entity for name in others}) if others else {}
    for name in sorted(others, key=lambda name: (learned[name.entity, name.folded], name.spelling)):
        found[name.entity].append(name.spelling)
    return found
