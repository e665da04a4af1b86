"""What to offer when a text resolved to nothing."""

from collections.abc import Iterator

from rapidfuzz.distance import OSA

from recollect.model.names import ANY_TYPE, Name, Types, tokens
from recollect.resolve.answer import MOST_CANDIDATES, Candidate, best_per_entity
from recollect.resolve.port import NameIndex
from recollect.resolve.query import Query
from recollect.resolve.typos import near_tokens

_MOST_WORDS = 12
_MOST_NEAR = 8
_ROWS_EACH = 32


def suggest(
    index: NameIndex, text: str, types: Types = ANY_TYPE, limit: int = MOST_CANDIDATES
) -> tuple[Candidate, ...]:
    """Entities that share a word with the text, a mistyped one, or its start; likest first."""
    query = Query(text)
    found = best_per_entity(Candidate(name, _likeness(query, name)) for name in _sharing(index, query, types))
    return found[:limit]


def _sharing(index: NameIndex, query: Query, types: Types) -> Iterator[Name]:
    words = tuple(sorted(set(query.tokens), key=lambda word: (-len(word), word)))[:_MOST_WORDS]
    if not words:
        return
    yield from index.starting_with(query.key, query.digits, types, _ROWS_EACH)
    for near in near_tokens(index, words):
        for word in sorted(near, key=lambda word: (near[word], word))[:_MOST_NEAR]:
            yield from index.with_word(word, types, _ROWS_EACH)


def _likeness(query: Query, name: Name) -> float:
    in_order = OSA.normalized_similarity(query.folded, name.folded)
    in_any_order = OSA.normalized_similarity(" ".join(sorted(query.tokens)), " ".join(sorted(tokens(name.folded))))
    return round(max(in_order, in_any_order), 4)
