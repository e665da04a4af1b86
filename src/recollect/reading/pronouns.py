"""Whom *she* and *his* mean: the one person whom earlier sentences of the same text name."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from recollect.reading.english_verbs import action_verbs, order_verbs, past_forms, third_person_forms
from recollect.reading.language_table import language_table
from recollect.reading.phrases import is_name, words_of
from recollect.reading.state import State
from recollect.reading.state_lexicon import PEOPLE_NOUNS
from recollect.text.lexicon import HONORIFIC_PATTERN
from recollect.text.patterns import lazy_pattern
from recollect.text.stop_words import STOP_WORDS

_CAPITALISED = lazy_pattern(
    rf"(?P<place>\b(?:in|at|from|near) (?:the )?)?(?P<name>(?:{HONORIFIC_PATTERN} )?[A-ZÀ-Þ][\w-]*"
    r"(?: [A-ZÀ-Þ][\w-]*)*)(?:['’]s\b)?"
)
LEAD = r"\W*(?:\d{1,2}[:.h]\d\d(?: ?[ap]m)?\b\W*)?(?:(?P<topic>(?:(?!\b(?:i|we|my|our|me|us)\b)[^:.!?;\n]){2,40}): )?"
"""What a note has before a clause: the time of day, and a topic with its colon."""
THIRD_PERSON = lazy_pattern(rf"(?i:{LEAD}(?:(?:also|and|but|so|still|then) )*(?:he|she|they)\b)")
"""A clause whose subject is somebody named elsewhere."""
_PRONOUN = lazy_pattern(r"^(?:(?P<of>[Hh]is|[Hh]er)|[Hh]e|[Ss]he)(?= [a-z])")
_ANY_PRONOUN = lazy_pattern(r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er)\b")
_NOUN = rf"(?:{'|'.join(sorted(PEOPLE_NOUNS))})"
# `my sister Ana` and `Ana is a teacher` tell of Ana; `my sister` and `the plumber` tell of one more person.
_DESCRIPTION = lazy_pattern(
    rf"\b{_NOUN}s?,? (?=[A-ZÀ-Þ])|\b(?:is|was|became) (?:an?|the|my|our) (?:[a-z]+ ){{0,2}}{_NOUN}\b"
)

_NAME_WILL = lazy_pattern(
    rf"{LEAD}(?P<name>[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?)(?:(?:['’]ll| will| is going to) (?:(?:also|then|now) )*"
    r"(?P<verb>[a-z]+)(?P<object> (?:the|an?|my|our|your|his|her|their|it|them|us|me|you|\d))?"
    r"| (?:has )?promised\b| promises to\b| undertook to\b"
    r"| (?:is|are) (?:(?:also|now|just|already) )*[a-z]{2,}ing(?: together| up)? "
    r"(?:the|an?|my|our|your|his|her|their|it|them|everything)\b"
    r"| (?:said|says|reckons|swears|told (?:me|us))(?: that)? (?:he|she|they)\b)"
)


_DOES = lazy_pattern(
    rf"{LEAD}(?P<name>[^\W\d_][\w-]+(?: [A-ZÀ-Þ][\w-]+)?) (?:(?:also|then|now) )*(?P<verb>[^\W\d_]+)"
    r"(?P<object> (?:the|an?|my|our|your|his|her|their|it|them|us|me|you|\d))?(?!\w)"
)
_OF_THINGS = frozenset(
    "comes goes opens closes starts stops runs works moves turns leaves ships follows ends breaks fits holds".split()
)
"""What things do, too: *boiler comes Friday*."""
_BARE_FORMS_OF_THINGS = frozenset(
    "ship follow arrive go come reach start run work open close move leave land stay stop turn fit hold launch".split()
)


def tells_of_another(clause: str, language: str) -> bool:
    """Whether a clause tells what somebody will do who is not its writer: *my sister will bring it*, *you promised*."""
    table = language_table(language)
    if table is None:
        return False
    low = clause.lower().replace("’", "'")
    if table.another.subject.match(low) or is_of_somebody(clause, language):
        return True
    verb = table.another.verb
    return verb is not None and verb.search(low) is not None and table.another.first.search(low) is None


def tells_of_person(clause: str, language: str) -> bool:
    """Whether a clause tells of somebody who is described at its start: *the plumber can come on Monday*."""
    table = language_table(language)
    return table is not None and table.another.person.match(clause.lower().replace("’", "'")) is not None


def is_first_person(words: str, language: str) -> bool:
    """Whether words have a pronoun of the writer."""
    table = language_table(language)
    return table is not None and table.another.first.search(words) is not None


def is_own_deed(clause: str, language: str) -> bool:
    """Whether a clause tells what its writer has done: *Asked Ravi*, *ik heb de dozen geverfd*."""
    if language == "en":
        first = clause.split(maxsplit=1)[0].strip(".,;:!").lower() if clause.strip() else ""
        return first in past_forms() and first not in action_verbs()
    table = language_table(language)
    if table is None or table.own_deed is None:
        return False
    return table.own_deed.search(clause.lower().replace("’", "'")) is not None


def name_of_doer(clause: str, language: str = "en") -> str | None:
    """The name that a clause begins with and says of what its bearer does: *Brendan will send the chart*."""
    found = _NAME_WILL.match(clause) if language == "en" else None
    if found is not None and is_name(found["name"]):
        verb = found["verb"]
        is_deed = (
            verb is None or verb in action_verbs() or (bool(found["object"]) and verb not in _BARE_FORMS_OF_THINGS)
        )
        return found["name"] if is_deed else None
    does = _DOES.match(clause)
    if does is None or not does["name"][0].isupper() or not is_name(does["name"]):
        return None
    is_own = language != "en" and is_first_person(clause.lower(), language)
    return does["name"] if _is_deed(does["verb"], language) and not is_own else None


def is_of_somebody(clause: str, language: str) -> bool:
    """Whether a clause begins with who does something, in small letters as many write names: *rosa sends the list*."""
    does = _DOES.match(clause)
    if does is None or does["name"].casefold() in STOP_WORDS or not _is_deed(does["verb"], language):
        return False
    return bool(does["object"]) if language == "en" else not is_first_person(clause.lower(), language)


def _is_deed(verb: str, language: str) -> bool:
    if language == "en":
        return verb == "does" or (verb in third_person_forms() and verb not in _OF_THINGS)
    table = language_table(language)
    return table is not None and verb in table.another.does


_CONTACTS = (
    r"(?i:rang|ring|call(?:ed)?|phoned?|ask(?:ed)?|told|tell|met|saw|see|(?:e-?)?mail(?:ed)?|text(?:ed)?|messaged?|"
    r"chas(?:ed?|ing)|(?:spoke|talked|wrote|speak|talk) (?:to|with)|heard from)"
)
_SPOKEN_WITH = lazy_pattern(
    rf"\b{_CONTACTS} (?P<name>[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?)(?!['’]s)"
    r"|(?P<caller>[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?) "
    r"(?:rang|called|phoned|said|says|wrote|texted|emailed|replied|answered|came (?:by|in|round))\b"
)
Gender = Literal["she", "he"]
_KIN: dict[Gender, str] = {
    "she": "sister|mother|mom|mum|mummy|wife|fiancee|fiancée|girlfriend|daughter|aunt|niece|grandmother|grandma|granny|"
    "granddaughter|stepmother|stepdaughter|stepsister|godmother|landlady|midwife|widow|bride|queen|heroine",
    "he": "brother|father|dad|daddy|husband|fiance|fiancé|boyfriend|son|uncle|nephew|grandfather|grandpa|grandson|"
    "stepfather|stepson|stepbrother|godfather|landlord|widower|groom|king|hero",
}
_TITLE: dict[Gender, str] = {"she": "Mrs|Ms|Miss|Madam|Lady|Frau|Madame", "he": "Mr|Sir|Lord|Herr|Monsieur"}
_GENDERS: dict[Gender, re.Pattern[str]] = {
    gender: lazy_pattern(
        rf"\b(?:{_TITLE[gender]})\.? [A-ZÀ-Þ]|\b(?:{_KIN[gender]}),? [A-ZÀ-Þ]"
        rf"|\b[A-ZÀ-Þ][\w-]*,? (?:(?:is|was|became) )?(?:an?|the|my|our|his|her|their|[A-ZÀ-Þ][\w-]*['’]s) "
        rf"(?:[a-z-]+ ){{0,2}}(?:{_KIN[gender]})\b"
    )
    for gender in _KIN
}
_GENDER_OF_PRONOUN: dict[str, Gender] = {"she": "she", "her": "she", "he": "he", "his": "he"}
_FIRST_PRONOUN = lazy_pattern(
    r"\W*(?:(?:[Aa]lso|[Aa]nd|[Bb]ut|[Ss]o|[Ss]till|[Tt]hen) )*(?P<it>[Hh]e|[Ss]he|[Hh]is|[Hh]er)\b"
)


class PeopleNamed:
    """The people whom the sentences of a text name, as far as they were read."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._spoken_with: set[str] = set()
        self._is_unsure = False
        self._gender: Gender | None = None

    def meant_by(self, sentence: str) -> str | None:
        """Whom the pronoun at the start of a sentence means; nobody if kin, title or an earlier pronoun disagree."""
        told = THIRD_PERSON.match(sentence)
        before = list(_names_in(told["topic"])) if told is not None and told["topic"] else []
        if before:
            return before[0] if len(before) == 1 else None
        found = _FIRST_PRONOUN.match(sentence)
        gender = _GENDER_OF_PRONOUN[found["it"].lower()] if found is not None else None
        if self.only is None or (gender is not None and self._gender not in (None, gender)):
            return None
        self._gender = gender or self._gender
        return self.only

    @property
    def only(self) -> str | None:
        """The one person who was named; none if it was nobody, or may have been several."""
        return self._names[0] if len(self._names) == 1 and not self._is_unsure else None

    @property
    def is_surely_person(self) -> bool:
        """Whether somebody spoke with the one who was named, so that it is neither a shop nor a thing."""
        return self.only in self._spoken_with

    def add(self, sentence: str, states: Iterable[State]) -> None:
        """Take in a sentence with what it states: where somebody works or what they like names no person."""
        things = {each.target for each in states if each.target and each.target_type != "person"}
        for name in _names_in(sentence):
            if not any(name in thing for thing in things):
                self._add_name(name)
        self._spoken_with |= {found["name"] or found["caller"] for found in _SPOKEN_WITH.finditer(sentence)}
        told = [gender for gender, pattern in _GENDERS.items() if pattern.search(sentence)]
        self._gender = told[0] if len(told) == 1 else self._gender
        described = _DESCRIPTION.sub(" ", sentence)
        self._is_unsure |= any(word.removesuffix("s") in PEOPLE_NOUNS for word in words_of(described))

    def _add_name(self, name: str) -> None:
        """Take in a name; the first name alone means who was named in full."""
        if not any(known == name or known.startswith(f"{name} ") for known in self._names):
            self._names.append(name)


def _names_in(sentence: str) -> Iterator[str]:
    for found in _CAPITALISED.finditer(sentence):
        name = _without_verb(found["name"], is_first=not sentence[: found.start()].strip())
        if found["place"] is None and name != "I" and is_name(name):
            yield name


def _without_verb(name: str, *, is_first: bool) -> str:
    """A name without the verb that a sentence begins with: *Rang Mossie*."""
    first, _, rest = name.partition(" ")
    verbs = past_forms() | order_verbs()
    return rest if is_first and rest and first.lower() in verbs else name


def named_before(text: str, people: Iterable[str]) -> str | None:
    """The one person whom earlier words of the same sentence name, known or spoken with: *rang Mossie; he …*."""
    known = {name for name in people if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)}
    known = known or {found["name"] or found["caller"] for found in _SPOKEN_WITH.finditer(text)}
    return known.pop() if len(known) == 1 else None


def may_refer(text: str) -> bool:
    """Whether a sentence of the text may begin with a pronoun of the third person, after a topic or not."""
    low = text.lower()
    return "they" in low or _ANY_PRONOUN.search(low) is not None


def has_pronoun(text: str) -> bool:
    """Whether a sentence of the text may begin with a pronoun, so that it matters whom the others name."""
    return _ANY_PRONOUN.search(text) is not None


def with_name(words: str, referent: str | None) -> str:
    """A sentence that begins with a pronoun, with the name of whom it means in its place."""
    match = _PRONOUN.match(words)
    if match is None or referent is None:
        return words
    possessive = "'s" if match["of"] else ""
    return f"{referent}{possessive}{words[match.end() :]}"
