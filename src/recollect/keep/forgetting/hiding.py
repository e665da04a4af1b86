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
from recollect.resolve.name_finder import find_names
from recollect.search.index_terms import index_forms
from recollect.store.change import Change
from recollect.store.fact_index import FactIndex, unindexed_facts
from recollect.write.fact_edits import declare_wrong
from recollect.write.retract import retract_document
from recollect.write.tombstones import HIDDEN

MOST_NAMING = 2_000
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
    """Hide an entity with all facts about it, and those of others that name it in their words."""
    if not entity.is_live:
        raise AlreadyHidden("entity")
    facts = sum(not fact.is_retracted for fact in change.facts_touching(entity.id))
    naming = _facts_naming(change, entity)
    for fact in naming:
        hide_fact(change, fact)
    delete_world_entity(change, entity, HIDDEN)
    return ForgetCounts(facts=facts + len(naming), entities=1)


def _facts_naming(change: Change, entity: Entity) -> list[Fact]:
    index, found = FactIndex(change), set(unindexed_facts(change))
    for name in change.names_of(entity.id):
        tokens = list(index_forms(name.spelling).values())
        found.update(index.containing_all(tokens, MOST_NAMING) if tokens else ())
    others = (row for row in change.fact_rows(found) if entity.id not in (row.fact.subject, row.fact.object))
    return [row.fact for row in others if not row.fact.is_retracted and _names(change, row.text, entity)]


def _names(change: Change, text: str, entity: Entity) -> bool:
    return any(span.entity == entity.id for span in find_names(change, text))


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
