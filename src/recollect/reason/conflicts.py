"""Pairs of current facts that cannot both stand and that nothing has decided."""

from dataclasses import dataclass

from recollect.model.history import is_current
from recollect.model.ids import EntityId
from recollect.store.seen import Seen
from recollect.store.view import View

DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Undecided:
    """Two facts that disagree, the earlier said first: by dispute, or only since they were said at one time."""

    one: Seen
    other: Seen
    is_disputed: bool


def undecided(view: View, entity: EntityId | None = None) -> list[Undecided]:
    """Every open pair of the workspace or of one entity, newest pair first."""
    pairs = view.disputes(entity)
    at = view.world.present
    seen = {each.fact.id: each for each in view.seen({end for pair in pairs for end in (pair.one, pair.other)})}
    current = {fact: each for fact, each in seen.items() if is_current(each.fact, at)}
    found = [
        _in_order(current[pair.one], current[pair.other], pair.reason == DISPUTED)
        for pair in pairs
        if pair.one in current and pair.other in current
    ]
    return sorted(found, key=lambda pair: (pair.other.age, pair.one.age), reverse=True)


def _in_order(one: Seen, other: Seen, is_disputed: bool) -> Undecided:
    return Undecided(one, other, is_disputed) if one.age <= other.age else Undecided(other, one, is_disputed)
