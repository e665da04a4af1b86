"""The newest facts of an entity, and how many it has in all."""

from dataclasses import dataclass

from recollect.model.ids import EntityId
from recollect.store.seen import Seen, Wanted, seen_of
from recollect.store.view import View


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest facts, newest first, and how many there are in all."""

    facts: list[Seen]
    count: int

    @property
    def is_cut(self) -> bool:
        return self.count > len(self.facts)


def newest_facts(view: View, entity: EntityId, wanted: Wanted) -> Newest:
    """The newest facts of those wanted; ranking and counting are left to the store only if there are more of them."""
    asked = wanted.parameters()
    rows = view.rows("facts_about_unordered", entity=entity, **asked)
    if len(rows) <= wanted.limit:
        return Newest(sorted(map(seen_of, rows), key=age, reverse=True), len(rows))
    ranked = view.rows("facts_about_counted", entity=entity, **asked)
    return Newest([seen_of(row[:-1]) for row in ranked], ranked[0][-1])


def age(seen: Seen) -> tuple[int, int, str]:
    """The order of facts: when they were said, then when they were learned, then their ids."""
    fact = seen.fact
    return fact.source_at, fact.recorded_at, fact.id
