"""Facts by what they say, where no name leads to them."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from recollect.model.fact import default_text
from recollect.model.ids import FactId
from recollect.resolve.spot import spot
from recollect.search.bm25 import rarity
from recollect.search.content_words import ways_to_stand
from recollect.store.fact_words import COUNTED, FactWords, unindexed_facts
from recollect.store.seen import Seen, Wanted
from recollect.store.view import View
from recollect.store.words import Ways, counted_among

RARE = 1_000
"""A token that no more facts hold is looked up for all of them."""
READ = 400
"""So many facts are read for the rest of the tokens."""
MOST_NAMED = 10


class FactFound(NamedTuple):
    """A fact and how much of the text it says, 0..1, rare words counting more."""

    seen: Seen
    score: float


def facts_by_words(view: View, text: str, limit: int) -> list[FactFound]:
    """The facts that say most of what a text says, best first, the newest of those that tie."""
    index = FactWords(view)
    tokens = list(ways_to_stand(text).values())
    holding = [index.holding(ways) for ways in tokens]
    weights = [rarity(count, COUNTED) for count in holding]
    seen = {each.fact.id: each for each in (*view.seen(_likely(index, tokens, holding)), *_about_named(view, text))}
    unindexed = [each for each in unindexed_facts(view) if each not in seen]
    new = (FactFound(each, _score(each, tokens, weights)) for each in view.seen(unindexed))
    found = [FactFound(each, _score(each, tokens, weights)) for each in seen.values()]
    found = [each for each in (*found, *(each for each in new if each.score)) if not each.seen.fact.is_retracted]
    return sorted(found, key=lambda each: (-each.score, -each.seen.fact.source_at, each.seen.fact.id))[:limit]


def _likely(index: FactWords, tokens: Sequence[Ways], holding: Sequence[int]) -> Collection[FactId]:
    """Facts with the rarest tokens, then the newest with as many of all tokens as any has."""
    rarest_first = sorted((at for at, count in enumerate(holding) if count), key=lambda at: (holding[at], at))
    found: dict[FactId, None] = {}
    for at in rarest_first:
        if holding[at] <= RARE and len(found) < READ:
            found |= dict.fromkeys(index.holding_all([tokens[at]], RARE))
    for count in range(len(rarest_first), 0, -1):
        if len(found) >= READ:
            break
        found |= dict.fromkeys(index.holding_all([tokens[at] for at in rarest_first[:count]], READ))
    return found.keys()


def _about_named(view: View, text: str) -> Iterator[Seen]:
    """The index holds no names of ends, so that none goes out of date in it."""
    named = dict.fromkeys(entity for each in spot(view, text) for entity in each.entities)
    for entity in list(named)[:MOST_NAMED]:
        yield from view.facts_about(entity, Wanted(view.world.now.span, every=True, limit=READ))


def _score(seen: Seen, tokens: Sequence[Ways], weights: Sequence[float]) -> float:
    plain = default_text(seen.subject_name, seen.fact.predicate, seen.object_name or seen.fact.literal)
    held = counted_among(f"{seen.text} {plain}", {term for ways in tokens for way in ways for term in way})
    spoken = [at for at, ways in enumerate(tokens) if any(all(term in held for term in way) for way in ways)]
    return round(sum(weights[at] for at in spoken) / (sum(weights) or 1.0), 6)
