"""Sentence forms for attributes: `my rent is 900`, `my dog is called Rex`, `Ana is my sister`, `Ana is our CTO`."""

import re
from collections.abc import Callable

from recollect.model.vocabulary import SINGLE_VALUED
from recollect.reading.phrases import (
    attribute_value,
    compound_noun,
    contact_kind,
    is_amount,
    is_attribute_noun,
    is_judgement,
    is_name,
    is_person_noun,
    is_setting,
    is_street,
    is_system_setting,
    setting_value,
)
from recollect.reading.state import (
    GROUP,
    HOUSE,
    OWNER,
    UNNAMED,
    KnownName,
    State,
    is_relative,
    possessor_in,
    replacing,
    subject_in,
)
from recollect.reading.state_lexicon import (
    CONDITIONS,
    DEPARTMENTS,
    DIETS,
    JUDGEMENTS,
    KIN_BY_BIRTH,
    NOT_VALUES,
    OCCUPATIONS,
    RESTRICTIONS,
    ROLE_FIELDS,
    STATE_NOUNS,
)
from recollect.reading.state_time import Tense
from recollect.text.patterns import lazy_pattern

MAX_CALLING_WORDS = 4
LOCATED_IN = "located_in"

_IS = r"(?P<is>is|was|has been)"
_TENSES: dict[str, Tense] = {"is": "present", "was": "past", "has been": "perfect"}
_SHORT_IS = r"['’]s(?!.* (?:is|was|are|were|has been) )"
"""Another verb behind it tells that it is a possessive: `my team's mascot is a fox`."""
_MINE = lazy_pattern(rf"^(?P<x>[Mm]y|[Oo]ur) (?P<n>[A-Za-z][^'’]*?)(?: {_IS}|(?P<short>{_SHORT_IS})) (?P<v>.+)$")
_OF = lazy_pattern(rf"^[Tt]he (?P<n>[A-Za-z].*?) (?P<rel>of|for) (?P<x>.+?) {_IS} (?P<v>.+)$")
_POSSESSIVE = lazy_pattern(rf"^(?P<x>.+?)(?:['’]s|(?<=s)['’]) (?P<n>[A-Za-z][^'’]*?) {_IS} (?P<v>.+)$")
_THE = lazy_pattern(rf"^[Tt]he (?P<n>[A-Za-z][^'’]*?) {_IS} (?P<v>.+)$")
_AT_PLACE = lazy_pattern(r" (?:at|in|of) (?=(?:the|our|my) [a-z]+$)")
_BARE = lazy_pattern(rf"^(?P<n>[A-Z][a-z-]*(?: [a-z-]+){{0,3}}) {_IS} (?P<v>.+)$")
_CALLED = lazy_pattern(r"^(?:called|named) (?=\S+$)")
_OWN_THING = lazy_pattern(
    rf"^(?P<x>[Mm]y|[Oo]ur|[Tt]he) (?P<thing>[a-z][a-z-]*)['’]s (?P<n>[A-Za-z][^'’]*?) {_IS} (?P<v>.+)$"
)
_CHANGED = lazy_pattern(
    r"^(?:(?:(?P<my>[Mm]y|[Oo]ur)|(?P<the>[Tt]he))(?: (?P<thing>[a-z][a-z-]*)['’]s)?|"
    r"(?P<x>.{1,60}?)(?:['’]s|(?<=s)['’])) (?P<n>[a-z][^'’]*?) "
    r"(?:(?:has|have) )?(?:went|gone|(?P<coming>goes|rises|increases|falls|drops|decreases)|"
    r"rose|risen|increased|fell|fallen|dropped|decreased|changed|was raised|"
    r"was cut|was lowered|was reduced)(?: up| down)?(?: from (?P<a>.+?))? to (?P<v>.+)$"
)
_LOCATED = lazy_pattern(r"^(?P<x>[A-Z].{0,60}?) is (?:located )?in (?P<y>[A-Z].{0,60})$")
_SENT_TO = lazy_pattern(
    r"^(?:(?:[Mm]y|[Oo]ur|[Tt]he|[Aa]ll) )?(?P<n>[A-Za-z][a-z-]*(?: [a-z-]+)?s) (?:go|should go|are sent|get sent) "
    r"to (?P<v>\S+)$"
)
_WHOSE = r"(?:(?P<my>[Mm]y|[Oo]ur)|(?P<x>.{1,60}?)(?:['’]s|(?<=s)['’]))"
_NAME_OF = lazy_pattern(rf"^{_WHOSE} (?P<n>[a-z][\w-]*)(?:['’]s name is| is (?:called|named)) (?P<v>.+)$")
_RELATION = lazy_pattern(
    rf"^(?P<v>[A-Z].{{0,60}}?) {_IS} {_WHOSE} (?P<new>new )?"
    rf"(?P<n>(?:{'|'.join(ROLE_FIELDS)}) [a-z]+|head of [a-z]+|best friend|[A-Za-z][\w-]*(?:[- ]in[- ]law)?)$"
)
_DEPARTMENT_HEAD = lazy_pattern(rf"^(?P<v>[A-Z].{{0,60}}?) is the (?:new )?(?P<n>head of (?:{'|'.join(DEPARTMENTS)}))$")
_MARRIED = lazy_pattern(r"^(?P<x>.{1,60}?)(?: is| am|['’]m) married to (?P<y>.+)$")
_AGE = lazy_pattern(
    r"^(?P<x>.{0,60}?)(?:(?:^|(?<= ))(?:is|am|(?:just |has |have )?(?P<turned>turned))|['’]m) (?P<age>\d{1,3})"
    r"(?P<old> years old)?$"
)
_OLDEST = 120
_CALLINGS = "|".join(sorted(OCCUPATIONS | DIETS | CONDITIONS))
_BEING = lazy_pattern(
    rf"^(?=.*(?<![a-z-])(?:{_CALLINGS})(?: |$))"
    r"(?P<x>.{1,60}?)(?: is| am|['’]m| works? as|(?P<been>(?: has| have|['’]ve) been)) (?P<a>an? )?"
    r"(?P<v>[a-z][a-z -]{2,40}?)"
    r"(?: (?P<at>at|for|in) (?P<y>[A-Z].*))?$"
)
_HOLDER = lazy_pattern(
    r"^(?P<v>[A-Z].{0,60}?) (?:is|became|has become) (?:the )?(?:new )?(?P<n>[A-Za-z][\w -]{1,30}?) of (?P<x>.{1,60}?)$"
)
_RELATIVES = lazy_pattern(rf"^{_WHOSE} (?P<n>[a-z]+) are (?:called |named )?(?P<v>[A-Z].*)$")
_OWN_SUPERIORS = frozenset({"manager", "supervisor"})
_DWELLINGS = frozenset({"home", "house", "flat", "apartment"})
_HAS_LETTER = lazy_pattern(r"[^\W\d_]")
_DEVICES = frozenset({"phone", "mobile", "cell"})
"""Nouns that mean a number, unless a thing is named: `my phone is a Pixel 8`."""
_POSSESSIVE_END = lazy_pattern(r"['’]s$")
_SINGULAR = {"children": "child", "wives": "wife"}
_NICKNAME = lazy_pattern(r"^(?:(?:[Pp]lease )?[Cc]all me|[Ii] go by) (?P<v>[A-Z][\w'-]+)$")
_ABSENCE = lazy_pattern(
    r"^(?P<x>.{1,60}?)(?: is| am|['’]m) (?:currently |still )?"
    r"(?P<v>on (?:(?:parental|maternity|paternity|sick|annual|unpaid) )?(?:leave|holiday|vacation|sabbatical)|"
    r"out of (?:the )?office|(?:off |out )?sick|ill|away)$"
)
MEASURED = {"takes": "duration", "lasts": "duration", "costs": "cost", "weighs": "weight", "weigh": "weight"}
_TALL = lazy_pattern(r"^(?P<x>.{1,60}?)(?: is| am|['’]m) (?P<v>\d[\d.,]* ?(?:cm|m|metres|meters|ft|feet)) tall$")
_MEASURE = lazy_pattern(
    rf"^(?:{_WHOSE} (?P<n>[a-z][\w -]{{0,40}}?)|[Tt]he (?P<the>[a-z][\w -]{{0,40}}?)|(?P<name>.{{1,60}}?)) "
    rf"(?P<verb>{'|'.join(MEASURED)}) (?P<v>.+)$"
)

ATTRIBUTE_FORMS = (
    _MINE, _OF, _POSSESSIVE, _THE, _BARE, _OWN_THING, _CHANGED, _LOCATED, _SENT_TO, _NAME_OF, _RELATION,
    _DEPARTMENT_HEAD, _MARRIED, _AGE, _BEING, _HOLDER, _RELATIVES, _NICKNAME, _ABSENCE, _TALL, _MEASURE,
)  # fmt: skip


def match_attributes(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    """What a clause says of an attribute of somebody or something; `has_topic` if the text is about something."""
    for read in _READERS:
        found = read(clause, known, has_topic)
        if found is not None:
            return [found]
    return _relatives(clause, known) or _callings(clause, known, has_topic)


def _values(clause: str, known: KnownName, has_topic: bool) -> State | None:
    for pattern in (_MINE, _OF, _POSSESSIVE, *((_THE,) if has_topic else ())):
        match = pattern.match(clause)
        found = _attribute(match, known) if match else None
        if found is not None:
            return found
    return (_of_topic(clause) if has_topic else None) or _setting(clause, has_topic) or _part_of_own(clause)


def _of_topic(clause: str) -> State | None:
    """`Budget is 240k`, `the main branch is called trunk`: of what the text is about."""
    named, bare = _THE.match(clause), _BARE.match(clause)
    if named is not None and named["is"] == "is" and is_attribute_noun(named["n"]) and _CALLED.match(named["v"]):
        return State(UNNAMED, named["n"], _CALLED.sub("", named["v"]))
    if bare is None or bare["is"] != "is" or not is_amount(bare["v"]):
        return None
    noun = bare["n"].lower()
    is_sure = noun in SINGLE_VALUED or is_setting(noun) or len(noun.split()) > 1
    return State(UNNAMED, noun, bare["v"]) if is_sure and is_attribute_noun(noun) else None


def _setting(clause: str, has_topic: bool) -> State | None:
    """`The wifi password is otter-42`: of the owner's household or team, or of what the text is about.

    `The staging URL is …` is that of a system: nobody's where the text is about nothing.
    """
    match = _THE.match(clause)
    noun = compound_noun(_AT_PLACE.sub(" for ", match["n"].removeprefix("new "))) if match is not None else ""
    if match is None or match["is"] != "is" or not is_attribute_noun(noun) or not is_setting(noun):
        return None
    found = setting_value(noun, match["v"]) if has_topic or not is_system_setting(noun) else None
    return State(HOUSE, noun, found) if found is not None else None


def _part_of_own(clause: str) -> State | None:
    """`My son's school is Lindenhof`, `the car's plate is B-KL 22`: of the owner, though the thing has no name."""
    match = _OWN_THING.match(clause)
    if match is None or match["is"] != "is" or not is_attribute_noun(match["n"]):
        return None
    if match["x"].lower() == "the" and match["n"] in STATE_NOUNS:
        return None
    subject = {"my": OWNER, "our": GROUP}.get(match["x"].lower(), HOUSE)
    noun = f"{match['thing']} {match['n']}"
    if is_person_noun(match["n"]):
        return State(subject, noun, match["v"], "present", None, "person") if is_name(match["v"]) else None
    found = attribute_value(match["n"], match["v"])
    return State(subject, noun, found) if found is not None else None


def _changes(clause: str, known: KnownName, _: bool) -> State | None:
    """`my rent went up from 900 to 960`, `my email changed to …`; of `the rent` only where a household has one."""
    match = _CHANGED.match(clause)
    if match is None or not is_attribute_noun(match["n"]):
        return None
    thing = match["thing"]
    if match["the"] and thing and known(thing):
        subject, thing = thing, None
    elif match["the"]:
        is_set_once = thing or match["n"] in SINGLE_VALUED or is_setting(match["n"])
        subject = HOUSE if is_set_once and match["n"] not in STATE_NOUNS else None
    else:
        subject = possessor_in(match["my"] or match["x"], known)
    if subject is None:
        return None
    if not all(is_amount(each) or is_street(each) or contact_kind(each) for each in (match["v"], match["a"]) if each):
        return None
    noun = f"{thing} {match['n']}" if thing else match["n"]
    return State(subject, noun, match["v"], "coming" if match["coming"] else "change", replaces=True)


def _places(clause: str, _: KnownName, __: bool) -> State | None:
    """`Porto is in Portugal`; people are somewhere only for a time, so it counts of what is known as a place."""
    match = _LOCATED.match(clause)
    if match is None or not is_name(match["x"]) or not is_name(match["y"]):
        return None
    return State(match["x"], LOCATED_IN, match["y"], "present", "location", "location")


def _destinations(clause: str, _: KnownName, __: bool) -> State | None:
    """`invoices go to billing@acme.example`."""
    match = _SENT_TO.match(clause)
    is_address = match is not None and contact_kind(match["v"]) == "email"
    return State(HOUSE, match["n"].lower(), match["v"]) if match is not None and is_address else None


def _attribute(match: re.Match[str], known: KnownName) -> State | None:
    parts = match.groupdict()
    noun, value = compound_noun(parts["n"].removeprefix("new ")), parts["v"]
    subject = possessor_in(parts.get("x"), known)
    if subject is None or not is_attribute_noun(noun) or (subject == UNNAMED and is_person_noun(noun)):
        return None
    tense = _TENSES.get(parts.get("is") or "", "present")
    if is_person_noun(noun):
        person = State(subject, _person_relation(subject, noun), value, tense, None, "person")
        person = replacing(person, match[0]) if parts["n"].startswith("new ") else person
        return person if is_name(value) else None
    found = attribute_value(noun, value)
    noun = "address" if noun in _DWELLINGS and found is not None and is_street(found) else noun
    noun = f"{noun} model" if noun in _DEVICES and found is not None and _HAS_LETTER.search(found) else noun
    is_own = parts.get("rel") != "for"
    if found is None and is_own and tense == "present" and is_judgement(noun, value):
        return State(subject, noun, value, tense, is_judgement=True)
    return State(subject, noun, found, tense) if found is not None else None


def _names(clause: str, known: KnownName, _: bool) -> State | None:
    """`my dog's name is Rex`, `Kim's sister is called Ana`."""
    match = _NAME_OF.match(clause)
    subject = possessor_in(match["my"] or match["x"], known) if match else None
    if match is None or subject is None or not is_name(match["v"]) or not is_attribute_noun(match["n"]):
        return None
    noun = _person_relation(subject, match["n"])
    return State(subject, noun, match["v"], "present", None, "person" if is_person_noun(match["n"]) else None)


def _relations(clause: str, known: KnownName, _: bool) -> State | None:
    """`Ana is my sister`, `Ana is Kim's sister`."""
    match = _RELATION.match(clause)
    subject = possessor_in(match["my"] or match["x"], known) if match else None
    if match is None or subject is None or not is_name(match["v"]) or not _is_role(match["n"].lower()):
        return None
    tense = _TENSES[match["is"]]
    if tense == "past" and match["n"] in KIN_BY_BIRTH:
        return None  # one who died is still the sister
    found = State(subject, _person_relation(subject, match["n"]), match["v"], tense, None, "person")
    return replacing(found, clause) if match["new"] else found


def _holders(clause: str, known: KnownName, _: bool) -> State | None:
    """`Jana Voss is the CEO of Ecolab`, `Jana Voss is the head of sales`."""
    if (head := _DEPARTMENT_HEAD.match(clause)) is not None:
        return State(HOUSE, head["n"], head["v"], "present", None, "person") if is_name(head["v"]) else None
    match = _HOLDER.match(clause)
    subject = possessor_in(match["x"], known) if match else None
    if match is None or subject is None or not is_name(match["v"]) or not _is_role(match["n"].lower()):
        return None
    return State(subject, match["n"], match["v"], "present", None, "person")


def _relatives(clause: str, known: KnownName) -> list[State]:
    """`My kids are Theo and Ida`."""
    match = _RELATIVES.match(clause)
    subject = possessor_in(match["my"] or match["x"], known) if match else None
    if match is None or subject is None:
        return []
    noun = _SINGULAR.get(match["n"], match["n"].removesuffix("s"))
    names = re.split(r",\s*(?:and\s+)?|\s+and\s+", match["v"])
    if noun == match["n"] or not is_person_noun(noun) or not all(map(is_name, names)):
        return []
    return [State(subject, noun, name, "present", None, "person") for name in names]


def _person_relation(subject: str, noun: str) -> str:
    """Whom the owner reports to is the owner's manager; the manager of a club or a shop is nobody's superior."""
    return "reports_to" if subject == OWNER and noun in _OWN_SUPERIORS else noun


def _is_role(noun: str) -> bool:
    head = noun.split()[-1]
    return is_person_noun(re.sub(r"[- ]in[- ]law$", "", noun)) or head in OCCUPATIONS or noun.startswith("head of ")


def _callings(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    """`I'm a nurse at Mercy`, `my wife Tess is a teacher`, `i'm vegetarian`."""
    match = _BEING.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match else None
    if match is None or subject is None:
        return []
    words, tense = match["v"].split(), _TENSES["has been" if match["been"] else "is"]
    if set(words) & (JUDGEMENTS | RESTRICTIONS | NOT_VALUES):
        return []
    if words[-1] in DIETS | CONDITIONS and len(words) == 1 and not match["y"]:
        return [State(subject, "diet" if words[0] in DIETS else "condition", words[0], tense, "person")]
    is_calling = match["a"] is not None and words[-1] in OCCUPATIONS and len(words) <= MAX_CALLING_WORDS
    if not is_calling or (match["y"] and not is_name(_POSSESSIVE_END.sub("", match["y"]))):
        return []
    found = [State(subject, "occupation", match["v"], tense, "person")]
    if match["y"] and match["at"] != "in":
        found.append(State(subject, "works_at", match["y"], tense, "person", "organization"))
    return found


def _nicknames(clause: str, _: KnownName, __: bool) -> State | None:
    match = _NICKNAME.match(clause)
    return State(OWNER, "nickname", match["v"]) if match is not None and is_name(match["v"]) else None


def _absences(clause: str, known: KnownName, has_topic: bool) -> State | None:
    match = _ABSENCE.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match else None
    return State(subject, "status", match["v"], "present", "person") if match and subject is not None else None


def _marriages(clause: str, known: KnownName, has_topic: bool) -> State | None:
    match = _MARRIED.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match else None
    if match is None or subject is None or not is_name(match["y"]):
        return None
    return State(subject, "spouse_of", match["y"], "present", "person", "person")


def _ages(clause: str, known: KnownName, has_topic: bool) -> State | None:
    """`Kim is 9 years old`; without these words only a relative or the owner can be meant: `our daughter Elsa is 9`."""
    match = _AGE.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match else None
    if match is None or subject is None or int(match["age"]) > _OLDEST:
        return None
    is_person = subject == OWNER or match["turned"] or is_relative(match["x"].strip())
    tense: Tense = "change" if match["turned"] else "present"
    return State(subject, "age", match["age"], tense) if match["old"] or is_person else None


def _heights(clause: str, known: KnownName, has_topic: bool) -> State | None:
    match = _TALL.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match else None
    return State(subject, "height", match["v"]) if match and subject is not None else None


def _measures(clause: str, known: KnownName, has_topic: bool) -> State | None:
    """`my commute takes 40 minutes`, `Bluebird costs 12 euros`; with a topic, `the deploy takes 20 minutes`."""
    match = _MEASURE.match(clause)
    if match is None or not is_amount(match["v"]):
        return None
    noun = match["n"] or match["the"]
    if match["name"]:
        subject = subject_in(match["name"], known, has_topic=False)
    elif match["the"]:
        subject = UNNAMED if has_topic else None
    else:
        subject = possessor_in(match["my"] or match["x"], known)
    if subject is None or (noun and not is_attribute_noun(noun)):
        return None
    predicate = " ".join(filter(None, (noun, MEASURED[match["verb"]])))
    return State(subject, predicate, match["v"], "present")


_READERS: tuple[Callable[[str, KnownName, bool], State | None], ...] = (
    _nicknames,
    _absences,
    _names,
    _relations,
    _holders,
    _values,
    _marriages,
    _ages,
    _heights,
    _measures,
    _changes,
    _destinations,
    _places,
)
