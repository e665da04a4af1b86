"""The content words of a text as the full-text indexes hold them, and how rare they are."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from itertools import chain
from math import log
from typing import NamedTuple, TypeVar

from recollect.store.text_index import TermAlternatives
from recollect.text.content_words import content_token, split_words
from recollect.text.stems import stem
from recollect.text.stop_words import DROPPED_NEGATORS, LIGHT_WORDS, SEARCH_STOP_WORDS, STATEMENT_STOP_WORDS
from recollect.text.tokens import terms
from recollect.text.unspaced_words import content_parts
from recollect.text.verbs import irregular_forms

_VERB_OF_AGENT = {
    "tracker": "track", "planner": "plan", "linter": "lint", "formatter": "format", "bundler": "bundle",
    "scheduler": "schedule", "supplier": "supply", "provider": "provide", "owner": "own",
}  # fmt: skip
_PRESENT = frozenset("now currently nowadays presently actually".split())

Item = TypeVar("Item", bound=Hashable)
FindAll = Callable[[Sequence[TermAlternatives], int], Sequence[Item]]
"""The newest items that hold all of some tokens, up to a limit."""
MAX_READ = 400
"""So many items are read for their common terms."""
ENOUGH_TOGETHER = 100
"""From so many passages with several common words on, none are looked for that hold only one."""


class TermsByRarity(NamedTuple):
    """The places of tokens that no more than a limit of items hold, and of the others; each rarest first."""

    rare: list[int]
    common: list[int]


def index_forms(text: str) -> dict[str, list[tuple[str, ...]]]:
    """Each content token of a text with its terms in an index, in every spelling."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for word in _split_parts(text):
        if word not in STATEMENT_STOP_WORDS:
            token = _token(word)
            found.setdefault(token, [(each,) for each in _spellings(token)]).append(tuple(terms(word)))
    return {token: [way for way in dict.fromkeys(ways) if way] for token, ways in found.items()}


def question_forms(text: str) -> dict[str, list[tuple[str, ...]]]:
    """The content tokens of a question as `index_forms` gives them; all of its tokens if every word is a stop word."""
    words = [word for word in _split_parts(text) if word not in SEARCH_STOP_WORDS]
    return index_forms(" ".join(words)) or index_forms(text)


def salient_tokens(tokens: Iterable[str]) -> frozenset[str]:
    """Those of the content tokens that tell what a text is about; all of them if none does."""
    found = frozenset(tokens)
    return found - light_tokens() or found


def content_stems(text: str) -> frozenset[str]:
    """The content tokens of a text, without stop words."""
    return _stems(_split_parts(text))


def statement_stems(text: str) -> frozenset[str]:
    """The content stems of a text and its negators; without `now`, which every claim implies."""
    words = [word for word in split_words(text) if word not in _PRESENT]
    return _stems(words) | DROPPED_NEGATORS.intersection(words)


@cache
def light_tokens() -> frozenset[str]:
    """The tokens of words that say nothing about the subject of a text."""
    return frozenset(map(content_token, LIGHT_WORDS))


def _split_parts(text: str) -> list[str]:
    """The words of a text; in scripts without spaces, the parts that are compared."""
    return list(chain.from_iterable(map(content_parts, split_words(text))))


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(_token(word) for word in words if word not in SEARCH_STOP_WORDS)


def _token(word: str) -> str:
    """The token of a word; a tool or party that is named after what it does has the token of that verb."""
    return content_token(_VERB_OF_AGENT.get(word.removesuffix("s"), word))


def _spellings(token: str) -> tuple[str, ...]:
    """The stems under which a token may be indexed, those of its irregular forms included."""
    return tuple(dict.fromkeys((token, *_irregular_stems().get(token, ()))))


@cache
def _irregular_stems() -> dict[str, list[str]]:
    """By the stem of a verb, the stems of its irregular forms."""
    found: dict[str, list[str]] = {}
    for form, base in irregular_forms().items():
        found.setdefault(stem(base), []).append(stem(form))
    return found


def split_by_rarity(frequencies: Sequence[int], limit: int) -> TermsByRarity:
    """Tokens by how many items hold them; those that nothing holds are left out."""
    order = sorted((at for at, count in enumerate(frequencies) if count), key=lambda at: (frequencies[at], at))
    return TermsByRarity(
        [at for at in order if frequencies[at] <= limit], [at for at in order if frequencies[at] > limit]
    )


def items_with_most_tokens(
    find_all: FindAll[Item], tokens: Sequence[TermAlternatives], limit: int, enough: int | None = None
) -> dict[Item, int]:
    """The newest items with all tokens, then with all but the last one, and so on; with how many of them.

    With `enough`, those with the first token are first looked for with any other, and from so many on no further: all
    rows of a common token are many to read, and the newest few of them.
    """
    found: dict[Item, int] = {}
    for count in range(len(tokens), 1, -1):
        if len(found) >= limit:
            break
        for item in find_all(tokens[:count], limit):
            found.setdefault(item, count)
    with_first = [tokens[:1]] if enough is None or len(tokens) < 3 else [[tokens[0], _any_of(tokens[1:])], tokens[:1]]
    for some in with_first:
        if tokens and len(found) < (limit if enough is None else min(limit, enough)):
            for item in find_all(some, limit):
                found.setdefault(item, 1)
    return found


def _any_of(tokens: Sequence[TermAlternatives]) -> TermAlternatives:
    return [way for token in tokens for way in token]


def inverse_document_frequency(frequency: int, corpus_size: int) -> float:
    """The weight of a word by how many of all passages hold it; never negative."""
    return log(1 + (max(corpus_size, frequency) - frequency + 0.5) / (frequency + 0.5))
