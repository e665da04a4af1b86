"""Import of nodes from an archive, by overwriting or merging, and removal of what it lacks."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from recollect.keep.archive.export import ORIGIN_KEY, ORIGIN_KIND, all_edges, origins_of
from recollect.keep.archive.file_importer import ImportMode
from recollect.keep.archive.graph_reader import ArchivedNode
from recollect.keep.graph.nodes import DESCRIPTION, LEARNED_AT, RESERVED, SOURCE_MEMORY
from recollect.model.document import Document
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.ids import DocumentId, EntityId, FactId, parse_entity_id
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.edge_queries import all_statements
from recollect.store.entity_queries import all_nodes
from recollect.when.instant import Instant, format_millis
from recollect.write.entity_edits import edit_entity, restore_entity
from recollect.write.entity_refs import AmbiguousName, NamedRef, find
from recollect.write.retract import delete_entity, withdraw_assertions

SURFACE: Final = "entity-core"


@dataclass(frozen=True, slots=True)
class GraphImportCounts:
    """How many nodes and edges of an archive are current now, and how many others were removed."""

    nodes: int
    edges: int
    removed: int


@dataclass(slots=True)
class GraphImport:
    """The state of a graph import: the node here for each node of the archive, and where it came from."""

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
    """Match or create each node; all are matched before any is written."""
    existing: dict[str, Entity | None] = {}
    for node in nodes:
        matched = {entity.id for entity in existing.values() if entity is not None}
        existing[node.id] = _find_existing(importing, node, matched)
    created: set[tuple[str, str]] = set()
    for node in nodes:
        known = existing[node.id]
        name = (node.type, fold(node.label))
        if known is None and name in created and importing.mode == "merge" and parse_entity_id(node.id) is None:
            # Only ids of our own tell two nodes of one name apart when the archive comes again.
            known = _find_existing(importing, node, frozenset())
        if known is None:
            created.add(name)
        importing.nodes[node.id] = _import_node(importing, known, node)


def _import_node(importing: GraphImport, known: Entity | None, node: ArchivedNode) -> Entity:
    properties = _node_properties(importing, node)
    if known is None:
        return _create_node(importing, node, properties)
    if importing.mode == "overwrite":
        return _overwrite_node(importing.change, known, node, properties)
    return _fill_blanks(importing.change, known, node, properties)


def _find_existing(importing: GraphImport, node: ArchivedNode, matched: Collection[EntityId]) -> Entity | None:
    """The node of the same id if it is still the same node, else the one of its type and label."""
    change, id_ = importing.change, parse_entity_id(node.id)
    same = change.entity(id_) if id_ is not None else None
    if same is not None and same.merged_into is None and _is_same(importing, same, node):
        return same
    try:
        return find(change, NamedRef(node.label, node.type, properties=node.properties))
    except AmbiguousName as error:
        return _choose_candidate(importing, node, error.candidates, matched)


def _choose_candidate(
    importing: GraphImport, node: ArchivedNode, candidates: Sequence[Entity], matched: Collection[EntityId]
) -> Entity | None:
    """Of several nodes of one name the oldest in the same spelling that no other archived node matches."""
    ordered = sorted(candidates, key=lambda each: (each.type != node.type, each.name != node.label, each.id))
    found = next((each for each in ordered if each.id not in matched), None)
    if found is None and importing.mode == "merge":
        found = ordered[0]
    if found is None:
        importing.warnings.append(f"several nodes are called {node.label!r}; the archived one was added")
    return found


def _is_same(importing: GraphImport, same: Entity, node: ArchivedNode) -> bool:
    """Whether the entity with a node's id is that node; overwriting may rename or restore it."""
    has_same_name = same.folded == fold(node.label)
    return has_same_name or same.is_live if importing.mode == "overwrite" else has_same_name and same.is_live


def _node_properties(importing: GraphImport, node: ArchivedNode) -> dict[str, Any]:
    """The properties of a node with its description and reserved properties."""
    properties = dict(node.properties)
    if node.description is not None:
        properties[DESCRIPTION] = node.description
    if node.learned_at is not None and node.learned_at != node.created_at:
        properties[LEARNED_AT] = node.learned_at
    if node.memory is not None and importing.has_memory(node.memory):
        properties[SOURCE_MEMORY] = node.memory
    elif node.memory is not None:
        importing.warnings.append(f"{node.label!r} names the memory {node.memory!r}, which is missing")
    return properties


def _create_node(importing: GraphImport, node: ArchivedNode, properties: Mapping[str, Any]) -> Entity:
    change = importing.change
    given = parse_entity_id(node.id)
    free = given is not None and change.entity(given) is None and not change.entity_versions(given)
    id_ = given if given is not None and free else EntityId(change.new_id())
    created = node.created_at if node.created_at is not None else change.now
    confirmed = node.confirmed_at if node.confirmed_at is not None else created
    bare = Entity(
        id_, change.tx, node.type, node.label, fold(node.label), node.provisional, node.confidence, {},
        Instant(min(created, change.now)), Instant(min(confirmed, change.now)), "node", None, None,
    )  # fmt: skip
    change.add_entity(bare)
    entity = edit_entity(change, bare, bare._replace(properties=dict(properties)), node.aliases)
    by = {} if node.by is None else {"by": node.by}
    importing.origins[entity.id] = {**origin_record(change, node.version, node.updated_at), **by}
    return entity


def origin_record(change: Change, version: int, updated_at: str | None) -> dict[str, Any]:
    return {"earlier": version - 1, "updated_at": updated_at or format_millis(change.now), "tx": change.tx}


def _overwrite_node(change: Change, known: Entity, node: ArchivedNode, properties: Mapping[str, Any]) -> Entity:
    """Make a node as it is in the archive; a deleted one is restored."""
    live = known if known.is_live else restore_entity(change, known)
    vector = {key: live.properties[key] for key in RESERVED - {LEARNED_AT, SOURCE_MEMORY} if key in live.properties}
    wanted = live._replace(
        type=node.type,
        name=node.label,
        folded=fold(node.label),
        provisional=node.provisional,
        confidence=node.confidence,
        properties={**properties, **vector},
        confirmed_at=_changed_instant(live.confirmed_at, node.confirmed_at),
    )
    return edit_entity(change, live, wanted, node.aliases)


def _changed_instant(known: Instant, given: Instant | None) -> Instant:
    """The given instant, unless it is the known one in the milliseconds of an archive."""
    return known if given is None or format_millis(given) == format_millis(known) else given


def _fill_blanks(change: Change, known: Entity, node: ArchivedNode, properties: Mapping[str, Any]) -> Entity:
    """Add what the node lacks; if it lacks nothing, it is not even confirmed."""
    aliases = [row.spelling for row in change.names_of(known.id) if row.kind == "alias"]
    folded = {fold(alias) for alias in aliases} | {known.folded}
    names = [alias for alias in (*node.aliases, node.label) if fold(alias) not in folded]
    own = {key: value for key, value in properties.items() if key not in RESERVED}
    completed = known._replace(
        type=node.type if known.type == UNKNOWN_TYPE else known.type,
        provisional=known.provisional and node.provisional,
        confidence=max(known.confidence, node.confidence),
        properties={**own, **known.properties},
    )
    if completed == known and not names:
        return known
    return edit_entity(change, known, completed._replace(confirmed_at=change.now), (*aliases, *names))


def withdraw_missing(importing: GraphImport) -> int:
    """Withdraw what this surface wrote and the archive lacks; how many nodes and facts were removed."""
    change = importing.change
    missing = [fact for fact in (*all_edges(change), *all_statements(change)) if fact.id not in importing.facts]
    assertions = change.assertions_of([fact.id for fact in missing])
    own = [each for fact in missing for each in assertions[fact.id] if each.surface == SURFACE]
    gone = sum(fact.is_retracted for fact in withdraw_assertions(change, own))
    return gone + _delete_missing(importing)


def _delete_missing(importing: GraphImport) -> int:
    change = importing.change
    imported = {entity.id for entity in importing.nodes.values()}
    gone = 0
    for entity in all_nodes(change):
        if entity.id in imported or not _is_ours(change, entity) or _has_facts(change, entity):
            continue
        delete_entity(change, entity, "deleted")
        gone += 1
    return gone


def _is_ours(change: Change, entity: Entity) -> bool:
    created = change.transaction(change.entity_versions(entity.id)[0].tx_from)
    return created is not None and created.surface == SURFACE


def _has_facts(change: Change, entity: Entity) -> bool:
    return any(not fact.is_retracted for fact in change.facts_touching(entity.id))


def store_origins(importing: GraphImport) -> None:
    """Store where the new nodes and facts came from, for the next export."""
    change = importing.change
    if not importing.origins:
        return
    old = change.document_named(ORIGIN_KIND, ORIGIN_KEY)
    origins = {**origins_of(change), **importing.origins}
    document = Document(
        old.id if old else DocumentId(change.new_id()), change.tx, ORIGIN_KIND, "origins", ORIGIN_KEY,
        "Where imported nodes and edges come from", None, None, change.now, None, {"origins": origins}, None,
    )  # fmt: skip
    if old is None:
        change.add_document(document)
    else:
        change.put_document(document)
