"""Full and scoped runs, and the initial scan that checks the whole world once, page by page."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from recollect.errors import Unavailable
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.progress import Progress
from recollect.reason.checks.check_context import CheckContext
from recollect.reason.checks.check_runner import AffectedRegion, check_page, check_region
from recollect.reason.checks.custom_rules import (
    enabled_custom_rules,
    rule_limits_of,
    run_custom_rules,
    run_pending_rules,
    try_custom_rule,
)
from recollect.reason.checks.engine_state import (
    begin_initial_scan,
    begin_round,
    finish_initial_scan,
    finish_rules_job,
    initial_scan_position,
    is_initial_scan_done,
    is_watching,
    pending_rules_job,
    save_initial_scan_position,
)
from recollect.reason.checks.findings import Finding, FindingId, FindingStore, find_open_naming
from recollect.reason.checks.rule_catalogue import WorkspaceRule, load_rules
from recollect.reason.checks.run_records import (
    RunReport,
    RunResult,
    RunTally,
    count_findings,
    first_violations,
    open_violations,
    store_run,
)
from recollect.reason.lore.relation import Relation, relation_of
from recollect.reason.rules.graph import TOLD_OF
from recollect.store import entity_queries, fact_queries
from recollect.store.change import Change
from recollect.store.finding_queries import unchecked_findings
from recollect.store.view import View
from recollect.when.period import Time, holds

PAGE_SIZE = 300
SCAN_PAGE_SIZE = 50
RELATIONS_PER_ENTITY = 10
"""A page has at most this many relations per entity on average, or a single entity."""
RESOLVE_BATCH_SIZE = 1_000
SMALL_WORLD_ENTITIES = 15_000
"""A world of at most this many entities is scanned by the first call that needs its findings."""
SCAN_SECONDS = 0.25
"""Seconds that each call spends on the initial scan of a larger one."""


ScanEffort = Literal["look", "follow", "none"]
"""What a call does in a large world that is not scanned yet: scan for a while, only follow changes, or nothing."""


def ensure_initial_scan(memory: Memory, effort: ScanEffort = "look") -> bool:
    """Whether all findings are known; a small world is scanned on the spot.

    A larger one is scanned in slices, each from where the last one stopped, by calls and by the background jobs.
    """
    with memory.read() as view:
        if is_initial_scan_done(view):
            return True
        is_large, is_followed = _is_large(view), is_watching(view)
    if not is_large or effort == "look":
        return continue_initial_scan(memory, SCAN_SECONDS if is_large else None)
    if effort == "follow" and not is_followed:
        _start_watching(memory)
    return False


def watch_if_large(memory: Memory) -> bool:
    """Whether writes are checked at once from here on; a small world is faster to check as a whole afterwards."""
    with memory.read() as view:
        is_large, is_followed = _is_large(view), is_watching(view)
    if is_large and not is_followed:
        _start_watching(memory)
    return is_large or is_followed


def _is_large(view: View) -> bool:
    return entity_queries.has_more_entities_than(view, SMALL_WORLD_ENTITIES)


def _start_watching(memory: Memory) -> None:
    with memory.write() as change:
        begin_initial_scan(change)


def is_initial_scan_running(memory: Memory) -> bool:
    """Whether the initial scan has begun and is not finished."""
    with memory.read() as view:
        return is_watching(view) and not is_initial_scan_done(view)


def continue_initial_scan(memory: Memory, seconds: float | None) -> bool:
    """Continue the initial scan for so many seconds or to the end; whether the end was reached."""
    until = None if seconds is None else time.monotonic() + seconds
    tally = RunTally()
    with memory.write() as change:
        begin_initial_scan(change)
        after: str | None = initial_scan_position(change)
    while after is not None:
        with memory.write() as change:
            after = _check_next_page(change, after, load_rules(change).values(), tally, SCAN_PAGE_SIZE)
            if after is not None:
                save_initial_scan_position(change, after)
        if after is not None and until is not None and time.monotonic() > until:
            return False
    _check_graph_cycles(memory, tally)
    run_custom_rules(memory, tally)
    with memory.write() as change:
        finish_initial_scan(change)
    return True


def refresh_findings(memory: Memory, effort: ScanEffort = "look") -> bool:
    """Update the findings before a read, if the store is writable; whether all are known."""
    try:
        is_complete = ensure_initial_scan(memory, effort)
        run_pending_rules(memory)
    except Unavailable:
        with memory.read() as view:
            return is_initial_scan_done(view)
    return is_complete


def run_full_check(memory: Memory) -> RunResult:
    """A full run, page by page in short transactions, so that it blocks no writer.

    Every open finding that it does not find again is resolved at the end.
    """
    tally, started = RunTally(), memory.clock.now()
    with memory.write() as change:
        begin_initial_scan(change)
        round_, queued, rules = begin_round(change), pending_rules_job(change), load_rules(change)
        total = change.counts()["entities"]
    after: str | None = ""
    while after is not None:
        with memory.write() as change:
            after = _check_next_page(change, after, rules.values(), tally, PAGE_SIZE)
        memory.report_progress(Progress(tally.entities, max(total, tally.entities), "entities"))
    _check_graph_cycles(memory, tally)
    custom = [rule.id for rule in rules.values() if not rule.built_in]
    while _resolve_unseen(memory, round_, custom, tally):
        pass
    run_custom_rules(memory, tally)
    with memory.write() as change:
        finish_initial_scan(change)
        if queued is not None:
            finish_rules_job(change, queued)
        run = store_run(change, RunReport("full", "all", tally, started), rules)
        violations = open_violations(change)
    return RunResult(run, violations, tuple(tally.first_opened), tuple(tally.first_resolved))


def _check_graph_cycles(memory: Memory, tally: RunTally) -> None:
    # Imported here because it loads numpy, which reading findings does not need.
    from recollect.reason.checks.graph_cycles import check_graph_cycles

    check_graph_cycles(memory, tally)


def _check_next_page(
    change: Change, after: str, rules: Iterable[WorkspaceRule], tally: RunTally, size: int
) -> str | None:
    """Check the next entities and the relations that start at them; returns the position, none at the end."""
    ahead = entity_queries.entities_after(change, after, size)
    if not ahead:
        return None
    context = CheckContext(change)
    entities = _limit_by_relations(change, ahead, size * RELATIONS_PER_ENTITY)
    context.lore.cache_entities(*entities)
    relations = relations_starting_at(context, [entity.id for entity in entities])
    tally.entities, tally.relations = tally.entities + len(entities), tally.relations + len(relations)
    tally.add(FindingStore(change).open_or_update(check_page(context, entities, relations, rules)))
    return entities[-1].id if len(entities) == size or len(entities) < len(ahead) else None


def _limit_by_relations(change: Change, entities: list[Entity], most: int) -> list[Entity]:
    """The first entities that have at most so many relations together, and at least one."""
    sizes = fact_queries.count_facts_of_subjects(change, [each.id for each in entities])
    sums = accumulate(sizes.get(each.id, 0) for each in entities)
    return entities[: max(1, sum(each <= most for each in sums))]


def relations_starting_at(context: CheckContext, entities: list[EntityId]) -> list[Relation]:
    """The live relations that are stored with one of these as their subject."""
    facts = fact_queries.live_facts_of_subjects(context.view, entities)
    relations = (relation_of(fact, context.lore.symmetric) for fact in facts)
    return context.lore.with_live_ends(each for each in relations if each.name != TOLD_OF)


def _resolve_unseen(memory: Memory, round_: str, custom: list[str], tally: RunTally) -> bool:
    """Resolve a batch of the findings that a run did not find again; whether there may be more."""
    with memory.write() as change:
        unseen = [FindingId(each) for each in unchecked_findings(change, round_, custom, RESOLVE_BATCH_SIZE)]
        FindingStore(change).resolve(unseen)
    tally.add((), unseen)
    return len(unseen) == RESOLVE_BATCH_SIZE


@dataclass(frozen=True, slots=True)
class CheckScope:
    """The scope of a run: an entity and its neighbours, or what holds at a time."""

    text: str
    entity: EntityId | None = None
    time: Time | None = None


@dataclass(frozen=True, slots=True)
class _ScopeContents:
    """The entities and relations of a scope."""

    entities: frozenset[EntityId]
    relations: tuple[Relation, ...]

    def holds(self, named: Iterable[str]) -> bool:
        return self.all >= frozenset(named)

    @property
    def all(self) -> frozenset[str]:
        return frozenset((*self.entities, *(each.id for each in self.relations)))


def run_scoped_check(memory: Memory, scope: CheckScope) -> RunResult:
    """Check a scope and store the run."""
    started, tally = memory.clock.now(), RunTally()
    with memory.read() as view:
        rules = load_rules(view)
        custom = _run_rules_in_scope(memory, view, _load_scope(CheckContext(view), scope), rules.values(), tally)
    with memory.write() as change:
        context = CheckContext(change)
        part = _load_scope(context, scope)
        found = _check_contents(context, part, rules.values()) | custom
        failed = {each["rule_id"] for each in tally.errors}
        open_before = [
            (id_, rule)
            for id_, rule, named in find_open_naming(change, part.all)
            if part.holds(named) and rule not in failed
        ]
        gone = [id_ for id_, _ in open_before if id_ not in found]
        store = FindingStore(change)
        tally.add(store.open_or_update(found.values()), gone)
        store.resolve(gone)
        tally.entities, tally.relations = len(part.entities), len(part.relations)
        report = RunReport("scoped", scope.text, tally, started)
        run = store_run(change, report, rules, count_findings(change, found.values()))
    violations = first_violations(found.values())
    return RunResult(run, violations, tuple(tally.first_opened), tuple(tally.first_resolved))


def _load_scope(context: CheckContext, scope: CheckScope) -> _ScopeContents:
    if scope.entity is not None:
        own = context.lore.relations_of([scope.entity])
        entities = frozenset((scope.entity, *(end for each in own for end in each.ends)))
        between = context.lore.relations_of(sorted(entities))
        return _ScopeContents(entities, tuple(each for each in between if entities.issuperset(each.ends)))
    relations = tuple(_relations_holding_at(context, scope.time)) if scope.time is not None else ()
    return _ScopeContents(frozenset(end for each in relations for end in each.ends), relations)


def _relations_holding_at(context: CheckContext, time: Time) -> Iterable[Relation]:
    for page in context.graph.edges(None):
        intervals = context.lore.intervals(page)
        yield from (each for each in page if holds(intervals[each.id], time))


def _check_contents(context: CheckContext, part: _ScopeContents, rules: Iterable[WorkspaceRule]) -> dict[str, Finding]:
    live = context.lore.entities(part.entities)
    ends: dict[str, frozenset[EntityId]] = {"": part.entities}
    region = AffectedRegion(
        part.relations, tuple(live.values()), frozenset(each.id for each in part.relations), ends=ends
    )
    found = check_region(context, region, rules).found
    return {id_: each for id_, each in found.items() if part.holds((*each.nodes, *each.relations))}


def _run_rules_in_scope(
    memory: Memory, view: View, part: _ScopeContents, rules: Iterable[WorkspaceRule], tally: RunTally
) -> dict[str, Finding]:
    found: dict[str, Finding] = {}
    limits = rule_limits_of(memory.settings)
    for rule in enabled_custom_rules(rules):
        ran = try_custom_rule(view, rule, limits, tally)
        if ran is not None:
            found |= {each.id: each for each in ran.findings if part.holds((*each.nodes, *each.relations))}
    return found
