"""Sentences about somebody whom the text does not name: they are no statements of the writer about himself."""

from collections.abc import Callable

from recollect.ingest.extract.passages import RecordPassage
from recollect.model.entity import Entity
from recollect.reading.clause_reading import Act, ClauseReading
from recollect.text.patterns import lazy_pattern

_LEAD = r"(?i:\W*(?:(?:also|and|but|so|still|then|now|today|yesterday|apparently|anyway),? )*"
_ABOUT_PERSON = lazy_pattern(rf"{_LEAD}(?:he|she|(?:his|her) [a-z]+)(?:['’](?:s|d|ll))?\b)")
_ABOUT_PEOPLE = lazy_pattern(rf"{_LEAD}(?:they|their [a-z]+)(?:['’](?:re|ve|d|ll))?\b)")
_PERSONAL: frozenset[Act | None] = frozenset(
    {"attribute", "relation", "event", "completion", "concern", "preference", "goal"}
)
_STATES: frozenset[Act | None] = frozenset({"attribute", "relation", "concern", "preference", "goal"})
"""Of *they* only these are about people for sure: parcels arrive, too."""
_HE_OR_SHE = lazy_pattern(r"\b(?i:he|she|him|his|her)\b")
_WRITER = lazy_pattern(r"\b(?:[Ii]|[Ww]e|[Mm]e|[Uu]s|[Mm]y|[Oo]ur|[Yy]ou|[Yy]our)\b")
_SENTENCE_END = lazy_pattern(r"[.!?…][\"”’')]*\s+(?=\S)")


def is_of_unnamed(reading: ClauseReading, passage: RecordPassage, find_person: Callable[[str], Entity | None]) -> bool:
    """Whether a clause tells of a he or she whom nobody can tell, or narrates in a text without its writer."""
    doer = reading.doer
    if reading.act not in _PERSONAL:
        return False
    is_about_people = reading.act in _STATES and _ABOUT_PEOPLE.match(reading.text) is not None
    is_about_other = is_about_people or _ABOUT_PERSON.match(reading.text) is not None
    if doer is not None and doer.kind == "named":
        return is_about_other and find_person(doer.name) is None
    return is_about_other or (reading.act == "event" and _narrates(passage))


def _narrates(passage: RecordPassage) -> bool:
    """Whether a paragraph of a note tells a story: of him or her, in several sentences, and never of the writer."""
    text = passage.text
    if passage.context.kind != "note" or passage.block.kind != "paragraph":
        return False
    is_prose = _SENTENCE_END.search(text) is not None and _HE_OR_SHE.search(text) is not None
    return is_prose and _WRITER.search(text) is None
