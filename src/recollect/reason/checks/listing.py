"""Findings as the lists show them: which, in which order."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.model.ids import EntityId
from recollect.reason.checks.finding import Category, FindingId, Severity
from recollect.reason.checks.flags import Flag, flags_of_kind
from recollect.reason.checks.stored import Stored, stored_of
from recollect.store.port import Row
from recollect.store.view import View

Status = Literal["open", "resolved", "all"]
_ID, _RULE, _SEVERITY, _NODES, _DETAILS, _DETECTED = 0, 3, 5, 6, 9, 10


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


def list_findings(view: View, wanted: FindingsWanted) -> list[Listed]:
    """The findings asked for: errors before warnings, the newest first, then by id."""
    flags = {flag.node: flag for flag in flags_of_kind(view, "violation")}
    rows = [row for row in _rows(view, wanted) if _is_wanted(row, wanted, flags)]
    rows.sort(key=lambda row: (row[_SEVERITY] != "error", -row[_DETECTED], row[_ID]))
    return [Listed(stored_of(row), flags.get(row[_ID])) for row in rows]


def _rows(view: View, wanted: FindingsWanted) -> list[Row]:
    states = {"open": ["open"], "resolved": ["resolved"], "all": ["open", "resolved"]}[wanted.status]
    found: list[Row] = []
    for state in states:
        if wanted.rules:
            found += view.rows(f"findings_{state}_of", rules=sorted(wanted.rules))
        if wanted.categories:
            found += view.rows(f"findings_{state}_in", categories=sorted(wanted.categories))
    return found


def _is_wanted(row: Row, wanted: FindingsWanted, flags: dict[str, Flag]) -> bool:
    # Ids and reasons are words that stand for nothing else, so the stored text need not be taken apart.
    return (
        (wanted.severity is None or row[_SEVERITY] == wanted.severity)
        and (wanted.include_flagged or row[_ID] not in flags)
        and (wanted.about is None or wanted.about in row[_NODES])
        and (wanted.detail is None or f'"{wanted.detail}"' in row[_DETAILS])
    )


def finding(view: View, id_: FindingId) -> Stored | None:
    """A finding as it last was, open or resolved."""
    found = view.rows("finding_latest", id=id_)
    return stored_of(found[0]) if found else None


def findings_about(view: View, entity: EntityId) -> list[Listed]:
    """The open findings that touch an entity."""
    flags = {flag.node: flag for flag in flags_of_kind(view, "violation")}
    rows = view.rows("findings_known_with", part=entity)
    rows.sort(key=lambda row: (row[_SEVERITY] != "error", -row[_DETECTED], row[_ID]))
    return [Listed(stored_of(row), flags.get(row[_ID])) for row in rows]


def is_open_at(found: Stored, view: View) -> bool:
    """Whether a finding was open at what the view knows."""
    return found.tx_to > view.known
