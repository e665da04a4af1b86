"""A fact as an English sentence, made of its subject, predicate and target."""

import re
from collections.abc import Mapping
from functools import lru_cache

from recollect.model.fact import Fact
from recollect.model.ids import EntityId
from recollect.text.lexicon import AUXILIARIES, PREPOSITIONS

_LINKS = PREPOSITIONS - {"up", "off", "past"}
"""Ends of predicates that lead to a target; *follow_up* and *day_off* are nouns."""
_PLURAL_NOUNS = frozenset(
    "hobbies interests allergies skills goals languages pets kids children siblings grandparents brothers sisters "
    "priorities responsibilities duties symptoms medications ingredients credentials settings requirements "
    "dependencies guidelines members colleagues friends strengths weaknesses".split()
)
_SINGULAR_ENDINGS = ("ss", "is", "us")
_PLURAL_LIKE_NOUNS = frozenset("news series".split())
_PAST_VERBS = frozenset(
    "met grew born died founded dissolved created inherited occurred caused preceded participated witnessed baptised "
    "bought sold moved visited joined left started finished worked lived studied resided stayed noted attended "
    "graduated said told asked wrote sent paid made gave took".split()
)
_PASSIVE = frozenset("born founded dissolved created baptised inherited".split())
_TITLES = frozenset("ceo cfo cio cmo coo cto".split())
_PLACED = frozenset("born died baptised".split())
"""Verbs that have the place or time itself as their target."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_PLAIN_VERB = 2
"""So many words are a verb and its preposition; with more, a noun may stand before it: `mother_lives_in`."""
OWNER_NAME = "Me"
"""The name of the owner until one is set."""
_FIRST_PERSON = {"is": "am", "has": "have", "does": "do", "goes": "go"}
_STATEMENTS: Mapping[str, str] = {
    "commitment": "{subject} committed to: {target}",
    "promise": "{subject} promised: {target}",
    "request": "{subject} requested: {target}",
    "blocker": "{subject} is blocked: {target}",
    "decision": "{subject} decided: {target}",
    "pending_decision": "{subject} has to decide: {target}",
    "completion": "{subject} completed: {target}",
    "resolution": "{subject} resolved: {target}",
    "cancellation": "{subject} cancelled: {target}",
    "preference": "{subject} prefers: {target}",
    "tagged": "{subject}: {target}",
    "blocked_by": "{subject} is blocked by {target}",
    "resolved_by": "{subject} was resolved by {target}",
    "mentioned_in": "{subject} is mentioned in {target}",
    "decided_in": "{subject} was decided in {target}",
}


def claim_text(fact: Fact, subject: str, object_: str | None) -> str:
    """The claim in the words of its writer, else of its source for a statement, else made of its parts."""
    words = fact.words or (None if fact.label == "AFFILIATED" else fact.evidence)
    return words or fact_sentence(subject, fact.predicate, _with_article(fact) if object_ is None else object_)


def _with_article(fact: Fact) -> str | None:
    """The value of a fact, with `a` or `an` where its source says so: values are kept without, to be told apart."""
    value, evidence = fact.literal, fact.evidence
    if not value or not evidence or not _is_verb(fact.predicate.partition("_")[0]):
        return value
    found = re.search(rf"\b(an?) {re.escape(value)}(?!\w)", evidence)
    return value if found is None else f"{found[1]} {value}"


def fact_text(fact: Fact, names: Mapping[EntityId, str]) -> str:
    """A fact in the words it was stated in, else as a sentence."""
    words = fact.words or (None if fact.label == "AFFILIATED" else fact.evidence)
    target = fact.literal if fact.object is None else names.get(fact.object)
    return words or fact_sentence(names.get(fact.subject, ""), fact.predicate, target)


@lru_cache(1024)
def fact_sentence(subject: str, predicate: str, target: str | None) -> str:
    """The claim as a sentence: `acme-web uses pnpm`, `Ada is allergic to nuts`, `Ada's rent is 900`."""
    if target is None or not target.strip():
        if predicate in _PLACED:
            return f"{_doer(subject)} {_passive([predicate])}{predicate}"
        return f"{subject}: {predicate.replace('_', ' ')}"
    form = _STATEMENTS.get(predicate)
    if form is not None:
        return (
            _in_first_person(form).format(target=target)
            if subject == OWNER_NAME
            else form.format(subject=subject, target=target)
        )
    words = predicate.split("_")
    if predicate in _PLACED:
        target = f"{'on' if _DAY.fullmatch(target) else 'in'} {target}"
    if _is_verb(words[0]):
        return f"{_doer(subject)} {_passive(words)}{_verb_phrase(subject, words)} {target}"
    phrase = " ".join(each.upper() if each in _TITLES else each for each in words)
    if words[-1] in _LINKS and len(words) > _PLAIN_VERB and _is_verb(words[1]):
        return f"{possessive(subject)} {phrase} {target}"
    if words[-1] in _LINKS:
        return f"{_be(subject)} {phrase} {target}"
    return f"{possessive(subject)} {phrase} {'are' if words[-1] in _PLURAL_NOUNS else 'is'} {target}"


def _in_first_person(form: str) -> str:
    """The form of a statement with the owner as its subject: `{subject} prefers: …` → `I prefer: …`."""
    subject, _, rest = form.partition(" ")
    verb, _, rest = rest.partition(" ")
    if subject != "{subject}":
        return form.replace("{subject}", OWNER_NAME)
    mark = ":" if verb.endswith(":") else ""
    return f"I {first_person(verb.removesuffix(mark))}{mark} {rest}"


def possessive(name: str) -> str:
    """The owner without a name speaks in the first person."""
    if name == OWNER_NAME:
        return "My"
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def first_person(verb: str) -> str:
    """A verb of the third person singular in the first: `uses` → `use`, `studies` → `study`."""
    if verb in _FIRST_PERSON:
        return _FIRST_PERSON[verb]
    if not _is_present(verb):
        return verb
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("sses", "ches", "shes", "xes", "zes")) else verb[:-1]


def _verb_phrase(subject: str, words: list[str]) -> str:
    return " ".join([first_person(words[0]), *words[1:]] if subject == OWNER_NAME else words)


def _doer(subject: str) -> str:
    return "I" if subject == OWNER_NAME else subject


def _be(subject: str) -> str:
    return "I am" if subject == OWNER_NAME else f"{subject} is"


def _is_verb(word: str) -> bool:
    """Whether a predicate that begins with this word reads as a verb phrase, such as `works_at`."""
    return word in AUXILIARIES or word in _PAST_VERBS or _is_present(word)


def _is_present(word: str) -> bool:
    is_noun = word.endswith(_SINGULAR_ENDINGS) or word in _PLURAL_LIKE_NOUNS or word in _PLURAL_NOUNS
    return len(word) > 2 and word.endswith("s") and not is_noun


def _passive(words: list[str]) -> str:
    return "was " if words[0] in _PASSIVE and words[-1] in {*_LINKS, words[0]} else ""
