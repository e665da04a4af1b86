"""What a sentence says around a relation: nothing that changes it, something that may say when, or that it is not so.

The words are compared with the few that are known to change nothing, a place or a manner, since there is no end to
those that limit a statement: a name in place of the object's, *in the sixth moon*, *in name only*, *apart from 1700*.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from recollect.ingest.lore.lore_clause import LoreClause, Prose
from recollect.ingest.lore.relation_words import is_aside, may_be_verb
from recollect.resolve.name_finder import NameSpan
from recollect.text.lexicon import DETERMINERS, PREPOSITIONS
from recollect.text.negation import CLAUSE_NEGATORS, negator_pattern
from recollect.text.patterns import lazy_pattern
from recollect.text.sentences import TextSpan
from recollect.text.verbs import is_past_form
from recollect.when.english.words import ORDINALS

RelationContext = Literal["plain", "unread", "denied"]
NAME, WHEN = "\ue000", "\ue001"
"""Stand for each letter of a name and of a time that was read."""
_N, _W = f"{NAME}+", f"{WHEN}+"
_PLACES = (
    "city cities town towns village villages castle palace tower temple hall halls court north south east west "
    "northeast northwest southeast southwest valley valleys mountain mountains hills island islands isles sea seas "
    "coast river rivers lake forest forests woods marsh marshes plains desert land lands realm kingdom empire duchy "
    "county province provinces region country countryside capital harbour harbor port bay border borders frontier "
    "continent highlands lowlands church chapel cathedral abbey monastery shrine fortress citadel market square "
    "street road bridge gate gates walls caves mines mine throne camp deep"
)
_MANNERS = (
    "secret secrecy private public person marriage wedlock matrimony arms friendship harmony splendour luxury fear "
    "love honour honor faith force proxy oath right birthright descent decree sword hand fist will consent necessity "
    "terms behalf justice wisdom mercy cruelty pride ceremony prayer blood thunder fire steel iron parents "
    "parentage stock"
)
_HARMLESS = rf"(?:{_N}|(?:{'|'.join(f'{_PLACES} {_MANNERS}'.split())})\b)"
_ADVERBS = (
    "alone together jointly wisely justly well fairly harshly cruelly kindly gently firmly strictly peacefully happily "
    "secretly openly publicly privately proudly bravely boldly strongly directly personally ruthlessly mercilessly "
    "absolutely benevolently unjustly badly poorly competently ably wholly fully entirely completely too also indeed "
    "himself herself itself themselves closely unhappily faithfully loyally officially formally lawfully there here"
)
_OPENINGS = (
    "also moreover furthermore indeed however thus therefore hence accordingly besides both even only the a an all "
    "here there likewise similarly in fact in addition and but so yet then"
)
_ROLES = (
    "king queen regent lord lady duke duchess emperor empress steward governor tyrant consort sovereign chieftain "
    "chief monarch prince princess count countess mayor warden equals equal partners partner friends"
)
_TITLES = (
    "king queen lord lady sir dame duke duchess count countess baron baroness earl prince princess emperor empress "
    "captain general admiral saint st brother sister father mother master mistress doctor dr mr mrs ms chief elder "
    "bishop abbot abbess archmage mage wizard witch knight old fair brave wise great poor good"
)
_DETERMINERS = rf"(?:{'|'.join(sorted(DETERMINERS - {'all', 'your'}))}|one|such)"
_STARTS = PREPOSITIONS | frozenset(
    "alongside amid amidst save except excepting barring excluding apart aside other outwith unlike instead rather "
    "contrary unless once while when whenever if per pending following circa pre post".split()
)
_FUNCTION_WORDS = _STARTS | frozenset("who whom whose which that than or nor not never no but".split())
_PRONOUNS = frozenset("he she they it we you i him them himself herself themselves".split())
_TELLING = frozenset("foretold told said saw knew thought held found felt heard swore wrote sang says say".split())
_ACTIVE = re.compile(r"(?!(?:v|re)?[a-z]{0,2}king$)[a-z]{2,}ing")
_DENYING_START = CLAUSE_NEGATORS | {"or", "than"}
_NOT_MEANT = re.compile(rf"{negator_pattern(CLAUSE_NEGATORS)}|\b(?:would|if)\b")
_OTHER_WORLD = r"(?:another|other|alternate|parallel|imaginary|fictional|no|some|any)"
_OF_AN_AGE = (
    r"(?:old|new|middle|early|late|last|final|next|medieval|feudal|colonial|imperial|ruined"
    rf"|{'|'.join(ORDINALS)})"
)
_END = r"(?=[\s,;:.()\[\]!—–]|$)"
_SPACE = re.compile(r"[\s,.)(\[\]!\"”“'’*_—–:-]+")
_TIME = re.compile(_W)
_TIME_BEFORE = re.compile(rf"^(?:\s*{_W})+")
_ARTICLE = re.compile(r"\s+(?:the|an?)\s*$", re.IGNORECASE)
_PLACE = lazy_pattern(
    r"(?:in|on|at|from|near|across|over|within|beyond|along|by|inside|outside|upon|for|of|through|amid|among)"
    rf"\s+(?!{_OTHER_WORLD}\b)(?:(?:{_DETERMINERS}|all|every)\s+)?(?:{_N}['’]s?\s+)?"
    rf"(?:(?!{_OF_AN_AGE}\b)[a-z-]+\s+){{0,2}}?{_HARMLESS}(?:,?\s+and\s+(?:the\s+)?{_HARMLESS})*{_END}"
)
_STOPS = rf"(?=[,;:()\[\]—–{WHEN}]|\s(?:and|but|while|when|or)\s|[.!]*\s*$)"
_CIRCUMSTANCE = lazy_pattern(
    rf"(?:with|without|despite|against|alongside|because|thanks to|beside|in (?:exchange|defiance|spite|contrast))\s"
    rf"[^,;:()\[\]—–{WHEN}]*?{_STOPS}"
)
_PURPOSE = lazy_pattern(
    rf"(?:in order )?to\s+(?!{_DETERMINERS}\b|all\b|every\b|no\b|any\b|date\b|begin\b|start\b|end\b"
    r"|hear\b|judge\b|believe\b|look\b|listen\b|tell\b|go\b|say\b|speak\b|read\b|see\b|put\b)"
    rf"[a-z]+\s[^,;:()\[\]—–{WHEN}]*?{_STOPS}"
)
_ROLE = lazy_pattern(rf"as\s+(?:{_DETERMINERS}\s+)?(?:[a-z]+\s+)?(?:{'|'.join(_ROLES.split())})\b")
_ADVERB = lazy_pattern(rf"(?:{'|'.join(_ADVERBS.split())}){_END}")
_MORE_NAMES = lazy_pattern(
    rf"(?:and\s+)?(?:the\s+)?{_N}(?!{NAME}|['’]|\s+(?:[a-z]+ed|was|were|is|are|had|has|have|did|became)\b)"
)
_APPOSITION = lazy_pattern(
    rf"(?:{_DETERMINERS}\s|(?:sons?|daughters?|child|children|heirs?|widow|widower|brothers?|sisters?|wife|husband|king|queen|lord|"
    rf"lady|ruler|capital|seat|home|father|mother|founder|members?)\s+of\s)[^,;:()\[\]—–{WHEN}]*?{_STOPS}"
)
_PARTICIPLE = lazy_pattern(
    rf"(?!according|depending|pending|following|barring|excluding|excepting|starting|beginning|ending|supposing|"
    rf"assuming|seeming|providing|considering|pretending|claiming|during|being)[a-z]{{3,}}ing\s"
    rf"[^,;:()\[\]—–{WHEN}]*?{_STOPS}"
)
_NEXT_CLAUSE = lazy_pattern(
    r";|(?:who|whom|whose|which|where|while|whereas|because|although|though|so(?! to\b)|but|yet|when|until|since|"
    r"after|before)\b"
    r"|and\b"
)
_CLEFT = lazy_pattern(r"\s*it (?:is|was)(?: the)?\s*", re.IGNORECASE)
_NEVER = lazy_pattern(r"^never\s+(?=\w)")
_CONCESSION = lazy_pattern(rf"(?:but|though|although|yet)\b.*(?:{negator_pattern(CLAUSE_NEGATORS)}|\b(?:little|few)\b)")
_AND_STILL = lazy_pattern(rf"(?:and|but)\s+(?=[a-z]+ly\b|(?:in|on|at|by|from|for|through|of)\s|{_W})")
_INTERRUPTION = lazy_pattern(
    r"\b(?:breaks?|gaps?|pauses?|interruptions?|intervals?|interludes?|intermissions?|hiatus|lapses?|exceptions?)\b"
)
_FICTION = lazy_pattern(
    r"\b(?:lies?(?! (?:in|on|at|by|beyond|between|under|near)\b)"
    r"|lied|myths?|legends?|legendary|mythical|false|untrue|fables?|fiction(?:al)?|forged?|forger(?:y|ies)|"
    r"disputed?|doubt(?:s|ed|ful)?|dreams?|dreamt|dreamed|rumou?r(?:s|ed)?|alleged|supposed|apocryphal|invented|"
    r"imagined|imaginary|nonsense|hoax|tales?|ballads?|songs?|claims?|claimed|story|stories|pretended|would-be|"
    r"so-called|unconfirmed|unproven|uncertain|questionable|disbelieved|believes?|believed|wrong|namesake|impostor|"
    r"evidence|proofs?|certainty|confirm\w*|records?|accounts?|sources?|prophec(?:y|ies)|visions?|omens?|appearances?)\b",
    re.IGNORECASE,
)
_BESIDE = lazy_pattern(rf"^\s*,?\s*(?:(?:together|jointly)\s+with|alongside)\s+(?:the\s+)?{_N}")
"""Whoever rules beside another may have done so only as long as the other."""
_SENTENCE_END = re.compile(rf"(?<={WHEN})[.!]\s")
"""An end that the splitter takes for an abbreviation: until 53 ST."""
_CLAUSE_START = lazy_pattern(
    rf"[;—–(]|{_SENTENCE_END.pattern}"
    r"|(?:^|[,\s])\s*(?:and|but|while|whilst|whereas|because|although|though|where|when|so|yet|that)\s",
    re.IGNORECASE,
)
_SUBORDINATOR = re.compile(r"although|though|because|whereas|where", re.IGNORECASE)
_NAMES_AND = re.compile(rf"(?:{_N}\s*,\s*)*{_N}\s*,?\s*and\s+(?:the\s+)?$", re.IGNORECASE)
_ALL_BUT = re.compile(r"\b(?:every\w*|all|any\w*|nobody|none|no one|nothing)\s+but\s+(?:the\s+)?$", re.IGNORECASE)
_LABEL = lazy_pattern(r"\s*(?:[-*+>#]+\s+)?(?P<label>[^:.;]{1,60}):\s")
_PLAIN_LABELS = lazy_pattern(
    r"(?:notes?|facts?|background|history|politics|rulers?|government|family|summary|overview|allies|allegiances?|"
    r"lineage|people|relations?|diplomacy)$",
    re.IGNORECASE,
)
_KEEPSAKE = lazy_pattern(
    r"\s*(?:the |an? |this )?(?:[a-z]+ )?(?:portrait|statue|bust|effigy|tomb|grave|seal|sword|shield|ring|coin|cup"
    r"|crown|shrine|relic|banner|letter|diary|chair|gift) of\s+(?:(?:king|queen|lord|lady|sir|dame|saint)\s+)?",
    re.IGNORECASE,
)
"""Whose thing it is of whom a label goes on to tell: seal of Corin, who ruled Vale."""
_NOT_YET = re.compile(r"\s*(?:not|no) (?:long|before|until|till|later|earlier|far|sooner)\b", re.IGNORECASE)
_MARKER = re.compile(r"^\s*(?:[-*+>#]+\s+|\d{1,3}[.)]\s+)*")


def relation_contexts(
    prose: Prose, span: TextSpan, names: Sequence[NameSpan], found: Sequence[LoreClause]
) -> list[RelationContext]:
    """What the sentence makes of each of its relations."""
    times = [TextSpan(each.phrase.begin, each.phrase.stop) for each in found if each.phrase]
    times += [each.aside for each in found if each.aside and each.phrase]
    text = _mask(prose.text, span, [TextSpan(each.start, each.stop) for each in names], times)
    objects = {each.other for each in found}
    return [_strictest([_around(text, span.start, each, objects), _in_passing(prose, each)]) for each in found]


def _in_passing(prose: Prose, clause: LoreClause) -> RelationContext:
    words = "" if clause.aside is None else prose.text[clause.aside.start : clause.aside.stop]
    return "unread" if _FICTION.search(words) or _NOT_MEANT.search(words) else "plain"


def _mask(text: str, span: TextSpan, names: Iterable[TextSpan], times: Iterable[TextSpan]) -> str:
    """The sentence at equal length, each letter of its names and of the times that were read as one sign."""
    letters = list(text[span.start : span.stop])
    for spans, sign in ((names, NAME), (times, WHEN)):
        for each in spans:
            stop = each.stop - (text[each.stop - 1] in ")]")
            letters[each.start - span.start : stop - span.start] = sign * (stop - each.start)
    return "".join(letters)


def _around(text: str, at: int, clause: LoreClause, objects: Collection[NameSpan | None]) -> RelationContext:
    """The words before the subject, unless they are those of another relation, and those after the object."""
    is_told = clause.is_shared or clause.one in objects or _is_bracketed(text, at, clause)
    if is_aside(text[clause.words.start - at : clause.words.stop - at]):
        is_told = is_told or _KEEPSAKE.fullmatch(text, 0, clause.one.start - at) is not None
    begin = clause.one.start if clause.other is None else min(clause.one.start, clause.other.start)
    before = "plain" if is_told else words_before(text[: begin - at])
    return _strictest([before, words_after(text[clause.stop - at :])])


def _is_bracketed(text: str, at: int, clause: LoreClause) -> bool:
    """Whether a relation stands in brackets after its subject, whatever the sentence says: the tomb of N (died …)."""
    return text[clause.words.start - at :].lstrip().startswith("(") and not _FICTION.search(text)


def _strictest(found: Iterable[RelationContext]) -> RelationContext:
    return max(found, key=("plain", "unread", "denied").index, default="plain")


def words_before(words: str) -> RelationContext:
    """What stands between the start of a sentence and the subject."""
    label = _LABEL.match(words)
    if label is not None and not _PLAIN_LABELS.match(label["label"].strip(" *_")):
        return "denied" if _FICTION.search(label["label"]) else "unread"
    clause = _MARKER.sub("", words[label.end() if label else 0 :])
    if _ALL_BUT.search(clause):
        return "denied"
    clause = _NAMES_AND.sub("", clause)
    starts = list(_CLAUSE_START.finditer(clause))
    pieces = (clause[starts[-1].end() :] if starts else clause).split(",")
    is_subordinate = bool(starts) and _SUBORDINATOR.search(starts[-1][0]) is not None
    return _strictest([*map(_adverbial, () if is_subordinate else pieces[:-1]), _subject(pieces[-1])])


def _subject(words: str) -> RelationContext:
    """The words that touch the subject: its title, or a phrase that says where; *the brother of* is another subject."""
    if _CLEFT.fullmatch(words):
        return "plain"
    words = _TIME_BEFORE.sub("", words)
    tokens = [each.strip("\"“'’*_[").lower() for each in words.split()]
    if not tokens or all(each in _OPENINGS.split() for each in tokens):
        return "plain"
    if tokens[0] in _DENYING_START:
        return "unread" if _NOT_YET.match(words) else "denied"
    if tokens[0] in _STARTS:
        return _adverbial(words)
    if _FICTION.search(words) or any(each in _FUNCTION_WORDS for each in tokens):
        return "denied"
    if tokens[-1] in _TELLING or is_past_form(tokens[-1]):
        return "unread"
    if any(each in _PRONOUNS or _ACTIVE.fullmatch(each) for each in tokens):
        return "unread"
    is_title = tokens[0] in _TITLES.split() or re.match(rf"(?:{_DETERMINERS}$|{_N}['’])", tokens[0]) is not None
    return "plain" if is_title else "unread"


def _adverbial(words: str) -> RelationContext:
    """A phrase before the subject: a time that was read, a place, a manner, or another name."""
    at, text = 0, _ARTICLE.sub("", words).strip()
    text = text[:1].lower() + text[1:]
    if all(each in _OPENINGS.split() for each in text.lower().split()):
        return "plain"
    while at < len(text):
        found = _first(text, at, (_SPACE, _TIME, _PLACE, _CIRCUMSTANCE, _ROLE, _ADVERB, _MORE_NAMES, _APPOSITION))
        if found is None or _INTERRUPTION.search(found[0]) or _FICTION.search(found[0]):
            return "unread"
        at = found.end()
    return "plain"


def words_after(words: str) -> RelationContext:
    """What stands between the object and the end of its clause."""
    if re.match(rf"['’]s?\b|\s+[A-Z]|\s*,?\s+or\s+(?:the\s+)?{_N}", words):
        return "denied"
    if _BESIDE.search(words):
        return "unread"
    at, words = 0, _SENTENCE_END.split(words)[0]
    patterns = (_SPACE, _TIME, _PLACE, _CIRCUMSTANCE, _PURPOSE, _ROLE, _ADVERB, _MORE_NAMES, _AND_STILL)
    while at < len(words):
        is_apart = words[:at].rstrip()[-1:] in tuple(",()—–:")
        found = _first(words, at, (*patterns, _APPOSITION, _PARTICIPLE) if is_apart else patterns)
        if found is None:
            return _rest(words[at:], is_apart=is_apart)
        if _INTERRUPTION.search(found[0]) or _FICTION.search(found[0]):
            return "unread"
        at = found.end()
    return "plain"


def _rest(words: str, *, is_apart: bool) -> RelationContext:
    """What is left behind the phrases: the next clause of the sentence, or words of which nothing is known."""
    first = _NEVER.sub("", words).split()[0].strip(",.;")
    if _NEXT_CLAUSE.match(words) is None and not (is_apart and may_be_verb(first)):
        return "unread"
    said = re.split(r"[;.]", words)[0]
    is_taken_back = _CONCESSION.match(said) is not None or (is_apart and _FICTION.search(said) is not None)
    return "unread" if is_taken_back else "plain"


def _first(text: str, at: int, patterns: Sequence[re.Pattern[str]]) -> re.Match[str] | None:
    found = (pattern.match(text, at) for pattern in patterns)
    return next((each for each in found if each is not None and each.end() > at), None)
