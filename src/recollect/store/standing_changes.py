"""The transactions in which entities and facts were changed last: what an undo brings back was changed before."""

from collections.abc import Collection, Iterable

from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId
from recollect.store.view import View


def changes_of_entities(view: View, entities: Collection[Entity]) -> dict[EntityId, int]:
    """By entity, the transaction of the change that stands."""
    undone = _undone_by(view, (each.tx_from for each in entities))
    return {
        each.id: _standing(view, each.tx_from, (other.tx_from for other in view.entity_versions(each.id)))
        if each.tx_from in undone
        else each.tx_from
        for each in entities
    }


def changes_of_facts(view: View, facts: Collection[Fact]) -> dict[FactId, int]:
    """By fact, the transaction of the change that stands."""
    undone = _undone_by(view, (each.tx_from for each in facts))
    return {
        each.id: _standing(view, each.tx_from, (other.tx_from for other in view.fact_versions(each.id)))
        if each.tx_from in undone
        else each.tx_from
        for each in facts
    }


def _standing(view: View, changed: int, versions: Iterable[int]) -> int:
    """The transaction that first made a version as it is, given those that began versions: undos are followed back."""
    begun = list(versions)
    undone = _undone_by(view, begun)
    while (undo := undone.get(changed)) is not None and (before := [tx for tx in begun if tx < undo]):
        changed = max(before)
    return changed


def _undone_by(view: View, txs: Iterable[int]) -> dict[int, int]:
    """By the number of each undo among these transactions, what it undoes."""
    wanted = sorted(set(txs))
    return dict(view.rows("transactions_undone", txs=wanted)) if wanted else {}
