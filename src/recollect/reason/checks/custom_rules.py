"""Custom rules: running them within limits, saving, deleting and restoring them, with their findings."""

from dataclasses import dataclass, replace
from typing import Any

from recollect.errors import Conflict, RecollectError, Refused
from recollect.memory import Memory
from recollect.reason.checks.check_context import CheckContext
from recollect.reason.checks.check_runner import is_confident_enough
from recollect.reason.checks.engine_state import enqueue_rules_job, finish_rules_job, pending_rules_job
from recollect.reason.checks.findings import Finding, FindingChanges, FindingId, FindingSeverity, FindingStore
from recollect.reason.checks.incremental import record_changes
from recollect.reason.checks.rule_catalogue import (
    CHECKS,
    MAX_CUSTOM_RULES,
    RuleDefinition,
    WorkspaceRule,
    load_rules,
    starter_rules_by_id,
)
from recollect.reason.checks.run_records import RunTally
from recollect.reason.checks.starter_rules import UNLIMITED_RUN, violation_finding
from recollect.reason.rules.rule_errors import DEFAULT_SECONDS, RuleLimits
from recollect.reason.rules.rule_runner import collect_violations, compile_rule, find_unused_names, find_violations
from recollect.settings import BadSetting, Settings
from recollect.store.change import Change
from recollect.store.tables import OPEN, RULE
from recollect.store.view import View

SECONDS_SETTING = "lore_engine.rule_seconds"


@dataclass(frozen=True, slots=True)
class RuleRun:
    """What a rule found in the whole world."""

    findings: tuple[Finding, ...]
    count: int
    warnings: tuple[str, ...] = ()

    @property
    def is_truncated(self) -> bool:
        return self.count > len(self.findings)


def rule_limits_of(settings: Settings) -> RuleLimits:
    """How long one rule may run here."""
    given = settings.get(SECONDS_SETTING)
    try:
        return RuleLimits(DEFAULT_SECONDS if given is None else float(given))
    except (TypeError, ValueError):
        raise BadSetting(SECONDS_SETTING, given, "a number of seconds") from None


def run_custom_rule(view: View, rule: WorkspaceRule, limits: RuleLimits) -> RuleRun:
    """Run a rule over the world; whatever is wrong with it is raised."""
    sight = CheckContext(view)
    parsed = compile_rule(rule.definition.cypher or "", sight.lore.world.read)
    found = collect_violations(parsed, sight.graph, limits)
    findings = [
        violation_finding(sight, rule.definition, breach)
        for breach in found.found
        if is_confident_enough(sight, rule, breach.relations)
    ]
    beyond = found.count - len(found.found)
    return RuleRun(tuple(findings), len(findings) + beyond, tuple(find_unused_names(parsed, sight.graph)))


@dataclass(frozen=True, slots=True)
class StoredRuleRun:
    """How many findings of a rule were opened and resolved."""

    opened: tuple[Finding, ...]
    resolved: tuple[FindingId, ...]


def store_rule_findings(change: Change, rule: str, findings: tuple[Finding, ...]) -> StoredRuleRun:
    """Open what a rule found and resolve what it no longer finds."""
    book = FindingStore(change)
    wanted = {finding.id for finding in findings}
    gone = [row[0] for row in change.rows("findings_of_rule", rule=rule) if row[0] not in wanted]
    opened = book.open_or_update(findings)
    book.resolve(gone)
    return StoredRuleRun(tuple(opened), tuple(gone))


def run_custom_rules(memory: Memory, tally: RunTally) -> None:
    """Run every added rule and count what that opened and resolved, and which rules failed.

    A rule that fails resolves nothing. Findings of rules that are gone or switched off are resolved.
    """
    with memory.read() as view:
        rules = load_rules(view)
        open_rules = {row[0] for row in view.rows("findings_counted")}
    limits = rule_limits_of(memory.settings)
    for rule in rules.values():
        if rule.built_in or not rule.enabled:
            continue
        try:
            with memory.read() as view:
                ran = run_custom_rule(view, rule, limits)
        except RecollectError as problem:
            tally.errors.append({"rule_id": rule.id, "error": problem.code, "message": str(problem)})
            continue
        with memory.write() as change:
            kept = store_rule_findings(change, rule.id, ran.findings)
        tally.add(kept.opened, kept.resolved)
    for stopped in sorted(_find_stopped_rules(rules, open_rules)):
        with memory.write() as change:
            tally.add((), store_rule_findings(change, stopped, ()).resolved)


def _find_stopped_rules(rules: dict[str, WorkspaceRule], open_rules: set[str]) -> set[str]:
    """The rules with open findings that are no longer there, or no longer on."""
    checks = {check.id for check in CHECKS}
    return {each for each in open_rules - checks if each not in rules or not rules[each].enabled}


def run_pending_rules(memory: Memory) -> int:
    """Run the added rules if something changed since; how many findings opened or resolved."""
    with memory.read() as view:
        mark = pending_rules_job(view)
    if mark is None:
        return 0
    tally = RunTally()
    run_custom_rules(memory, tally)
    with memory.write() as change:
        finish_rules_job(change, mark)
    return tally.opened + tally.resolved


class RuleBuiltIn(Refused):
    code = "RULE_BUILT_IN"

    def __init__(self, rule: str, field: str) -> None:
        super().__init__(
            f"{rule} is a starter rule: only its severity, enabled and min_confidence can be set", field=field
        )


class RuleFieldMissing(Refused):
    """A new rule without something it cannot do without."""

    code = "BAD_INPUT"

    def __init__(self, rule: str, field: str) -> None:
        super().__init__(f"there is no rule {rule!r} yet, so it needs {field}", field=field)


class TooManyRules(Conflict):
    code = "CONFLICT"

    def __init__(self) -> None:
        super().__init__(f"there are {MAX_CUSTOM_RULES} added rules already; delete one first")


@dataclass(frozen=True, slots=True)
class RuleInput:
    """A rule as somebody gives it; what is missing is kept as it is."""

    id: str
    cypher: str | None = None
    description: str | None = None
    severity: FindingSeverity | None = None
    enabled: bool | None = None
    min_confidence: float | None = None


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule as it now stands, whether it is new, and what it found."""

    rule: WorkspaceRule
    created: bool
    changed: bool
    found: int
    truncated: bool = False
    warnings: tuple[str, ...] = ()


def save_rule(memory: Memory, wanted: RuleInput) -> tuple[RuleChange, Change | None]:
    """Add or change a rule; it is checked, and run where nothing can be written, before that."""
    with memory.read() as view:
        held, rule = _resolve_input(view, wanted)
        if rule == held:
            return RuleChange(rule, False, False, _count_open(view, rule.id)), None
        ran = _run_rule(memory, view, rule)
    with memory.write() as change:
        kept = _store_with_findings(change, rule, ran)
        record_changes(change, FindingChanges(kept.opened, kept.resolved))
    return _rule_change_of(rule, held is None, ran), change


def save_rule_within(memory: Memory, change: Change, wanted: RuleInput) -> bool:
    """The same inside a transaction of somebody else's; whether it changed anything."""
    held, rule = _resolve_input(change, wanted)
    if rule == held:
        return False
    _store_with_findings(change, rule, _run_rule(memory, change, rule))
    return True


def _rule_change_of(rule: WorkspaceRule, created: bool, ran: RuleRun) -> RuleChange:
    count = ran.count if rule.enabled else 0
    return RuleChange(rule, created, True, count, rule.enabled and ran.is_truncated, ran.warnings)


def _resolve_input(view: View, wanted: RuleInput) -> tuple[WorkspaceRule | None, WorkspaceRule]:
    rules = load_rules(view)
    held = rules.get(wanted.id)
    if held is None:
        if sum(not rule.built_in for rule in rules.values()) >= MAX_CUSTOM_RULES:
            raise TooManyRules
        held_known = RuleDefinition(wanted.id, "ontology", "warn", *_required_fields(wanted))
        return None, _apply_input(WorkspaceRule(held_known, built_in=False), wanted)
    if held.built_in:
        for field, given, own in (
            ("cypher", wanted.cypher, held.definition.cypher),
            ("description", wanted.description, held.definition.description),
        ):
            if given is not None and given.strip() != (own or "").strip():
                raise RuleBuiltIn(wanted.id, field)
    return held, _apply_input(held, wanted)


def _required_fields(wanted: RuleInput) -> tuple[str, str]:
    if wanted.cypher is None:
        raise RuleFieldMissing(wanted.id, "cypher")
    if wanted.description is None:
        raise RuleFieldMissing(wanted.id, "description")
    return wanted.description, wanted.cypher


def _apply_input(rule: WorkspaceRule, wanted: RuleInput) -> WorkspaceRule:
    known = rule.definition
    given: dict[str, Any] = {"severity": wanted.severity}
    if not rule.built_in:
        given |= {"cypher": wanted.cypher, "description": wanted.description}
    return rule._replace(
        definition=replace(known, **{key: value for key, value in given.items() if value is not None}),
        enabled=rule.enabled if wanted.enabled is None else wanted.enabled,
        min_confidence=rule.min_confidence if wanted.min_confidence is None else float(wanted.min_confidence),
    )


def _run_rule(memory: Memory, view: View, rule: WorkspaceRule) -> RuleRun:
    if not rule.built_in:
        return run_custom_rule(view, rule, rule_limits_of(memory.settings))
    if not rule.enabled:
        return RuleRun((), 0)
    sight = CheckContext(view)
    found: dict[str, Finding] = {}
    for breach in find_violations(starter_rules_by_id()[rule.id].rule, sight.graph, UNLIMITED_RUN):
        if is_confident_enough(sight, rule, breach.relations):
            finding = violation_finding(sight, rule.definition, breach)
            found[finding.id] = finding
    return RuleRun(tuple(found.values()), len(found))


def _store_with_findings(change: Change, rule: WorkspaceRule, ran: RuleRun) -> StoredRuleRun:
    store_rule_version(change, rule)
    return store_rule_findings(change, rule.id, ran.findings if rule.enabled else ())


def store_rule_version(change: Change, rule: WorkspaceRule) -> None:
    """A new version of a rule."""
    known = rule.definition
    own = (None, None) if rule.built_in else (known.cypher, known.description)
    row = (
        change.ws,
        rule.id,
        change.tx,
        OPEN,
        *own,
        known.severity,
        int(rule.enabled),
        rule.min_confidence,
        rule.deleted,
    )
    change.connection.end(RULE, change.ws, (rule.id,), change.tx)
    change.connection.insert(RULE, [row])


def _count_open(view: View, rule: str) -> int:
    return len(view.rows("findings_of_rule", rule=rule))


def delete_rule(change: Change, rule: WorkspaceRule, reason: str) -> int:
    """Stop an added rule; how many findings that resolved."""
    if rule.built_in:
        raise RuleBuiltIn(rule.id, "id")
    store_rule_version(change, rule._replace(deleted=reason))
    kept = store_rule_findings(change, rule.id, ())
    record_changes(change, FindingChanges(kept.opened, kept.resolved))
    return len(kept.resolved)


def restore_rule(memory: Memory, change: Change, rule: WorkspaceRule) -> None:
    """Bring a deleted rule back with what it finds."""
    store_rule_version(change, rule._replace(deleted=None))
    settle_rule(memory, change, rule.id)


def find_touched_rules(change: Change) -> set[str]:
    """The rules that a change began or ended a version of so far."""
    begun = change.connection.begun_by(RULE, change.ws, change.tx)
    ended = change.connection.ended_by(RULE, change.ws, change.tx)
    return {row[1] for row in (*begun, *ended)}


def settle_rule(memory: Memory, change: Change, id_: str) -> None:
    """Leave open what a rule finds as it stands now, nothing if it is gone; one that cannot run at once runs later."""
    rule = load_rules(change).get(id_)
    try:
        ran = _run_rule(memory, change, rule) if rule is not None and rule.enabled else RuleRun((), 0)
    except RecollectError:
        enqueue_rules_job(change, change.tx)
        return
    kept = store_rule_findings(change, id_, ran.findings)
    record_changes(change, FindingChanges(kept.opened, kept.resolved))
