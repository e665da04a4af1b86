"""A state that a clause asserts: of whom, what, since and until when, and what it replaces."""

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from recollect.reading.phrases import is_name, is_project_name
from recollect.reading.state_lexicon import GROUP_NOUNS, PEOPLE_NOUNS
from recollect.reading.state_time import Tense
from recollect.text.patterns import lazy_pattern
from recollect.when.period import Bounds

KnownName = Callable[[str], bool]
"""Whether a text is the name or alias of a known entity."""
OWNER, GROUP, UNNAMED, HOUSE = "I", "we", "", "the"
"""Subjects that are not names: the owner, the owner or what the text is about, and what the text is about.

`HOUSE` is what the text is about, else the owner's household or team: whose `the wifi password` is.
"""


class State(NamedTuple):
    """A state that a clause asserts, with its bounds; `subject` is a name or one of the constants above."""

    subject: str
    predicate: str
    target: str | None
    tense: Tense = "present"
    subject_type: str | None = None
    target_type: str | None = None
    """The type of an entity that a capitalised target names; none if the target is a plain value."""
    replaces: bool = False
    has_ended: bool = False
    """Whether the clause says that this no longer holds."""
    replaced: str | None = None
    """The former target that this one replaces."""
    ruled_out: tuple[str, ...] = ()
    """Targets that the clause names only to deny them: `uses pnpm, not npm`."""
    goes_back: bool = False
    """Whether the target takes the place of what followed it: `switched back to Vim`."""
    needs_known: bool = False
    """Whether the words say so only of a target that is known to be one: `Kim left Acme`."""
    is_judgement: bool = False
    """Whether the target only tells how something is: `my back is sore`."""
    bounds: Bounds = Bounds()


_RELATIVE_BY_NAME = lazy_pattern(
    rf"^(?:[Mm]y|[Oo]ur|.{{1,60}}?['’]s) (?:(?:older|younger|little|big|best|old|new|former|late) )?"
    rf"(?:{'|'.join(sorted(PEOPLE_NOUNS))})(?:[- ]in[- ]law)?,? (?P<name>[A-Z].*)$"
)
_TEAM = lazy_pattern(
    r"^(?:[Tt]he|[Oo]ur) (?P<name>(?!(?:whole|entire|new|old|other|same|best|first|our) )[a-z]+(?: [a-z]+)? team)$"
)
"""A team of many: the word before it tells which one."""
_OWN_GROUP = lazy_pattern(rf"^(?:[Mm]y|[Oo]ur) (?:{'|'.join(sorted(GROUP_NOUNS))})\s*$")


def subject_in(text: str, known: KnownName, *, has_topic: bool) -> str | None:
    """The subject that the words before a verb name; none if they are anything else."""
    words = text.strip()
    if words in ("I", "i"):
        return OWNER
    if words in ("We", "we"):
        return GROUP
    if not words:
        return UNNAMED if has_topic else None
    return named_subject(words, known)


def possessor_in(text: str | None, known: KnownName) -> str | None:
    """The subject that `my`, `our` or a possessive names; without one, what the text is about."""
    if text is None:
        return UNNAMED
    if text.lower() in ("my", "our"):
        return OWNER if text.lower() == "my" else GROUP
    return named_subject(text, known)


def is_own_group(words: str) -> bool:
    """Whether words name what the speaker belongs to: `our team`, `my company`."""
    return _OWN_GROUP.match(words) is not None


def is_relative(words: str) -> bool:
    """Whether words name somebody by their tie and name: `my sister Ana`."""
    return _RELATIVE_BY_NAME.match(words) is not None


def named_subject(words: str, known: KnownName) -> str | None:
    """A name: capitalised, of a project, after `my sister`, or of something known, also with an article before it."""
    if relative := _RELATIVE_BY_NAME.match(words):
        return relative["name"] if is_name(relative["name"]) else None
    if team := _TEAM.match(words):
        return team["name"]
    is_known = words.lower() not in ("me", "it", "you") and known(words)
    if is_name(words) or is_project_name(words) or is_known:
        return words
    thing = _THE_THING.match(words)
    return thing["name"] if thing is not None and known(thing["name"]) else None


_THE_THING = lazy_pattern(r"^[Tt]he (?P<name>[^,;]{2,60})$")
"""`the boiler`, where something is called *boiler*."""
_CORRECTION = lazy_pattern(
    r"^(?:(?:oh|ok|okay|well|hm+|sorry|and|but)[,. ]+)*(?:correction[:,]|actually,?|no,? wait[,:.]?|wait,? no[,:]?|"
    r"sorry,? (?:but )?i meant(?: to say)?[,:]?(?: that)?|i meant(?: to say)?[,:]?(?: that)?)\s+",
    re.IGNORECASE,
)
_NOW = lazy_pattern(
    r"(?<=\bis) now(?= )|(?<=\bam) now(?= )|(?<=\bare) now(?= )|(?<=['’][smSM]) now(?= )|(?<=['’]re) now(?= )"
    r"|(?<= )now (?=(?:works?|lives?|resides?|uses?|prefers?)\b)"
)
_BESIDE = lazy_pattern(r"\b(?:also|too|as well|additionally|another|both)\b", re.IGNORECASE)
# People have several of these at once, so that a new one does not tell which of them was wrong.
_MANY_AT_ONCE = frozenset(
    "allergic_to likes owns speaks allergy hobby language pet skill friend colleague coworker co-worker teammate "
    "roommate flatmate housemate neighbour neighbor sibling sister brother child kid baby son daughter cousin aunt "
    "uncle niece nephew parent grandmother grandfather grandma grandpa grandson granddaughter assistant mentee mentor "
    "doctor lawyer teacher tutor coach founder cofounder co-founder agent advisor adviser".split()
)


class AnnouncedChange(NamedTuple):
    """A text without the words that announce a correction or change, and whether it had any."""

    text: str
    is_change: bool


def strip_correction(sentence: str) -> AnnouncedChange:
    """A sentence without a leading `Correction:`, `Actually,`, `No wait,` or `Sorry, I meant`."""
    match = _CORRECTION.match(sentence)
    return AnnouncedChange(sentence[match.end() :], True) if match else AnnouncedChange(sentence, False)


def strip_now(clause: str) -> AnnouncedChange:
    """A clause without the `now` of `is now` and `now works at`."""
    text, count = _NOW.subn("", clause, count=1)
    return AnnouncedChange(text, count > 0)


def replacing(state: State, text: str) -> State:
    """The same claim, which replaces the current value if it can."""
    is_value = state.target is not None and state.tense != "past" and not state.has_ended and state.replaced is None
    if not is_value or state.predicate.split()[-1].lower() in _MANY_AT_ONCE or _BESIDE.search(text):
        return state
    if state.predicate == "uses" and re.search(rf"\bfor (?!(?:the |our )?{re.escape(state.subject)}\b)", text):
        return state  # what is used for something else is not replaced
    return state._replace(replaces=True)


def has_rivals(states: list[State]) -> bool:
    """Whether two replacing claims give one attribute different values, so that each would undo the other."""
    return max(Counter((each.subject, each.predicate) for each in states if each.replaces).values(), default=0) > 1


def with_known_employers(states: list[State]) -> list[State]:
    """The states of a sentence; whom somebody left for an employer is one, too: `Nina left Acme and joined Globex`."""
    employed = (each for each in states if each.predicate == "works_at" and each.tense != "past" and not each.has_ended)
    joined = {each.subject for each in employed}
    return [
        each._replace(needs_known=False) if each.needs_known and each.subject in joined else each for each in states
    ]
