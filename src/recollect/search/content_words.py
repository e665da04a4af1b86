"""The words of a text that carry its content: folded, without stop words, each by its stem."""

import re
from functools import cache

from recollect.model.names import fold
from recollect.model.scripts import LETTER
from recollect.store.text_index import stem, terms
from recollect.text.verbs import irregular_forms

STOP_WORDS = frozenset(
    """a an the and or but if then that this these those of in on at to for from by with as into about is are am was
    were be been being do does did has have had will would can could should may might must it its he she they them his
    her their we us our i me my you your there here very just also so such used""".split()
)
QUESTION_WORDS = frozenset("who what where when which how why".split())
_NUMBER = r"\d+(?:[.,]\d+)*"
_ASCII_WORD = re.compile(rf"[^\W\d_]+|{_NUMBER}")
_NEGATION = re.compile(r"n['’]t\b")


def split_words(text: str) -> list[str]:
    """Runs of letters and numbers, folded, negations written out."""
    plain = _NEGATION.sub(" not", fold(text)).replace("cannot", "can not")
    return (_ASCII_WORD if plain.isascii() else _any_word()).findall(plain)


@cache
def _any_word() -> re.Pattern[str]:
    return re.compile(rf"{LETTER}+|{_NUMBER}")


def token_of_word(word: str) -> str:
    """What stands for a word: the stem of its plain form."""
    return stem(irregular_forms().get(word, word))


def content_tokens(text: str) -> list[str]:
    """The tokens of a text in their order, stop words left out."""
    return [token_of_word(word) for word in split_words(text) if word not in STOP_WORDS]


def index_forms(text: str) -> dict[str, list[tuple[str, ...]]]:
    """Each content token of a text with the terms that stand for it in an index, in every way it may be written."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for word in split_words(text):
        if word not in STOP_WORDS:
            token = token_of_word(word)
            found.setdefault(token, [(each,) for each in _spellings(token)]).append(tuple(terms(word)))
    return {token: [way for way in dict.fromkeys(ways) if way] for token, ways in found.items()}


def _spellings(token: str) -> list[str]:
    """The stems under which a token may stand in an index of plain stems."""
    others = (stem(form) for form, base in irregular_forms().items() if stem(base) == token)
    return list(dict.fromkeys((token, *others)))
