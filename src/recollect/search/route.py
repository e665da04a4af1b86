"""What a question asks for, by its shape alone: names, dates, tags, folios and the words that give it away."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.resolve.spot import spot
from recollect.search.content_words import QUESTION_WORDS, STOP_WORDS, words
from recollect.search.dates_asked import DateAsked, Days, dates_asked, whole
from recollect.store.view import View
from recollect.write.folio import Folio

_RELATION = re.compile(
    r"\b(?:who|whom|whose|work(?:s|ed|ing)?|report(?:s|ed)?|relate[sd]?|relationship|connect(?:s|ed)?|connection"
    r"|depend(?:s|ed)?|between|via|path|knows?|manage[sd]?|own(?:s|ed)?|leads?|belongs?|married|allied)\b",
    re.IGNORECASE,
)
_PATH = re.compile(r"\b(?:connected|connection|between|via|path)\b", re.IGNORECASE)
_EVOLUTION = re.compile(
    r"\b(?:evolve[sd]?|evolution|changed my mind|change of mind|used to think|how did\b.*\bbecome|last met"
    r"|over time)\b",
    re.IGNORECASE | re.DOTALL,
)
_JOURNAL = re.compile(r"\bwhat did (?:i|we)\b.*?\b(?:write|do|note|log|say|work on)\b", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"(?<![\w#&/])#([\w][\w/.-]*)")
_FOLIO = re.compile(r"(?<![\w~])~(?=\w|\")")
_WORD = re.compile(r"\"([^\"]+)\"|([\w][\w-]*)")
_ROLE_WORDS = re.compile(r"\b(?:i|me|myself|we|us)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """A name in the question and all whom it may mean."""

    text: str
    entities: tuple[EntityId, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart; `cues` is what stands outside of names, dates, tags and folios."""

    text: str
    named: tuple[Named, ...]
    roles: tuple[str, ...]
    dates: Days | None
    tags: tuple[str, ...]
    folios: tuple[str, ...]
    cues: str
    is_name_alone: bool

    @property
    def has_relation(self) -> bool:
        return bool(_RELATION.search(self.cues))

    @property
    def has_path(self) -> bool:
        return bool(_PATH.search(self.cues))

    @property
    def has_evolution(self) -> bool:
        return bool(_EVOLUTION.search(self.text))

    @property
    def is_journal(self) -> bool:
        return bool(_JOURNAL.search(self.text))


def read_question(
    view: View, text: str, zone: tzinfo, folios: Sequence[Folio], roles: Sequence[str], events: Sequence[DateAsked]
) -> Question:
    """The question taken apart; `roles` are the pronouns that stand for somebody, `events` dates of named events."""
    dates = [*([] if view.world.timeline.is_fictional else dates_asked(text, view.now, zone)), *events]
    tags = [(each.start(), each.end(), each[1].rstrip(".-/")) for each in _TAG.finditer(text)]
    places = [_folio_at(text, each.end(), folios) for each in _FOLIO.finditer(text)]
    taken = [(each.start, each.stop) for each in dates] + [each[:2] for each in (*tags, *places)]
    names = [each for each in spot(view, text) if not _meets((each.start, each.stop), taken)]
    stretches = [*taken, *((each.start, each.stop) for each in names)]
    playing = tuple(dict.fromkeys(found for found in map(str.lower, _ROLE_WORDS.findall(text)) if found in roles))
    return Question(
        text,
        tuple(Named(text[each.start : each.stop], each.entities) for each in names),
        playing,
        whole(text, dates),
        tuple(dict.fromkeys(each[2] for each in tags)),
        tuple(dict.fromkeys(each[2] for each in places)),
        _without(text, stretches),
        len({each.entities for each in names}) == 1 and not dates and _says_nothing_else(_without(text, stretches)),
    )


def _folio_at(text: str, start: int, folios: Sequence[Folio]) -> tuple[int, int, str]:
    """The folio named behind its mark: the longest known name that stands there, else one word."""
    rest = text[start:]
    known = [each.name for each in folios if _begins(rest, each.name)]
    if known:
        name = max(known, key=len)
        return start - 1, start + len(name), name
    word = _WORD.match(rest)
    name = (word[1] or word[2]) if word else rest
    return start - 1, start + (word.end() if word else len(rest)), name


def _begins(rest: str, name: str) -> bool:
    head, behind = rest[: len(name)], rest[len(name) : len(name) + 1]
    return fold(head) == fold(name) and not behind.isalnum()


def _meets(stretch: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    return any(stretch[0] < stop and start < stretch[1] for start, stop in taken)


def _without(text: str, stretches: Sequence[tuple[int, int]]) -> str:
    left = list(text)
    for start, stop in stretches:
        left[start:stop] = " " * (stop - start)
    return "".join(left)


def _says_nothing_else(rest: str) -> bool:
    return all(word in STOP_WORDS or word in QUESTION_WORDS for word in words(rest))
