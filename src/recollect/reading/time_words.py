"""Words for days, weeks and months of a language, from its table."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from recollect.reading.language_table import language_table
from recollect.when.feasts import ENGLISH_FEASTS

Lead = Literal["by", "before", "until", "since", "on", "after", "within", "from", "earliest"]

NEVER = "(?!)"
"""A pattern for what a language has no words for."""


@dataclass(frozen=True, slots=True)
class TimeWords:
    """The words of one language.

    `months` and `weekdays` list the names in their order, alternatives with a slash. `spans` name a stretch by a code
    that the time reader knows, such as `next_week`. `doubtful` names are also other words, and count only beside a
    word that leads a time. `offsets` join a count of days or weeks to the day it is counted from: *after*, *before*,
    *from now*. `units_alone` need no count, and `vague_counts` tell none. Behind `until_words` stands the end of what
    `lasting_verbs` name, and no deadline. `visits` say that somebody is somewhere on a day. `past` are verbs that tell
    of what is over, `passive` those of what is done to something, and after `complement` stands what was decided.
    """

    months: str
    weekdays: str
    days: Mapping[str, int]
    spans: Mapping[str, str]
    leads: Mapping[Lead, str]
    next_words: str
    last_words: str
    this_words: str
    counts: Mapping[str, int]
    units: Mapping[str, str]
    in_words: str
    of: str = ""
    the: str = ""
    ordinal: str = ""
    to: str = ""
    doubtful: frozenset[str] = frozenset()
    parts: Mapping[str, str] = field(default_factory=dict)
    offsets: Mapping[str, str] = field(default_factory=dict)
    weeks_later: Mapping[str, int] = field(default_factory=dict)
    units_alone: str = NEVER
    vague_counts: str = NEVER
    and_words: str = NEVER
    not_words: str = NEVER
    but_words: str = NEVER
    corrections: str = NEVER
    until_words: str = NEVER
    lasting_verbs: str = NEVER
    visits: str = NEVER
    past: str = NEVER
    passive: str = NEVER
    complement: str = NEVER


@cache
def time_words(language: str) -> TimeWords:
    """The words of a language; English where it is not read."""
    table = language_table(language) or language_table("en")
    assert table is not None
    spans = table.time["spans"]
    if table is language_table("en"):
        spans = {**spans, **{code: "|".join(map(_feast_pattern, names)) for code, names in ENGLISH_FEASTS.items()}}
    return TimeWords(**{**table.time, "spans": spans, "doubtful": frozenset(table.time["doubtful"])})


@cache
def past_pattern(language: str) -> re.Pattern[str]:
    """The verbs of a language that tell of what is over."""
    return re.compile(rf"(?<!\w)(?:{time_words(language).past})(?!\w)")


def _feast_pattern(name: str) -> str:
    """The name of a feast where it does not begin that of another: *Easter*, but not in *Easter Monday*."""
    others = [other for names in ENGLISH_FEASTS.values() for other in names if other.startswith(f"{name} ")]
    return re.escape(name) + "".join(rf"(?!{re.escape(other[len(name) :])}\b)" for other in others)
