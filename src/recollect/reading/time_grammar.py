"""The grammar of times in a language: one pattern for all its phrases, built from its words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from recollect.reading.time_words import NEVER, Lead, TimeWords, time_words
from recollect.text.patterns import lazy_pattern

_CLOCK = (
    r"(?:(?:at |@ ?|um |à |a las |às |alle |om |kl\.? ?)?"
    r"(?:\d{1,2}[:h]\d\d|\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|uhr|o'clock))"
    r"|noon|midday|lunch(?:time)?|midnight)"
)
NAMES_CLOCK = re.compile(rf"\b{_CLOCK}")
_CLOSE = r"(?:eod|cob|(?:the )?end of (?:the )?(?:business )?day|(?:the )?close of business)"
_ZONE = r"(?: (?:utc|gmt|bst|cet|cest|et|est|edt|pt|pst|pdt|ct|mt))?"
_YEAR = r"(?:\d{4}|'\d\d)"
_MEASURE = r"(?:%|€|eur|kg|km|mm|cm|usd|\$|h\b|x\b|am\b|pm\b|uhr\b)"
RANKS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "last": -1,
    "ersten": 1, "zweiten": 2, "dritten": 3, "vierten": 4, "letzten": -1,
    "premier": 1, "deuxième": 2, "troisième": 3, "quatrième": 4, "dernier": -1,
    "primer": 1, "segundo": 2, "tercer": 3, "cuarto": 4, "último": -1,
    "primo": 1, "secondo": 2, "terzo": 3, "quarto": 4, "ultimo": -1,
    "eerste": 1, "tweede": 2, "derde": 3, "vierde": 4, "laatste": -1,
    "primeira": 1, "segunda": 2, "terceira": 3, "quarta": 4, "última": -1,
    "första": 1, "andra": 2, "tredje": 3, "fjärde": 4, "sista": -1,
    "pierwszy": 1, "drugi": 2, "trzeci": 3, "czwarty": 4, "ostatni": -1,
}  # fmt: skip
_MARKS = r"[\s,.;:–—-]*"
_RANGE = r"(?:-|–|to|and|bis|au|al|t/m|a|till)"
_AFTER_NUMBER = (
    "at|in|from|till|until|we|i|he|she|they|you|is|are|was|were|works|would|will|can|could|suits|morning|afternoon|"
    "evening|night|lunchtime|om|van|tot|ben|zijn|kan|kunnen|wij|ik|kl|från|till|är|jag|vi|o|od|do|jest|są|możemy|mogę"
)
"""What stands after the day of a month, and never after a count: *Fri 27 at noon*, but *on Friday 10 chairs*."""


@dataclass(frozen=True, slots=True)
class TimeGrammar:
    """The pattern of one language and what its words stand for."""

    words: TimeWords
    phrase: re.Pattern[str]
    months: dict[str, int]
    weekdays: dict[str, int]
    leads: tuple[tuple[Lead, re.Pattern[str]], ...]
    spans: tuple[tuple[re.Pattern[str], str], ...]
    units: tuple[tuple[re.Pattern[str], str], ...]
    parts: tuple[tuple[re.Pattern[str], str], ...]
    corrected: re.Pattern[str]
    """Words of a sentence that may correct a time."""
    correction: re.Pattern[str]
    """What stands between a time and the one that corrects it."""
    denial: re.Pattern[str]
    """What stands before a time that is denied."""
    contrast: re.Pattern[str]
    """What stands between a time that is denied and the one that is meant."""
    exclusion: re.Pattern[str]
    """What stands between a time and one that it is not: *on Monday, not tomorrow*."""


@cache
def time_grammar(language: str) -> TimeGrammar:
    """The grammar of a language, compiled at its first use."""
    words = time_words(language)
    months = {form: number + 1 for form, number in _numbered(words.months).items()}
    weekdays = _numbered(words.weekdays)
    return TimeGrammar(
        words,
        lazy_pattern(_phrase(words, _either(months), _either(weekdays))),
        months,
        weekdays,
        tuple((lead, re.compile(pattern)) for lead, pattern in words.leads.items()),
        tuple((re.compile(pattern), code) for code, pattern in words.spans.items()),
        tuple((re.compile(pattern), unit) for unit, pattern in words.units.items()),
        tuple((re.compile(pattern), part) for part, pattern in words.parts.items()),
        lazy_pattern(rf"\b(?:{words.corrections}|{words.but_words}|{words.not_words})\b"),
        re.compile(rf"{_MARKS}(?:(?:{words.corrections})\b{_MARKS})+"),
        re.compile(rf"\b(?:{words.not_words})\s+$"),
        re.compile(rf",?\s+(?:{words.but_words})\s+"),
        re.compile(rf"(?:,| [-–—]| ?\()?\s*\b(?:{words.not_words})\s+"),
    )


def _numbered(names: str) -> dict[str, int]:
    return {form: number for number, forms in enumerate(names.split()) for form in forms.split("/")}


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


def _optional(words: str, behind: str = "") -> str:
    return rf"(?:(?:{words}){behind})?" if words else ""


def _phrase(words: TimeWords, month: str, weekday: str) -> str:
    """A word that leads a time, a clock, and one of the ways to name a day or a stretch of days."""
    lead = _either(words.leads.values())
    ways = "|".join((*_dates(words, month, weekday), *_relative(words, month, weekday), rf"(?P<clock>{_CLOCK})\b"))
    the = _optional(words.the, " ")
    return (
        rf"(?<![\w./-])(?<!guten )(?<!good )(?:(?P<lead>{lead})[ :]+)?{the}"
        rf"(?:(?:{_CLOCK}|{_CLOSE}){_ZONE},? (?:on |of |am |le |on the )?)?(?:{ways})"
    )


def _dates(words: TimeWords, month: str, weekday: str) -> tuple[str, ...]:
    """2026-10-19, 12.6., 12/6/26, 5-6 October 2026, October 5th."""
    the, of, ordinal = _optional(words.the, " "), _optional(words.of, " "), _optional(words.ordinal)
    leading = rf"(?:(?P<weekday_of_{{}}>{weekday})\.?,? \(?)?".format
    ends = r"(?<=\d)\.(?!\d)|(?=[\s,;!?)]|$)(?<![.]\d)(?<![.]\d\d)|(?<=/\d)(?!\d)|(?<=/\d\d)(?!\d)"
    numeric = (
        rf"{leading('number')}"
        rf"(?:(?P<num_from>\d{{1,2}})\.? ?[-–] ?)?(?P<num_a>\d{{1,2}})(?P<num_sign>[./])(?P<num_b>\d{{1,2}})"
        rf"(?:(?P=num_sign)(?P<num_c>\d{{4}}|\d\d)(?!\d)|{ends})(?!\s?{_MEASURE})"
    )
    day_month = (
        rf"{leading('day')}{the}(?P<dom>\d{{1,2}}){ordinal}(?: ?{_RANGE} ?(?P<dom_until>\d{{1,2}}){ordinal})?[ -]?{of}"
        rf"(?P<month>{month})\b\.?(?:,? {of}(?P<year>{_YEAR})\b)?"
    )
    month_day = (
        rf"{leading('month')}(?P<month_first>{month})\.? {the}(?P<dom_last>\d{{1,2}}){ordinal}"
        rf"(?: ?[-–] ?(?P<dom_last_until>\d{{1,2}}){ordinal}\b(?![-/.]\d))?"
        rf"(?![\d:.,]\d|\d| \d{{3}}\b| ?(?:am|pm|%|€|people|kg|km)\b)(?:,? (?P<year_last>{_YEAR})\b)?"
    )
    return r"(?P<iso>\d{4}-\d\d-\d\d)(?!\d)", numeric, day_month, month_day


def _relative(words: TimeWords, month: str, weekday: str) -> tuple[str, ...]:
    """tomorrow, next week, Friday the 16th, first Friday of May, mid March, in two weeks, Q3, week 41, the 15th."""
    the, of = _optional(words.the, " "), _optional(words.of, " ")
    step = rf"(?P<step>{words.next_words}|{words.last_words}|{words.this_words}) "
    part = rf"(?P<part>{'|'.join(words.parts.values())})[ -]?" if words.parts else r"(?P<part>(?!))"
    count, unit = rf"\d{{1,3}}|{_either(words.counts)}", _either(words.units.values())
    number_alone = "| " if words.the not in ("", "the") else ""  # "el jueves 10 voy", but not "on Friday 10 chairs"
    weekdays = (
        rf"(?:{step})?(?P<weekday>{weekday})\b\.?(?: (?:night|evening|morning|afternoon)(?= the \d))?"
        rf"(?:,? ?{the}(?P<weekday_dom>\d{{1,2}})(?:{words.ordinal or 'th'})(?!\w)"
        rf"|,? (?P<weekday_number>\d{{1,2}})(?=[,;!?)](?!\d)|\.?\s*$|\. {number_alone}"
        rf"| ?(?:{words.to or '-|–'}) ?{the}(?:{weekday})\b| (?:{words.and_words}|{_AFTER_NUMBER}|or) "
        r"|(?P<maybe_count>)\s|(?P<maybe_counts>) ?[+&/]))?"
        rf"(?: (?P<week_later>week|after next|{_either(words.weeks_later) or NEVER})\b)?"
        rf"(?: (?P<step_last>{words.next_words}|{words.last_words})\b"
        rf"|,? (?:of )?(?P<of_next_week>{words.spans.get('next_week', '(?!)')})\b)?"
    )
    ranked = (
        rf"(?P<rank>{_either(RANKS)}) (?P<rank_day>{weekday})\b (?:(?:of|in|im|des|de|di|van|i) )?(?:the )?"
        rf"(?:(?P<rank_month>{month})\b(?:,? (?P<rank_year>{_YEAR})\b)?|(?P<rank_unit>(?:\w+ )?month)\b)"
    )
    year_part = rf"(?:(?P<year_part>{'|'.join(words.parts.values())})[ -])?" if words.parts else r"(?P<year_part>(?!))?"
    year = (
        rf"{year_part}"
        r"(?P<lone_year_only>(?:19|20)\d\d)"
        r"(?![\w%€/-]|\.\d| ?(?:eur|kg|km|people|units|pieces|words|usd|euros?|pounds)\b)"
    )
    weeks = "|".join(words.spans[code] for code in ("this_week", "next_week", "last_week") if code in words.spans)
    weeks_later = _either(words.weeks_later) or NEVER
    seasons = "|".join(words.spans[code] for code in ("spring", "summer", "autumn", "winter") if code in words.spans)
    return (
        rf"(?P<season>{seasons or NEVER}) {of}(?P<season_year>(?:19|20)\d\d)\b",
        rf"(?P<day_word>{_either(map(re.escape, words.days))})\b(?!')(?P<day_later> (?:week|{weeks_later})\b(?! \d))?",
        rf"(?P<week_then>{weeks}),? (?:on )?(?P<day_of_week>{weekday})\b",
        rf"(?P<span_word>{_either(words.spans.values())})\b",
        ranked,
        *_counted(words, count, unit, weekday),
        weekdays,
        rf"(?:{part})?(?P<lone_month>{month})\b\.?(?:,? {of}(?P<lone_year>\d{{4}})\b)?",
        r"q(?P<quarter>[1-4])(?:[ /-](?P<quarter_year>\d{4}))?\b",
        r"(?P<quarter_rank>first|second|third|fourth) quarter(?: of|,| in)? (?P<quarter_of>\d{4})\b",
        year,
        r"(?:calendar |kalender)?(?:week|wk|kw|vecka|v\.) ?(?P<week_number>\d{1,2})\b",
        rf"{the}(?P<bare>\d{{1,2}}){_bare_ordinal(words)}(?![\w%€]| \d{{3}}\b)",
    )


def _counted(words: TimeWords, count: str, unit: str, weekday: str) -> tuple[str, ...]:
    """in two weeks, ten days from now, three days ago; two days before, the day after, a week on."""
    vague, alone = words.vague_counts, words.units_alone
    ago_before, ago_after, hence, back, ahead, the_day, the_unit, eve, morrow = (
        words.offsets.get(name, NEVER)
        for name in ("ago_before", "ago_after", "hence", "back", "ahead", "the_day", "the_unit", "eve", "morrow")
    )
    counted = rf"(?:(?P<count>{count})|(?P<vague_count>{vague})) (?P<unit>{unit})|(?P<unit_alone>{alone})"
    told = rf"(?:(?P<ago_count>{count})|(?P<vague_ago>{vague})) (?P<ago_unit>{unit})(?P<half> and a half)?"
    offset = (
        rf"(?:(?P<offset_count>{count}) (?P<offset_unit>{unit})|(?P<offset_unit_alone>{alone})"
        rf"|(?P<offset_day>{the_day})|(?<=\bthe )(?P<offset_weekday>{weekday})"
        rf"|(?P<vague_offset>{the_unit}|(?:{vague}) (?:{unit})))"
    )
    joint = (
        rf"(?: (?:(?P<back>{back})|(?P<ahead>{ahead}|on(?= (?:{weekday})\b)))(?!\w)"
        r"|(?P<beside>(?= (?:today|tomorrow)\b)))"
    )
    return (
        rf"(?:{words.in_words}) (?:{counted})\b",
        rf"(?:(?P<ago_before>{ago_before}) )?{told}(?(ago_before)| (?:{ago_after}|(?P<hence>{hence})))\b",
        rf"{offset}{joint}",
        rf"(?P<eve>{eve})\b|(?P<morrow>{morrow})\b",
    )


def _bare_ordinal(words: TimeWords) -> str:
    """A number alone is a day with its ordinal ending, or, where articles lead days, after one: *entro il 28*."""
    if words.the in ("", "the"):
        return rf"(?:{words.ordinal})" if words.ordinal else r"(?!\s?[\w%€])"
    articles = "".join(rf"|(?<={article} \d)|(?<={article} \d\d)" for article in ("le", "il", "el", "al", "dia", "día"))
    return rf"(?:(?:{words.ordinal})|(?!\s?[\w%€]){articles})(?!\d)(?!\s?[%€])"
