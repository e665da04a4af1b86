"""Soft deletion of entities, relations and sources, and their restoration."""

from collections.abc import Iterable
from typing import NamedTuple

from recollect.errors import Conflict
from recollect.ingest.lore.lore_errors import BadStatement
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId, format_entity_id
from recollect.store.change import Change
from recollect.store.ingest_queries import chunks_ended_by, facts_withdrawn_by, reopen_rows
from recollect.store.tables import ASSERTION, MENTION, TOLD
from recollect.store.write_queries import end_hearsay, hearsay_at, hearsay_in
from recollect.write.entity_edits import find_name_conflict, restore_entity
from recollect.write.record_statement import sum_assertions
from recollect.write.retract import delete_entity, retract_document, retract_fact
from recollect.write.slot_conflicts import resettle


class DeletionCounts(NamedTuple):
    """How many relations and assertions a deletion or restoration changed."""

    relations: int = 0
    assertions: int = 0


class RestoredNameTaken(Conflict):
    code = "CONFLICT"

    def __init__(self, name: str, by: EntityId) -> None:
        super().__init__(
            f"{name!r} is the name of another entity by now ({format_entity_id(by)}); rename one of them first"
        )


def delete_world_entity(change: Change, entity: Entity, reason: str) -> DeletionCounts | None:
    """Delete an entity; its relations leave every read."""
    if not entity.is_live:
        return None
    hidden = _count_visible_relations(change, entity)
    for told in hearsay_at(change, entity.id):
        end_hearsay(change, told)
    delete_entity(change, entity, reason)
    return DeletionCounts(hidden)


def restore_world_entity(change: Change, entity: Entity) -> DeletionCounts | None:
    """Restore a deleted entity under the names it had."""
    if entity.is_live:
        return None
    if entity.merged_into is not None:
        raise BadStatement("undo the merge to restore a merged entity", field="restore")
    holder = find_name_conflict(change, entity)
    if holder is not None:
        raise RestoredNameTaken(entity.name, holder.id)
    deleted_by = _deletion_tx([(each.tx_from, each.deleted is not None) for each in change.entity_versions(entity.id)])
    back = restore_entity(change, entity)
    reopen_rows(change, TOLD, deleted_by, "encounter", entity.id)
    return DeletionCounts(_count_visible_relations(change, back))


def _count_visible_relations(change: Change, entity: Entity) -> int:
    """How many relations of an entity a reader sees."""
    facts = [each for each in change.facts_touching(entity.id) if not each.is_retracted and not each.stale]
    return sum(_is_visible(change, fact, entity) for fact in facts)


def _is_visible(change: Change, fact: Fact, entity: Entity) -> bool:
    other = fact.object if fact.subject == entity.id else fact.subject
    end = change.entity(other) if other is not None else entity
    return end is not None and end.is_live


def delete_relation(change: Change, fact: Fact) -> DeletionCounts | None:
    """Retract a relation with all that was said for it."""
    if fact.is_retracted:
        return None
    count = len(change.assertions(fact.id))
    retract_fact(change, fact.id)
    return DeletionCounts(1, count)


def restore_relation(change: Change, fact: Fact) -> DeletionCounts | None:
    """Restore a relation with the assertions that its deletion ended."""
    if not fact.is_retracted:
        return None
    tx = _deletion_tx([(each.tx_from, each.is_retracted) for each in change.fact_versions(fact.id)])
    done = change.transaction(tx)
    if done is None or "delete" not in done.tool:
        return None  # It was withdrawn by its sources, not by a deletion.
    count = reopen_rows(change, ASSERTION, tx, "fact", fact.id)
    _recount_sources(change, [fact.id])
    return DeletionCounts(1, count) if count else None


def delete_source(change: Change, document: Document, reason: str) -> DeletionCounts | None:
    """Withdraw what a document says; relations left without any source are retracted."""
    if document.deleted is not None:
        return None
    assertions = change.assertions_from(document.id)
    for told in hearsay_in(change, document.id):
        end_hearsay(change, told)
    retract_document(change, document, reason)
    left = {each.fact for each in assertions}
    retracted = sum((stored := change.fact(fact)) is not None and stored.is_retracted for fact in left)
    return DeletionCounts(retracted, len(assertions))


def restore_source(change: Change, document: Document) -> DeletionCounts | None:
    """Restore a document with what its deletion withdrew."""
    if document.deleted is None:
        return None
    tx = document.tx_from
    back = change.put_document(document._replace(deleted=None))
    facts = facts_withdrawn_by(change, tx, document.id)
    retracted = sum((stored := change.fact(fact)) is not None and stored.is_retracted for fact in facts)
    count = reopen_rows(change, ASSERTION, tx, "document", document.id)
    reopen_rows(change, MENTION, tx, "document", document.id)
    reopen_rows(change, TOLD, tx, "document", document.id)
    _recount_sources(change, facts)
    for chunk in chunks_ended_by(change, tx, back.id):
        change.add_chunk(*chunk)
    return DeletionCounts(retracted, count)


def _recount_sources(change: Change, facts: Iterable[FactId]) -> None:
    for each in facts:
        stored = change.fact(each)
        if stored is not None:
            resettle(change, change.put_fact(sum_assertions(stored, change.assertions(each))))


def _deletion_tx(versions: list[tuple[int, bool]]) -> int:
    """The transaction since which every version is deleted."""
    tx = versions[-1][0]
    for began, is_out in reversed(versions):
        if not is_out:
            break
        tx = began
    return tx
