"""The words by which reports and items are compared, and those that tell what kind of report or item it is."""

import re
from functools import lru_cache

from recollect.model.similarity import without_dates
from recollect.reason.item_words import TERM_CACHE_SIZE
from recollect.text.stems import stem as porter_stem
from recollect.text.stop_words import CONTRACTION_ENDINGS, STOP_WORDS
from recollect.text.tokens import bare_terms
from recollect.text.verbs import irregular_forms

_EMPTY_WORDS = frozenset(
    "already finally now today yesterday tomorrow tonight tmrw asap soon just eventually early late later again still "
    "also monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january "
    "february march april june july august september october november december jan feb mar apr jun jul "
    "aug sep sept oct "
    "nov dec week month year day days morning afternoon evening eod please pls thanks thx sorry ok okay yes no hi hey "
    "done complete completed finish finished fixed close closed resolve resolved cancel cancelled "
    "canceled one all both "
    "ill im thats dont doesnt cant wont u ur w lot bit really new old good great fine re fyi btw ps pa max min "
    "everything something anything thing things stuff quality nr nbr no number pcs piece pieces x item items".split()
)
_WEAK_WORDS = frozenset(
    "send sent get give take make do go come bring put set call write tell ask know need want check look see try use "
    "work start begin keep let say talk mail email meet order pay buy run move update review sign plan time people "
    "list number part side place point back up out here there next last first second half".split()
)
"""Words that many items have: alone they do not say what an item is about."""
PARTIAL = re.compile(
    r"\b(?:half|partly|partially|some of|most of|almost|nearly|not (?:all|quite|yet)|except|the rest|rest "
    r"(?:is|are|comes?)"
    r"|\d+ (?:of|out of) (?:the )?\d+|\d+/\d+ (?:done|came|here)|the other \d+|halb|teilweise|en partie|la "
    r"moiti[ée]|la mitad"
    r"|metade|in parte|gedeeltelijk|delvis|cz[ęe][śs]ciowo)\b",
    re.IGNORECASE,
)
ANSWER_WANTED = re.compile(
    r"\b(?:need (?:an? )?(?:answer|reply|decision|to know)|need to know|let (?:me|us) know|get back to "
    r"(?:me|us)|tell me"
    r"|(?:please|pls) (?:answer|reply|confirm|advise)|can (?:you|u) confirm|do (?:you|u) want|what'?s (?:your|ur))\b",
    re.IGNORECASE,
)
BARE_REPORT = re.compile(
    r"\W*(?:all |both |it'?s |that'?s |is |now |just )*(?:(?:done|sent|signed|paid|booked|ordered|fixed"
    r"|finished|submitted"
    r"|delivered|shipped|uploaded|merged|reviewed|called|returned|confirmed|approved|sorted|attached|updated|erledigt"
    r"|gemacht|fertig|fait|envoyé|hecho|enviado|listo|feito|pronto|fatto|inviato|gedaan|verzonden|klart|skickat|gjort"
    r"|zrobione|wysłane|gotowe)(?: (?:it|them|that|everything|all|both|already|now|today|yesterday|this morning))*)"
    r"(?=\W*$|[,.;:!(\u2013\u2014-])",
    re.IGNORECASE,
)
TOLD_LATER = re.compile(
    r"\b(?:tell|let) you\b|\blet you know\b|\bget back to you\b|\b(?:look (?:at|into)|check|find out|see "
    r"(?:if|whether)|ask)\b",
    re.IGNORECASE,
)
"""Commitments that a later statement of the same person fulfils."""
PERFORMED = re.compile(
    r"\b(?:paid|signed|sent|told|answered|replied|delivered|returned|handed|gave|mailed|posted|transferred|confirmed)\b",
    re.IGNORECASE,
)
DELAYED = re.compile(
    r"\b(?:delay(?:ed)?|later|postpone[ds]?|moved?|push(?:ed|ing)?|slip(?:s|ped)?|new date|instead|not "
    r"before|only|won'?t make"
    r"|can'?t make|need more time|verschoben|erst|verz[öo]ger\w*|retard\w*|report[ée]e?|plus tard"
    r"|retras\w*|aplaz\w*|s[óo]"
    r"|atras\w*|adi\w*|ritard\w*|rimand\w*|vertraag\w*|uitgesteld|pas|f[öo]rsen\w*|flytta\w*|op[óo][źz]n\w*|prze[łl]o[żz]\w*)\b",
    re.IGNORECASE,
)
AHEAD = re.compile(
    r"\b(?:will|going to|gonna|shall|next|tomorrow|tmrw|plan(?:ned|s)?|should|would|wird|werden|va|vai|zal"
    r"|ska|b[ęe]dzie|still|not"
    r"|no|never|late|missing|broke\w*|fail\w*)\b|n't\b",
    re.IGNORECASE,
)


@lru_cache(TERM_CACHE_SIZE)
def thing_terms(text: str) -> frozenset[str]:
    """The stems of the words that say what a text is about."""
    words = bare_terms(without_dates(text))
    return frozenset(
        _stem(word)
        for word in words
        if word not in STOP_WORDS
        and word not in CONTRACTION_ENDINGS
        and word not in _EMPTY_WORDS
        and not word.isdecimal()
        and len(word) > 1
    )


@lru_cache(50_000)
def _stem(word: str) -> str:
    return porter_stem(irregular_forms().get(word, word))


WEAK_STEMS = frozenset(map(_stem, _WEAK_WORDS))
