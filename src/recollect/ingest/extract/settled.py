"""Sentences that say that a trouble is over: fixed, resolved, solved, closed, by their author or by one they name."""

import re
from collections.abc import Iterator

from recollect.ingest.extract.references import RECORD
from recollect.ingest.extract.said_by import Cue, Speakable, named_first, named_last

_ADVERBS = r"(?:(?:also|just|now|all|both|finally|already|since|[a-z]+ly) ){0,3}+"
_DETERMINER = (
    r"(?:the|this|that|these|those|my|our|your|their|his|her|its|an?|another|all|both|every|one|two|three|four|five|"
    r"[a-z\-]+'s) "
)
_TICKET = r"(?:ticket|issue|bug|incident|defect|complaint|pull request|merge request|PR)s?"
_TICKETS = rf"(?:{_DETERMINER}(?:[\w\-]+ ){{0,3}}?{_TICKET}\b(?: #?\d+)?|{RECORD})"
_THING = rf"(?:{_DETERMINER}\w|(?:it|them|everything)\b|{RECORD})"
# What is fixed for the year was never a trouble.
_ARRANGED = (
    r"(?:date|day|time|price|fee|rate|amount|salary|rent|term|appointment|meeting|meal|lunch|dinner|breakfast|supper|"
    r"coffee|drink|deadline|schedule|venue|interest|budget|cost)s?"
)
_WHOLE = r"(?=\W*$|[.,;:!)]| (?:for|at|on|of|in|with|to|by|and|last|this|next|yesterday|today)\b)"
_NOT_ARRANGED = rf"(?! (?:{_DETERMINER})?(?:[\w\-]+ ){{0,2}}?{_ARRANGED}{_WHOLE})"
_SETTLED = (
    rf"(?:(?:resolved(?! that\b)|solved|sorted out|fixed{_NOT_ARRANGED}) {_THING}"
    rf"|closed {_TICKETS})"
)
_BY_AUTHOR = re.compile(rf"\b(?:i|we)(?: have|'ve)? {_ADVERBS}{_SETTLED}", re.IGNORECASE)
_BY_NAMED = re.compile(rf"(?: has| have|'s)? {_ADVERBS}{_SETTLED}", re.IGNORECASE)

_BEGINNING = r"(?:^|[,;:(–—] ?| - |\band )\W*"
# What is mended whenever it breaks is not mended now.
_HABIT = r"(?!.*\b(?:when|whenever|within|after|automatically|always|every|each|in the order)\b)"
_IS = rf"(?:(?:is|are) {_HABIT}|(?:was|were|has been|have been) ){_ADVERBS}"
# Fixed to a wall, resolved into parts, closed for repairs.
_NOT_LASTING = (
    r"(?!-| (?:to|for|into|against|as(?! of)|between|in (?:place|stone|concrete|position)|width|size|length|term)\b"
    r"| (?:at|on) (?!\d\d?[:.]\d\d|\d\d? ?[ap]\.?m|\d\d? [A-Z]|(?-i:[A-Z])|noon|midnight))"
)
_IS_SETTLED = re.compile(
    rf"{_BEGINNING}(?P<what>(?:(?!(?:an?|every) ){_DETERMINER}|(?:it|everything) |{RECORD} ).{{0,150}}?)\b{_IS}"
    rf"(?:fixed|resolved|solved)\b{_NOT_LASTING}"
    rf"|{_BEGINNING}{_TICKETS} {_IS}closed\b{_NOT_LASTING}",
    re.IGNORECASE,
)
_NO_TROUBLE = re.compile(rf"\b(?:{_ARRANGED}(?: (?:of|for|with|in|on)\b.*)?|that|which)\s*$", re.IGNORECASE)
_BY = re.compile(
    r"[^,;:]*? by (?!the\b)(?=(?P<name>(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|[A-Z][a-z]+ \d|\d)[A-Z])?)"
)

_ANY = re.compile(r"\b(?:(?:fix|resolv|solv|clos)ed|sorted out)\b", re.IGNORECASE)
# Before the cue: hearsay, wishes, doubts, and what it is made to depend on.
_DOUBTED = re.compile(
    r"\b(?:not|never|no|nothing|nobody|none|neither|hardly|barely|almost|nearly|partly|partially|mostly|largely|half|"
    r"some|most|few|temporarily|supposedly|apparently|allegedly|usually|normally|once|when|whenever|until|till|before|"
    r"after|while|who|whoever|which|how|why|what|should|must|shall|can|could|will|had|thought|said|told|wrote|heard|"
    r"(?:want|need|hope|think|believe|guess|suppose|doubt|expect|wish|pretend|claim|say|hear|(?<!you )report|seem|look|"
    r"appear|ensure|wonder|imagine)(?:s|ed)?|maybe|perhaps|probably|possibly|hopefully|likely|goal|plan)\b"
    r"|n't\b|'ll\b|\b(?:as soon as|make sure|so that|let (?:me|us) know)\b",
    re.IGNORECASE,
)
# Behind it: what takes it back.
_TAKEN_BACK = re.compile(
    r"\b(?:but|although|though|however|except|unless|until|partly|partially|mostly|temporarily|for now|they say|or so|"
    r"(?:he|she) (?:says|said|claims)|i (?:think|thought|hope|guess|believe)|supposedly|apparently|allegedly)\b",
    re.IGNORECASE,
)


def may_settle(read: str) -> bool:
    """Whether the sentence may say that something is settled, whoever is known."""
    return _ANY.search(read) is not None and any(pattern.search(read) for pattern in (_BY_NAMED, _IS_SETTLED))


def resolutions(read: str, person: Speakable) -> Iterator[Cue]:
    """That a trouble is over, and who ended it if not the author."""
    if _ANY.search(read) is None:
        return
    if any(_is_sure(read, found) for found in _BY_AUTHOR.finditer(read)):
        yield Cue("resolution")
    for found in _BY_NAMED.finditer(read):
        named = named_last(read[: found.start()], person)
        if named is not None and _is_sure(read, found):
            yield Cue("resolution", named.who)
    for found in _IS_SETTLED.finditer(read):
        if _is_sure(read, found) and not (found["what"] and _NO_TROUBLE.search(found["what"])):
            yield from _ended_by(read, found, person)


def _ended_by(read: str, found: re.Match[str], person: Speakable) -> Iterator[Cue]:
    """The author reports it, unless the sentence names another; one whom nobody knows cannot be told of."""
    by = _BY.match(read, found.end())
    who = named_first(read[by.end() :], person) if by is not None else None
    if who is not None or by is None or by["name"] is None:
        yield Cue("resolution", who)


def _is_sure(read: str, found: re.Match[str]) -> bool:
    return _DOUBTED.search(read, 0, found.end()) is None and _TAKEN_BACK.search(read, found.end()) is None
