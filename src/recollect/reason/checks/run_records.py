"""Records of runs: what a run checked, opened and resolved, with totals by rule."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from recollect.reason.checks.findings import (
    Finding,
    FindingId,
    StoredFinding,
    find_flags,
    format_run_id,
    list_findings,
)
from recollect.reason.checks.rule_catalogue import CHECKS, PLAUSIBILITY_CHECKS, WorkspaceRule
from recollect.store import finding_queries
from recollect.store.change import Change
from recollect.store.finding_queries import FindingQuery, RuleCount
from recollect.store.view import View
from recollect.when.instant import Instant, format_instant

MAX_NAMED = 50
RunKind = Literal["full", "scoped", "incremental"]
_TOTALS = {
    "contradiction": "contradictions",
    "anachronism": "anachronisms",
    "ontology": "ontology_violations",
    "orphan": "orphans",
}


@dataclass(slots=True)
class RunTally:
    """What a run checked, opened and resolved; the first findings opened and resolved by name."""

    entities: int = 0
    relations: int = 0
    opened: int = 0
    resolved: int = 0
    errors: list[dict[str, str]] = field(default_factory=list)
    first_opened: list[Finding] = field(default_factory=list)
    first_resolved: list[FindingId] = field(default_factory=list)

    def add(self, opened: Sequence[Finding], resolved: Sequence[FindingId] = ()) -> None:
        """Count findings that were opened and resolved."""
        self.opened, self.resolved = self.opened + len(opened), self.resolved + len(resolved)
        self.first_opened += opened[: MAX_NAMED - len(self.first_opened)]
        self.first_resolved += resolved[: MAX_NAMED - len(self.first_resolved)]


@dataclass(frozen=True, slots=True)
class RunResult:
    """A run as stored, the first findings that are open in its scope, and the first that it opened and resolved."""

    run: dict[str, Any]
    violations: tuple[Finding | StoredFinding, ...]
    opened: tuple[Finding, ...]
    resolved: tuple[FindingId, ...]


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run: its kind, scope, results and start."""

    kind: RunKind
    scope: str
    tally: RunTally
    started_at: Instant


def store_run(
    change: Change, report: RunReport, rules: Mapping[str, WorkspaceRule], counted: list[RuleCount] | None = None
) -> dict[str, Any]:
    """Store a run; `counted` are the open findings in its scope, all of them by default."""
    counts = finding_queries.count_open_findings(change) if counted is None else counted
    id_ = change.new_id()
    value = {"run_id": format_run_id(id_), **_summarize_run(report, rules, counts, change)}
    finding_queries.add_run(change, id_, report.kind, change.last_tx, json.dumps(value, ensure_ascii=False))
    return value


def open_violations(view: View) -> tuple[StoredFinding, ...]:
    """The first open findings of the workspace, flagged ones too, errors first; orphans are only counted."""
    wanted = FindingQuery(["contradiction", "anachronism", "ontology"], include_flagged=True)
    return tuple(each.finding for each in list_findings(view, wanted, MAX_NAMED).items)


def first_violations(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The same of some findings."""
    kept = [each for each in findings if each.category != "orphan"]
    return tuple(sorted(kept, key=lambda each: (each.severity != "error", each.id))[:MAX_NAMED])


def count_findings(change: Change, findings: Iterable[Finding]) -> list[RuleCount]:
    """How many of these findings there are of each rule, and how many of them are flagged."""
    given = list(findings)
    flags = find_flags(change, [each.id for each in given])
    total = Counter((each.rule, each.category, each.severity) for each in given)
    flagged = Counter((each.rule, each.category, each.severity) for each in given if each.id in flags)
    return [RuleCount(*key, count, flagged[key]) for key, count in total.items()]


def _summarize_run(
    report: RunReport, rules: Mapping[str, WorkspaceRule], counted: list[RuleCount], change: Change
) -> dict[str, Any]:
    tally, now = report.tally, change.now
    checks = len(CHECKS) - (len(PLAUSIBILITY_CHECKS) if change.world.timeline.is_fictional else 0)
    open_now = sum(each.open for each in counted)
    return {
        "kind": report.kind,
        "scope": report.scope,
        "started_at": format_instant(report.started_at),
        "finished_at": format_instant(now),
        "duration_ms": max(0, (now - report.started_at) // 1000),
        "entities_checked": tally.entities,
        "relations_checked": tally.relations,
        "rules_run": checks + sum(rule.enabled for rule in rules.values()),
        "rules_disabled": [rule.id for rule in rules.values() if not rule.enabled],
        "totals": {name: _sum_open(counted, "category", category) for category, name in _TOTALS.items()},
        "by_severity": {severity: _sum_open(counted, "severity", severity) for severity in ("error", "warn")},
        "by_rule": {rule: _sum_open(counted, "rule", rule) for rule in sorted({each.rule for each in counted})},
        "opened": tally.opened,
        "resolved": tally.resolved,
        "unchanged": max(0, open_now - tally.opened),
        "flagged": sum(each.flagged for each in counted),
        "complete": not tally.errors,
        "errors": tally.errors,
    }


def _sum_open(counted: list[RuleCount], field: str, value: str) -> int:
    return sum(each.open for each in counted if getattr(each, field) == value)


def find_latest_run(view: View, *, incremental: bool) -> dict[str, Any] | None:
    """The most recent run known to the view."""
    value = finding_queries.latest_run(view, incremental=incremental)
    return None if value is None else dict(json.loads(value))
