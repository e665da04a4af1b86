"""Pieces of a body, which of them matter first, and as many of them as fit."""

from collections.abc import Sequence
from typing import NamedTuple


class Wanted(NamedTuple):
    """One thing to keep: the pieces that belong together, its headings among them."""

    pieces: tuple[int, ...]


class Body(NamedTuple):
    """A body in pieces; `wanted` says what to keep, most important first.

    What is not kept is counted in `unit`s; pieces in `uncounted` are none, such as headings.
    """

    pieces: Sequence[str]
    wanted: Sequence[Wanted]
    joint: str
    unit: str
    uncounted: frozenset[int] = frozenset()


def kept(body: Body, room: int) -> str:
    """The most important pieces that fit, in their order, with a marker for the rest."""
    chosen = _chosen(body, room)
    if not chosen:
        return _cut(body, room)
    left_out = sum(at not in chosen and at not in body.uncounted for at in range(len(body.pieces)))
    shown = [body.pieces[at] for at in sorted(chosen)]
    return body.joint.join([*shown, marker(left_out, body.unit)] if left_out else shown)


def marker(count: int, unit: str) -> str:
    return f"[… {count} {unit} omitted]"


def _chosen(body: Body, room: int) -> set[int]:
    joint = len(body.joint)
    chosen: set[int] = set()
    left = room - len(marker(len(body.pieces), body.unit))
    for each in body.wanted:
        new = [at for at in each.pieces if at not in chosen]
        cost = sum(len(body.pieces[at]) + joint for at in new)
        if cost > left:
            break
        chosen.update(new)
        left -= cost
    return chosen


def _cut(body: Body, room: int) -> str:
    """The first piece that matters, as far as there is room for it."""
    first = body.wanted[0].pieces if body.wanted else tuple(range(len(body.pieces)))
    text = body.joint.join(body.pieces[at] for at in first)
    return text if len(text) <= room else f"{text[: room - 1]}…"
