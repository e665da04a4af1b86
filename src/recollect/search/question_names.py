"""Whom a question names: by name, or by a relation such as `my sister` and `Kim's boss` that a fact tells."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recollect.model.history import is_current
from recollect.model.ids import EntityId
from recollect.resolve.name_finder import NameSpan, find_names
from recollect.store.view import View
from recollect.text.patterns import lazy_pattern
from recollect.write.predicates import canonical_predicate

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
