"""The content words of a text as the full-text indexes hold them."""

from recollect.text.content_words import content_token, split_words
from recollect.text.stems import stem
from recollect.text.stop_words import STATEMENT_STOP_WORDS
from recollect.text.tokens import terms
from recollect.text.verbs import irregular_forms


def index_forms(text: str) -> dict[str, list[tuple[str, ...]]]:
    """Each content token of a text with the terms that stand for it in an index, in every way it may be written."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for word in split_words(text):
        if word not in STATEMENT_STOP_WORDS:
            token = content_token(word)
            found.setdefault(token, [(each,) for each in _spellings(token)]).append(tuple(terms(word)))
    return {token: [way for way in dict.fromkeys(ways) if way] for token, ways in found.items()}


def _spellings(token: str) -> list[str]:
    """The stems under which a token may be indexed, those of its irregular forms included."""
    others = (stem(form) for form, base in irregular_forms().items() if stem(base) == token)
    return list(dict.fromkeys((token, *others)))
