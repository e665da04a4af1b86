"""Facts by the words they say, by the names of their ends, and by meaning."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from recollect.model.fact import default_text
from recollect.model.ids import EntityId, FactId
from recollect.resolve.name_finder import NameSpan, find_names
from recollect.search.fusion_weights import DEFAULT_WEIGHTS
from recollect.search.index_terms import (
    MAX_READ,
    content_stems,
    index_forms,
    inverse_document_frequency,
    items_with_most_tokens,
    question_forms,
    split_by_rarity,
)
from recollect.store.fact_index import COUNT_LIMIT, FactIndex, unindexed_facts
from recollect.store.fact_rows import FactFilter, FactRow
from recollect.store.text_index import TermAlternatives
from recollect.store.view import View
from recollect.text.tokens import count_terms
from recollect.when.instant import MAX, MIN

if TYPE_CHECKING:
    from recollect.embed.port import Embedder, Vectors
    from recollect.search.relevance import RelevanceFloor
    from recollect.store.fact_vectors import FactVectors
    from recollect.store.vectors import VectorCache

RARE_POSTINGS = 1_000
"""A token that no more facts hold is looked up for all of them."""
MAX_NAMED = 10
MAX_BY_WORDS = 200
MAX_BY_NAME = 200
MAX_BY_MEANING = 40
TEXT_WEIGHT = 0.3
"""What the words of the whole question are worth beside one unit of cosine; see docs/models.md."""
MAX_WAITING = 24
"""So many of the facts found by name or words that have no vector yet are embedded to answer one question."""


class FactMatch(NamedTuple):
    """A fact and how much of the text it says, 0..1, rare words counting more."""

    row: FactRow
    score: float


def search_facts(view: View, text: str, limit: int) -> list[FactMatch]:
    """The facts that say most of what a text says, best first, the newest of those that tie."""
    index = FactIndex(view)
    tokens = list(index_forms(text).values())
    holding = [index.document_frequency(ways) for ways in tokens]
    weights = [inverse_document_frequency(count, COUNT_LIMIT) for count in holding]
    likely = _likely_facts(index, tokens, holding, RARE_POSTINGS, MAX_READ)
    seen = {each.fact.id: each for each in (*view.fact_rows(likely), *_facts_about_named(view, text))}
    unindexed = [each for each in unindexed_facts(view) if each not in seen]
    new = (FactMatch(each, _score(each, tokens, weights)) for each in view.fact_rows(unindexed))
    found = [FactMatch(each, _score(each, tokens, weights)) for each in seen.values()]
    found = [each for each in (*found, *(each for each in new if each.score)) if not each.row.fact.is_retracted]
    return sorted(found, key=lambda each: (-each.score, -each.row.fact.source_at, each.row.fact.id))[:limit]


def _likely_facts(
    index: FactIndex, tokens: Sequence[TermAlternatives], holding: Sequence[int], postings: int, most: int
) -> Collection[FactId]:
    """Facts with the rarest tokens, then the newest with as many of all tokens as any has."""
    rare, common = split_by_rarity(holding, postings)
    found: dict[FactId, None] = {}
    for at in rare:
        if len(found) < most:
            found |= dict.fromkeys(index.containing_all([tokens[at]], postings))
    if len(found) < most:
        found |= dict.fromkeys(
            items_with_most_tokens(index.containing_all, [tokens[at] for at in (*rare, *common)], most)
        )
    return found.keys()


def _facts_about_named(view: View, text: str) -> Iterator[FactRow]:
    """The index holds no names of ends, so that none goes out of date in it."""
    named = dict.fromkeys(entity for each in find_names(view, text) for entity in each.entities)
    for entity in list(named)[:MAX_NAMED]:
        yield from view.facts_about(entity, FactFilter(view.world.present, every=True, limit=MAX_READ))


def _score(row: FactRow, tokens: Sequence[TermAlternatives], weights: Sequence[float]) -> float:
    spoken = _matched_tokens(row, tokens, _terms_of(tokens))
    return round(sum(weights[at] for at in spoken) / (sum(weights) or 1.0), 6)


def _terms_of(tokens: Iterable[TermAlternatives]) -> frozenset[str]:
    return frozenset(term for ways in tokens for way in ways for term in way)


def _matched_tokens(row: FactRow, tokens: Sequence[TermAlternatives], terms: frozenset[str]) -> list[int]:
    """The places of the tokens, made of these terms, that a fact says, the names of its ends included."""
    plain = default_text(row.subject_name, row.fact.predicate, row.object_name or row.fact.literal)
    matched = count_terms(f"{row.text} {plain}", terms)
    return [at for at, ways in enumerate(tokens) if any(all(term in matched for term in way) for way in ways)]


class FactMeaning(NamedTuple):
    """The vector of a question and the vectors of facts to compare it with."""

    vector: "Vectors"
    vectors: "FactVectors"
    embedder: "Embedder"
    most_waiting: int = MAX_WAITING

    def cosines(self, rows: Iterable[FactRow], is_first: Callable[[FactRow], bool]) -> dict[str, float]:
        """The cosines of facts; of those that still wait for a vector, the first are embedded just for this."""
        by_id: dict[str, FactRow] = {row.fact.id: row for row in rows}
        found = self.vectors.cosines(self.vector, [row.fact.id for row in by_id.values()])
        waiting = sorted((row for id_, row in by_id.items() if id_ not in found), key=lambda row: not is_first(row))
        return found | self._embed(waiting[: self.most_waiting])

    def _embed(self, rows: Sequence[FactRow]) -> dict[str, float]:
        from recollect.embed.port import EmbeddingFailed
        from recollect.store.fact_vectors import embedded_text

        try:
            made = self.embedder.embed([embedded_text(row) for row in rows]) if rows else ()
        except EmbeddingFailed:
            return {}
        return {row.fact.id: float(self.vector @ vector) for row, vector in zip(rows, made, strict=True)}


def fact_meaning(
    view: View, matrices: "VectorCache", embedder: "Embedder | None", text: str, most_waiting: int = MAX_WAITING
) -> FactMeaning | None:
    """What compares a question with facts; none without an embedder, or if it does not answer."""
    from recollect.embed.port import EmbeddingFailed
    from recollect.search.passage_search import embed_query
    from recollect.store.fact_vectors import FactVectors

    try:
        query = embed_query(embedder, text)
    except EmbeddingFailed:
        return None
    if query is None or embedder is None:
        return None
    return FactMeaning(query.vector, FactVectors(view, matrices, embedder), embedder, most_waiting)


class FactQuestion(NamedTuple):
    """A question for facts. `entities` are meant without being named, such as the owner by "my".

    `about` leaves only facts with this entity at one end, `since` and `until` only those with a source of that time.
    """

    text: str
    entities: tuple[EntityId, ...] = ()
    about: EntityId | None = None
    since: int = MIN
    until: int = MAX
    names: Sequence[NameSpan] | None = None
    """Whom the text names, if the caller knows."""


class FactHit(NamedTuple):
    """A fact with what speaks for it: its share of the question's words, its cosine, and whether the question names
    one of its ends, or means it."""

    row: FactRow
    words: frozenset[str]
    name_words: frozenset[str]
    """Those of the words by which the question names one of its ends."""
    text: float
    cosine: float | None
    is_named: bool
    is_meant: bool
    covers_half: bool = False
    """Whether it says at least half of the question, words that nothing says included."""

    @property
    def score(self) -> float:
        """On the scale of passages."""
        lift = DEFAULT_WEIGHTS.name if self.is_named or self.is_meant else 0.0
        return max(0.0, self.cosine or 0.0) + TEXT_WEIGHT * self.text + lift


def find_facts(view: View, question: FactQuestion, meaning: FactMeaning | None) -> list[FactHit]:
    """The facts that share a word, a name or their meaning with a question, best first; none that is retracted."""
    index, forms = FactIndex(view), question_forms(question.text)
    holding = {token: index.document_frequency(ways) for token, ways in forms.items()}
    names = find_names(view, question.text) if question.names is None else question.names
    by_words = _likely_facts(index, list(forms.values()), list(holding.values()), MAX_BY_WORDS, MAX_BY_WORDS)
    rows = {row.fact.id: row for row in _candidates(view, question, by_words, names)}
    near = _near_facts(question, meaning)
    rows |= {row.fact.id: row for row in view.fact_rows([FactId(id_) for id_ in near if id_ not in rows])}
    allowed = {id_: row for id_, row in rows.items() if is_allowed(row, question)}
    if meaning is not None:
        meant = {*question.entities, *(entity for each in names for entity in each.entities)}
        others = (row for id_, row in allowed.items() if id_ not in near)
        near |= meaning.cosines(others, lambda row: not meant.isdisjoint((row.fact.subject, row.fact.object)))
    weights = {token: inverse_document_frequency(count, COUNT_LIMIT) for token, count in holding.items()}
    hits = _score_facts(question, forms, weights, names, allowed, near)
    return sorted(hits, key=lambda hit: (-round(hit.score, 6), -hit.row.fact.source_at, hit.row.fact.id))


def search_facts_by_meaning(
    view: View, question: FactQuestion, meaning: FactMeaning | None, limit: int, floor: "RelevanceFloor"
) -> list[FactHit]:
    """The facts that say at least half of a text, or whose cosine with it reaches the floor, best first."""
    hits = find_facts(view, question, meaning)
    return [hit for hit in hits if hit.covers_half or floor.is_near(hit.cosine)][:limit]


def _candidates(
    view: View, question: FactQuestion, by_words: Collection[FactId], names: Sequence[NameSpan]
) -> Iterator[FactRow]:
    yield from view.fact_rows({*by_words, *unindexed_facts(view)})
    named = (entity for each in names for entity in each.entities)
    entities = dict.fromkeys((question.about,) if question.about is not None else (*named, *question.entities))
    for entity in list(entities)[:MAX_NAMED]:
        yield from view.facts_about(entity, FactFilter(view.world.present, every=True, limit=MAX_BY_NAME))


def _near_facts(question: FactQuestion, meaning: FactMeaning | None) -> dict[str, float]:
    if meaning is None:
        return {}
    from recollect.store.fact_vectors import FactVectorFilter

    where = FactVectorFilter(question.since, question.until, question.about)
    return dict(meaning.vectors.nearest(meaning.vector, where, MAX_BY_MEANING))


def is_allowed(row: FactRow, question: FactQuestion) -> bool:
    fact = row.fact
    is_of = question.about is None or question.about in (fact.subject, fact.object)
    return is_of and question.since <= fact.source_at <= question.until and not fact.is_retracted and not fact.is_alias


def _score_facts(
    question: FactQuestion,
    forms: Mapping[str, TermAlternatives],
    weights: Mapping[str, float],
    names: Sequence[NameSpan],
    rows: Mapping[FactId, FactRow],
    cosines: Mapping[str, float],
) -> Iterator[FactHit]:
    """Each fact with its signals. Words that no candidate holds count as missing: facts are short, and if they weighed
    nothing, one word in common by chance would be all of the question."""
    named, terms = tokens_by_entity(question.text, names), _terms_of(forms.values())
    matched = {id_: _words_of(row, forms, terms, named) for id_, row in rows.items()}
    total = sum(weights.values()) or 1.0
    for id_, row in rows.items():
        ends = {row.fact.subject, row.fact.object}
        weight = sum(weights[each] for each in matched[id_])
        is_named, is_meant = not ends.isdisjoint(named), not ends.isdisjoint(question.entities)
        own = matched[id_] & frozenset[str]().union(*(named.get(end, frozenset()) for end in ends))
        share, cosine, covers_half = weight / total, cosines.get(id_), 0 < total / 2 <= weight
        yield FactHit(row, matched[id_], own, share, cosine, is_named, is_meant, covers_half)


def tokens_by_entity(text: str, names: Sequence[NameSpan]) -> dict[EntityId | None, frozenset[str]]:
    """By entity, the tokens of the question that name it, so that an alias counts as the name."""
    found: dict[EntityId | None, frozenset[str]] = {}
    for each in names:
        tokens = content_stems(text[each.start : each.stop])
        for entity in each.entities:
            found[entity] = found.get(entity, frozenset()) | tokens
    return found


def _words_of(
    row: FactRow,
    forms: Mapping[str, TermAlternatives],
    terms: frozenset[str],
    named: Mapping[EntityId | None, frozenset[str]],
) -> frozenset[str]:
    tokens = list(forms)
    matched = frozenset(tokens[at] for at in _matched_tokens(row, list(forms.values()), terms))
    by_name = named.get(row.fact.subject, frozenset()) | named.get(row.fact.object, frozenset())
    return matched | (by_name & forms.keys())
