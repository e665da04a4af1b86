"""Reports that close nothing: they say that something is not done, was only asked for or tried, or tell of another."""

import re
from functools import cache, lru_cache

from recollect.reading.denial import is_negative
from recollect.reading.language import detect_language
from recollect.reading.language_table import LANGUAGES
from recollect.reason.closures.closure_terms import NOT_YET, have_similar_stems, stem_of, thing_terms
from recollect.reason.closures.completion_terms import TERM_CACHE_SIZE
from recollect.reason.closures.object_mismatch import has_different_object
from recollect.reason.closures.object_phrases import promised_thing, reported_thing
from recollect.text.negation import DEED_NEGATORS, negator_pattern
from recollect.text.patterns import lazy_pattern

_DENIED = lazy_pattern(negator_pattern(DEED_NEGATORS), re.IGNORECASE)
_AFFIRMED = lazy_pattern(
    r"\bno(?:t a)? (?:problem|worries|issues?|trouble)\b|\bdon['’]?t (?:worry|forget)\b"
    r"|\bno longer (?:open|missing|broken|a problem)\b|\bwhy not\b|\bpas de souci\b",
    re.IGNORECASE,
)
_CANCELLED = lazy_pattern(
    r"\b(?:(?P<english>cancell?ed|called off|dropped|scrapped|off)|abgesagt|storniert|gestrichen|annul[ée]e?s?"
    r"|cancelad[oa]s?|anulad[oa]s?|annullat[oaie]|disdett[oaie]|afgelast|geannuleerd|afgezegd|inställ[dt]a?|odwołan[yaeo])\b",
    re.IGNORECASE,
)
_WORDS_AHEAD = re.compile(r"(?:\b[\w'’]+ ){1,4}$")
_GIVEN_UP = lazy_pattern(
    r"\b(?:after all|any ?more|no longer|need(?:ed)?|forget|drop(?:ped)?|off|instead|in the end|never mind|won['’]?t"
    r"|will not|can(?:no|['’])?t)\b",
    re.IGNORECASE,
)
"""Words of a denial that nothing is to come any more."""
_ASKED = lazy_pattern(
    r"\b(?:ask(?:ed|s|ing)?|wonder(?:ed|ing|s)?|want(?:ed|s)? to know|know|check|see)(?: \w+)? (?:if|whether)\b"
    r"|\b(?:gefragt|fragst|fragt(?:e|en)?|wissen), ob\b|\bdemand(?:é|es?|ait) si\b|\bpregunt\w+ si\b"
    r"|\bchie(?:sto|di|de) se\b",
    re.IGNORECASE,
)
_ATTEMPTED = lazy_pattern(
    r"\b(?:wanted|tried|meant|hoped|intended|planned|was going|were going|attempted|supposed|forgot|forgotten) to\b"
    r"|\bto follow(?: (?:soon|later|separately|shortly|next|by|on))?\W*$"
    r"|\b(?:will )?follows? (?:later|separately|shortly)\b"
    r"|\b(?:wollt(?:e|en)|versuchte?n?|voul(?:ais|ait|ions)|essayé|quer[íi]a(?:mos|n)?|intent[ée]|volev(?:o|a|amo)"
    r"|wilden?|geprobeerd|queria(?:mos|m)?|tentei|ville|försökte|chcia[łl]\w*|próbowa[łl]\w*)\b",
    re.IGNORECASE,
)
_FAILED = lazy_pattern(
    r"\b(?:closed|shut) (?:it|them|that|this) (?:again|straight away)\b"
    r"|\bput (?:it|them|that) (?:aside|off|down|away) again\b"
    r"|\bno (?:answer|reply|luck|response|success|one (?:answered|picked up|home))\b|\bin vain\b"
    r"|\bwithout (?:success|luck)\b|\bby mistake\b|\bto the wrong\b|\bbounced\b|\bvoicemail\b"
    r"|\b\d{1,2} ?(?:%|per ?cent|percent) (?:\w+ed|done|complete|ready|there)\b"
    r"|\bkeine? (?:antwort|erfolg)\b|\bversehentlich\b|\bpar erreur\b|\bpor error\b|\bper sbaglio\b|\bper ongeluk\b"
    r"|\bpor engano\b|\bav misstag\b|\bprzez pomyłkę\b",
    re.IGNORECASE,
)
_HANDED_ON = lazy_pattern(
    r"\b(?:fwd|fwd[e']?d|fw[e']?d|forwarded|passed (?:it |this |that |them |\w+ )?on"
    r"|asked (?:\w+ ){1,2}(?:to|for|about)|weitergeleitet"
    r"|transféré|reenviad[oa]|inoltrat[oa]|doorgestuurd|vidarebefordra\w*|przekazan[aey])\b",
    re.IGNORECASE,
)
"""Words by which what was asked is given to somebody else to do."""
_TO_HAND_ON = lazy_pattern(
    r"\b(?:f(?:or)?wa?rd|fwd|pass|ask|tell|share|send|weiterleit\w*|transf\w*|reenvi\w*)", re.IGNORECASE
)
_FOUND = lazy_pattern(
    r"(?:[^:]{2,40}: )?\W*(?:i |we )?(?:just |finally |at last )?(?:found|located|dug (?:out|up)|spotted)\b",
    re.IGNORECASE,
)
_TO_FIND = lazy_pattern(
    r"\b(?:find|look|search|locate|dig|where|track|hunt|get|bring|give|return|check|source|choose)", re.IGNORECASE
)
_NEEDS_MORE = lazy_pattern(r"[,;:–—-] ?(?:it |but |and |only |just )*(?:needs|lacks|awaits) ", re.IGNORECASE)
"""What is told behind a report is still wanted: *filled in, needs a stamp*."""
_REFUSED = lazy_pattern(
    r"\W*(?:no|nope|not yet|nothing|nada|niente|nichts|rien|niets|zilch"
    r"|nein|noch nicht|non|pas encore|todavía no|aún no|non ancora|nee|nog niet|ainda não|inte än"
    r"|jeszcze nie)\W*$",
    re.IGNORECASE,
)
_DENIED_AT_END = lazy_pattern(r"\b(?:did|has|have|was|is|are|were)(?:n['’]?t| not)\W*$", re.IGNORECASE)
_FEW_WORDS = 5
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
_POINTING = lazy_pattern(r"\b(?:ones?|it|them|the (?:rest|others?|new)|those|these)\b", re.IGNORECASE)
_CLAUSE_END = re.compile(
    r"[,;:]\s|\s[-–—]+\s|\s*[()]\s*|\b(?:but|aber|sondern|mais|pero|ma|maar|mas|men|ale)\b"
    r"|\b(?:and|und|et|y|e|en|och|i)\b(?=\s+(?:nobody|no one|nothing|none|never|niemand|nichts|nie|personne|rien|nadie"
    r"|nada|nessuno|niente|niets|ninguém|ingen|nikt)\b)",
    re.IGNORECASE,
)
_TO_ME = lazy_pattern(r"\b(?:me|us)\b", re.IGNORECASE)
_TOWARDS = lazy_pattern(r"\b(?:to|for) (\w+)")
_OWN = lazy_pattern(r"\W*(?:i|we|he|she|they)\b", re.IGNORECASE)
_TOWARDS_PEOPLE = frozenset(
    "call write email text ask tell visit pay lend answer reply remind invite send show give".split()
)


def is_no_report_of(item: str, owner: str, report: str, *, is_cancellation: bool) -> bool:
    """Whether a report cannot close an item of this owner by what it says."""
    if has_different_object(item, report):
        return True
    if is_cancellation:
        return denies_cancellation(report) or (_denies_deed(item, report) and not _GIVEN_UP.search(report))
    return denies(item, report) or is_done_by_other(item, owner, report) or _is_only_a_step(item, report)


def _is_only_a_step(item: str, report: str) -> bool:
    """Whether a report only tells that what an item is about was found, was handed on or still needs something."""
    first = _CLAUSE_END.split(report, maxsplit=1)[0]
    if _HANDED_ON.search(first) and not _TO_HAND_ON.search(item):
        return True
    if _FOUND.match(report) and not _TO_FIND.search(item):
        return True
    return _NEEDS_MORE.search(report) is not None


@lru_cache(TERM_CACHE_SIZE)
def denies(item: str, report: str) -> bool:
    """Whether a report says that what an item names is not done, or only tells that it was asked for or tried."""
    plain = _AFFIRMED.sub(" ", report)
    if _ASKED.search(plain) or (_FAILED.search(plain) and not _FAILED.search(item)):
        return True
    own = thing_terms(item)
    language = detect_language(report) or "en"
    parts = _CLAUSE_END.split(plain)
    return any(
        len(parts) == 1 or _has_word_of(own, part)
        for part in parts
        if _is_denied(part, language) or _ATTEMPTED.search(part)
    )


def _is_denied(part: str, language: str) -> bool:
    return _DENIED.search(part) is not None if language == "en" else is_negative(part.casefold(), language)


def _denies_deed(item: str, report: str) -> bool:
    """Whether a report says that just what an item promises was not done: *the piano wasn't sold*."""
    promised, reported = promised_thing(item), reported_thing(report)
    if promised is None or reported is None or promised.verb is None or reported.verb is None:
        return False
    is_denied = _is_denied(_AFFIRMED.sub(" ", report), "en")
    return is_denied and stem_of(promised.verb) == stem_of(reported.verb)


def takes_back(item: str, report: str, following: str) -> bool:
    """Whether the words behind a report say that it failed, or that just this is still missing."""
    rest, *more = _SENTENCE_END.split(f"{report}{following}"[len(report) - 1 :], maxsplit=2)
    if _FAILED.search(rest) and not _FAILED.search(item):
        return True
    after = more[0] if more else ""
    if _REFUSED.match(after) or _fails(item, after):
        return True
    return NOT_YET.search(after) is not None and _POINTING.search(after) is not None


def _fails(item: str, after: str) -> bool:
    """Whether a few words behind a report say that it came to nothing, or that a part is missing: *voicemail*."""
    if len(after.split()) > _FEW_WORDS:
        return False
    if _FAILED.search(after) and not _FAILED.search(item):
        return True
    return _DENIED_AT_END.search(after) is not None and _has_word_of(thing_terms(item), after)


def denies_cancellation(report: str) -> bool:
    """Whether a report says that something is not cancelled."""
    return any(_is_denied_ahead(report[: each.start()], each["english"]) for each in _CANCELLED.finditer(report))


def _is_denied_ahead(ahead: str, english: str | None) -> bool:
    words = _WORDS_AHEAD.search(ahead)
    languages = LANGUAGES if english is None else ("en",)
    return words is not None and any(is_negative(words[0].casefold(), each) for each in languages)


def is_done_by_other(item: str, owner: str, report: str) -> bool:
    """Whether somebody else did the like to who reports it: *the embassy wrote to me* of *write to the embassy*."""
    promised, reported = promised_thing(item), reported_thing(report)
    if promised is None or reported is None or promised.verb is None or reported.verb is None or _OWN.match(report):
        return False
    verb = stem_of(promised.verb)
    if verb != stem_of(reported.verb) or verb not in _people_verbs():
        return False
    done = report.casefold().partition(reported.verb)
    names = set(owner.casefold().split())
    if names & set(done[0].split()):
        return False
    return _TO_ME.search(done[2]) is not None or not names.isdisjoint(_TOWARDS.findall(done[2]))


def _has_word_of(terms: frozenset[str], part: str) -> bool:
    return any(term == each or have_similar_stems(term, each) for each in thing_terms(part) for term in terms)


@cache
def _people_verbs() -> frozenset[str]:
    return frozenset(map(stem_of, _TOWARDS_PEOPLE))
