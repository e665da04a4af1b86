"""Which memories there are: by granularity, period and instance, the latest period first."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from recollect.keep.artifacts.versions import documents_of
from recollect.keep.memories.dates import GRANULARITIES, Granularity
from recollect.keep.memories.entry import KIND, MemoryDraft, draft_of, is_memory
from recollect.keep.memories.index import is_caught_up
from recollect.model.document import Document
from recollect.store.view import View
from recollect.when.instant import day_of_date

EVER = (day_of_date(date.min), day_of_date(date.max))


@dataclass(frozen=True, slots=True)
class Where:
    """Which memories count; days are inclusive, and a memory is in when its period overlaps them."""

    granularities: frozenset[Granularity] = frozenset()
    after: date | None = None
    before: date | None = None
    instance: str | None = None

    def parameters(self) -> dict[str, Any]:
        """The values that the `entry_wanted` fragment names."""
        return {
            "any_granularity": int(not self.granularities),
            "granularities": sorted(self.granularities),
            "after": EVER[0] if self.after is None else day_of_date(self.after),
            "before": EVER[1] if self.before is None else day_of_date(self.before),
            "instance": self.instance,
        }

    def admits(self, draft: MemoryDraft) -> bool:
        return (
            (not self.granularities or draft.period.granularity in self.granularities)
            and draft.period.overlaps(self.after or date.min, self.before or date.max)
            and self.instance in (None, draft.instance)
        )


class Listed(NamedTuple):
    """Some of the memories that match, and how many match in all."""

    documents: list[Document]
    total: int


def list_memories(view: View, where: Where, limit: int, offset: int, *, deleted: bool = False) -> Listed:
    """A page of the memories that match: end of the period, then granularity, then id."""
    if deleted or not is_caught_up(view):
        found = in_order(_scanned(view, where, deleted=deleted))
        return Listed(found[offset : offset + limit], len(found))
    asked = where.parameters()
    [[total]] = view.rows("entries_counted", **asked)
    ids = [row[0] for row in view.rows("entries_listed", **asked, limit=limit, offset=offset)]
    documents = view.documents(ids)
    return Listed([documents[id_] for id_ in ids], int(total))


def matching(view: View, where: Where) -> list[Document]:
    """All live memories that match, read one by one."""
    return _scanned(view, where, deleted=False)


def _scanned(view: View, where: Where, *, deleted: bool) -> list[Document]:
    found = (each for each in documents_of(view, KIND) if is_memory(each) and (deleted or not each.deleted))
    return [each for each in found if where.admits(draft_of(each))]


def in_order(documents: Iterable[Document]) -> list[Document]:
    return sorted(documents, key=_order)


def _order(document: Document) -> tuple[int, int, str]:
    period = draft_of(document).period
    return -period.days[1], GRANULARITIES.index(period.granularity), document.key
