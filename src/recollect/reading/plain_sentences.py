"""A sentence as the plain ones it says: `Maria, my boss, is on leave`, `Vera doesn't live in Graz but in Linz`."""

import re
from collections.abc import Iterator

from recollect.reading.english_verbs import third_person
from recollect.reading.phrases import is_name
from recollect.reading.state_words import OCCUPATIONS, PEOPLE_NOUNS
from recollect.text.patterns import lazy_pattern

_NAME = r"(?P<name>[A-ZÀ-Þ][\w.'’-]*(?: [A-ZÀ-Þ][\w.'’-]*){0,2})"
_ROLE = (
    r"(?P<role>(?:[Mm]y|[Oo]ur|[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?['’]s) (?:new )?"
    rf"(?:{'|'.join(sorted(PEOPLE_NOUNS | OCCUPATIONS))})(?:[- ]in[- ]law)?)"
)
_BEHIND = lazy_pattern(rf"^{_NAME}, {_ROLE}, (?P<rest>[a-z].+)$")
_AHEAD = lazy_pattern(rf"^{_ROLE}, {_NAME}, (?P<rest>[a-z].+)$")
_RELATIVE_CLAUSE = lazy_pattern(rf"^{_NAME}, who (?P<aside>[^,;?]+), (?P<rest>[a-z].+)$")

_NOT_BUT = lazy_pattern(
    r"^(?P<x>.{1,60}?) (?:does|do)(?: not|n['’]t) (?P<verb>drive|live|own|play|prefer|speak|use|work) "
    r"(?P<prep>(?:in|at|for) )?[^,;]{1,40}?,? but (?:rather )?(?(prep)(?P=prep))(?P<right>[^,;?]+)$"
)


def plain_sentences(sentence: str) -> Iterator[str]:
    """The sentence without an aside about the person it begins with, and the aside as a sentence of its own."""
    found = _aside(sentence) if ", " in sentence and "?" not in sentence else None
    if found is None:
        yield _NOT_BUT.sub(_what_is_right, sentence) if " but " in sentence else sentence
        return
    yield f"{found['name']} {found['rest']}"
    yield f"{found['name']} {_said_in_passing(found)}"


def _aside(sentence: str) -> re.Match[str] | None:
    found = _BEHIND.match(sentence) or _AHEAD.match(sentence) or _RELATIVE_CLAUSE.match(sentence)
    return found if found is not None and is_name(found["name"]) else None


def _what_is_right(found: re.Match[str]) -> str:
    verb = found["verb"] if found["x"] in ("I", "i", "We", "we") else third_person(found["verb"])
    return f"{found['x']} {verb} {found['prep'] or ''}{found['right']}"


def _said_in_passing(found: re.Match[str]) -> str:
    role = found.groupdict().get("role")
    if role is None:
        return found["aside"]
    first, rest = role.split(" ", 1)
    return f"is {first.lower() if first.lower() in ('my', 'our') else first} {rest}"
