"""When something promised or requested is due, as a sentence of a note says."""

import re
from zoneinfo import ZoneInfo

from recollect.ingest.notes.clause_times import UnreadableTime
from recollect.text.patterns import lazy_pattern
from recollect.when.english.mentions import TimeMention, find_times, time_of_mention
from recollect.when.instant import Instant, day_start, local_day
from recollect.when.period import Time

_DAYS_OF_WEEK = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PARTS = "(?:morning|noon|afternoon|evening|night|weekend|day|week|month|quarter|year|hour|minute)"
# Times that name no single day or period.
_INDEFINITE = lazy_pattern(
    rf"\b(?:every|each)\s+(?:\w+\s+)?(?:{_PARTS}|{_DAYS_OF_WEEK})s?\b|\bon\s+{_DAYS_OF_WEEK}s\b"
    r"|\b(?:on|by|before|until)\s+\d{1,2}/\d{1,2}\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b"
    r"|\b(?:some ?day|sometime|some time|eventually|at some point|one day|sooner or later)\b"
    r"|\b(?:christmas|easter|new year|thanksgiving|halloween|pentecost|passover|ramadan|diwali|hanukkah)\b",
    re.IGNORECASE,
)
# Times that need a day beside them.
_TIME_OF_DAY = lazy_pattern(
    r"\b(?:at|by|before|after|around|until|till)\s+(?:\d{1,2}(?:[:.]\d\d)?\s?(?:am|pm|a\.m|p\.m|o['’]clock)"
    r"|\d{1,2}:\d\d|noon|midday|midnight|lunch ?time|night)\b"
    r"|\b(?:in|within)\s+(?:the\s+next\s+)?(?:an?|half an|\d+|a few|a couple of|two|three|four|five|six|ten|twenty)\s+"
    r"(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?)\b"
    r"|\bin the (?:morning|afternoon|evening|future)\b"
    rf"|\b(?:on|by|until|before|after|next|this)\s+(?:the\s+)?(?:{_DAYS_OF_WEEK}|\d{{1,2}}(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
_DETERMINER = lazy_pattern(r"\b(?:the|my|our|your|his|her|their|an?|of)\s+$", re.IGNORECASE)
_PURPOSE = lazy_pattern(r"\b(?:for|about)\s+(?:the\s+)?$", re.IGNORECASE)
_UNCERTAIN_LEAD = lazy_pattern(
    r"\b(?:after|around|about|since|from|starting|for|circa|early|late|mid|not|except)[\s-]+(?:the\s+|in\s+)*$",
    re.IGNORECASE,
)
_DEADLINE_LEAD = lazy_pattern(r"\b(?:by|before|until|till|due|than)\s+(?:the\s+)?$", re.IGNORECASE)
_FOLLOWED_BY_NOUN = lazy_pattern(r"['’]s\b|[ -](?!(?:at|on|by|in|to|and|or|with|if|so|for|from|before|after)\b)[a-z]")


def due_time(sentence: str, written_at: Instant, zone: ZoneInfo, deadline: Time | None) -> Time | None:
    """The day or period in which something is due; raises if the sentence names a time that gives none for sure.

    `deadline` is the day that was read from the sentence already, if any.
    """
    if _INDEFINITE.search(sentence):
        raise UnreadableTime(sentence)
    today = day_start(local_day(written_at, zone), zone)
    found = find_times(sentence, written_at, zone, lean="future")
    mentions = [each for each in found if each.hi >= today and not _is_description(sentence, each)]
    if deadline is not None:
        return _checked_deadline(sentence, mentions, deadline)
    if not mentions:
        if _TIME_OF_DAY.search(sentence):
            raise UnreadableTime(sentence)
        return None
    return _only_time(sentence, mentions, zone)


def _is_description(sentence: str, mention: TimeMention) -> bool:
    """Whether a time belongs to a thing: `the Q3 report`, `Friday's meeting`."""
    following = _FOLLOWED_BY_NOUN.match(sentence, mention.end)
    if following is not None and following[0].startswith(("'", "’")):
        return True
    ahead = sentence[: mention.start]
    has_determiner = _DETERMINER.search(ahead) or mention.text.lower().startswith("the ")
    return bool(has_determiner and following) or re.search(r"\bof\s+$", ahead) is not None


def _checked_deadline(sentence: str, mentions: list[TimeMention], deadline: Time) -> Time:
    """The deadline, unless the sentence names another time beside it."""
    others = [each for each in mentions if not each.lo <= deadline.lo <= each.hi]
    about = [each for each in others if not _PURPOSE.search(sentence[: each.start])]
    if len(about) > 1 or (about and len(mentions) > 1) or _is_uncertain(sentence, mentions):
        raise UnreadableTime(sentence)
    return deadline


def _is_uncertain(sentence: str, mentions: list[TimeMention]) -> bool:
    return len(mentions) == 1 and _UNCERTAIN_LEAD.search(sentence[: mentions[0].start]) is not None


def _only_time(sentence: str, mentions: list[TimeMention], zone: ZoneInfo) -> Time:
    mention = mentions[0]
    ahead = sentence[: mention.start]
    is_day = mention.unit == "day"
    if len(mentions) > 1 or mention.text.lower().startswith("from "):
        raise UnreadableTime(sentence)
    if _UNCERTAIN_LEAD.search(ahead) or (_DEADLINE_LEAD.search(ahead) and not is_day):
        raise UnreadableTime(sentence)
    return time_of_mention(mention, zone)
