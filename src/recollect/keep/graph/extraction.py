"""Extraction of entities and relations from a memory by a language model, and their entry in the graph."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from recollect.errors import Refused
from recollect.keep.graph.edges import EdgeDraft, state_edge
from recollect.keep.graph.nodes import DESCRIPTION, SOURCE_MEMORY
from recollect.llm.answers import ask_with_schema
from recollect.llm.port import LanguageModel, ModelRequest
from recollect.llm.prompts import DATA_RULE, MAYBE, SURE, TEXT, delimit_text, lists_of
from recollect.model.document import Document
from recollect.model.entity import NAME_LIMIT, UNKNOWN_TYPE, Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.model.similarity import to_snake_case
from recollect.store.change import Change
from recollect.store.view import View
from recollect.text.fold import fold_case
from recollect.when.period import Time
from recollect.write.ends import AmbiguousName, End, find, find_or_create
from recollect.write.entity_edits import edit_entity, find_name_conflict, restore_entity
from recollect.write.record import EndsBeforeItBegins
from recollect.write.retract import delete_entity

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
    """A tie between two labels, in the words of the text."""

    subject: str
    object: str
    type: str
    evidence: str
    confidence: float
    occurred_at: str | None = None
    valid_until: str | None = None


@dataclass(frozen=True, slots=True)
class ExtractedGraph:
    """What a text says, and how many things a model said of it that it does not say."""

    nodes: tuple[ExtractedNode, ...] = ()
    relations: tuple[ExtractedRelation, ...] = ()
    dropped: int = 0

    def __add__(self, other: "ExtractedGraph") -> "ExtractedGraph":
        return ExtractedGraph(self.nodes + other.nodes, self.relations + other.relations, self.dropped + other.dropped)


def extract_graph(model: LanguageModel, text: str) -> ExtractedGraph:
    """What a model finds in a text, as far as the text bears it out."""
    answer = ask_with_schema(model, ModelRequest(SYSTEM, delimit_text(text, "MEMORY"), SCHEMA))
    return ground_answer(answer, text)


def ground_answer(answer: Mapping[str, Any], text: str) -> ExtractedGraph:
    """The items of an answer that stand in the text and are sure enough; the rest is counted."""
    words = normalize_quote(text)
    named = [each for item in answer["entities"] if (each := _ground_node(item, words))]
    tied = [tie for item in answer["relationships"] if (tie := _ground_relation(item, words))]
    said = len(answer["entities"]) + len(answer["relationships"])
    return ExtractedGraph(tuple(named), tuple(tied), said - len(named) - len(tied))


def normalize_quote(text: str) -> str:
    """A text with its spaces folded, its case ignored."""
    return fold_case(text)


def _ground_node(item: Mapping[str, Any], words: str) -> ExtractedNode | None:
    type_, label = _clean_type(item["type"]), _clean_label(item["label"])
    if label is not None and is_self_label(label):
        return ExtractedNode(SELF_TYPE, SELF_LABEL, None, item["confidence"])
    is_said = label is not None and normalize_quote(label) in words
    if type_ in (None, SELF_TYPE) or label is None or not is_said or item["confidence"] < MIN_CONFIDENCE:
        return None
    described = " ".join((item.get("description") or "").split())[:DESCRIPTION_LIMIT]
    return ExtractedNode(
        str(type_), label, described if described.isprintable() and described else None, item["confidence"]
    )


def _ground_relation(item: Mapping[str, Any], words: str) -> ExtractedRelation | None:
    ends, type_ = [_clean_label(item["fromLabel"]), _clean_label(item["toLabel"])], _clean_type(item["type"])
    evidence = item["evidence"].strip()
    is_said = bool(evidence) and len(evidence) <= EVIDENCE_LIMIT and normalize_quote(evidence) in words
    if None in ends or type_ is None or not is_said or item["confidence"] < MIN_CONFIDENCE:
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
NO_SOURCE = "no source left"


class ExtractionResult(NamedTuple):
    """How many nodes and edges a reading made, and how many of its items came to nothing."""

    nodes: int
    edges: int
    dropped: int


def write_extraction(change: Change, memory: Document, found: ExtractedGraph, reader: str) -> ExtractionResult:
    """Enter what was read in a memory into the graph, each thing with the memory as its source."""
    dropped = found.dropped
    nodes: dict[str, Entity] = {}
    made = 0
    for named in found.nodes:
        entity, is_new = _upsert_node(change, memory, named)
        made += is_new
        if entity is None:
            dropped += 1
        else:
            nodes.setdefault(fold(named.label), entity)
    edges = 0
    for tied in found.relations:
        is_written, is_new = _write_edge(change, memory, tied, nodes, reader)
        dropped += not is_written
        edges += is_new
    return ExtractionResult(made, edges, dropped)


def _upsert_node(change: Change, memory: Document, named: ExtractedNode) -> tuple[Entity | None, bool]:
    """The entity by exactly this label or alias, or a new and provisional one."""
    try:
        known = find(change, End(named.label, named.type))
    except AmbiguousName:
        return None, False
    if known is not None:
        return _set_missing_type(change, known, named.type), False
    properties = {SOURCE_MEMORY: memory.key} | ({DESCRIPTION: named.description} if named.description else {})
    made = find_or_create(change, End(named.label, named.type, (), properties, reason=EXTRACTED)).entity
    is_self = named.type == SELF_TYPE
    entity = change.put_entity(made._replace(provisional=not is_self, confidence=named.confidence))
    if not is_self:
        change.put_mention(memory.id, entity.id)
    return entity, True


def _set_missing_type(change: Change, known: Entity, type_: str) -> Entity:
    """A known entity, with the type that nobody gave it before."""
    return edit_entity(change, known, known._replace(type=type_)) if known.type == UNKNOWN_TYPE else known


def _write_edge(
    change: Change, memory: Document, tied: ExtractedRelation, nodes: Mapping[str, Entity], reader: str
) -> tuple[bool, bool]:
    """Whether a tie could be written, and whether it made a new edge."""
    subject, object_ = (_resolve_end(change, label, nodes) for label in (tied.subject, tied.object))
    if subject is None or object_ is None or subject.id == object_.id:
        return False, False
    draft = EdgeDraft(
        subject.id,
        object_.id,
        tied.type,
        weight=tied.confidence,
        evidence=tied.evidence,
        valid_from=_parse_time(change, tied.occurred_at),
        valid_until=_parse_time(change, tied.valid_until),
        confidence=tied.confidence,
        source=memory,
        quote=tied.evidence,
        extracted_by=reader,
    )
    if _is_already_asserted(change, memory, draft):
        return True, False
    try:
        return True, state_edge(change, draft).is_new
    except EndsBeforeItBegins:
        return False, False


def _resolve_end(change: Change, label: str, nodes: Mapping[str, Entity]) -> Entity | None:
    """One of the entities of the answer, else one that is known by exactly this name; the writer is always there."""
    if fold(label) in nodes:
        return nodes[fold(label)]
    if label == SELF_LABEL:
        return find_or_create(change, End(SELF_LABEL, SELF_TYPE, reason=EXTRACTED)).entity
    try:
        return find(change, End(label))
    except AmbiguousName:
        return None


def _parse_time(change: Change, text: str | None) -> Time | None:
    """A time that can be read here; a tie does not fall with a date that cannot."""
    try:
        return change.world.read(text) if text else None
    except Refused:
        return None


def _is_already_asserted(view: View, memory: Document, draft: EdgeDraft) -> bool:
    """Whether this memory is a source of the same tie already, in the same words."""
    words = normalize_quote(draft.quote or "")
    facts = {
        each.fact
        for each in view.assertions_from(memory.id)
        if normalize_quote(each.quote or each.evidence or "") == words
    }
    held = (view.fact(each) for each in facts)
    wanted = (draft.subject, draft.type, draft.object)
    return any(fact is not None and (fact.subject, fact.predicate, fact.object) == wanted for fact in held)


def drop_unsupported_nodes(change: Change, entities: Iterable[EntityId]) -> None:
    """Take out, softly, provisional nodes that only reading made and that nothing speaks for any more."""
    for id_ in sorted(set(entities)):
        entity = change.entity(id_)
        if entity is None or not entity.is_live or not entity.provisional or entity.reason != EXTRACTED:
            continue
        if not change.rows("documents_mentioning", entity=id_) and not _has_live_fact(change, id_):
            delete_entity(change, entity, NO_SOURCE)


def _has_live_fact(view: View, entity: EntityId) -> bool:
    return any(not fact.is_retracted for fact in view.facts_touching(entity))


def restore_supported_nodes(change: Change, memory: Document, then: View) -> None:
    """Bring back the nodes that left with a memory, now that it is there again."""
    for entity in change.entities(entities_of_memory(then, memory)).values():
        if entity.deleted == NO_SOURCE and find_name_conflict(change, entity._replace(deleted=None)) is None:
            restore_entity(change, entity)
            change.put_mention(memory.id, entity.id)


def entities_of_memory(then: View, memory: Document) -> set[EntityId]:
    """The entities that a memory named, and those at the ends of what it said."""
    facts = [then.fact(each.fact) for each in then.assertions_from(memory.id)]
    return entities_of_facts(fact for fact in facts if fact is not None) | set(then.mentioned(memory.id))


def entities_of_facts(facts: Iterable[Fact]) -> set[EntityId]:
    """The entities that facts join."""
    return {end for fact in facts for end in (fact.subject, fact.object) if end is not None}
