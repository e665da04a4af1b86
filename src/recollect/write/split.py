"""Splitting an entity: some of its facts belong to another one of the same name or type."""

from collections.abc import Collection

from recollect.errors import Refused
from recollect.model.entity import Entity
from recollect.model.ids import FactId
from recollect.store.change import Change
from recollect.write.ends import End, create
from recollect.write.merge import move_ends


class NothingToSplit(Refused):
    def __init__(self) -> None:
        super().__init__("choose at least one fact of this entity to split off", field="facts")


def split_off(change: Change, entity: Entity, name: str, facts: Collection[FactId]) -> Entity:
    """A new entity of the same type that takes over these facts; undoing the transaction joins the two again."""
    moved = [fact for fact in change.facts_touching(entity.id) if fact.id in facts and not fact.is_retracted]
    if not moved:
        raise NothingToSplit
    other = create(change, End(name, entity.type))
    for fact in moved:
        move_ends(change, fact, entity.id, other.id)
    return other
