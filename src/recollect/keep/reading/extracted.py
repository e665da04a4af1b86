"""Nodes and edges that come out of a memory, and what becomes of them when the memory no longer says so."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from recollect.errors import Refused
from recollect.keep.graph.edges import EdgeDraft, state_edge
from recollect.keep.graph.nodes import DESCRIPTION, SOURCE_MEMORY
from recollect.keep.reading.reader import ME, SELF, Found, Named, Tied, loose
from recollect.model.document import Document
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.period import Time
from recollect.write.edit import edit_entity, holder_of, restore_entity
from recollect.write.ends import AmbiguousName, End, find, find_or_make
from recollect.write.record import EndsBeforeItBegins
from recollect.write.retract import delete_entity

EXTRACTED = "extracted"
NO_SOURCE = "no source left"


class Written(NamedTuple):
    """How many nodes and edges a reading made, and how many of its items came to nothing."""

    nodes: int
    edges: int
    dropped: int


def write_found(change: Change, memory: Document, found: Found, reader: str) -> Written:
    """Enter what was read in a memory into the graph, each thing with the memory as its source."""
    dropped = found.dropped
    nodes: dict[str, Entity] = {}
    made = 0
    for named in found.named:
        entity, is_new = _node(change, memory, named)
        made += is_new
        if entity is None:
            dropped += 1
        else:
            nodes.setdefault(fold(named.label), entity)
    edges = 0
    for tied in found.tied:
        is_written, is_new = _edge(change, memory, tied, nodes, reader)
        dropped += not is_written
        edges += is_new
    return Written(made, edges, dropped)


def _node(change: Change, memory: Document, named: Named) -> tuple[Entity | None, bool]:
    """The entity by exactly this label or alias, or a new and provisional one."""
    try:
        known = find(change, End(named.label, named.type))
    except AmbiguousName:
        return None, False
    if known is not None:
        return _typed(change, known, named.type), False
    properties = {SOURCE_MEMORY: memory.key} | ({DESCRIPTION: named.description} if named.description else {})
    made = find_or_make(change, End(named.label, named.type, (), properties, reason=EXTRACTED)).entity
    is_self = named.type == SELF
    entity = change.put_entity(made._replace(provisional=not is_self, confidence=named.confidence))
    if not is_self:
        change.put_mention(memory.id, entity.id)
    return entity, True


def _typed(change: Change, known: Entity, type_: str) -> Entity:
    """A known entity, with the type that nobody gave it before."""
    return edit_entity(change, known, known._replace(type=type_)) if known.type == UNKNOWN_TYPE else known


def _edge(change: Change, memory: Document, tied: Tied, nodes: Mapping[str, Entity], reader: str) -> tuple[bool, bool]:
    """Whether a tie could be written, and whether it made a new edge."""
    subject, object_ = (_end(change, label, nodes) for label in (tied.subject, tied.object))
    if subject is None or object_ is None or subject.id == object_.id:
        return False, False
    draft = EdgeDraft(
        subject.id,
        object_.id,
        tied.type,
        weight=tied.confidence,
        evidence=tied.evidence,
        valid_from=_time(change, tied.occurred_at),
        valid_until=_time(change, tied.valid_until),
        confidence=tied.confidence,
        source=memory,
        quote=tied.evidence,
        extracted_by=reader,
    )
    if _is_said(change, memory, draft):
        return True, False
    try:
        return True, state_edge(change, draft).is_new
    except EndsBeforeItBegins:
        return False, False


def _end(change: Change, label: str, nodes: Mapping[str, Entity]) -> Entity | None:
    """One of the entities of the answer, else one that is known by exactly this name; the writer is always there."""
    if fold(label) in nodes:
        return nodes[fold(label)]
    if label == ME:
        return find_or_make(change, End(ME, SELF, reason=EXTRACTED)).entity
    try:
        return find(change, End(label))
    except AmbiguousName:
        return None


def _time(change: Change, text: str | None) -> Time | None:
    """A time that can be read here; a tie does not fall with a date that cannot."""
    try:
        return change.world.read(text) if text else None
    except Refused:
        return None


def _is_said(view: View, memory: Document, draft: EdgeDraft) -> bool:
    """Whether this memory is a source of the same tie already, in the same words."""
    words = loose(draft.quote or "")
    facts = {each.fact for each in view.assertions_from(memory.id) if loose(each.quote or each.evidence or "") == words}
    held = (view.fact(each) for each in facts)
    wanted = (draft.subject, draft.type, draft.object)
    return any(fact is not None and (fact.subject, fact.predicate, fact.object) == wanted for fact in held)


def drop_unsupported(change: Change, entities: Iterable[EntityId]) -> None:
    """Take out, softly, provisional nodes that only reading made and that nothing speaks for any more."""
    for id_ in sorted(set(entities)):
        entity = change.entity(id_)
        if entity is None or not entity.is_live or not entity.provisional or entity.reason != EXTRACTED:
            continue
        if not change.rows("documents_mentioning", entity=id_) and not _has_live_fact(change, id_):
            delete_entity(change, entity, NO_SOURCE)


def _has_live_fact(view: View, entity: EntityId) -> bool:
    return any(not fact.is_retracted for fact in view.facts_touching(entity))


def restore_supported(change: Change, memory: Document, then: View) -> None:
    """Bring back the nodes that left with a memory, now that it is there again."""
    for entity in change.entities(spoken_of_in(then, memory)).values():
        if entity.deleted == NO_SOURCE and holder_of(change, entity._replace(deleted=None)) is None:
            restore_entity(change, entity)
            change.put_mention(memory.id, entity.id)


def spoken_of_in(then: View, memory: Document) -> set[EntityId]:
    """The entities that a memory named, and those at the ends of what it said."""
    facts = [then.fact(each.fact) for each in then.assertions_from(memory.id)]
    return ends_of(fact for fact in facts if fact is not None) | set(then.mentioned(memory.id))


def ends_of(facts: Iterable[Fact]) -> set[EntityId]:
    """The entities that facts join."""
    return {end for fact in facts for end in (fact.subject, fact.object) if end is not None}
