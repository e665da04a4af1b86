"""Incremental check in the transaction of a change: its affected region is checked again."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from recollect.memory import Memory
from recollect.model.entity import Entity, is_live_entity
from recollect.model.ids import EntityId, FactId
from recollect.reason.checks.check_context import CheckContext
from recollect.reason.checks.check_runner import AffectedRegion, check_region
from recollect.reason.checks.contradictions import CYCLE
from recollect.reason.checks.engine_state import enqueue_rules_job, is_watching, last_checked_tx, save_last_checked_tx
from recollect.reason.checks.findings import FindingChanges, FindingStore, find_open_naming
from recollect.reason.checks.rule_catalogue import WorkspaceRule, definitions_by_id, load_rules
from recollect.reason.checks.run_records import RunReport, RunTally, count_findings, store_run
from recollect.reason.lore.existence import EVENT_TIME_RELATIONS, EXISTENCE_RELATIONS, OBJECT_DATING_RELATIONS
from recollect.reason.lore.places import places_within
from recollect.reason.lore.relation import Relation, relation_of
from recollect.reason.rules.graph import TOLD_OF
from recollect.store import fact_queries
from recollect.store.change import Change
from recollect.store.finding_queries import relations_of_open_findings


def mark_affected(change: Change, entities: Iterable[EntityId]) -> None:
    """Have entities checked again that are stored unchanged but mean something else now."""
    change.touched.to_recheck.update(entities)
    change.touched.entities |= change.touched.to_recheck


def affected_by(change: Change, context: CheckContext, checked: int) -> AffectedRegion:
    """The region to check again after a change; `checked` is the last transaction checked."""
    facts, before = (
        _load_facts(context, change.touched.facts),
        _load_facts_before(context, change.touched.facts, checked),
    )
    changed, came_or_went = _changed_entities(change, change.touched.entities, checked)
    changed |= {each for fact in (*facts, *before) for each in _dated_entities(fact)}
    # An entity that came or went takes its facts with it, and these may date other entities.
    carried = _load_facts_of(context, came_or_went)
    changed |= {each for fact in carried for each in _dated_entities(fact)}
    every = {each.id: each for each in (*facts, *_load_facts_of(context, changed | came_or_went))}
    every |= {each.id: each for each in _relations_of_open_cycles(context, every)}
    every |= {each.id: each for each in _claims_about_moved_places(context, (*facts, *before, *carried))}
    live = context.lore.entities(changed)
    return AffectedRegion(
        tuple(_visible_relations(context, every.values())),
        tuple(live.values()),
        frozenset((*every, *change.touched.facts)),
        frozenset(changed - live.keys()),
        _ends_by_relation((*every.values(), *before)),
    )


def _load_facts(context: CheckContext, ids: Collection[FactId]) -> list[Relation]:
    """These facts as relations, in any state."""
    return [relation_of(fact, context.lore.symmetric) for fact in fact_queries.facts_of_any_state(context.view, ids)]


def _load_facts_before(context: CheckContext, ids: Collection[FactId], checked: int) -> list[Relation]:
    """These facts before they changed: a merge moves ends, an undo removes facts."""
    facts = fact_queries.facts_of_any_state(context.view.at(checked), ids)
    return [relation_of(fact, context.lore.symmetric) for fact in facts]


def _load_facts_of(context: CheckContext, entities: Collection[EntityId]) -> list[Relation]:
    return [relation_of(fact, context.lore.symmetric) for fact in fact_queries.facts_at(context.view, entities)]


def _visible_relations(context: CheckContext, relations: Iterable[Relation]) -> list[Relation]:
    """The relations that rules and readers can see."""
    return context.lore.with_live_ends(
        each
        for each in relations
        if not each.fact.stale and not each.fact.is_retracted and not each.fact.is_alias and each.name != TOLD_OF
    )


def _changed_entities(
    change: Change, entities: Collection[EntityId], checked: int
) -> tuple[set[EntityId], set[EntityId]]:
    """The entities that changed, and of these, those that came or went."""
    if not entities:
        return set(), set()
    before, now = change.at(checked).entities(entities), change.entities(entities)
    changed = {
        each for each in entities if each not in before or each not in now or _are_different(before[each], now[each])
    }
    changed |= change.touched.to_recheck
    return changed, {each for each in changed if is_live_entity(before.get(each)) != is_live_entity(now.get(each))}


def _are_different(one: Entity, other: Entity) -> bool:
    return (one.type, one.name, one.properties, one.merged_into, one.deleted) != (
        other.type,
        other.name,
        other.properties,
        other.merged_into,
        other.deleted,
    )


def _dated_entities(relation: Relation) -> tuple[EntityId, ...]:
    if relation.name in OBJECT_DATING_RELATIONS:
        return (relation.object or relation.subject,)
    return (relation.subject,) if relation.name in EXISTENCE_RELATIONS | EVENT_TIME_RELATIONS else ()


def _relations_of_open_cycles(context: CheckContext, facts: Collection[FactId]) -> list[Relation]:
    """Relations of open cycles through these facts: a cycle may have a new shortcut."""
    lists = relations_of_open_findings(context.view, CYCLE, facts)
    return _load_facts(context, {FactId(each) for ids in lists for each in json.loads(ids)})


def _claims_about_moved_places(context: CheckContext, relations: Iterable[Relation]) -> list[Relation]:
    """Disputed relations that a change of containment may decide: those of every place below the moved ones.

    Claims about two places agree while one is part of the other, over however many steps.
    """
    moved = {each.subject for each in relations if each.name == "part_of"}
    facts = fact_queries.disputed_facts_at(context.view, places_within(context.lore, moved, None))
    return [relation_of(fact, context.lore.symmetric) for fact in facts]


def _ends_by_relation(relations: Iterable[Relation]) -> dict[str, frozenset[EntityId]]:
    """By relation, the entities at its ends."""
    found: dict[str, set[EntityId]] = {}
    for relation in relations:
        found.setdefault(relation.name, set()).update(relation.ends)
    return {name: frozenset(ends) for name, ends in found.items()}


_NOTE_KEY = "checks"


class _CheckedChange(NamedTuple):
    """How much the change had touched when it was last checked, and the findings that changed."""

    size: tuple[int, int]
    outcome: FindingChanges


def check_change(memory: Memory, change: Change) -> None:
    """Open and resolve findings for what a change touched, once the initial scan has begun."""
    noted: _CheckedChange | None = change.notes.get(_NOTE_KEY)
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
    """The facts asserted by the documents that a change touched, since their reliability may have changed."""
    return {each.fact for document in change.touched.documents for each in change.assertions_from(document)}


def _enqueue_custom_rules(change: Change, rules: Mapping[str, WorkspaceRule]) -> None:
    """Queue the custom rules: they may depend on the present or on confidence."""
    if any(not rule.built_in and rule.enabled for rule in rules.values()):
        enqueue_rules_job(change, change.last_tx)


def record_changes(change: Change, outcome: FindingChanges) -> None:
    """Add findings that a change opened and resolved itself to its results."""
    noted: _CheckedChange | None = change.notes.get(_NOTE_KEY)
    change.notes[_NOTE_KEY] = _CheckedChange(
        _touched_counts(change), outcome if noted is None else noted.outcome.merge(outcome)
    )


def finding_changes_of(change: Change) -> FindingChanges:
    """The findings that a change has opened and resolved so far."""
    noted: _CheckedChange | None = change.notes.get(_NOTE_KEY)
    return FindingChanges() if noted is None else noted.outcome


def _check_touched(memory: Memory, change: Change, rules: Mapping[str, WorkspaceRule]) -> FindingChanges:
    context = CheckContext(change)
    region = affected_by(change, context, last_checked_tx(change))
    examined = check_region(context, region, rules.values())
    named = examined.parts.union(*examined.by_rule.values())
    gone = [
        id_
        for id_, rule, parts in find_open_naming(change, named)
        if id_ not in examined.found and rule in definitions_by_id() and examined.covers(rule, parts)
    ]
    store = FindingStore(change)
    opened = store.open_or_update(examined.found.values())
    store.resolve(gone)
    save_last_checked_tx(change, store.tx)
    _enqueue_custom_rules(change, rules)
    if opened or gone:
        tally = RunTally(len(region.entities), len(region.relations), len(opened), len(gone))
        report = RunReport("incremental", "touched", tally, memory.clock.now())
        store_run(change, report, rules, count_findings(change, examined.found.values()))
    return FindingChanges(tuple(opened), tuple(gone))
