"""Reports that tell of one part of an item with several: *I paid the rent* of *book the dentist and pay the rent*."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from recollect.reason.closures.completion_terms import TERM_CACHE_SIZE, content_terms, without_condition

_JOINT = re.compile(r"\b(?:and|plus|as well as|along with)\b|(?<=\s)&(?=\s)|(?<=[a-z])\+(?=[a-z])", re.IGNORECASE)
_ONE_THING = re.compile(
    r"\b(arts|bed|black|design|drag|food|health|lost|mergers|profit|pros|questions|research|rules|sales|salt|search|"
    r"supply|terms|track|wear) and (?=(?:crafts|breakfast|white|build|drop|drinks?|safety|found|acquisitions|loss|cons|"
    r"answers|development|regulations|marketing|pepper|rescue|demand|conditions|trace|tear)\b)",
    re.IGNORECASE,
)
"""Pairs of words that name one thing: *research and development*."""
_SEPARATOR = re.compile(rf"{_JOINT.pattern}|[,;]", re.IGNORECASE)
_SAME_THING = re.compile(r"(?:will|shall|can|must|should|is|are|was|were|has|have|had|get|gets)\b", re.IGNORECASE)
"""How more is said of the same thing: *the belts are in stock and will ship tomorrow*."""
_RANGE = re.compile(r"\b(?:between|both)\b|\band (?:then )?(?:so|back|forth|on|all|more)\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:[^:]{1,200}:\s*)?(?:(?:.{0,60}?\b(?:will|going to|must|please|should"
    r"|(?:need|needs|have|has|want|wants|promise|promised|committed|agreed|me) to)\b|\S+['’]ll\b)\s*)?",
    re.IGNORECASE,
)
"""Who is to act, and the words that make it an item."""
_CIRCUMSTANCE = re.compile(r"\b(?:to|for|from|with|in|at|on|by|into|about|of|so that|because)\b.*", re.IGNORECASE)
_OPENING = re.compile(r"^\s*(?:[^:]{2,40}:\s+)?(?:(?:and|plus|also|so|but)\b[\s,]*)+", re.IGNORECASE)
"""Words by which a sentence goes on from the one before it."""
_SAME_OBJECT = re.compile(
    r"\b(?:it|them|this|that|those|these)\b(?! (?:costs?|takes?|is|are|was|will)\b)", re.IGNORECASE
)
"""What is done to the thing of another part: *sign the lease and return it*."""
_WORD = re.compile(r"[\w'’-]+")


class ItemPart(NamedTuple):
    """What one part of an item is about; for a name that is added to another (*to Ben and Anna*), also that other."""

    terms: frozenset[str]
    added_to: frozenset[str] | None = None
    has_thing: bool = True
    """Whether it names a thing of its own."""

    def is_left_out(self, told: frozenset[str]) -> bool:
        is_open = self.added_to is None or bool(self.added_to & told)
        return is_open and not self.terms & told


def completes_part(item: str, names: tuple[str, ...], told: frozenset[str]) -> bool:
    """Whether the content words of a report are about an item and leave out a whole part of it."""
    return _leaves_out(_parts_of(item, names), told)


def leaves_out_thing(item: str, names: tuple[str, ...], told: frozenset[str]) -> bool:
    """The same, but only for parts with a thing of their own, which another deed with the same thing is not."""
    return _leaves_out([part for part in _parts_of(item, names) if part.has_thing], told)


def _leaves_out(parts: Sequence[ItemPart], told: frozenset[str]) -> bool:
    return any(part.terms & told for part in parts) and any(part.is_left_out(told) for part in parts)


@lru_cache(TERM_CACHE_SIZE)
def _parts_of(text: str, names: tuple[str, ...]) -> tuple[ItemPart, ...]:
    """The parts of a text that are joined by *and*, those without a content word left out; none of a single one."""
    plain = _ONE_THING.sub(r"\1 ", _OPENING.sub("", text, count=1))
    if not _JOINT.search(plain) or _RANGE.search(plain):
        return ()
    parts = tuple(each for each in _read_parts(without_condition(plain), names) if each.terms)
    return parts if len(parts) > 1 else ()


def _read_parts(text: str, names: tuple[str, ...]) -> Iterator[ItemPart]:
    first, *more = (part.strip(" .!") for part in _SEPARATOR.split(text))
    parts = [_without_verb(_LEAD.sub("", first, count=1)), *(each for each in more if not _SAME_THING.match(each))]
    for at, said in enumerate(parts):
        core = _CIRCUMSTANCE.sub("", said, count=1)
        core = core if content_terms(core, names) else said
        words = [word for word in _WORD.findall(core) if content_terms(word, names)]
        beside = _WORD.findall(parts[at - 1])[-1:] if at else _WORD.findall(" ".join(parts[1:2]))[:1]
        is_name = all(word[0].isupper() for word in (*words, *beside))
        yield ItemPart(
            content_terms(core, names),
            content_terms(" ".join(beside), names) if is_name else None,
            not _SAME_OBJECT.search(core),
        )


def _without_verb(text: str) -> str:
    """What is to be done without its first word, the verb, which a report tells in another form or another word."""
    return text.partition(" ")[2]
