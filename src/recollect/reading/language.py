"""Which of the nine languages a text is written in, by its commonest words."""

import re
from collections import defaultdict
from functools import cache, lru_cache

from recollect.text.caching import cache_short

_COMMON_WORDS = {
    "en": "the and to of is in you i for it on we that with at be are this will not have my your can by from was but "
    "as if please thanks do me he she they our us when so just no an or has what ok yes",
    "de": "der die das und ist nicht ich wir sie zu den mit für auf ein eine im von bis dass wird werden haben habe am "
    "bitte noch auch aber wenn bei dem des es er uns mir euch kann hat sind war morgen danke kein keine nie "
    "niemand nichts tage tagen woche wochen",
    "fr": "le la les et est pas je nous vous de des un une pour que qui dans sur avec au aux du ne ce cette mais "
    "il elle on bonjour merci demain avant très sont été ai as avons te mon ton son notre votre aucun aucune "
    "jamais rien jours semaine semaines jusqu",
    "es": "el la los las y es no yo nosotros de del un una para que en con por se lo al pero si como mañana "
    "gracias antes está están hola muy ya te mi tu su nos ha he hemos ningún ninguna nadie nunca días semana "
    "semanas dentro",
    "pt": "o a os as e é não eu nós de do da um uma para que em com por se no na mas ao amanhã obrigado obrigada "
    "antes está estão olá já te meu minha seu sua nos foi vou vai vem até você nenhum nenhuma ninguém nunca dias "
    "semana semanas dentro",
    "it": "il lo la i gli le e è non io noi di del della un una per che in con su se ma al domani grazie prima "
    "sono ciao già ti mio mia suo sua ci ha ho abbiamo entro anche questo nessun nessuna nessuno niente vi "
    "dopodomani giorni giorno settimana settimane",
    "nl": "de het een en is niet ik we wij je jij u van te met voor op in aan dat die maar als er om morgen "
    "bedankt nog ook naar bij zijn was heb hebben hebt heeft mijn jullie kan zal graag even wel geen nooit "
    "niemand niets dagen weken",
    "sv": "och att det är inte jag vi du en ett på av för med till som har kan ska om men den de på imorgon tack "
    "från när hej så var din min er oss senast också vara blir ingen inga aldrig ingenting dagar vecka veckor",
    "pl": "i w nie na z się to jest do że jak o za ale po ja my ty co tak już jutro dziękuję proszę przed dla od "
    "mam będzie są był może ten ta cześć też przez czy nikt nigdy żaden żadna dni tydzień tygodnie",
}
_WORD = re.compile(r"[^\W\d_]+")
_MOST_WORDS = 400
_WORDS_KEPT = 8_192
_LEAST = 0.6
_SHORT = 12
"""Words of a text with few common ones."""
"""A single letter that is a word of another language tells nothing."""
_SPELLINGS: dict[str, tuple[re.Pattern[str], float]] = {
    "de": (re.compile(r"ß|ü|\w{4,}(?:ung|keit|heit|schaft|iert)(?:en)?$"), 0.6),
    "es": (re.compile(r"ñ|(?:ión|iones)$"), 0.6),
    "fr": (re.compile(r"[êœûî]|é+e?s?$"), 0.4),
    "it": (re.compile(r"(?:zione|zioni|\w{2,}[àòùì])$"), 0.6),
    "nl": (re.compile(r"(?:eerd|heid|lijk|lijke)$"), 0.6),
    "pl": (re.compile(r"[ąćęłńśźż]"), 0.8),
    "pt": (re.compile(r"[ãõ]|(?:ção|ções)$"), 0.6),
    "sv": (re.compile(r"å|ä.*[td]$|ö.*[td]$|(?:llt|tts)$"), 0.6),
}
"""Letters and endings that English words do not have, and how much such a word tells."""
_FIRST_PERSON = re.compile(r"[^\W\d_]+ę\b")
"""A Polish verb, with which a sentence may begin; other words with a capital may be names."""
_LONG_ENOUGH = 7
"""Words from which on a sentence alone tells its language."""
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")


@cache
def _scores_of_words() -> dict[str, tuple[tuple[str, ...], float]]:
    """The languages of a word, and how much it tells for each of them."""
    found: dict[str, list[str]] = {}
    for language, words in _COMMON_WORDS.items():
        for word in set(words.split()):
            found.setdefault(word, []).append(language)
    return {
        word: (tuple(languages), (1.0 if len(word) > 2 else 0.5) / len(languages)) for word, languages in found.items()
    }


@cache
def common_words() -> frozenset[str]:
    """The commonest words of all nine languages."""
    return frozenset(word for words in _COMMON_WORDS.values() for word in words.split())


def is_word_of(word: str, language: str) -> bool:
    """Whether a small letter word is among the commonest of this language and of no other."""
    return _scores_of_words().get(word, ((), 0.0))[0] == (language,)


@cache_short(512, longest=1_000)
def detect_language(text: str) -> str:
    """The language of a text; English where nothing tells, empty for a script that is not read."""
    written = _WORD.findall(text)[:_MOST_WORDS]
    words = " ".join(written).lower().split() if text.isascii() else [word.lower() for word in written]
    known = _scores_of_words()
    scores = _scores_of_spelling(text, written)
    for word in filter(known.__contains__, words):
        languages, score = known[word]
        for language in languages:
            scores[language] += score
    if not scores:
        return "en" if not words or any(_LATIN.search(word) for word in words) else ""
    best = max(scores, key=lambda code: scores[code])
    score = scores[best]
    return best if score >= max(scores["en"] + 0.3, _LEAST) else "en"


def language_of_sentence(sentence: str, around: str) -> str:
    """The language of a sentence in a text of another language, if its own words tell enough; else that of the text."""
    return language_within(sentence, language_alone(sentence), around)


def language_alone(sentence: str) -> str:
    """The language that a sentence would be in by itself; empty where it is too short to tell."""
    return detect_language(sentence) if len(sentence.split()) >= _LONG_ENOUGH else ""


def language_within(sentence: str, alone: str, around: str) -> str:
    """The language of a sentence that would be in one language by itself, in a text of another."""
    return alone if alone and alone != around and _has_words_of(sentence, alone) else around


def _has_words_of(sentence: str, language: str) -> bool:
    """Whether two words of a sentence are common in a language: one may be a word of another, as *till* is."""
    known = _scores_of_words()
    words = {word.lower() for word in _WORD.findall(sentence)}
    return sum(language in known[word][0] for word in words if word in known) > 1


@lru_cache(_WORDS_KEPT)
def _languages_of_spelling(word: str) -> tuple[str, ...]:
    """The languages of which the letters or the ending of a word tell."""
    return tuple(language for language, (spelling, _) in _SPELLINGS.items() if spelling.search(word) is not None)


def _scores_of_spelling(text: str, written: list[str]) -> defaultdict[str, float]:
    """What letters and endings tell; texts in plain letters are not looked at word by word."""
    scores: defaultdict[str, float] = defaultdict(float)
    if text.isascii() and len(written) > _SHORT:
        return scores
    found = [language for word in written if word[0].islower() for language in _languages_of_spelling(word)]
    for language, (_, score) in _SPELLINGS.items() if found else ():
        if language in found:
            scores[language] += score * found.count(language)
    if _FIRST_PERSON.match(text.lstrip()):
        scores["pl"] += 1.0
    return scores
