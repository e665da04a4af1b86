"""Time phrases of prose: until 345 TA, between 312 and 345 TA, from March 1803 to June 1805, six years from 1610."""

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from recollect.ingest.lore.period_fractions import YEAR_UNIT, count_of, years_per
from recollect.ingest.lore.prose_dates import ProseDateReader, ProsePeriod
from recollect.when.period import Time

Sense = Literal["at", "by", "before", "bounds"]
_MOST_WORDS = 14
_SKIP = re.compile(r"[\s,(\[—–;]*")
_AND_UNTIL = re.compile(r"[\s,]*\s(?:and|but)\s+(?=(?:only |right |up )*(?:until|till|up to)\b)", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_CIRCA = r"(?:(?:circa|ca?\.) ?)?"
_JOINED = re.compile(rf"(?P<first>{_CIRCA}\d{{1,5}}) ?[-–—] ?(?P<last>{_CIRCA}\d{{1,5}})(?![-–—\d])")
_TO = re.compile(
    r"[\s,]*(?:and )?(?:lasting )?"
    r"(?:up to and including|to|until|till|up to|(?:right )?up until|through|[-–—])\s+|\s?[–—]\s?",
    re.IGNORECASE,
)
_CLAUSE = r"\s+[^,;.:()\d]+(?=[,;.)])"
_WHEN = re.compile(
    rf",?\s+(?:when|the same year(?: that| in which)?|the year(?: that| in which))\b{_CLAUSE}", re.IGNORECASE
)
_AFTERWARDS = re.compile(
    rf"[,;]\s+(?:after (?:that|which)|thereafter|whereupon|then (?:lost|sold|left|gave|fled|moved)){_CLAUSE}",
    re.IGNORECASE,
)
_RESUMED = re.compile(
    r"\b(?:again|anew|once|more|still|back|return\w*|resum\w*|continu\w*|remain\w*|stay\w*|rule\w*|reign\w*|joint\w*"
    r"|if|or|would|may|might|perhaps|not|never|until|till|before|since|except|only|but)\b",
    re.IGNORECASE,
)
"""Words that show that the clause after a time continues, limits or doubts the relation."""
NO_LONGER = re.compile(
    r"[\s,;—–]*(?:(?:(?:and|but) )?(?:no|not (?:an?|one) [a-z]+) "
    r"(?:longer|later|further|more|earlier|sooner|before|after)"
    r"|but not (?:after(?:wards)?|before|beyond)(?: (?:it|that))?|(?:both )?(?:inclusive|included))"
    r"(?=\s*(?:the\s*)?(?:[,.;:)]|$))",
    re.IGNORECASE,
)
"""What only stresses that a time is the whole of it: from 1655 to 1658 and no longer."""
_YEARS_LATER = re.compile(
    r"[\s,]*(?:and )?(?:until|till|up to|to) "
    r"(?:(?:his|her|its|their) (?:own )?[a-z]+ |(?:he|she|it|they) (?:was |were )?[a-z]+ )?"
    rf"(?P<count>[\w-]+(?: [\w-]+)?) (?P<unit>{YEAR_UNIT}) (?:later|afterwards)\b",
    re.IGNORECASE,
)
_DAY_NUMBER = re.compile(r"\s*\d{1,2}(?:st|nd|rd|th)?\s*")
_AND = re.compile(r"[\s,]*(?:and|to)\s+", re.IGNORECASE)
_INCLUDED = re.compile(r"\b(?:including|through)\s+$", re.IGNORECASE)
_ON = re.compile(r"[\s,]*(?:onwards?|on(?=[\s,.;:]|$)(?! the))", re.IGNORECASE)
_PRESENT = re.compile(
    r"(?:the )?(?:present(?: day| time)?|now|today|this (?:very )?day|our (?:own )?(?:day|days|time))\b", re.IGNORECASE
)
_FOR = re.compile(
    r"for (?:a (?:full )?(?:total|period|span) of )?"
    rf"(?P<count>[\w-]+(?: [\w-]+)?) (?P<unit>{YEAR_UNIT})\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"(?:[\w-]+ ){{1,3}}{YEAR_UNIT} (?:after|before)\b|the year (?:after|before|of)\b",
    re.IGNORECASE,
)
_COUNTS = re.compile(rf"\s*(?:{YEAR_UNIT}|months?|days?|times)\b", re.IGNORECASE)
_FROM_THERE = re.compile(r"[\s,]*(?:from|starting (?:in|from)|beginning (?:in|with)|since|after)\s+", re.IGNORECASE)
_UNTIL_THERE = re.compile(r"[\s,]*(?:until|till|up to|to)\s+", re.IGNORECASE)
_WHOLE_SEASON = r"(?:the (?!end|close|death|fall|start|beginning)|all\b|spring|summer|autumn|winter)"
_LEADS = {
    "between": "between|(?:in|during) the years between",
    "from": r"from(?: at least)?|(?:in|during) the years(?: from)?(?= \d+ (?:to|until|till)\b| \d+ ?[-–—])"
    r"|starting (?:in|from|with)|beginning (?:in|with)",
    "until": "up to and including|(?:but only |only |right |remaining so )?(?:up until|up to|until|till)(?: at least)?"
    rf"|through to|through(?! {_WHOLE_SEASON})",
    "since": r"(?:ever since|since)(?: at least)?|as of|no (?:earlier|sooner) than"
    r"|not (?:until|till|before)(?![^.;]*\bbut\b)",
    "by": "no later than|not later than|by",
    "before": "before|prior to",
    "after": "after|following",
    "under": "under(?= (?:the )?(?-i:[A-Z]))",
    "while": "(?:while|whilst|when|(?:for )?(?:as|so) long as)(?= (?:the )?(?-i:[A-Z]))",
    "at": r"at some (?:time|point) (?:in|during)|some ?time (?:in|during)|in or (?=about|around)|in the course of"
    r"|(?:again|once more|once again|first|last) (?:in|on|during)|as late as|through"
    r"|(?:already|still) (?:in|on|during)|for(?= (?:the (?:whole|entire|entirety|duration)|all) )"
    r"|for(?= the (?:first|last) [\w-]+ (?:years|decades) of\b)|towards?(?= the (?:end|close|middle|beginning)\b)"
    r"|in|on|during|throughout|all through|within|at|(?=around\b|about\b|circa\b|ca?\.\s)",
}
_ANY_LEAD = "|".join(f"(?P<{name}>{words})" for name, words in _LEADS.items())
_LEAD = re.compile(
    rf"(?:(?:but )?(?:only|solely|exclusively) )?(?:{_ANY_LEAD})(?:\s+|(?=around\b|about\b|c))", re.IGNORECASE
)
_MAY_BEGIN = re.compile(
    r"\b(?:between|from|starting|beginning|up|until|till|through|ever|since|as of|no later|not later|by|before|prior"
    r"|after|following|some|in|on|during|throughout|all through|within|at|around|about|circa|ca?\.|for"
    r"|again|already|still|once|first|last|as late|towards?|but only|only|solely|exclusively|right|remaining so|not"
    r"|no earlier|no sooner)\b|\(|\b\d"
    rf"|under|while|whilst|when|(?:as|so) long|\b(?:some )?[\w-]+(?: [\w-]+)? {YEAR_UNIT} (?:after|before)\b",
    re.IGNORECASE,
)


class Phrase(NamedTuple):
    """A time phrase: its bounds, its span in the text, and its sense."""

    start: Time | None
    end: Time | None
    begin: int
    stop: int
    sense: Sense = "bounds"


class PhraseReader:
    """Reads the time phrases of a text."""

    def __init__(self, moments: ProseDateReader) -> None:
        self._moments = moments

    def all_in(self, text: str, begin: int, limit: int) -> list[Phrase]:
        """Every phrase that begins in a stretch of the text; they may overlap."""
        found = (self.read(text, lead.start(), limit) for lead in _MAY_BEGIN.finditer(text, begin, limit))
        return [each for each in found if each is not None]

    def read(self, text: str, at: int, limit: int) -> Phrase | None:
        """The phrase that begins there, its continuation included; nothing at or after `limit` counts."""
        found = self._single(text, _skip_words(text, at, limit), limit)
        if found is None:
            return None
        found = found._replace(stop=_explained(text, found, limit))
        counted = self._years_later(text, found, limit)
        next_ = _skip_further(text, found.stop, limit)
        further = None if counted else self._single(text, next_, limit)
        is_apart = ";" in text[found.stop : next_]
        both = counted or (found if further is None else _join(found, further) or (found if is_apart else None))
        if both is None or not _is_ordered(both):
            return None
        both = both._replace(stop=_explained(text, both, limit))
        is_closed = both.stop < limit and text[both.stop] in ")]"
        return both._replace(begin=at, stop=both.stop + is_closed)

    def _years_later(self, text: str, start: Phrase, limit: int) -> Phrase | None:
        """A start whose end is counted from it: from 330 TA until his death nine years later."""
        found = _YEARS_LATER.match(text, start.stop, limit)
        years = _years_of(found) if found else None
        if found is None or years is None or start.start is None or start.end is not None:
            return None
        last = self._moments.shifted(start.start, years)
        return None if last is None else Phrase(start.start, last, start.begin, found.end())

    def read_moment(self, text: str, at: int, limit: int) -> Phrase | None:
        """The time that begins there without a word such as *in* before it."""
        found = self._moment(text, at, limit)
        return None if found is None else Phrase(found[0].start, found[0].end, at, found[1], "at")

    def _single(self, text: str, at: int, limit: int) -> Phrase | None:
        counted = self._read_bound(text, at, limit, "at") if _COUNTED.match(text, at, limit) else None
        found = self._read_duration(text, at, limit) or counted
        if found is not None:
            return found
        lead = _LEAD.match(text, at, limit)
        if lead is None:
            bare = self._years(text, at, limit) or self._bare_range(text, at, limit)
            return None if bare is not None and _COUNTS.match(text, bare.stop, limit) else bare
        name, begins = str(lead.lastgroup), lead.end()
        if name in ("from", "between"):
            return self._years(text, begins, limit) or self._range(text, begins, limit, name)
        # `in 1702-08` is a month; only a dash makes a range of years here.
        years = self._years(text, begins, limit, signs="–—") if name == "at" else None
        return years or self._read_bound(text, begins, limit, name)

    def _bare_range(self, text: str, at: int, limit: int) -> Phrase | None:
        """112 TA – 140 TA, 1712 to 1719."""
        found = self._range(text, at, limit, "from") if text[at : at + 1].isdigit() else None
        return None if found is None or found.start is None or found.end is None else found

    def _read_bound(self, text: str, at: int, limit: int, lead: str) -> Phrase | None:
        present = _PRESENT.match(text, at, limit) if lead == "until" else None
        if present is not None:
            return Phrase(None, None, at, present.end())
        found = self._moment(text, at, limit, self._moments.reign if lead == "under" else None)
        if found is None or (lead not in ("at", "under", "while") and _is_range(text[at : found[1]])):
            return None
        time, stop = found
        match lead:
            case "until":
                return Phrase(None, self._limit(time, text[:at]), at, stop)
            case "since":
                return Phrase(time.start, None, at, stop)
            case "by":
                return Phrase(time.last, time.last, at, stop, "by")
            case "before":
                last = self._moments.before(time)
                return None if last is None else Phrase(None, last, at, stop, "before")
            case "after":
                first = self._moments.after(time)
                return None if first is None else Phrase(first, None, at, stop)
        return Phrase(time.start, time.end, at, stop, "at")

    def _range(self, text: str, at: int, limit: int, lead: str) -> Phrase | None:
        """What follows *from* or *between*: two times, or one and no end."""
        joint = _AND if lead == "between" else _TO
        for stop in _stops(text, at, limit):
            to = joint.match(text, stop, limit)
            both = self._two(text, text[at:stop], to.end(), limit) if to else None
            if both is not None:
                return both
        found = self._moment(text, at, limit) if lead == "from" else None
        counted = None if found is None else self._years_later(text, Phrase(found[0].start, None, at, found[1]), limit)
        if counted is not None:
            return counted
        if found is None or _TO.match(text, found[1], limit):
            return None
        time, stop = found
        if _is_range(text[at:stop]):
            return Phrase(time.first, time.last, at, stop)
        lasting = _FOR.match(text, _skip_words(text, stop, limit), limit)
        if lasting is not None:
            years = _years_of(lasting)
            last = None if years is None else self._moments.shifted(time.first, years)
            return None if last is None else Phrase(time.first, last, at, lasting.end())
        on = _ON.match(text, stop, limit)
        return Phrase(time.start, None, at, on.end() if on else stop)

    def _two(self, text: str, words: str, at: int, limit: int, digits: str = "") -> Phrase | None:
        """A first time in words, and the last one at a place; one without an era shares the other's.

        `digits` are those that the last one leaves out: the first 2 of 233–41 TA.
        """
        present = _PRESENT.match(text, at, limit)
        if present is not None:
            first = self._moments.read(words)
            return None if first is None else Phrase(first.start, None, at, present.end())
        known = None if self._moments.is_bare(words) else self._moments.read(words)
        era = None if known is None else self._moments.era_of(known.first)
        last = self._moment(text, at, limit, lambda each: self._moments.read(f"{digits}{each}", era))
        if last is None:
            return None
        end = self._limit(last[0], text[:at])
        if _DAY_NUMBER.fullmatch(words) and last[0].last.grain in ("month", "day"):
            known = self._moments.same_month(words, last[0].last)
            return None if known is None else Phrase(known.start, end, at, last[1])
        first = known or self._moments.read(words, self._moments.era_of(last[0].last))
        first = first or self._moments.same_year(words, last[0].last)
        return None if first is None else Phrase(first.start, end, at, last[1])

    def _limit(self, time: ProsePeriod, before: str) -> Time:
        """When *until* a time is over: in a year or a day at its end, and as an age, a reign or a war begins."""
        return time.end if _INCLUDED.search(before) else self._moments.beginning(time) or time.end

    def _years(self, text: str, at: int, limit: int, signs: str = "-–—") -> Phrase | None:
        """40–71 AS, 1612–19; or a single time in brackets."""
        found = _JOINED.match(text, at, limit)
        if found is None or not any(sign in found[0] for sign in signs):
            return self._read_bracketed(text, at, limit)
        first, last = found["first"], found["last"]
        if self._moments.world.timeline.is_fictional:
            both = self._two(text, first, found.start("last"), limit)
            digits = first[: max(0, len(first) - len(last))] if last.isdigit() and first.isdigit() else ""
            is_whole = not digits or (both is not None and _is_ordered(both))
            return both if is_whole else self._two(text, first, found.start("last"), limit, digits)
        if last.isdigit() and first.isdigit():
            last = first[: len(first) - len(last)] + last
        one, other = self._moments.read(first), self._moments.read(last)
        return None if one is None or other is None else Phrase(one.first, other.last, at, found.end())

    def _read_bracketed(self, text: str, at: int, limit: int) -> Phrase | None:
        found = self._moment(text, at, limit) if text[:at].endswith("(") else None
        if found is None or text[found[1] : found[1] + 1] != ")":
            return None
        return Phrase(found[0].start, found[0].end, at, found[1], "at")

    def _read_duration(self, text: str, at: int, limit: int) -> Phrase | None:
        """For thirty years from 100 AS; how long alone says nothing of when."""
        found = _FOR.match(text, at, limit)
        years = _years_of(found) if found else None
        if found is None or years is None:
            return None
        whole = self._single(text, _skip_words(text, found.end(), limit), limit)
        if whole is not None and whole.start is not None and whole.end is not None and whole.sense == "bounds":
            last = self._moments.shifted(whole.start, years)
            is_so_long = last is not None and abs(last.lo - whole.end.lo) <= _within_a_year(last)
            return whole._replace(begin=at) if is_so_long else None
        start = _FROM_THERE.match(text, found.end(), limit)
        time = self._moment(text, start.end(), limit) if start else None
        if time is not None:
            last = self._moments.shifted(time[0].first, years)
            on = _ON.match(text, time[1], limit)
            return None if last is None else Phrase(time[0].first, last, at, on.end() if on else time[1])
        end = _UNTIL_THERE.match(text, found.end(), limit)
        time = self._moment(text, end.end(), limit) if end else None
        first = None if time is None else self._moments.shifted(time[0].last, -years)
        return None if time is None or first is None else Phrase(first, time[0].last, at, time[1])

    def _moment(
        self, text: str, at: int, limit: int, read: Callable[[str], ProsePeriod | None] | None = None
    ) -> tuple[ProsePeriod, int] | None:
        """The time that the next words name, as many of them as make one, and where it ends."""
        for stop in _stops(text, at, limit):
            found = (read or self._moments.read)(text[at:stop])
            if found is not None:
                return found, stop
        return None


def _explained(text: str, phrase: Phrase, limit: int) -> int:
    """Where a phrase ends with the clause that says what happened then: until 1189, when his brother bought it."""
    stressed = NO_LONGER.match(text, phrase.stop, limit)
    if stressed is not None:
        return stressed.end()
    found = _WHEN.match(text, phrase.stop, limit)
    if found is None and phrase.end is not None and phrase.sense == "bounds":
        found = _AFTERWARDS.match(text, phrase.stop, limit)
    return phrase.stop if found is None or _RESUMED.search(found[0]) else found.end()


def _skip_words(text: str, at: int, limit: int) -> int:
    found = _SKIP.match(text, at, limit)
    return found.end() if found else at


def _skip_further(text: str, at: int, limit: int) -> int:
    """Where the phrase may begin that goes on from another: from 590 TA on, and until 5 FO."""
    found = _AND_UNTIL.match(text, at, limit)
    return found.end() if found else _skip_words(text, at, limit)


def _stops(text: str, at: int, limit: int) -> list[int]:
    """Where the words end that follow a place, the furthest first; signs at the end of a word are not part of it."""
    stops: list[int] = []
    for word in _WORD.finditer(text, at, limit):
        plain = word[0].rstrip(".,;:!?)]\"'”’–—")
        if plain:
            stops.append(word.start() + len(plain))
        dash = re.search("[–—]", word[0])
        if dash is not None:
            stops.append(word.start() + dash.start())
        if len(stops) >= _MOST_WORDS or word[0][-1] in ";!?)":
            break
    return sorted({each for each in stops if each > at}, reverse=True)


def _is_range(words: str) -> bool:
    """Whether one time was read from two: *March to May 1690*."""
    return _TO.search(words) is not None and re.search(r"\d", words) is not None


def _within_a_year(year: Time) -> int:
    """The length of a year: ten years from 1160 may end in 1169 or in 1170."""
    return year.hi - year.lo + 1


def _years_of(found: re.Match[str]) -> int | None:
    count = count_of(found["count"])
    return None if count is None else count * years_per(found["unit"])


def _join(one: Phrase, other: Phrase) -> Phrase | None:
    """Join two consecutive phrases: only a start and an end make one."""
    if one.sense != "bounds" or other.sense != "bounds":
        return None
    if one.end is None and other.start is None and one.start is not None:
        return Phrase(one.start, other.end, one.begin, other.stop)
    if one.start is None and other.end is None and one.end is not None:
        return Phrase(other.start, one.end, one.begin, other.stop)
    return None


def _is_ordered(phrase: Phrase) -> bool:
    return phrase.start is None or phrase.end is None or phrase.start.lo <= phrase.end.hi
