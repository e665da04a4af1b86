"""The newest facts of an entity, and how many it has in all."""

from dataclasses import dataclass

from recollect.model.ids import EntityId
from recollect.store.seen import Gist, Wanted, newest_first
from recollect.store.view import View


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest facts, newest first, and how many there are in all."""

    facts: list[Gist]
    count: int

    @property
    def is_cut(self) -> bool:
        return self.count > len(self.facts)


def newest_facts(view: View, entity: EntityId, wanted: Wanted) -> Newest:
    """The newest facts of those wanted; ranking and counting are left to the store only if there are more of them."""
    asked = wanted.parameters()
    rows = view.rows("gists_about", entity=entity, **asked)
    if len(rows) <= wanted.limit:
        return Newest(newest_first(map(Gist._make, rows)), len(rows))
    ranked = view.rows("gists_about_counted", entity=entity, **asked)
    return Newest([Gist._make(row[:-1]) for row in ranked], ranked[0][-1])
