"""Import of nodes from an archive, by overwriting or merging, and removal of what it lacks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from recollect.keep.archive.export import NO_LIMIT, ORIGIN_KEY, ORIGIN_KIND, origins_of
from recollect.keep.archive.file_importer import ImportMode
from recollect.keep.archive.graph_reader import ArchivedNode
from recollect.keep.graph.edges import EdgeQuery, find_edges
from recollect.keep.graph.nodes import DESCRIPTION, LEARNED_AT, RESERVED, SOURCE_MEMORY, parse_entity_id
from recollect.model.document import Document
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.rows import entity_of, fact_of
from recollect.when.instant import Instant, format_millis
from recollect.write.ends import AmbiguousName, End, find
from recollect.write.entity_edits import edit_entity, restore_entity
from recollect.write.retract import delete_entity, withdraw_assertions

SURFACE: Final = "entity-core"


@dataclass(frozen=True, slots=True)
class GraphImportCounts:
    """How many nodes and edges of an archive are current now, and how many things are gone."""

    nodes: int
    edges: int
    removed: int


@dataclass(slots=True)
class GraphImport:
    """One import of a graph under way: which node here each node of the archive is, and what it was elsewhere."""

    change: Change
    mode: ImportMode
    warnings: list[str]
    has_memory: Callable[[str], bool]
    nodes: dict[str, Entity] = field(default_factory=dict)
    facts: set[FactId] = field(default_factory=set)
    facts_by_archive_id: dict[str, FactId] = field(default_factory=dict)
    """The facts here by the archive's ids."""
    origins: dict[str, dict[str, Any]] = field(default_factory=dict)


def import_nodes(importing: GraphImport, nodes: Sequence[ArchivedNode]) -> None:
    """Each node found here or made; whom it is known as here is settled before any is written."""
    known = {node.id: _find_existing(importing, node) for node in nodes}
    for node in nodes:
        held = known[node.id]
        told = _node_properties(importing, node)
        if held is None:
            entity = _create_node(importing, node, told)
        elif importing.mode == "overwrite":
            entity = _overwrite_node(importing.change, held, node, told)
        else:
            entity = _fill_blanks(importing.change, held, node, told)
        importing.nodes[node.id] = entity


def _find_existing(importing: GraphImport, node: ArchivedNode) -> Entity | None:
    """The node of the same id if it is still the same thing, else the one that its type and label name."""
    change, id_ = importing.change, parse_entity_id(node.id)
    same = change.entity(id_) if id_ is not None else None
    if same is not None and same.merged_into is None and _is_same(importing, same, node):
        return same
    try:
        return find(change, End(node.label, node.type, properties=node.properties))
    except AmbiguousName:
        importing.warnings.append(f"several nodes are called {node.label!r}; the archive's became one more")
        return None


def _is_same(importing: GraphImport, same: Entity, node: ArchivedNode) -> bool:
    """Whether the holder of a node's id is that node; overwriting renames it or brings it back."""
    is_named_so = same.folded == fold(node.label)
    return is_named_so or same.is_live if importing.mode == "overwrite" else is_named_so and same.is_live


def _node_properties(importing: GraphImport, node: ArchivedNode) -> dict[str, Any]:
    """The properties with all that is noted there."""
    told = dict(node.properties)
    if node.description is not None:
        told[DESCRIPTION] = node.description
    if node.learned_at is not None and node.learned_at != node.created_at:
        told[LEARNED_AT] = node.learned_at
    if node.memory is not None and importing.has_memory(node.memory):
        told[SOURCE_MEMORY] = node.memory
    elif node.memory is not None:
        importing.warnings.append(f"{node.label!r} names the memory {node.memory!r}, which is not there")
    return told


def _create_node(importing: GraphImport, node: ArchivedNode, told: Mapping[str, Any]) -> Entity:
    change = importing.change
    given = parse_entity_id(node.id)
    free = given is not None and change.entity(given) is None and not change.entity_versions(given)
    id_ = given if given is not None and free else EntityId(change.new_id())
    made = node.created_at if node.created_at is not None else change.now
    confirmed = node.confirmed_at if node.confirmed_at is not None else made
    bare = Entity(
        id_, change.tx, node.type, node.label, fold(node.label), node.provisional, node.confidence, {},
        Instant(min(made, change.now)), Instant(min(confirmed, change.now)), "node", None, None,
    )  # fmt: skip
    change.add_entity(bare)
    entity = edit_entity(change, bare, bare._replace(properties=dict(told)), node.aliases)
    by = {} if node.by is None else {"by": node.by}
    importing.origins[entity.id] = {**origin_record(change, node.version, node.updated_at), **by}
    return entity


def origin_record(change: Change, version: int, updated_at: str | None) -> dict[str, Any]:
    return {"earlier": version - 1, "updated_at": updated_at or format_millis(change.now), "tx": change.tx}


def _overwrite_node(change: Change, held: Entity, node: ArchivedNode, told: Mapping[str, Any]) -> Entity:
    """The node as the archive tells it; a deleted one is back."""
    back = held if held.is_live else restore_entity(change, held)
    vector = {key: back.properties[key] for key in RESERVED - {LEARNED_AT, SOURCE_MEMORY} if key in back.properties}
    wanted = back._replace(
        type=node.type,
        name=node.label,
        folded=fold(node.label),
        provisional=node.provisional,
        confidence=node.confidence,
        properties={**told, **vector},
        confirmed_at=_changed_instant(back.confirmed_at, node.confirmed_at),
    )
    return edit_entity(change, back, wanted, node.aliases)


def _changed_instant(held: Instant, given: Instant | None) -> Instant:
    """What is held, unless something else was given; an archive tells milliseconds."""
    return held if given is None or format_millis(given) == format_millis(held) else given


def _fill_blanks(change: Change, held: Entity, node: ArchivedNode, told: Mapping[str, Any]) -> Entity:
    """The node with what it lacked; where it lacks nothing it is not even confirmed."""
    known = [row.spelling for row in change.names_of(held.id) if row.kind == "alias"]
    others = {fold(alias) for alias in known} | {held.folded}
    names = [alias for alias in (*node.aliases, node.label) if fold(alias) not in others]
    noted = {key: value for key, value in told.items() if key not in RESERVED}
    fuller = held._replace(
        type=node.type if held.type == UNKNOWN_TYPE else held.type,
        provisional=held.provisional and node.provisional,
        confidence=max(held.confidence, node.confidence),
        properties={**noted, **held.properties},
    )
    if fuller == held and not names:
        return held
    return edit_entity(change, held, fuller._replace(confirmed_at=change.now), (*known, *names))


def withdraw_missing(importing: GraphImport) -> int:
    """Take back what this surface wrote and the archive lacks; how many nodes and facts are gone."""
    change = importing.change
    edges = [edge.fact for edge in find_edges(change, EdgeQuery(change.world.now.span, limit=NO_LIMIT)).edges]
    others = [fact_of(row) for row in change.rows("archive_statements")]
    lacking = [fact for fact in (*edges, *others) if fact.id not in importing.facts]
    said = change.assertions_of([fact.id for fact in lacking])
    own = [each for fact in lacking for each in said[fact.id] if each.surface == SURFACE]
    gone = sum(fact.is_retracted for fact in withdraw_assertions(change, own))
    return gone + _delete_missing(importing)


def _delete_missing(importing: GraphImport) -> int:
    change = importing.change
    kept = {entity.id for entity in importing.nodes.values()}
    lacking = [entity_of(row) for row in change.rows("archive_nodes")]
    gone = 0
    for entity in lacking:
        if entity.id in kept or not _is_ours(change, entity) or _has_facts(change, entity):
            continue
        delete_entity(change, entity, "deleted")
        gone += 1
    return gone


def _is_ours(change: Change, entity: Entity) -> bool:
    made = change.transaction(change.entity_versions(entity.id)[0].tx_from)
    return made is not None and made.surface == SURFACE


def _has_facts(change: Change, entity: Entity) -> bool:
    return any(not fact.is_retracted for fact in change.facts_touching(entity.id))


def store_origins(importing: GraphImport) -> None:
    """Keep what the new nodes and facts were elsewhere, for the next archive to tell."""
    change = importing.change
    if not importing.origins:
        return
    held = change.document_named(ORIGIN_KIND, ORIGIN_KEY)
    origins = {**origins_of(change), **importing.origins}
    document = Document(
        held.id if held else DocumentId(change.new_id()), change.tx, ORIGIN_KIND, "origins", ORIGIN_KEY,
        "Where imported nodes and edges come from", None, None, change.now, None, {"origins": origins}, None,
    )  # fmt: skip
    if held is None:
        change.add_document(document)
    else:
        change.put_document(document)
