"""Findings as the lists show them: which, in which order."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.model.ids import EntityId
from recollect.reason.checks.finding import Category, FindingId, Severity
from recollect.reason.checks.flags import Flag, flags_of
from recollect.reason.checks.stored import Stored, stored_of
from recollect.store.port import Row
from recollect.store.view import View

Status = Literal["open", "resolved", "all"]
_STATES: Mapping[Status, tuple[str, ...]] = {"open": ("open",), "resolved": ("resolved",), "all": ("open", "resolved")}
_ID, _SINCE, _UNTIL, _RULE, _CATEGORY, _SEVERITY, _NODES, _DETAILS, _DETECTED = 0, 1, 2, 3, 4, 5, 6, 9, 10
MOST = 1 << 40
"""More than any list is long."""


@dataclass(frozen=True, slots=True)
class FindingsWanted:
    """Which findings a list asks for; `detail` is a word that stands in their details."""

    categories: Collection[Category] = ()
    rules: Collection[str] = ()
    status: Status = "open"
    severity: Severity | None = None
    include_flagged: bool = False
    about: EntityId | None = None
    detail: str | None = None


class Listed(NamedTuple):
    """A finding and the flag on it, if there is one."""

    finding: Stored
    flag: Flag | None


class Page(NamedTuple):
    """The first findings of a list, and how many there are in all."""

    listed: list[Listed]
    total: int


def list_findings(view: View, wanted: FindingsWanted, limit: int = MOST) -> Page:
    """The findings asked for: errors before warnings, the newest first, then by id."""
    if wanted.about is not None:
        rows = [row for row in view.rows("findings_with_part", part=wanted.about) if _is_wanted(row, wanted)]
        rows = _as_last_seen(view, rows, wanted.status)
        if not wanted.include_flagged:
            flags = flags_of(view, [row[_ID] for row in rows])
            rows = [row for row in rows if row[_ID] not in flags]
        total = len(rows)
    else:
        rows, total = _page(view, wanted, limit)
    rows = sorted(rows, key=_order)[:limit]
    held = flags_of(view, [row[_ID] for row in rows])
    return Page([Listed(stored_of(row), held.get(row[_ID])) for row in rows], total)


def _order(row: Row) -> tuple[bool, int, str]:
    return row[_SEVERITY] != "error", -row[_DETECTED], row[_ID]


def _page(view: View, wanted: FindingsWanted, limit: int) -> tuple[list[Row], int]:
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


def _as_last_seen(view: View, rows: list[Row], status: Status) -> list[Row]:
    """Each finding once, as it was at what the view knows, if that is what is asked for."""
    latest: dict[str, Row] = {}
    for row in rows:
        held = latest.get(row[_ID])
        if held is None or held[_SINCE] < row[_SINCE]:
            latest[row[_ID]] = row
    states = _STATES[status]
    return [row for row in latest.values() if ("open" if row[_UNTIL] > view.known else "resolved") in states]


def _is_wanted(row: Row, wanted: FindingsWanted) -> bool:
    # Ids and reasons are words that stand for nothing else, so the stored text need not be taken apart.
    return (
        (wanted.severity is None or row[_SEVERITY] == wanted.severity)
        and (row[_RULE] in wanted.rules if wanted.rules else row[_CATEGORY] in wanted.categories)
        and (wanted.about is None or wanted.about in row[_NODES])
        and (wanted.detail is None or f'"{wanted.detail}"' in row[_DETAILS])
    )


def finding(view: View, id_: FindingId) -> Stored | None:
    """A finding as it last was, open or resolved."""
    found = view.rows("finding_latest", id=id_)
    return stored_of(found[0]) if found else None


def findings_about(view: View, entities: Collection[EntityId]) -> list[Listed]:
    """The open findings that touch one of these entities, each once, in the order of the lists."""
    rows = sorted(view.rows("findings_known_with", parts=sorted(entities)), key=_order)
    flags = flags_of(view, [row[_ID] for row in rows])
    return [Listed(stored_of(row), flags.get(row[_ID])) for row in rows]


def is_open_at(found: Stored, view: View) -> bool:
    """Whether a finding was open at what the view knows."""
    return found.tx_to > view.known
