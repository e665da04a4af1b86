"""Entities whose name contains the text; for listings, never for choosing one."""

from collections.abc import Iterator, Sequence

from recollect.model.names import ANY_TYPE, Name, Types, tokens
from recollect.resolve.candidates import NameCandidate, best_per_entity
from recollect.resolve.port import NameIndex
from recollect.resolve.query import NameQuery

BEGINNING_SCORE = 0.8

_ARTICLES = frozenset({"the", "a", "an"})
_SHORTEST_START = 3
_MOST_WORDS = 4
_MOST_ROWS = 1000


def partial_matches(index: NameIndex, text: str, types: Types = ANY_TYPE) -> tuple[NameCandidate, ...]:
    """Entities with every word of the text in one name; the more of the name, the better."""
    words = _words(NameQuery(text).tokens)
    return best_per_entity(_names_with_all_words(words, _names_with_rarest_word(index, words, types)))


def prefix_matches(index: NameIndex, text: str, types: Types = ANY_TYPE) -> tuple[NameCandidate, ...]:
    """Entities whose name, or a token of it, begins with the text; all score alike."""
    query = NameQuery(text)
    rows = index.with_word_start(query.tokens[0], types, _MOST_ROWS) if query.tokens else ()
    return best_per_entity(NameCandidate(name, BEGINNING_SCORE) for name in rows if _is_prefix_of(query.folded, name))


def _is_prefix_of(folded: str, name: Name) -> bool:
    return any(part.startswith(folded) for part in (name.folded, *tokens(name.folded)))


def _words(found: tuple[str, ...]) -> frozenset[str]:
    start = next((place for place, word in enumerate(found) if word not in _ARTICLES), 0)
    return frozenset(found[start:])


def _names_with_rarest_word(index: NameIndex, words: frozenset[str], types: Types) -> Sequence[Name]:
    """Names that hold one of the words: the longest that is rare enough to read them all."""
    rows: Sequence[Name] = ()
    for word in sorted(words, key=lambda word: (-len(word), word))[:_MOST_WORDS]:
        probe = index.with_word_start if len(word) >= _SHORTEST_START else index.with_word
        rows = probe(word, types, _MOST_ROWS)
        if len(rows) < _MOST_ROWS:
            break
    return rows


def _names_with_all_words(words: frozenset[str], rows: Sequence[Name]) -> Iterator[NameCandidate]:
    for name in rows:
        own = tokens(name.folded)
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
