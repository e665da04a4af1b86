"""Suggestions for a text that resolved to nothing, and names that contain it; for listings, never for choosing."""

from collections.abc import Iterator, Sequence

from rapidfuzz.distance import OSA

from recollect.model.names import ANY_TYPE, Name, Types
from recollect.resolve.port import MOST_CANDIDATES, NameCandidate, NameIndex, NameQuery, best_per_entity
from recollect.resolve.typos import near_tokens
from recollect.text.lexicon import ARTICLES
from recollect.text.tokens import name_tokens

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
        NameCandidate(name, _similarity(query, name))
        for name in _names_sharing_words(index, query, types, max(limit, _ROWS_EACH))
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


def _names_sharing_words(index: NameIndex, query: NameQuery, types: Types, rows: int) -> Iterator[Name]:
    words = tuple(sorted(set(query.tokens), key=lambda word: (-len(word), word)))[:_MOST_WORDS]
    if not words:
        return
    yield from index.starting_with(query.key, query.digits, types, rows)
    for near in near_tokens(index, words):
        for word in sorted(near, key=lambda word: (near[word], word))[:_MOST_NEAR]:
            yield from index.with_word(word, types, rows)


def _similarity(query: NameQuery, name: Name) -> float:
    in_order = OSA.normalized_similarity(query.folded, name.folded)
    in_any_order = OSA.normalized_similarity(" ".join(sorted(query.tokens)), " ".join(sorted(name_tokens(name.folded))))
    return round(max(in_order, in_any_order), 4)


BEGINNING_SCORE = 0.8

_SHORTEST_START = 3
_MOST_PARTIAL_WORDS = 4
_MOST_ROWS = 1000


def partial_matches(index: NameIndex, text: str, types: Types = ANY_TYPE) -> tuple[NameCandidate, ...]:
    """Entities with every word of the text in one name; the more of the name, the better."""
    words = _words(NameQuery(text).tokens)
    return best_per_entity(_names_with_all_words(words, _names_with_rarest_word(index, words, types)))


def prefix_matches(index: NameIndex, text: str) -> tuple[NameCandidate, ...]:
    """Entities whose name, or a token of it, begins with the text; all score alike."""
    query = NameQuery(text)
    rows = index.with_word_start(query.tokens[0], ANY_TYPE, _MOST_ROWS) if query.tokens else ()
    return best_per_entity(NameCandidate(name, BEGINNING_SCORE) for name in rows if _is_prefix_of(query.folded, name))


def _is_prefix_of(folded: str, name: Name) -> bool:
    return any(part.startswith(folded) for part in (name.folded, *name_tokens(name.folded)))


def _words(found: tuple[str, ...]) -> frozenset[str]:
    start = next((place for place, word in enumerate(found) if word not in ARTICLES), 0)
    return frozenset(found[start:])


def _names_with_rarest_word(index: NameIndex, words: frozenset[str], types: Types) -> Sequence[Name]:
    """Names that hold one of the words: the longest that is rare enough to read them all."""
    rows: Sequence[Name] = ()
    for word in sorted(words, key=lambda word: (-len(word), word))[:_MOST_PARTIAL_WORDS]:
        probe = index.with_word_start if len(word) >= _SHORTEST_START else index.with_word
        rows = probe(word, types, _MOST_ROWS)
        if len(rows) < _MOST_ROWS:
            break
    return rows


def _names_with_all_words(words: frozenset[str], rows: Sequence[Name]) -> Iterator[NameCandidate]:
    for name in rows:
        own = name_tokens(name.folded)
        if all(any(_fits(word, token) for token in own) for word in words):
            yield NameCandidate(name, 0.6 + 0.3 * _coverage(words, name, own))


def _fits(word: str, token: str) -> bool:
    return word == token or (len(word) >= _SHORTEST_START and token.startswith(word))


def _coverage(words: frozenset[str], name: Name, own: tuple[str, ...]) -> float:
    """The part of the name's letters and digits that the words cover."""
    covered = sum(max((_weight(word) for word in words if _fits(word, token)), default=0) for token in own)
    return covered / max(_weight(name.folded), 1)


def _weight(text: str) -> int:
    return sum(map(str.isalnum, text))
