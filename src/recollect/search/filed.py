"""Documents by how they are filed: who, where and when, found by the narrowest of the filters."""

from collections.abc import Collection
from typing import Any, NamedTuple

from recollect.model.ids import DocumentId
from recollect.store.found import ALWAYS, Artifacts
from recollect.store.view import View

RARE = 1_000


class Listed(NamedTuple):
    """A page of documents in their order, and how many there are in all."""

    documents: list[DocumentId]
    total: int


def list_filed(
    view: View, wanted: Artifacts, among: Collection[DocumentId] | None, limit: int, offset: int = 0
) -> Listed:
    """Newest date first, then newest come in; `among` are the only documents that count."""
    query, more = _driver(view, wanted, among)
    rows = view.rows(query, **wanted.parameters(), **more, limit=limit, offset=offset)
    if not rows and offset:
        rows = view.rows(query, **wanted.parameters(), **more, limit=1, offset=0)
        return Listed([], int(rows[0][1]) if rows else 0)
    return Listed([row[0] for row in rows], int(rows[0][1]) if rows else 0)


def few_filed(view: View, wanted: Artifacts, most: int) -> list[DocumentId] | None:
    """All documents that are wanted, in no order, if there are no more than that; else none."""
    if wanted.tags:
        query, more = "few_tagged", {"rarest": _rarest(view, wanted)}
    elif wanted.folio is not None:
        query, more = "few_in_folio", {}
    elif wanted.source is not None:
        query, more = "few_from", {}
    elif wanted.dated != ALWAYS:
        query, more = "few_dated", {}
    elif wanted.kinds:
        query, more = "few_of_kinds", {}
    else:
        return None
    rows = view.rows(query, **wanted.parameters(), **more, limit=most + 1)
    return [row[0] for row in rows] if len(rows) <= most else None


def _driver(view: View, wanted: Artifacts, among: Collection[DocumentId] | None) -> tuple[str, dict[str, Any]]:
    """The index to go by: the rest of the filters is checked on what it gives."""
    if among is not None:
        return "artifacts_among", {"documents": sorted(among)}
    if wanted.tags:
        return "artifacts_tagged", {"rarest": _rarest(view, wanted)}
    if wanted.folio is not None:
        return "artifacts_in_folio", {}
    if wanted.source is not None:
        return "artifacts_from", {}
    if wanted.recorded != ALWAYS:
        return "artifacts_recorded", {}
    return ("artifacts_of_kinds" if wanted.kinds else "artifacts_dated"), {}


def _rarest(view: View, wanted: Artifacts) -> str:
    return min(sorted(wanted.tags), key=lambda tag: _uses(view, tag))


def _uses(view: View, tag: str) -> int:
    [[count]] = view.rows("tag_counted", tag=tag, limit=RARE)
    return int(count)
