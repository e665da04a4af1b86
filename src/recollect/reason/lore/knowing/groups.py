"""The groups somebody belonged to, themselves or through other groups, and from when until when."""

from collections.abc import Iterable
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.reason.lore.knowing.moment import first_of, last_of
from recollect.reason.lore.knowing.way import latest
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation, stated
from recollect.when.instant import MAX, MIN
from recollect.when.period import Time

DEEPEST = 12
MOST = 2000


class Membership(NamedTuple):
    """Somebody in a group, or a person by themselves; `start` is the joining that came last on the way there."""

    group: EntityId
    name: str | None
    start: Time | None = None
    since: int = MIN
    until: int = MAX


def memberships(lore: Lore, npc: Entity) -> dict[EntityId, list[Membership]]:
    """By group, the stretches in which somebody belonged to it; one belongs to oneself always."""
    found: dict[EntityId, list[Membership]] = {npc.id: [Membership(npc.id, None)]}
    edge = _joined(lore, found[npc.id], ("member_of", "belongs_to"))
    for _ in range(DEEPEST):
        fresh = [each for each in edge if each not in found.get(each.group, ())]
        for each in fresh:
            found.setdefault(each.group, []).append(each)
        if not fresh or len(found) > MOST:
            break
        edge = _joined(lore, fresh, ("member_of",))
    return found


def _joined(lore: Lore, members: Iterable[Membership], names: tuple[str, ...]) -> list[Membership]:
    """Where these members went on to belong."""
    by_member: dict[EntityId, list[Membership]] = {}
    for each in members:
        by_member.setdefault(each.group, []).append(each)
    relations = lore.relations_of(list(by_member), names, "subject")
    held = lore.intervals(relations)
    groups = lore.entities(each.object for each in relations if each.object is not None)
    stretches = [
        _through(member, each, first_of(held[each.id]), last_of(held[each.id]), groups[each.object].name)
        for each in relations
        if each.subject is not None and each.object is not None
        for member in by_member[each.subject]
    ]
    return [each for each in stretches if each.since <= each.until]


def _through(member: Membership, joining: Relation, since: int, until: int, name: str) -> Membership:
    assert joining.object is not None
    start = latest(member.start, stated(joining).valid_from)
    return Membership(joining.object, name, start, max(member.since, since), min(member.until, until))
