"""Findings as they are stored: opened, brought up to date, resolved, and opened again."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.reason.checks.finding import Category, Finding, FindingId, Severity
from recollect.reason.checks.state import round_now
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.tables import OPEN
from recollect.store.view import View
from recollect.when.instant import Instant


class Stored(NamedTuple):
    """One time that a finding was open and said the same."""

    id: FindingId
    tx_from: int
    tx_to: int
    rule: str
    category: Category
    severity: Severity
    nodes: tuple[EntityId, ...]
    relations: tuple[FactId, ...]
    message: str
    details: Mapping[str, Any]
    detected_at: Instant
    resolved_at: Instant | None

    @property
    def is_open(self) -> bool:
        return self.tx_to == OPEN


class Outcome(NamedTuple):
    """What a change did to the findings: those it opened, and the ids of those it closed."""

    opened: tuple[Finding, ...] = ()
    resolved: tuple[FindingId, ...] = ()

    def joined(self, later: "Outcome") -> "Outcome":
        """Both together; what was opened and closed again is neither."""
        gone = {*later.resolved}
        here = {finding.id for finding in self.opened}
        back = {finding.id for finding in later.opened}
        opened = {each.id: each for each in (*self.opened, *later.opened) if each.id not in gone}
        closed = [each for each in (*self.resolved, *later.resolved) if each not in here and each not in back]
        return Outcome(tuple(opened.values()), tuple(dict.fromkeys(closed)))


def stored_of(row: Row) -> Stored:
    return Stored._make(
        (*row[:6], tuple(json.loads(row[6])), tuple(json.loads(row[7])), row[8], json.loads(row[9]), *row[10:])
    )


def open_with(view: View, parts: Collection[str]) -> list[tuple[FindingId, str, frozenset[str]]]:
    """The open findings that name one of these: id, rule, and all that each names."""
    rows = view.rows("findings_open_with", parts=sorted(parts)) if parts else []
    return [(row[0], row[1], frozenset((*json.loads(row[3]), *json.loads(row[4])))) for row in rows]


class Book:
    """Keeps the findings of one change."""

    def __init__(self, change: Change) -> None:
        self._change = change
        self.tx = change.tx if change.has_changed else change.last_tx
        self._mark = round_now(change)

    def keep(self, findings: Iterable[Finding]) -> list[Finding]:
        """Open what is not open yet and bring the rest up to date; returns those opened."""
        found = {finding.id: finding for finding in findings}
        held = (
            {row[0]: stored_of(row) for row in self._change.rows("findings_by_id", ids=sorted(found))} if found else {}
        )
        opened = [finding for id_, finding in found.items() if id_ not in held]
        self._open(opened)
        for id_, old in held.items():
            new = found[id_]
            if (old.severity, old.message, old.details) != (new.severity, new.message, _plain(new.details)):
                self._say_again(old, new)
        if held:
            self._run("findings_checked", ids=sorted(held), checked=self._mark)
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

    def _say_again(self, old: Stored, new: Finding) -> None:
        """A finding that stays open and now says something else; what it said before stands under `as_of`."""
        self._run("finding_said", id=old.id, tx=self.tx)
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
            "checked": self._mark,
            **_said(finding),
        }

    def resolve(self, findings: Iterable[FindingId]) -> None:
        at, ws, tx = self._change.now, self._change.ws, self.tx
        rows = [{"ws": ws, "id": each, "tx": tx, "at": at} for each in findings]
        self._change.connection.run_many("finding_resolve", rows)

    def _run(self, query: str, **parameters: Any) -> None:
        self._change.connection.run(query, {"ws": self._change.ws, **parameters})


def _said(finding: Finding) -> dict[str, Any]:
    details = json.dumps(finding.details, ensure_ascii=False, sort_keys=True, default=str)
    return {"severity": finding.severity, "message": finding.message, "details": details}


def _plain(details: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(details, ensure_ascii=False, default=str))
