"""Sentences that say where something is written: they point at a page, an issue, a pull request."""

import re

KEY = r"(?-i:[A-Z][A-Z0-9]{1,9}-\d+\b)"
_NUMBERED = r"(?:pull request|merge request|PR|MR|issue|ticket|bug|RFC|ADR)s? (?:no\. ?|number )?#?\d+\b"
RECORD = rf"(?:{KEY}|#\d+\b|{_NUMBERED})"
"""A record by its key or its number."""
_SOURCE = rf"(?:<?https?://\S|{RECORD})"

_PAPER = (
    r"(?:details?|logs?|minutes|notes?|specs?|specification|reports?|documents?|documentation|docs|drafts?|slides|"
    r"manual|guide|recording|discussion|thread|history|results|agenda|summary|background|protocol|instructions|"
    r"references?|ref|sources?)"
)
_WRITTEN = (
    r"(?:described|documented|explained|discussed|tracked|listed|recorded|summari[sz]ed|written up|collected|laid out|"
    r"spelled out|specified|covered|outlined|noted)"
)
_SO_SAID = rf"(?:{_WRITTEN}|agreed|mentioned|decided|proposed|reported|planned)"
_ADVERBS = r"(?:(?:all|also|now|already|fully|[a-z]+ly) ){0,3}+"
_SOME_WORDS = r"(?:(?!(?:you|how|whether|what|why|who|where|that)\b)[\w'\-]+ ){0,4}?"
_POINTS = re.compile(
    rf"(?:^\W*|[,;:(–—] ?|^\W*for [^,;:]* )(?:see(?: also)?|refer to|cf\.?):? {_SOME_WORDS}{_SOURCE}"
    rf"|\bas {_ADVERBS}{_SO_SAID} (?:in|at|under|on) {_SOME_WORDS}{_SOURCE}"
    rf"|(?:^\W*|, )(?:(?:as )?per|according to) {_SOURCE}"
    rf"|^\W*(?:[\w\-]+ ){{0,3}}?{_PAPER}: {_SOURCE}",
    re.IGNORECASE,
)
_TELLS_WHERE = re.compile(
    rf"\b(?:is|are|was|were|has been|have been) {_ADVERBS}{_WRITTEN} (?:in|at|under|on) {_SOME_WORDS}{_SOURCE}"
    rf"|\b{_PAPER}(?: [\w\-]+){{0,5}}? (?:is|are|can be found) {_ADVERBS}(?:in|at|under|on|here:?) (?:the )?{_SOURCE}",
    re.IGNORECASE,
)
_ANY = re.compile(r"https?://|[A-Z0-9]-\d|#\d|\b(?:request|PR|MR|issue|ticket|bug|RFC|ADR)s? \D{0,8}\d", re.IGNORECASE)
_NOT_THERE = re.compile(
    r"\b(?:not|never|nothing|nobody|none|no|until|once|when|before|after|should|must|hope|think|thought)\b|n't\b",
    re.IGNORECASE,
)


def refers(read: str) -> bool:
    """Whether the sentence points its reader at a record or a page."""
    if _ANY.search(read) is None:
        return False
    told = _TELLS_WHERE.search(read)
    return _POINTS.search(read) is not None or (told is not None and not _NOT_THERE.search(read, 0, told.end()))
