"""Sentences that name something without standing by it: they take it back, or only quote it."""

import re

from recollect.reason.verify.parsed_statement import ParsedStatement
from recollect.text.content_words import content_tokens, split_words
from recollect.text.lexicon import AUXILIARIES
from recollect.text.negation import STATEMENT_NEGATORS, negator_pattern
from recollect.text.verbs import is_past_form

_ERRORS = frozenset(
    "wrong wrongly false falsely untrue incorrect incorrectly mistaken mistakenly erroneous erroneously misprint typo "
    "error errors mistake mistakes slip hoax fake bogus lie lies nonsense invented fabricated outdated obsolete".split()
)
# An act done by mistake was done, and *it is false that* denies what follows it.
_NO_RETRACTION = re.compile(
    r"\b(?:by mistake|in error|mistake[sn]? for|\w+ (?:that|to (?:say|claim|state)))\b", re.IGNORECASE
)
# Before a month without a year: what begins then may be still to come.
_BEGINNINGS = frozenset("from as starting beginning effective come".split())
_ENDS = frozenset("until till before by".split())
_AUXILIARY = "|".join(sorted(AUXILIARIES - frozenset("should shall may might must".split())))
"""Without those of duties and chances: who should not may do so."""
# *She isn't.*, *which it is not*: a negation of what was said before, without words of its own.
_ELLIPSIS = re.compile(
    r"\b(?:he|she|it|they|that|this|which|who|we|you|i)(?: (?:he|she|it|they))? "
    rf"(?:{_AUXILIARY})(?:n['’]t| not)\s*(?:[.;,!)]|$)",
    re.IGNORECASE,
)
_RATHER = re.compile(r"\bor rather\b", re.IGNORECASE)
_DENIAL = re.compile(negator_pattern(STATEMENT_NEGATORS), re.IGNORECASE)
_LONGEST_REBUTTAL = 5
_CONDITION = re.compile(r"(?:Once|When|Whenever|As soon as|By the time|After|Until) (?!\d)[^,;]+ [^,;]+,")
_EVERY = (
    r"(?:nobody|no one|none|nothing|nowhere|everybody|everyone|everything|everywhere|anyone|anybody|anything|all"
    r"|(?:every|each|no|any|all(?: of)?(?: the| her| his| its| their| our| my)?) [\w'’-]+)"
)
_EXCEPTION = re.compile(
    rf"\b{_EVERY},? (?:but(?! also\b)|except(?: for)?|bar|save(?: for)?|other than|apart from|aside from|besides) ",
    re.IGNORECASE,
)
_OF_ALL = re.compile(rf"\b{_EVERY}", re.IGNORECASE)
_OPINION = re.compile(
    r"\b[Ii]n [A-ZÀ-Þ][\w.-]*(?: [A-ZÀ-Þ][\w.-]*){0,2}['’]s? "
    r"(?:opinion|view|eyes|mind|judge?ment|estimation|experience|version|telling)\b"
    r"|\b[Tt]o [A-ZÀ-Þ][\w-]*['’]s mind\b"
)
_PAST = frozenset("was were had did been".split())
_QUOTATION = re.compile(
    r"[\"“„«]([^\"”“»]{3,})[\"”“»]|(?:(?<=\s)|^)['‘‚]([^'’‘]{3,}(?:['’]\w[^'’‘]*)*)['’‘](?=[\s.,:;!?)]|$)"
)


_IDIOM = re.compile(
    r"\b(?:over the moon|under the weather|on cloud nine|in hot water|in the doghouse|on thin ice|through the roof"
    r"|in the same boat|on the fence|up in arms|at sea about|out of the woods|on the rocks|in a pickle"
    r"|(?:piece|slice) of cake|raining cats and dogs|chip on \w+ shoulder|skeletons? in \w+ (?:closet|cupboard)"
    r"|eyes? on the ball|feet of clay|heart of (?:gold|stone)|cold feet|butterflies in \w+ stomach)\b",
    re.IGNORECASE,
)
"""Words that are not meant as they are said."""


def is_not_stood_by(sentence: str, claim: str) -> bool:
    """Whether a sentence takes back, quotes, supposes or opines what it says, or makes an exception from it."""
    is_unsaid = is_retracted_by_text(sentence, claim) or is_quoted(sentence, claim) or is_conditional(sentence)
    return is_unsaid or has_exception(sentence, claim) or is_opinion(sentence) or has_idiom(sentence, claim)


def is_retracted_by_text(sentence: str, claim: str) -> bool:
    """Whether a sentence calls something an error, or ends in a bare negation of it."""
    words = set(split_words(_NO_RETRACTION.sub(" ", sentence))) - set(split_words(claim))
    return bool(words & _ERRORS) or any(each.search(sentence) is not None for each in (_ELLIPSIS, _RATHER))


def has_exception(sentence: str, claim: str) -> bool:
    """Whether a sentence takes somebody or something out of what it says of all or none: *nobody but Ada*."""
    is_whole = _OF_ALL.search(claim) is not None and _EXCEPTION.search(claim) is None
    return is_whole and _EXCEPTION.search(sentence) is not None


def has_idiom(sentence: str, claim: str) -> bool:
    """Whether a sentence has a figure of speech that the claim has not."""
    found = _IDIOM.search(sentence)
    return found is not None and found[0].casefold() not in claim.casefold()


def is_opinion(sentence: str) -> bool:
    """Whether a sentence only tells what somebody thinks: *in Ada's opinion*."""
    return _OPINION.search(sentence) is not None


def is_rebuttal(sentence: str) -> bool:
    """Whether a sentence is a short denial of the one before it: *It doesn't.*, *Alas, no.*"""
    words = split_words(sentence)
    return 0 < len(words) <= _LONGEST_REBUTTAL and bool(_ERRORS.intersection(words) or _DENIAL.search(sentence))


def is_conditional(sentence: str) -> bool:
    """Whether a sentence opens with a condition that is not said to have come about: *Once the snow melts, …*"""
    opening = _CONDITION.match(sentence)
    return opening is not None and not any(is_past_form(word) or word in _PAST for word in split_words(opening[0]))


def is_quoted(sentence: str, claim: str) -> bool:
    """Whether all words of a claim stand in one quotation."""
    asked = set(content_tokens(claim))
    quotations = (match[1] or match[2] for match in _QUOTATION.finditer(sentence))
    return bool(asked) and any(asked.issubset(content_tokens(each)) for each in quotations)


def is_prospective(claim: ParsedStatement, said: ParsedStatement) -> bool:
    """Whether a statement is about a time ahead that the claim does not name: *from next month*, *come August*."""
    if claim.days or not said.days:
        return False
    first = said.pieces[:2]
    is_open = any(piece.word in _BEGINNINGS for piece in first) and said.days[0].of_any_year is not None
    return is_open or any(day.is_future and day.lead not in _ENDS for day in said.days)
