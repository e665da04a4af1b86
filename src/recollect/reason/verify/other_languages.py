"""Sentences that are not English: what they have besides the words of a claim may take it back.

English is analysed clause by clause. Of other languages we know the words of condition, doubt, hearsay and negation, of
most not even these; there a sentence speaks for a claim only where nothing unknown stands between its words.
"""

import re

from recollect.reading.denial import is_negative
from recollect.reading.hedges import find_hedge, opens_clause
from recollect.reading.language import common_words, detect_language, is_word_of
from recollect.reading.language_table import LANGUAGES, names_of_days_and_months
from recollect.text.content_words import content_token, split_words
from recollect.text.negation import has_contracted_not
from recollect.text.stop_words import STATEMENT_STOP_WORDS
from recollect.text.verbs import irregular_forms, is_finite_verb

_DOUBT = re.compile(
    r"\b(?:vielleicht|angeblich|wohl|möglicherweise|peut-être|sans doute|apparemment|quizás?|tal vez|acaso|forse|magari"
    r"|misschien|wellicht|talvez|porventura|kanske|möjligen|może|chyba|podobno)\b",
    re.IGNORECASE,
)
_FOREIGN = tuple(language for language in LANGUAGES if language != "en")
_LONGEST_AMBIGUOUS = 2
_VERB_AND_LINK = re.compile(r"[A-Z]\w*(?: [A-Z]\w*)* [a-z]{2,}s (?:as|an|at|by|on|a|in|with|for) ")
"""*Ada works as …*: a verb in -s after the name that begins a sentence."""
_APPOSITION = re.compile(r", an [a-zA-Z ]+, ")
_OF_LIKE_VERBS = frozenset(("de", "nl", "sv"))
_SHORTEST_VERB = 5
_MORE_WORDS = frozenset(
    "longer never every again still until since while being over both many much more most other another during between "
    "before after because although".split()
)


def is_unsure_abroad(sentence: str, claim: str, *, is_support: bool) -> bool:
    """Whether a sentence of another language has more than the words of a claim, and this may take the claim back.

    A sentence of a language that we do not know supports nothing but itself; a figure in it may still oppose a claim.
    """
    if _DOUBT.search(sentence) and not _DOUBT.search(claim):
        return True
    if is_english(sentence) or not (is_support or detect_language(sentence) in _FOREIGN):
        return False
    said, asked = sentence.lower().replace("’", "'"), claim.lower().replace("’", "'")
    language = detect_language(sentence)
    languages = _FOREIGN if language in ("", "en") else (language,)
    if any(_is_weaker(said, asked, each) for each in languages):
        return True
    if language in ("", "en"):
        return bool(set(split_words(said)) - set(split_words(asked)))
    return _is_interrupted(said, asked)


def is_english(sentence: str) -> bool:
    """Whether a word shows that a sentence is English: one of its small words, or a verb form."""
    words = re.findall(r"[^\W\d_]+", sentence)
    if (language := detect_language(sentence)) != "en":
        return language not in _OF_LIKE_VERBS and any(map(_is_only_english, words[1:]))
    is_linked = _VERB_AND_LINK.match(sentence) or _APPOSITION.search(sentence)
    if has_contracted_not(sentence) or (sentence.isascii() and is_linked):
        return True
    return any(_shows_english(word.lower(), is_first=at == 0) for at, word in enumerate(words) if word)


def _is_only_english(word: str) -> bool:
    """Whether a word is an English verb form, which outweighs small words of other languages: *began as a cook*."""
    return len(word) >= _SHORTEST_VERB and word in irregular_forms()


def _shows_english(word: str, *, is_first: bool) -> bool:
    is_small = (
        word in _MORE_WORDS or is_word_of(word, "en") or (word in STATEMENT_STOP_WORDS and word not in common_words())
    )
    is_own = is_small and len(word) > _LONGEST_AMBIGUOUS
    return is_own or (not is_first and (is_finite_verb(word) or word in ("is", "of", "to")))


def _is_weaker(said: str, asked: str, language: str) -> bool:
    if is_negative(said, language) and not is_negative(asked, language):
        return True
    if find_hedge(said, None, language) is not None and find_hedge(asked, None, language) is None:
        return True
    return opens_clause(said, language) and not opens_clause(asked, language)


def _is_interrupted(said: str, asked: str) -> bool:
    """Whether an unknown word stands between the words of a claim."""
    words, known = split_words(said), {content_token(word) for word in split_words(asked)}
    places = [at for at, word in enumerate(words) if content_token(word) in known and word not in STATEMENT_STOP_WORDS]
    if not places:
        return True
    harmless = common_words() | names_of_days_and_months()
    between = (word for word in words[places[0] : places[-1]] if content_token(word) not in known)
    return any(word not in harmless and not word.isdecimal() for word in between)
