"""Dates in lore prose: the workspace's calendar, parts of eras and centuries, events and reigns."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from recollect.errors import Refused
from recollect.ingest.extract.passages import date_order
from recollect.ingest.lore.named_times import Ends, NamedTimes
from recollect.ingest.lore.period_fractions import PART, YEAR_UNIT, count_of, period_fraction, read_rank, years_per
from recollect.model.ids import EntityId
from recollect.store.world import World
from recollect.when.calendar_position import iso_place
from recollect.when.english.day_order import UnknownDayOrder, in_iso_form
from recollect.when.english.mentions import find_times
from recollect.when.era import Era
from recollect.when.format import Unit, time_of
from recollect.when.instant import local_date
from recollect.when.period import Grain, Time
from recollect.when.timeline_lookup import find_era, primary_calendar

_GRAINS = {"year": 1, "month": 2, "day": 3}
_UNIT_OF: Mapping[Grain, Unit] = {"day": "day", "month": "month", "year": "year", "era": "year"}
_GREGORIAN_ERAS = (
    (re.compile(r"\bA\.? ?D\.?(?!\w)|\bC\.E\.?(?!\w)"), "CE"),
    (re.compile(r"\bB\.? ?C\.?(?!\w)|\bB\.C\.E\.?(?!\w)"), "BCE"),
)
_DOTTED = re.compile(r"\b(?:[A-Z]\.){2,}")
_ABOUT = re.compile(
    r"(?:in )?(?:or )?(?:about|around|circa|ca?\.|approximately|roughly) (?:the year )?"
    rf"|some (?=[\w-]+(?: [\w-]+)? {YEAR_UNIT} )",
    re.IGNORECASE,
)
_YEAR_OF_GRACE = re.compile(
    r"^(?:the )?(?:year of (?:(?:our|the) lord|grace|salvation)|anno(?: domini)?),? (?=\d)", re.IGNORECASE
)
_YEAR_IN = re.compile(r"(?:year )?(?P<year>-?\d{1,6}),? (?:of|in) (?:the )?(?P<era>.+)", re.IGNORECASE)
_NTH_YEAR = re.compile(r"(?P<rank>[\w-]+(?: [\w-]+)?) year of (?:the )?(?P<era>.+)", re.IGNORECASE)
_ERA_FIRST = re.compile(r"(?P<era>\D+?),? (?:year )?(?P<year>\d{1,6})")
_PERIOD = re.compile(
    r"(?P<rank>[\w-]+(?: [\w-]+)?) (?P<unit>year|decade|century) of (?:the )?(?P<era>.+)", re.IGNORECASE
)
_DAY = r"(?P<{}>\d{{1,3}})(?:st|nd|rd|th)?"
_MONTH_DAY = re.compile(
    rf"(?:{_DAY.format('before')}(?: day)?(?: of)? )?(?P<month>[^\W\d][\w' -]*?)(?: {_DAY.format('after')})?,?"
    r"(?: of| in)?(?: the year)? (?P<year>\d.*)",
    re.IGNORECASE,
)
_SEASON = re.compile(
    r"(?:spring|summer|autumn|fall|winter|harvest)(?: season| months)?(?:,| of| in)? (?:the year )?(?P<year>.*\d.*)",
    re.IGNORECASE,
)
_AGO = re.compile(
    rf"(?P<count>[\w-]+(?: [\w-]+)?) (?P<unit>{YEAR_UNIT}) (?P<way>after|before) (?P<event>.+)",
    re.IGNORECASE,
)
_SAME_YEAR = re.compile(
    r"(?:(?:very )?(?:same year as|year of|year when)|very same year as|time of|day of|eve of) (?P<event>.+)",
    re.IGNORECASE,
)
_NEXT_YEAR = re.compile(r"year (?P<way>after|before) (?P<event>.+)", re.IGNORECASE)
_OWN_EVENTS = (
    "death|birth|end|fall|divorce|abdication|deposition|resignation|expulsion|accession|coronation|dissolution|marriage"
    "|wedding|election|departure|retirement|dismissal|exile|execution|murder|assassination|appointment|arrival|return"
    "|victory|defeat|capture|release|flight|founding|overthrow|enthronement|banishment|separation|destruction"
)
_OWN_DATED = re.compile(
    rf"(?:(?:his|her|its|their) (?:own |[a-z]+ )?(?:{_OWN_EVENTS})|(?:he|she|it|they) (?:was |were )?[a-z]+)"
    r" (?:in|on) (.+)",
    re.IGNORECASE,
)
_DECADE_OF = re.compile(r"(?P<year>\d{1,5}0)['’]?s(?:,? (?:of|in) (?:the )?| )(?P<era>.+)", re.IGNORECASE)
_YEARS_OF = re.compile(
    r"(?P<side>first|last) (?P<count>[\w-]+) (?P<unit>years|decades) of (?:the )?(?P<era>.+)", re.IGNORECASE
)
_WHOLE = re.compile(r"^(?:the )?(?:(?:whole|entirety|duration) of|all of|entire|whole) (?:the )?", re.IGNORECASE)
_LONG = 10
_HAS_YEAR = re.compile(r"\b\d{4}\b|\bcentury\b|\b\d{2}[1-9]0['’]?s\b")
_WHOLE_CENTURY = re.compile(r"\b\d{2}00['’]?s\b")
_BARE = re.compile(r"(?:year )?(?P<year>\d{1,6})(?:st|nd|rd|th)?")


class ProsePeriod(NamedTuple):
    """The first and the last time of what a phrase names; the same for a single date.

    `somewhere` is the whole as one uncertain time, where nobody can say on which day it begins and ends.
    """

    first: Time
    last: Time
    somewhere: Time | None = None

    @property
    def start(self) -> Time:
        return self.somewhere or self.first

    @property
    def end(self) -> Time:
        return self.somewhere or self.last


class ProseDateReader:
    """The reader of one document's times."""

    def __init__(self, world: World, remembered: NamedTimes, written: Time | None) -> None:
        self.world = world
        self._remembered = remembered
        self._written = written
        self._readers: tuple[Callable[[str], ProsePeriod | None], ...] = (
            self._exact,
            self._part,
            self._gregorian,
            self._month_of_world,
            self._season_of_world,
            self._year_of_era,
            self._period_of_era,
            self._counted_from,
            self._remembered_time,
        )

    def about(self, names: Mapping[str, EntityId], own: EntityId | None, death: Time | None = None) -> None:
        """Set what the names of a sentence mean, the one for *he*, *she* or *it*, and when that one died."""
        self._remembered.about(names, own, death)

    def read(self, words: str, era: Era | None = None) -> ProsePeriod | None:
        """The time that the words name, all of them; a bare year is one of the era, if given."""
        text = _plain(words)
        if not text:
            return None
        about = _ABOUT.match(text)
        if about is not None:
            return self._approximate(self.read(text[about.end() :], era))
        bare = _BARE.fullmatch(text)
        if bare is not None and self.world.timeline.is_fictional:
            return self._bare(int(bare["year"]), era)
        found = next((found for reader in self._readers if (found := reader(text)) is not None), None)
        return found if found is None or found.first.lo <= found.last.hi else None

    def is_bare(self, words: str) -> bool:
        """Whether the words are a bare number, whose era must come from elsewhere."""
        return self.world.timeline.is_fictional and _BARE.fullmatch(_plain(words)) is not None

    def era_of(self, time: Time) -> Era | None:
        """The era that a time is written in."""
        return self._era(time.text.strip("[~").partition(".year_")[0])

    def before(self, stretch: ProsePeriod) -> Time | None:
        """The unit that ends where a time begins."""
        return time_of(stretch.first.lo - 1, self.world.timeline, _UNIT_OF.get(stretch.first.grain, "day"))

    def beginning(self, stretch: ProsePeriod) -> Time | None:
        """The first year of what lasts for years; none for a year or less, and where nobody knows when it began."""
        is_long = stretch.first.grain == "era" or stretch.first.hi < stretch.last.lo
        if stretch.somewhere is not None or not is_long or stretch.first.grain in ("day", "month"):
            return None
        return time_of(stretch.first.lo, self.world.timeline, "year")

    def after(self, stretch: ProsePeriod) -> Time | None:
        """The unit that begins where a time ends."""
        return time_of(stretch.last.hi + 1, self.world.timeline, _UNIT_OF.get(stretch.last.grain, "day"))

    def same_month(self, day: str, time: Time) -> ProsePeriod | None:
        """Another day of the month of a day: between 12 and 30 April 1903."""
        number = int(re.sub(r"\D", "", day))
        month = re.fullmatch(r"(.+[.-](?:day_)?)\d+", time.text) if time.grain == "day" else None
        text = None if month is None else f"{month[1]}{number if self.world.timeline.is_fictional else f'{number:02}'}"
        found = None if text is None else self._time(text)
        return None if found is None else ProsePeriod(found, found)

    def same_year(self, words: str, time: Time) -> ProsePeriod | None:
        """A day or month of the year of another: between Slip and Firing of 71 KN."""
        era = self.era_of(time)
        year = re.search(r"year_(\d+)", time.text)
        if era is None or year is None or time.grain not in ("month", "day"):
            return None
        return self._month_of_world(f"{words.strip()} {year[1]} of {era.name}")

    def shifted(self, time: Time, years: int) -> Time | None:
        """The year that lies so many years from that of a time."""
        timeline = self.world.timeline
        era = self.era_of(time) or self._era("ce")
        if era is None or time.uncertain:
            return None
        year = era.calendar.year_of(timeline.day_at(time.lo)) + years
        day = era.calendar.year_start(year)
        return time_of(timeline.positions(day, day)[0], timeline, "year")

    def _time(self, text: str) -> Time | None:
        try:
            time = self.world.read(text)
        except Refused:
            return None
        return None if time.text == "current" or "current" in text.lower() else time

    def _era(self, reference: str) -> Era | None:
        try:
            return find_era(self.world.timeline, reference)
        except Refused:
            return None

    def _year(self, era: Era | None, year: int | None) -> ProsePeriod | None:
        time = None if era is None or year is None else self._time(f"{era.path}.year_{year}")
        return None if time is None else ProsePeriod(time, time)

    def _bare(self, year: int, era: Era | None) -> ProsePeriod | None:
        """A number alone: a year of the era given, else of the document's own, else of the only era that has it."""
        era = era or (self.era_of(self._written) if self._written is not None else None)
        if era is not None:
            return self._year(era, year)
        found = [self._year(each, year) for each in self.world.timeline.eras if each.parent is None]
        known = [each for each in found if each is not None]
        return known[0] if len(known) == 1 else None

    def _approximate(self, stretch: ProsePeriod | None) -> ProsePeriod | None:
        if stretch is not None and stretch.somewhere is not None:
            return stretch
        if stretch is None or stretch.first != stretch.last or stretch.first.grain not in _GRAINS:
            return None
        time = stretch.first if stretch.first.uncertain else self._time(f"{stretch.first.text}~")
        return None if time is None else ProsePeriod(time, time)

    def _exact(self, text: str) -> ProsePeriod | None:
        time = self._time(text.removeprefix("year ")) or self._named_date(text)
        if time is None or time.grain == "range":
            return None
        return ProsePeriod(time, time)

    def _named_date(self, text: str) -> Time | None:
        dates = self.world.timeline.dates
        return next((each.time for each in dates if each.label.casefold() == text.casefold()), None)

    def _gregorian(self, text: str) -> ProsePeriod | None:
        """A date, decade, century or season with its year, as English writes it."""
        world = self.world
        if world.timeline.is_fictional or not _HAS_YEAR.search(text) or _WHOLE_CENTURY.search(text):
            return None
        try:
            words = in_iso_form(text, date_order(world.settings, "en", world.zone))
        except UnknownDayOrder:
            return None
        found = [each for each in find_times(f"in {words}", world.clock, world.zone) if each.text.endswith(words)]
        if not found or found[0].text.removeprefix("in ").removeprefix("the ") != words:
            return None
        lo, hi = local_date(found[0].lo, world.zone), local_date(found[0].hi, world.zone)
        grain = _GRAINS.get(found[0].unit, 3)
        is_whole = (lo.month, lo.day, hi.month, hi.day) == (1, 1, 12, 31)
        first, last = ((each.year, each.month, each.day)[: 1 if is_whole else grain] for each in (lo, hi))
        start, end = self._time(iso_place(*first).text), self._time(iso_place(*last).text)
        return None if start is None or end is None else ProsePeriod(start, end)

    def _month_of_world(self, text: str) -> ProsePeriod | None:
        """Kelp 90 AS, the 12th of Kelp, 90 AS."""
        found = _MONTH_DAY.fullmatch(text) if self.world.timeline.is_fictional else None
        year = self.read(found["year"]) if found else None
        if found is None or year is None or year.first.grain != "year" or (found["before"] and found["after"]):
            return None
        calendar = (self.era_of(year.first) or self.world.timeline.eras[0]).calendar
        wanted = found["month"].casefold()
        names = {(calendar.month_name(n) or "").casefold(): n for n in range(1, calendar.month_count + 1)}
        if wanted not in names:
            return None
        day = found["before"] or found["after"]
        time = self._time(f"{year.first.text}.month_{names[wanted]}{f'.day_{int(day)}' if day else ''}")
        return None if time is None else ProsePeriod(time, time)

    def _season_of_world(self, text: str) -> ProsePeriod | None:
        """The spring of 90 AS: somewhere in that year, as no calendar says where its seasons lie."""
        found = _SEASON.fullmatch(text) if self.world.timeline.is_fictional else None
        year = self.read(found["year"]) if found else None
        if year is None or year.first != year.last or year.first.grain != "year" or year.first.uncertain:
            return None
        first, last = (time_of(each, self.world.timeline, "day") for each in (year.first.lo, year.first.hi))
        if first is None or last is None:
            return None
        return ProsePeriod(first, last, self._time(f"[{first}..{last}]"))

    def _year_of_era(self, text: str) -> ProsePeriod | None:
        """year 77 of the Age of Salt, the seventy-seventh year of it, TA 312; or of somebody's reign."""
        found = _YEAR_IN.fullmatch(text) or _ERA_FIRST.fullmatch(text)
        if found is not None:
            return self._year(self._era(found["era"]), int(found["year"]))
        found = _NTH_YEAR.fullmatch(text)
        rank = read_rank(found["rank"]) if found else None
        if found is None or rank is None:
            return None
        era = self._era(found["era"])
        if era is not None:
            return self._year(era, rank)
        reign = self.reign(found["era"])
        time = None if reign is None else self.shifted(reign.first, rank - 1)
        return None if time is None else ProsePeriod(time, time)

    def reign(self, words: str) -> ProsePeriod | None:
        """The reign of somebody, by name or in words: King Osric, the reign of King Osric, King Osric's rule."""
        text = _plain(words)
        is_named = re.search(r"\b(?:reign|rule)\b", text, re.IGNORECASE) is None
        return _period_between(self._remembered.read(f"reign of {text}" if is_named else text))

    def _period_of_era(self, text: str) -> ProsePeriod | None:
        """The first century, or the last decade, of an era that counts up."""
        found = _PERIOD.fullmatch(text)
        era = self._era(found["era"]) if found else None
        if found is None or era is None or era.direction != "up":
            return self._years_of_era(text)
        length = years_per(found["unit"])
        first = self._first_of_period(era, found["rank"].lower(), length)
        return None if first is None else self._years(era, first, length)

    def _years_of_era(self, text: str) -> ProsePeriod | None:
        """The 120s of an era, or the first ten years of it."""
        decade, several = _DECADE_OF.fullmatch(text), _YEARS_OF.fullmatch(text)
        found = decade or several
        era = self._era(found["era"]) if found else None
        if era is None or era.direction != "up":
            return None
        if decade is not None:
            return self._years(era, int(decade["year"]), 10)
        count = count_of(several["count"]) if several else None
        if several is None or count is None:
            return None
        length = count * years_per(several["unit"])
        first = self._first_of_period(era, "last" if several["side"].lower() == "last" else "first", length)
        return None if first is None else self._years(era, first, length)

    def _years(self, era: Era, first: int, count: int) -> ProsePeriod | None:
        start, end = self._year(era, first), self._year(era, first + count - 1)
        return None if start is None or end is None else ProsePeriod(start.first, end.last)

    def _first_of_period(self, era: Era, rank: str, length: int) -> int | None:
        if rank == "last":
            return None if era.last_day is None else era.number_of(era.calendar.year_of(era.last_day)) - length + 1
        number = read_rank(rank)
        return None if number is None else era.first_year + (number - 1) * length

    def _part(self, text: str) -> ProsePeriod | None:
        """The late 18th century, the first half of the Age of Salt, the turn of the century."""
        found = PART.fullmatch(text)
        whole = self.read(found["whole"]) if found else None
        if found is None or whole is None:
            return None
        if found["part"].lower() == "turn":
            return self._approximate(self._year_at(whole.first.lo))
        years = self._years_in(whole)
        share = period_fraction(found["part"].lower(), years)
        unit: Unit = "year" if years >= _LONG else "month" if years and share.is_vague else "day"
        lo, length = whole.first.lo, whole.last.hi - whole.first.lo + 1
        ends = lo + length * share.first // share.of, lo + length * share.last // share.of - 1
        first, last = (time_of(each, self.world.timeline, unit) for each in ends)
        if first is None or last is None:
            return None
        return ProsePeriod(first, last, self._time(f"[{first}..{last}]") if share.is_vague else None)

    def _year_at(self, position: int) -> ProsePeriod | None:
        time = time_of(position, self.world.timeline, "year")
        return None if time is None else ProsePeriod(time, time)

    def _years_in(self, stretch: ProsePeriod) -> int:
        timeline = self.world.timeline
        calendar = primary_calendar(timeline) if timeline.is_fictional else None
        days = timeline.day_at(stretch.last.hi) - timeline.day_at(stretch.first.lo) + 1
        return days // (calendar.year_days if calendar else 365)

    def _counted_from(self, text: str) -> ProsePeriod | None:
        """Two years after an event, the year before it, the same year as it."""
        found = _AGO.fullmatch(text) or _NEXT_YEAR.fullmatch(text) or _SAME_YEAR.fullmatch(text)
        event = self.read(found["event"]) if found else None
        if found is None or event is None:
            return None
        parts = found.groupdict()
        count = count_of(parts["count"]) if "count" in parts else 1 if "way" in parts else 0
        if count is None:
            return None
        years = count * years_per(parts.get("unit") or "year")
        is_before = (parts.get("way") or "").lower() == "before"
        time = self.shifted(event.first if is_before else event.last, -years if is_before else years)
        return None if time is None else ProsePeriod(time, time)

    def _remembered_time(self, text: str) -> ProsePeriod | None:
        """An event, a reign, a birth or a death that the workspace knows the time of."""
        found = _OWN_DATED.fullmatch(text)
        if found is not None:
            return self.read(found[1])
        return _period_between(self._remembered.read(text))


def _period_between(ends: Ends | None) -> ProsePeriod | None:
    if ends is None or ends[0] is None or ends[1] is None or ends[0].uncertain or ends[1].uncertain:
        return None
    return ProsePeriod(ends[0], ends[1])


def _plain(words: str) -> str:
    text = " ".join(words.split()).strip(" ,.;:()-–—")
    for pattern, name in _GREGORIAN_ERAS:
        text = pattern.sub(name, text)
    text = _WHOLE.sub("", text)
    text = _DOTTED.sub(lambda found: found[0].replace(".", ""), text)
    return re.sub(r"^(?:the )", "", _YEAR_OF_GRACE.sub("", text), flags=re.IGNORECASE)
