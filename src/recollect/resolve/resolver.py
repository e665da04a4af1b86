"""The one resolver: id, exact, alias, fuzzy, embedding, and then nothing."""

from collections.abc import Iterator

from recollect.model import names
from recollect.model.entity import Entity
from recollect.model.ids import ENTITY_PREFIX, EntityId, is_id, read_id
from recollect.model.names import ANY_TYPE, PEOPLE, Name, Types
from recollect.resolve.port import (
    NOTHING,
    NameCandidate,
    NameIndex,
    NameQuery,
    Resolution,
    best_per_entity,
    decide,
    prefer_trusted,
)
from recollect.resolve.typos import typo_candidates
from recollect.store.view import View

EXACT_SCORE = 1.0
ALIAS_SCORE = 0.95
LEADING_SCORE = 0.90
SHORT_FORM_SCORE = 0.80
COSINE_FLOOR = 0.86

_MOST_ROWS = 64


def resolve(index: NameIndex, text: str, types: Types = ANY_TYPE, *, embeddings: bool = True) -> Resolution:
    """The entity a reader means, those it may be, or nothing; types limit every rung."""
    found = resolve_exact(index, text, types)
    if found.tied:
        return found
    query = NameQuery(text)
    if query.is_too_short or is_id(text, ENTITY_PREFIX):
        return found
    fuzzy = best_per_entity(prefer_trusted(_resolve_fuzzy(index, query, types)))
    near = _semantic_matches(index, query, types) if embeddings and not fuzzy else ()
    if (fuzzy or near) and _names_several(index, query):
        return NOTHING
    return decide("fuzzy", fuzzy) if fuzzy else decide("embedding", near)


def resolved_entity(view: View, found: Resolution) -> Entity | None:
    """The entity that a name resolved to; None for no or several candidates."""
    return None if found.entity is None else view.entity(found.entity)


def resolve_exact(index: NameIndex, text: str, types: Types = ANY_TYPE) -> Resolution:
    """The entity a writer means by this text: by id, name or alias, never by likeness."""
    if is_id(text, ENTITY_PREFIX):
        entity = index.by_id(EntityId(read_id(text, ENTITY_PREFIX)))
        if entity and types.admits(entity.type):
            return Resolution("id", (NameCandidate(entity, EXACT_SCORE),))
    folded = names.fold(text)
    rows = index.named(folded, types, _MOST_ROWS) if folded else ()
    exact = [NameCandidate(name, EXACT_SCORE) for name in rows if name.kind == "name"]
    if exact:
        return decide("exact", best_per_entity(exact))
    return decide("alias", best_per_entity(prefer_trusted(NameCandidate(name, ALIAS_SCORE) for name in rows)))


def fuzzy_candidates(index: NameIndex, text: str, types: Types = ANY_TYPE) -> tuple[NameCandidate, ...]:
    """Every entity the text names but for typing errors, best first; ties are not refused."""
    query = NameQuery(text)
    if query.is_too_short:
        return ()
    found = best_per_entity(prefer_trusted(typo_candidates(index, query, types)))
    return () if found and _names_several(index, query) else found


def semantic_candidates(index: NameIndex, text: str, types: Types = ANY_TYPE) -> tuple[NameCandidate, ...]:
    """Every entity whose name is near the text in meaning, best first; ties are not refused."""
    query = NameQuery(text)
    if query.is_too_short:
        return ()
    found = _semantic_matches(index, query, types)
    return () if found and _names_several(index, query) else found


def _resolve_fuzzy(index: NameIndex, query: NameQuery, types: Types) -> Iterator[NameCandidate]:
    for name in index.starting_with(query.key + " ", query.digits, types, _MOST_ROWS):
        yield NameCandidate(name, LEADING_SCORE)
    for name in _short_forms(index, query, types.within(PEOPLE)):
        yield NameCandidate(name, SHORT_FORM_SCORE)
    yield from typo_candidates(index, query, types)


def _short_forms(index: NameIndex, query: NameQuery, people: Types) -> Iterator[Name]:
    if len(query.tokens) == 1 and len(query.key) >= 3 and people.listed:
        yield from index.starting_with(query.key, query.digits, people, _MOST_ROWS)


def _semantic_matches(index: NameIndex, query: NameQuery, types: Types) -> tuple[NameCandidate, ...]:
    return best_per_entity(prefer_trusted(_semantic_candidates(index, query, types)))


def _semantic_candidates(index: NameIndex, query: NameQuery, types: Types) -> Iterator[NameCandidate]:
    rows = index.similar_names(names.clean(query.text), types.without(PEOPLE), COSINE_FLOOR, _MOST_ROWS)
    for name, cosine in rows or ():
        if names.digits(name.folded) == query.digits and not _cuts_a_token(query.key, name.key):
            yield NameCandidate(name, cosine)


def _cuts_a_token(part: str, key: str) -> bool:
    """Whether the part lies in the key, but never as whole tokens."""
    return part in key and f" {part} " not in f" {key} "


def _names_several(index: NameIndex, query: NameQuery) -> bool:
    """Whether the text is a list whose parts reach two entities, of whatever type."""
    parts = query.parts
    if len(parts) < 2:
        return False
    found = (resolve(index, part, embeddings=False).tied for part in parts)
    reached = [{candidate.entity for candidate in tied} for tied in found if tied]
    return len(reached) > 1 and len(set().union(*reached)) > 1
