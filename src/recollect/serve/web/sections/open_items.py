"""Open items: what is still to be done, decided or unblocked, by owner and due date, and a calendar of the month."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from recollect.model.fact import Fact
from recollect.model.ids import FACT_PREFIX, FactId, format_entity_id, format_fact_id, read_id
from recollect.reason.closures.open_items import ITEM_KINDS, ItemKind, owner_of, topic_of
from recollect.reason.corrections import move_item, reassign_item
from recollect.reason.fact_links import LinkEnd
from recollect.reason.items.fact_state import ItemState
from recollect.reason.items.item_list import ItemCounts, ItemFilter, ListedItem, list_items
from recollect.serve.web.framework.cards import changes_since, find_entities, source_name
from recollect.serve.web.framework.pages import (
    Action,
    ActionResult,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    required_field,
    whole_number,
)
from recollect.store.change import Change
from recollect.store.view import View
from recollect.surfaces.recollect.correct import correct
from recollect.surfaces.recollect.failures import InvalidInput, NotFound
from recollect.surfaces.recollect.parameters import find_entity, read_when
from recollect.surfaces.recollect.views import BriefEntity, BriefFact, FactViews
from recollect.when.calendar import split_day
from recollect.when.ruler import MonthGrid, day_label, month_grid, ruler_calendar

PAGE_SIZE = 80
MOST_READ = 400
MOST_COMPARED = 2_000
NOBODY = "Nobody"
_MONTH = re.compile(r"(-?\d{1,6})-(\d{1,2})", re.ASCII)


@dataclass(frozen=True, slots=True)
class ItemLine:
    id: str
    text: str
    state: ItemState
    kind: ItemKind
    owner: BriefEntity | None
    about: BriefEntity | None
    due: str | None
    source: str | None
    closed_by: BriefFact | None
    change: str = ""
    """How it differs from now, on a page that shows another moment."""

    @property
    def data_state(self) -> str:
        """The state as of all facts."""
        return "current" if self.is_open else "ended"

    @property
    def is_open(self) -> bool:
        return self.state in ("open", "overdue")


@dataclass(frozen=True, slots=True)
class OwnerGroup:
    name: str
    owner: BriefEntity | None
    items: tuple[ItemLine, ...]


@dataclass(frozen=True, slots=True)
class DayCell:
    """A day of the calendar; an empty label fills a week."""

    label: str
    title: str
    is_today: bool
    items: tuple["DueItem", ...]


@dataclass(frozen=True, slots=True)
class DueItem:
    """An item in the calendar."""

    id: str
    text: str
    state: ItemState


@dataclass(frozen=True, slots=True)
class CalendarMonth:
    label: str
    weekdays: tuple[str, ...]
    weeks: tuple[tuple[DayCell, ...], ...]
    previous: str
    next: str


@dataclass(frozen=True, slots=True)
class OpenPage(PageModel):
    groups: tuple[OwnerGroup, ...]
    counts: ItemCounts
    month: CalendarMonth
    owner: str
    kind: str
    kinds: tuple[ItemKind, ...]
    closed: bool
    number: int
    has_next: bool
    since_added: tuple[ItemLine, ...] = ()


def show(request: PageRequest) -> OpenPage:
    owner, kind = (request.query.get(name, "").strip() for name in ("owner", "kind"))
    closed, number = request.query.get("closed") == "1", min(1_000, whole_number(request.query.get("page", "")) or 1)
    kinds: frozenset[ItemKind] = frozenset(each for each in ITEM_KINDS if each == kind)
    with request.read() as view:
        person = None if not owner else find_entities(request, view, [owner], "owner").first.id
        # What was said in a world of its own has no place on its calendar.
        at = None if request.clocks.at is None or view.world.timeline.is_fictional else request.at(view)
        most = max(MOST_READ, number * PAGE_SIZE)
        found = list_items(view, ItemFilter(None, person, None, kinds, closed, most, at))
        shown = found.items[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
        diff = _compare_with_now(request, view, shown, {each.item.id for each in found.items})
        groups = _Lines(view, shown, diff.changes).by_owner()
        month = _month(view, _asked_month(request, view), found.items)
    has_next = len(found.items) > number * PAGE_SIZE or found.is_cut
    return OpenPage(
        "Open items", groups, found.counts, month, owner, kind, ITEM_KINDS, closed, number, has_next, diff.added
    )


@dataclass(frozen=True, slots=True)
class _ItemDiff:
    """How the items of a page differ from now: what became of each, and those that were added."""

    changes: Mapping[str, str] = field(default_factory=dict)
    added: tuple[ItemLine, ...] = ()


def _compare_with_now(
    request: PageRequest, view: View, shown: Sequence[ListedItem], known: Collection[FactId]
) -> _ItemDiff:
    if request.clocks.is_now:
        return _ItemDiff()
    changes = changes_since(request.memory, view, [each.item.id for each in shown], request.at(view))
    were_open = {each.item.id for each in shown if each.closing is None}
    with request.memory.read() as latest:
        now = list_items(latest, ItemFilter(include_closed=True, limit=MOST_COMPARED)).items
        closed = {format_fact_id(each.item.id) for each in now if each.closing and each.item.id in were_open}
        new = [each for each in now if each.closing is None and each.item.id not in known]
        added = tuple(replace(line, change="added") for line in _Lines(latest, new[:PAGE_SIZE], {}).all)
    return _ItemDiff(changes | dict.fromkeys(closed, "gone"), added)


class _Lines:
    """The items as lines, read with a fixed number of queries."""

    def __init__(self, view: View, listed: Sequence[ListedItem], changes: Mapping[str, str]) -> None:
        self._changes = changes
        closers = [each.closing.fact for each in listed if each.closing is not None and each.closing.fact is not None]
        closings = {each.item.id: each.closing.predicate for each in listed if each.closing is not None}
        self._facts = FactViews(view).of([*(each.item.id for each in listed), *closers], closings)
        self._listed = [each for each in listed if each.item.id in self._facts]
        self._lines: dict[FactId, ItemLine] = {each.item.id: self._line(each) for each in self._listed}

    @property
    def all(self) -> list[ItemLine]:
        return list(self._lines.values())

    def by_owner(self) -> tuple[OwnerGroup, ...]:
        """Groups in the order of their earliest item; items without an owner last."""
        groups: dict[str, list[ItemLine]] = {}
        for line in self._lines.values():
            groups.setdefault(line.owner["id"] if line.owner else "", []).append(line)
        ordered = sorted(groups, key=lambda key: key == "")
        return tuple(self._group(groups[key]) for key in ordered)

    def _group(self, lines: list[ItemLine]) -> OwnerGroup:
        owner = lines[0].owner
        return OwnerGroup(NOBODY if owner is None else owner["name"], owner, tuple(lines))

    def _line(self, listed: ListedItem) -> ItemLine:
        fact, closing = self._facts[listed.item.id], listed.closing
        return ItemLine(
            fact["id"],
            fact["text"],
            listed.state,
            listed.item.kind,
            _brief(owner_of(listed.item)),
            _brief(topic_of(listed.item)),
            fact.get("until"),
            source_name(fact.get("source")),
            None if closing is None or closing.fact is None else self._facts.get(closing.fact),
            self._changes.get(fact["id"], ""),
        )


def _brief(end: LinkEnd | None) -> BriefEntity | None:
    return None if end is None else {"id": format_entity_id(end.id), "name": end.name, "type": end.type}


def _asked_month(request: PageRequest, view: View) -> tuple[int, int]:
    """Year and month of the calendar that the address asks for, else those of the present."""
    day = view.world.timeline.day_at(request.at(view).lo)
    calendar = ruler_calendar(view.world.timeline, day)
    match = _MONTH.fullmatch(request.query.get("month", ""))
    if match and 1 <= int(match[2]) <= calendar.month_count:
        return int(match[1]), int(match[2])
    year, month, _ = split_day(calendar, day)
    return year, month


def _month(view: View, asked: tuple[int, int], listed: Sequence[ListedItem]) -> CalendarMonth:
    timeline = view.world.timeline
    today = timeline.day_at(view.world.present.lo)
    grid = month_grid(ruler_calendar(timeline, today), *asked)
    by_day: dict[int, list[DueItem]] = {}
    for each in listed:
        if each.item.due is not None:
            due = DueItem(format_fact_id(each.item.id), each.item.text, each.state)
            by_day.setdefault(timeline.day_at(each.item.due), []).append(due)
    weeks = tuple(tuple(_cell(view, grid, day, today, by_day) for day in week) for week in grid.weeks)
    label = day_label(timeline, timeline.positions(grid.first_day, grid.first_day)[0], "month")
    return CalendarMonth(label, grid.weekdays, weeks, "{}-{}".format(*grid.previous), "{}-{}".format(*grid.next))


def _cell(view: View, grid: MonthGrid, day: int | None, today: int, by_day: dict[int, list[DueItem]]) -> DayCell:
    if day is None:
        return DayCell("", "", False, ())
    timeline = view.world.timeline
    title = day_label(timeline, timeline.positions(day, day)[0])
    return DayCell(str(day - grid.first_day + 1), title, day == today, tuple(by_day.get(day, ())))


def close(request: PageRequest) -> ActionResult:
    """Mark an item as done."""
    result = correct(request.acting("open"), required_field(request, "item", 100), "ended").value
    return ActionResult(request.back("open"), f"Done: {result['before']['text']}", result["undo"])


def cancel(request: PageRequest) -> ActionResult:
    result = correct(request.acting("open"), required_field(request, "item", 100), "ended", value="cancelled").value
    return ActionResult(request.back("open"), f"Cancelled: {result['before']['text']}", result["undo"])


def move(request: PageRequest) -> ActionResult:
    """Give an item another due date; an empty one takes it away."""
    due = request.text("due")
    with request.acting("open").write() as change:
        item = _item(request, change)
        move_item(change, item, read_when(change.world, due, "due") if due else None)
        tx = change.tx
    return ActionResult(request.back("open"), f"Now due {due}" if due else "No longer due on a day", tx)


def reassign(request: PageRequest) -> ActionResult:
    name = required_field(request, "owner", 200)
    with request.acting("open").write() as change:
        owner = find_entity(request.memory, change, name, "owner")
        reassign_item(change, _item(request, change), owner)
        tx = change.tx
    return ActionResult(request.back("open"), f"Reassigned to {owner.name}", tx)


def _item(request: PageRequest, change: Change) -> Fact:
    id_ = required_field(request, "item", 100)
    found = change.fact(FactId(read_id(id_, FACT_PREFIX)))
    if found is None:
        raise NotFound(f"there is no item {id_[:50]!r}", field="item")
    if found.stale:
        raise InvalidInput("this item is closed or replaced already", field="item", next_step="Reload the page.")
    return found


SECTION = WebSection(
    "open",
    pages=(Page("open", "open", show, has_clock=True),),
    actions=(
        Action("open/done", close),
        Action("open/cancel", cancel),
        Action("open/move", move),
        Action("open/reassign", reassign),
    ),
    label="Open items",
    group="Tend",
)
