"""Hiding a fact, an entity or a document on every surface; undoing the transaction shows everything again."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from recollect.errors import Conflict
from recollect.ingest.lore.deletion import delete_source, delete_world_entity
from recollect.keep import identity_files as identity
from recollect.keep.memories.memory_store import load_memory, remove_memory
from recollect.keep.memory_index.stored_memory import is_memory
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import HIDDEN_SINCE, Fact
from recollect.model.ids import FactId
from recollect.store.change import Change
from recollect.write.fact_edits import declare_wrong
from recollect.write.retract import retract_document
from recollect.write.tombstones import HIDDEN

LORE_KINDS = ("lore_source", "encounter")


@dataclass(frozen=True, slots=True)
class ForgetCounts:
    """How many facts, documents and entities are hidden or erased, or lose a source."""

    facts: int = 0
    documents: int = 0
    entities: int = 0


class AlreadyHidden(Conflict):
    code = "already_hidden"

    def __init__(self, what: Literal["fact", "entity", "document"]) -> None:
        super().__init__(f"this {what} is hidden or deleted already")


def hide_fact(change: Change, fact: Fact) -> ForgetCounts:
    """Hide a fact; its sources stay, and do not bring it back when they are taken in again."""
    if fact.is_hidden:
        raise AlreadyHidden("fact")
    declare_wrong(change, fact, None, {HIDDEN_SINCE: change.now})
    return ForgetCounts(facts=1)


def hide_entity(change: Change, entity: Entity) -> ForgetCounts:
    """Hide an entity with all facts about it."""
    if not entity.is_live:
        raise AlreadyHidden("entity")
    facts = sum(not fact.is_retracted for fact in change.facts_touching(entity.id))
    delete_world_entity(change, entity, HIDDEN)
    return ForgetCounts(facts=facts, entities=1)


def hide_document(change: Change, document: Document) -> ForgetCounts:
    """Hide a document and withdraw its assertions; a fact that no other source states is hidden with it."""
    if document.deleted:
        raise AlreadyHidden("document")
    facts = {assertion.fact for assertion in change.assertions_from(document.id)}
    _delete_document(change, document)
    _hide_unsupported(change, facts)
    return ForgetCounts(facts=len(facts), documents=1)


def _delete_document(change: Change, document: Document) -> None:
    if document.kind == identity.KIND:
        identity.remove_file(change, document, HIDDEN)
    elif is_memory(document):
        remove_memory(change, load_memory(change, document), HIDDEN)
    elif document.kind in LORE_KINDS:
        delete_source(change, document, HIDDEN)
    else:
        retract_document(change, document, HIDDEN)


def _hide_unsupported(change: Change, facts: Iterable[FactId]) -> None:
    """Mark facts left without any source, so that no list of retracted facts repeats the words of the document."""
    for id_ in sorted(facts):
        fact = change.fact(id_)
        if fact is not None and fact.is_retracted and fact.source_count == 0:
            change.put_fact(fact._replace(attributes={**fact.attributes, HIDDEN_SINCE: change.now}))
