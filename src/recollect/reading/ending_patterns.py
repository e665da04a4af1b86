"""Sentence forms for what has ended or cannot be borne: `no longer uses`, `stopped using`, `can't stand`."""

import re

from recollect.reading.attribute_patterns import match_attributes
from recollect.reading.phrases import is_name
from recollect.reading.state import GROUP, KnownName, State, is_own_group, subject_in
from recollect.reading.state_targets import target_in
from recollect.reading.verb_patterns import ADVERBS, BE, HAVE, anchored_pattern, target_type
from recollect.text.patterns import lazy_pattern

_STOPPED = anchored_pattern(
    rf"(?:{HAVE} )?{ADVERBS}(?:stopped|quit) "
    r"(?P<verb>using|working (?:at|for)|living in|driving|playing|liking|loving|enjoying|studying(?: at)?|teaching) "
    r"(?P<y>.+?)"
)
_DISMISSED = "(?:laid off|fired|let go|dismissed|sacked|made redundant)"
_LEFT = anchored_pattern(
    rf"(?:{HAVE} )?{ADVERBS}(?:(?:left|quit|lost) (?:my|his|her|their|our) (?:job|post|position) (?:at|with)|left|quit|"
    rf"(?:resigned|retired) from|(?:was|were|been|got) {_DISMISSED} (?:from|by)) (?P<y>.+?)"
)
_CANNOT_STAND = anchored_pattern(r"(?:can['’]t|cannot|can not) (?:stand|bear) (?P<y>.+?)")
_NO_LONGER = anchored_pattern(
    r"(?P<negation>no longer|do not|does not|don't|don’t|doesn't|doesn’t) "
    r"(?P<verb>uses?|works? (?:at|for)|lives? in|owns?|likes?|enjoys?|loves?|prefers?|speaks?|drives?|plays?|teach|"
    r"teaches|reports? to|has|have) "
    r"(?P<y>.+?)(?P<more> any ?more| any longer)?"
)
_NO_LONGER_ALLERGIC = anchored_pattern(
    rf"(?:{BE} (?P<negation>no longer|not)|(?:is|are)n['’]t) allergic to (?P<y>.+?)(?P<more> any ?more| any longer)?"
)
_NO_LONGER_BEING = lazy_pattern(
    r"^(?P<head>.{1,60}?(?: is| am|['’]m)) (?P<negation>no longer|not) (?P<v>.+?)(?P<more> any ?more| any longer)?$"
)
_END_ALONE = lazy_pattern(
    r"^(?:.{1,60}? )??(?:(?:then|later|soon|finally|eventually) )?"
    r"(?:left|quit|resigned|retired|returned|came back|went back|moved (?:away|out|on|back|again)"
    rf"|stepped down|departed|(?:was|got) {_DISMISSED})"
    r"(?: (?:it|there|them|again|(?:the|that) (?:company|firm|job)))?$"
)
_LEFT_THERE = lazy_pattern(r"^(?:.{1,60}? )??(?:left|quit|departed) (?:the )?(?P<where>.+)$")
ENDING_FORMS = (_STOPPED, _LEFT, _CANNOT_STAND, _NO_LONGER, _NO_LONGER_ALLERGIC, _NO_LONGER_BEING)
_LASTING = frozenset({"works_at", "lives_in", "studies_at"})
_PREDICATE_OF_VERB = {
    "use": "uses", "uses": "uses", "using": "uses", "work": "works_at", "works": "works_at", "working": "works_at",
    "live": "lives_in", "lives": "lives_in", "living": "lives_in", "own": "owns", "owns": "owns", "like": "likes",
    "likes": "likes", "prefer": "prefers", "prefers": "prefers", "speak": "speaks", "speaks": "speaks", "have": "has",
    "has": "has", "driving": "drives", "playing": "plays", "drive": "drives", "drives": "drives", "play": "plays",
    "plays": "plays", "enjoy": "likes", "enjoys": "likes", "liking": "likes", "enjoying": "likes", "love": "loves",
    "loves": "loves", "loving": "loves", "studying": "studies", "teaching": "teaches", "teach": "teaches",
    "teaches": "teaches", "report": "reports_to", "reports": "reports_to",
}  # fmt: skip
_OF_PLACE = {"studying at": "studies_at"}
_MORE_THAN_LIKED = ("loves", "prefers")
"""Who likes something no longer neither loves nor prefers it."""


def match_endings(clause: str, known: KnownName, *, has_topic: bool) -> list[State]:
    """What a clause says has ended or cannot be borne: `no longer uses`, `stopped using`, `can't stand`."""
    if match := _STOPPED.match(clause):
        return _ending(match, _predicate_of(match["verb"]), known, has_topic)
    if match := _LEFT.match(clause):
        return [each._replace(needs_known=True) for each in _ending(match, "works_at", known, has_topic)]
    if match := _CANNOT_STAND.match(clause):
        return [
            each._replace(tense="present", has_ended=False) for each in _ending(match, "dislikes", known, has_topic)
        ]
    match = _NO_LONGER_ALLERGIC.match(clause)
    if match is not None and _is_over(match):
        return _ending(match, "allergic_to", known, has_topic)
    match = _NO_LONGER.match(clause)
    if match is None:
        return _being_ended(clause, known, has_topic)
    if not _is_over(match):
        return []
    return _ending(match, _predicate_of(match["verb"]), known, has_topic)


def _predicate_of(verb: str) -> str:
    return _OF_PLACE.get(verb) or _PREDICATE_OF_VERB[verb.split()[0]]


def is_end_of(state: State, clause: str) -> bool:
    """Whether a clause only says that somebody stayed no longer where the clause before it tells: `and left`."""
    if state.predicate not in _LASTING or state.has_ended:
        return False
    left = _LEFT_THERE.match(clause)
    is_left = left is not None and left["where"].casefold() == (state.target or "").casefold()
    return is_left or _END_ALONE.match(clause) is not None


def _is_over(match: re.Match[str]) -> bool:
    return match["negation"] == "no longer" or match["more"] is not None


def _being_ended(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    """`Sofia is no longer vegetarian`, `Ana is no longer my boss`."""
    match = _NO_LONGER_BEING.match(clause)
    if match is None or not _is_over(match):
        return []
    attributes = match_attributes(f"{match['head']} {match['v']}", known, has_topic)
    return [each._replace(tense="change", has_ended=True) for each in attributes if not each.is_judgement]


def _ending(match: re.Match[str], predicate: str, known: KnownName, has_topic: bool) -> list[State]:
    subject, target = subject_in(match["x"], known, has_topic=has_topic), target_in(predicate, match["y"], known)
    if subject is None and predicate == "uses" and is_own_group(match["x"]):
        subject = GROUP
    if subject is None or target is None:
        return []
    type_ = target_type(predicate) if is_name(target) else None
    ended = State(subject, predicate, target, "change", None, type_, has_ended=True)
    others = _MORE_THAN_LIKED if predicate == "likes" else ()
    return [ended, *(ended._replace(predicate=each, needs_known=True) for each in others)]
