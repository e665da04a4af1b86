"""Withdrawing assertions and documents; nothing is deleted, and earlier states still show it."""

from collections.abc import Iterable

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact
from recollect.model.ids import FactId
from recollect.store.change import Change
from recollect.write.record_statement import sum_assertions
from recollect.write.slot_conflicts import resettle

NO_SOURCE = "no source left"
"""The deletion reason of an entity that nothing mentions any more."""


def withdraw_assertions(change: Change, assertions: Iterable[Assertion]) -> list[Fact]:
    """End these assertions; a fact left with none is retracted. Returns the facts as they now stand."""
    touched: dict[FactId, None] = {}
    for assertion in assertions:
        change.end_assertion(assertion)
        touched[assertion.fact] = None
    return [recompute_fact(change, fact) for fact in touched]


def recompute_fact(change: Change, fact: FactId) -> Fact:
    """The fact as its assertions now add up to, with its slot settled anew."""
    stored = change.fact(fact)
    if stored is None:
        raise LookupError(fact)
    return resettle(change, change.put_fact(sum_assertions(stored, change.assertions(fact))))


def retract_fact(change: Change, fact: FactId) -> Fact | None:
    """Withdraw every assertion of one fact; none if it was retracted already."""
    found = withdraw_assertions(change, change.assertions(fact))
    return found[0] if found else None


def retract_document(change: Change, document: Document, reason: str) -> Document:
    """Delete a document and withdraw its assertions."""
    withdraw_assertions(change, change.assertions_from(document.id))
    for entity in change.mentioned(document.id):
        change.end_mention(document.id, entity)
    change.end_chunks(document.id)
    return change.put_document(document._replace(deleted=reason))


def delete_entity(change: Change, entity: Entity, reason: str) -> Entity:
    """Delete an entity; its facts are hidden, and its names can be used again."""
    for name in change.names_of(entity.id):
        change.end_name(name)
    return change.put_entity(entity._replace(deleted=reason))
