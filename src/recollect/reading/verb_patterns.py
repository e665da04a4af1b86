"""The verbs by which people state where somebody works, lives or uses something, in every tense."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from recollect.reading.state_time import Tense
from recollect.text.patterns import PatternGroup, lazy_pattern

ADVERBS = (
    r"(?:(?:also|still|currently|now|really|always|mainly|mostly|primarily|already|personally|actually|definitely) )*"
)
# Words before the verb; a contraction such as I'm follows without a space.
_X = r"(?P<x>|.{1,80}?(?=['’])|.{1,80}? )"
BE = r"(?:is|am|are|'m|’m|'re|’re)"
HAVE = r"(?:has|have|'ve|’ve)"
TAIL = r"(?: (?P<tail>(?:as|with|in|on|for|at|near|since|from|by|together) .+))?"


def anchored_pattern(pattern: str) -> re.Pattern[str]:
    return lazy_pattern(rf"^{_X}{pattern}$")


_STATE_VERBS = {
    # predicate: present of a name, present of I and we, past, participle, progressive, type of subject, type of target
    "works_at": ("works", "work", "worked", "worked", "working", r"(?:at|for)", "person", "organization"),
    "lives_in": ("lives|resides", "live|reside", "lived|resided", "lived", "living", "in", "person", "location"),
    "studies_at": ("studies", "study", "studied", "studied", "studying", "at", "person", "organization"),
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


class VerbForm(NamedTuple):
    pattern: re.Pattern[str]
    predicate: str
    tense: Tense
    needs_first_person: bool | None
    """Whether the verb form goes with I and we; none if it goes with any subject."""
    subject_type: str | None
    target_type: str


def _verb_forms() -> Iterator[VerbForm]:
    for predicate, (third, first, past, participle, progressive, preposition, who, what) in _STATE_VERBS.items():
        y = rf" {preposition} (?P<y>.+?){TAIL}"
        yield from _tenses(predicate, third, first, past, participle, progressive, y, who, what)
    for predicate, (third, first, past, participle, progressive_, who_, what) in _OBJECT_VERBS.items():
        tail = TAIL if predicate == "uses" else r"(?: (?P<tail>(?:over|to|rather than|instead of) .+))?"
        y = rf" (?P<y>.+?){tail if predicate in ('uses', 'prefers') else ''}"
        yield from _tenses(predicate, third, first, past, participle, progressive_, y, who_, what)
    y = r" allergic to (?P<y>.+?)"
    yield VerbForm(
        anchored_pattern(rf"{BE} {ADVERBS}(?:severely )?{y[1:]}"), "allergic_to", "present", None, "person", ""
    )
    yield VerbForm(
        anchored_pattern(rf"{HAVE} been {ADVERBS}(?:severely )?{y[1:]}"), "allergic_to", "perfect", None, "person", ""
    )
    yield VerbForm(anchored_pattern(r"grew up in (?P<y>.+?)"), "grew_up_in", "present", None, "person", "location")
    joined = rf"(?:{HAVE} )?{ADVERBS}joined (?P<y>.+?)"
    yield VerbForm(anchored_pattern(joined), "works_at", "change", None, "person", "organization")


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
) -> Iterator[VerbForm]:
    yield VerbForm(anchored_pattern(rf"{ADVERBS}(?:{third}){y}"), predicate, "present", False, who, what)
    yield VerbForm(anchored_pattern(rf"{ADVERBS}(?:{first}){y}"), predicate, "present", True, who, what)
    yield VerbForm(anchored_pattern(rf"{ADVERBS}(?:{past}){y}"), predicate, "past", None, who, what)
    yield VerbForm(anchored_pattern(rf"used to (?:{first}){y}"), predicate, "past", None, who, what)
    yield VerbForm(anchored_pattern(rf"{HAVE} {ADVERBS}(?:{participle}){y}"), predicate, "perfect", None, who, what)
    if progressive:
        yield VerbForm(anchored_pattern(rf"{BE} {ADVERBS}(?:{progressive}){y}"), predicate, "present", None, who, what)
        yield VerbForm(
            anchored_pattern(rf"{HAVE} been {ADVERBS}(?:{progressive}){y}"), predicate, "perfect", None, who, what
        )
        yield VerbForm(
            anchored_pattern(rf"(?:was|were) {ADVERBS}(?:{progressive}){y}"), predicate, "past", None, who, what
        )


THIRD_PERSON = {
    first: third
    for forms in (*_STATE_VERBS.values(), *_OBJECT_VERBS.values())
    for third, first in zip((forms[0] or "").split("|"), (forms[1] or "").split("|"), strict=True)
} | {"are": "is"}
PAST_FORMS = {past for forms in (*_STATE_VERBS.values(), *_OBJECT_VERBS.values()) for past in str(forms[2]).split("|")}
VERB_FORMS = PatternGroup(tuple(_verb_forms()), lambda form: form.pattern)


def target_type(predicate: str) -> str:
    """The type of what a verb of this predicate is about, where that has a name."""
    types = {name: forms[-1] for name, forms in (*_STATE_VERBS.items(), *_OBJECT_VERBS.items())}
    return types.get(predicate) or ""


def is_state_verb(predicate: str) -> bool:
    """Whether a predicate is one of the verbs of this table."""
    return predicate in _STATE_VERBS or predicate in _OBJECT_VERBS
