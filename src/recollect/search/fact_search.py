"""Facts by the words they say, where no name leads to them."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from recollect.model.fact import default_text
from recollect.model.ids import FactId
from recollect.resolve.name_finder import find_names
from recollect.search.bm25 import inverse_document_frequency
from recollect.search.content_words import index_forms
from recollect.search.rare_terms import MAX_READ, items_holding_most, split_by_rarity
from recollect.store.fact_index import COUNT_LIMIT, FactIndex, unindexed_facts
from recollect.store.fact_rows import FactFilter, FactRow
from recollect.store.text_index import TermAlternatives
from recollect.store.view import View
from recollect.text.tokens import count_terms

RARE_POSTINGS = 1_000
"""A token that no more facts hold is looked up for all of them."""
MAX_NAMED = 10


class FactMatch(NamedTuple):
    """A fact and how much of the text it says, 0..1, rare words counting more."""

    seen: FactRow
    score: float


def search_facts(view: View, text: str, limit: int) -> list[FactMatch]:
    """The facts that say most of what a text says, best first, the newest of those that tie."""
    index = FactIndex(view)
    tokens = list(index_forms(text).values())
    holding = [index.holding(ways) for ways in tokens]
    weights = [inverse_document_frequency(count, COUNT_LIMIT) for count in holding]
    seen = {
        each.fact.id: each
        for each in (*view.fact_rows(_likely_facts(index, tokens, holding)), *_facts_about_named(view, text))
    }
    unindexed = [each for each in unindexed_facts(view) if each not in seen]
    new = (FactMatch(each, _score(each, tokens, weights)) for each in view.fact_rows(unindexed))
    found = [FactMatch(each, _score(each, tokens, weights)) for each in seen.values()]
    found = [each for each in (*found, *(each for each in new if each.score)) if not each.seen.fact.is_retracted]
    return sorted(found, key=lambda each: (-each.score, -each.seen.fact.source_at, each.seen.fact.id))[:limit]


def _likely_facts(index: FactIndex, tokens: Sequence[TermAlternatives], holding: Sequence[int]) -> Collection[FactId]:
    """Facts with the rarest tokens, then the newest with as many of all tokens as any has."""
    rare, common = split_by_rarity(holding, RARE_POSTINGS)
    found: dict[FactId, None] = {}
    for at in rare:
        if len(found) < MAX_READ:
            found |= dict.fromkeys(index.holding_all([tokens[at]], RARE_POSTINGS))
    if len(found) < MAX_READ:
        found |= dict.fromkeys(items_holding_most(index.holding_all, [tokens[at] for at in (*rare, *common)], MAX_READ))
    return found.keys()


def _facts_about_named(view: View, text: str) -> Iterator[FactRow]:
    """The index holds no names of ends, so that none goes out of date in it."""
    named = dict.fromkeys(entity for each in find_names(view, text) for entity in each.entities)
    for entity in list(named)[:MAX_NAMED]:
        yield from view.facts_about(entity, FactFilter(view.world.now.span, every=True, limit=MAX_READ))


def _score(seen: FactRow, tokens: Sequence[TermAlternatives], weights: Sequence[float]) -> float:
    plain = default_text(seen.subject_name, seen.fact.predicate, seen.object_name or seen.fact.literal)
    held = count_terms(f"{seen.text} {plain}", {term for ways in tokens for way in ways for term in way})
    spoken = [at for at, ways in enumerate(tokens) if any(all(term in held for term in way) for way in ways)]
    return round(sum(weights[at] for at in spoken) / (sum(weights) or 1.0), 6)
