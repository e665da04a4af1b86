"""Merging two entities or two predicates, and splitting an entity: facts move with their names and mentions."""

from collections.abc import Collection

from recollect.errors import Conflict, Refused
from recollect.model.entity import Entity
from recollect.model.fact import Claim, Fact
from recollect.model.history import period, same_bounds
from recollect.model.ids import EntityId, FactId
from recollect.model.similarity import have_same_words
from recollect.model.trust import higher_trust, outranks, with_name_trust
from recollect.model.vocabulary import built_in_predicates
from recollect.store.change import Change
from recollect.store.write_queries import documents_mentioning, facts_with_predicate
from recollect.write.claims import joined_properties, move_address
from recollect.write.entity_refs import NamedRef, create
from recollect.write.hearsay import repoint_fact, repoint_person
from recollect.write.names import EMAIL
from recollect.write.predicates import add_predicate_alias, claim
from recollect.write.record_statement import sum_assertions
from recollect.write.slot_conflicts import resettle
from recollect.write.trust_rules import speaker_trust


class CannotMerge(Conflict):
    code = "cannot_merge"

    def __init__(self, why: str) -> None:
        super().__init__(f"these two cannot be merged: {why}")


class NothingToSplit(Refused):
    def __init__(self) -> None:
        super().__init__("choose at least one fact of this entity to split off", field="facts")


def merge(change: Change, loser: Entity, survivor: Entity, *, keeps_first: bool = False) -> Entity:
    """The survivor with the facts, names and mentions of the loser; undoing the transaction separates them.

    `keeps_first` as in `move_fact`.
    """
    if loser.id == survivor.id:
        raise CannotMerge("they are the same entity")
    if not loser.is_live or not survivor.is_live:
        raise CannotMerge("one of them is deleted or merged already")
    facts = change.facts_touching(loser.id)
    _move_names(change, loser, survivor)
    change.put_entity(loser._replace(merged_into=survivor.id))
    trust = higher_trust(survivor.trust, loser.trust if loser.folded == survivor.folded else speaker_trust(change))
    joined = survivor._replace(
        properties=with_name_trust(joined_properties(loser, survivor), trust),
        provisional=survivor.provisional and loser.provisional,
        confirmed_at=change.now,
    )
    change.put_entity(joined)
    for fact in facts:
        move_ends(change, fact, loser.id, survivor.id, keeps_first=keeps_first)
    for document in documents_mentioning(change, loser.id):
        change.end_mention(document, loser.id)
        change.put_mention(document, survivor.id)
    repoint_person(change, loser.id, survivor.id)
    return joined


def _move_names(change: Change, loser: Entity, survivor: Entity) -> None:
    existing = {(row.folded, row.kind): row for row in change.names_of(survivor.id)}
    for row in change.names_of(loser.id):
        change.end_name(row)
        if row.kind == EMAIL and (row.folded, row.kind) not in existing:
            move_address(change, row.folded, loser.id, survivor.id)
        moved = row._replace(entity=survivor.id, type=survivor.type)
        if row.kind == "name":
            moved = moved._replace(kind="alias", trust=higher_trust(loser.trust, speaker_trust(change)))
        known = existing.get((moved.folded, moved.kind))
        if known is None and (moved.folded, moved.kind) != (survivor.folded, "alias"):
            change.add_name(moved)
            existing[moved.folded, moved.kind] = moved
        elif known is not None and outranks(moved.trust, known.trust):
            change.put_name(known._replace(trust=moved.trust))


def split_off(change: Change, entity: Entity, name: str, facts: Collection[FactId]) -> Entity:
    """A new entity of the same type that takes over these facts; undoing the transaction joins the two again."""
    moved = [fact for fact in change.facts_touching(entity.id) if fact.id in facts and not fact.is_retracted]
    if not moved:
        raise NothingToSplit
    other = create(change, NamedRef(name, entity.type))
    for fact in moved:
        move_ends(change, fact, entity.id, other.id)
    return other


def merge_predicates(change: Change, loser: str, survivor: str) -> tuple[FactId, ...]:
    """Let one predicate stand for another, from now on and in the facts already recorded."""
    facts = facts_with_predicate(change, loser)
    for fact in facts:
        _move_to_predicate(change, fact, survivor)
    add_predicate_alias(change, loser, survivor)
    return tuple(fact.id for fact in facts if not fact.is_retracted)


def _move_to_predicate(change: Change, fact: Fact, predicate: str) -> None:
    meant = claim(change, fact.subject, fact.object, fact.literal, predicate, fact.label)
    move_fact(
        change,
        fact._replace(predicate=meant.predicate, fact_type=meant.fact_type, policy=meant.policy, slot=meant.slot),
    )


def move_ends(change: Change, fact: Fact, loser: EntityId, survivor: EntityId, *, keeps_first: bool = False) -> None:
    """Store a fact of one entity as a fact of another."""
    subject = survivor if fact.subject == loser else fact.subject
    target = survivor if fact.object == loser else fact.object
    symmetric = fact.predicate in built_in_predicates() and built_in_predicates()[fact.predicate].symmetric
    meant = Claim(subject, fact.predicate, fact.label, fact.fact_type, target, fact.literal, symmetric, fact.policy)
    move_fact(change, fact._replace(subject=subject, object=target, slot=meant.slot), keeps_first=keeps_first)


def move_fact(change: Change, moved: Fact, *, keeps_first: bool = False) -> None:
    """Store a fact under its new ends or predicate, as one with the fact that says the same there, which stays.

    With `keeps_first` the first by id stays: devices that move them in another order come to the same.
    """
    twins = [other for other in change.facts_in_slot(moved.slot) if _is_twin(moved, other)]
    if not twins:
        resettle(change, change.put_fact(moved))
        return
    twin = min(twins, key=lambda each: each.id) if keeps_first else twins[0]
    if keeps_first and moved.id < twin.id:
        _absorb(change, twin, change.put_fact(moved))
    else:
        _absorb(change, moved, twin)


def join_twins(change: Change, slot: int) -> None:
    """Make one fact of those in a slot that are the same proposition: the first of them by id."""
    for fact in sorted(change.facts_in_slot(slot), key=lambda each: each.id, reverse=True):
        beside = sorted(change.facts_in_slot(slot), key=lambda each: each.id)
        now = next((other for other in beside if other.id == fact.id), fact)
        twin = next((other for other in beside if other.id < fact.id and _is_twin(now, other)), None)
        if twin is not None:
            _absorb(change, now, twin)


def _is_twin(one: Fact, other: Fact) -> bool:
    """Whether two facts, now in one slot, are the same proposition."""
    if one.id == other.id or one.is_retracted or other.is_retracted:
        return False
    if one.policy == "dispute":
        return one.stale == other.stale and period(one).overlaps(period(other)) and same_bounds(one, other)
    if one.words and other.words and not have_same_words(one.words, other.words):
        return False
    if one.policy == "accumulate" and one.words and one.source_at != other.source_at:
        return False
    return one.label != "AFFILIATED" or period(one).overlaps(period(other))


def _absorb(change: Change, fact: Fact, into: Fact) -> None:
    """Move the assertions of a fact to its twin, which replaces it."""
    for assertion in change.assertions(fact.id):
        change.put_assertion(assertion._replace(fact=into.id))
    repoint_fact(change, fact.id, into.id)
    change.put_fact(fact._replace(stale=True, replaced_by=into.id, certainty="retracted", source_count=0))
    worded = into._replace(words=into.words or fact.words)
    resettle(change, change.put_fact(sum_assertions(worded, change.assertions(into.id))))
