"""Sentence forms: the plain ways in which people state where somebody works, what they use, what something is.

A form has to cover its clause from the first to the last word. Whatever a form does not cover stays unread.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from recollect.reading.attribute_forms import match_attributes
from recollect.reading.person_forms import match_people
from recollect.reading.phrases import (
    allergen,
    has_duration,
    is_name,
    is_plural,
    is_project_name,
    liked_phrase,
    object_phrase,
    owned_phrase,
    possession,
    scope_of,
    words_of,
    workplace,
)
from recollect.reading.state import GROUP, OWNER, KnownName, State, subject_in
from recollect.reading.state_time import Tense
from recollect.reading.state_words import GROUP_NOUNS, RESTRICTIONS, TOOLS_AND_TEAMS
from recollect.reading.tool_forms import match_tools
from recollect.text.patterns import PatternGroup, lazy_pattern

_ADVERBS = (
    r"(?:(?:also|still|currently|now|really|always|mainly|mostly|primarily|already|personally|actually|definitely) )*"
)
# Words before the verb; a contraction such as I'm follows without a space.
_X = r"(?P<x>|.{1,80}?(?=['’])|.{1,80}? )"
_BE = r"(?:is|am|are|'m|’m|'re|’re)"
_HAVE = r"(?:has|have|'ve|’ve)"
_TAIL = r"(?: (?P<tail>(?:as|with|in|on|for|at|near|since|from|by|together) .+))?"


def _form(pattern: str) -> re.Pattern[str]:
    return lazy_pattern(rf"^{_X}{pattern}$")


_STATE_VERBS = {
    # predicate: present of a name, present of I and we, past, participle, progressive, type of subject, type of target
    "works_at": ("works", "work", "worked", "worked", "working", r"(?:at|for)", "person", "organization"),
    "lives_in": ("lives|resides", "live|reside", "lived|resided", "lived", "living", "in", "person", "location"),
    "reports_to": ("reports", "report", "reported", "reported", "reporting", "to", "person", "person"),
    "runs_on": ("runs", "run", "ran", "run", "running", "on", None, "tool"),
    "depends_on": ("depends", "depend", "depended", "depended", "depending", "on", None, ""),
}
_OBJECT_VERBS = {
    "uses": ("uses", "use", "used", "used", "using", None, "tool"),
    "prefers": ("prefers", "prefer", "preferred", "preferred", None, None, ""),
    "likes": ("likes|enjoys", "like|enjoy", "liked|enjoyed", "liked|enjoyed", None, None, ""),
    "loves": ("loves|adores", "love|adore", "loved|adored", "loved|adored", None, None, ""),
    "dislikes": (
        "dislikes|hates|detests",
        "dislike|hate|detest",
        "disliked|hated|detested",
        "disliked|hated",
        None,
        None,
        "",
    ),
    "drives": ("drives", "drive", "drove", "driven", None, "person", ""),
    "plays": ("plays", "play", "played", "played", None, "person", ""),
    "teaches": ("teaches", "teach", "taught", "taught", None, "person", ""),
    "studies": ("studies", "study", "studied", "studied", None, "person", ""),
    "leads": ("leads|heads", "lead|head", "led|headed", "led", None, "person", ""),
    "manages": ("manages", "manage", "managed", "managed", None, "person", ""),
    "speaks": ("speaks", "speak", "spoke", "spoken", None, "person", "language"),
    "owns": ("owns", "own", "owned", "owned", None, None, ""),
}


class _VerbForm(NamedTuple):
    pattern: re.Pattern[str]
    predicate: str
    tense: Tense
    needs_first_person: bool | None
    """Whether the verb form goes with I and we; none if it goes with any subject."""
    subject_type: str | None
    target_type: str


def _verb_forms() -> Iterator[_VerbForm]:
    for predicate, (third, first, past, participle, progressive, preposition, who, what) in _STATE_VERBS.items():
        y = rf" {preposition} (?P<y>.+?){_TAIL}"
        yield from _tenses(predicate, third, first, past, participle, progressive, y, who, what)
    for predicate, (third, first, past, participle, progressive_, who_, what) in _OBJECT_VERBS.items():
        tail = _TAIL if predicate == "uses" else r"(?: (?P<tail>(?:over|to|rather than|instead of) .+))?"
        y = rf" (?P<y>.+?){tail if predicate in ('uses', 'prefers') else ''}"
        yield from _tenses(predicate, third, first, past, participle, progressive_, y, who_, what)
    y = r" allergic to (?P<y>.+?)"
    yield _VerbForm(_form(rf"{_BE} {_ADVERBS}(?:severely )?{y[1:]}"), "allergic_to", "present", None, "person", "")
    yield _VerbForm(_form(r"grew up in (?P<y>.+?)"), "grew_up_in", "present", None, "person", "location")
    joined = rf"(?:{_HAVE} )?{_ADVERBS}joined (?P<y>.+?)"
    yield _VerbForm(_form(joined), "works_at", "change", None, "person", "organization")


def _tenses(
    predicate: str,
    third: str,
    first: str,
    past: str,
    participle: str,
    progressive: str | None,
    y: str,
    who: str | None,
    what: str,
) -> Iterator[_VerbForm]:
    yield _VerbForm(_form(rf"{_ADVERBS}(?:{third}){y}"), predicate, "present", False, who, what)
    yield _VerbForm(_form(rf"{_ADVERBS}(?:{first}){y}"), predicate, "present", True, who, what)
    yield _VerbForm(_form(rf"{_ADVERBS}(?:{past}){y}"), predicate, "past", None, who, what)
    yield _VerbForm(_form(rf"used to (?:{first}){y}"), predicate, "past", None, who, what)
    yield _VerbForm(_form(rf"{_HAVE} {_ADVERBS}(?:{participle}){y}"), predicate, "perfect", None, who, what)
    if progressive:
        yield _VerbForm(_form(rf"{_BE} {_ADVERBS}(?:{progressive}){y}"), predicate, "present", None, who, what)
        yield _VerbForm(_form(rf"{_HAVE} been {_ADVERBS}(?:{progressive}){y}"), predicate, "perfect", None, who, what)
        yield _VerbForm(_form(rf"(?:was|were) {_ADVERBS}(?:{progressive}){y}"), predicate, "past", None, who, what)


_THIRD_PERSON = {
    first: third
    for forms in (*_STATE_VERBS.values(), *_OBJECT_VERBS.values())
    for third, first in zip((forms[0] or "").split("|"), (forms[1] or "").split("|"), strict=True)
} | {"are": "is"}
_PAST_FORMS = {past for forms in (*_STATE_VERBS.values(), *_OBJECT_VERBS.values()) for past in str(forms[2]).split("|")}
_PAIR = lazy_pattern(
    r"^(?P<a>I|[A-Z][\w'-]+) and (?P<b>I|[A-Z][\w'-]+) "
    rf"(?P<verb>{'|'.join(sorted({*_THIRD_PERSON, *_PAST_FORMS, 'moved', 'switched'}))})(?P<rest> .+)$"
)
_STARTS_WITH_VERB = lazy_pattern(r"(?:Works|Lives|Uses|Prefers|Likes|Speaks|Owns|Is|Has|Moved|Switched|Worked|Lived) ")
_VERB_FORMS = PatternGroup(tuple(_verb_forms()), lambda form: form.pattern)
_MOVED = _form(rf"(?:{_HAVE} )?{_ADVERBS}(?:just |recently )?moved (?:back )?(?:from (?P<a>.+?) )?to (?P<y>.+?)")
_SWITCHED = _form(
    rf"(?:{_HAVE} )?{_ADVERBS}(?:switched|migrated|changed) (?:(?:over )?from (?P<a>.+?) (?:over )?)?to (?P<y>.+?)"
    rf"{_TAIL}"
)
_PART_SWITCHED = _form(
    rf"(?:{_HAVE} )?{_ADVERBS}(?P<verb>switched|migrated|moved) (?:(?:our|the|my|its|their) )?"
    rf"(?P<part>[a-z][\w-]*(?: [a-z][\w-]*)?|[A-Z]{{2,5}}) (?:over )?from (?P<a>.+?) (?:over )?to (?P<y>.+?){_TAIL}"
)
_STOPPED = _form(
    rf"(?:{_HAVE} )?{_ADVERBS}(?:stopped|quit) (?P<verb>using|working (?:at|for)|living in|driving|playing) (?P<y>.+?)"
)
_LEFT = _form(rf"(?:{_HAVE} )?{_ADVERBS}(?:left|quit) (?P<y>.+?)")
_CANNOT_STAND = _form(r"(?:can['’]t|cannot|can not) (?:stand|bear) (?P<y>.+?)")
_NO_LONGER = _form(
    r"(?P<negation>no longer|do not|does not|don't|don’t|doesn't|doesn’t) "
    r"(?P<verb>uses?|works? (?:at|for)|lives? in|owns?|likes?|prefers?|speaks?|has|have) "
    r"(?P<y>.+?)(?P<more> any ?more| any longer)?"
)
_NO_LONGER_ALLERGIC = _form(
    rf"(?:{_BE} (?P<negation>no longer|not)|(?:is|are)n['’]t) allergic to (?P<y>.+?)(?P<more> any ?more| any longer)?"
)
_NO_LONGER_BEING = lazy_pattern(
    r"^(?P<head>.{1,60}?(?: is| am|['’]m)) (?P<negation>no longer|not) (?P<v>.+?)(?P<more> any ?more| any longer)?$"
)
_VERB_OF_NO_LONGER = {
    "use": "uses", "work": "works_at", "live": "lives_in", "own": "owns", "like": "likes", "ha": "has", "have": "has",
    "using": "uses", "working": "works_at", "living": "lives_in", "driving": "drives", "playing": "plays",
}  # fmt: skip
_LISTED = frozenset("uses speaks allergic_to likes loves dislikes owns plays teaches studies".split())
"""Predicates of which each member of an enumeration is a claim of its own."""
_ONE_DISH = lazy_pattern(
    r"\b(?:gin and tonic|mac and cheese|fish and chips|rock and roll|rhythm and blues|salt and vinegar|"
    r"bed and breakfast|black and white|sweet and sour|bread and butter|cookies and cream|tom and jerry|"
    r"drum and bass|country and western|bubble and squeak|peanut butter and jelly|surf and turf|arts and crafts|"
    r"peace and quiet|hide and seek|trial and error)\b",
    re.IGNORECASE,
)
_OWN_GROUP = lazy_pattern(rf"^(?:[Mm]y|[Oo]ur) (?:{'|'.join(sorted(GROUP_NOUNS))}) $")
_THINGS_ONLY = frozenset({"runs_on", "depends_on"})
"""Predicates of systems: people run on coffee, too."""

_CUE = lazy_pattern(
    r"\b(?:work|live|resid|mov|us|prefer|lik|speak|spoke|own|allerg|switch|migrat|chang|stopp|quit|lov|ador|enjoy|hat|"
    r"dislik|detest|driv|drove|play|teach|taught|stud|lead|led|head|manag|report|run|ran|depend|grew|join|left|stand|"
    r"bear|call|go|got|start|hire|adopt|promot|becam|becom|weigh|tak)\w*\b"
    r"|(?:\b(?:am|is|turned)|['’][ms]) (?:an? )?[a-z\d]"
    r"|(?:\bmy|\bour|['’]s|s['’]|\bthe)\s.*(?:\b(?:is|was|are)\b|['’]s)|\b(?:is|was) (?:my|our|\S+s?['’]s?)\s"
    r"|\b(?:takes|lasts|costs|weighs|marri\w+|years old|born|owes?|reach\w*|contact\w*|belongs|has|have|suffers?|tied"
    r"|track|log|file|plan|keep|store|organi[sz]e|document|write|handle|deploy|build|test|invoice|bill|host|develop"
    r"|monitor|ship|version|provision|design)s?\b|\b(?:are|is)\s+(?:set|at|on|scheduled|booked)\b|['’]re on\b"
    r"|\b(?:went|rose|increased|fell|dropped|decreased)\b",
    re.IGNORECASE,
)


def may_match(sentence: str) -> bool:
    """Whether any form could cover a part of the sentence: a quick look before it is analysed."""
    return _CUE.search(sentence) is not None


def match_forms(clause: str, known: KnownName, *, has_topic: bool) -> list[State]:
    """What a positive, asserted clause says; empty unless one form covers all of it.

    `has_topic` tells that the text is about something, which sentences without a subject then mean.
    """
    if has_topic and _STARTS_WITH_VERB.match(clause):
        clause = clause[0].lower() + clause[1:]
    pair = _PAIR.match(clause)
    if pair is not None:
        clauses = [f"{who} {_agreeing(pair['verb'], who)}{pair['rest']}" for who in (pair["a"], pair["b"])]
        each = [_match_form(one, known, has_topic) for one in clauses]
        return [found for matches in each for found in matches] if all(each) else []
    return _match_form(clause, known, has_topic)


def _match_form(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    for read in (_changes, _verbs, match_attributes, match_tools, match_people):
        found = read(clause, known, has_topic)
        if found:
            return found
    return []


def _agreeing(verb: str, subject: str) -> str:
    """A verb of two subjects as it goes with one of them."""
    if subject == "I" or verb not in _THIRD_PERSON:
        return {"are": "am"}.get(verb, verb)
    return _THIRD_PERSON[verb]


def match_endings(clause: str, known: KnownName, *, has_topic: bool) -> list[State]:
    """What a clause says has ended or cannot be borne: `no longer uses`, `stopped using`, `can't stand`."""
    if match := _STOPPED.match(clause):
        return _ending(match, _VERB_OF_NO_LONGER[match["verb"].split()[0]], known, has_topic)
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
    verb = match["verb"].split()[0].rstrip("s")
    return _ending(match, _VERB_OF_NO_LONGER.get(verb, f"{verb}s"), known, has_topic)


def _is_over(match: re.Match[str]) -> bool:
    return match["negation"] == "no longer" or match["more"] is not None


def _being_ended(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    """`Sofia is no longer vegetarian`, `Ana is no longer my boss`."""
    match = _NO_LONGER_BEING.match(clause)
    if match is None or not _is_over(match):
        return []
    held = match_attributes(f"{match['head']} {match['v']}", known, has_topic)
    return [each._replace(tense="change", has_ended=True) for each in held if not each.is_judgement]


def _ending(match: re.Match[str], predicate: str, known: KnownName, has_topic: bool) -> list[State]:
    subject, target = subject_in(match["x"], known, has_topic=has_topic), _target(predicate, match["y"], known)
    if subject is None or target is None:
        return []
    type_ = _target_type(predicate) if is_name(target) else None
    return [State(subject, predicate, target, "change", None, type_, has_ended=True)]


def _target_type(predicate: str) -> str:
    types = {name: forms[-1] for name, forms in (*_STATE_VERBS.items(), *_OBJECT_VERBS.items())}
    return types.get(predicate) or ""


def _changes(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    if match := _MOVED.match(clause):
        return _moved(match, known, has_topic)
    match = _SWITCHED.match(clause) or _part_switched(clause)
    subject = _user_of(subject_in(match["x"], known, has_topic=has_topic), match["tail"]) if match else None
    if match is None or subject is None or not _is_plain_tail(match["tail"]):
        return []
    new, old = _target("uses", match["y"], known), _target("uses", match["a"], known) if match["a"] else None
    if new is None or (match["a"] and old is None):
        return []
    return [State(subject, "uses", new, "change", None, "tool" if is_name(new) else None, replaced=old)]


def _part_switched(clause: str) -> re.Match[str] | None:
    """`We switched CI from Jenkins to GitHub Actions`: between tools, not between days, places or people."""
    match = _PART_SWITCHED.match(clause)
    ends = [match["a"], match["y"]] if match is not None else []
    is_of_tools = any(words_of(each)[:1] and words_of(each)[0] in TOOLS_AND_TEAMS for each in ends)
    return match if all(map(is_name, ends)) and is_of_tools else None


def _moved(match: re.Match[str], known: KnownName, has_topic: bool) -> list[State]:
    subject = subject_in(match["x"], known, has_topic=has_topic)
    if subject is None or not _is_place(match["y"]) or (match["a"] and not _is_place(match["a"])):
        return []
    if is_plural(subject) and not known(subject):
        return []
    return [State(subject, "lives_in", _place(match["y"]), "change", "person", "location", replaces=True)]


def _is_place(text: str) -> bool:
    """Whether a capitalised name may be a place: `Porto` or `Porto, Portugal`, but not a tool or department."""
    parts = [part.strip().removeprefix("the ") for part in text.split(",")]
    return len(parts) <= 3 and all(map(is_name, parts)) and words_of(parts[0])[0] not in TOOLS_AND_TEAMS


def _place(text: str) -> str | None:
    return text.partition(",")[0].removeprefix("the ") if _is_place(text) else None


def _verbs(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    for form in _VERB_FORMS.possible(clause):
        if match := form.pattern.match(clause):
            found = _verb_match(form, match, known, has_topic)
            if found:
                return found
    return []


def _verb_match(form: _VerbForm, match: re.Match[str], known: KnownName, has_topic: bool) -> list[State]:
    tail = match.groupdict().get("tail")
    speaker = subject_in(match["x"], known, has_topic=has_topic)
    is_own_group = form.predicate == "uses" and speaker is None and _OWN_GROUP.match(match["x"]) is not None
    subject = _user_of(GROUP if is_own_group else speaker, tail if form.predicate == "uses" else None)
    if subject is None or not _is_plain_tail(tail, form.predicate):
        return []
    is_first_person = speaker in (OWNER, GROUP)
    if form.needs_first_person is not None and form.needs_first_person != is_first_person:
        return []
    if form.tense == "past" and not is_first_person and is_plural(subject) and not known(subject):
        return []
    if form.predicate in _THINGS_ONLY and not (is_project_name(subject) or known(subject)):
        return []
    targets = [_target(form.predicate, part, known) for part in _parts(form.predicate, match["y"])]
    is_passing = form.predicate == "works_at" and "working" in match[0] and form.tense != "perfect"
    if not all(targets) or (is_passing and not all(map(is_name, filter(None, targets)))):
        return []
    who, what = form.subject_type, form.target_type
    return [
        State(subject, form.predicate, target, form.tense, who, what if is_name(target) else None)
        for target in targets
        if target is not None
    ]


def _user_of(subject: str | None, tail: str | None) -> str | None:
    """Who uses something: in `we use pnpm for acme-web` the project; none if the tail limits the claim otherwise."""
    scope = scope_of(tail) if tail else None
    if scope is None or subject is None:
        return subject
    return scope if subject in (OWNER, GROUP) and is_project_name(scope) else None


def _parts(predicate: str, text: str) -> list[str]:
    """The members of an enumeration, where each of them is a claim of its own."""
    if predicate not in _LISTED or _ONE_DISH.search(text):
        return [text]
    return [part for part in re.split(r",\s*(?:and\s+)?|\s+and\s+", text) if part]


def _target(predicate: str, text: str | None, known: KnownName) -> str | None:
    if text is None:
        return None
    match predicate:
        case "lives_in" | "grew_up_in":
            return _place(text)
        case "works_at":
            name = text.removeprefix("the ")
            is_named = is_name(name) or (known(text) and not text.islower())
            return name if is_named else workplace(text)
        case "reports_to":
            return text if is_name(text) else None
        case "leads" | "manages" | "plays":
            return object_phrase(re.sub(r"^(?:the|our) ", "", text))
        case "speaks":
            language = re.sub(r"^(?:an? (?:bit|little) of|a little|some|fluent|broken|basic) ", "", text)
            return language if is_name(language) else None
        case "allergic_to":
            return allergen(text)
        case "prefers" | "likes" | "loves" | "dislikes":
            return liked_phrase(text)
        case "owns":
            return owned_phrase(text)
        case "has":
            return possession(text)
        case _:
            return object_phrase(text)


def _is_plain_tail(text: str | None, predicate: str = "") -> bool:
    """Whether what follows the claim only adds to it, instead of limiting it to some case."""
    if text is None or predicate == "prefers":
        return True
    return not set(words_of(text)) & RESTRICTIONS and not has_duration(text)
