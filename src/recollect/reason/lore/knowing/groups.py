"""The groups somebody belonged to, themselves or through other groups, and from when until when."""

from collections.abc import Iterable
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.reason.lore.knowing.moment import Moment, begun, first_of, last_of
from recollect.reason.lore.knowing.way import latest
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation, stated
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time

DEEPEST = 12
MOST = 2000


class Membership(NamedTuple):
    """Somebody in a group, or a person by themselves; `start` is the joining that came last on the way there."""

    group: EntityId
    name: str | None
    start: Time | None = None
    since: int = MIN
    until: int = MAX


def memberships(lore: Lore, npc: Entity, moment: Moment) -> dict[EntityId, list[Membership]]:
    """By group, the stretches in which somebody belonged to it; one belongs to oneself always."""
    found: dict[EntityId, list[Membership]] = {npc.id: [Membership(npc.id, None)]}
    edge = _joined(lore, found[npc.id], ("member_of", "belongs_to"), moment)
    for _ in range(DEEPEST):
        fresh = [each for each in dict.fromkeys(edge) if each not in found.get(each.group, ())]
        for each in fresh:
            found.setdefault(each.group, []).append(each)
        if not fresh or len(found) > MOST:
            break
        edge = _joined(lore, fresh, ("member_of",), moment)
    return found


def _joined(lore: Lore, members: Iterable[Membership], names: tuple[str, ...], moment: Moment) -> list[Membership]:
    """Where these members went on to belong; a group that is not yet founded has none."""
    by_member: dict[EntityId, list[Membership]] = {}
    for each in members:
        by_member.setdefault(each.group, []).append(each)
    relations = begun(lore, lore.relations_of(list(by_member), names, "subject"), moment)
    held = lore.intervals(relations)
    groups = lore.entities(each.object for each in relations if each.object is not None)
    stretches = [
        _through(member, each, groups[each.object], held[each.id])
        for each in relations
        if each.object is not None
        for member in by_member[each.subject]
    ]
    return [each for each in stretches if each.since <= each.until]


def _through(member: Membership, joining: Relation, group: Entity, held: Bounds) -> Membership:
    start = latest(member.start, stated(joining).valid_from)
    since, until = max(member.since, first_of(held)), min(member.until, last_of(held))
    return Membership(group.id, group.name, start, since, until)
