"""Queries of the consistency engine's results: findings, flags, rules and runs."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.model.ids import EntityId
from recollect.model.page import ResultPage
from recollect.store.change import Change
from recollect.store.rows import page_of
from recollect.store.tables import FLAG, RULE
from recollect.store.view import View
from recollect.when.instant import Instant

FindingState = Literal["open", "resolved"]
FindingStatus = Literal["open", "resolved", "all"]


class FindingRow(NamedTuple):
    """One version of a finding; `nodes`, `relations` and `details` are JSON."""

    id: str
    tx_from: int
    tx_to: int
    rule: str
    category: str
    severity: str
    nodes: str
    relations: str
    message: str
    details: str
    detected_at: Instant
    resolved_at: Instant | None


class OpenFindingParts(NamedTuple):
    """An open finding and what it names; `nodes` and `relations` are JSON."""

    id: str
    rule: str
    tx_from: int
    nodes: str
    relations: str


class RuleCount(NamedTuple):
    """How many findings of a rule are open, and how many of these are flagged."""

    rule: str
    category: str
    severity: str
    open: int
    flagged: int


@dataclass(frozen=True, slots=True)
class FindingQuery:
    """Which findings a list asks for: some rules, or else some categories; `detail` is a word in their details."""

    categories: Collection[str] = ()
    rules: Collection[str] = ()
    status: FindingStatus = "open"
    severity: str | None = None
    include_flagged: bool = False
    about: EntityId | None = None
    detail: str | None = None


def open_findings_by_id(view: View, ids: Collection[str]) -> list[FindingRow]:
    return view.fetch(FindingRow, "findings_by_id", ids=sorted(ids)) if ids else []


def latest_finding(view: View, id_: str) -> FindingRow | None:
    """The latest version of a finding, open or resolved."""
    return view.fetch_one(FindingRow, "finding_latest", id=id_)


def finding_versions_naming(view: View, part: str) -> list[FindingRow]:
    """Every version of the findings that name an entity or fact."""
    return view.fetch(FindingRow, "findings_with_part", part=part)


def findings_naming(view: View, parts: Collection[str]) -> list[FindingRow]:
    """The findings, open as of the view, that name one of these entities or facts."""
    return view.fetch(FindingRow, "findings_known_with", parts=sorted(parts))


def open_findings_naming(view: View, parts: Collection[str]) -> list[OpenFindingParts]:
    """The findings open now that name one of these entities or facts."""
    return view.fetch(OpenFindingParts, "findings_open_with", parts=sorted(parts)) if parts else []


def open_findings_of_rule(view: View, rule: str) -> list[str]:
    """The ids of the open findings of a rule."""
    return view.fetch_values("findings_of_rule", rule=rule)


def relations_of_open_findings(view: View, rule: str, parts: Collection[str]) -> list[str]:
    """The relations, as JSON, of the open findings of a rule that name one of these."""
    return view.fetch_values("findings_of_rule_with", rule=rule, parts=sorted(parts)) if parts else []


def unchecked_findings(view: View, round_: str, rules: Collection[str], limit: int) -> list[str]:
    """The ids of open findings last checked before a round, without those of some rules."""
    parameters = {"marker": round_, "except": sorted(rules), "limit": limit}
    return view.fetch_values("findings_left", **parameters)


def list_findings(view: View, state: FindingState, wanted: FindingQuery, limit: int) -> ResultPage[FindingRow]:
    """The first findings of a state, errors and newest first."""
    by, chosen = ("of", wanted.rules) if wanted.rules else ("in", wanted.categories)
    parameters = {
        "chosen": sorted(chosen),
        "severity": wanted.severity or "",
        "detail": f'%"{wanted.detail}"%' if wanted.detail else "",
        "flagged": int(wanted.include_flagged),
    }
    return page_of(view.rows(f"findings_{state}_{by}", limit=limit, **parameters), FindingRow._make)


def count_open_findings(view: View) -> list[RuleCount]:
    return [
        RuleCount(rule, category, severity, int(open_), int(flagged))
        for rule, category, severity, open_, flagged in view.rows("findings_counted")
    ]


class FindingVersion(NamedTuple):
    """A version of a finding as it is written; `nodes`, `relations` and `details` are JSON."""

    id: str
    tx: int
    rule: str
    category: str
    severity: str
    nodes: str
    relations: str
    message: str
    details: str
    at: Instant
    checked: str


def open_findings(change: Change, versions: Iterable[FindingVersion]) -> None:
    change.run_many("finding_open", [each._asdict() for each in versions])


def index_finding_parts(change: Change, parts: Iterable[tuple[str, str]]) -> None:
    """Make findings retrievable by what they name; given as pairs of part and finding."""
    change.run_many("finding_part_add", [{"part": part, "finding": finding} for part, finding in parts])


def end_finding_version(change: Change, id_: str, tx: int) -> None:
    change.run("finding_version_end", id=id_, tx=tx)


def mark_findings_checked(change: Change, ids: Collection[str], round_: str) -> None:
    change.run("findings_checked", ids=sorted(ids), checked=round_)


def resolve_findings(change: Change, ids: Iterable[str], tx: int) -> None:
    change.run_many("finding_resolve", [{"id": each, "tx": tx, "at": change.now} for each in ids])


FlagKind = Literal["entity", "relation", "document", "violation"]


class Flag(NamedTuple):
    """A mark for review on something, by its id, or a decision on a question of review."""

    node: str
    kind: str
    reason: str
    flagged_by: str
    flagged_at: Instant


def flags_on(view: View, nodes: Collection[str]) -> list[Flag]:
    return view.fetch(Flag, "flags_of", nodes=sorted(nodes)) if nodes else []


def flags_of_kind(view: View, kind: FlagKind) -> list[Flag]:
    """The flags on things of a kind, oldest first."""
    return view.fetch(Flag, "flags_of_kind", kind=kind)


def put_flag(change: Change, flag: Flag) -> None:
    change.put_row(FLAG, (flag.node,), *flag[1:])


def end_flag(change: Change, node: str) -> None:
    change.end_row(FLAG, (node,))


class RuleRow(NamedTuple):
    """A version of a rule; a starter rule has neither text nor description of its own."""

    id: str
    cypher: str | None
    description: str | None
    severity: str
    enabled: int
    min_confidence: float
    deleted: str | None


def rules_of(view: View) -> list[RuleRow]:
    """The rules that the workspace added or changed, by id."""
    return [RuleRow(id_, *rest) for id_, _, *rest in view.rows("ontology_rules")]


def put_rule(change: Change, rule: RuleRow) -> None:
    change.put_row(RULE, (rule.id,), *rule[1:])


def rules_changed_by(change: Change) -> set[str]:
    """The rules that have a version begun or ended by this change."""
    begun = change.connection.begun_by(RULE, change.ws, change.tx)
    ended = change.connection.ended_by(RULE, change.ws, change.tx)
    return {row[1] for row in (*begun, *ended)}


def add_run(change: Change, id_: str, kind: str, tx: int, value: str) -> None:
    change.run("check_run_add", id=id_, kind=kind, tx=tx, value=value)


def latest_run(view: View, *, incremental: bool) -> str | None:
    """The latest run as JSON; incremental runs count only if asked for."""
    return view.fetch_text("check_run_latest", incremental=int(incremental))


def open_findings_by_rule(view: View) -> dict[str, int]:
    """The number of open findings of each rule that has any."""
    counts: dict[str, int] = {}
    for rule, _, _, count, _ in view.rows("findings_counted"):
        counts[rule] = counts.get(rule, 0) + int(count)
    return counts


def check_state(view: View, key: str) -> str | None:
    return view.fetch_text("check_state", key=key)


def put_check_state(change: Change, key: str, value: str) -> None:
    change.run("check_state_put", key=key, value=value)
