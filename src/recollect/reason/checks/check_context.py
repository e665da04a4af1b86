"""The context of a check run: one view of the world with cached readers and text helpers."""

from collections.abc import Iterable
from functools import cached_property

from recollect.model.ids import EntityId
from recollect.model.labels import kind_of
from recollect.model.relations import format_relation
from recollect.reason.lore.existence import Existence
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation
from recollect.reason.rules.graph import RuleGraph
from recollect.store.view import View
from recollect.when.gregorian import day_number, month_days, ymd
from recollect.when.instant import DAY, MAX, MIN
from recollect.when.period import Bounds, Time
from recollect.when.timeline_lookup import containing_era


class CheckContext:
    """The world that is being checked."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.lore = LoreReader(view)
        self.graph = RuleGraph(view, self.lore)

    @property
    def is_fictional(self) -> bool:
        return self.lore.is_fictional

    @cached_property
    def day(self) -> int:
        """The length of a day on the axis."""
        return 1 if self.is_fictional else DAY

    def name(self, entity: EntityId | None) -> str:
        found = None if entity is None else self.lore.entity(entity)
        return "nothing" if found is None else found.name

    def names(self, entities: Iterable[EntityId]) -> str:
        return ", ".join(self.name(each) for each in entities)

    def type(self, entity: EntityId) -> str | None:
        """The base type of an entity."""
        found = self.lore.entity(entity)
        return None if found is None else kind_of(found).type

    def existence(self, entity: EntityId) -> Existence:
        return self.lore.existence(entity)

    def claim(self, relation: Relation) -> str:
        """A relation with its ends and bounds, as a text."""
        target = relation.literal if relation.object is None else self.name(relation.object)
        parts = (self.name(relation.subject), format_relation(relation.name), target)
        text = " ".join(part for part in parts if part)
        bounds = relation.fact.bounds
        return text if bounds == Bounds() else f"{text} ({format_bounds(bounds)})"

    def later_by_years(self, position: int, years: int) -> int:
        """The position so many Gregorian years later; an open end stays open."""
        if position in (MIN, MAX):
            return position
        timeline = self.lore.world.timeline
        day = timeline.day_at(position)
        year, month, dom = ymd(day)
        to = day_number(year + years, month, min(dom, month_days(year + years, month)))
        return position + timeline.positions(to, to)[0] - timeline.positions(day, day)[0]

    def era(self, time: Time) -> str | None:
        """The path of the era that a time is written in, else of the era that contains it."""
        timeline = self.lore.world.timeline
        head = time.text.partition(".year_")[0]
        if any(era.path == head for era in timeline.eras):
            return head
        if time.lo == MIN:
            return None
        day = timeline.day_at(time.lo)
        own = next((era for era in timeline.eras if era.parent is None and era.holds_day(day)), None)
        found = own or containing_era(timeline, day)
        return None if found is None else found.path


def format_bounds(bounds: Bounds) -> str:
    """Bounds as a text: `from .. until`, one time if they are the same, an open side as …."""
    start, end = bounds.valid_from, bounds.valid_until
    if start is not None and end is not None and start.text == end.text:
        return start.text
    return format_interval(bounds)


def format_interval(bounds: Bounds) -> str:
    """Bounds as `from .. until`, also if they are the same."""
    start, end = bounds.valid_from, bounds.valid_until
    return f"{start.text if start else '…'} .. {end.text if end else '…'}"
