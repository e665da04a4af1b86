"""Taking things out softly, and bringing back exactly what that hid."""

from collections.abc import Iterable
from typing import NamedTuple

from recollect.errors import Conflict
from recollect.ingest.lore.problems import BadStatement
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId, say_entity
from recollect.store.change import Change
from recollect.store.tables import ASSERTION, MENTION, TOLD, Table
from recollect.write.edit import holder_of, restore_entity
from recollect.write.record import total
from recollect.write.retract import delete_entity, retract_document, retract_fact
from recollect.write.settle import resettle
from recollect.write.told import end_telling, told_at, told_in


class Affected(NamedTuple):
    """What a deletion or its opposite touched; none if there was nothing to do."""

    relations: int = 0
    assertions: int = 0


class NameTaken(Conflict):
    code = "CONFLICT"

    def __init__(self, name: str, by: EntityId) -> None:
        super().__init__(f"{name!r} is the name of another entity by now ({say_entity(by)}); rename one of them first")


def take_out_entity(change: Change, entity: Entity, reason: str) -> Affected | None:
    """Delete an entity; its relations leave every read."""
    if not entity.is_live:
        return None
    hidden = _shown(change, entity)
    for told in told_at(change, entity.id):
        end_telling(change, told)
    delete_entity(change, entity, reason)
    return Affected(hidden)


def bring_back_entity(change: Change, entity: Entity) -> Affected | None:
    """Restore a deleted entity under the names it had."""
    if entity.is_live:
        return None
    if entity.merged_into is not None:
        raise BadStatement("a merged entity is parted again by undoing the merge", field="restore")
    holder = holder_of(change, entity)
    if holder is not None:
        raise NameTaken(entity.name, holder.id)
    deleted_by = _tx_of_deletion(
        [(each.tx_from, each.deleted is not None) for each in change.entity_versions(entity.id)]
    )
    back = restore_entity(change, entity)
    _begin_again(change, TOLD, deleted_by, "encounter", entity.id)
    return Affected(_shown(change, back))


def _shown(change: Change, entity: Entity) -> int:
    """How many relations of an entity a reader sees."""
    facts = [each for each in change.facts_touching(entity.id) if not each.is_retracted and not each.stale]
    return sum(_is_shown(change, fact, entity) for fact in facts)


def _is_shown(change: Change, fact: Fact, entity: Entity) -> bool:
    other = fact.object if fact.subject == entity.id else fact.subject
    held = change.entity(other) if other is not None else entity
    return held is not None and held.is_live


def take_out_fact(change: Change, fact: Fact) -> Affected | None:
    """Retract a relation with all that was said for it."""
    if fact.is_retracted:
        return None
    count = len(change.assertions(fact.id))
    retract_fact(change, fact.id)
    return Affected(1, count)


def bring_back_fact(change: Change, fact: Fact) -> Affected | None:
    """Let the assertions that the deletion ended stand again."""
    if not fact.is_retracted:
        return None
    tx = _tx_of_deletion([(each.tx_from, each.is_retracted) for each in change.fact_versions(fact.id)])
    done = change.transaction(tx)
    if done is None or "delete" not in done.tool:
        return None  # Its sources took it back themselves.
    count = _begin_again(change, ASSERTION, tx, "fact", fact.id)
    _retotal(change, [fact.id])
    return Affected(1, count) if count else None


def take_out_document(change: Change, document: Document, reason: str) -> Affected | None:
    """Withdraw what a document says; relations left without any source are retracted."""
    if document.deleted is not None:
        return None
    assertions = change.assertions_from(document.id)
    for told in told_in(change, document.id):
        end_telling(change, told)
    retract_document(change, document, reason)
    left = {each.fact for each in assertions}
    retracted = sum((held := change.fact(fact)) is not None and held.is_retracted for fact in left)
    return Affected(retracted, len(assertions))


def bring_back_document(change: Change, document: Document) -> Affected | None:
    """Let a document say again what its deletion withdrew."""
    if document.deleted is None:
        return None
    tx = document.tx_from
    back = change.put_document(document._replace(deleted=None))
    facts = _facts_of(change, tx, document)
    retracted = sum((held := change.fact(fact)) is not None and held.is_retracted for fact in facts)
    count = _begin_again(change, ASSERTION, tx, "document", document.id)
    _begin_again(change, MENTION, tx, "document", document.id)
    _begin_again(change, TOLD, tx, "document", document.id)
    _retotal(change, facts)
    for row in change.rows("chunks_ended", tx=tx):
        if row[0] == back.id:
            change.add_chunk(*row)
    return Affected(retracted, count)


def _facts_of(change: Change, tx: int, document: Document) -> list[FactId]:
    place, fact = ASSERTION.columns.index("document"), ASSERTION.columns.index("fact")
    rows = change.connection.ended_by(ASSERTION, change.ws, tx)
    return sorted({row[fact] for row in rows if row[place] == document.id})


def _begin_again(change: Change, table: Table, tx: int, column: str, value: str) -> int:
    """Begin again the rows of one thing that a transaction ended; how many there were."""
    place = table.columns.index(column)
    rows = [row for row in change.connection.ended_by(table, change.ws, tx) if row[place] == value]
    for row in rows:
        change.begin_again(table, row)
    return len(rows)


def _retotal(change: Change, facts: Iterable[FactId]) -> None:
    for each in facts:
        held = change.fact(each)
        if held is not None:
            resettle(change, change.put_fact(total(held, change.assertions(each))))


def _tx_of_deletion(versions: list[tuple[int, bool]]) -> int:
    """The transaction since which every version is out."""
    tx = versions[-1][0]
    for began, is_out in reversed(versions):
        if not is_out:
            break
        tx = began
    return tx
