"""Sentences that read alike in every text: footers, notices and courtesies are analysed once.

What a sentence says depends on the day of the text only if it names a time, and on the people of the text only if it
names one of them. Kept are those without a time, a speaker ahead of a colon or a state.
"""

from typing import NamedTuple

from recollect.reading.clause_reading import ClauseReading
from recollect.reading.context import Context, TextKind, nothing_known
from recollect.reading.state_time import may_name_time

Readings = tuple[ClauseReading, ...]
_MOST_SENTENCES = 4_096


class SentenceKey(NamedTuple):
    """All that the reading of a sentence without a time depends on."""

    text: str
    kind: TextKind
    language: str
    people: tuple[str, ...]
    has_topic: bool
    is_fictional: bool
    is_dated: bool


_read: dict[SentenceKey, Readings] = {}


def sentence_key(text: str, low: str, context: Context) -> SentenceKey | None:
    """What a sentence is remembered under; none if it has to be read anew in every text."""
    if ":" in text or context.referent is not None or context.known is not nothing_known:
        return None
    # A name may be taken from the sentence as written, or from its small letters with plain apostrophes.
    written = text.casefold() if text.isascii() else f"{text.casefold()}\n{low.casefold()}"
    named = tuple(form for form in context.folded_forms() if form in written)
    return SentenceKey(
        text,
        context.kind,
        context.language,
        named,
        context.has_topic,
        context.is_fictional,
        context.anchor is not None,
    )


def recall_reading(key: SentenceKey) -> Readings | None:
    return _read.get(key)


def remember_reading(key: SentenceKey, found: Readings) -> None:
    """Keep what a sentence says, if it says the same on every day."""
    if any(each.time.status != "none" or each.states for each in found) or may_name_time(key.text):
        return
    if len(_read) >= _MOST_SENTENCES:
        _read.clear()
    _read[key] = found
