"""Sentence forms for people: born, married, ill, in debt, to be reached at, owning something."""

import re
from collections.abc import Callable

from recollect.reading.phrases import (
    contact_kind,
    is_amount,
    is_attribute_noun,
    is_name,
    is_person_noun,
    is_street,
    object_phrase,
    possession,
    words_of,
)
from recollect.reading.state import GROUP, OWNER, KnownName, State, subject_in
from recollect.reading.state_lexicon import DEFINITE, ILLNESSES, PEOPLE_NOUNS
from recollect.reading.state_targets import target_in
from recollect.reading.state_time import Tense
from recollect.text.patterns import lazy_pattern

_MARRIED_IN = lazy_pattern(
    r"^(?P<x>I|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)(?: and (?P<pair>I|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?))? "
    r"(?:(?:have|has) )?(?:got married|got hitched|married|tied the knot)(?: (?:to )?(?P<y>[A-Z].*))?$"
)
_ILLNESS = lazy_pattern(
    r"^(?P<x>.{1,60}?) (?:has|have|suffers? from) (?P<kind>(?:type [12]|chronic|mild|severe) )?(?P<v>"
    rf"(?i:{'|'.join(sorted(ILLNESSES))}))$"
)
_DEBT = lazy_pattern(r"^(?P<x>.{1,60}?) owes? (?P<to>me|us|[A-Z][\w'-]*(?: [A-Z][\w'-]*)?) (?P<v>\S.*)$")
_REACHED = lazy_pattern(
    r"^(?:(?:[Yy]ou|we|people) (?:can|may) (?:reach|contact|get|call|phone|e-?mail) (?P<x>.{1,60}?)"
    r"|(?P<y>.{1,60}?) (?:can be (?:reached|contacted)|is reachable)) (?:at|on|under|via) (?P<v>\S.*)$"
)
_BELONGS = lazy_pattern(r"^(?:[Tt]he|[Tt]his|[Tt]hat) (?P<v>[a-z][\w -]{0,40}?) belongs to (?P<x>.+)$")
_LIVES_AT = lazy_pattern(r"^(?P<x>.{1,60}?) lives? at (?P<v>.+)$")
_PROMOTED = lazy_pattern(
    r"^(?P<x>.{1,60}?)(?: have| has|['’]ve)? (?:got|was|been|got just) promoted to (?P<v>[a-zA-Z][a-zA-Z -]{2,40})$"
)
_MEDICINE = lazy_pattern(
    r"^(?P<x>.{1,60}?)(?: takes?| am taking| is taking|['’]m taking) "
    r"(?P<v>\d[\d.,]* ?(?:mg|mcg|µg|g|ml|units) (?:of )?\S.*)$"
)
_KEPT = (
    "cat dog rabbit hamster parrot horse pony tortoise turtle guinea-pig kitten puppy son daughter kid child".split()
)
_HAS_NAMED = lazy_pattern(
    r"^(?P<x>I|i|[Ww]e|[A-Z][\w'-]+)(?: have| has|['’]ve)?(?: got| adopted)? (?:an?|two|three|four|\d) "
    rf"(?:new |little |young )?(?P<n>{'|'.join(_KEPT)}|children)s?(?: called| named|,|:)? (?P<v>[A-Z].*)$"
)
_AGE_AFTER = lazy_pattern(r" \((?:aged? )?(?P<age>\d{1,2})\)$")
_HAS = lazy_pattern(rf"^(?P<x>.{{1,60}}?)(?: has| have|['’]ve)(?: got)? (?P<v>(?:{'|'.join(DEFINITE)}) .+)$")
_HIRED = lazy_pattern(
    r"^(?P<x>.{1,60}?)(?: have| has|['’]ve)?(?: just)? "
    r"(?:started (?:working|work|an? (?:new )?job)|got an? (?:new )?job|(?P<began>started)"
    r"|was hired|took an? (?:new )?job) (?:at|by|with|for) (?P<y>[A-Z].*)$"
)
_UNNAMED = lazy_pattern(
    rf"^(?P<x>[Mm]y|[Oo]ur) (?P<n>{'|'.join(sorted(PEOPLE_NOUNS))}) (?:now |still |currently )?"
    r"(?P<verb>lives in|lived in|(?:has )?moved to|works at|works for|worked at|worked for) (?P<y>.+)$"
)
_SCHOOLS = frozenset("school university college kindergarten academy gymnasium nursery uni institute".split())
_BORN = lazy_pattern(r"^(?P<x>.{1,60}?) (?:was|am|is) born in (?P<y>[A-Z].*)$")

PERSON_FORMS = (
    _MARRIED_IN, _ILLNESS, _DEBT, _REACHED, _BELONGS, _LIVES_AT, _PROMOTED, _MEDICINE, _HAS_NAMED, _HAS, _HIRED,
    _UNNAMED, _BORN,
)  # fmt: skip


def match_people(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    """What a clause says of a person's ties, health, debts, contacts and belongings."""
    for read in _READERS:
        found = read(clause, known, has_topic)
        if found is not None:
            return [found]
    return _named_ones(clause, known)


def _marriages(clause: str, _: KnownName, __: bool) -> State | None:
    """`Carla and I got married`, `Ada married Bob Stone`."""
    match = _MARRIED_IN.match(clause)
    pair = [each for each in (match["x"], match["pair"], match["y"]) if each] if match is not None else []
    if len(pair) != _PAIR or not all(each == OWNER or is_name(each) for each in pair):
        return None
    first, second = sorted(pair, key=lambda each: each != OWNER)
    return State(first, "spouse_of", second, "change", "person", "person")


def _illnesses(clause: str, known: KnownName, has_topic: bool) -> State | None:
    match = _ILLNESS.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match is not None else None
    if match is None or subject is None or match["v"].lower() not in ILLNESSES:
        return None
    return State(subject, "condition", f"{match['kind'] or ''}{match['v']}", "present", "person")


def _debts(clause: str, known: KnownName, has_topic: bool) -> State | None:
    """`Tilda owes me 40 euros`: so much, and to whom."""
    match = _DEBT.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match is not None else None
    if match is None or subject is None or not is_amount(match["v"]):
        return None
    if match["to"] not in ("me", "us") and not is_name(match["to"]):
        return None
    return State(subject, "owes", f"{match['v']} to {match['to']}", "present", "person")


def _contacts(clause: str, known: KnownName, _: bool) -> State | None:
    match = _REACHED.match(clause)
    name = (match["x"] or match["y"]) if match is not None else ""
    kind = contact_kind(match["v"]) if match is not None else None
    subject = OWNER if name == "me" else subject_in(name, known, has_topic=False)
    return State(subject, kind, match["v"]) if match is not None and subject is not None and kind else None


def _belongings(clause: str, _: KnownName, __: bool) -> State | None:
    match = _BELONGS.match(clause)
    thing = object_phrase(match["v"]) if match is not None and is_attribute_noun(match["v"]) else None
    owner = OWNER if match is not None and match["x"] == "me" else None
    if match is not None and owner is None and is_name(match["x"]):
        owner = match["x"]
    return State(owner, "owns", thing) if owner is not None and thing is not None else None


def _possessions(clause: str, known: KnownName, has_topic: bool) -> State | None:
    """`Helga has the spare keys`."""
    match = _HAS.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match is not None else None
    thing = possession(match["v"]) if match is not None else None
    return State(subject, "has", thing) if subject is not None and thing is not None else None


def _birthplaces(clause: str, known: KnownName, has_topic: bool) -> State | None:
    match = _BORN.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match is not None else None
    place = match["y"].partition(",")[0] if match is not None else ""
    return State(subject, "born_in", place, "present", "person", "location") if subject and is_name(place) else None


def _homes(clause: str, known: KnownName, has_topic: bool) -> State | None:
    """`I live at 12 Mill Lane`."""
    match = _LIVES_AT.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match is not None else None
    if match is None or subject is None or not is_street(match["v"]):
        return None
    return State(subject, "address", match["v"])


def _promotions(clause: str, known: KnownName, has_topic: bool) -> State | None:
    match = _PROMOTED.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match is not None else None
    return State(subject, "role", match["v"], "change", "person", replaces=True) if match and subject else None


def _medicines(clause: str, known: KnownName, has_topic: bool) -> State | None:
    match = _MEDICINE.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match is not None else None
    return State(subject, "takes", match["v"], "present", "person") if match is not None and subject else None


def _jobs(clause: str, known: KnownName, has_topic: bool) -> State | None:
    """`Lena started working at Zalando`; only the owner's `I started at Zalando` is sure to tell of a job."""
    match = _HIRED.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match is not None else None
    if match is None or subject is None or not is_name(match["y"]):
        return None
    if match["began"] and (subject != OWNER or not _SCHOOLS.isdisjoint(words_of(match["y"]))):
        return None
    return State(subject, "works_at", match["y"], "change", "person", "organization")


def _unnamed_people(clause: str, known: KnownName, _: bool) -> State | None:
    """`My mother lives in Porto`: of the speaker, as long as the mother has no name."""
    match = _UNNAMED.match(clause)
    if match is None or known(f"{match['x']} {match['n']}"):
        return None
    is_home = not match["verb"].startswith("work")
    target = target_in("lives_in" if is_home else "works_at", match["y"], known)
    verb, type_ = ("lives in", "location") if is_home else ("works at", "organization")
    has_moved, is_past = match["verb"].endswith("to"), "ed " in match["verb"]
    tense: Tense = "change" if has_moved else "past" if is_past else "present"
    subject = OWNER if match["x"].lower() == "my" else GROUP
    if target is None:
        return None
    what = type_ if is_name(target) else None
    return State(subject, f"{match['n']} {verb}", target, tense, None, what, replaces=has_moved)


def _named_ones(clause: str, known: KnownName) -> list[State]:
    """`We have two cats, Miso and Tofu`: each by its name."""
    match = _HAS_NAMED.match(clause)
    subject = subject_in(match["x"], known, has_topic=False) if match is not None else None
    said = re.split(r",\s*(?:and\s+)?|\s+and\s+", match["v"]) if match is not None else []
    names = [_AGE_AFTER.sub("", each) for each in said]
    if match is None or subject is None or not all(map(is_name, names)):
        return []
    noun = "child" if match["n"] in ("children", "kid", "child") else match["n"]
    ages = [(name, age["age"]) for name, each in zip(names, said, strict=True) if (age := _AGE_AFTER.search(each))]
    type_ = "person" if is_person_noun(noun) else None
    return [
        *(State(subject, noun, name, "present", None, type_) for name in names),
        *(State(name, "age", age, "present", type_) for name, age in ages),
    ]


_PAIR = 2
_READERS: tuple[Callable[[str, KnownName, bool], State | None], ...] = (
    _marriages,
    _illnesses,
    _debts,
    _contacts,
    _belongings,
    _possessions,
    _birthplaces,
    _homes,
    _promotions,
    _medicines,
    _jobs,
    _unnamed_people,
)
