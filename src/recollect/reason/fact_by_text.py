"""Finding the one current fact that a text means: by its subject and all its content words."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from recollect.model.ids import EntityId, FactId, parse_fact_id
from recollect.model.sentence import fact_sentence
from recollect.reason.items.item_list import ItemFilter, list_items
from recollect.reason.items.item_lookup import closed_items
from recollect.resolve.name_finder import find_names
from recollect.store.fact_rows import FactFilter, FactRow
from recollect.store.view import View
from recollect.text.content_words import content_tokens, split_words
from recollect.text.fold import fold_name
from recollect.text.negation import EMPHASIS_PATTERN, STATEMENT_NEGATORS
from recollect.text.patterns import lazy_pattern
from recollect.write.owner import OWNER_WORDS, find_owner

MOST_FACTS = 5_000
"""Facts of one subject that are compared with a text."""
_EMPHASIS = lazy_pattern(EMPHASIS_PATTERN, re.IGNORECASE)
_POSSESSIVE = lazy_pattern(r"(?<=\w)['’]s\b|(?<=s)['’](?!\w)")


@dataclass(frozen=True, slots=True)
class FactTextMatch:
    """The facts that a text fits; if none fits, `near` are facts and open items that share words with it."""

    rows: tuple[FactRow, ...] = ()
    near: tuple[FactRow, ...] = ()

    @property
    def only(self) -> FactRow | None:
        return self.rows[0] if len(self.rows) == 1 else None


def fact_with_id(view: View, text: str) -> FactId | None:
    """The fact with this id, whatever its state; None if the text is not the id of a fact."""
    id_ = parse_fact_id(text)
    return id_ if id_ is not None and view.fact(id_) is not None else None


def facts_fitting(view: View, text: str) -> FactTextMatch:
    """Current facts whose subject a text names and that contain all its content words; exact ones come alone.

    An open item is also found by its own words, without its subject.
    """
    rows = _facts_about(view, text)
    exact = [row for row in rows if is_exact_text(row, text)]
    if exact:
        return FactTextMatch(tuple(exact))
    wanted = _tokens(text)
    fitting = _rows_with_words(view, rows, wanted)
    same = [row for row in fitting if wanted == _tokens(_sentence(row))]
    if fitting:
        return FactTextMatch(tuple(same if len(same) == 1 else fitting))
    return _fitting_items(view, wanted, rows)


def denied_fact(view: View, sentence: str) -> FactRow | None:
    """The one current fact that a sentence would state if it had no negation."""
    words = split_words(_EMPHASIS.sub(" ", sentence))
    if STATEMENT_NEGATORS.isdisjoint(words):
        return None
    plain = " ".join(word for word in words if word not in STATEMENT_NEGATORS)
    wanted = frozenset(content_tokens(plain))
    fitting = _rows_with_words(view, _facts_about(view, plain), wanted)
    return fitting[0] if wanted and len(fitting) == 1 else None


def _facts_about(view: View, text: str) -> list[FactRow]:
    return _facts_of_subjects(view, _subjects_in(view, text))


def _rows_with_words(view: View, rows: Sequence[FactRow], wanted: frozenset[str]) -> list[FactRow]:
    return [row for row in rows if wanted <= _tokens_of(view, row)]


def _fitting_items(view: View, wanted: frozenset[str], others: Sequence[FactRow]) -> FactTextMatch:
    """Open items in their own words, whoever has them; else the nearest among these and other facts."""
    listed = list_items(view, ItemFilter(limit=MOST_FACTS, has_counts=False)).items
    ids = [each.item.id for each in listed if wanted & frozenset(content_tokens(each.item.text))]
    items = view.fact_rows(ids)
    fitting = tuple(row for row in items if _is_item_text(view, row, wanted))
    if fitting:
        return FactTextMatch(fitting)
    every = {row.fact.id: row for row in (*others, *items)}
    return FactTextMatch((), _nearest(view, list(every.values()), wanted))


def _is_item_text(view: View, row: FactRow, wanted: frozenset[str]) -> bool:
    """Whether a text has all content words of an item and none but these and those of its subject."""
    own = frozenset(content_tokens(row.object_name or row.fact.literal or row.text))
    return bool(own) and own <= wanted <= _tokens_of(view, row)


def facts_with_text(view: View, text: str) -> tuple[FactRow, ...]:
    """Current facts that read exactly so."""
    return tuple(row for row in _facts_about(view, text) if is_exact_text(row, text))


def is_exact_text(row: FactRow, text: str) -> bool:
    return _comparable(text) in {_comparable(each) for each in (row.text, _sentence(row), row.fact.words or "")}


def _comparable(text: str) -> str:
    return " ".join(_without_possessive(fold_name(text)).split()).rstrip(".")


def _tokens(text: str) -> frozenset[str]:
    return frozenset(content_tokens(_without_possessive(text)))


def _without_possessive(text: str) -> str:
    """The text without the endings of possessives: `Vos' status` and `Vos's status` are the same."""
    return _POSSESSIVE.sub("", text)


def _sentence(row: FactRow) -> str:
    target = row.fact.literal if row.object_name is None else row.object_name
    return fact_sentence(row.subject_name, row.fact.predicate, target)


def _subjects_in(view: View, text: str) -> list[EntityId]:
    """The entities that a text names, however short; the owner for `I`, `me` and `my`."""
    named = [entity for span in find_names(view, text, shortest=1) for entity in span.entities]
    owner = find_owner(view) if not OWNER_WORDS.isdisjoint(fold_name(text).split()) else None
    return list(dict.fromkeys([*named, *([owner.id] if owner is not None else [])]))


def _facts_of_subjects(view: View, subjects: Collection[EntityId]) -> list[FactRow]:
    closed = frozenset(closed_items(view, subjects)) if subjects else frozenset()
    wanted = FactFilter(view.world.present, aliases=True, limit=MOST_FACTS, closed=closed)
    return [row for entity in subjects for row in view.facts_about(entity, wanted) if row.fact.subject == entity]


def _tokens_of(view: View, row: FactRow) -> frozenset[str]:
    """The content words of a fact in all its forms, and of every name of its subject."""
    names = " ".join(name.spelling for name in view.names_of(row.fact.subject))
    evidence = row.fact.evidence or ""
    said = (row.fact.words or "",) if _denies(evidence) else (row.text, evidence)
    texts = (*said, _sentence(row), names, " ".join(OWNER_WORDS))
    return frozenset(token for text in texts for token in content_tokens(text))


def _denies(evidence: str) -> bool:
    """Whether the sentence that a fact was read from denies something, which the fact does not state."""
    return not STATEMENT_NEGATORS.isdisjoint(split_words(evidence))


def _nearest(view: View, rows: Sequence[FactRow], wanted: frozenset[str]) -> tuple[FactRow, ...]:
    """The facts that share most words with a text, and not only the name of their subject."""
    shared = [(len(wanted & _tokens_of(view, row) - frozenset(content_tokens(row.subject_name))), row) for row in rows]
    ranked = sorted((each for each in shared if each[0]), key=lambda each: each[0], reverse=True)
    return tuple(row for _, row in ranked[:5])
