"""Extraction of entities and relations from a memory by a language model, and their entry in the graph."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from recollect.errors import Refused
from recollect.keep.graph.edges import EdgeDraft, state_edge
from recollect.keep.graph.nodes import DESCRIPTION, SOURCE_MEMORY
from recollect.llm.answers import DATA_RULE, MAYBE, SURE, TEXT, ask_with_schema, delimit_text, lists_of
from recollect.llm.port import LanguageModel, ModelRequest
from recollect.model.document import Document
from recollect.model.entity import NAME_LIMIT, UNKNOWN_TYPE, Entity
from recollect.model.fact import ends_of_facts
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.model.similarity import to_snake_case
from recollect.model.trust import trust_in
from recollect.store.change import Change
from recollect.store.node_queries import is_mentioned
from recollect.store.view import View
from recollect.text.fold import fold_case
from recollect.when.period import Time
from recollect.write.entity_edits import edit_entity, find_name_conflict, restore_entity
from recollect.write.entity_refs import AmbiguousName, NamedRef, find, find_or_create, find_unambiguous
from recollect.write.record_statement import EndsBeforeItBegins
from recollect.write.retract import NO_SOURCE, delete_entity

SELF_TYPE, SELF_LABEL = "self", "me"
MIN_CONFIDENCE: Final = 0.7
TYPE_LIMIT = 64
EVIDENCE_LIMIT = 8000
DESCRIPTION_LIMIT = 4000
MAX_ITEMS = 200

SCHEMA = lists_of(
    MAX_ITEMS,
    entities={
        "type": "object",
        "properties": {"type": TEXT, "label": TEXT, "description": MAYBE, "confidence": SURE},
        "required": ["type", "label", "confidence"],
    },
    relationships={
        "type": "object",
        "properties": {
            "fromLabel": TEXT,
            "toLabel": TEXT,
            "type": TEXT,
            "evidence": TEXT,
            "confidence": SURE,
            "occurredAt": MAYBE,
            "validUntil": MAYBE,
        },
        "required": ["fromLabel", "toLabel", "type", "evidence", "confidence"],
    },
)
SYSTEM = f"""You read a memory that an AI companion wrote in the first person, and note the entities it names and how
they are tied to each other.

- An entity has a type in one lower-case word (person, place, topic, preference, goal, health, boundary, tradition,
  insight, emotion or another that fits), a label exactly as the text writes it, and a short description.
- The writer is the entity "{SELF_LABEL}" of type "{SELF_TYPE}". "I", "me" and "my" mean the writer.
- A relationship joins two labels by a type in lower snake_case, such as loves, friend_of, works_at, lives_in.
- Its evidence is copied from the text, word for word. occurredAt and validUntil are dates (2026, 2026-05, 2026-05-14),
  only where the text says so.
- Confidence is between 0 and 1. Leave out whatever the text does not say.

{DATA_RULE}"""


@dataclass(frozen=True, slots=True)
class ExtractedNode:
    """An entity that a text names."""

    type: str
    label: str
    description: str | None
    confidence: float


@dataclass(frozen=True, slots=True)
class ExtractedRelation:
    """A relation between two labels, with the words of the text that state it."""

    subject: str
    object: str
    type: str
    evidence: str
    confidence: float
    occurred_at: str | None = None
    valid_until: str | None = None


@dataclass(frozen=True, slots=True)
class ExtractedGraph:
    """The nodes and relations of a text, and how many items of the answer it does not support."""

    nodes: tuple[ExtractedNode, ...] = ()
    relations: tuple[ExtractedRelation, ...] = ()
    dropped: int = 0

    def __add__(self, other: "ExtractedGraph") -> "ExtractedGraph":
        return ExtractedGraph(self.nodes + other.nodes, self.relations + other.relations, self.dropped + other.dropped)


def extract_graph(model: LanguageModel, text: str) -> ExtractedGraph:
    """Extract nodes and relations with a model, as far as the text supports them."""
    answer = ask_with_schema(model, ModelRequest(SYSTEM, delimit_text(text, "MEMORY"), SCHEMA))
    return ground_answer(answer, text)


def ground_answer(answer: Mapping[str, Any], text: str) -> ExtractedGraph:
    """The items of an answer that the text contains and that are confident enough; the rest is counted."""
    words = normalize_quote(text)
    nodes = [node for item in answer["entities"] if (node := _ground_node(item, words))]
    relations = [relation for item in answer["relationships"] if (relation := _ground_relation(item, words))]
    total = len(answer["entities"]) + len(answer["relationships"])
    return ExtractedGraph(tuple(nodes), tuple(relations), total - len(nodes) - len(relations))


def normalize_quote(text: str) -> str:
    """A text with whitespace collapsed and case folded."""
    return fold_case(text)


def _ground_node(item: Mapping[str, Any], words: str) -> ExtractedNode | None:
    type_, label = _clean_type(item["type"]), _clean_label(item["label"])
    if label is not None and is_self_label(label):
        return ExtractedNode(SELF_TYPE, SELF_LABEL, None, item["confidence"])
    is_in_text = label is not None and normalize_quote(label) in words
    if type_ in (None, SELF_TYPE) or label is None or not is_in_text or item["confidence"] < MIN_CONFIDENCE:
        return None
    described = " ".join((item.get("description") or "").split())[:DESCRIPTION_LIMIT]
    return ExtractedNode(
        str(type_), label, described if described.isprintable() and described else None, item["confidence"]
    )


def _ground_relation(item: Mapping[str, Any], words: str) -> ExtractedRelation | None:
    ends, type_ = [_clean_label(item["fromLabel"]), _clean_label(item["toLabel"])], _clean_type(item["type"])
    evidence = item["evidence"].strip()
    is_in_text = bool(evidence) and len(evidence) <= EVIDENCE_LIMIT and normalize_quote(evidence) in words
    if None in ends or type_ is None or not is_in_text or item["confidence"] < MIN_CONFIDENCE:
        return None
    subject, object_ = (SELF_LABEL if is_self_label(str(end)) else str(end) for end in ends)
    if fold(subject) == fold(object_):
        return None
    return ExtractedRelation(
        subject, object_, type_, evidence, item["confidence"], item.get("occurredAt"), item.get("validUntil")
    )


def is_self_label(label: str) -> bool:
    return fold(label) in (SELF_LABEL, "i", "myself")


def _clean_type(text: str) -> str | None:
    found = to_snake_case(text)
    found = "organization" if found == "company" else found
    return found if found.isprintable() and 0 < len(found) <= TYPE_LIMIT else None


def _clean_label(text: str) -> str | None:
    found = " ".join(text.split())
    return found if found.isprintable() and 0 < len(found) <= NAME_LIMIT else None


EXTRACTED = "extracted"


class ExtractionResult(NamedTuple):
    """How many nodes and edges an extraction created, and how many of its items were dropped."""

    nodes: int
    edges: int
    dropped: int


def write_extraction(change: Change, memory: Document, found: ExtractedGraph, reader: str) -> ExtractionResult:
    """Write the extracted nodes and edges to the graph, with the memory as their source."""
    with change.with_trust(trust_in(memory.properties)):
        return _write_graph(change, memory, found, reader)


def _write_graph(change: Change, memory: Document, found: ExtractedGraph, reader: str) -> ExtractionResult:
    dropped = found.dropped
    entities: dict[str, Entity] = {}
    created = 0
    for node in found.nodes:
        entity, is_new = _upsert_node(change, memory, node)
        created += is_new
        if entity is None:
            dropped += 1
        else:
            entities.setdefault(fold(node.label), entity)
    edges = 0
    for relation in found.relations:
        is_written, is_new = _write_edge(change, memory, relation, entities, reader)
        dropped += not is_written
        edges += is_new
    return ExtractionResult(created, edges, dropped)


def _upsert_node(change: Change, memory: Document, node: ExtractedNode) -> tuple[Entity | None, bool]:
    """The entity with exactly this label or alias, or a new provisional one; and whether it is new."""
    try:
        known = find(change, NamedRef(node.label, node.type))
    except AmbiguousName:
        return None, False
    if known is not None:
        return _set_missing_type(change, known, node.type), False
    properties = {SOURCE_MEMORY: memory.key} | ({DESCRIPTION: node.description} if node.description else {})
    created = find_or_create(change, NamedRef(node.label, node.type, (), properties, reason=EXTRACTED)).entity
    is_self = node.type == SELF_TYPE
    entity = change.put_entity(created._replace(provisional=not is_self, confidence=node.confidence))
    if not is_self:
        change.put_mention(memory.id, entity.id)
    return entity, True


def _set_missing_type(change: Change, known: Entity, type_: str) -> Entity:
    """Set the type of an existing entity that has none."""
    return edit_entity(change, known, known._replace(type=type_)) if known.type == UNKNOWN_TYPE else known


def _write_edge(
    change: Change, memory: Document, relation: ExtractedRelation, nodes: Mapping[str, Entity], reader: str
) -> tuple[bool, bool]:
    """Whether a relation could be written, and whether it created an edge."""
    subject, object_ = (_resolve_end(change, label, nodes) for label in (relation.subject, relation.object))
    if subject is None or object_ is None or subject.id == object_.id:
        return False, False
    draft = EdgeDraft(
        subject.id,
        object_.id,
        relation.type,
        weight=relation.confidence,
        evidence=relation.evidence,
        valid_from=_parse_time(change, relation.occurred_at),
        valid_until=_parse_time(change, relation.valid_until),
        confidence=relation.confidence,
        source=memory,
        quote=relation.evidence,
        extracted_by=reader,
    )
    if _is_already_asserted(change, memory, draft):
        return True, False
    try:
        return True, state_edge(change, draft).is_new
    except EndsBeforeItBegins:
        return False, False


def _resolve_end(change: Change, label: str, nodes: Mapping[str, Entity]) -> Entity | None:
    """The entity of the answer with this label, else the known one with exactly this name; the writer is created."""
    if fold(label) in nodes:
        return nodes[fold(label)]
    if label == SELF_LABEL:
        return find_or_create(change, NamedRef(SELF_LABEL, SELF_TYPE, reason=EXTRACTED)).entity
    return find_unambiguous(change, label)


def _parse_time(change: Change, text: str | None) -> Time | None:
    """The parsed time; a date that cannot be parsed is dropped, its relation is not."""
    try:
        return change.world.read(text) if text else None
    except Refused:
        return None


def _is_already_asserted(view: View, memory: Document, draft: EdgeDraft) -> bool:
    """Whether this memory already asserts the same relation in the same words."""
    words = normalize_quote(draft.quote or "")
    facts = {
        each.fact
        for each in view.assertions_from(memory.id)
        if normalize_quote(each.quote or each.evidence or "") == words
    }
    asserted = (view.fact(each) for each in facts)
    wanted = (draft.subject, draft.type, draft.object)
    return any(fact is not None and (fact.subject, fact.predicate, fact.object) == wanted for fact in asserted)


def drop_unsupported_nodes(change: Change, entities: Iterable[EntityId]) -> None:
    """Delete provisional nodes that extraction created and that no document or fact supports any more."""
    for id_ in sorted(set(entities)):
        entity = change.entity(id_)
        if entity is None or not entity.is_live or not entity.provisional or entity.reason != EXTRACTED:
            continue
        if not is_mentioned(change, id_) and not _has_live_fact(change, id_):
            delete_entity(change, entity, NO_SOURCE)


def _has_live_fact(view: View, entity: EntityId) -> bool:
    return any(not fact.is_retracted for fact in view.facts_touching(entity))


def restore_supported_nodes(change: Change, memory: Document, then: View) -> None:
    """Restore the nodes that were dropped with a memory, now that it is restored."""
    for entity in change.entities(entities_of_memory(then, memory)).values():
        if entity.deleted == NO_SOURCE and find_name_conflict(change, entity._replace(deleted=None)) is None:
            restore_entity(change, entity)
            change.put_mention(memory.id, entity.id)


def entities_of_memory(then: View, memory: Document) -> set[EntityId]:
    """The entities that a memory mentions, and the ends of the facts it asserts."""
    facts = [then.fact(each.fact) for each in then.assertions_from(memory.id)]
    return ends_of_facts(fact for fact in facts if fact is not None) | set(then.mentioned(memory.id))
