"""Relations that take their verb, subject, object or words from the one before: and with the Pact until 90 SM."""

import re
from collections.abc import Iterator, Sequence

from recollect.ingest.lore.clauses import relation_between
from recollect.ingest.lore.lore_clause import LoreClause, Prose, fits
from recollect.ingest.lore.time_phrases import Phrase
from recollect.model.relations import is_point, is_symmetric, read_relation
from recollect.resolve.name_finder import NameSpan
from recollect.text.sentences import TextSpan

_WITH_NEXT = re.compile(
    r"[\s,]*(?:and|then|and then|and later)\s+(?P<word>with|to|of|over|by)?\s*(?:the\s+)?", re.IGNORECASE
)
_NEXT_SUBJECT = re.compile(
    r"\s*(?:,|;|,?\s+and)\s+(?:then\s+)?(?:(?:his|her|its|their)\s+(?:[a-z]+\s+)?"
    r"(?:son|daughter|brother|sister|heir|nephew|niece|cousin|widow|wife|husband|uncle|aunt|father|mother|successor"
    r"|grandson|granddaughter)\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_STRANGER = re.compile(
    rf"(?:{_WITH_NEXT.pattern}|{_NEXT_SUBJECT.pattern})(?-i:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){{0,3}})"
    r"(?:\s+[a-z]+(?: with| over)? (?:it|them|him|her))?(?=\s)",
    re.IGNORECASE,
)
_OBJECT_PRONOUN = re.compile(r"(?P<verb>\s+[a-z ]{3,30}?)\s(?:it|them)\b", re.IGNORECASE)
_AND_AGAIN = re.compile(r"[\s,]*(?:and|then|and then)\s+(?:then\s+|later\s+)?(?:again\s+|once more\s+)?", re.IGNORECASE)
_COUNTED = re.compile(
    r"\s*,?\s*(?P<count>twice|thrice|(?:two|three|four) (?:separate )?times|on (?:two|three) occasions)\s*[,:—–]\s*",
    re.IGNORECASE,
)
_COUNTS = {"twice": 2, "thrice": 3, "two": 2, "three": 3, "four": 4}


def elided_clauses(prose: Prose, span: TextSpan, names: Sequence[NameSpan], found: LoreClause) -> list[LoreClause]:
    """The relations that go on from one, the one itself first, all with their times; only it if they are not clear."""
    told = _repeated(prose, span, found)
    for name in names:
        further = _next(prose, span, told[-1], name) if name.start > told[-1].stop else None
        told += [further] if further is not None else []
    return [*told[:-1], _with_stranger(prose, span, names, told[-1])]


def _with_stranger(prose: Prose, span: TextSpan, names: Sequence[NameSpan], clause: LoreClause) -> LoreClause:
    """A relation whose sentence ends with that of a name which nobody knows, and its time: , Kuno from 1507 to 1533."""
    if clause.phrase is None or clause.aside is not None or clause.phrase.stop < clause.stop:
        return clause
    found = _STRANGER.match(prose.text, clause.phrase.stop, span.stop)
    phrase = prose.phrase(clause.one, found.end(), span.stop) if found else None
    is_known = any(each.start >= clause.phrase.stop for each in names)
    if phrase is None or is_known or prose.text[phrase.stop : span.stop].strip(" .\n"):
        return clause
    return clause._replace(aside=TextSpan(clause.phrase.stop, phrase.stop))


def _next(prose: Prose, span: TextSpan, clause: LoreClause, name: NameSpan) -> LoreClause | None:
    """The relation of the next name, which stands after the time of the clause before."""
    if clause.other is None or clause.phrase is None or not clause.stop <= clause.phrase.stop <= name.start:
        return None
    between = prose.text[clause.phrase.stop : name.start]
    after = prose.phrase(name, name.stop, span.stop)
    joint = _WITH_NEXT.fullmatch(between)
    if joint is not None and after is not None and _is_next_object(prose, clause, joint, name):
        words = TextSpan(name.stop, name.stop)
        return LoreClause(clause.one, clause.relation, name, words, after, is_shared=True)
    if _NEXT_SUBJECT.fullmatch(between) is None:
        return None
    if after is not None:
        is_subject = fits(prose, clause.relation, name, clause.other) and not is_symmetric(clause.relation)
        words = TextSpan(name.stop, name.stop)
        return LoreClause(name, clause.relation, clause.other, words, after, is_shared=True) if is_subject else None
    return _with_pronoun(prose, span, clause, name)


def _is_next_object(prose: Prose, clause: LoreClause, joint: re.Match[str], name: NameSpan) -> bool:
    """Whether a name is a second object: by its preposition, or because it cannot be a second subject."""
    if not fits(prose, clause.relation, clause.one, name) or clause.other is None:
        return False
    return (
        joint["word"] is not None
        or clause.relation == "spouse_of"
        or not fits(prose, clause.relation, name, clause.other)
    )


def _with_pronoun(prose: Prose, span: TextSpan, clause: LoreClause, name: NameSpan) -> LoreClause | None:
    """And his son Kuno ruled it from 1507."""
    found = _OBJECT_PRONOUN.match(prose.text, name.stop, span.stop)
    if found is None or clause.other is None:
        return None
    relation = relation_between(prose, name, f"{found['verb']} ", clause.other)
    phrase = prose.phrase(name, found.end(), span.stop)
    if relation is None or phrase is None:
        return None
    return LoreClause(name, relation, clause.other, TextSpan(*found.span()), phrase, is_shared=True)


def _repeated(prose: Prose, span: TextSpan, clause: LoreClause) -> list[LoreClause]:
    """A relation that held several times, each with its own: twice, from 10 to 15 KN and from 30 to 33 KN."""
    if clause.other is None or is_point(read_relation(clause.relation).name) or clause.relation == "spouse_of":
        return [clause]
    counted = _COUNTED.match(prose.text, clause.stop, span.stop)
    first = prose.phrase(clause.one, counted.end(), span.stop) if counted else clause.phrase
    if first is None or first.begin < clause.stop:
        return [clause]
    phrases = [first._replace(begin=clause.stop), *_further(prose, span, clause, first)]
    wanted = _COUNTS[counted["count"].lower().removeprefix("on ").split()[0]] if counted else len(phrases)
    if len(phrases) != wanted or len(phrases) == 1:
        return [clause]
    return [clause._replace(phrase=each, is_shared=at > 0) for at, each in enumerate(phrases)]


def _further(prose: Prose, span: TextSpan, clause: LoreClause, phrase: Phrase) -> Iterator[Phrase]:
    """The times that are joined to one by *and*, each after the one before."""
    joint = _AND_AGAIN.match(prose.text, phrase.stop, span.stop)
    further = prose.phrase(clause.one, joint.end(), span.stop) if joint else None
    if further is None or phrase.end is None or further.start is None or further.start.lo <= phrase.end.hi:
        return
    yield further._replace(begin=phrase.stop)
    yield from _further(prose, span, clause, further)
