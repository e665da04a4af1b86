"""The day that a file name, heading or bullet gives to what stands below or after it."""

from datetime import date
from typing import NamedTuple

from recollect.text.fold import fold_name, plain_letters
from recollect.text.patterns import lazy_pattern
from recollect.when.english.day_order import DateOrder, day_and_month
from recollect.when.gregorian import date_or_none

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero janeiro gennaio januari stycznia janv gen ene styczen",
            "feb february februar fevrier febrero fevereiro febbraio februari lutego fevr fev luty",
            "mar march marz mars marzo marco maart marca mrz marzec",
            "apr april avril abril aprile kwietnia avr abr kwiecien",
            "may mai mayo maio maggio mei maj maja mag",
            "jun june juni juin junio junho giugno czerwca giu czerwiec",
            "jul july juli juillet julio julho luglio lipca juil lug lipiec",
            "aug august aout agosto augustus augusti sierpnia ago sierpien",
            "sep sept september septembre septiembre setembro settembre wrzesnia set wrzesien",
            "oct october oktober octobre octubre outubro ottobre pazdziernika okt out ott pazdziernik",
            "nov november novembre noviembre novembro listopada listopad",
            "dec december dezember decembre diciembre dezembro dicembre grudnia dez dic grudzien",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH_WORD = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = lazy_pattern(r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<sign>[-_./]?)(?P<m>\d\d)(?P=sign)(?P<d>\d\d)(?!\d)")
_DOTTED = lazy_pattern(r"(?<!\d)(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>(?:19|20)\d\d)(?!\d)")
_DAY_MONTH = lazy_pattern(
    rf"(?<![\d\w])(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.|e|er|º)?(?: of| de)? (?P<m>{_MONTH_WORD})\b\.?"
    r"(?:,? (?:de )?(?P<y>(?:19|20)\d\d))?"
)
_MONTH_DAY = lazy_pattern(
    rf"\b(?P<m>{_MONTH_WORD})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<y>(?:19|20)\d\d))?\b(?!:)"
)
_SLASHED = lazy_pattern(r"(?<![\d/])(?P<first>\d{1,2})/(?P<second>\d{1,2})(?:/(?P<y>(?:20)?\d\d))?(?![\d/])")
_LEADING_ISO = lazy_pattern(
    r"[ \t]*\*{0,2}(?:\[\[)?((?:19|20)\d\d-\d\d-\d\d)(?:\]\])?\*{0,2}[ \t]*+(?:[:–—-][ \t]++|(?<=[ \t]))(?=\S)"
)


def day_in_name(name: str) -> date | None:
    """The day in a file name or path: `2026-10-19`, `2026_10_19`, `20261019`, `19.10.2026`, `19 Oct 2026`."""
    return day_in_title(name.replace("_", "-"), None)


def day_in_title(title: str, near: date | None) -> date | None:
    """The day that a heading names; without a year, the one nearest to the day of the note, if that is known."""
    folded = plain_letters(fold_name(title))
    for pattern in (_ISO, _DOTTED, _DAY_MONTH, _MONTH_DAY):
        found = pattern.search(folded)
        if found is not None:
            month = _MONTHS.get(found["m"]) or int(found["m"])
            day = _resolve(found["y"], month, int(found["d"]), near)
            if day is not None:
                return day
    return None


class DateHint(NamedTuple):
    """A day that a note without a date gives elsewhere, which tells the year of days without one."""

    near: date
    order: DateOrder | None = None

    def day_of(self, phrase: str) -> date | None:
        """The day of a phrase without a year, such as *8 May* or *8/5*."""
        return day_in_title(phrase, self.near) or slashed_day(phrase, self.order, self.near)


def slashed_day(text: str, order: DateOrder | None, near: date | None) -> date | None:
    """The first day with slashes; none where its order is not known and both are possible."""
    found = _SLASHED.search(text)
    if found is None:
        return None
    parts = day_and_month(int(found["first"]), int(found["second"]), order)
    year = f"20{found['y'][-2:]}" if found["y"] else None
    return _resolve(year, parts[1], parts[0], near) if parts is not None else None


class LeadingDay(NamedTuple):
    """A day at the beginning of a bullet, and where the text after it begins."""

    day: date
    stop: int


def leading_day(text: str) -> LeadingDay | None:
    """The ISO day that a bullet begins with, as in `2026-09-14 8 bikes`."""
    found = _LEADING_ISO.match(text)
    if found is None:
        return None
    try:
        return LeadingDay(date.fromisoformat(found[1]), found.end())
    except ValueError:
        return None


def _resolve(year: str | None, month: int, day: int, near: date | None) -> date | None:
    years = [int(year)] if year else [] if near is None else [near.year - 1, near.year, near.year + 1]
    days = [found for each in years if (found := date_or_none(each, month, day)) is not None]
    return min(days, key=lambda found: abs((found - near).days) if near else 0, default=None)
