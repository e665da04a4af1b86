"""Sentence forms: the plain ways in which people state where somebody works, what they use, what something is.

A form has to cover its clause from the first to the last word. Whatever a form does not cover stays unread.
"""

import re
from functools import lru_cache

from recollect.reading.attribute_patterns import ATTRIBUTE_FORMS, match_attributes
from recollect.reading.person_patterns import PERSON_FORMS, match_people
from recollect.reading.phrases import (
    has_duration,
    is_name,
    is_plural,
    is_project_name,
    is_street,
    scope_of,
    words_of,
)
from recollect.reading.state import GROUP, OWNER, KnownName, State, is_own_group, subject_in
from recollect.reading.state_lexicon import NOT_TOOLS_ALONE, RESTRICTIONS, SCHOOLS, TOOLS_AND_TEAMS
from recollect.reading.state_targets import is_place, place_in, target_in
from recollect.reading.tool_patterns import TOOL_FORMS, match_tools
from recollect.reading.verb_patterns import (
    ADVERBS,
    HAVE,
    PAST_FORMS,
    TAIL,
    THIRD_PERSON,
    VERB_FORMS,
    VerbForm,
    anchored_pattern,
)
from recollect.text.patterns import lazy_pattern

_PAIR = lazy_pattern(
    r"^(?P<a>I|[A-Z][\w'-]+) and (?P<b>I|[A-Z][\w'-]+) "
    rf"(?P<verb>{'|'.join(sorted({*THIRD_PERSON, *PAST_FORMS, 'moved', 'switched'}))})(?P<rest> .+)$"
)
_EACH_FOR = lazy_pattern(
    r"^(?P<head>.{1,60}? (?:uses?|prefers?)) (?P<a>\S.*? for .+?),? and (?P<b>(?:[A-Z]|an? |the |my |our ).*? for .+)$"
)
"""`I use Zulip for work and Signal for friends`: two claims with their purposes."""
_STARTS_WITH_VERB = lazy_pattern(r"(?:Works|Lives|Uses|Prefers|Likes|Speaks|Owns|Is|Has|Moved|Switched|Worked|Lived) ")
_MOVED = anchored_pattern(
    rf"(?:{HAVE} )?{ADVERBS}(?:just |recently )?moved (?:back )?(?:from (?P<a>.+?) )?to (?P<y>.+?)"
)
_OVER = "(?:(?:over|back) )?"
_SWITCHED = anchored_pattern(
    rf"(?:{HAVE} )?{ADVERBS}(?:switched|migrated|changed) (?:{_OVER}from (?P<a>.+?) )?{_OVER}to (?P<y>.+?){TAIL}"
)
_PART_SWITCHED = anchored_pattern(
    rf"(?:{HAVE} )?{ADVERBS}(?P<verb>switched|migrated|moved) (?:(?:our|the|my|its|their) )?"
    rf"(?P<part>[a-z][\w-]*(?: [a-z][\w-]*)?|[A-Z]{{2,5}}) {_OVER}from (?P<a>.+?) {_OVER}to (?P<y>.+?){TAIL}"
)
_WENT_BACK = anchored_pattern(
    rf"(?:{HAVE} )?{ADVERBS}(?:(?:went|gone|moved) back|returned|reverted|rolled back) to (?P<y>.+?){TAIL}"
)
_BACK = lazy_pattern(r"\bback (?:from .+ )?to\b")
_LISTED = frozenset("uses speaks allergic_to likes loves dislikes owns plays teaches studies".split())
"""Predicates of which each member of an enumeration is a claim of its own."""
_ONE_DISH = lazy_pattern(
    r"\b(?:gin and tonic|mac and cheese|fish and chips|rock and roll|rhythm and blues|salt and vinegar|"
    r"bed and breakfast|black and white|sweet and sour|bread and butter|cookies and cream|tom and jerry|"
    r"drum and bass|country and western|bubble and squeak|peanut butter and jelly|surf and turf|arts and crafts|"
    r"peace and quiet|hide and seek|trial and error)\b",
    re.IGNORECASE,
)
_THINGS_ONLY = frozenset({"runs_on", "depends_on"})
"""Predicates of systems: people run on coffee, too."""

_VERB_CUE = (
    r"\b(?:work|live|living|resid|mov|us|prefer|lik|speak|spoke|own|allerg|switch|migrat|chang|stopp|quit|lov|ador|enjoy|hat|"
    r"dislik|detest|driv|drove|play|teach|taught|stud|lead|led|head|manag|report|run|ran|depend|grew|join|left|stand|"
    r"lost|resign|retire|laid|fired|sack|dismiss|bear|call|go|got|start|hire|adopt|return|revert|roll|gone|promot|becam|becom|weigh|tak)\w*\b"
)
_WHOLE_CUE = (
    r"\b(?:takes|lasts|costs|weighs|marri\w+|years old|born|owes?|reach\w*|contact\w*|belongs|has|have|suffers?|tied"
    r"|launch(?:es|ing)?|track|log|file|plan|keep|store|organi[sz]e|document|write|handle|deploy|build|test|invoice|bill"
    r"|host|develop|monitor|ship|version|provision|design)s?\b"
)
_CHANGE_CUE = r"\b(?:went|rose|increased|fell|dropped|decreased)\b"
_CUE = lazy_pattern(
    rf"{_VERB_CUE}"
    r"|(?:\b(?:am|is|turned)|['’][ms]) (?:an? )?[a-z\d]"
    r"|(?:\bmy|\bour|['’]s|s['’]|\bthe)\s.*(?:\b(?:is|was|are|been)\b|['’]s)|\b(?:is|was|been) (?:my|our|\S+s?['’]s?)\s"
    r"|\bthe (?:\S+ ){1,4}(?:opens|closes|listens|lives|is)\b"
    rf"|{_WHOLE_CUE}|\b(?:are|is)\s+(?:set|at|on|scheduled|booked)\b|['’]re on\b"
    rf"|{_CHANGE_CUE}",
    re.IGNORECASE,
)
_CUE_IN_WORD = re.compile(f"{_VERB_CUE}|{_WHOLE_CUE}|{_CHANGE_CUE}", re.IGNORECASE)
FORMS = (
    _PAIR, _MOVED, _SWITCHED, _PART_SWITCHED, _WENT_BACK, *(form.pattern for form in VERB_FORMS.items),
    *ATTRIBUTE_FORMS, *TOOL_FORMS, *PERSON_FORMS,
)  # fmt: skip
"""A clause states something only if one of these matches it, or one after a pair of subjects each of them."""
_WORDS_KEPT = 16_384


def may_match(sentence: str) -> bool:
    """Whether any form could cover a part of the sentence: a quick look before it is analysed."""
    return any(map(_is_cue, sentence.split())) or _CUE.search(sentence) is not None


@lru_cache(_WORDS_KEPT)
def _is_cue(word: str) -> bool:
    """Whether a word alone is a cue; most sentences have one that was seen before, and need no search."""
    return _CUE_IN_WORD.search(word) is not None


def match_forms(clause: str, known: KnownName, *, has_topic: bool) -> list[State]:
    """What a positive, asserted clause says; empty unless one form covers all of it.

    `has_topic` tells that the text is about something, which sentences without a subject then mean.
    """
    if has_topic and _STARTS_WITH_VERB.match(clause):
        clause = clause[0].lower() + clause[1:]
    each = [_match_form(one, known, has_topic) for one in _joined_clauses(clause) or (clause,)]
    return [found for matches in each for found in matches] if all(each) else []


def _joined_clauses(clause: str) -> list[str]:
    """The clauses that share a verb: of two subjects, or with two objects and the purpose of each."""
    if pair := _PAIR.match(clause):
        return [f"{who} {_agreeing(pair['verb'], who)}{pair['rest']}" for who in (pair["a"], pair["b"])]
    if pair := _EACH_FOR.match(clause):
        return [f"{pair['head']} {pair['a']}", f"{pair['head']} {pair['b']}"]
    return []


def _match_form(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    for read in (_changes, _verbs, match_attributes, match_tools, match_people):
        found = read(clause, known, has_topic)
        if found:
            return found
    return []


def _agreeing(verb: str, subject: str) -> str:
    """A verb of two subjects as it goes with one of them."""
    if subject == "I" or verb not in THIRD_PERSON:
        return {"are": "am"}.get(verb, verb)
    return THIRD_PERSON[verb]


def _changes(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    if match := _MOVED.match(clause):
        found = _moved(match, known, has_topic)
        if found:
            return found
    returned = _returned_to_tool(clause)
    match = _SWITCHED.match(clause) or _part_switched(clause) or returned
    subject = _user_of(subject_in(match["x"], known, has_topic=has_topic), match["tail"]) if match else None
    if match is None or subject is None or not _is_plain_tail(match["tail"]):
        return []
    before = match.groupdict().get("a")
    new, old = target_in("uses", match["y"], known), target_in("uses", before, known) if before else None
    if new is None or (before and old is None) or words_of(new)[-1].lower() in SCHOOLS:
        return []
    goes_back = old is None and (returned is not None or _BACK.search(clause) is not None)
    type_ = "tool" if is_name(new) else None
    return [State(subject, "uses", new, "change", None, type_, replaced=old, goes_back=goes_back)]


def _returned_to_tool(clause: str) -> re.Match[str] | None:
    """`Val went back to Emacs`: only of what is known as a tool; one also goes back to places and employers."""
    match = _WENT_BACK.match(clause)
    name = words_of(match["y"]) if match is not None and is_name(match["y"]) else []
    return match if name and name[0] in TOOLS_AND_TEAMS - NOT_TOOLS_ALONE else None


def _part_switched(clause: str) -> re.Match[str] | None:
    """`We switched CI from Jenkins to GitHub Actions`: between tools, not between days, places or people."""
    match = _PART_SWITCHED.match(clause)
    ends = [match["a"], match["y"]] if match is not None else []
    is_of_tools = any(words_of(each)[:1] and words_of(each)[0] in TOOLS_AND_TEAMS for each in ends)
    return match if all(map(is_name, ends)) and is_of_tools else None


def _moved(match: re.Match[str], known: KnownName, has_topic: bool) -> list[State]:
    subject = subject_in(match["x"], known, has_topic=has_topic)
    if subject is None or (is_plural(subject) and not known(subject)):
        return []
    if is_street(match["y"]):
        return [State(subject, "address", match["y"], "change", None, replaces=True)]
    if not is_place(match["y"]) or (match["a"] and not is_place(match["a"])):
        return []
    return [State(subject, "lives_in", place_in(match["y"]), "change", "person", "location", replaces=True)]


def _verbs(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    for form in VERB_FORMS.possible(clause):
        if match := form.pattern.match(clause):
            found = _verb_match(form, match, known, has_topic)
            if found:
                return found
    return []


def _verb_match(form: VerbForm, match: re.Match[str], known: KnownName, has_topic: bool) -> list[State]:
    tail = match.groupdict().get("tail")
    speaker = subject_in(match["x"], known, has_topic=has_topic)
    is_of_group = form.predicate == "uses" and speaker is None and is_own_group(match["x"])
    subject = _user_of(GROUP if is_of_group else speaker, tail if form.predicate == "uses" else None)
    if subject is None or not _is_plain_tail(tail, form.predicate):
        return []
    is_first_person = speaker in (OWNER, GROUP)
    if form.needs_first_person is not None and form.needs_first_person != is_first_person:
        return []
    if form.tense == "past" and not is_first_person and is_plural(subject) and not known(subject):
        return []
    if form.predicate in _THINGS_ONLY and not (is_project_name(subject) or known(subject)):
        return []
    targets = [target_in(form.predicate, part, known) for part in _parts(form.predicate, match["y"])]
    is_passing = form.predicate == "works_at" and "working" in match[0] and form.tense != "perfect"
    if not all(targets) or (is_passing and not all(map(is_name, filter(None, targets)))):
        return []
    who, what = form.subject_type, form.target_type
    less = tuple(tail.split(" ", 1)[1:]) if tail and form.predicate == "prefers" else ()
    return [
        State(subject, form.predicate, target, form.tense, who, what if is_name(target) else None, ruled_out=less)
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


def _is_plain_tail(text: str | None, predicate: str = "") -> bool:
    """Whether what follows the claim only adds to it, instead of limiting it to some case."""
    if text is None or predicate == "prefers":
        return True
    return not set(words_of(text)) & RESTRICTIONS and not has_duration(text)
