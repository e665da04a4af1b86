"""The content words of a text as the full-text indexes hold them."""

from collections.abc import Iterable
from functools import cache

from recollect.text.content_words import content_token, split_words
from recollect.text.stems import stem
from recollect.text.stop_words import DROPPED_NEGATORS, LIGHT_WORDS, SEARCH_STOP_WORDS, STATEMENT_STOP_WORDS
from recollect.text.tokens import terms
from recollect.text.verbs import irregular_forms

_VERB_OF_AGENT = {
    "tracker": "track", "planner": "plan", "linter": "lint", "formatter": "format", "bundler": "bundle",
    "scheduler": "schedule", "supplier": "supply", "provider": "provide", "owner": "own",
}  # fmt: skip


def index_forms(text: str) -> dict[str, list[tuple[str, ...]]]:
    """Each content token of a text with the terms that stand for it in an index, in every way it may be written."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for word in split_words(text):
        if word not in STATEMENT_STOP_WORDS:
            token = _token(word)
            found.setdefault(token, [(each,) for each in _spellings(token)]).append(tuple(terms(word)))
    return {token: [way for way in dict.fromkeys(ways) if way] for token, ways in found.items()}


def question_forms(text: str) -> dict[str, list[tuple[str, ...]]]:
    """The content tokens of a question as `index_forms` gives them; all of its tokens if every word is a stop word."""
    words = [word for word in split_words(text) if word not in SEARCH_STOP_WORDS]
    return index_forms(" ".join(words)) or index_forms(text)


def salient_tokens(tokens: Iterable[str]) -> frozenset[str]:
    """Those of the content tokens that tell what a text is about; all of them if none does."""
    found = frozenset(tokens)
    return found - light_tokens() or found


def content_stems(text: str) -> frozenset[str]:
    """The content tokens of a text, without stop words."""
    words = (word for word in split_words(text) if word not in SEARCH_STOP_WORDS)
    return frozenset(map(_token, words))


def statement_stems(text: str) -> frozenset[str]:
    """The content stems of a text, and the words by which it denies something."""
    return content_stems(text) | DROPPED_NEGATORS.intersection(split_words(text))


@cache
def light_tokens() -> frozenset[str]:
    """The tokens of words that tell nothing about the subject of a text."""
    return frozenset(map(content_token, LIGHT_WORDS))


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
