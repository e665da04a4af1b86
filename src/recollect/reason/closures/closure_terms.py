"""The words by which reports and items are compared, and those that tell what kind of report or item it is."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from recollect.model.similarity import without_dates
from recollect.reading.english_verbs import action_verbs
from recollect.reading.language import common_words, detect_language
from recollect.reading.language_table import names_of_days_and_months
from recollect.reason.closures.completion_terms import TERM_CACHE_SIZE
from recollect.text.fold import plain_letters
from recollect.text.patterns import lazy_pattern
from recollect.text.stems import stem as porter_stem
from recollect.text.stop_words import SEARCH_STOP_WORDS
from recollect.text.tokens import bare_terms
from recollect.text.verbs import irregular_forms
from recollect.when.english.words import NUMBER_WORDS

_LARGEST_COUNT = 10
_EMPTY_WORDS = frozenset(
    "already finally now today yesterday tomorrow tonight tmrw asap soon just eventually early late later again still "
    "also monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january "
    "february march april june july august september october november december jan feb mar apr jun jul "
    "aug sep sept oct "
    "nov dec week month year day days morning afternoon evening eod please pls thanks thx sorry ok okay yes no hi hey "
    "done complete completed finish finished fixed close closed resolve resolved cancel cancelled "
    "canceled all both "
    "sure ill im thats dont doesnt cant wont u ur w lot bit really new old good great perfect cool nice lovely"
    " brilliant fine re fyi btw ps pa max min "
    "everything something anything thing things stuff quality nr nbr no number pcs piece pieces x item items "
    "promise promised promises swear swore instead mr mrs ms miss dr prof".split()
) | {word for word, number in NUMBER_WORDS.items() if number <= _LARGEST_COUNT}
_WEAK_WORDS = frozenset(
    "send sent get give take make do go come bring put set call write tell ask know need want check look see try use "
    "work start begin keep let say talk mail email meet order pay buy run move update review sign plan time people "
    "list number part side place point back up out here there next last first second half".split()
)
"""Words that many items have: alone they do not say what an item is about."""
_SHORT_DENIAL = (
    r"[,;] (?:but |and )?(?P<denied>[\w'’]+(?: [\w'’]+){0,2}?) (?:is|are|was|were|has|have|did|do|does)(?:n['’]?t| not)"
    r"(?=\s*(?:$|[,.;!)]))"
)
_MORE_TO_COME = (
    r"(?:second|third|fourth|last|next|other) (?:one|half|batch|lot|part|box)s? (?:is |are |was |will )?(?:due|to come"
    r"|comes?|coming|follows?|still|on (?:its|the) way|be|missing)"
)
MORE_TO_COME = lazy_pattern(rf"\b{_MORE_TO_COME}\b", re.IGNORECASE)
SHORT_DENIAL = lazy_pattern(_SHORT_DENIAL, re.IGNORECASE)
"""What is said of a thing is denied of its like: *radio 6 is back, 11 isn't*."""
PARTIAL = lazy_pattern(
    r"\b(?:half|partly|partially|some of|most of|almost|nearly|not (?:all|quite|yet)|except"
    r"|the rest(?! (?:[\w'’]+ ){0,4}?(?:went|came|arrived|sent|paid|delivered|done|followed|gone|in|here)\b)|rest "
    r"(?:is|are|comes?)"
    r"|\d+ (?:of|out of) (?:the )?\d+|\d[\d.,]*k? of (?:the|my|our|your|his|her|their|that) (?!\w+s\b)\w+"
    r"|\b\w+ (?:more |\w+ )?(?:to go|left to do)(?=\W*(?:$|[,.;]))"
    rf"|{_SHORT_DENIAL}"
    rf"|{_MORE_TO_COME}"
    r"|(?:one|two|three|four|five|six|ten) of the|\d+/\d+ (?:done|came|here)|the other \d+|halb|teilweise|en partie|la "
    r"moiti[ée]|la mitad"
    r"|metade|in parte|gedeeltelijk|delvis|cz[ęe][śs]ciowo)\b",
    re.IGNORECASE,
)
ANSWER_WANTED = lazy_pattern(
    r"\b(?:need (?:an? )?(?:answer|reply|decision|yes|ok|go-?ahead|to know)|need to know"
    r"|let (?:me|us) (?:know|have your)|get back to (?:me|us)|(?:tell|give|get) (?:me|us)"
    r"|(?:please|pls) (?:answer|reply|confirm|advise)"
    r"|can (?:you|u) confirm|do (?:you|u) want|what'?s (?:your|ur)"
    r"|teilen sie|bescheid|nennen sie|nenn mir|sag(?:en)? (?:mir|uns|sie)|wissen lassen|bestätig\w*|gib mir|geben sie"
    r"|ma(?:ß|ss)e|confirmer|(?:me|nous) dire|dites|dis-moi|faire savoir|indiquer|préciser"
    r"|dec[ií]rme|dime|confirmar|indicar|avisar|saber|dirmi|dimmi|confermar\w*|sapere|comunicar\w*|diz-me|informar"
    r"|laten weten|bevestigen|doorgeven|zeg (?:me|ons)|säg(?:a)?|berätta|bekräfta|meddela"
    r"|da[ćj] znać|potwierdź\w*|podaj)\b",
    re.IGNORECASE,
)
"""Requests that a statement of the person asked fulfils."""
BARE_REPORT = lazy_pattern(
    r"\W*(?:(?:perfect|great|cool|good|yes|yep|ok|okay|thanks|thx)[,.!]? )*"
    r"(?:i(?:['’]?ve| have)? |we(?:['’]?ve| have)? )?"
    r"(?:all |both |it'?s |that'?s |is |now |just |already )*(?:(?:done|sent|signed|paid|booked|ordered|fixed"
    r"|finished|submitted"
    r"|delivered|shipped|uploaded|merged|reviewed|called|returned|confirmed|approved|sorted|attached|updated|told|asked"
    r"|emailed|mailed|texted|rang|answered|replied|bought|collected|posted|printed|packed|cleaned|filed|erledigt"
    r"|gemacht|fertig|fait|envoyé|hecho|enviado|listo|feito|pronto|fatto|inviato|gedaan|verzonden|klart|skickat|gjort"
    r"|zrobione|wysłane|gotowe)(?: (?:off|back|in|out|over|up|it|them|him|her|the others|that|everything|all|both"
    r"|already|now|just now|earlier|today|yesterday|tonight"
    r"|(?:this|yesterday|on \w+) (?:morning|afternoon|evening)|last night"
    r"|on (?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?))*)"
    r"(?=\W*$|[,.;:!(\u2013\u2014-])",
    re.IGNORECASE,
)
DELIVERED = lazy_pattern(
    r"\b(?:(?:you(?:['’]ll| will|ll)|please|pls) find\b|(?:is|are|see) (?:below|attached|enclosed)"
    r"|attach(?:ed)?|enclosed|here(?:'s| is| are|s) (?:the|my|your|our|a|all)|anbei|im anhang|h[äa]ngt (?:dran|an)"
    r"|beigef[üu]gt|angeh[äa]ngt|ci-joint\w*|en pi[èe]ce jointe|voici|adjunt\w+|aqu[íi] (?:tienes|va|está)"
    r"|allegat\w+|in allegato|ecco|em anexo|segue em anexo|bijgevoegd|bijlage|bifog\w+|w za[łl][ąa]czniku)\b",
    re.IGNORECASE,
)
"""A reply with these words delivers what was asked for or promised."""
TOLD_LATER = lazy_pattern(
    r"\b(?:tell|let) you\b|\blet you know\b|\bget back to you\b|\b(?:look (?:at|into)|check|find out|see "
    r"(?:if|whether)|ask)\b",
    re.IGNORECASE,
)
"""Commitments that a later statement of the same person fulfils."""
MESSAGE = lazy_pattern(
    r"^(?:[^:]{2,40}: )?(?:(?:i|we)(?:'ll| will| have to| need to| must)? |to )?"
    r"(?:tell|ask|remind|inform|write|mail|email|let \w+ know)\b",
    re.IGNORECASE,
)
"""Commitments that a later message of the same person about the same thing fulfils."""
POINTING = lazy_pattern(r"\b(?:it|them|one|those|these)\b", re.IGNORECASE)
"""Words for a thing that another sentence names."""
PERFORMED = lazy_pattern(
    r"\b(?:paid|signed|sent|told|answered|replied|delivered|returned|handed|gave|mailed|posted|transferred|confirmed)\b",
    re.IGNORECASE,
)
DELAYED = lazy_pattern(
    r"\b(?:delay(?:ed)?|later|postpone[ds]?|moved?|push(?:ed|ing)?|slip(?:s|ped)?|new date|instead|not "
    r"before|only|won'?t make"
    r"|can'?t make|need more time|verschoben|erst|verz[öo]ger\w*|retard\w*|report[ée]e?|plus tard"
    r"|retras\w*|aplaz\w*|s[óo]"
    r"|atras\w*|adi\w*|ritard\w*|rimand\w*|vertraag\w*|uitgesteld|pas|f[öo]rsen\w*|flytta\w*|op[óo][źz]n\w*|prze[łl]o[żz]\w*)\b",
    re.IGNORECASE,
)
PUT_OFF = lazy_pattern(
    r"\b(?:moved?s?|postponed|pushed(?: back)?|shift(?:ed|s)|slip(?:s|ped)|slid|rescheduled|delayed|put (?:off|back)"
    r"|deferred|new date)\b.*?\b(?:to|until|till|is)\b"
    r"|\bverschoben\b|\breport[ée]e?s?\b|\bverplaatst\b|\buitgesteld\b",
    re.IGNORECASE,
)
"""Reports that something will be on another day; they fulfil nothing."""
GRANTED = lazy_pattern(
    r"\b(?:give|gives|gave|giving|allow|grant)(?:ed)? (?:you|u|them|him|her|us)"
    r" (?:more time|(?:time )?(?:until|till?))\b"
    r"|\b(?:you|u)(?: can| may|['’]ve| have)? (?:have|take|got) (?:more time|(?:time )?(?:until|till?))\b"
    r"|\bextend(?:ed|ing)?\b.*\b(?:to|until|till?)\b|\b(?:can|could|may|will) wait (?:until|till?|for)\b"
    r"|\b(?:is|['’]s|would be|will be|are) (?:also |just |perfectly |totally )?"
    r"(?:fine|ok|okay|soon enough|early enough)\b"
    r"|(?:\b(?:will|would)|['’]ll) (?:also |still |just )?do (?:me|us|fine|nicely|too|as well|for)\b",
    re.IGNORECASE,
)
"""Words by which somebody gives more time for an item: *you have until the 9th*, *Monday is fine*."""
NEW_DAY = lazy_pattern(r"\bnew (?:date|day|deadline|due date|slot|delivery date)\b", re.IGNORECASE)
NOT_YET = lazy_pattern(
    r"\bstill (?:no|not|has|have|hasn'?t|haven'?t|isn'?t|needs?|waiting|missing|open|on my|to|un\w+|nothing|owes?|lies"
    r"|without|don'?t|didn'?t)\b|\bn[o']t\b.{0,40}\byet\b|\bnothing (?:yet|so far|from|heard)\b"
    r"|\bno \w+ (?:yet|from|so far)\b|\bwaiting (?:for|on)\b|\bwhere(?: is| are|'?s)\b"
    r"|(?:\bha(?:s|ve)|\bis|\bare|\bwas|\bdid|\bdo(?:es)?)(?:n'?t| not) (?:\w+ ){0,2}"
    r"(?:sent|paid|done|come|came|arrived|written|called|rung|billed|signed|answered|replied|heard|get|got|start(?:ed)?"
    r"|finish(?:ed)?|happened|delivered|booked|begun|been)\b"
    r"|\bun(?:signed|paid|done|answered|finished|written|sent|opened|packed|booked|delivered|touched)\b"
    r"|\b(?:noch (?:nicht|kein\w*|immer|offen)|fehlt|fehlen|toujours pas|pas encore|todav[ií]a no|a[uú]n no|non ancora"
    r"|ancora non|ainda n[aã]o|nog (?:niet|geen|steeds)|inte [aä]n|[aä]nnu inte|fortfarande|saknas|jeszcze nie"
    r"|wci[aą][zż]|nadal)\b",
    re.IGNORECASE,
)
"""Reminders and complaints that something is still to be done."""
ACKNOWLEDGED = lazy_pattern(
    r"\b(?:thanks?|thx|danke|merci|gracias|grazie|obrigad[oa]|bedankt|dank je|tack|dzięk\w+|received|got it)\b",
    re.IGNORECASE,
)
"""Words by which somebody acknowledges what another did."""
AHEAD = lazy_pattern(
    r"\b(?:will|going to|gonna|shall|next|tomorrow|tmrw|planned|planning|plans? to|should|would|wird|werden|va|vai|zal"
    r"|ska|b[ęe]dzie|still|not"
    r"|no|never|nicht|kein\w*|pas|late|missing|broke\w*|fail\w*|died|leak\w*|worse|lost|sick|complain\w*|come|comes"
    r"|arrives?|starts?|begins?|leaves?|due|expected|supposed|says?|said|wants?|needs?|asks?|asked|stop(?:s|ped)?"
    r"|in (?:an?|\d+|some|two|three) (?:hour|minute|day|week)s?)\b|n't\b",
    re.IGNORECASE,
)


_CONCEPTS = {
    name: words.split()
    for name, words in {
        "call": "ring rang rung phone phoned telephone talk talked speak spoke spoken contact contacted",
        "repair": "mend mended fix repair repaired",
        "invoice": "bill billed invoiced",
        "pay": "paid payment money transfer transferred geld zahlung überweisung argent dinero soldi dinheiro pengar",
        "contract": "agreement vertrag",
        "licence": "license permit",
        "deliver": "delivery delivered",
        "chapter": "ch chap",
    }.items()
}
_HEAD_ENDS = frozenset(
    "for of about re with w from at in on by because so after before until till w/o without into onto over via".split()
)
_FOREIGN_HEAD_ENDS = _HEAD_ENDS | frozenset(
    "für von mit zu zum zur bei aus pour de des du avec chez para con per di da do voor van met till från med dla "
    "z".split()
)
_CLAUSE_END = re.compile(r"\s[-–—]+\s|[;,]\s")
_SPELLINGS = str.maketrans({"k": "c", "y": "i", "z": "s", "w": "v"})
_ELISION = re.compile(r"^(?:[a-z]|qu|un|all|dell)['’](?=\w)")
_AMOUNT = re.compile(r"(?!(?:19|20)\d\d$)\d{3,}")
"""A number that two texts seldom share by chance; a year is none."""
_STEP = lazy_pattern(
    r"\s*[^:]{2,40}:\s+(?:the |a |an )?((?!(?:it|this|that|all|both|everything|done)\b)[\w-]+)"
    r" (?:is|are|was|were|has been|have been) \w+",
    re.IGNORECASE,
)
_CAPITALISED = re.compile(r"(?<=[a-z,] )[A-ZÀ-Þ][\w'’-]+")
_VOCATIVE = re.compile(r"\s*(?:(?:Hi|Hey|Hello|Dear|Ok|And|So)[ ,]+)?([A-ZÀ-Þ][\w'’-]+)(?=,\s)")
_SHORTEST_ABBREVIATION = 3
_LETTERS_LEFT_OUT = 2
"""A word of one letter more is another one: a *card* is no *car*."""
_MOST_LEFT_OUT = 10
"""A German compound of more letters is no *vet*."""
_SHORTEST_COGNATE = 5


@lru_cache(TERM_CACHE_SIZE)
def thing_terms(text: str) -> frozenset[str]:
    """The stems of the words that say what a text is about."""
    return frozenset(_terms_of(bare_terms(without_dates(text)), _function_words(text)))


@lru_cache(TERM_CACHE_SIZE)
def name_terms(text: str) -> frozenset[str]:
    """The stems of names in a text, told by their capitals; none if it is about nothing else, and none in German."""
    if detect_language(text) == "de":
        return frozenset()
    names = thing_terms(" ".join(_CAPITALISED.findall(text)))
    return names if thing_terms(text) - names - WEAK_STEMS else frozenset()


def addressee_terms(text: str) -> frozenset[str]:
    """The stem of the name of who is addressed: *Wilf, can you draw the map*."""
    found = _VOCATIVE.match(text)
    return thing_terms(found[1]) if found is not None else frozenset()


@lru_cache(TERM_CACHE_SIZE)
def head_terms(text: str) -> frozenset[str]:
    """The stems of the thing itself, ahead of what it is for, from or about: *roster* in *roster for the opening*."""
    found: set[str] = set()
    ignored = _function_words(text)
    ends = _HEAD_ENDS if detect_language(text) == "en" else _FOREIGN_HEAD_ENDS
    for word in bare_terms(without_dates(text)):
        if found and word in ends:
            break
        found.update(_terms_of([word], ignored))
    return frozenset(found)


@lru_cache(TERM_CACHE_SIZE)
def step_terms(text: str) -> frozenset[str]:
    """What a report under a heading is about, only a step towards that: *wood* in *rack 3: wood is ordered*."""
    found = _STEP.match(text)
    return thing_terms(found[1]) if found is not None else frozenset()


def is_receipt(text: str) -> bool:
    """Whether a text only acknowledges what another did: *received with thanks*."""
    return ACKNOWLEDGED.search(text) is not None and not thing_terms(ACKNOWLEDGED.sub(" ", text))


def clauses_of(text: str) -> list[str]:
    """What a report says first, and what follows behind dashes and commas, often its circumstances."""
    return _CLAUSE_END.split(text.strip())


@lru_cache(TERM_CACHE_SIZE)
def is_unnamed(text: str) -> bool:
    """Whether a text names no thing that a report could name alike: *will do it on Monday*, or foreign words."""
    own = thing_terms(text) - WEAK_STEMS
    is_bare = not own or (len(own) == 1 and POINTING.search(text) is not None)
    return is_bare or detect_language(text) != "en"


def have_similar_stems(one: str, other: str) -> bool:
    """Whether two stems may be one word: an abbreviation of the other, or its like in another language."""
    short, long = sorted((one, other), key=len)
    if short in _concept_stems():
        return False  # *pay* is no short form of *paint*
    if len(short) >= _SHORTEST_ABBREVIATION and short.isalpha() and long.startswith(short):
        more = len(long) - len(short)
        if len(short) >= _SHORTEST_COGNATE:
            return more <= len(short)
        return _LETTERS_LEFT_OUT <= more <= _MOST_LEFT_OUT
    if len(short) < _SHORTEST_COGNATE:
        return False
    first, second = cross_language_key(one), cross_language_key(other)
    common = next(
        (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
    return common >= _SHORTEST_COGNATE and common >= 0.75 * min(len(first), len(second))


@lru_cache(TERM_CACHE_SIZE)
def cross_language_key(term: str) -> str:
    """A stem in the letters that languages share: *kontrakt* and *contract*, *adresse* and *address*."""
    plain = plain_letters(term).translate(_SPELLINGS).replace("ph", "f")
    return re.sub(r"(.)\1+", r"\1", plain)


def _terms_of(words: Iterable[str], ignored: frozenset[str]) -> set[str]:
    plain = (_ELISION.sub("", word) for word in words)
    return {
        stem_of(word)
        for word in plain
        if word not in SEARCH_STOP_WORDS
        and word not in _EMPTY_WORDS
        and word not in ignored
        and (not word[0].isdigit() or _AMOUNT.fullmatch(word) is not None)
        and len(word) > 1
    }


def _function_words(text: str) -> frozenset[str]:
    """Words that say nothing of a thing: *van* does not in Dutch, but does in English."""
    return names_of_days_and_months() if detect_language(text) == "en" else _foreign_words()


@cache
def _foreign_words() -> frozenset[str]:
    return common_words() | names_of_days_and_months()


@cache
def _concept_of() -> dict[str, str]:
    return {word: name for name, words in _CONCEPTS.items() for word in words}


@cache
def _concept_stems() -> frozenset[str]:
    return frozenset(map(stem_of, _CONCEPTS))


@lru_cache(50_000)
def stem_of(word: str) -> str:
    """The stem of a word in small letters, one for all words of a concept."""
    word = _concept_of().get(word, word)
    return porter_stem(irregular_forms().get(word, word))


@cache
def deed_stems() -> frozenset[str]:
    """The stems of English verbs of doing."""
    return frozenset(map(stem_of, action_verbs()))


CONTACT_STEMS = frozenset(map(stem_of, "call ask tell visit meet".split()))
"""What one does with somebody: who it was is not enough to say that it is done."""
CONTACTED_STEMS = CONTACT_STEMS | frozenset(map(stem_of, "answer reply agree hear".split()))
WEAK_STEMS = frozenset(map(stem_of, _WEAK_WORDS | {"repair", "deliver", "invoice"}))
