"""Custom rules: running them within limits, saving, deleting and restoring them, with their findings."""

from collections.abc import Iterable
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
from recollect.store import finding_queries
from recollect.store.change import Change
from recollect.store.finding_queries import RuleRow
from recollect.store.view import View

SECONDS_SETTING = "lore_engine.rule_seconds"


@dataclass(frozen=True, slots=True)
class RuleRun:
    """The findings of a rule over the whole world."""

    findings: tuple[Finding, ...]
    count: int
    warnings: tuple[str, ...] = ()

    @property
    def is_truncated(self) -> bool:
        return self.count > len(self.findings)


def rule_limits_of(settings: Settings) -> RuleLimits:
    """The limits of one rule, by the settings."""
    given = settings.get(SECONDS_SETTING)
    try:
        return RuleLimits(DEFAULT_SECONDS if given is None else float(given))
    except (TypeError, ValueError):
        raise BadSetting(SECONDS_SETTING, given, "a number of seconds") from None


def run_custom_rule(view: View, rule: WorkspaceRule, limits: RuleLimits) -> RuleRun:
    """Run a rule over the world; raises if the rule is invalid or exceeds its limits."""
    context = CheckContext(view)
    parsed = compile_rule(rule.definition.cypher or "", context.lore.world.read)
    found = collect_violations(parsed, context.graph, limits)
    findings = [
        violation_finding(context, rule.definition, violation)
        for violation in found.items
        if is_confident_enough(context, rule, violation.relations)
    ]
    beyond = found.total - len(found.items)
    return RuleRun(tuple(findings), len(findings) + beyond, tuple(find_unused_names(parsed, context.graph)))


def enabled_custom_rules(rules: Iterable[WorkspaceRule]) -> list[WorkspaceRule]:
    return [rule for rule in rules if rule.enabled and not rule.built_in]


def try_custom_rule(view: View, rule: WorkspaceRule, limits: RuleLimits, tally: RunTally) -> RuleRun | None:
    """Run a rule over the world; if it fails, note the error in the tally."""
    try:
        return run_custom_rule(view, rule, limits)
    except RecollectError as problem:
        tally.errors.append({"rule_id": rule.id, "error": problem.code, "message": str(problem)})
        return None


def store_rule_findings(change: Change, rule: str, findings: tuple[Finding, ...]) -> FindingChanges:
    """Open what a rule found and resolve what it no longer finds."""
    store = FindingStore(change)
    found = {finding.id for finding in findings}
    gone = [FindingId(each) for each in finding_queries.open_findings_of_rule(change, rule) if each not in found]
    opened = store.open_or_update(findings)
    store.resolve(gone)
    return FindingChanges(tuple(opened), tuple(gone))


def run_custom_rules(memory: Memory, tally: RunTally) -> None:
    """Run every custom rule and count what that opened and resolved, and which rules failed.

    A rule that fails resolves nothing. Findings of rules that are deleted or disabled are resolved.
    """
    with memory.read() as view:
        rules = load_rules(view)
        open_rules = {each.rule for each in finding_queries.count_open_findings(view)}
    limits = rule_limits_of(memory.settings)
    for rule in enabled_custom_rules(rules.values()):
        with memory.read() as view:
            ran = try_custom_rule(view, rule, limits, tally)
        if ran is not None:
            with memory.write() as change:
                stored = store_rule_findings(change, rule.id, ran.findings)
            tally.add(stored.opened, stored.resolved)
    for stopped in sorted(_find_stopped_rules(rules, open_rules)):
        with memory.write() as change:
            tally.add((), store_rule_findings(change, stopped, ()).resolved)


def _find_stopped_rules(rules: dict[str, WorkspaceRule], open_rules: set[str]) -> set[str]:
    """The rules with open findings that are deleted or disabled."""
    checks = {check.id for check in CHECKS}
    return {each for each in open_rules - checks if each not in rules or not rules[each].enabled}


def run_pending_rules(memory: Memory) -> int:
    """Run the custom rules if something changed since; how many findings were opened or resolved."""
    with memory.read() as view:
        queued = pending_rules_job(view)
    if queued is None:
        return 0
    tally = RunTally()
    run_custom_rules(memory, tally)
    with memory.write() as change:
        finish_rules_job(change, queued)
    return tally.opened + tally.resolved


class RuleBuiltIn(Refused):
    code = "RULE_BUILT_IN"

    def __init__(self, rule: str, field: str) -> None:
        super().__init__(
            f"{rule} is a starter rule: only its severity, enabled and min_confidence can be set", field=field
        )


class RuleFieldMissing(Refused):
    """A new rule without a required field."""

    code = "BAD_INPUT"

    def __init__(self, rule: str, field: str) -> None:
        super().__init__(f"there is no rule {rule!r} yet; a new rule needs {field}", field=field)


class TooManyRules(Conflict):
    code = "CONFLICT"

    def __init__(self) -> None:
        super().__init__(f"there are {MAX_CUSTOM_RULES} custom rules already; delete one first")


@dataclass(frozen=True, slots=True)
class RuleInput:
    """A rule as given by the caller; missing fields stay as they are."""

    id: str
    cypher: str | None = None
    description: str | None = None
    severity: FindingSeverity | None = None
    enabled: bool | None = None
    min_confidence: float | None = None


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule as it is now, whether it is new, and what it found."""

    rule: WorkspaceRule
    created: bool
    changed: bool
    found: int
    truncated: bool = False
    warnings: tuple[str, ...] = ()


def save_rule(memory: Memory, wanted: RuleInput) -> tuple[RuleChange, Change | None]:
    """Add or change a rule, after validating it and running it in a read transaction."""
    with memory.read() as view:
        present, rule = _resolve_input(view, wanted)
        if rule == present:
            return RuleChange(rule, False, False, len(finding_queries.open_findings_of_rule(view, rule.id))), None
        ran = _run_rule(memory, view, rule)
    with memory.write() as change:
        record_changes(change, _store_with_findings(change, rule, ran))
    return _rule_change_of(rule, present is None, ran), change


def save_rule_within(memory: Memory, change: Change, wanted: RuleInput) -> bool:
    """The same inside a transaction of the caller; whether it changed anything."""
    present, rule = _resolve_input(change, wanted)
    if rule == present:
        return False
    _store_with_findings(change, rule, _run_rule(memory, change, rule))
    return True


def _rule_change_of(rule: WorkspaceRule, created: bool, ran: RuleRun) -> RuleChange:
    count = ran.count if rule.enabled else 0
    return RuleChange(rule, created, True, count, rule.enabled and ran.is_truncated, ran.warnings)


def _resolve_input(view: View, wanted: RuleInput) -> tuple[WorkspaceRule | None, WorkspaceRule]:
    rules = load_rules(view)
    present = rules.get(wanted.id)
    if present is None:
        if sum(not rule.built_in for rule in rules.values()) >= MAX_CUSTOM_RULES:
            raise TooManyRules
        definition = RuleDefinition(wanted.id, "ontology", "warn", *_required_fields(wanted))
        return None, _apply_input(WorkspaceRule(definition, built_in=False), wanted)
    if present.built_in:
        for field, given, own in (
            ("cypher", wanted.cypher, present.definition.cypher),
            ("description", wanted.description, present.definition.description),
        ):
            if given is not None and given.strip() != (own or "").strip():
                raise RuleBuiltIn(wanted.id, field)
    return present, _apply_input(present, wanted)


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
    context = CheckContext(view)
    found: dict[str, Finding] = {}
    for violation in find_violations(starter_rules_by_id()[rule.id].rule, context.graph, UNLIMITED_RUN):
        if is_confident_enough(context, rule, violation.relations):
            finding = violation_finding(context, rule.definition, violation)
            found[finding.id] = finding
    return RuleRun(tuple(found.values()), len(found))


def _store_with_findings(change: Change, rule: WorkspaceRule, ran: RuleRun) -> FindingChanges:
    store_rule_version(change, rule)
    return store_rule_findings(change, rule.id, ran.findings if rule.enabled else ())


def store_rule_version(change: Change, rule: WorkspaceRule) -> None:
    """Write a new version of a rule; a starter rule has no text of its own."""
    definition = rule.definition
    cypher, description = (None, None) if rule.built_in else (definition.cypher, definition.description)
    settings = definition.severity, int(rule.enabled), rule.min_confidence, rule.deleted
    finding_queries.put_rule(change, RuleRow(rule.id, cypher, description, *settings))


def delete_rule(change: Change, rule: WorkspaceRule, reason: str) -> int:
    """Delete a custom rule; how many findings that resolved."""
    if rule.built_in:
        raise RuleBuiltIn(rule.id, "id")
    store_rule_version(change, rule._replace(deleted=reason))
    stored = store_rule_findings(change, rule.id, ())
    record_changes(change, stored)
    return len(stored.resolved)


def restore_rule(memory: Memory, change: Change, rule: WorkspaceRule) -> None:
    """Restore a deleted rule and its findings."""
    store_rule_version(change, rule._replace(deleted=None))
    settle_rule(memory, change, rule.id)


def settle_rule(memory: Memory, change: Change, id_: str) -> None:
    """Update the findings of a rule to its current version; none if it is gone. One that fails now is queued."""
    rule = load_rules(change).get(id_)
    try:
        ran = _run_rule(memory, change, rule) if rule is not None and rule.enabled else RuleRun((), 0)
    except RecollectError:
        enqueue_rules_job(change, change.tx)
        return
    record_changes(change, store_rule_findings(change, id_, ran.findings))
