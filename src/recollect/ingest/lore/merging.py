"""Merging two entities of a world: what moved, what joined, and what would have pointed at itself."""

from typing import Any, NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import FactId
from recollect.store.change import Change
from recollect.write.merge import merge
from recollect.write.retract import retract_fact


class Difference(NamedTuple):
    """A property on which the two disagreed."""

    key: str
    kept: Any
    dropped: Any


class Merged(NamedTuple):
    """The survivor and what became of the other's relations."""

    survivor: Entity
    moved: int
    joined: int
    retracted: int
    conflicts: tuple[Difference, ...]


def merge_into(change: Change, survivor: Entity, loser: Entity) -> Merged:
    """Let one entity take over another."""
    live = [fact for fact in change.facts_touching(loser.id) if not fact.is_retracted]
    conflicts = tuple(
        Difference(key, survivor.properties[key], value)
        for key, value in sorted(loser.properties.items())
        if key in survivor.properties and survivor.properties[key] != value
    )
    own = {fact.id for fact in live if {fact.subject, fact.object} == {survivor.id, loser.id}}
    kept = merge(change, loser, survivor)
    for fact in own:
        retract_fact(change, fact)
    joined = sum(_is_joined(change, fact.id) for fact in live if fact.id not in own)
    return Merged(kept, len(live) - len(own) - joined, joined, len(own), conflicts)


def _is_joined(change: Change, fact: FactId) -> bool:
    held = change.fact(fact)
    return held is not None and held.is_retracted and held.replaced_by is not None
