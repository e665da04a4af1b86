"""Sentences that point their reader at a record or a page: *see ENG-212*, *details: https://…*."""

import re

from recollect.text.negation import negator_pattern
from recollect.text.patterns import lazy_pattern

_ISSUE_KEY = r"(?-i:[A-Z][A-Z0-9]{1,9}-\d+\b)"
_NUMBERED = r"(?:pull request|merge request|PR|MR|issue|ticket|bug|RFC|ADR)s? (?:no\. ?|number )?#?\d+\b"
RECORD_REF = rf"(?:{_ISSUE_KEY}|#\d+\b|{_NUMBERED})"
"""A record by its key or its number."""
_SOURCE = rf"(?:<?https?://\S|{RECORD_REF})"

_PAPER = (
    r"(?:details?|logs?|minutes|notes?|specs?|specification|reports?|documents?|documentation|docs|drafts?|slides|"
    r"manual|guide|recording|discussion|thread|history|results|agenda|summary|background|protocol|instructions|"
    r"references?|ref|sources?)"
)
_WRITTEN_VERB = (
    r"(?:described|documented|explained|discussed|tracked|listed|recorded|summari[sz]ed|written up|collected|laid out|"
    r"spelled out|specified|covered|outlined|noted)"
)
_REPORTED_VERB = rf"(?:{_WRITTEN_VERB}|agreed|mentioned|decided|proposed|reported|planned)"
_MANNER = r"(?:(?:all|also|now|already|fully|[a-z]+ly) ){0,3}+"
_FEW_WORDS = r"(?:(?!(?:you|how|whether|what|why|who|where|that)\b)[\w'\-]+ ){0,4}?"
_POINTS = lazy_pattern(
    rf"(?:^\W*|[,;:(–—] ?|^\W*for [^,;:]* )(?:see(?: also)?|refer to|cf\.?):? {_FEW_WORDS}{_SOURCE}"
    rf"|\bas {_MANNER}{_REPORTED_VERB} (?:in|at|under|on) {_FEW_WORDS}{_SOURCE}"
    rf"|(?:^\W*|, )(?:(?:as )?per|according to) {_SOURCE}"
    rf"|^\W*(?:[\w\-]+ ){{0,3}}?{_PAPER}: {_SOURCE}",
    re.IGNORECASE,
)
_TELLS_WHERE = lazy_pattern(
    rf"\b(?:is|are|was|were|has been|have been) {_MANNER}{_WRITTEN_VERB} (?:in|at|under|on) {_FEW_WORDS}{_SOURCE}"
    rf"|\b{_PAPER}(?: [\w\-]+){{0,5}}? (?:is|are|can be found) {_MANNER}(?:in|at|under|on|here:?) (?:the )?{_SOURCE}",
    re.IGNORECASE,
)
_REFERENCE_HINT = lazy_pattern(
    r"https?://|[A-Z0-9]-\d|#\d|\b(?:request|PR|MR|issue|ticket|bug|RFC|ADR)s? \D{0,8}\d", re.IGNORECASE
)
_NOT_YET_TOLD = lazy_pattern(
    rf"{negator_pattern()}|\b(?:until|once|when|before|after|should|must|hope|think|thought)\b", re.IGNORECASE
)


def is_reference(read: str) -> bool:
    """Whether the sentence points its reader at a record or a page."""
    if _REFERENCE_HINT.search(read) is None:
        return False
    told = _TELLS_WHERE.search(read)
    return _POINTS.search(read) is not None or (told is not None and not _NOT_YET_TOLD.search(read, 0, told.end()))
