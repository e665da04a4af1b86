"""Sentence forms for people: born, married, ill, in debt, to be reached at, owning something."""

from collections.abc import Callable

from recollect.reading.phrases import contact_kind, is_amount, is_attribute_noun, is_name, object_phrase
from recollect.reading.state import OWNER, KnownName, State, subject_in
from recollect.reading.state_words import ILLNESSES
from recollect.text.patterns import lazy_pattern

_MARRIED_IN = lazy_pattern(
    r"^(?P<x>I|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)(?: and (?P<pair>I|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?))? "
    r"(?:(?:have|has) )?(?:got married|got hitched|married|tied the knot)(?: (?:to )?(?P<y>[A-Z].*))?$"
)
_ILLNESS = lazy_pattern(
    r"^(?P<x>.{1,60}?) (?:has|have|suffers? from) (?P<kind>(?:type [12]|chronic|mild|severe) )?(?P<v>[A-Za-z']+)$"
)
_DEBT = lazy_pattern(r"^(?P<x>.{1,60}?) owes? (?P<to>me|us|[A-Z][\w'-]*(?: [A-Z][\w'-]*)?) (?P<v>\S.*)$")
_REACHED = lazy_pattern(
    r"^(?:(?:[Yy]ou|we|people) (?:can|may) (?:reach|contact|get|call|phone|e-?mail) (?P<x>.{1,60}?)"
    r"|(?P<y>.{1,60}?) (?:can be (?:reached|contacted)|is reachable)) (?:at|on|under|via) (?P<v>\S.*)$"
)
_BELONGS = lazy_pattern(r"^(?:[Tt]he|[Tt]his|[Tt]hat) (?P<v>[a-z][\w -]{0,40}?) belongs to (?P<x>.+)$")
_BORN = lazy_pattern(r"^(?P<x>.{1,60}?) (?:was|am|is) born in (?P<y>[A-Z].*)$")


def match_people(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    """What a clause says of a person's ties, health, debts, contacts and belongings."""
    for read in _READERS:
        found = read(clause, known, has_topic)
        if found is not None:
            return [found]
    return []


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


def _birthplaces(clause: str, known: KnownName, has_topic: bool) -> State | None:
    match = _BORN.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match is not None else None
    place = match["y"].partition(",")[0] if match is not None else ""
    return State(subject, "born_in", place, "present", "person", "location") if subject and is_name(place) else None


_PAIR = 2
_READERS: tuple[Callable[[str, KnownName, bool], State | None], ...] = (
    _marriages,
    _illnesses,
    _debts,
    _contacts,
    _belongings,
    _birthplaces,
)
