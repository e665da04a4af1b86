"""Feasts and holidays by their day: fixed, counted from Easter, or such a weekday of a month; with English names."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import NamedTuple


class RankedWeekday(NamedTuple):
    """The first, second … or, for -1, last such weekday of a month."""

    rank: int
    weekday: int
    month: int

    def in_year(self, year: int) -> date | None:
        first = date(year, self.month, 1)
        if self.rank < 0:
            last = date(year + self.month // 12, self.month % 12 + 1, 1) - timedelta(days=1)
            return last - timedelta(days=(last.weekday() - self.weekday) % 7)
        day = first + timedelta(days=(self.weekday - first.weekday()) % 7 + 7 * (self.rank - 1))
        return day if day.month == self.month else None


_FIXED = {
    "epiphany": (1, 6), "burns_night": (1, 25), "candlemas": (2, 2), "valentine": (2, 14), "st_patrick": (3, 17),
    "lady_day": (3, 25), "anzac_day": (4, 25), "may_day": (5, 1), "midsummer": (6, 24), "canada_day": (7, 1),
    "independence_day": (7, 4), "assumption": (8, 15), "michaelmas": (9, 29), "halloween": (10, 31),
    "all_saints": (11, 1), "bonfire_night": (11, 5), "martinmas": (11, 11), "st_nicholas": (12, 6),
    "christmas_eve": (12, 24), "christmas": (12, 25), "boxing_day": (12, 26), "new_year": (12, 31),
}  # fmt: skip
_FROM_EASTER = {
    "shrove_tuesday": -47, "ash_wednesday": -46, "palm_sunday": -7, "maundy_thursday": -3, "good_friday": -2,
    "easter_saturday": -1, "easter": 0, "easter_monday": 1, "ascension": 39, "whitsun": 49, "whit_monday": 50,
    "corpus_christi": 60,
}  # fmt: skip
_RANKED = {
    "mlk_day": RankedWeekday(3, 0, 1), "presidents_day": RankedWeekday(3, 0, 2),
    "early_may_bank_holiday": RankedWeekday(1, 0, 5), "spring_bank_holiday": RankedWeekday(-1, 0, 5),
    "memorial_day": RankedWeekday(-1, 0, 5), "august_bank_holiday": RankedWeekday(-1, 0, 8),
    "labor_day": RankedWeekday(1, 0, 9), "columbus_day": RankedWeekday(2, 0, 10),
    "remembrance_sunday": RankedWeekday(2, 6, 11), "thanksgiving": RankedWeekday(4, 3, 11),
}  # fmt: skip
FEASTS = frozenset((*_FIXED, *_FROM_EASTER, *_RANKED))

ENGLISH_FEASTS: Mapping[str, tuple[str, ...]] = {
    "epiphany": ("epiphany",), "burns_night": ("burns night",), "candlemas": ("candlemas",),
    "valentine": ("st valentine's day", "valentine's day", "valentines day", "valentine's", "valentines"),
    "st_patrick": ("st patrick's day", "st. patrick's day", "patrick's day", "st paddy's day", "paddy's day"),
    "lady_day": ("lady day",), "anzac_day": ("anzac day",), "may_day": ("may day",),
    "midsummer": ("midsummer day", "midsummer"), "canada_day": ("canada day",),
    "independence_day": ("independence day", "the fourth of july"), "michaelmas": ("michaelmas",),
    "halloween": ("halloween", "hallowe'en"), "all_saints": ("all saints' day", "all saints day", "all saints"),
    "bonfire_night": ("bonfire night", "guy fawkes night", "guy fawkes day", "guy fawkes"),
    "martinmas": ("martinmas",), "christmas_eve": ("christmas eve", "xmas eve"),
    "christmas": ("christmas day", "xmas day", "christmas", "xmas"), "boxing_day": ("boxing day",),
    "new_year": ("new year's eve", "new years eve", "new year eve", "new year's", "new year"),
    "shrove_tuesday": ("shrove tuesday", "pancake day", "mardi gras"), "ash_wednesday": ("ash wednesday",),
    "palm_sunday": ("palm sunday",), "maundy_thursday": ("maundy thursday",), "good_friday": ("good friday",),
    "easter_saturday": ("easter saturday",), "easter_monday": ("easter monday",), "easter": ("easter sunday", "easter"),
    "ascension": ("ascension day",), "whit_monday": ("whit monday",),
    "whitsun": ("whitsuntide", "whitsun", "whit sunday", "pentecost"), "corpus_christi": ("corpus christi",),
    "mlk_day": ("mlk day", "martin luther king day", "martin luther king jr day"),
    "presidents_day": ("presidents' day", "presidents day", "president's day"),
    "early_may_bank_holiday": ("early may bank holiday", "may bank holiday"),
    "spring_bank_holiday": ("spring bank holiday",), "memorial_day": ("memorial day weekend", "memorial day"),
    "august_bank_holiday": ("august bank holiday", "summer bank holiday"),
    "labor_day": ("labor day weekend", "labour day weekend", "labor day", "labour day"),
    "columbus_day": ("columbus day",), "remembrance_sunday": ("remembrance sunday",),
    "thanksgiving": ("thanksgiving day", "thanksgiving"),
}  # fmt: skip
"""Names in small letters, longer ones first; May Day is the first of May, Labour Day the first Monday of September."""


def feast_day(code: str, year: int) -> date:
    """The day of a feast in a year."""
    if code in _FIXED:
        return date(year, *_FIXED[code])
    if code in _FROM_EASTER:
        return _easter(year) + timedelta(days=_FROM_EASTER[code])
    day = _RANKED[code].in_year(year)
    assert day is not None
    return day


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the anonymous algorithm."""
    golden, century, rest = year % 19, year // 100, year % 100
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)
