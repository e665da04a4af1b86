"""Lists as this surface answers them: cut to a limit, with how many there were."""

from collections.abc import Sequence
from typing import TypeVar

from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.asking import Asking

T = TypeVar("T")
UNFINISHED = "not all of this world was gone through yet, so findings may be missing; run_consistency_check does so now"


def listed(items: Sequence[T], limit: int, asked: Asking | None = None, total: int | None = None) -> Result[list[T]]:
    """The first of the items; `_meta` says how many there are and which names were only nearly right."""
    count = len(items) if total is None else total
    meta: dict[str, object] = {"total": count, "truncated": count > limit}
    if asked is not None and asked.resolved:
        meta["resolution"] = asked.resolved
    return Result(list(items[:limit]), meta=meta if asked is None else {**meta, **completeness(asked)})


def with_findings(value: T, asked: Asking) -> Result[T]:
    """An object that shows findings; `_meta` says if some may be missing."""
    return Result(value, meta=completeness(asked))


def completeness(asked: Asking) -> dict[str, object]:
    """What `_meta` says of findings; nothing if all are known."""
    return {} if asked.knows_all_findings else {"complete": False, "note": UNFINISHED}
