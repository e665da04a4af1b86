"""Node search by name, by words or by vector; each score comes from one of the three alone."""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from typing import Literal, NamedTuple

from recollect.embed.port import Vectors
from recollect.keep.graph.node_vectors import MAX_COMPARED, NodeVectorIndex, vector_key
from recollect.keep.graph.nodes import aliases_by_node, description_of
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.names import ANY_TYPE, Name, Types
from recollect.model.progress import batches
from recollect.store.entity_queries import described_nodes, names_like
from recollect.store.name_index import StoredNameIndex
from recollect.store.view import View
from recollect.text.fold import fold_name
from recollect.text.tokens import bigrams, unspaced_run, words

MatchedBy = Literal["vector", "label", "alias", "words"]

ALIAS_SCORE = 0.95
WORDS_SCORE = 0.9
_MAX_WITH_WORD = 2_000
_MAX_WITH_PREFIX = 200
_MAX_TERMS = 64
_BATCH_SIZE = 200


class NodeQuery(NamedTuple):
    """What is asked: a text, a vector or both, among the nodes of a type or all."""

    text: str | None
    vector: Vectors | None
    type: str | None
    floor: float
    limit: int


class NodeHit(NamedTuple):
    entity: Entity
    aliases: list[str]
    score: float
    matched_by: MatchedBy


def search_nodes(view: View, query: NodeQuery, vectors: NodeVectorIndex) -> list[NodeHit]:
    """The nodes that answer best: by score, then label, then id."""
    cosines = vectors.nearest(query.vector, max(query.floor, 0.0), MAX_COMPARED) if query.vector is not None else {}
    if query.vector is not None:
        fresh = {key: cosine for key, cosine in vectors.pending_cosines(query.vector).items() if cosine >= query.floor}
        cosines = dict(sorted((cosines | fresh).items(), key=lambda each: -each[1]))
    named = _name_candidates(view, query)
    found = {entity.id: entity for entity in _vector_candidates(view, cosines, query)} | named
    if query.vector is not None:
        missing = {vector_key(entity) for entity in named.values()} - cosines.keys()
        cosines |= vectors.cosines(query.vector, missing)
    aliases = aliases_by_node(view, found.values())
    terms = node_terms(query.text or "")
    hits = [_score_node(entity, aliases[entity.id], query, terms, cosines) for entity in found.values()]
    reaching = [hit for hit in hits if hit.score > 0 and hit.score >= query.floor]
    best = sorted(reaching, key=lambda hit: (-hit.score, hit.entity.name, hit.entity.id))[: query.limit]
    return [hit._replace(aliases=view.aliases(hit.entity)) if len(hit.aliases) > 1 else hit for hit in best]


def _score_node(
    entity: Entity, aliases: list[str], query: NodeQuery, terms: Collection[str], cosines: Mapping[str, float]
) -> NodeHit:
    score, matched_by = max(
        _name_score(entity, aliases, query.text),
        (_word_score(entity, aliases, terms), "words"),
        (max(0.0, min(1.0, cosines.get(vector_key(entity), 0.0))), "vector"),
        key=lambda each: each[0],
    )
    return NodeHit(entity, aliases, score, matched_by)


def _name_score(entity: Entity, aliases: Iterable[str], text: str | None) -> tuple[float, MatchedBy]:
    folded = fold_name(text or "")
    if folded and folded == entity.folded:
        return 1.0, "label"
    if folded and any(fold_name(alias) == folded for alias in aliases):
        return ALIAS_SCORE, "alias"
    return 0.0, "label"


def _word_score(entity: Entity, aliases: Iterable[str], terms: Collection[str]) -> float:
    if not terms:
        return 0.0
    held = set(node_terms(" ".join((entity.name, *aliases, description_of(entity) or ""))))
    return WORDS_SCORE * sum(term in held for term in terms) / len(terms)


def node_terms(text: str) -> list[str]:
    """The distinct words of a text; where a script has no spaces, each pair of neighbouring letters."""
    found = (bigrams(word) if unspaced_run().fullmatch(word) else (word,) for word in words(fold_name(text)))
    return list(dict.fromkeys(chain.from_iterable(found)))


def _vector_candidates(view: View, cosines: Mapping[str, float], query: NodeQuery) -> list[Entity]:
    """The nodes of the nearest vectors, as many as are asked for; what a node once meant does not count."""
    found: list[Entity] = []
    for part in batches(cosines, _BATCH_SIZE):
        entities = view.entities({EntityId(key.partition(":")[0]) for key in part})
        in_order = (entities.get(EntityId(key.partition(":")[0])) for key in part)
        for key, entity in zip(part, in_order, strict=True):
            if entity is not None and _is_wanted(entity, query) and vector_key(entity) == key:
                found.append(entity)
        if len(found) >= query.limit:
            break
    return found


def _is_wanted(entity: Entity, query: NodeQuery) -> bool:
    return entity.is_live and query.type in (None, entity.type)


def _name_candidates(view: View, query: NodeQuery) -> dict[EntityId, Entity]:
    """Live nodes that share a word with the text, or are called so."""
    if query.text is None:
        return {}
    terms = node_terms(query.text)[:_MAX_TERMS]
    found = {entity.id: entity for entity in described_nodes(view, query.type) if not _shares_no_term(entity, terms)}
    names = {name.entity for name in _matching_names(view, query, terms)} - found.keys()
    return found | {id_: each for id_, each in view.entities(names).items() if _is_wanted(each, query)}


def _shares_no_term(entity: Entity, terms: Collection[str]) -> bool:
    return set(node_terms(description_of(entity) or "")).isdisjoint(terms)


def _matching_names(view: View, query: NodeQuery, terms: Collection[str]) -> Iterable[Name]:
    index = StoredNameIndex(view)
    types = ANY_TYPE if query.type is None else Types(frozenset({query.type}), others=False)
    yield from (name for name in view.names_matching(fold_name(query.text or "")) if name.kind in ("name", "alias"))
    for term in terms:
        if unspaced_run().fullmatch(term):
            yield from names_like(view, term, _MAX_WITH_WORD)
        else:
            yield from index.with_word(term, types, _MAX_WITH_WORD)
            yield from index.with_word_start(term, types, _MAX_WITH_PREFIX)
