"""Speech act classifier for English sentences: promise, decision, blocker, request, resolution, reference."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from recollect.text.patterns import lazy_pattern

_MOST_NAME_WORDS = 5
_CONJUNCTIONS = frozenset({"and", "or", "&", "nor", "neither"})
_NAME_EDGES = "\"'“”‘’()[]{}<>,;:!?*_`~#@-–—"

# "I think", "maybe" and "I wonder when" right ahead of a cue take its meaning away.
_HEDGE = lazy_pattern(
    r"(?:\b(?:(?:think|doubt|hope|wish|guess|assume|suppose|believe|suspect|expect|imagine|wonder)(?:d|s|ed)?|thought|"
    r"thinking|hoping|assuming|expecting|unsure|unlikely|unclear|what|when|how|where|why|"
    r"(?:not|never|n't|hardly) (?:say|know|sure|certain|true|clear|likely|promise|guarantee|mean)|not because|not)"
    r"(?: that)?"
    r"|\b(?:maybe|perhaps|probably|possibly|hopefully),?)$",
    re.IGNORECASE,
)

_MINUTES_TURN = lazy_pattern(r"[\W_]*([^\W\d_][^:*_]{0,60}?)[*_]*:[*_]* ")

PersonLookup = Callable[[str], str | None]
"""The id of the one known person of a name; none if nobody or several have it."""


class SpeechCue(NamedTuple):
    """What kind of statement a sentence makes, and by whom if not by its author."""

    fact_type: str
    subject: str | None = None


class NamedPerson(NamedTuple):
    """A person named in a sentence, and the words ahead of the name."""

    who: str
    ahead: str


def is_unsure(ahead: str) -> bool:
    """Whether these words make what follows them a thought, a hope or a question."""
    return _HEDGE.search(ahead.rstrip()) is not None


def cues_by_named(fact_type: str, pattern: re.Pattern[str], read: str, person: PersonLookup) -> Iterator[SpeechCue]:
    """The cues of a pattern that stand right behind a person's name and are meant."""
    for found in pattern.finditer(read):
        named = trailing_person(read[: found.start()], person)
        if named is not None and not is_unsure(named.ahead):
            yield SpeechCue(fact_type, named.who)


def trailing_person(before: str, person: PersonLookup) -> NamedPerson | None:
    """The person whose name ends the text; none where it is one of several names in a row."""
    words = before.split()
    for count in range(min(_MOST_NAME_WORDS, len(words)), 0, -1):
        name = " ".join(words[-count:]).lstrip(_NAME_EDGES)
        found = person(name) if name else None
        if found is not None:
            ahead = words[:-count]
            is_joined = bool(ahead) and ahead[-1].casefold() in _CONJUNCTIONS
            return None if is_joined else NamedPerson(found, " ".join(ahead))
    return None


def leading_person(after: str, person: PersonLookup) -> str | None:
    """The person whose name begins the text; none where another name is joined to it."""
    words = after.split()
    for count in range(min(_MOST_NAME_WORDS, len(words)), 0, -1):
        name = " ".join(words[:count]).strip(_NAME_EDGES + ".")
        found = person(name) if name else None
        if found is not None:
            behind = words[count] if len(words) > count else ""
            return None if behind.casefold() in _CONJUNCTIONS else found
    return None


def minutes_speaker(read: str, person: PersonLookup) -> str | None:
    """Who says the sentence where minutes give each speaker a line: *Dana Cole: I will send it.*"""
    turn = _MINUTES_TURN.match(read)
    return person(turn[1]) if turn is not None else None


ISSUE_KEY = r"(?-i:[A-Z][A-Z0-9]{1,9}-\d+\b)"
_NUMBERED = r"(?:pull request|merge request|PR|MR|issue|ticket|bug|RFC|ADR)s? (?:no\. ?|number )?#?\d+\b"
RECORD_REF = rf"(?:{ISSUE_KEY}|#\d+\b|{_NUMBERED})"
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
_NEGATION = lazy_pattern(
    r"\b(?:not|never|nothing|nobody|none|no|until|once|when|before|after|should|must|hope|think|thought)\b|n't\b",
    re.IGNORECASE,
)


def is_reference(read: str) -> bool:
    """Whether the sentence points its reader at a record or a page."""
    if _REFERENCE_HINT.search(read) is None:
        return False
    told = _TELLS_WHERE.search(read)
    return _POINTS.search(read) is not None or (told is not None and not _NEGATION.search(read, 0, told.end()))


_FIX_ADVERBS = r"(?:(?:also|just|now|all|both|finally|already|since|[a-z]+ly) ){0,3}+"
_DETERMINER = (
    r"(?:the|this|that|these|those|my|our|your|their|his|her|its|an?|another|all|both|every|one|two|three|four|five|"
    r"[a-z\-]+'s) "
)
_TICKET = r"(?:ticket|issue|bug|incident|defect|complaint|pull request|merge request|PR)s?"
_TICKETS = rf"(?:{_DETERMINER}(?:[\w\-]+ ){{0,3}}?{_TICKET}\b(?: #?\d+)?|{RECORD_REF})"
_THING = rf"(?:{_DETERMINER}\w|(?:it|them|everything)\b|{RECORD_REF})"
# What is fixed for the year was never a trouble.
_ARRANGEMENT_NOUN = (
    r"(?:date|day|time|price|fee|rate|amount|salary|rent|term|appointment|meeting|meal|lunch|dinner|breakfast|supper|"
    r"coffee|drink|deadline|schedule|venue|interest|budget|cost)s?"
)
_PHRASE_END = r"(?=\W*$|[.,;:!)]| (?:for|at|on|of|in|with|to|by|and|last|this|next|yesterday|today)\b)"
_NOT_ARRANGED = rf"(?! (?:{_DETERMINER})?(?:[\w\-]+ ){{0,2}}?{_ARRANGEMENT_NOUN}{_PHRASE_END})"
_RESOLVED_VERB = (
    rf"(?:(?:resolved(?! that\b)|solved|sorted out|fixed{_NOT_ARRANGED}) {_THING}"
    rf"|closed {_TICKETS})"
)
_RESOLVED_BY_AUTHOR = lazy_pattern(rf"\b(?:i|we)(?: have|'ve)? {_FIX_ADVERBS}{_RESOLVED_VERB}", re.IGNORECASE)
_RESOLVED_BY_NAMED = lazy_pattern(rf"(?: has| have|'s)? {_FIX_ADVERBS}{_RESOLVED_VERB}", re.IGNORECASE)

_BEGINNING = r"(?:^|[,;:(–—] ?| - |\band )\W*"
# What is mended whenever it breaks is not mended now.
_HABIT = r"(?!.*\b(?:when|whenever|within|after|automatically|always|every|each|in the order)\b)"
_BE = rf"(?:(?:is|are) {_HABIT}|(?:was|were|has been|have been) ){_FIX_ADVERBS}"
# Fixed to a wall, resolved into parts, closed for repairs.
_NOT_LASTING = (
    r"(?!-| (?:to|for|into|against|as(?! of)|between|in (?:place|stone|concrete|position)|width|size|length|term)\b"
    r"| (?:at|on) (?!\d\d?[:.]\d\d|\d\d? ?[ap]\.?m|\d\d? [A-Z]|(?-i:[A-Z])|noon|midnight))"
)
_IS_RESOLVED = lazy_pattern(
    rf"{_BEGINNING}(?P<what>(?:(?!(?:an?|every) ){_DETERMINER}|(?:it|everything) |{RECORD_REF} ).{{0,150}}?)\b{_BE}"
    rf"(?:fixed|resolved|solved)\b{_NOT_LASTING}"
    rf"|{_BEGINNING}{_TICKETS} {_BE}closed\b{_NOT_LASTING}",
    re.IGNORECASE,
)
_NOT_A_PROBLEM = lazy_pattern(
    rf"\b(?:{_ARRANGEMENT_NOUN}(?: (?:of|for|with|in|on)\b.*)?|that|which)\s*$", re.IGNORECASE
)
_BY_AGENT = lazy_pattern(
    r"[^,;:]*? by (?!the\b)(?=(?P<name>(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|[A-Z][a-z]+ \d|\d)[A-Z])?)"
)

_RESOLUTION_HINT = lazy_pattern(r"\b(?:(?:fix|resolv|solv|clos)ed|sorted out)\b", re.IGNORECASE)
# Before the cue: hearsay, wishes, doubts, and what it is made to depend on.
_DOUBT = lazy_pattern(
    r"\b(?:not|never|no|nothing|nobody|none|neither|hardly|barely|almost|nearly|partly|partially|mostly|largely|half|"
    r"some|most|few|temporarily|supposedly|apparently|allegedly|usually|normally|once|when|whenever|until|till|before|"
    r"after|while|who|whoever|which|how|why|what|should|must|shall|can|could|will|had|thought|said|told|wrote|heard|"
    r"(?:want|need|hope|think|believe|guess|suppose|doubt|expect|wish|pretend|claim|say|hear|(?<!you )report|seem|look|"
    r"appear|ensure|wonder|imagine)(?:s|ed)?|maybe|perhaps|probably|possibly|hopefully|likely|goal|plan)\b"
    r"|n't\b|'ll\b|\b(?:as soon as|make sure|so that|let (?:me|us) know)\b",
    re.IGNORECASE,
)
# Behind it: what takes it back.
_RETRACTION = lazy_pattern(
    r"\b(?:but|although|though|however|except|unless|until|partly|partially|mostly|temporarily|for now|they say|or so|"
    r"(?:he|she) (?:says|said|claims)|i (?:think|thought|hope|guess|believe)|supposedly|apparently|allegedly)\b",
    re.IGNORECASE,
)


def may_be_resolution(read: str) -> bool:
    """Whether the sentence may say that something is settled, whoever is known."""
    return _RESOLUTION_HINT.search(read) is not None and any(
        pattern.search(read) for pattern in (_RESOLVED_BY_NAMED, _IS_RESOLVED)
    )


def resolution_cues(read: str, person: PersonLookup) -> Iterator[SpeechCue]:
    """That a trouble is over, and who ended it if not the author."""
    if _RESOLUTION_HINT.search(read) is None:
        return
    if any(_is_sure(read, found) for found in _RESOLVED_BY_AUTHOR.finditer(read)):
        yield SpeechCue("resolution")
    for found in _RESOLVED_BY_NAMED.finditer(read):
        named = trailing_person(read[: found.start()], person)
        if named is not None and _is_sure(read, found):
            yield SpeechCue("resolution", named.who)
    for found in _IS_RESOLVED.finditer(read):
        if _is_sure(read, found) and not (found["what"] and _NOT_A_PROBLEM.search(found["what"])):
            yield from _resolver_cue(read, found, person)


def _resolver_cue(read: str, found: re.Match[str], person: PersonLookup) -> Iterator[SpeechCue]:
    """The author reports it, unless the sentence names another; one whom nobody knows cannot be told of."""
    by = _BY_AGENT.match(read, found.end())
    who = leading_person(read[by.end() :], person) if by is not None else None
    if who is not None or by is None or by["name"] is None:
        yield SpeechCue("resolution", who)


def _is_sure(read: str, found: re.Match[str]) -> bool:
    return _DOUBT.search(read, 0, found.end()) is None and _RETRACTION.search(read, found.end()) is None


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
_REQUESTED_VERB = _VERB.replace("be|have|", "", 1)
# What these say is no undertaking, whoever says it.
# Nor is an outburst: "I'll kill him!" But one may kill a process.
_OUTBURST = (
    r"(?!(?:die|explode|faint|cry|scream|murder|strangle)\b|(?:kill|punch|slap|smack|shoot|choke|destroy) "
    r"(?:(?:him|her|you|them|someone|somebody|everyone|everybody|myself)\b|(?-i:[A-Z][a-z])|"
    r"(?:this|that|the) (?:guy|man|woman|person|boss|idiot)\b))"
)
_NON_COMMITTAL = (
    r"(?!(?:see|bet|admit|confess|miss|need|want|guess|assume|think|hope|know|regret|wonder|say)\b)" + _OUTBURST
)
_PLEASE_IDLE = (
    r"(?!(?:note|accept|feel free|excuse|pardon|forgive|do not|don't|never|"
    r"(?:find|see|refer)\b(?: \S+){0,4} (?:attached|enclosed|attachments?|below|above)|"
    r"be (?:aware|advised|informed|reminded|assured|patient))\b)"
)
# One may go to Paris, too, or to bed.
_NO_PLACE = r"(?=(?-i:[a-z]))(?!(?:bed|town|church|school|court|hospital|university|lunch|dinner|breakfast)\b)"
_AM = r"(?:\b(?:is|are|am)|'m|'re|'s)"

_CUE_WORD = lazy_pattern(
    r"will|'ll|going|promise|decided|agreed|decision|block|until|stuck|waiting|please| you |need|commit", re.IGNORECASE
)
_CONDITION = lazy_pattern(
    r"\b(?:if|unless|whether|in case|in the event|provided that|assuming)\b|(?:^\W*|, )should (?!be\b)|^\W*had "
    r"|\bmight [a-z]|\bwould\b(?! you\b)|\b[a-z]+'d\b",
    re.IGNORECASE,
)
_MAY_MODAL = lazy_pattern(r"\bmay [a-z]")
# "Oh sure, I will do your work, too."
_IRONY = lazy_pattern(
    r"^\W*(?:oh,? (?:sure|right|great|yes)|yeah,? (?:sure|right)|sure, because|as if)\b", re.IGNORECASE
)
_REPEATED = lazy_pattern(r"[^:]{0,80}\b(?:wrote|writes|said|says|replied|answered|asked)\W{0,3}: ", re.IGNORECASE)
_PROMISE = lazy_pattern(r"\b(?:i|we) promise (?:to|that)\b", re.IGNORECASE)
_PROMISED = lazy_pattern(r"(?: has| have|'s)? promised (?:to|that)\b", re.IGNORECASE)
_DECIDED = lazy_pattern(
    rf"\b(?:i|we)(?: have|'ve)? {_ADVERBS}decided (?:to|that|on|against)\b"
    rf"|\bwe(?: have|'ve)? {_ADVERBS}agreed (?:to|that|on)\b"
    r"|^[\W_]*decision:[\W_]*\w"
    rf"|\b(?:we are|we're) {_ADVERBS}going with\b",
    re.IGNORECASE,
)
_DECIDED_BY = lazy_pattern(
    rf"(?: has| have|'s)? {_ADVERBS}(?:decided (?:to|that|on|against)|agreed (?:to|that|on))\b", re.IGNORECASE
)
_BLOCKED = lazy_pattern(
    rf"{_AM} {_ADVERBS}blocked (?:by|on)\b"
    rf"|\b(?:is|are) {_ADVERBS}blocking\b"
    rf"|\b(?:can't|cannot|can not) {_ADVERBS}(?!(?:wait|believe|help|stand|imagine)\b){_VERB}\b.*\buntil\b"
    r"|\bstuck on\b"
    r"|\bwaiting (?:on|for)\b.+\bbefore\b",
    re.IGNORECASE,
)
_NOT_BLOCKED = lazy_pattern(
    r"(?:\bnot|n't|\bno longer|\bnever|\bnothing|\bnobody|\bno one|\bnone)"
    r"(?: \w+ly| (?:that|because)(?: (?:the |my |our )?\w+)?)?$",
    re.IGNORECASE,
)
_PLEASE = lazy_pattern(
    rf"\bplease,? {_ADVERBS}{_PLEASE_IDLE}{_REQUESTED_VERB}\b|\b(?:i|we)(?: will|'ll)? need you to {_REQUESTED_VERB}\b",
    re.IGNORECASE,
)
_WONDERS = (
    r"(?!(?:believe|imagine|guess|like|say|prefer|rather|ever|remember|recall)\b|see (?!to\b|that\b)|hear (?:me|us)\b|"
    r"tell\W*$)"
)
_CAN_YOU = lazy_pattern(
    rf"\b(?:can|could|would) you(?:,? please,?)? {_ADVERBS}{_WONDERS}{_REQUESTED_VERB}\b", re.IGNORECASE
)
_QUESTION_WORD = lazy_pattern(r"\b(?:how|what|when|where|why|who|which|whom|else)(?: \w+)?$", re.IGNORECASE)
_WILL = lazy_pattern(
    rf"\b(?:i|we)(?: will|'ll) {_ADVERBS}{_NON_COMMITTAL}{_VERB}\b"
    rf"|\b(?:i am|i'm|we are|we're) {_ADVERBS}going to {_NO_PLACE}{_NON_COMMITTAL}{_VERB}\b"
    rf"|\b(?:i|we) commit to {_VERB}\b",
    re.IGNORECASE,
)
_WILL_BY = lazy_pattern(rf" (?:will {_ADVERBS}{_NON_COMMITTAL}|committed to ){_VERB}\b", re.IGNORECASE)


def may_be_speech_act(read: str) -> bool:
    """Whether any row could fit, whoever is known: a quick look before anything is asked of the store."""
    is_shaped = _CUE_WORD.search(read) is not None and any(_pattern_hits(read))
    return (is_shaped or may_be_resolution(read) or is_reference(read)) and not _is_hedged(read)


def classify_sentence(read: str, person: PersonLookup) -> SpeechCue | None:
    """The first row that fits the sentence; conditions and questions fit none, save that one may ask by a question."""
    if _is_hedged(read):
        return None
    if read.rstrip("\"'”’)]*_ ").endswith("?"):
        return SpeechCue("request") if _is_request(read) else None
    return next(_iter_cues(read, person), None)


def _iter_cues(read: str, person: PersonLookup) -> Iterator[SpeechCue]:
    if _is_meant(_PROMISE, read):
        yield SpeechCue("promise")
    yield from cues_by_named("promise", _PROMISED, read, person)
    if _is_meant(_DECIDED, read):
        yield SpeechCue("decision")
    yield from cues_by_named("decision", _DECIDED_BY, read, person)
    if _is_blocked(read):
        yield SpeechCue("blocker")
    if _is_request(read):
        yield SpeechCue("request")
    if _is_meant(_WILL, read):
        yield SpeechCue("commitment")
    yield from cues_by_named("commitment", _WILL_BY, read, person)
    yield from resolution_cues(read, person)
    if is_reference(read):
        yield SpeechCue("reference")


def _pattern_hits(read: str) -> Iterator[bool]:
    for pattern in (_WILL, _WILL_BY, _PLEASE, _CAN_YOU, _BLOCKED, _DECIDED, _DECIDED_BY, _PROMISE, _PROMISED):
        yield pattern.search(read) is not None


def _is_hedged(read: str) -> bool:
    return bool(_CONDITION.search(read) or _MAY_MODAL.search(read) or _REPEATED.match(read) or _IRONY.match(read))


def _is_meant(pattern: re.Pattern[str], read: str) -> bool:
    return any(not is_unsure(read[: found.start()]) for found in pattern.finditer(read))


def _is_blocked(read: str) -> bool:
    return any(not _NOT_BLOCKED.search(read[: found.start()].rstrip()) for found in _BLOCKED.finditer(read))


def _is_request(read: str) -> bool:
    if _PLEASE.search(read):
        return True
    return any(not _QUESTION_WORD.search(read[: found.start()].rstrip()) for found in _CAN_YOU.finditer(read))
