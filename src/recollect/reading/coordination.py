"""Several things with a day each in one clause: *I'll send the score on Monday and the parts on Thursday*."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from recollect.reading.clause_reading import ClauseReading, TimeReading
from recollect.reading.clause_time import clause_time, time_phrases
from recollect.reading.context import Context
from recollect.reading.time_grammar import time_grammar
from recollect.reading.time_offsets import TimePhrase
from recollect.reading.times import names_time
from recollect.text.lexicon import AUXILIARIES
from recollect.text.patterns import lazy_pattern

_WITH_DAYS = frozenset({"commitment", "request", "goal"})
_LONGEST_THING = 6
_LONGEST_HEAD = 5
_SHORTEST_CLAUSE = 3
"""Words of *Jag skickar listan*, whose last is the thing, in a language that has no article before it."""
_DETERMINER = lazy_pattern(
    r"(?:the|an?|my|our|your|his|her|their|all|both|some|any|this|that|these|those|another|\d+"
    r"|d(?:er|ie|as|en|em|es)|(?:ein|mein|dein|unser|ihr|kein)(?:e[nmrs]?)?|eure?n?"
    r"|l[ea]s?|une?|des|mon|ma|mes|ton|ta|tes|son|sa|ses|notre|nos|votre|vos"
    r"|el|los|una|unas|unos|mis?|tus?|sus?|nuestr[oa]s?"
    r"|il|lo|gli|i|uno|het|de|een|mijn|je|jouw|onze?|os?|as?|um|uma|meus?|minhas?|den|det|ett|min|mitt|mina)\b"
    r"|l['’]"
)
_SUBJECTS = {
    "en": "i|we|you|he|she|they|it", "de": "ich|wir|du|sie|er|es", "fr": "je|j|nous|vous|il|elle|on",
    "es": "yo|nosotros", "it": "io|noi|lui|lei", "nl": "ik|we|wij|jij|hij", "pt": "eu|nós|ele|ela",
    "sv": "jag|vi|du|han|hon", "pl": "ja|my|on",
}  # fmt: skip
_AUXILIARY = lazy_pattern(rf"\b(?:{'|'.join(sorted(AUXILIARIES))}|needs?)\b|'ll\b")
_ADVERB = lazy_pattern(
    r"(?:non|nicht|pas|niet|não|inte|nie|again|then|also|possibly|maybe|perhaps|probably|definitely|latest|only|not|no|back|once|wieder|dann|noch|auch|"
    r"vielleicht|spätestens|puis|encore|aussi|peut-être|luego|también|quizás|poi|anche|forse|dan|ook|misschien|"
    r"depois|também|talvez|sedan|också|kanske|potem|też|może)\b"
)


class _Cut(NamedTuple):
    """Where the part before ends and the next one begins."""

    stop: int
    start: int
    has_and: bool


def split_times_by_conjunct(reading: ClauseReading, low: str, context: Context) -> tuple[ClauseReading, ...]:
    """A promise or request as one for each thing that has a day of its own; `low` is the clause in small letters."""
    if reading.act not in _WITH_DAYS or not names_time(low, context.language, at_least=2):
        return (reading,)
    phrases = time_phrases(low, context, reading.act)
    cuts = _cuts(low, phrases, context.language) if len(phrases) > 1 else []
    if not cuts:
        return (reading,)
    head = _head(reading.text, phrases[0])
    found = [_part(reading, low, context, (0, cuts[0].stop), "")]
    for cut, stop in zip(cuts, (*(each.stop for each in cuts[1:]), len(low)), strict=True):
        part = _part(reading, low, context, (cut.start, stop), head)
        found.append(part._replace(time=_in_order(part.time, found[-1].time, context.language)))
    return tuple(found)


def _in_order(time: TimeReading, before: TimeReading, language: str) -> TimeReading:
    """A weekday after another is the next of that name: *on Monday and Thursday*, said on a Wednesday."""
    is_weekday = time.status == "read" and _weekday(language).fullmatch(time.phrase) is not None
    if not is_weekday or time.until is None or before.until is None or time.until >= before.until:
        return time
    return replace(time, until=time.until + timedelta(days=7))


@cache
def _weekday(language: str) -> re.Pattern[str]:
    """A weekday with at most a word or two that lead it."""
    names = "|".join(time_grammar(language).weekdays)
    return re.compile(rf"(?:[^\W\d_]+ ){{0,2}}(?:{names})")


def _part(reading: ClauseReading, low: str, context: Context, span: tuple[int, int], head: str) -> ClauseReading:
    start, stop = span
    return reading._replace(
        text=reading.text[start:stop],
        start=reading.start + start,
        stop=reading.start + stop,
        time=clause_time(f"{head.lower()} {low[start:stop]}".lstrip(), context, reading.act),
        shared=head,
    )


def _cuts(low: str, phrases: Sequence[TimePhrase], language: str) -> list[_Cut]:
    """Where things that have a day each are joined; a comma joins them only in a list that ends with *and*."""
    found: list[_Cut] = []
    for first, second in pairwise(phrases):
        cut = _cut_between(low, first, second, language)
        if cut is not None:
            found.append(cut)
    last = max((at for at, cut in enumerate(found) if cut.has_and), default=-1)
    return found[: last + 1]


def _cut_between(low: str, first: TimePhrase, second: TimePhrase, language: str) -> _Cut | None:
    between, and_words = low[first.stop : second.start], time_grammar(language).words.and_words
    joined = _thing_before(and_words).fullmatch(between)
    if joined is not None and _is_thing(joined["thing"], language):
        return _Cut(first.stop, first.stop + joined.start("thing"), joined["joint"] is not None)
    after = _thing_after(and_words).fullmatch(between) if not low[: first.start].strip() else None
    is_told = after is not None and _is_thing(low[second.stop :].strip(" .!?"), language, needs_determiner=True)
    return _Cut(first.stop + after.start("joint"), second.start, True) if after is not None and is_told else None


@cache
def _thing_before(and_words: str) -> re.Pattern[str]:
    """*and the parts* between two days."""
    return re.compile(rf"(?:\s*,)?\s+(?:(?P<joint>{and_words})\s+)?(?P<thing>[^,;:.!?]+?)\s+")


@cache
def _thing_after(and_words: str) -> re.Pattern[str]:
    """*I'll send the score and* between a day that begins the clause and another one."""
    return re.compile(rf"[^,;:.!?]+?(?P<joint>,?\s+(?:{and_words})\s+)")


def _is_thing(words: str, language: str, *, needs_determiner: bool = False) -> bool:
    """Whether words name a thing and make no clause."""
    is_short = 0 < len(words.split()) <= _LONGEST_THING
    has_subject = re.search(rf"\b(?:{_SUBJECTS.get(language, _SUBJECTS['en'])})\b", words) is not None
    if not is_short or has_subject or _AUXILIARY.search(words) or _ADVERB.match(words):
        return False
    return not needs_determiner or _DETERMINER.match(words) is not None


def _head(text: str, day: TimePhrase) -> str:
    """The subject and the verb that the parts share: the words before the first thing; none if it is not told."""
    before = text[: day.start].split()
    words = before or text[day.stop :].split()
    for at, word in enumerate(words[: _LONGEST_HEAD + 1]):
        is_thing = _DETERMINER.match(word.lower()) or (word[0].isupper() and not word.startswith("I"))
        if at and is_thing:
            return " ".join(words[:at])
    return " ".join(before[:-1]) if len(before) <= _SHORTEST_CLAUSE else ""
