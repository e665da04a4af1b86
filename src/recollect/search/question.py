"""A parsed question: terms, vector text, authors, titles, periods, names, dates, tags, folios; each read on demand."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from functools import cached_property
from typing import NamedTuple

from recollect.model.ids import EntityId
from recollect.resolve.name_finder import NameSpan, find_names
from recollect.search.dates import DateMention, DayRange, combine_dates, find_dates
from recollect.search.passage_index import PassageIndex
from recollect.search.titles import TitleSpan, find_titles
from recollect.store.view import View
from recollect.store.write_queries import Folio
from recollect.text.content_words import split_words
from recollect.text.fold import fold_name
from recollect.text.stop_words import QUESTION_WORDS, STATEMENT_STOP_WORDS, is_stop_word, strip_possessive
from recollect.text.tokens import terms, words
from recollect.when.english.mentions import find_times, window
from recollect.when.instant import Instant

MAX_NAME_WORDS = 6
_NAME_WORD = re.compile(r"[^\W_]+(?:[-.'’][^\W_]+)*\.?")
_GAPS = re.compile(r"\s+")
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
_JOURNAL = re.compile(r"\bwhat did (?:i|we)\b.{0,300}?\b(?:write|do|note|log|say|work on)\b", re.IGNORECASE | re.DOTALL)
_CURRENT = re.compile(
    r"\b(?:current(?:ly)?|now|nowadays|these days|at present|presently|latest|most recent(?:ly)?|so far|to date|still"
    r"|any ?more|in the end|as of)\b",
    re.IGNORECASE,
)
_TAG = re.compile(r"(?<![\w#&/])#([\w][\w/.-]*)")
_FOLIO = re.compile(r"(?<![\w~])~(?=\w|\")")
_WORD = re.compile(r"\"([^\"]+)\"|([\w][\w-]*)")
_ABOUT_ASKER = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|[Oo]ur)\b")
_ROLE_WORDS = re.compile(r"\b(?:i|me|myself|we|us)\b", re.IGNORECASE)


class QueryPeriod(NamedTuple):
    """A period that a question names, in its words."""

    text: str
    lo: Instant
    hi: Instant


class QuestionName(NamedTuple):
    """A name in the question and all entities that it may mean."""

    text: str
    entities: tuple[EntityId, ...]


class _Mark(NamedTuple):
    """A tag or folio in the question."""

    start: int
    stop: int
    name: str


@dataclass(frozen=True)
class Question:
    """A question as every search reads it.

    The names of authors go to the words and to the lift for authors, not into the vector. `roles` are the pronouns
    that stand for somebody, `events` the dates of named events.
    """

    text: str
    at: Instant
    zone: tzinfo = UTC
    index: PassageIndex | None = None
    view: View | None = None
    folios_known: Sequence[Folio] = field(default=(), repr=False)
    roles_known: Sequence[str] = ()
    events: Sequence[DateMention] = ()

    @cached_property
    def terms(self) -> tuple[str, ...]:
        return question_terms(self.text)

    @cached_property
    def _author_names(self) -> dict[str, list[str]]:
        """The names in the question that are those of authors, with the authors."""
        if self.index is None:
            return {}
        spans = {span for span in _name_spans(self.text) if span[:1].isupper() and not is_stop_word(span)}
        called = {span: self.index.authors_called(span) for span in sorted(spans)}
        return {span: authors for span, authors in called.items() if authors}

    @cached_property
    def authors(self) -> frozenset[str]:
        return frozenset(author for authors in self._author_names.values() for author in authors)

    @cached_property
    def meaning(self) -> str:
        """What of the question is embedded."""
        return remove_names(self.text, sorted(self._author_names, key=len, reverse=True))

    @cached_property
    def _title_spans(self) -> list[TitleSpan]:
        return [] if self.index is None else find_titles(self.text, self.index)

    @cached_property
    def titles(self) -> frozenset[str]:
        return frozenset(each.title for span in self._title_spans for each in span.titled)

    @cached_property
    def capitalised_titles(self) -> frozenset[str]:
        """Titles that the question writes as names; small words may be a title by chance."""
        return frozenset(each.title for span in self._title_spans if span.is_capitalised for each in span.titled)

    @cached_property
    def periods(self) -> tuple[QueryPeriod, ...]:
        mentions = find_times(self.text, self.at, self.zone)
        return tuple(QueryPeriod(found.text, *window(found, self.at)) for found in mentions)

    @cached_property
    def date_mentions(self) -> list[DateMention]:
        is_fictional = self.view is not None and self.view.world.timeline.is_fictional
        return [*([] if is_fictional else find_dates(self.text, self.at, self.zone)), *self.events]

    @cached_property
    def dates(self) -> DayRange | None:
        return combine_dates(self.text, self.date_mentions)

    @cached_property
    def _tags(self) -> list[_Mark]:
        return [_Mark(each.start(), each.end(), each[1].rstrip(".-/")) for each in _TAG.finditer(self.text)]

    @cached_property
    def tags(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.name for each in self._tags))

    @cached_property
    def _folios(self) -> list[_Mark]:
        return [_folio_at(self.text, each.end(), self.folios_known) for each in _FOLIO.finditer(self.text)]

    @cached_property
    def folios(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.name for each in self._folios))

    @cached_property
    def roles(self) -> tuple[str, ...]:
        pronouns = map(str.lower, _ROLE_WORDS.findall(self.text))
        return tuple(dict.fromkeys(found for found in pronouns if found in self.roles_known))

    @cached_property
    def _marked_spans(self) -> list[tuple[int, int]]:
        """Where dates, tags and folios are."""
        dates = [(each.start, each.stop) for each in self.date_mentions]
        return [*dates, *((each.start, each.stop) for each in (*self._tags, *self._folios))]

    @cached_property
    def _names(self) -> list[NameSpan]:
        found = [] if self.view is None else find_names(self.view, self.text)
        return [each for each in found if not _overlaps((each.start, each.stop), self._marked_spans)]

    @cached_property
    def named(self) -> tuple[QuestionName, ...]:
        return tuple(QuestionName(self.text[each.start : each.stop], each.entities) for each in self._names)

    @cached_property
    def cues(self) -> str:
        """The question without its names, dates, tags and folios."""
        return _blank_out(self.text, [*self._marked_spans, *((each.start, each.stop) for each in self._names)])

    @property
    def is_name_alone(self) -> bool:
        is_one = len({each.entities for each in self._names}) == 1
        return is_one and not self.date_mentions and _has_no_content(self.cues)

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
    def asks_for_current(self) -> bool:
        """Whether it asks explicitly for what holds now."""
        return bool(_CURRENT.search(self.text))

    @cached_property
    def is_about_asker(self) -> bool:
        """Whether it is about the asker."""
        return bool(_ABOUT_ASKER.search(self.text))

    @property
    def is_journal(self) -> bool:
        return bool(_JOURNAL.search(self.text))


def question_terms(text: str) -> tuple[str, ...]:
    """The stems of a query without the words every question has; all of them if none is left."""
    content = [word for word in words(text) if not is_stop_word(word)]
    return tuple(dict.fromkeys(terms(" ".join(content)) or terms(text)))


def remove_names(text: str, names: Sequence[str]) -> str:
    """The text without these names; unchanged if only stop words would be left."""
    left = text
    for name in names:
        left = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s?)?(?!\w)", " ", left)
    left = _GAPS.sub(" ", left).strip()
    return left if any(not is_stop_word(word) for word in _NAME_WORD.findall(left)) else text


def _name_spans(text: str) -> Iterator[str]:
    """Runs of words as written, with and without a possessive ending."""
    found = list(_NAME_WORD.finditer(text))
    for first in range(len(found)):
        for last in range(first, min(first + MAX_NAME_WORDS, len(found))):
            span = text[found[first].start() : found[last].end()].removesuffix(".")
            yield span
            if (bare := strip_possessive(span)) != span:
                yield bare


def _folio_at(text: str, start: int, folios: Sequence[Folio]) -> _Mark:
    """The folio named behind its mark: the longest known name that begins there, else one word."""
    rest = text[start:]
    known = [each.name for each in folios if _starts_with_name(rest, each.name)]
    if known:
        name = max(known, key=len)
        return _Mark(start - 1, start + len(name), name)
    word = _WORD.match(rest)
    name = (word[1] or word[2]) if word else rest
    return _Mark(start - 1, start + (word.end() if word else len(rest)), name)


def _starts_with_name(rest: str, name: str) -> bool:
    head, next_character = rest[: len(name)], rest[len(name) : len(name) + 1]
    return fold_name(head) == fold_name(name) and not next_character.isalnum()


def _overlaps(span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < stop and start < span[1] for start, stop in spans)


def _blank_out(text: str, spans: Sequence[tuple[int, int]]) -> str:
    left = list(text)
    for start, stop in spans:
        left[start:stop] = " " * (stop - start)
    return "".join(left)


def _has_no_content(rest: str) -> bool:
    return all(word in STATEMENT_STOP_WORDS or word in QUESTION_WORDS for word in split_words(rest))
