"""Flags: what people marked as suspicious, or as seen."""

from collections.abc import Collection
from typing import Literal, NamedTuple

from recollect.store.change import Change
from recollect.store.tables import FLAG, OPEN
from recollect.store.view import View
from recollect.when.instant import Instant

FlagKind = Literal["entity", "relation", "document", "violation"]


class Flag(NamedTuple):
    node: str
    kind: FlagKind
    reason: str
    flagged_by: str
    flagged_at: Instant


def flag_of(view: View, node: str) -> Flag | None:
    found = view.rows("flag_of", node=node)
    return Flag(*found[0]) if found else None


def flags_of(view: View, nodes: Collection[str]) -> dict[str, Flag]:
    """The flags among these, by what they hang on."""
    rows = view.rows("flags_of", nodes=sorted(nodes)) if nodes else []
    return {row[0]: Flag(*row) for row in rows}


def flags_of_kind(view: View, kind: FlagKind) -> list[Flag]:
    """Every flag on things of a kind, oldest first."""
    return [Flag(*row) for row in view.rows("flags_of_kind", kind=kind)]


def put_flag(change: Change, node: str, kind: FlagKind, reason: str) -> Flag:
    """The flag on something, now with this reason; the same reason again writes nothing."""
    held = flag_of(change, node)
    if held is not None and held.reason == reason:
        return held
    flag = Flag(node, kind, reason, change.actor.name, change.now)
    change.connection.end(FLAG, change.ws, (node,), change.tx)
    change.connection.insert(FLAG, [(change.ws, node, change.tx, OPEN, *flag[1:])])
    return flag


def take_flag_off(change: Change, node: str) -> Flag | None:
    """The flag that was on something, which is now off."""
    held = flag_of(change, node)
    if held is not None:
        change.connection.end(FLAG, change.ws, (node,), change.tx)
    return held
