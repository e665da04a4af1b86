"""What a question names: titles of documents, people by name, or by a relation such as `my sister`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from recollect.model.history import is_current
from recollect.model.ids import EntityId
from recollect.resolve.name_finder import NameSpan, find_names
from recollect.search.passage_index import PassageIndex
from recollect.store.passage_filter import TitleMatch
from recollect.store.passage_index import LONGEST_TITLE, SHORTEST_TITLE, title_key
from recollect.store.view import View
from recollect.text.patterns import lazy_pattern
from recollect.text.stop_words import STOP_WORDS
from recollect.write.predicates import canonical_predicate

_TITLE_WORD = re.compile(r"[^\W_]+")
_key_of_word = lru_cache(4_096)(title_key)


@dataclass(frozen=True, slots=True)
class TitleSpan:
    """A span of a text that is the title of documents."""

    start: int
    stop: int
    titled: tuple[TitleMatch, ...]
    is_capitalised: bool


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    stop: int
    key: str
    is_capitalised: bool


def find_titles(text: str, index: PassageIndex) -> list[TitleSpan]:
    """The titles that a query names; a word alone counts only where it is written as a name."""
    spans = [span for span in _title_spans(text) if " " in span.key or span.is_capitalised]
    return _choose_spans(spans, _look_up_titles(index, [spans]))


def find_titles_in_each(texts: Sequence[str], index: PassageIndex) -> list[list[TitleSpan]]:
    """For each text the titles it names, which must begin with a capital."""
    spans = [list(_title_spans(text, only_capitals=True)) for text in texts]
    known = _look_up_titles(index, spans)
    return [_choose_spans(each, known) for each in spans]


def _title_spans(text: str, *, only_capitals: bool = False) -> Iterator[_Span]:
    """Runs of words that may be a title; on request only those that do not begin with a small letter."""
    words = list(_TITLE_WORD.finditer(text))
    for first, found in enumerate(words):
        start = found.start()
        is_capitalised = not text[start].islower()
        if only_capitals and not is_capitalised:
            continue
        key, is_empty = "", True
        for following in words[first : first + LONGEST_TITLE]:
            word = _key_of_word(following[0])
            key = f"{key} {word}" if key else word
            is_empty = is_empty and word in STOP_WORDS
            if not is_empty and len(key) >= SHORTEST_TITLE:
                yield _Span(start, following.end(), key, is_capitalised)


def _look_up_titles(index: PassageIndex, spans: Sequence[Sequence[_Span]]) -> Mapping[str, tuple[TitleMatch, ...]]:
    known: dict[str, tuple[TitleMatch, ...]] = {}
    for each in index.documents_by_title({span.key for text in spans for span in text}):
        known[each.key] = (*known.get(each.key, ()), each)
    return known


def _choose_spans(spans: Sequence[_Span], known: Mapping[str, tuple[TitleMatch, ...]]) -> list[TitleSpan]:
    chosen: list[TitleSpan] = []
    for span in sorted(spans, key=lambda each: (each.start - each.stop, each.start)):
        if span.key in known and all(span.stop <= other.start or span.start >= other.stop for other in chosen):
            chosen.append(TitleSpan(span.start, span.stop, _closest_titles(span, known[span.key]), span.is_capitalised))
    return sorted(chosen, key=lambda each: each.start)


def _closest_titles(span: _Span, titled: tuple[TitleMatch, ...]) -> tuple[TitleMatch, ...]:
    """The documents with exactly this title; where there are none, those that have more in brackets."""
    return tuple(each for each in titled if title_key(each.title) == span.key) or titled


MAX_RELATED = 20
_NOUN = r"(?:(?:older|younger|little|big|best|old|new|current)\s+)?(?P<noun>[^\W\d_]{2,40}(?:-[^\W\d_]{1,20}){0,2})"
_MINE = lazy_pattern(rf"\b(?:my|our)\s+{_NOUN}", re.IGNORECASE)
_ITS = lazy_pattern(rf"['’]s?\s+{_NOUN}")
_FIRST_PERSON = lazy_pattern(r"\b(?:i|me|my|myself|we|us|our)\b", re.IGNORECASE)
_POSSESSOR = lazy_pattern(r"(?<!^)(?<![.!?:;]\s)\b(?P<name>[A-Z][^\W\d_]+)['’]s\b")


class QuestionNames(NamedTuple):
    """Whom a question names, and whether "I", "my" or "we" in it means the owner himself."""

    spans: tuple[NameSpan, ...]
    means_owner: bool


def question_names(view: View, text: str, owner: EntityId | None) -> QuestionNames:
    """The names in a question; `Kim's boss` names the boss if a fact tells who that is, and then not Kim."""
    names = find_names(view, text)
    relatives = list(_relatives(view, text, names, owner))
    spans = [name for name in names if not any(name.start == each.start for each in relatives)]
    rest = text
    for each in sorted(relatives, key=lambda each: each.start, reverse=True):
        rest = rest[: each.start] + rest[each.span.stop :]
    return QuestionNames((*spans, *(each.span for each in relatives)), means_owner(rest))


def means_owner(text: str) -> bool:
    """Whether a text speaks of "I", "me" or "my", or of "we" or "our"."""
    return _FIRST_PERSON.search(text) is not None


def has_unknown_possessor(text: str, names: Sequence[NameSpan]) -> bool:
    """Whether a question asks for something of somebody unknown: a capitalised word that is not one of the names."""
    found = (match.start() for match in _POSSESSOR.finditer(text))
    return any(not any(name.start <= at < name.stop for name in names) for at in found)


class _Relative(NamedTuple):
    """A noun that names somebody, and where the phrase begins that says whose."""

    start: int
    span: NameSpan


def _relatives(view: View, text: str, names: Sequence[NameSpan], owner: EntityId | None) -> Iterator[_Relative]:
    for match in _MINE.finditer(text) if owner is not None else ():
        yield from (_Relative(match.start(), span) for span in _find_related(view, owner, match))
    for name in names:
        match_ = _ITS.match(text, name.stop)
        if match_ is not None and name.entity is not None:
            yield from (_Relative(name.start, span) for span in _find_related(view, name.entity, match_))


def _find_related(view: View, entity: EntityId | None, relation: re.Match[str]) -> Iterator[NameSpan]:
    """The entities that a noun names as an attribute of another: `sister` is the person that a fact says is one."""
    if entity is None:
        return
    facts = view.facts_of_subject(entity, canonical_predicate(view, relation["noun"]), MAX_RELATED)
    found = dict.fromkeys(fact.object for fact in facts if is_current(fact, view.world.present))
    related = tuple(each for each in found if each is not None)
    if related:
        yield NameSpan(relation.start("noun"), relation.end("noun"), related)
