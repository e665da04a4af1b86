"""The documents that share most words with a text, where nothing embeds."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from recollect.model.ids import DocumentId
from recollect.search.content_words import ways_to_stand
from recollect.search.near import SAME, Near, cut
from recollect.search.port import Index
from recollect.search.rare_first import RARE, READ, holding_most
from recollect.store.found import LARGE, Filter
from recollect.store.view import View
from recollect.store.words import Ways, counted_among

RECOUNTED = 100
Holders = Sequence[Collection[int]]
"""By token the passages that hold it."""


def by_words(view: View, index: Index, text: str, where: Filter, limit: int) -> list[Near]:
    """The documents that hold most of the content tokens of the text, and all that tie with the last of them.

    In a large store those that hold its rare tokens are looked at, else the newest that hold most of the common ones.
    """
    tokens = list(ways_to_stand(text).values())
    is_large = index.population(where).chunks > LARGE
    holders = _likely(index, tokens, where) if is_large else [_holding(index, ways, where) for ways in tokens]
    found = _documents(view, holders, where)
    if is_large:
        found = _recounted(view, index, found[:RECOUNTED], tokens, where)
    return cut(found, limit)


def _documents(view: View, holders: Holders, where: Filter) -> list[Near]:
    """The documents of passages by the share of all tokens that they hold, most first."""
    numbers = set().union(*holders)
    rows = view.rows("chunk_owners", numbers=sorted(numbers), **where.parameters()) if numbers else []
    holding: dict[DocumentId, set[int]] = {}
    places: dict[DocumentId, tuple[int, int]] = {}
    for number, document, start, stop in rows:
        held = holding.setdefault(document, set())
        held.update(at for at, chunks in enumerate(holders) if number in chunks)
        places.setdefault(document, (start, stop))
    found = [Near(each, round(len(held) / len(holders), SAME), *places[each]) for each, held in holding.items()]
    return sorted(found, key=lambda each: -each.score)


def _holding(index: Index, ways: Ways, where: Filter) -> set[int]:
    """All passages that hold a token."""
    return set().union(*(_holding_way(index, way, where) for way in ways))


def _holding_way(index: Index, way: Sequence[str], where: Filter) -> set[int]:
    return set.intersection(*({each.chunk for each in index.postings(term, where)} for term in way))


def _likely(index: Index, tokens: Sequence[Ways], where: Filter) -> Holders:
    """Among the passages with rare tokens and the newest with most of the common ones, those that hold most."""
    holding = [index.holding(ways) for ways in tokens]
    rare = [at for at, count in enumerate(holding) if 0 < count <= RARE]
    common = sorted((at for at, count in enumerate(holding) if count > RARE), key=lambda at: (holding[at], at))
    holders: dict[int, set[int]] = {at: set(index.holding_all([tokens[at]], where, RARE)) for at in rare}
    pool = set().union(*holders.values())
    any_rare = [way for at in rare for way in tokens[at]]
    for at in common:
        holders[at] = set(index.holding_ever([tokens[at], any_rare], RARE * len(rare))) & pool if pool else set()
    for number, count in holding_most(index, [tokens[at] for at in common], where, READ).items():
        for at in common[:count]:
            holders[at].add(number)
    best = _most_held(holders)
    return [holders.get(at, set()) & best for at in range(len(tokens))]


def _most_held(holders: Mapping[int, set[int]]) -> set[int]:
    counts = Counter(number for each in holders.values() for number in each)
    return set(sorted(counts, key=lambda number: (-counts[number], -number))[:READ])


def _recounted(view: View, index: Index, found: Sequence[Near], tokens: Sequence[Ways], where: Filter) -> list[Near]:
    """The same documents by all of their passages, as these read."""
    terms = {term for ways in tokens for way in ways for term in way}
    owners = {row[0]: row[1] for row in view.rows("passages_of", documents=sorted(each.document for each in found))}
    held: dict[DocumentId, set[int]] = {}
    for number, chunk in index.chunks(owners.keys(), where).items():
        words = counted_among(chunk.text, terms)
        here = {at for at, ways in enumerate(tokens) if any(all(term in words for term in way) for way in ways)}
        held.setdefault(owners[number], set()).update(here)
    again = [each._replace(score=round(len(held.get(each.document, ())) / len(tokens), SAME)) for each in found]
    return sorted(again, key=lambda each: -each.score)
