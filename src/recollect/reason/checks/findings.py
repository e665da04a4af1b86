"""Findings: identity, versions in the store, flags, and the lists that show them."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal, NamedTuple, NewType

from recollect.model.ids import EntityId, FactId, encode_id, is_id, read_id
from recollect.reason.checks.engine_state import current_round
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.tables import FLAG, OPEN
from recollect.store.view import View
from recollect.when.instant import Instant

FindingId = NewType("FindingId", str)
FindingCategory = Literal["contradiction", "anachronism", "ontology", "orphan"]
FindingSeverity = Literal["error", "warn"]

FINDING_PREFIX = "vio_"
RUN_PREFIX = "run_"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check or rule says of some entities and relations; lists show its `details`."""

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
    """A fixed function of the rule and of what was found, in whatever order."""
    text = "\0".join((rule, *sorted(parts)))
    return FindingId(encode_id(int.from_bytes(blake2b(text.encode(), digest_size=16).digest(), "big")))


def format_finding_id(finding: str) -> str:
    return FINDING_PREFIX + finding


def format_run_id(run: str) -> str:
    return RUN_PREFIX + run


def parse_finding_id(text: str) -> FindingId | None:
    """The finding that a printed id names; none if it is no id of one."""
    return FindingId(read_id(text, FINDING_PREFIX)) if is_id(text, FINDING_PREFIX) else None


FlagKind = Literal["entity", "relation", "document", "violation"]


class Flag(NamedTuple):
    node: str
    kind: FlagKind
    reason: str
    flagged_by: str
    flagged_at: Instant


def find_flag(view: View, node: str) -> Flag | None:
    found = view.rows("flag_of", node=node)
    return Flag(*found[0]) if found else None


def find_flags(view: View, nodes: Collection[str]) -> dict[str, Flag]:
    """The flags among these, by what they hang on."""
    rows = view.rows("flags_of", nodes=sorted(nodes)) if nodes else []
    return {row[0]: Flag(*row) for row in rows}


def list_flags(view: View, kind: FlagKind) -> list[Flag]:
    """Every flag on things of a kind, oldest first."""
    return [Flag(*row) for row in view.rows("flags_of_kind", kind=kind)]


def set_flag(change: Change, node: str, kind: FlagKind, reason: str) -> Flag:
    """The flag on something, now with this reason; the same reason again writes nothing."""
    held = find_flag(change, node)
    if held is not None and held.reason == reason:
        return held
    flag = Flag(node, kind, reason, change.actor.name, change.now)
    change.connection.end(FLAG, change.ws, (node,), change.tx)
    change.connection.insert(FLAG, [(change.ws, node, change.tx, OPEN, *flag[1:])])
    return flag


def remove_flag(change: Change, node: str) -> Flag | None:
    """The flag that was on something, which is now off."""
    held = find_flag(change, node)
    if held is not None:
        change.connection.end(FLAG, change.ws, (node,), change.tx)
    return held


class StoredFinding(NamedTuple):
    """One time that a finding was open and said the same."""

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
    """What a change did to the findings: those it opened, and the ids of those it closed."""

    opened: tuple[Finding, ...] = ()
    resolved: tuple[FindingId, ...] = ()

    def merge(self, later: "FindingChanges") -> "FindingChanges":
        """Both together; what was opened and closed again is neither."""
        gone = {*later.resolved}
        here = {finding.id for finding in self.opened}
        back = {finding.id for finding in later.opened}
        opened = {each.id: each for each in (*self.opened, *later.opened) if each.id not in gone}
        closed = [each for each in (*self.resolved, *later.resolved) if each not in here and each not in back]
        return FindingChanges(tuple(opened.values()), tuple(dict.fromkeys(closed)))


def parse_finding_row(row: Row) -> StoredFinding:
    return StoredFinding._make(
        (*row[:6], tuple(json.loads(row[6])), tuple(json.loads(row[7])), row[8], json.loads(row[9]), *row[10:])
    )


def find_open_naming(view: View, parts: Collection[str]) -> list[tuple[FindingId, str, frozenset[str]]]:
    """The open findings that name one of these: id, rule, and all that each names."""
    rows = view.rows("findings_open_with", parts=sorted(parts)) if parts else []
    return [(row[0], row[1], frozenset((*json.loads(row[3]), *json.loads(row[4])))) for row in rows]


class FindingStore:
    """Keeps the findings of one change."""

    def __init__(self, change: Change) -> None:
        self._change = change
        self.tx = change.tx if change.has_changed else change.last_tx
        self._round = current_round(change)

    def open_or_update(self, findings: Iterable[Finding]) -> list[Finding]:
        """Open what is not open yet and bring the rest up to date; returns those opened."""
        found = {finding.id: finding for finding in findings}
        held = (
            {row[0]: parse_finding_row(row) for row in self._change.rows("findings_by_id", ids=sorted(found))}
            if found
            else {}
        )
        opened = [finding for id_, finding in found.items() if id_ not in held]
        self._open(opened)
        for id_, old in held.items():
            new = found[id_]
            if (old.severity, old.message, old.details) != (new.severity, new.message, _json_round_trip(new.details)):
                self._replace_version(old, new)
        if held:
            self._run("findings_checked", ids=sorted(held), checked=self._round)
        return opened

    def _open(self, findings: list[Finding]) -> None:
        rows = [self._row(finding) for finding in findings]
        self._change.connection.run_many("finding_open", rows)
        parts = [
            {"ws": self._change.ws, "part": part, "finding": finding.id}
            for finding in findings
            for part in {*finding.nodes, *finding.relations}
        ]
        self._change.connection.run_many("finding_part_add", parts)

    def _replace_version(self, old: StoredFinding, new: Finding) -> None:
        """A finding that stays open and now says something else; what it said before stands under `as_of`."""
        self._run("finding_version_end", id=old.id, tx=self.tx)
        self._run("finding_open", **{**self._row(new), "at": old.detected_at})

    def _row(self, finding: Finding) -> dict[str, Any]:
        return {
            "ws": self._change.ws,
            "id": finding.id,
            "tx": self.tx,
            "rule": finding.rule,
            "category": finding.category,
            "nodes": json.dumps(finding.nodes),
            "relations": json.dumps(finding.relations),
            "at": self._change.now,
            "checked": self._round,
            **_version_values(finding),
        }

    def resolve(self, findings: Iterable[FindingId]) -> None:
        at, ws, tx = self._change.now, self._change.ws, self.tx
        rows = [{"ws": ws, "id": each, "tx": tx, "at": at} for each in findings]
        self._change.connection.run_many("finding_resolve", rows)

    def _run(self, query: str, **parameters: Any) -> None:
        self._change.connection.run(query, {"ws": self._change.ws, **parameters})


def _version_values(finding: Finding) -> dict[str, Any]:
    details = json.dumps(finding.details, ensure_ascii=False, sort_keys=True, default=str)
    return {"severity": finding.severity, "message": finding.message, "details": details}


def _json_round_trip(details: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(details, ensure_ascii=False, default=str))


FindingStatus = Literal["open", "resolved", "all"]
_STATES: Mapping[FindingStatus, tuple[str, ...]] = {
    "open": ("open",),
    "resolved": ("resolved",),
    "all": ("open", "resolved"),
}
_ID, _SINCE, _UNTIL, _RULE, _CATEGORY, _SEVERITY, _NODES, _DETAILS, _DETECTED = 0, 1, 2, 3, 4, 5, 6, 9, 10
NO_LIMIT = 1 << 40
"""More than any list is long."""


@dataclass(frozen=True, slots=True)
class FindingQuery:
    """Which findings a list asks for; `detail` is a word that stands in their details."""

    categories: Collection[FindingCategory] = ()
    rules: Collection[str] = ()
    status: FindingStatus = "open"
    severity: FindingSeverity | None = None
    include_flagged: bool = False
    about: EntityId | None = None
    detail: str | None = None


class FlaggedFinding(NamedTuple):
    """A finding and the flag on it, if there is one."""

    finding: StoredFinding
    flag: Flag | None


class FindingPage(NamedTuple):
    """The first findings of a list, and how many there are in all."""

    listed: list[FlaggedFinding]
    total: int


def list_findings(view: View, wanted: FindingQuery, limit: int = NO_LIMIT) -> FindingPage:
    """The findings asked for: errors before warnings, the newest first, then by id."""
    if wanted.about is not None:
        rows = [row for row in view.rows("findings_with_part", part=wanted.about) if _matches_query(row, wanted)]
        rows = _latest_versions(view, rows, wanted.status)
        if not wanted.include_flagged:
            flags = find_flags(view, [row[_ID] for row in rows])
            rows = [row for row in rows if row[_ID] not in flags]
        total = len(rows)
    else:
        rows, total = _query_page(view, wanted, limit)
    rows = sorted(rows, key=_list_order)[:limit]
    held = find_flags(view, [row[_ID] for row in rows])
    return FindingPage([FlaggedFinding(parse_finding_row(row), held.get(row[_ID])) for row in rows], total)


def _list_order(row: Row) -> tuple[bool, int, str]:
    return row[_SEVERITY] != "error", -row[_DETECTED], row[_ID]


def _query_page(view: View, wanted: FindingQuery, limit: int) -> tuple[list[Row], int]:
    """The first of each state that is asked for, and how many there are."""
    among, chosen = ("of", wanted.rules) if wanted.rules else ("in", wanted.categories)
    asked = {
        "chosen": sorted(chosen),
        "severity": wanted.severity or "",
        "detail": f'%"{wanted.detail}"%' if wanted.detail else "",
        "flagged": int(wanted.include_flagged),
    }
    rows: list[Row] = []
    total = 0
    for state in _STATES[wanted.status]:
        found = view.rows(f"findings_{state}_{among}", limit=limit, **asked)
        rows += found
        total += len(found) if len(found) < limit else view.rows(f"findings_{state}_{among}_count", **asked)[0][0]
    return rows, total


def _latest_versions(view: View, rows: list[Row], status: FindingStatus) -> list[Row]:
    """Each finding once, as it was at what the view knows, if that is what is asked for."""
    latest: dict[str, Row] = {}
    for row in rows:
        held = latest.get(row[_ID])
        if held is None or held[_SINCE] < row[_SINCE]:
            latest[row[_ID]] = row
    states = _STATES[status]
    return [row for row in latest.values() if ("open" if row[_UNTIL] > view.known else "resolved") in states]


def _matches_query(row: Row, wanted: FindingQuery) -> bool:
    # Ids and reasons are words that stand for nothing else, so the stored text need not be taken apart.
    return (
        (wanted.severity is None or row[_SEVERITY] == wanted.severity)
        and (row[_RULE] in wanted.rules if wanted.rules else row[_CATEGORY] in wanted.categories)
        and (wanted.about is None or wanted.about in row[_NODES])
        and (wanted.detail is None or f'"{wanted.detail}"' in row[_DETAILS])
    )


def find_finding(view: View, id_: FindingId) -> StoredFinding | None:
    """A finding as it last was, open or resolved."""
    found = view.rows("finding_latest", id=id_)
    return parse_finding_row(found[0]) if found else None


def list_findings_about(view: View, entities: Collection[EntityId]) -> list[FlaggedFinding]:
    """The open findings that touch one of these entities, each once, in the order of the lists."""
    rows = sorted(view.rows("findings_known_with", parts=sorted(entities)), key=_list_order)
    flags = find_flags(view, [row[_ID] for row in rows])
    return [FlaggedFinding(parse_finding_row(row), flags.get(row[_ID])) for row in rows]


def is_open_at(found: StoredFinding, view: View) -> bool:
    """Whether a finding was open at what the view knows."""
    return found.tx_to > view.known
