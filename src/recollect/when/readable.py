"""Times of a fictional timeline in words: `3 Flow 45 ST` for `second_tide.year_45.month_2.day_3`."""

from recollect.errors import RecollectError
from recollect.when.calendar_position import CalendarPosition
from recollect.when.instant import MIN, Instant
from recollect.when.parse import position_in_era, read_time
from recollect.when.period import Time
from recollect.when.timeline import Timeline


def readable_time(time: Time, timeline: Timeline) -> str:
    """The time with the names of its month and era, in a form that is read back; else its canonical text."""
    return readable_text(time.text, timeline)


def readable_text(canonical: str, timeline: Timeline) -> str:
    """The same for the canonical text of a time."""
    if not timeline.is_fictional:
        return canonical
    place = position_in_era(canonical.removesuffix("~"), timeline)
    words = None if place is None else _words(place)
    if words is None:
        return canonical
    text = words + "~" * canonical.endswith("~")
    return text if _means(text, canonical, timeline) else canonical


def _words(place: CalendarPosition) -> str | None:
    """None if the month has no name."""
    era = place.era
    if place.year is None:
        return era.name
    year = f"{place.year} {era.abbreviation}" if era.abbreviation else f"year {place.year} of {era.name}"
    if place.month is None:
        return year
    month = era.calendar.month_name(place.month)
    if month is None:
        return None
    day = "" if place.day is None else f"{place.day} "
    return f"{day}{month}{' ' if era.abbreviation else ', '}{year}"


def _means(text: str, canonical: str, timeline: Timeline) -> bool:
    try:
        return read_time(text, timeline, Instant(MIN)).text == canonical
    except RecollectError:
        return False
