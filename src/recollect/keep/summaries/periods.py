"""Which memories a summary is made of, when its period is over, and when late sources have made it stale."""

from collections.abc import Iterator
from datetime import date, timedelta

from recollect.keep.memories.dates import Granularity, Period, around
from recollect.keep.memories.keeping import Kept, find_memory, kept, memories_of
from recollect.model.document import Document
from recollect.store.view import View
from recollect.when.instant import date_of_day, local_date


def today(view: View) -> date:
    return local_date(view.now, view.world.zone)


def is_closed(view: View, period: Period) -> bool:
    """Whether the last day of a period has ended in the workspace's zone."""
    return period.last < today(view)


def summary_id(period: Period) -> str:
    return f"{period.granularity}-{period.text}"


def is_stale(view: View, memory: Kept) -> bool:
    """Whether anything that a summary rests on, near or far, was written, changed or taken out after it."""
    if memory.draft.summary is None:
        return False
    period, since = memory.draft.period, memory.document.tx_from
    if _touched(view, "daily", (period.first.isoformat(), period.last.isoformat()), since):
        return True
    months = _months(period) if period.granularity == "yearly" else [period]
    between = {
        "weekly": [week for month in months for week in _weeks_inside(month)],
        "monthly": months if period.granularity == "yearly" else [],
    }
    for granularity, parts in between.items():
        ids = {summary_id(part) for part in parts} if period.granularity != "weekly" else set()
        if ids and ids & _touched(view, granularity, (parts[0].text, parts[-1].text), since):
            return True
    return False


def _touched(view: View, granularity: str, dates: tuple[str, str], since: int) -> set[str]:
    low, high = f"{granularity}-{dates[0]}", f"{granularity}-{dates[1]}`"
    return {row[0] for row in view.rows("memories_touched_between", low=low, high=high, since=since)}


def _weeks_inside(month: Period) -> list[Period]:
    """The weeks that lie wholly in a month."""
    weeks = {each.text: each for each in (around("weekly", day) for day in _days(month))}
    return [week for week in weeks.values() if month.first <= week.first and week.last <= month.last]


def _months(year: Period) -> list[Period]:
    return [around("monthly", date(year.first.year, number, 1)) for number in range(1, 13)]


def _days(period: Period) -> Iterator[date]:
    for count in range((period.last - period.first).days + 1):
        yield period.first + timedelta(days=count)


def sources_of(view: View, period: Period) -> list[Kept]:
    """What a summary of this period is made of, in order of date."""
    match period.granularity:
        case "weekly":
            found = kept(view, _dailies(view, period))
        case "monthly":
            weeks = _weeks_inside(period)
            whole = [each for each in (find_memory(view, summary_id(week)) for week in weeks) if each]
            loose = kept(view, _dailies(view, period))
            found = [*whole, *(day for day in loose if not any(_is_within(day, week) for week in weeks))]
        case _:
            found = [each for each in (find_memory(view, summary_id(month)) for month in _months(period)) if each]
    return sorted(found, key=lambda each: (each.draft.period.first, each.id))


def _is_within(memory: Kept, week: Period) -> bool:
    return week.first <= memory.draft.period.first <= week.last


def _dailies(view: View, period: Period) -> list[Document]:
    return memories_of(view, "daily", period.first.isoformat(), period.last.isoformat())


def below(period: Period) -> list[Period]:
    """The lower summaries that one of this period is made of."""
    match period.granularity:
        case "monthly":
            return _weeks_inside(period)
        case "yearly":
            return _months(period)
        case _:
            return []


def with_sources(view: View, granularity: Granularity) -> list[Period]:
    """The closed periods of a granularity that anything can be said about, oldest first."""
    found: dict[str, Period] = {}
    for below_, day in view.rows("entry_periods"):
        period = around(granularity, date_of_day(day))
        if below_ == "daily" or period in _made_of(below_, date_of_day(day), granularity):
            found[period.text] = period
    return sorted((each for each in found.values() if is_closed(view, each)), key=lambda each: each.first)


def _made_of(granularity: str, day: date, above: Granularity) -> list[Period]:
    """The periods above that take a summary of this granularity as a source."""
    match granularity, above:
        case "weekly", "monthly" | "yearly":
            week = around("weekly", day)
            return [around(above, day)] if around("monthly", week.first) == around("monthly", week.last) else []
        case "monthly", "yearly":
            return [around("yearly", day)]
        case _:
            return []
