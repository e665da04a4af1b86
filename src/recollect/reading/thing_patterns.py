"""Sentence forms for things without a name of their own: `the parking permit costs 35 euros`.

The phrase for the thing becomes its name. Only what holds as a rule is read: a job *runs at* an hour and a shop *opens
at* one, but a lesson that *starts at* an hour may be that of today.
"""

from collections.abc import Mapping

from recollect.reading.attribute_patterns import MEASURED
from recollect.reading.dated_patterns import CLOCK, DAYS
from recollect.reading.phrases import attribute_value, is_amount, is_attribute_noun, is_person_noun
from recollect.reading.state import State
from recollect.reading.state_lexicon import NOT_VALUES, OCCUPATIONS, RESTRICTIONS, STATE_NOUNS
from recollect.text.patterns import lazy_pattern

_PHRASE = r"(?P<x>(?:[A-Za-z][\w-]* ){1,3}?[A-Za-z][\w-]*|[A-Z]{2,6})"
_THING = rf"[Tt]he {_PHRASE}"
"""A phrase of several words, since *the shop* or *the build* may be another one each time."""
_COUNTED = r"every (?:\d{1,3} )?(?:seconds?|minutes?|hours?|nights?|days?|weeks?|months?)|hourly|nightly"
_RULE = rf"(?i:{_COUNTED}|{DAYS})"
_SCHEDULED = lazy_pattern(
    rf"^{_THING} (?P<verb>runs|opens|closes|takes place|is emptied|is collected) "
    rf"(?:at (?P<clock>\d{{1,2}}(?::\d\d)?(?: ?[ap]m)?|noon|midnight)|(?P<v>{_RULE}(?:,? {CLOCK})?|{CLOCK},? {_RULE}))$"
)
_MEASURE = lazy_pattern(rf"^{_THING} (?P<verb>{'|'.join(MEASURED)}) (?P<v>.+)$")
_ON_PORT = lazy_pattern(rf"^{_THING} (?:runs|listens|is|is running|is listening) on port (?P<v>\d{{2,5}})$")
_PLACE = r"(?:[A-Z][\w-]* |[a-z][\w-]* )?"
_KEPT = lazy_pattern(
    rf"^{_THING} (?:(?:lives|is kept|is stored) in the (?P<v>{_PLACE}(?:folder|directory|bucket|drive))|"
    rf"is (?:kept|stored) in the (?P<w>{_PLACE}(?:drawer|cupboard|cabinet|safe|shed|garage|attic|basement|cellar)))$"
)
_VALUE_OF = lazy_pattern(rf"^[Tt]he (?P<n>[a-z][\w -]{{1,40}}?) of the {_PHRASE} is (?P<v>.+)$")
_OWN_VALUE = lazy_pattern(rf"^{_THING}['’]s (?P<n>[a-z][\w -]{{1,40}}?) is (?P<v>.+)$")

_NAMED = lazy_pattern(r"\b[A-Z][a-z]+ [a-z]")
"""A thing that is one of its kind: *the Orion rollout*, unlike *the build*."""

THING_FORMS = (_SCHEDULED, _MEASURE, _ON_PORT, _KEPT, _VALUE_OF, _OWN_VALUE)
_NOT_IN_THINGS = (
    NOT_VALUES | RESTRICTIONS | frozenset("can may might must shall will other same whole usual current".split())
)


def match_things(clause: str) -> list[State]:
    """What a positive, asserted clause says of a thing that it names by what it is."""
    for pattern in THING_FORMS:
        match = pattern.match(clause)
        found = _state(pattern, match.groupdict()) if match is not None and _is_thing(match["x"]) else None
        if found is not None:
            return [found]
    return []


def _is_thing(phrase: str) -> bool:
    words = phrase.lower().split()
    is_noun = is_attribute_noun(phrase) and not is_person_noun(phrase) and words[-1] not in OCCUPATIONS
    return is_noun and _NOT_IN_THINGS.isdisjoint(words) and not words[0].endswith(("ed", "est"))


def _state(pattern: object, said: Mapping[str, str]) -> State | None:
    thing, value = said["x"], said.get("v") or said.get("w")
    if pattern is _SCHEDULED:
        verb = said["verb"]
        return State(thing, f"{verb} at", said["clock"]) if said["clock"] else State(thing, verb, value)
    if pattern is _MEASURE:
        return State(thing, MEASURED[said["verb"]], value) if is_amount(value or "") else None
    if pattern is _ON_PORT:
        return State(thing, "port", value)
    if pattern is _KEPT:
        return State(thing, "kept in", value)
    noun = said["n"]
    is_passing = noun in STATE_NOUNS and not _NAMED.search(thing)
    if not is_attribute_noun(noun) or is_person_noun(noun) or is_passing:
        return None
    found = attribute_value(noun, value or "")
    return State(thing, noun, found) if found is not None else None
