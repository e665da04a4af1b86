"""The words of a text that carry its content: folded, without stop words, each by its stem."""

import re
from collections.abc import Mapping
from functools import cache

from recollect.model.names import fold
from recollect.model.scripts import LETTER
from recollect.store.words import stem, terms

STOP_WORDS = frozenset(
    """a an the and or but if then that this these those of in on at to for from by with as into about is are am was
    were be been being do does did has have had will would can could should may might must it its he she they them his
    her their we us our i me my you your there here very just also so such used""".split()
)
QUESTION_WORDS = frozenset("who what where when which how why".split())
_FORMS = (
    "left→leave led→lead ran→run wrote/written→write paid→pay sold→sell bought→buy chose/chosen→choose "
    "froze/frozen→freeze began/begun→begin kept→keep won→win lost→lose made→make said→say sent→send told→tell met→meet "
    "took/taken→take gave/given→give grew/grown→grow fell/fallen→fall rose/risen→rise built→build held→hold "
    "went/gone→go became→become got→get knew/known→know spoke/spoken→speak shrank/shrunk→shrink"
)
_NUMBER = r"\d+(?:[.,]\d+)*"
_ASCII_WORD = re.compile(rf"[^\W\d_]+|{_NUMBER}")
_NOT = re.compile(r"n['’]t\b")


@cache
def irregular() -> Mapping[str, str]:
    """Past forms and the words they belong to."""
    pairs = (each.split("→") for each in _FORMS.split())
    return {form: base for forms, base in pairs for form in forms.split("/")}


def words(text: str) -> list[str]:
    """Runs of letters and numbers, folded, negations written out."""
    plain = _NOT.sub(" not", fold(text)).replace("cannot", "can not")
    return (_ASCII_WORD if plain.isascii() else _any_word()).findall(plain)


@cache
def _any_word() -> re.Pattern[str]:
    return re.compile(rf"{LETTER}+|{_NUMBER}")


def token_of(word: str) -> str:
    """What stands for a word: the stem of its plain form."""
    return stem(irregular().get(word, word))


def content_tokens(text: str) -> list[str]:
    """The tokens of a text in their order, stop words left out."""
    return [token_of(word) for word in words(text) if word not in STOP_WORDS]


def ways_to_stand(text: str) -> dict[str, list[tuple[str, ...]]]:
    """Each content token of a text with the terms that stand for it in an index, in every way it may be written."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for word in words(text):
        if word not in STOP_WORDS:
            token = token_of(word)
            found.setdefault(token, [(each,) for each in _spellings(token)]).append(tuple(terms(word)))
    return {token: [way for way in dict.fromkeys(ways) if way] for token, ways in found.items()}


def _spellings(token: str) -> list[str]:
    """The stems under which a token may stand in an index of plain stems."""
    others = (stem(form) for form, base in irregular().items() if stem(base) == token)
    return list(dict.fromkeys((token, *others)))
