"""Negation: whether a clause is negative, and whether its *not* takes the act back that a cue shows.

*The concert is not cancelled*, *nobody cancelled it* and *it was approved by nobody* deny; in *it does not take place*
the negation is part of the cue, and in *we decided not to sell* it is what was decided.
"""

import re

from recollect.reading.clause_reading import Act
from recollect.reading.language_table import language_table

_DENIABLE: frozenset[Act] = frozenset({"commitment", "decision", "cancellation", "completion", "concern", "event"})
_TOLD: frozenset[Act] = frozenset({"completion", "event"})
"""Acts whose cues reach over several words; a negation among these is no part of the cue."""
_CONTRAST = re.compile(r",\s*$")


def is_negative(clause: str, language: str) -> bool:
    """Whether a clause has a word of negation."""
    table = language_table(language)
    return table is not None and table.negation.words.search(clause) is not None


def is_denied(clause: str, match: re.Match[str], act: Act, language: str) -> bool:
    """Whether words around a cue say that it was not, or nobody's."""
    table = language_table(language)
    if table is None or act not in _DENIABLE:
        return False
    before, after = clause[: match.start()], clause[match.end() :]
    negation = table.negation
    if act in _TOLD and negation.words.search(match[0]) is not None:
        return True
    if negation.by_nobody.search(after) is not None or negation.before.search(before) is not None:
        return True
    found = negation.after.match(after) if act == "commitment" and negation.after is not None else None
    return found is not None and _CONTRAST.search(after[: found.start("not")]) is None
