"""Relations told in passing in a sentence about something else: Corin, king of Vale from 312 to 345 TA, wed Ysmay."""

import re

from recollect.ingest.lore.lore_clause import KINSHIP, LoreClause, Prose
from recollect.ingest.lore.relation_words import is_aside, may_be_verb
from recollect.ingest.lore.words_of_time import has_time_words
from recollect.text.sentences import TextSpan

_CLOSING = re.compile(r"\s*(?:[,—–]|\))\s*")
_VERB = re.compile(r"(?:(?:never|also|later|first|then|soon|himself|herself|[a-z]+ly)\s+)*(?P<verb>[a-z]+)\b(?!-)")
_WITHDRAWN = re.compile(
    r"\b(?:deposed|abdicated|overthrown|ousted|restored|returned|resumed|again|lost|left|quit|resigned|expelled|banished"
    r"|exiled|until|till|interrupted|except|briefly|twice|no longer|never (?:lived|existed|ruled|reigned|held))\b",
    re.IGNORECASE,
)
"""Words of a sentence that may correct what it told in passing."""


def is_parenthetical(prose: Prose, span: TextSpan, clause: LoreClause) -> bool:
    """Whether a relation stands with its whole time between commas or brackets, and the rest is about other things."""
    phrase = clause.phrase
    words = prose.text[clause.words.start : clause.words.stop]
    if phrase is None or phrase.end is None or clause.relation in KINSHIP or not is_aside(words):
        return False
    stop = max(clause.stop, phrase.stop)
    is_closed = prose.text[stop - 1] == ")"
    closing = _CLOSING.match(prose.text, stop, span.stop)
    rest = closing.end() if closing else stop if is_closed else None
    verb = None if rest is None else _VERB.match(prose.text[rest : span.stop].lstrip())
    if rest is None or verb is None or not may_be_verb(verb["verb"]):
        return False
    inside = prose.text[clause.one.stop : clause.words.start] + _between(prose, clause)
    return not has_time_words(inside, prose.timeline) and not _WITHDRAWN.search(prose.text, rest, span.stop)


def _between(prose: Prose, clause: LoreClause) -> str:
    """The words between the object of a relation and its time."""
    if clause.phrase is None or clause.phrase.begin <= clause.stop:
        return ""
    return prose.text[clause.stop : clause.phrase.begin]
