"""Records of runs: what a run checked, opened and resolved, with totals by rule."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from recollect.model.ids import read_id
from recollect.reason.checks.findings import RUN_PREFIX, Finding, FindingId, format_run_id
from recollect.reason.checks.rule_catalogue import CHECKS, PLAUSIBILITY_CHECKS, WorkspaceRule
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import Instant, format_instant

MAX_NAMED = 50
RunKind = Literal["full", "scoped", "incremental"]
RuleCount = tuple[str, str, str, int, int]  # rule, category, severity, open ones, flagged ones among them
_TOTALS = {
    "contradiction": "contradictions",
    "anachronism": "anachronisms",
    "ontology": "ontology_violations",
    "orphan": "orphans",
}


@dataclass(slots=True)
class RunTally:
    """What a run has looked at and done; the first of what it opened and resolved by name."""

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
    """A run as it is kept, and the first of the findings that it opened and resolved."""

    run: dict[str, Any]
    opened: tuple[Finding, ...]
    resolved: tuple[FindingId, ...]


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run: of what kind, over what, what it did, and when it began."""

    kind: RunKind
    scope: str
    tally: RunTally
    started_at: Instant


def store_run(
    change: Change, report: RunReport, rules: Mapping[str, WorkspaceRule], counted: list[RuleCount] | None = None
) -> dict[str, Any]:
    """Keep a run; `counted` are the open findings in its scope, without which all are counted."""
    found = [_rule_count_of(row) for row in change.rows("findings_counted")] if counted is None else counted
    id_ = change.new_id()
    value = {"run_id": format_run_id(id_), **_summarize_run(report, rules, found, change)}
    tx = change.tx if change.has_changed else change.last_tx
    row = {"ws": change.ws, "id": id_, "kind": report.kind, "tx": tx, "value": json.dumps(value, ensure_ascii=False)}
    change.connection.run("check_run_add", row)
    return value


def count_findings(change: Change, findings: Iterable[Finding]) -> list[RuleCount]:
    """How many of these findings there are of each rule, and how many of them are flagged."""
    given = list(findings)
    flagged = {row[0] for row in change.rows("flags_of", nodes=[each.id for each in given])} if given else set()
    counts: dict[tuple[str, str, str], list[int]] = {}
    for each in given:
        held = counts.setdefault((each.rule, each.category, each.severity), [0, 0])
        held[0] += 1
        held[1] += each.id in flagged
    return [(*key, number, marked) for key, (number, marked) in counts.items()]


def _rule_count_of(row: tuple[Any, ...]) -> RuleCount:
    return row[0], row[1], row[2], int(row[3]), int(row[4])


def _summarize_run(
    report: RunReport, rules: Mapping[str, WorkspaceRule], counted: list[RuleCount], change: Change
) -> dict[str, Any]:
    tally, now = report.tally, change.now
    checks = len(CHECKS) - (len(PLAUSIBILITY_CHECKS) if change.world.timeline.is_fictional else 0)
    open_now = sum(each[3] for each in counted)
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
        "totals": {name: _sum_counts(counted, 1, category) for category, name in _TOTALS.items()},
        "by_severity": {severity: _sum_counts(counted, 2, severity) for severity in ("error", "warn")},
        "by_rule": {rule: _sum_counts(counted, 0, rule) for rule in sorted({each[0] for each in counted})},
        "opened": tally.opened,
        "resolved": tally.resolved,
        "unchanged": max(0, open_now - tally.opened),
        "flagged": sum(each[4] for each in counted),
        "complete": not tally.errors,
        "errors": tally.errors,
    }


def _sum_counts(counted: list[RuleCount], column: int, value: str) -> int:
    return sum(each[3] for each in counted if each[column] == value)


def find_latest_run(view: View, *, incremental: bool) -> dict[str, Any] | None:
    """The most recent run known to the view."""
    found = view.rows("check_run_latest", incremental=int(incremental))
    return None if not found else dict(json.loads(found[0][0]))


def is_run_known(view: View, run: str) -> bool:
    return bool(view.rows("check_run_by_id", id=read_id(run, RUN_PREFIX)))
