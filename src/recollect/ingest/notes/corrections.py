"""Corrections and changes that a sentence announces: its claims replace the values that were current."""

import re
from collections import Counter
from typing import NamedTuple

from recollect.ingest.notes.form_match import FormMatch
from recollect.text.patterns import lazy_pattern

_CORRECTION = lazy_pattern(
    r"^(?:(?:oh|ok|okay|well|hm+|sorry|and|but)[,. ]+)*(?:correction[:,]|actually,?|no,? wait[,:.]?|wait,? no[,:]?|"
    r"sorry,? (?:but )?i meant(?: to say)?[,:]?(?: that)?|i meant(?: to say)?[,:]?(?: that)?)\s+",
    re.IGNORECASE,
)
_NOW = lazy_pattern(
    r"(?<=\bis) now(?= )|(?<=\bam) now(?= )|(?<=\bare) now(?= )|(?<=['’][smSM]) now(?= )|(?<=['’]re) now(?= )"
    r"|(?<= )now (?=(?:works?|lives?|resides?|uses?|prefers?)\b)"
)
_BESIDE = lazy_pattern(r"\b(?:also|too|as well|additionally|another|both)\b", re.IGNORECASE)
# People have several of these at once, so that a new one does not tell which of them was wrong.
_MANY_AT_ONCE = frozenset(
    "allergic_to likes owns speaks allergy hobby language pet skill friend colleague coworker co-worker teammate "
    "roommate flatmate housemate neighbour neighbor sibling sister brother child kid baby son daughter cousin aunt "
    "uncle niece nephew parent grandmother grandfather grandma grandpa grandson granddaughter assistant mentee mentor "
    "doctor lawyer teacher tutor coach founder cofounder co-founder agent advisor adviser".split()
)


class Announced(NamedTuple):
    """A text without the words that announce a correction or change, and whether it had any."""

    text: str
    is_change: bool


def strip_correction(sentence: str) -> Announced:
    """A sentence without a leading `Correction:`, `Actually,`, `No wait,` or `Sorry, I meant`."""
    match = _CORRECTION.match(sentence)
    return Announced(sentence[match.end() :], True) if match else Announced(sentence, False)


def strip_now(clause: str) -> Announced:
    """A clause without the `now` of `is now` and `now works at`."""
    text, count = _NOW.subn("", clause, count=1)
    return Announced(text, count > 0)


def replacing(form: FormMatch, text: str) -> FormMatch:
    """The same claim, which replaces the current value if it can."""
    is_value = form.target is not None and form.tense != "past" and not form.has_ended and form.replaced is None
    if not is_value or form.predicate.split()[-1].lower() in _MANY_AT_ONCE or _BESIDE.search(text):
        return form
    return form._replace(replaces=True)


def has_rivals(forms: list[FormMatch]) -> bool:
    """Whether two replacing claims give one attribute different values, so that each would undo the other."""
    return max(Counter((each.subject, each.predicate) for each in forms if each.replaces).values(), default=0) > 1
