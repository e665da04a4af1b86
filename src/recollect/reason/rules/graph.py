"""The live graph as rules see it: nodes, edges and their times."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Literal

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import KNOWN_LABELS, format_label, kind_of, read_label, stored_types
from recollect.model.names import fold
from recollect.model.relations import format_relation, read_relation, relation_kinds, spellings_of
from recollect.model.similarity import to_snake_case
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation, relation_of
from recollect.reason.rules.values import RuleNode, node_of
from recollect.store import entity_queries, fact_queries
from recollect.store.view import View

EdgeSide = Literal["subject", "object", "either"]
RelationNames = frozenset[str] | None

PAGE_SIZE = 500
SMALL_RESULT = 4_000
EDGE_CACHE_SIZE = 20_000
TOLD_OF = "told_of"
PSEUDO_LABELS = frozenset({"literal", "time", "nothing"})
ENTITY_LABEL = "entity"


def pseudo_label_of(relation: Relation) -> str:
    """The label of the object of a relation that is not an entity."""
    if relation.literal is None:
        return "nothing"
    kind = relation_kinds().get(relation.name)
    return "time" if kind is not None and kind.takes == "time" else "literal"


class RuleGraph:
    """Index lookups on one view, cached up to a limit."""

    def __init__(self, view: View, lore: LoreReader | None = None) -> None:
        self.view = view
        self.lore = lore or LoreReader(view)
        self._edges: dict[tuple[str, RelationNames, EdgeSide], list[Relation]] = {}
        self._labels: dict[tuple[str, str], frozenset[str]] = {}

    # Nodes

    def nodes(self, labels: Sequence[Sequence[str]]) -> Iterator[list[RuleNode]]:
        """Pages of entities that may have one label of each group; `is_labelled` decides."""
        types = self.types_of(labels)
        if types is not None and not types:
            return
        for page in self._entity_pages(types):
            yield [node_of(entity) for entity in page]

    def types_of(self, labels: Sequence[Sequence[str]]) -> frozenset[str] | None:
        """The stored types that can match all groups; none means every type."""
        found: frozenset[str] | None = None
        for group in labels:
            possible = self._types_of_group(group)
            if possible is not None:
                found = possible if found is None else found & possible
        return found

    def _types_of_group(self, group: Sequence[str]) -> frozenset[str] | None:
        """The stored types of a label group; none if a label may be a subtype of any type."""
        found: set[str] = set()
        for word in map(to_snake_case, group):
            kind = read_label(word)
            if kind.type not in KNOWN_LABELS and word not in self._types_used:
                return None
            found |= stored_types(kind.type)
        return frozenset(found)

    @cached_property
    def _types_used(self) -> frozenset[str]:
        return entity_queries.entity_types_in_use(self.view)

    def _entity_pages(self, types: frozenset[str] | None) -> Iterator[list[Entity]]:
        if types is not None:
            found = entity_queries.entities_of_types(self.view, types, SMALL_RESULT)
            if found is not None:
                found.sort(key=lambda entity: entity.id)
                yield from (self._cache_entities(found[at : at + PAGE_SIZE]) for at in range(0, len(found), PAGE_SIZE))
                return
        after = ""
        while True:
            page = entity_queries.entities_after(self.view, after, PAGE_SIZE)
            yield self._cache_entities([each for each in page if types is None or each.type in types])
            if len(page) < PAGE_SIZE:
                return
            after = page[-1].id

    def _cache_entities(self, entities: list[Entity]) -> list[Entity]:
        self.lore.cache_entities(*entities)
        return entities

    def count_nodes(self, labels: Sequence[Sequence[str]]) -> int:
        """Estimated number of matching entities; exact up to a limit."""
        types = self.types_of(labels)
        if types is None:
            return 10 * SMALL_RESULT
        return entity_queries.count_entities_of_types(self.view, types, SMALL_RESULT) if types else 0

    def nodes_named(self, name: str) -> list[RuleNode]:
        """Entities of exactly this name."""
        ids = {each.entity for each in self.view.names_matching(fold(name)) if each.kind == "name"}
        return [node_of(entity) for entity in self.lore.entities(sorted(ids)).values()]

    def node(self, entity: EntityId) -> RuleNode | None:
        found = self.lore.entity(entity)
        return None if found is None else node_of(found)

    def labels(self, node: RuleNode) -> list[str]:
        """Its label, its subtype if any, and Entity."""
        if node.entity is None:
            return [format_label(pseudo_label_of(node.relation))] if node.relation is not None else []
        kind = kind_of(node.entity)
        own = [format_label(kind.type)]
        return [*own, *([format_label(to_snake_case(kind.subtype))] if kind.subtype else []), "Entity"]

    def is_labelled(self, node: RuleNode, labels: Sequence[Sequence[str]]) -> bool:
        """Whether the node carries one label of each group."""
        if not labels:
            return True
        carried = self._labels_of(node)
        return all(any(_normalize_label(label) in carried for label in group) for group in labels)

    def _labels_of(self, node: RuleNode) -> frozenset[str]:
        """The normalized labels of a node."""
        if node.entity is None:
            return frozenset(to_snake_case(label) for label in self.labels(node))
        key = node.entity.type, str(node.entity.properties.get("subtype"))
        labels = self._labels.get(key)
        if labels is None:
            labels = self._labels[key] = frozenset(to_snake_case(label) for label in self.labels(node))
        return labels

    # Edges

    def edges_at(self, node: RuleNode, names: RelationNames, side: EdgeSide) -> list[Relation]:
        """The live relations that have this node at that end."""
        if node.entity is None:
            return (
                [node.relation] if node.relation is not None and _is_possible_edge(node.relation, names, side) else []
            )
        edges = self._edges.get((node.key, names, side))
        if edges is None:
            self.prefetch_edges([node], names, side)
            edges = self._edges[node.key, names, side]
        return edges

    def prefetch_edges(self, nodes: Iterable[RuleNode], names: RelationNames, side: EdgeSide) -> None:
        """Fetch the relations of many nodes at once."""
        ids = {EntityId(node.key) for node in nodes if node.entity is not None}
        unknown = [each for each in ids if (each, names, side) not in self._edges]
        if not unknown:
            return
        if len(self._edges) + len(unknown) > EDGE_CACHE_SIZE:
            self._edges.clear()
            unknown = list(ids)
        found: dict[str, list[Relation]] = {each: [] for each in unknown}
        for relation in self.lore.relations_of(unknown, names, side):
            if relation.name != TOLD_OF:
                for end in _ends_at(relation, side):
                    if end in found:
                        found[end].append(relation)
        self._edges |= {(each, names, side): sorted(found[each], key=_id_of) for each in unknown}

    def edges(self, names: RelationNames) -> Iterator[list[Relation]]:
        """Pages of all live relations of these names."""
        if names is not None:
            few = fact_queries.facts_of_predicates(self.view, _predicates_of(names), SMALL_RESULT)
            if few is not None:
                found = sorted((relation_of(fact, self.lore.symmetric) for fact in few), key=_id_of)
                yield from (
                    self.lore.with_live_ends(found[at : at + PAGE_SIZE]) for at in range(0, len(found), PAGE_SIZE)
                )
                return
        after = ""
        while True:
            facts = fact_queries.facts_after(self.view, after, PAGE_SIZE)
            page = [relation_of(fact, self.lore.symmetric) for fact in facts]
            wanted = [each for each in page if each.name != TOLD_OF and (names is None or each.name in names)]
            yield self.lore.with_live_ends(each for each in wanted if _is_live(each))
            if len(page) < PAGE_SIZE:
                return
            after = page[-1].id

    def count_edges(self, names: RelationNames) -> int:
        if names is None:
            return 20 * SMALL_RESULT
        return fact_queries.count_facts(self.view, _predicates_of(names), SMALL_RESULT)

    def far_end(self, relation: Relation, near: RuleNode) -> RuleNode | None:
        """The node at the other end."""
        if relation.object is None:
            return (
                RuleNode(f"{relation.id}.object", None, relation)
                if near.entity is not None
                else self.node(relation.subject)
            )
        other = relation.other_end(EntityId(near.key))
        return None if other is None else self.node(other)

    def start_node(self, relation: Relation) -> RuleNode | None:
        return self.node(relation.subject)

    def end_node(self, relation: Relation) -> RuleNode | None:
        return (
            self.node(relation.object)
            if relation.object is not None
            else RuleNode(f"{relation.id}.object", None, relation)
        )

    # Names in use

    def is_label_used(self, label: str) -> bool:
        word = to_snake_case(label)
        if word in PSEUDO_LABELS | {ENTITY_LABEL}:
            return True
        types = self._types_of_group([label])
        if types is not None and read_label(word).subtype is None:
            return bool(types & self._types_used)
        return any(self.is_labelled(node, [[label]]) for page in self.nodes([[label]]) for node in page)

    def is_relation_used(self, name: str) -> bool:
        return self.count_edges(frozenset({read_relation(name).name})) > 0


@lru_cache(1000)
def _normalize_label(label: str) -> str:
    """A label as nodes have it: the subtype, or the known label it is a synonym of."""
    kind = read_label(label)
    return kind.subtype or kind.type


def _predicates_of(names: Iterable[str]) -> Iterator[str]:
    return (spelling for name in names for spelling in spellings_of(name).all)


def _id_of(relation: Relation) -> str:
    return relation.id


def _is_live(relation: Relation) -> bool:
    fact = relation.fact
    return not fact.stale and not fact.is_retracted and not fact.is_alias


def _ends_at(relation: Relation, side: EdgeSide) -> tuple[str, ...]:
    if side == "either" or relation.is_symmetric:
        return tuple(dict.fromkeys(relation.ends))
    if side == "subject":
        return (relation.subject,)
    return () if relation.object is None else (relation.object,)


def _is_possible_edge(relation: Relation, names: RelationNames, side: EdgeSide) -> bool:
    return side != "subject" and (names is None or relation.name in names)


def relation_type_of(relation: Relation) -> str:
    return format_relation(relation.name)
