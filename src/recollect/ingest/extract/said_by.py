"""Whose words a cue of a sentence is, its author's or somebody's whom it names, and whether they are meant."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_MOST_NAME_WORDS = 5
_JOINING = frozenset({"and", "or", "&", "nor", "neither"})
_EDGES = "\"'“”‘’()[]{}<>,;:!?*_`~#@-–—"

# "I think", "maybe" and "I wonder when" right ahead of a cue take its meaning away.
_UNSURE = re.compile(
    r"(?:\b(?:(?:think|doubt|hope|wish|guess|assume|suppose|believe|suspect|expect|imagine|wonder)(?:d|s|ed)?|thought|"
    r"thinking|hoping|assuming|expecting|unsure|unlikely|unclear|what|when|how|where|why|"
    r"(?:not|never|n't|hardly) (?:say|know|sure|certain|true|clear|likely|promise|guarantee|mean)|not because|not)"
    r"(?: that)?"
    r"|\b(?:maybe|perhaps|probably|possibly|hopefully),?)$",
    re.IGNORECASE,
)

_TURN = re.compile(r"[\W_]*([^\W\d_][^:*_]{0,60}?)[*_]*:[*_]* ")

Speakable = Callable[[str], str | None]
"""The id of the one known person of a name; none if nobody or several have it."""


class Cue(NamedTuple):
    """What kind of statement a sentence makes, and by whom if not by its author."""

    fact_type: str
    subject: str | None = None


class Named(NamedTuple):
    """A person named in a sentence, and the words ahead of the name."""

    who: str
    ahead: str


def is_unsure(ahead: str) -> bool:
    """Whether these words make what follows them a thought, a hope or a question."""
    return _UNSURE.search(ahead.rstrip()) is not None


def said_by(fact_type: str, pattern: re.Pattern[str], read: str, person: Speakable) -> Iterator[Cue]:
    """The cues of a pattern that stand right behind a person's name and are meant."""
    for found in pattern.finditer(read):
        named = named_last(read[: found.start()], person)
        if named is not None and not is_unsure(named.ahead):
            yield Cue(fact_type, named.who)


def named_last(before: str, person: Speakable) -> Named | None:
    """The person whose name ends the text; none where it is one of several names in a row."""
    words = before.split()
    for count in range(min(_MOST_NAME_WORDS, len(words)), 0, -1):
        name = " ".join(words[-count:]).lstrip(_EDGES)
        found = person(name) if name else None
        if found is not None:
            ahead = words[:-count]
            is_joined = bool(ahead) and ahead[-1].casefold() in _JOINING
            return None if is_joined else Named(found, " ".join(ahead))
    return None


def named_first(after: str, person: Speakable) -> str | None:
    """The person whose name begins the text; none where another name is joined to it."""
    words = after.split()
    for count in range(min(_MOST_NAME_WORDS, len(words)), 0, -1):
        name = " ".join(words[:count]).strip(_EDGES + ".")
        found = person(name) if name else None
        if found is not None:
            behind = words[count] if len(words) > count else ""
            return None if behind.casefold() in _JOINING else found
    return None


def turn_of(read: str, person: Speakable) -> str | None:
    """Who says the sentence where minutes give each speaker a line: *Dana Cole: I will send it.*"""
    turn = _TURN.match(read)
    return person(turn[1]) if turn is not None else None
