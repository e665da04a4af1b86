"""Words that take an act back: conditions, doubts, hopes, hearsay, irony, offers and other words that assert nothing.

They are matched against small letters, like the cues of acts. A guard outvotes every cue and every model.
"""

import re

from recollect.reading.cues import Modality
from recollect.reading.language_table import language_table

_CONDITION_HINTS = tuple(
    "if|who|unless|provid|assum|suppos|case|long as|event|should|else|otherwise|had |depend|once".split("|")
)


def is_idle(clause: str, language: str = "en") -> bool:
    """Whether a clause is an offer, a courtesy, an advertisement or small print, or tells of the weather."""
    table = language_table(language)
    return table is not None and table.idle is not None and table.idle.search(clause) is not None


def is_conditional(sentence: str, language: str = "en") -> bool:
    """Whether a sentence depends on a condition; "check if" and "if possible" do not count."""
    table = language_table(language)
    condition = table.condition if table is not None else None
    if condition is None or not any(hint in sentence for hint in _CONDITION_HINTS):
        return False
    return any(
        found["if"] is None or condition.whether.search(sentence, 0, found.start()) is None
        for found in condition.pattern.finditer(sentence)
    )


def others_words(sentence: str, language: str = "en") -> re.Match[str] | None:
    """Where a sentence begins to give the words of somebody else: "Dana wrote: …"."""
    table = language_table(language) if ":" in sentence else None
    return table.others_words.search(sentence) if table is not None and table.others_words is not None else None


def guarding(clause: str, act: str | None, language: str = "en") -> Modality | None:
    """The modality that words of a clause show in spite of its act; none if it is meant."""
    table = language_table(language)
    for guard in table.guards if table is not None else ():
        if act not in guard.spared and guard.pattern.search(clause) is not None:
            return guard.modality
    return None
