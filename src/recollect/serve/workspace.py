"""What may be set on a workspace, and how it reads."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from recollect.errors import Conflict, Refused
from recollect.ingest.lore.moving import move_times
from recollect.serve.known_settings import check_setting
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.define import set_now
from recollect.when.instant import read_zone
from recollect.when.timeline import decided

NAME_FORM = re.compile(r"[a-z0-9][a-z0-9_.-]{0,62}", re.ASCII)
KEY_FORM = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+", re.ASCII)
POLICIES = ("supersede", "accumulate", "dispute")
TIMELINES = ("gregorian", "fictional")


class BadWorkspaceName(Refused):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} cannot name a workspace: a-z, 0-9, - _ . and at most 63 of them", field="name")


class BadWorkspaceValue(Refused):
    def __init__(self, key: str, value: object, accepted: tuple[str, ...]) -> None:
        super().__init__(f"{key} cannot be {value!r}; use one of {', '.join(accepted)}", field=key, accepted=accepted)


class UnknownWorkspaceKey(Refused):
    def __init__(self, key: str) -> None:
        known = ("section.key", *CHECKS)
        super().__init__(
            f"no setting {key!r}; there are {', '.join(CHECKS)} and section.key", field=key, accepted=known
        )


class TimelineInUse(Conflict):
    def __init__(self, kind: str) -> None:
        super().__init__(f"times of the {kind} timeline are stored here; make another workspace for the other kind")


def checked_name(name: str) -> str:
    if not NAME_FORM.fullmatch(name):
        raise BadWorkspaceName(name)
    return name


def put(change: Change, key: str, value: Any) -> Any:
    """Set a key of a workspace after checking it; None takes it back. The same value again is no transaction."""
    if key not in CHECKS and not KEY_FORM.fullmatch(key):
        raise UnknownWorkspaceKey(key)
    if value is not None:
        check_setting(key, value)
    kept = value if value is None or key not in CHECKS else CHECKS[key](change, value)
    before = change.world
    if kept is None and key in before.settings:
        change.end_setting(key)
    elif kept is not None and before.settings.get(key) != kept:
        change.put_setting(key, kept)
    move_times(change, before.timeline, change.world.timeline)
    return kept


def described(view: View) -> Mapping[str, Any]:
    world = view.world
    plain = {
        "name": view.workspace.name,
        "tx": view.last_tx,
        "timezone": world.zone.key,
        "timeline": "fictional" if world.timeline.is_fictional else "gregorian",
        "now": world.now.text,
        "conflict_policy": world.conflict_policy,
    }
    return plain | {"settings": {key: value for key, value in world.settings.items() if key not in CHECKS}}


def _zone(_: Change, value: Any) -> Any:
    return read_zone(str(value)).key


def _now(change: Change, value: Any) -> Any:
    now = set_now(change.world.timeline, str(value), change.now).now
    return None if now is None else now.text


def _policy(_: Change, value: Any) -> Any:
    if value not in POLICIES:
        raise BadWorkspaceValue("conflict_policy", value, POLICIES)
    return value


def _timeline(change: Change, value: Any) -> Any:
    if value not in TIMELINES:
        raise BadWorkspaceValue("timeline", value, TIMELINES)
    kind = change.world.timeline.kind
    if kind not in ("undecided", value) and change.counts()["facts"]:
        raise TimelineInUse(kind)
    if kind == "undecided":
        decided(change.world.timeline, value)
    return value


CHECKS: Mapping[str, Callable[[Change, Any], Any]] = {
    "timezone": _zone,
    "now": _now,
    "conflict_policy": _policy,
    "timeline": _timeline,
}
