"""Relations that a noun stands for: the alliance between Marrow and the Pact, Corin's reign over Vale."""

import re
from collections.abc import Sequence
from itertools import pairwise

from recollect.ingest.lore.lore_clause import LoreClause, Prose, fits
from recollect.resolve.name_finder import NameSpan
from recollect.text.sentences import TextSpan

_AND = r"and|with|to"
_NOUNS: tuple[tuple[str, str, str, str], ...] = (
    ("marriage|union|wedding", "of|between", _AND, "spouse_of"),
    ("alliance|pact|league", "of|between", _AND, "allied_with"),
    ("war|feud|conflict", "of|between", _AND, "at_war_with"),
    ("enmity", "of|between", _AND, "enemy_of"),
    ("reign|rule", "of", "over|in", "rules"),
    ("membership", "of", "in|of", "member_of"),
)
_NOUNS_OF_ONE: tuple[tuple[str, str, str], ...] = (
    ("marriage|wedding", "to|with", "spouse_of"),
    ("alliance|pact|league", "with", "allied_with"),
    ("war|feud", "with|against|on", "at_war_with"),
    ("reign|rule", "over|in|of", "rules"),
    ("membership", "of|in", "member_of"),
    ("service", "to|with", "serves"),
    ("ownership|possession", "of", "possesses"),
)
_BEFORE = tuple(
    (
        re.compile(rf"\b(?:the|an?)\s+(?:{noun})\s+(?:{of})\s+(?:the\s+)?$", re.IGNORECASE),
        re.compile(rf"\s+(?:{joint})\s+(?:the\s+)?", re.IGNORECASE),
        relation,
    )
    for noun, of, joint, relation in _NOUNS
)
_BETWEEN = tuple(
    (re.compile(rf"['’]s?\s+(?:{noun})\s+(?:{of})\s+(?:the\s+)?", re.IGNORECASE), relation)
    for noun, of, relation in _NOUNS_OF_ONE
)


def noun_clause(prose: Prose, span: TextSpan, names: Sequence[NameSpan]) -> LoreClause | None:
    """The relation that the subject of a sentence names; its `words` begin with the subject."""
    for one, other in pairwise(names[:2]):
        found = _of_two(prose, span, one, other) or _of_one(prose, one, other)
        if found is not None and one.entity != other.entity and fits(prose, found.relation, one, other):
            return found
    return None


def _of_two(prose: Prose, span: TextSpan, one: NameSpan, other: NameSpan) -> LoreClause | None:
    before = prose.text[span.start : one.start]
    for pattern, joint, relation in _BEFORE:
        noun = pattern.search(before)
        if noun is not None and joint.fullmatch(prose.text, one.stop, other.start):
            return LoreClause(one, relation, other, TextSpan(span.start + noun.start(), other.stop))
    return None


def _of_one(prose: Prose, one: NameSpan, other: NameSpan) -> LoreClause | None:
    words = prose.text[one.stop : other.start]
    relation = next((relation for pattern, relation in _BETWEEN if pattern.fullmatch(words)), None)
    return None if relation is None else LoreClause(one, relation, other, TextSpan(one.start, other.stop))
