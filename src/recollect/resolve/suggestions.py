"""Suggestions for a text that resolved to nothing."""

from collections.abc import Iterator

from rapidfuzz.distance import OSA

from recollect.model.names import ANY_TYPE, Name, Types, tokens
from recollect.resolve.candidates import MOST_CANDIDATES, NameCandidate, best_per_entity
from recollect.resolve.port import NameIndex
from recollect.resolve.query import NameQuery
from recollect.resolve.typos import near_tokens

_MOST_WORDS = 12
_MOST_NEAR = 8
_ROWS_EACH = 32
_LEAST_LETTERS = 3
_MOST_BY_LETTER = 2_000


def suggest(
    index: NameIndex, text: str, types: Types = ANY_TYPE, limit: int = MOST_CANDIDATES
) -> tuple[NameCandidate, ...]:
    """Entities that share a word with the text, a mistyped one, or its start; likest first."""
    query = NameQuery(text)
    found = best_per_entity(
        NameCandidate(name, _similarity(query, name)) for name in _names_sharing_words(index, query, types)
    )
    return found[:limit]


def spelled_with(index: NameIndex, text: str, limit: int = MOST_CANDIDATES) -> tuple[NameCandidate, ...]:
    """Entities whose name has the letters of the text in order, from the start of a word on; closest together first."""
    letters = NameQuery(text).folded.replace(" ", "")
    if len(letters) < _LEAST_LETTERS:
        return ()
    rows = index.with_word_start(letters[0], ANY_TYPE, _MOST_BY_LETTER)
    gaps = ((name, _letter_gaps(letters, name.folded)) for name in rows)
    return best_per_entity(NameCandidate(name, 1 / (1 + gap)) for name, gap in gaps if gap is not None)[:limit]


def _letter_gaps(letters: str, text: str) -> int | None:
    """How many letters of a text lie between those looked for; none if it lacks one."""
    place, gaps = -1, 0
    for letter in letters:
        found = text.find(letter, place + 1)
        if found < 0:
            return None
        gaps += found - place - 1
        place = found
    return gaps


def _names_sharing_words(index: NameIndex, query: NameQuery, types: Types) -> Iterator[Name]:
    words = tuple(sorted(set(query.tokens), key=lambda word: (-len(word), word)))[:_MOST_WORDS]
    if not words:
        return
    yield from index.starting_with(query.key, query.digits, types, _ROWS_EACH)
    for near in near_tokens(index, words):
        for word in sorted(near, key=lambda word: (near[word], word))[:_MOST_NEAR]:
            yield from index.with_word(word, types, _ROWS_EACH)


def _similarity(query: NameQuery, name: Name) -> float:
    in_order = OSA.normalized_similarity(query.folded, name.folded)
    in_any_order = OSA.normalized_similarity(" ".join(sorted(query.tokens)), " ".join(sorted(tokens(name.folded))))
    return round(max(in_order, in_any_order), 4)
