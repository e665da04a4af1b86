"""Words of somebody else, and sentences about somebody whom the text does not name: neither are the writer's."""

from collections.abc import Callable
from dataclasses import replace

from recollect.ingest.extract.dialogues import Dialogue
from recollect.ingest.extract.passages import RecordPassage
from recollect.ingest.extract.text_people import as_person
from recollect.model.entity import Entity
from recollect.reading.clause_reading import Act, ClauseReading
from recollect.reading.pronouns import LEAD
from recollect.text.patterns import lazy_pattern

_LEAD = rf"(?i:{LEAD}(?:(?:also|and|but|so|still|then|now|today|yesterday|apparently|anyway),? )*"
_ABOUT_PERSON = lazy_pattern(rf"{_LEAD}(?:he|she|(?:his|her) [a-z]+)(?:['’](?:s|d|ll))?\b)")
_ABOUT_PEOPLE = lazy_pattern(rf"{_LEAD}(?:they|their [a-z]+)(?:['’](?:re|ve|d|ll))?\b)")
_PERSONAL: frozenset[Act | None] = frozenset(
    {"attribute", "relation", "event", "completion", "concern", "preference", "goal"}
)
_STATES: frozenset[Act | None] = frozenset({"attribute", "relation", "concern", "preference", "goal"})
"""Of *they* only these are about people for sure: parcels arrive, too."""
_HE_OR_SHE = lazy_pattern(r"\b(?i:he|she|him|his|her)\b")
_WRITER = lazy_pattern(r"\b(?:[Ii]|[Ww]e|[Mm]e|[Uu]s|[Mm]y|[Oo]ur|[Yy]ou|[Yy]our)\b")
_SPOKEN_OF = lazy_pattern(r"(?i:\s*(?:\w+ ){0,2}(?:her|him|them|she|he|they)\b)")
"""Words after `NAME:` that are about the named person, so that they are not theirs."""
_LABELS = frozenset("AQ")
_SENTENCE_END = lazy_pattern(r"[.!?…][\"”’')]*\s+(?=\S)")


def named_speaker(
    passage: RecordPassage, find_person: Callable[[str], Entity | None], dialogue: Dialogue
) -> tuple[RecordPassage, Callable[[], Entity | None] | None]:
    """A passage that begins with a person's name and a colon is that person's, as in minutes.

    A lone initial that nobody explains is somebody's, too: what follows it is not the writer's. Nor are words in the
    first person after a name that may be a speaker's.
    """
    lead = passage.block.lead
    if lead is None or passage.context.kind == "mail" or _SPOKEN_OF.match(passage.text, lead.stop):
        return passage, None
    person = find_person(lead.name)
    is_initial = len(lead.name) == 1 and lead.name.isupper() and lead.name not in _LABELS
    if person is None and not is_initial and lead.name not in dialogue.unsure:
        return passage, None
    block = replace(passage.block, text=" " * lead.stop + passage.block.text[lead.stop :], lead=None)
    speaker = as_person(person) if person is not None else None
    return replace(passage, block=block, context=replace(passage.context, speaker=speaker)), lambda: person


def is_of_unnamed(reading: ClauseReading, passage: RecordPassage, find_person: Callable[[str], Entity | None]) -> bool:
    """Whether a clause tells of a he or she whom nobody can tell, or narrates in a text without its writer."""
    doer = reading.doer
    if reading.act not in _PERSONAL:
        return False
    is_about_people = reading.act in _STATES and _ABOUT_PEOPLE.match(reading.text) is not None
    is_about_other = is_about_people or _ABOUT_PERSON.match(reading.text) is not None
    if doer is not None and doer.kind == "named":
        return is_about_other and find_person(doer.name) is None
    is_dated = reading.time.status == "read"  # stories tell days, too, but seldom ones that can be read
    return is_about_other or (reading.act == "event" and not is_dated and _narrates(passage))


def _narrates(passage: RecordPassage) -> bool:
    """Whether a paragraph of a note tells a story: of him or her, in several sentences, and never of the writer."""
    text = passage.text
    if passage.context.kind != "note" or passage.block.kind != "paragraph":
        return False
    is_prose = _SENTENCE_END.search(text) is not None and _HE_OR_SHE.search(text) is not None
    return is_prose and _WRITER.search(text) is None
