"""Findings: identity, stored versions, flags, and lists."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal, NamedTuple, NewType, cast

from recollect.model.ids import EntityId, FactId, encode_id, is_id, read_id
from recollect.model.page import ResultPage
from recollect.reason.checks.engine_state import current_round
from recollect.store import finding_queries
from recollect.store.change import Change
from recollect.store.finding_queries import (
    FindingQuery,
    FindingRow,
    FindingState,
    FindingStatus,
    FindingVersion,
    Flag,
    FlagKind,
)
from recollect.store.tables import OPEN
from recollect.store.view import View
from recollect.when.instant import Instant

FindingId = NewType("FindingId", str)
FindingCategory = Literal["contradiction", "anachronism", "ontology", "orphan"]
FindingSeverity = Literal["error", "warn"]

FINDING_PREFIX = "vio_"
RUN_PREFIX = "run_"


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem that a check or rule found in some entities and relations; lists print its `details`."""

    rule: str
    category: FindingCategory
    severity: FindingSeverity
    nodes: tuple[EntityId, ...]
    relations: tuple[FactId, ...]
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> FindingId:
        return finding_id(self.rule, (*self.nodes, *self.relations))


def finding_id(rule: str, parts: Iterable[str]) -> FindingId:
    """A hash of the rule and of the entities and facts it names, in any order."""
    text = "\0".join((rule, *sorted(parts)))
    return FindingId(encode_id(int.from_bytes(blake2b(text.encode(), digest_size=16).digest(), "big")))


def format_finding_id(finding: str) -> str:
    return FINDING_PREFIX + finding


def format_run_id(run: str) -> str:
    return RUN_PREFIX + run


def parse_finding_id(text: str) -> FindingId | None:
    """The finding of a printed id; none if it is not a finding id."""
    return FindingId(read_id(text, FINDING_PREFIX)) if is_id(text, FINDING_PREFIX) else None


def find_flag(view: View, node: str) -> Flag | None:
    return find_flags(view, [node]).get(node)


def find_flags(view: View, nodes: Collection[str]) -> dict[str, Flag]:
    """The flags on these, by the flagged id."""
    return {flag.node: flag for flag in finding_queries.flags_on(view, nodes)}


def set_flag(change: Change, node: str, kind: FlagKind, reason: str) -> Flag:
    """Flag something with a reason; the same reason again writes nothing."""
    present = find_flag(change, node)
    if present is not None and present.reason == reason:
        return present
    flag = Flag(node, kind, reason, change.actor.name, change.now)
    finding_queries.put_flag(change, flag)
    return flag


def remove_flag(change: Change, node: str) -> Flag | None:
    """Remove the flag on something, if there is one, and return it."""
    present = find_flag(change, node)
    if present is not None:
        finding_queries.end_flag(change, node)
    return present


class StoredFinding(NamedTuple):
    """One version of a finding: a period in which it was open with the same message and details."""

    id: FindingId
    tx_from: int
    tx_to: int
    rule: str
    category: FindingCategory
    severity: FindingSeverity
    nodes: tuple[EntityId, ...]
    relations: tuple[FactId, ...]
    message: str
    details: Mapping[str, Any]
    detected_at: Instant
    resolved_at: Instant | None

    @property
    def is_open(self) -> bool:
        return self.tx_to == OPEN


class FindingChanges(NamedTuple):
    """The findings that a change opened, and the ids of those it resolved."""

    opened: tuple[Finding, ...] = ()
    resolved: tuple[FindingId, ...] = ()

    def merge(self, later: "FindingChanges") -> "FindingChanges":
        """Both together; a finding that was opened and resolved, or resolved and reopened, is in neither list."""
        ever_opened = {finding.id for finding in (*self.opened, *later.opened)}
        resolved_later = frozenset(later.resolved)
        opened = {each.id: each for each in (*self.opened, *later.opened) if each.id not in resolved_later}
        resolved = [each for each in (*self.resolved, *later.resolved) if each not in ever_opened]
        return FindingChanges(tuple(opened.values()), tuple(dict.fromkeys(resolved)))


def parse_finding_row(row: FindingRow) -> StoredFinding:
    """A stored version with its JSON read."""
    return StoredFinding(
        FindingId(row.id),
        row.tx_from,
        row.tx_to,
        row.rule,
        cast("FindingCategory", row.category),
        cast("FindingSeverity", row.severity),
        tuple(json.loads(row.nodes)),
        tuple(json.loads(row.relations)),
        row.message,
        json.loads(row.details),
        row.detected_at,
        row.resolved_at,
    )


def find_open_naming(view: View, parts: Collection[str]) -> list[tuple[FindingId, str, frozenset[str]]]:
    """The open findings that name one of these: id, rule, and all that each names."""
    return [
        (FindingId(row.id), row.rule, frozenset((*json.loads(row.nodes), *json.loads(row.relations))))
        for row in finding_queries.open_findings_naming(view, parts)
    ]


class FindingStore:
    """Writes the findings of one change."""

    def __init__(self, change: Change) -> None:
        self._change = change
        self.tx = change.last_tx
        self._round = current_round(change)

    def open_or_update(self, findings: Iterable[Finding]) -> list[Finding]:
        """Open the findings that are not open yet and update the others; returns those opened."""
        found = {finding.id: finding for finding in findings}
        present = {FindingId(row.id): row for row in finding_queries.open_findings_by_id(self._change, found)}
        opened = [finding for id_, finding in found.items() if id_ not in present]
        self._open(opened)
        for id_, row in present.items():
            old, new = parse_finding_row(row), found[id_]
            if (old.severity, old.message, old.details) != (new.severity, new.message, _json_round_trip(new.details)):
                self._replace_version(old, new)
        if present:
            finding_queries.mark_findings_checked(self._change, present, self._round)
        return opened

    def _open(self, findings: list[Finding]) -> None:
        finding_queries.open_findings(self._change, map(self._version_of, findings))
        parts = [(part, finding.id) for finding in findings for part in {*finding.nodes, *finding.relations}]
        finding_queries.index_finding_parts(self._change, parts)

    def _replace_version(self, old: StoredFinding, new: Finding) -> None:
        """Write a new version of a finding that stays open; the old one remains visible under `as_of`."""
        finding_queries.end_finding_version(self._change, old.id, self.tx)
        finding_queries.open_findings(self._change, [self._version_of(new)._replace(at=old.detected_at)])

    def _version_of(self, finding: Finding) -> FindingVersion:
        return FindingVersion(
            finding.id,
            self.tx,
            finding.rule,
            finding.category,
            finding.severity,
            json.dumps(finding.nodes),
            json.dumps(finding.relations),
            finding.message,
            json.dumps(finding.details, ensure_ascii=False, sort_keys=True, default=str),
            self._change.now,
            self._round,
        )

    def resolve(self, findings: Iterable[FindingId]) -> None:
        finding_queries.resolve_findings(self._change, findings, self.tx)


def _json_round_trip(details: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(details, ensure_ascii=False, default=str))


_STATES: Mapping[FindingStatus, tuple[FindingState, ...]] = {
    "open": ("open",),
    "resolved": ("resolved",),
    "all": ("open", "resolved"),
}
NO_LIMIT = 1 << 40


class FlaggedFinding(NamedTuple):
    """A finding and the flag on it, if there is one."""

    finding: StoredFinding
    flag: Flag | None


FindingPage = ResultPage[FlaggedFinding]


def list_findings(view: View, wanted: FindingQuery, limit: int = NO_LIMIT) -> FindingPage:
    """The findings asked for: errors before warnings, the newest first, then by id."""
    rows, total = _query_page(view, wanted, limit) if wanted.about is None else _query_about(view, wanted)
    return FindingPage(_with_flags(view, sorted(rows, key=_list_order)[:limit]), total)


def _with_flags(view: View, rows: list[FindingRow]) -> list[FlaggedFinding]:
    flags = find_flags(view, [row.id for row in rows])
    return [FlaggedFinding(parse_finding_row(row), flags.get(row.id)) for row in rows]


def _list_order(row: FindingRow) -> tuple[bool, int, str]:
    return row.severity != "error", -row.detected_at, row.id


def _query_page(view: View, wanted: FindingQuery, limit: int) -> tuple[list[FindingRow], int]:
    """The first findings of each state asked for, and how many there are."""
    pages = [finding_queries.list_findings(view, state, wanted, limit) for state in _STATES[wanted.status]]
    return [row for rows, _ in pages for row in rows], sum(total for _, total in pages)


def _query_about(view: View, wanted: FindingQuery) -> tuple[list[FindingRow], int]:
    """The findings about one entity, and how many there are."""
    versions = finding_queries.finding_versions_naming(view, wanted.about or "")
    rows = _latest_versions(view, [row for row in versions if _matches_query(row, wanted)], wanted.status)
    if not wanted.include_flagged:
        flags = find_flags(view, [row.id for row in rows])
        rows = [row for row in rows if row.id not in flags]
    return rows, len(rows)


def _latest_versions(view: View, rows: list[FindingRow], status: FindingStatus) -> list[FindingRow]:
    """Each finding once, in its latest version as of the view, if that has the status asked for."""
    latest: dict[str, FindingRow] = {}
    for row in rows:
        known = latest.get(row.id)
        if known is None or known.tx_from < row.tx_from:
            latest[row.id] = row
    states = _STATES[status]
    return [row for row in latest.values() if ("open" if row.tx_to > view.as_of_tx else "resolved") in states]


def _matches_query(row: FindingRow, wanted: FindingQuery) -> bool:
    # Ids and reasons are unique words, so a text search in the stored JSON is exact.
    return (
        (wanted.severity is None or row.severity == wanted.severity)
        and (row.rule in wanted.rules if wanted.rules else row.category in wanted.categories)
        and (wanted.about is None or wanted.about in row.nodes)
        and (wanted.detail is None or f'"{wanted.detail}"' in row.details)
    )


def find_finding(view: View, id_: FindingId) -> StoredFinding | None:
    """The latest version of a finding, open or resolved."""
    row = finding_queries.latest_finding(view, id_)
    return None if row is None else parse_finding_row(row)


def list_findings_about(view: View, entities: Collection[EntityId]) -> list[FlaggedFinding]:
    """The open findings that touch one of these entities, each once, in the order of the lists."""
    return _with_flags(view, sorted(finding_queries.findings_naming(view, entities), key=_list_order))


def is_open_at(found: StoredFinding, view: View) -> bool:
    """Whether a finding was open as of the view."""
    return found.tx_to > view.as_of_tx
