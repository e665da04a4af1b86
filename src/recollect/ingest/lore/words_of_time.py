"""Whether a text has words of time, readable or not."""

import re
from functools import lru_cache

from recollect.when.gregorian import MONTH_NAMES, WEEKDAYS
from recollect.when.timeline import Timeline
from recollect.when.timeline_lookup import primary_calendar

_PREPOSITIONS = (
    "until till til since before after during throughout between while whilst when whenever upon under prior"
)
_ADVERBS = (
    "once then ago later earlier formerly previously now nowadays today tonight yesterday tomorrow currently presently "
    "still already soon recently lately eventually finally briefly temporarily forever always never anymore meanwhile "
    "afterwards? thereafter thenceforth henceforth hitherto hereafter onwards? again anew initially originally "
    "subsequently latterly intermittently periodically occasionally perennially antiquity prehistory boyhood girlhood "
    "annually daily weekly monthly yearly momentarily permanently former erstwhile sometimes? often seldom long "
    "first last next lifelong ex following preceding past present future modern ancient contemporary"
)
_UNITS = (
    "years? months? days? weeks? weekends? fortnights? hours? minutes? decades? centur(?:y|ies) millenni(?:um|a) "
    "generations? ages? eras? epochs? periods? times? seasons? quarters? moments? nights? mornings? evenings? eves? "
    "dawns? dusks? noon midnight anniversar(?:y|ies) dynast(?:y|ies) "
    "springs? summers? autumns? winters? yule midsummer midwinter solstices? equinox(?:es)? harvests? "
    "christmas easter michaelmas lent advent lammas candlemas martinmas whitsun pentecost ramadan birthdays?"
)
_EVENTS = (
    "reigns? regenc(?:y|ies) tenures? lifetimes? life youth childhood infancy adolescence adulthood deaths? births? "
    "coronations? accessions? abdications? weddings? marriages? wars? wartime peacetime battles? sieges? conquests? "
    "invasions? rebellions? revolts? revolutions? treat(?:y|ies) truces? armistices? peace defeats? victor(?:y|ies) "
    "falls? exiles? returns? arrivals? departures? foundings? foundations? dissolutions? beginnings? starts? ends? "
    "turns? heyday aftermath wake"
)
_CIRCA = r"circa|\bca?\.|approx"
_WORDS = "|".join(f"{_PREPOSITIONS} {_ADVERBS} {_UNITS} {_EVENTS}".split())
_PHRASES = (
    r"no longer|as of|of old|one day|so far|to date|by then|as an? (?:child|boy|girl|infant|youth|(?:young|old) \w+)"
)
_TIMED = re.compile(rf"\d|\b(?:{_WORDS}|{_PHRASES})\b|{_CIRCA}", re.IGNORECASE)
_MONTHS = re.compile(rf"\b(?:{'|'.join((*MONTH_NAMES, *WEEKDAYS))})\b")
_NUMBERED_NOTE = re.compile(r"\[\^?\d+\]")


def has_time_words(text: str, timeline: Timeline) -> bool:
    """Whether a text may state a time in any form; false positives are preferred to misses."""
    plain = _NUMBERED_NOTE.sub(" ", text)
    return any(pattern is not None and pattern.search(plain) for pattern in (_TIMED, _MONTHS, _names_of(timeline)))


@lru_cache(64)
def _names_of(timeline: Timeline) -> re.Pattern[str] | None:
    """The names that a world has for its times: eras, months, weekdays, named dates."""
    calendars = {primary_calendar(timeline), *timeline.calendars} if timeline.is_fictional else set()
    months = [name for each in calendars for n in range(1, each.month_count + 1) if (name := each.month_name(n))]
    eras = [name for era in timeline.eras for name in (era.name, era.abbreviation) if name]
    names = [*months, *eras, *(date.label for date in timeline.dates)]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b") if names else None
