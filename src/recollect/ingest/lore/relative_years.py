"""Years counted from the sentence before: In 1170 he took the habit. A year later he left for Ambry."""

import re
from collections.abc import Sequence

from recollect.ingest.lore.clauses import LoreClause, Prose
from recollect.ingest.lore.time_phrases import Phrase, has_time_words
from recollect.ingest.lore.year_counts import YEAR_UNIT, count_of, years_per
from recollect.text.sentences import TextSpan
from recollect.when.period import Time

_COUNT = (
    rf"(?:(?P<count>[\w-]+(?: [\w-]+)?) (?P<unit>{YEAR_UNIT}) (?:later|afterwards)"
    r"|(?:in )?(?P<next>the (?:next|following) year)|(?:in )?(?:that (?:same )?|the same )year)"
)
_AHEAD = re.compile(rf"\s*{_COUNT}[\s,]+(?:the\s+)?", re.IGNORECASE)
_BEHIND = re.compile(rf"[\s,]+{_COUNT}(?=\s*[.;,]|\s*$)", re.IGNORECASE)


def add_relative_year(
    prose: Prose, span: TextSpan, before: TextSpan | None, clauses: Sequence[LoreClause]
) -> list[LoreClause]:
    """The relations of a sentence; those that count from the year of the one before have their year."""
    return [each if each.phrase or before is None else _counted(prose, span, before, each) for each in clauses]


def _counted(prose: Prose, span: TextSpan, before: TextSpan, clause: LoreClause) -> LoreClause:
    found = _AHEAD.fullmatch(prose.text, span.start, clause.one.start)
    found = found or _BEHIND.match(prose.text, clause.stop, span.stop)
    years = _years(found) if found else None
    anchor = None if years is None else _only_time(prose, before, clause)
    time = None if anchor is None or years is None else prose.moments.shifted(anchor, years)
    if found is None or time is None:
        return clause
    return clause._replace(phrase=Phrase(time, time, found.start(), found.end(), "at"))


def _years(found: re.Match[str]) -> int | None:
    if found["count"] is None:
        return 1 if found["next"] else 0
    count = count_of(found["count"])
    return None if count is None else count * years_per(found["unit"])


def _only_time(prose: Prose, span: TextSpan, clause: LoreClause) -> Time | None:
    """The year that a sentence tells, if it tells no other time."""
    found = [each for each in prose.phrases_in(clause.one, span.start, span.stop) if each.sense == "at"]
    if not found or found[0].start is None or found[0].start != found[0].end or found[0].start.uncertain:
        return None
    rest = prose.text[span.start : found[0].begin] + " " + prose.text[found[0].stop : span.stop]
    return None if has_time_words(rest, prose.timeline) else found[0].start
