"""Times that their own sentence corrects or excludes: *on Monday, no, Tuesday* and *on Tuesday, not Monday*."""

import re
from itertools import pairwise

from recollect.reading.time_grammar import TimeGrammar, time_grammar
from recollect.reading.times import readable_language, time_matches
from recollect.text.negation import VERB_NEGATORS, negator_pattern
from recollect.text.patterns import lazy_pattern

_REFUSED = lazy_pattern(negator_pattern(VERB_NEGATORS))
"""*I can't on Monday, Tuesday then* asks for another day; the second time does not correct the first."""
_DAY_ENDS = re.compile(r"\s*(?:[.,;!?)]|$)")


def without_corrected_times(low: str, language: str) -> str:
    """The text with a time that its own sentence corrects blanked, at equal length.

    Of *on Monday, no, make that Tuesday*, *not on Monday but on Tuesday* and *on Tuesday, not Monday* Tuesday is left,
    with the word that leads the first where it has none of its own.
    """
    grammar = time_grammar(readable_language(language))
    if not grammar.corrected.search(low):
        return low
    for first, second in pairwise(time_matches(low, readable_language(language))):
        between = low[first.end() : second.start()]
        start = _start_of_corrected(low, first, second, between, grammar)
        if _is_excluded(low, first, second, between, grammar):
            low = low[: first.end()] + " " * (second.end() - first.end()) + low[second.end() :]
        elif start is not None:
            low = low[:start] + " " * (second.start() - start) + low[second.start() :]
    return low


def _is_excluded(low: str, first: re.Match[str], second: re.Match[str], between: str, grammar: TimeGrammar) -> bool:
    """Whether a time only says which day is not meant: *on Monday, not tomorrow*."""
    is_exclusion = grammar.exclusion.fullmatch(between) is not None and _DAY_ENDS.match(low, second.end()) is not None
    return (
        is_exclusion and not grammar.denial.search(low, 0, first.start()) and not _REFUSED.search(low, 0, first.start())
    )


def _start_of_corrected(
    low: str, first: re.Match[str], second: re.Match[str], between: str, grammar: TimeGrammar
) -> int | None:
    """Where a time that the next one corrects begins; none where it stands."""
    denial = grammar.denial.search(low, 0, first.start())
    if denial is not None:
        return denial.start() if grammar.contrast.fullmatch(between) else None
    if not grammar.correction.fullmatch(between) or _REFUSED.search(low, 0, first.start()):
        return None
    return first.end("lead") if first["lead"] and not second["lead"] else first.start()
