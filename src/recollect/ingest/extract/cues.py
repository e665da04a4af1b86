"""What a sentence does: it promises, decides, reports, asks for something or commits to it; or nothing."""

import re
from collections.abc import Iterator

from recollect.ingest.extract.references import refers
from recollect.ingest.extract.said_by import Cue, Speakable, is_unsure, said_by
from recollect.ingest.extract.settled import may_settle, resolutions

_NO_ADVERB = r"(?!(?:reapply|apply|supply|reply|rely|comply|fly|multiply|imply|tally|rally|bully|ally)\b)"
_HEDGES = r"(?!(?:probably|possibly|hopefully|likely)\b)"
_ADVERBS = (
    r"(?:(?:also|just|still|then|now|soon|again|already|all|both|finally|currently|kindly|please|gladly|always|"
    rf"{_NO_ADVERB}{_HEDGES}[a-z]+ly) ){{0,3}}+"
)
_VERB = (
    r"(?!(?:be|have|not|never|no|the|a|an|this|that|these|those|my|your|our|their|his|her|its|it|you|he|she|they|we|i|"
    r"me|him|them|us|for|to|of|in|on|at|by|with|from|and|or|but|so|as|than|there|here|if|when|what|who|too|"
    r"probably|possibly|hopefully|likely|maybe|perhaps|only|even|ever|hardly|rather|thank|thanks|yes)\b)[a-z][a-z\-]+"
)
# Whoever will be or have something undertakes nothing; but one may be asked to.
_ASKED = _VERB.replace("be|have|", "", 1)
# What these say is no undertaking, whoever says it.
_IDLE = r"(?!(?:see|bet|admit|confess|miss|need|want|guess|assume|think|hope|know|regret|wonder|say)\b)"
_PLEASE_IDLE = (
    r"(?!(?:note|accept|feel free|excuse|pardon|forgive|do not|don't|never|"
    r"(?:find|see|refer)\b(?: \S+){0,4} (?:attached|enclosed|attachments?|below|above)|"
    r"be (?:aware|advised|informed|reminded|assured|patient))\b)"
)
# One may go to Paris, too, or to bed.
_NO_PLACE = r"(?=(?-i:[a-z]))(?!(?:bed|town|church|school|court|hospital|university|lunch|dinner|breakfast)\b)"
_AM = r"(?:\b(?:is|are|am)|'m|'re|'s)"

_ANY = re.compile(
    r"will|'ll|going|promise|decided|agreed|decision|block|until|stuck|waiting|please| you |need|commit", re.IGNORECASE
)
_CONDITION = re.compile(
    r"\b(?:if|unless|whether|in case|in the event|provided that|assuming)\b|(?:^\W*|, )should (?!be\b)|^\W*had "
    r"|\bmight [a-z]|\bwould\b(?! you\b)|\b[a-z]+'d\b",
    re.IGNORECASE,
)
_MAY = re.compile(r"\bmay [a-z]")
# "Oh sure, I will do your work, too."
_IRONY = re.compile(r"^\W*(?:oh,? (?:sure|right|great|yes)|yeah,? (?:sure|right)|sure, because|as if)\b", re.IGNORECASE)
_REPEATED = re.compile(r"[^:]{0,80}\b(?:wrote|writes|said|says|replied|answered|asked)\W{0,3}: ", re.IGNORECASE)
_PROMISE = re.compile(r"\b(?:i|we) promise (?:to|that)\b", re.IGNORECASE)
_PROMISED = re.compile(r"(?: has| have|'s)? promised (?:to|that)\b", re.IGNORECASE)
_DECIDED = re.compile(
    rf"\b(?:i|we)(?: have|'ve)? {_ADVERBS}decided (?:to|that|on|against)\b"
    rf"|\bwe(?: have|'ve)? {_ADVERBS}agreed (?:to|that|on)\b"
    r"|^[\W_]*decision:[\W_]*\w"
    rf"|\b(?:we are|we're) {_ADVERBS}going with\b",
    re.IGNORECASE,
)
_DECIDED_BY = re.compile(
    rf"(?: has| have|'s)? {_ADVERBS}(?:decided (?:to|that|on|against)|agreed (?:to|that|on))\b", re.IGNORECASE
)
_BLOCKED = re.compile(
    rf"{_AM} {_ADVERBS}blocked (?:by|on)\b"
    rf"|\b(?:is|are) {_ADVERBS}blocking\b"
    rf"|\b(?:can't|cannot|can not) {_ADVERBS}(?!(?:wait|believe|help|stand|imagine)\b){_VERB}\b.*\buntil\b"
    r"|\bstuck on\b"
    r"|\bwaiting (?:on|for)\b.+\bbefore\b",
    re.IGNORECASE,
)
_NOT_BLOCKED = re.compile(
    r"(?:\bnot|n't|\bno longer|\bnever|\bnothing|\bnobody|\bno one|\bnone)"
    r"(?: \w+ly| (?:that|because)(?: (?:the |my |our )?\w+)?)?$",
    re.IGNORECASE,
)
_PLEASE = re.compile(
    rf"\bplease,? {_ADVERBS}{_PLEASE_IDLE}{_ASKED}\b|\b(?:i|we)(?: will|'ll)? need you to {_ASKED}\b", re.IGNORECASE
)
_WONDERS = (
    r"(?!(?:believe|imagine|guess|like|say|prefer|rather|ever|remember|recall)\b|see (?!to\b|that\b)|hear (?:me|us)\b|"
    r"tell\W*$)"
)
_CAN_YOU = re.compile(rf"\b(?:can|could|would) you(?:,? please,?)? {_ADVERBS}{_WONDERS}{_ASKED}\b", re.IGNORECASE)
_ASKS = re.compile(r"\b(?:how|what|when|where|why|who|which|whom|else)(?: \w+)?$", re.IGNORECASE)
_WILL = re.compile(
    rf"\b(?:i|we)(?: will|'ll) {_ADVERBS}{_IDLE}{_VERB}\b"
    rf"|\b(?:i am|i'm|we are|we're) {_ADVERBS}going to {_NO_PLACE}{_IDLE}{_VERB}\b"
    rf"|\b(?:i|we) commit to {_VERB}\b",
    re.IGNORECASE,
)
_WILL_BY = re.compile(rf" (?:will {_ADVERBS}{_IDLE}|committed to ){_VERB}\b", re.IGNORECASE)


def may_say(read: str) -> bool:
    """Whether any row could fit, whoever is known: a quick look before anything is asked of the store."""
    is_shaped = _ANY.search(read) is not None and any(_shapes(read))
    return (is_shaped or may_settle(read) or refers(read)) and not _is_hedged(read)


def cue_of(read: str, person: Speakable) -> Cue | None:
    """The first row that fits the sentence; conditions and questions fit none, save that one may ask by a question."""
    if _is_hedged(read):
        return None
    if read.rstrip("\"'”’)]*_ ").endswith("?"):
        return Cue("request") if _requests(read) else None
    return next(_rows(read, person), None)


def _rows(read: str, person: Speakable) -> Iterator[Cue]:
    if _is_meant(_PROMISE, read):
        yield Cue("promise")
    yield from said_by("promise", _PROMISED, read, person)
    if _is_meant(_DECIDED, read):
        yield Cue("decision")
    yield from said_by("decision", _DECIDED_BY, read, person)
    if _is_blocked(read):
        yield Cue("blocker")
    if _requests(read):
        yield Cue("request")
    if _is_meant(_WILL, read):
        yield Cue("commitment")
    yield from said_by("commitment", _WILL_BY, read, person)
    yield from resolutions(read, person)
    if refers(read):
        yield Cue("reference")


def _shapes(read: str) -> Iterator[bool]:
    for pattern in (_WILL, _WILL_BY, _PLEASE, _CAN_YOU, _BLOCKED, _DECIDED, _DECIDED_BY, _PROMISE, _PROMISED):
        yield pattern.search(read) is not None


def _is_hedged(read: str) -> bool:
    return bool(_CONDITION.search(read) or _MAY.search(read) or _REPEATED.match(read) or _IRONY.match(read))


def _is_meant(pattern: re.Pattern[str], read: str) -> bool:
    return any(not is_unsure(read[: found.start()]) for found in pattern.finditer(read))


def _is_blocked(read: str) -> bool:
    return any(not _NOT_BLOCKED.search(read[: found.start()].rstrip()) for found in _BLOCKED.finditer(read))


def _requests(read: str) -> bool:
    if _PLEASE.search(read):
        return True
    return any(not _ASKS.search(read[: found.start()].rstrip()) for found in _CAN_YOU.finditer(read))
