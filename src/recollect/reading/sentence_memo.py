"""Sentences that read alike on every day: footers, notices and courtesies are analysed once for all texts.

Such a sentence is read in surroundings that tell no day. Where its reading asks for the day all the same, it is read
anew in every text.
"""

from datetime import date
from typing import NamedTuple

from recollect.reading.context import Context, Person, TextKind, nothing_known
from recollect.when.english.sentence import DayMatters


class AnyDay(Context):
    """Surroundings of which everything is told but the day."""

    __slots__ = ()

    @property
    def anchor(self) -> date | None:
        raise DayMatters

    @anchor.setter
    def anchor(self, _: date | None) -> None:
        pass


class SentenceKey(NamedTuple):
    """All that the reading of a sentence depends on, beside the day."""

    text: str
    kind: TextKind
    language: str
    people: tuple[str, ...]
    speaker: Person | None
    referent: str | None
    has_topic: bool
    is_fictional: bool

    def context(self) -> AnyDay:
        return AnyDay(
            self.kind,
            speaker=self.speaker,
            people=tuple(map(Person, self.people)),
            language=self.language,
            has_topic=self.has_topic,
            is_fictional=self.is_fictional,
            referent=self.referent,
        )


def sentence_key(text: str, low: str, context: Context) -> SentenceKey | None:
    """What a sentence is remembered under; none where the names known to the reader count, too."""
    if context.known is not nothing_known:
        return None
    # A name may be taken from the sentence as written, or from its small letters with plain apostrophes.
    written = low if text.isascii() else f"{text.casefold()}\n{low.casefold()}"
    named = tuple(form for form in context.folded_forms() if form in written)
    return SentenceKey(
        text,
        context.kind,
        context.language,
        named,
        context.speaker if ":" in text else None,
        context.referent,
        context.has_topic,
        context.is_fictional,
    )
