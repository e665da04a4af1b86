"""Queries of search: passages and their documents, documents by how they are filed, names by their parts."""

from collections.abc import Collection, Iterator, Sequence
from itertools import starmap
from typing import NamedTuple

from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.names import Name
from recollect.store.passage_filter import ANY_TIME, ArtifactFilter, PassageFilter
from recollect.store.view import View

LAST_CHARACTER = "\U0010ffff"
MAX_TAG_COUNT = 1_000


class PassagePlace(NamedTuple):
    """A passage and its place in a document."""

    number: int
    document: DocumentId
    start: int
    stop: int


def passages_of(view: View, documents: Collection[DocumentId]) -> list[PassagePlace]:
    return view.fetch(PassagePlace, "passages_of", documents=sorted(documents)) if documents else []


def passage_lengths(view: View, documents: Collection[DocumentId]) -> dict[int, int]:
    """The lengths of the passages of documents, by number."""
    return {each.number: each.stop - each.start for each in passages_of(view, documents)}


def passage_places(view: View, numbers: Collection[int], where: PassageFilter) -> list[PassagePlace]:
    """Those of the passages that the filter allows."""
    return view.fetch(PassagePlace, "chunk_owners", numbers=sorted(numbers), **where.parameters()) if numbers else []


class DocumentPage(NamedTuple):
    """A page of documents in their order, and how many there are in all."""

    documents: list[DocumentId]
    total: int


def filed_documents(
    view: View, where: ArtifactFilter, among: Collection[DocumentId] | None, limit: int, offset: int
) -> DocumentPage:
    """By the index that fits; the rest of the filter is checked on what that gives."""
    parameters = {**where.parameters(), "limit": limit, "offset": offset}
    if among is not None:
        rows = view.rows("artifacts_among", documents=sorted(among), **parameters)
    elif where.tags:
        rows = view.rows("artifacts_tagged", rarest=_rarest_tag(view, where), **parameters)
    else:
        rows = view.rows(_filed_query(where), **parameters)
    return DocumentPage([row[0] for row in rows], int(rows[0][1]) if rows else 0)


def _filed_query(where: ArtifactFilter) -> str:
    if where.folio is not None:
        return "artifacts_in_folio"
    if where.source is not None:
        return "artifacts_from"
    if where.recorded != ANY_TIME:
        return "artifacts_recorded"
    return "artifacts_of_kinds" if where.kinds else "artifacts_dated"


def unordered_filed_documents(view: View, where: ArtifactFilter, limit: int) -> list[DocumentId] | None:
    """Some of the documents that are wanted, in no order; none where no index tells them apart."""
    parameters = {**where.parameters(), "limit": limit}
    if where.tags:
        rows = view.rows("few_tagged", rarest=_rarest_tag(view, where), **parameters)
    elif (query := _few_query(where)) is not None:
        rows = view.rows(query, **parameters)
    else:
        return None
    return [row[0] for row in rows]


def _few_query(where: ArtifactFilter) -> str | None:
    if where.folio is not None:
        return "few_in_folio"
    if where.source is not None:
        return "few_from"
    if where.dated != ANY_TIME:
        return "few_dated"
    return "few_of_kinds" if where.kinds else None


def _rarest_tag(view: View, where: ArtifactFilter) -> str:
    return min(sorted(where.tags), key=lambda tag: _count_uses(view, tag))


def _count_uses(view: View, tag: str) -> int:
    return view.fetch_number("tag_counted", tag=tag, limit=MAX_TAG_COUNT)


def tokens_containing(view: View, text: str, suffix_key: str, limit: int) -> list[str]:
    """Tokens of names with the text inside, found by a suffix that begins with the key."""
    parameters = {"text": text, "lo": suffix_key, "hi": suffix_key + LAST_CHARACTER, "limit": limit}
    return view.fetch_values("tokens_with_part", **parameters)


def names_with_tokens(view: View, tokens: Sequence[str], limit: int) -> Iterator[Name]:
    return starmap(Name, view.rows("names_with_words", tokens=tokens, limit=limit) if tokens else ())


def names_like(view: View, text: str, limit: int) -> Iterator[Name]:
    """Names with the text inside; every name is read. Characters with a meaning in patterns match any character."""
    loose = "".join("_" if letter in "%_\\" else letter for letter in text)
    return starmap(Name, view.rows("names_containing", part=f"%{loose}%", limit=limit))


def names_of_entities(view: View, entities: Collection[EntityId]) -> list[Name]:
    return list(starmap(Name, view.rows("names_of_entities", entities=sorted(entities)) if entities else ()))


def documents_naming(view: View, entities: Collection[EntityId]) -> set[DocumentId]:
    """Documents that mention one of the entities or are a source of one of its facts."""
    return set(view.fetch_values("documents_naming", entities=sorted(entities))) if entities else set()


def entities_in_documents(view: View, documents: Collection[DocumentId]) -> list[tuple[DocumentId, EntityId]]:
    rows = view.rows("entities_in_documents", documents=sorted(documents)) if documents else ()
    return [(document, entity) for document, entity in rows]


def hashes_ended_between(view: View, low: int, high: int) -> list[str]:
    """The hashes of passages in a range of numbers that have ended."""
    return view.fetch_values("hashes_ended_between", low=low, high=high)


def facts_stated_in(view: View, documents: Collection[DocumentId]) -> dict[DocumentId, set[FactId]]:
    """By document, the facts that it has ever stated as far as the view knows, those since retracted included."""
    found: dict[DocumentId, set[FactId]] = {}
    for document, fact in view.rows("facts_stated_in", documents=sorted(documents)) if documents else ():
        found.setdefault(document, set()).add(fact)
    return found


def facts_hidden(view: View, facts: Collection[FactId]) -> set[FactId]:
    """Those of some facts that are hidden."""
    return set(view.fetch_values("facts_hidden", ids=sorted(facts))) if facts else set()


def facts_of_hidden_entities(view: View, facts: Collection[FactId], reason: str) -> set[FactId]:
    """Those of some facts that have an entity deleted for this reason as subject or object."""
    return set(view.fetch_values("facts_of_hidden_entities", ids=sorted(facts), reason=reason)) if facts else set()


def hidden_names_mentioned(
    view: View, documents: Collection[DocumentId], reason: str
) -> dict[DocumentId, tuple[str, ...]]:
    """By document, the names that entities deleted for this reason had and that it mentions."""
    found: dict[DocumentId, tuple[str, ...]] = {}
    parameters = {"documents": sorted(documents), "reason": reason}
    for document, name in view.rows("hidden_names_mentioned", **parameters) if documents else ():
        found[document] = (*found.get(document, ()), name)
    return found
