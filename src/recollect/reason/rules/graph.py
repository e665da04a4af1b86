"""The live graph as rules see it: nodes, edges, and when they were."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Literal

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import KNOWN_LABELS, kind_of, read_label, say_label, stored_types
from recollect.model.names import fold
from recollect.model.relations import read_relation, relation_kinds, say_relation, spellings_of
from recollect.model.wording import snake
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation, read_fact
from recollect.reason.rules.values import Node, node_of
from recollect.store.rows import entity_of, fact_of
from recollect.store.view import View

Side = Literal["subject", "object", "either"]
Names = frozenset[str] | None

PAGE = 500
FEW = 4_000
MOST_KEPT = 20_000
TOLD_OF = "told_of"
PSEUDO_LABELS = frozenset({"literal", "time", "nothing"})
EVERY_ENTITY = "entity"


def pseudo_label(relation: Relation) -> str:
    """What stands where a relation has no entity as its object."""
    if relation.literal is None:
        return "nothing"
    kind = relation_kinds().get(relation.name)
    return "time" if kind is not None and kind.takes == "time" else "literal"


class Graph:
    """Index probes on one view, each answer kept while there is room."""

    def __init__(self, view: View, lore: Lore | None = None) -> None:
        self.view = view
        self.lore = lore or Lore(view)
        self._edges: dict[tuple[str, Names, Side], list[Relation]] = {}
        self._labels: dict[tuple[str, str], frozenset[str]] = {}

    # Nodes

    def nodes(self, labels: Sequence[Sequence[str]]) -> Iterator[list[Node]]:
        """Pages of entities that may carry one label of each group; `is_labelled` says if they do."""
        types = self.types_of(labels)
        if types is not None and not types:
            return
        for page in self._entity_pages(types):
            yield [node_of(entity) for entity in page]

    def types_of(self, labels: Sequence[Sequence[str]]) -> frozenset[str] | None:
        """The stored types of entities that can meet all groups; none stands for every type."""
        found: frozenset[str] | None = None
        for group in labels:
            possible = self._types_of_group(group)
            if possible is not None:
                found = possible if found is None else found & possible
        return found

    def _types_of_group(self, group: Sequence[str]) -> frozenset[str] | None:
        """The stored types behind labels; a word that is no type may be anybody's subtype."""
        found: set[str] = set()
        for word in map(snake, group):
            kind = read_label(word)
            if kind.type not in KNOWN_LABELS and word not in self._types_used:
                return None
            found |= stored_types(kind.type)
        return frozenset(found)

    @cached_property
    def _types_used(self) -> frozenset[str]:
        return frozenset(row[0] for row in self.view.rows("rule_types_used"))

    def _entity_pages(self, types: frozenset[str] | None) -> Iterator[list[Entity]]:
        if types is not None:
            few = self.view.rows("rule_entities_few", types=sorted(types), limit=FEW + 1)
            if len(few) <= FEW:
                found = sorted((entity_of(row) for row in few), key=lambda entity: entity.id)
                yield from (self._kept(found[at : at + PAGE]) for at in range(0, len(found), PAGE))
                return
        after = ""
        while True:
            rows = self.view.rows("rule_entities_after", after=after, limit=PAGE)
            page = [entity_of(row) for row in rows]
            yield self._kept([each for each in page if types is None or each.type in types])
            if len(page) < PAGE:
                return
            after = page[-1].id

    def _kept(self, entities: list[Entity]) -> list[Entity]:
        self.lore.keep(*entities)
        return entities

    def count_nodes(self, labels: Sequence[Sequence[str]]) -> int:
        """About how many entities there are to begin with; beyond a few, simply many."""
        types = self.types_of(labels)
        if types is None:
            return 10 * FEW
        return len(self.view.rows("rule_types_counted", types=sorted(types), limit=FEW)) if types else 0

    def named(self, name: str) -> list[Node]:
        """Entities of exactly this name."""
        ids = {each.entity for each in self.view.named(fold(name)) if each.kind == "name"}
        return [node_of(entity) for entity in self.lore.entities(sorted(ids)).values()]

    def node(self, entity: EntityId) -> Node | None:
        found = self.lore.entity(entity)
        return None if found is None else node_of(found)

    def labels(self, node: Node) -> list[str]:
        """Its label, its subtype if any, and Entity."""
        if node.entity is None:
            return [say_label(pseudo_label(node.relation))] if node.relation is not None else []
        kind = kind_of(node.entity)
        own = [say_label(kind.type)]
        return [*own, *([say_label(snake(kind.subtype))] if kind.subtype else []), "Entity"]

    def is_labelled(self, node: Node, labels: Sequence[Sequence[str]]) -> bool:
        """Whether the node carries one label of each group."""
        if not labels:
            return True
        carried = self._carried(node)
        return all(any(_one_label(label) in carried for label in group) for group in labels)

    def _carried(self, node: Node) -> frozenset[str]:
        """The labels of a node, as they are compared."""
        if node.entity is None:
            return frozenset(snake(label) for label in self.labels(node))
        key = node.entity.type, str(node.entity.properties.get("subtype"))
        held = self._labels.get(key)
        if held is None:
            held = self._labels[key] = frozenset(snake(label) for label in self.labels(node))
        return held

    # Edges

    def edges_at(self, node: Node, names: Names, side: Side) -> list[Relation]:
        """The live relations that have this node at that end."""
        if node.entity is None:
            return [node.relation] if node.relation is not None and _may_be(node.relation, names, side) else []
        held = self._edges.get((node.key, names, side))
        if held is None:
            self.warm([node], names, side)
            held = self._edges[node.key, names, side]
        return held

    def warm(self, nodes: Iterable[Node], names: Names, side: Side) -> None:
        """Fetch the relations of many nodes at once."""
        ids = {EntityId(node.key) for node in nodes if node.entity is not None}
        unknown = [each for each in ids if (each, names, side) not in self._edges]
        if not unknown:
            return
        if len(self._edges) + len(unknown) > MOST_KEPT:
            self._edges.clear()
            unknown = list(ids)
        found: dict[str, list[Relation]] = {each: [] for each in unknown}
        for relation in self.lore.relations_of(unknown, names, side):
            if relation.name != TOLD_OF:
                for end in _ends_at(relation, side):
                    if end in found:
                        found[end].append(relation)
        self._edges |= {(each, names, side): sorted(found[each], key=_by_id) for each in unknown}

    def edges(self, names: Names) -> Iterator[list[Relation]]:
        """Pages of all live relations of these names."""
        if names is not None:
            predicates = sorted(each for name in names for each in spellings_of(name).all)
            few = self.view.rows("rule_facts_few", predicates=predicates, limit=FEW + 1)
            if len(few) <= FEW:
                found = sorted((read_fact(fact_of(row), self.lore.symmetric) for row in few), key=_by_id)
                yield from (self.lore.shown(found[at : at + PAGE]) for at in range(0, len(found), PAGE))
                return
        after = ""
        while True:
            rows = self.view.rows("rule_facts_after", after=after, limit=PAGE)
            page = [read_fact(fact_of(row), self.lore.symmetric) for row in rows]
            wanted = [each for each in page if each.name != TOLD_OF and (names is None or each.name in names)]
            yield self.lore.shown(each for each in wanted if _is_live(each))
            if len(page) < PAGE:
                return
            after = page[-1].id

    def count_edges(self, names: Names) -> int:
        if names is None:
            return 20 * FEW
        predicates = sorted(each for name in names for each in spellings_of(name).all)
        return len(self.view.rows("rule_predicates_counted", predicates=predicates, limit=FEW))

    def far_end(self, relation: Relation, near: Node) -> Node | None:
        """The node at the other end."""
        if relation.object is None:
            return (
                Node(f"{relation.id}.object", None, relation)
                if near.entity is not None
                else self.node(relation.subject)
            )
        other = relation.other_end(EntityId(near.key))
        return None if other is None else self.node(other)

    def start_node(self, relation: Relation) -> Node | None:
        return self.node(relation.subject)

    def end_node(self, relation: Relation) -> Node | None:
        return (
            self.node(relation.object) if relation.object is not None else Node(f"{relation.id}.object", None, relation)
        )

    # What nobody uses

    def is_label_used(self, label: str) -> bool:
        word = snake(label)
        if word in PSEUDO_LABELS | {EVERY_ENTITY}:
            return True
        types = self._types_of_group([label])
        if types is not None and read_label(word).subtype is None:
            return bool(types & self._types_used)
        return any(self.is_labelled(node, [[label]]) for page in self.nodes([[label]]) for node in page)

    def is_relation_used(self, name: str) -> bool:
        return self.count_edges(frozenset({read_relation(name).name})) > 0


@lru_cache(1000)
def _one_label(label: str) -> str:
    """A label as nodes carry it: the finer word, or the known label it is the same as."""
    kind = read_label(label)
    return kind.subtype or kind.type


def _by_id(relation: Relation) -> str:
    return relation.id


def _is_live(relation: Relation) -> bool:
    fact = relation.fact
    return not fact.stale and not fact.is_retracted and not fact.is_alias


def _ends_at(relation: Relation, side: Side) -> tuple[str, ...]:
    if side == "either" or relation.is_symmetric:
        return tuple(dict.fromkeys(relation.ends))
    if side == "subject":
        return (relation.subject,)
    return () if relation.object is None else (relation.object,)


def _may_be(relation: Relation, names: Names, side: Side) -> bool:
    return side != "subject" and (names is None or relation.name in names)


def type_of(relation: Relation) -> str:
    return say_relation(relation.name)
