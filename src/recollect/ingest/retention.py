"""How long the body of a document is held: the tightest of the workspace's, the account's and its own days."""

import re
from collections.abc import Mapping
from typing import Any

from recollect.model.document import DocumentKind
from recollect.model.filing import BODY_UNTIL, MESH_URI, RETENTION_DAYS
from recollect.store.change import Change
from recollect.when.instant import DAY, Instant

SETTING = "carabase.retention_days"
_KEPT_BY_DEFAULT_DAYS = frozenset({"record", "conversation", "artifact"})
_COMMIT = "commit"
_ACCOUNT = re.compile(r"mesh://([a-z][a-z0-9_-]*)/(?:[^/]*/)*account=([^/%]+)")


def body_until(
    change: Change, kind: DocumentKind, type_: str, source_at: Instant, properties: Mapping[str, Any]
) -> Instant | None:
    """The instant from which the body is gone, or none."""
    days = _of_workspace(change, kind, type_)
    if properties:
        days += [*_own(properties), *_of_account(change, properties)]
    return Instant(source_at + round(min(days) * DAY)) if days else None


def _own(properties: Mapping[str, Any]) -> list[float]:
    found = properties.get(RETENTION_DAYS)
    return [found] if isinstance(found, int | float) and not isinstance(found, bool) else []


def _of_workspace(change: Change, kind: DocumentKind, type_: str) -> list[float]:
    if kind not in _KEPT_BY_DEFAULT_DAYS or type_ == _COMMIT or change.settings.get(SETTING) is None:
        return []
    return [change.settings.integer(SETTING, 0)]


def _of_account(change: Change, properties: Mapping[str, Any]) -> list[float]:
    place = _ACCOUNT.match(str(properties[MESH_URI])) if properties.get(MESH_URI) else None
    if place is None:
        return []
    rows = change.rows("body_retention_of_account", connector=place[1], account=place[2])
    return [days for (days,) in rows]


def stamped(properties: Mapping[str, Any], until: Instant | None) -> Mapping[str, Any]:
    """The properties with that instant in them, or without one."""
    plain = {key: value for key, value in properties.items() if key != BODY_UNTIL}
    return plain if until is None else {**plain, BODY_UNTIL: until}


def note_due(change: Change, document: str, until: Instant | None) -> None:
    """Let the sweep know."""
    if until is None:
        change.connection.run("body_due_drop", {"ws": change.ws, "document": document})
    else:
        change.connection.run("body_due_put", {"ws": change.ws, "document": document, "due_at": until})
