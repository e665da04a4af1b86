"""What a state is about: a place, an employer, a language or a thing, as the words after its verb name it."""

import re

from recollect.reading.phrases import (
    allergen,
    is_name,
    liked_phrase,
    object_phrase,
    owned_phrase,
    possession,
    words_of,
    workplace,
)
from recollect.reading.state import KnownName
from recollect.reading.state_lexicon import TOOLS_AND_TEAMS
from recollect.reading.verb_patterns import THIRD_PERSON
from recollect.text.patterns import lazy_pattern

_STATEMENT = lazy_pattern(
    rf"^(?:[A-Z][\w.'’-]*|[a-z][\w.]*-[\w.-]+)(?: [A-Z][\w.'’-]*)* (?:{'|'.join(sorted(set(THIRD_PERSON.values())))}) ."
)
"""What somebody else does: `Ben uses Vim` in `Ada uses Zed, Ben uses Vim` is nothing that Ada uses."""


def target_in(predicate: str, text: str | None, known: KnownName) -> str | None:
    """The target that the words after a verb name; none if they are anything else."""
    if text is None or _STATEMENT.match(text):
        return None
    match predicate:
        case "lives_in" | "grew_up_in":
            return place_in(text)
        case "works_at" | "studies_at":
            name = text.removeprefix("the ")
            is_named = is_name(name) or (known(text) and not text.islower())
            return name if is_named else workplace(text)
        case "reports_to":
            return text if is_name(text) else None
        case "leads" | "manages" | "plays":
            return object_phrase(re.sub(r"^(?:the|our) ", "", text))
        case "speaks":
            language = re.sub(r"^(?:an? (?:bit|little) of|a little|some|fluent|broken|basic) ", "", text)
            return language if is_name(language) else None
        case "allergic_to":
            return allergen(text)
        case "prefers" | "likes" | "loves" | "dislikes":
            return liked_phrase(text)
        case "owns":
            return owned_phrase(re.sub(r"^the ", "a ", text))
        case "has":
            return possession(text)
        case _:
            return object_phrase(text)


def is_place(text: str) -> bool:
    """Whether a capitalised name may be a place: `Porto` or `Porto, Portugal`, but not a tool or department."""
    parts = [part.strip().removeprefix("the ") for part in text.split(",")]
    return len(parts) <= 3 and all(map(is_name, parts)) and words_of(parts[0])[0] not in TOOLS_AND_TEAMS


def place_in(text: str) -> str | None:
    return text.partition(",")[0].removeprefix("the ") if is_place(text) else None
