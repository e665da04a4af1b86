"""Incremental check in the transaction of a change: its affected region is checked again."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.reason.checks.check_context import CheckContext
from recollect.reason.checks.check_runner import AffectedRegion, check_region
from recollect.reason.checks.contradictions import CYCLE, SINGLE_VALUED
from recollect.reason.checks.engine_state import enqueue_rules_job, is_watching, last_checked_tx, save_last_checked_tx
from recollect.reason.checks.findings import FindingChanges, FindingStore, find_open_naming
from recollect.reason.checks.rule_catalogue import WorkspaceRule, definitions_by_id, load_rules
from recollect.reason.checks.run_records import RunReport, RunTally, count_findings, store_run
from recollect.reason.lore.existence import EVENT_TIME_RELATIONS, EXISTENCE_RELATIONS
from recollect.reason.lore.relation import Relation, relation_of
from recollect.reason.rules.graph import TOLD_OF
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.rows import entity_of, fact_of

_OBJECT_DATING = frozenset({"founded", "created", "dissolved"})


def mark_affected(change: Change, entities: Iterable[EntityId]) -> None:
    """Let entities be looked at again that are written as they were, but mean something else now."""
    change.touched.stirred.update(entities)
    change.touched.entities |= change.touched.stirred


def affected_by(change: Change, sight: CheckContext, seen: int) -> AffectedRegion:
    """What to look at again after a change; `seen` is the last transaction looked at."""
    facts, before = _load_facts(sight, change.touched.facts), _load_facts_before(sight, change.touched.facts, seen)
    changed, turned = _changed_entities(change, change.touched.entities, seen)
    changed |= {each for fact in (*facts, *before) for each in _dated_entities(fact)}
    # What came or went takes the facts at its ends with it, and these may tell when others existed.
    changed |= {each for fact in _load_facts_of(sight, turned) for each in _dated_entities(fact)}
    every = {each.id: each for each in (*facts, *_load_facts_of(sight, changed | turned))}
    every |= {each.id: each for each in _relations_of_open_findings(sight, every.values())}
    live = sight.lore.entities(changed)
    return AffectedRegion(
        tuple(_visible_relations(sight, every.values())),
        tuple(live.values()),
        frozenset((*every, *change.touched.facts)),
        frozenset(changed - live.keys()),
        _ends_by_relation((*every.values(), *before)),
    )


def _load_facts(sight: CheckContext, ids: Collection[FactId]) -> list[Relation]:
    """These facts as relations, whatever their state."""
    rows = sight.view.rows("check_facts", ids=sorted(ids)) if ids else []
    return [relation_of(fact_of(row), sight.lore.symmetric) for row in rows]


def _load_facts_before(sight: CheckContext, ids: Collection[FactId], seen: int) -> list[Relation]:
    """What these facts said before they changed: a merge moves ends, an undo takes all away."""
    rows = sight.view.rows("check_facts_before", ids=sorted(ids), seen=seen) if ids else []
    return [relation_of(fact_of(row), sight.lore.symmetric) for row in rows]


def _load_facts_of(sight: CheckContext, entities: Collection[EntityId]) -> list[Relation]:
    rows = sight.view.rows("check_facts_of", entities=sorted(entities)) if entities else []
    return [relation_of(fact_of(row), sight.lore.symmetric) for row in rows]


def _visible_relations(sight: CheckContext, relations: Iterable[Relation]) -> list[Relation]:
    """The relations that rules and readers see."""
    return sight.lore.with_live_ends(
        each
        for each in relations
        if not each.fact.stale and not each.fact.is_retracted and not each.fact.is_alias and each.name != TOLD_OF
    )


def _changed_entities(change: Change, entities: Collection[EntityId], seen: int) -> tuple[set[EntityId], set[EntityId]]:
    """The entities that are not what they were, and of these, those that came or went."""
    if not entities:
        return set(), set()
    rows = change.rows("check_entities_before", ids=sorted(entities), seen=seen)
    before, now = {row[0]: entity_of(row) for row in rows}, change.entities(entities)
    changed = {
        each for each in entities if each not in before or each not in now or _are_different(before[each], now[each])
    }
    changed |= change.touched.stirred
    return changed, {each for each in changed if _is_entity_live(before.get(each)) != _is_entity_live(now.get(each))}


def _is_entity_live(entity: Entity | None) -> bool:
    return entity is not None and entity.is_live


def _are_different(one: Entity, other: Entity) -> bool:
    return (one.type, one.name, one.properties, one.merged_into, one.deleted) != (
        other.type,
        other.name,
        other.properties,
        other.merged_into,
        other.deleted,
    )


def _dated_entities(relation: Relation) -> tuple[EntityId, ...]:
    """Whose existence or time a relation tells."""
    if relation.name in _OBJECT_DATING:
        return (relation.object or relation.subject,)
    return (relation.subject,) if relation.name in EXISTENCE_RELATIONS | EVENT_TIME_RELATIONS else ()


def _relations_of_open_findings(sight: CheckContext, relations: Collection[Relation]) -> list[Relation]:
    """Relations of open findings that may be others now, though none of theirs was touched.

    A cycle may go round another way; claims about two places agree once one lies in the other.
    """
    facts = [each.id for each in relations]
    places = {end for each in relations if each.name == "part_of" for end in each.ends}
    rows = [*_findings_naming(sight, CYCLE, facts), *_findings_naming(sight, SINGLE_VALUED, places)]
    return _load_facts(sight, {each for row in rows for each in _parse_fact_ids(row[0])})


def _findings_naming(sight: CheckContext, rule: str, parts: Collection[str]) -> list[Row]:
    return sight.view.rows("findings_of_rule_with", rule=rule, parts=sorted(parts)) if parts else []


def _parse_fact_ids(text: str) -> list[FactId]:
    return [FactId(each) for each in json.loads(text)]


def _ends_by_relation(relations: Iterable[Relation]) -> dict[str, frozenset[EntityId]]:
    """By relation, the entities at its ends."""
    found: dict[str, set[EntityId]] = {}
    for relation in relations:
        found.setdefault(relation.name, set()).update(relation.ends)
    return {name: frozenset(ends) for name, ends in found.items()}


_NOTE_KEY = "checks"


class _CheckedChange(NamedTuple):
    """What the change had touched when it was last looked at, and what that did."""

    size: tuple[int, int]
    outcome: FindingChanges


def check_change(memory: Memory, change: Change) -> None:
    """Open and resolve findings for what a change touched, unless the engine sleeps."""
    noted = change.notes.get(_NOTE_KEY)
    if (noted is not None and noted.size == _touched_counts(change)) or not is_watching(change):
        return
    rules = load_rules(change)
    if any(rule.built_in and rule.min_confidence for rule in rules.values()):
        change.touched.facts |= _facts_of_touched_documents(change)
    if _touched_counts(change) == (0, 0):
        _enqueue_custom_rules(change, rules)
    else:
        record_changes(change, _check_touched(memory, change, rules))


def _touched_counts(change: Change) -> tuple[int, int]:
    return len(change.touched.entities), len(change.touched.facts)


def _facts_of_touched_documents(change: Change) -> set[FactId]:
    """The facts that documents tell which a change touched: they may be as reliable as never before."""
    return {each.fact for document in change.touched.documents for each in change.assertions_from(document)}


def _enqueue_custom_rules(change: Change, rules: Mapping[str, WorkspaceRule]) -> None:
    """Let added rules run soon: they may ask for the world's now, or for how sure something is."""
    if any(not rule.built_in and rule.enabled for rule in rules.values()):
        enqueue_rules_job(change, change.tx if change.has_changed else change.last_tx)


def record_changes(change: Change, outcome: FindingChanges) -> None:
    """Let a change answer for findings that it opened and resolved itself."""
    noted = change.notes.get(_NOTE_KEY)
    change.notes[_NOTE_KEY] = _CheckedChange(
        _touched_counts(change), outcome if noted is None else noted.outcome.joined(outcome)
    )


def finding_changes_of(change: Change) -> FindingChanges:
    """What a change opened and resolved, as far as it was looked at."""
    noted = change.notes.get(_NOTE_KEY)
    return FindingChanges() if noted is None else noted.outcome


def _check_touched(memory: Memory, change: Change, rules: Mapping[str, WorkspaceRule]) -> FindingChanges:
    sight = CheckContext(change)
    stirred = affected_by(change, sight, last_checked_tx(change))
    examined = check_region(sight, stirred, rules.values())
    named = examined.parts.union(*examined.by_rule.values())
    gone = [
        id_
        for id_, rule, parts in find_open_naming(change, named)
        if id_ not in examined.found and rule in definitions_by_id() and examined.covers(rule, parts)
    ]
    book = FindingStore(change)
    opened = book.open_or_update(examined.found.values())
    book.resolve(gone)
    save_last_checked_tx(change, book.tx)
    _enqueue_custom_rules(change, rules)
    if opened or gone:
        tally = RunTally(len(stirred.entities), len(stirred.relations), len(opened), len(gone))
        report = RunReport("incremental", "touched", tally, memory.clock.now())
        store_run(change, report, rules, count_findings(change, examined.found.values()))
    return FindingChanges(tuple(opened), tuple(gone))
