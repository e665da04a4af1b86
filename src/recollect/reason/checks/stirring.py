"""What a change stirs: what it touched, what is no longer the same, what depends on that."""

import json
from collections.abc import Collection, Iterable

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.reason.checks.cycles import CYCLE
from recollect.reason.checks.disputes import SINGLE_VALUED
from recollect.reason.checks.examine import Stirred
from recollect.reason.checks.sight import Sight
from recollect.reason.lore.existence import EVENT_TIME, EXISTENCE
from recollect.reason.lore.relation import Relation, read_fact
from recollect.reason.rules.graph import TOLD_OF
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.rows import entity_of, fact_of

_OBJECT_BEGINS = frozenset({"founded", "created", "dissolved"})


def stir(change: Change, entities: Iterable[EntityId]) -> None:
    """Let entities be looked at again that are written as they were, but mean something else now."""
    change.touched.stirred.update(entities)
    change.touched.entities |= change.touched.stirred


def stirred_by(change: Change, sight: Sight, seen: int) -> Stirred:
    """What to look at again after a change; `seen` is the last transaction looked at."""
    facts, before = _facts(sight, change.touched.facts), _before(sight, change.touched.facts, seen)
    changed, turned = _changed(change, change.touched.entities, seen)
    changed |= {each for fact in (*facts, *before) for each in _concerned(fact)}
    # What came or went takes the facts at its ends with it, and these may tell when others existed.
    changed |= {each for fact in _facts_of(sight, turned) for each in _concerned(fact)}
    every = {each.id: each for each in (*facts, *_facts_of(sight, changed | turned))}
    every |= {each.id: each for each in _hanging_together(sight, every.values())}
    live = sight.lore.entities(changed)
    return Stirred(
        tuple(_shown(sight, every.values())),
        tuple(live.values()),
        frozenset((*every, *change.touched.facts)),
        frozenset(changed - live.keys()),
        _ends((*every.values(), *before)),
    )


def _facts(sight: Sight, ids: Collection[FactId]) -> list[Relation]:
    """These facts as relations, whatever their state."""
    rows = sight.view.rows("check_facts", ids=sorted(ids)) if ids else []
    return [read_fact(fact_of(row), sight.lore.symmetric) for row in rows]


def _before(sight: Sight, ids: Collection[FactId], seen: int) -> list[Relation]:
    """What these facts said before they changed: a merge moves ends, an undo takes all away."""
    rows = sight.view.rows("check_facts_before", ids=sorted(ids), seen=seen) if ids else []
    return [read_fact(fact_of(row), sight.lore.symmetric) for row in rows]


def _facts_of(sight: Sight, entities: Collection[EntityId]) -> list[Relation]:
    rows = sight.view.rows("check_facts_of", entities=sorted(entities)) if entities else []
    return [read_fact(fact_of(row), sight.lore.symmetric) for row in rows]


def _shown(sight: Sight, relations: Iterable[Relation]) -> list[Relation]:
    """The relations that rules and readers see."""
    return sight.lore.shown(
        each
        for each in relations
        if not each.fact.stale and not each.fact.is_retracted and not each.fact.is_alias and each.name != TOLD_OF
    )


def _changed(change: Change, entities: Collection[EntityId], seen: int) -> tuple[set[EntityId], set[EntityId]]:
    """The entities that are not what they were, and of these, those that came or went."""
    if not entities:
        return set(), set()
    rows = change.rows("check_entities_before", ids=sorted(entities), seen=seen)
    before, now = {row[0]: entity_of(row) for row in rows}, change.entities(entities)
    changed = {each for each in entities if each not in before or each not in now or _differ(before[each], now[each])}
    changed |= change.touched.stirred
    return changed, {each for each in changed if _is_live(before.get(each)) != _is_live(now.get(each))}


def _is_live(entity: Entity | None) -> bool:
    return entity is not None and entity.is_live


def _differ(one: Entity, other: Entity) -> bool:
    return (one.type, one.name, one.properties, one.merged_into, one.deleted) != (
        other.type,
        other.name,
        other.properties,
        other.merged_into,
        other.deleted,
    )


def _concerned(relation: Relation) -> tuple[EntityId, ...]:
    """Whose existence or time a relation tells."""
    if relation.name in _OBJECT_BEGINS:
        return (relation.object or relation.subject,)
    return (relation.subject,) if relation.name in EXISTENCE | EVENT_TIME else ()


def _hanging_together(sight: Sight, relations: Collection[Relation]) -> list[Relation]:
    """Relations of open findings that may be others now, though none of theirs was touched.

    A cycle may go round another way; claims about two places agree once one lies in the other.
    """
    facts = [each.id for each in relations]
    places = {end for each in relations if each.name == "part_of" for end in each.ends}
    rows = [*_named_in(sight, CYCLE, facts), *_named_in(sight, SINGLE_VALUED, places)]
    return _facts(sight, {each for row in rows for each in _ids(row[0])})


def _named_in(sight: Sight, rule: str, parts: Collection[str]) -> list[Row]:
    return sight.view.rows("findings_of_rule_with", rule=rule, parts=sorted(parts)) if parts else []


def _ids(text: str) -> list[FactId]:
    return [FactId(each) for each in json.loads(text)]


def _ends(relations: Iterable[Relation]) -> dict[str, frozenset[EntityId]]:
    """By relation, the entities at its ends."""
    found: dict[str, set[EntityId]] = {}
    for relation in relations:
        found.setdefault(relation.name, set()).update(relation.ends)
    return {name: frozenset(ends) for name, ends in found.items()}
