"""The words with which prose states a relation between two names."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from recollect.text.negation import CLAUSE_NEGATORS, negator_pattern
from recollect.text.verbs import is_finite_verb

_IS = (
    r"(?:is|was|were|are|became|becomes|remained|remains|stayed|has been|have been|had been"
    r"|(?:(?:has |have |had )?ceased to be|stopped being)|stood)(?: still| already)?"
)
_HAS = r"(?:has |have |had |having )?"
_RULERS = (
    "ruler|king|queen|lord|lady|(?:grand )?duke|archduke|duchess|earl|count|countess|baron|baroness|margrave|margravine"
    "|jarl|emperor|empress|sovereign|monarch|governor|regent|chieftain|sultan|khan|tsar|tsarina|doge"
)
_DEGREE = r"(?:(?:close|loyal|firm|staunch|faithful|sworn|bitter|mortal|founding|full|senior|leading) )?"
_WORDS: tuple[tuple[str, str], ...] = (
    (rf"(?:{_IS} )?born (?:in|at)", "born"),
    (rf"(?:died|perished|passed away|{_IS} (?:killed|slain|murdered|executed)) (?:in|at)", "died"),
    (rf"(?:{_IS} )?(?:rule[sd]|governed) (?:over )?by|{_IS} under the rule of", "ruled_by"),
    (
        rf"{_HAS}(?:rule[sd]|reign(?:s|ed)|govern(?:s|ed))(?: over)?|(?:came|began|ceased) to rule(?: over)?",
        "rules",
    ),
    (rf"(?:{_IS} )?(?:the |a )?(?:(?:first|last|sole|elected|reigning|crowned) )?(?:{_RULERS}) (?:of|over)", "rules"),
    (rf"{_HAS}(?:held|occupied|sat (?:up)?on|wore) the (?:throne|crown) of", "rules"),
    (rf"{_HAS}(?:ascended(?: to)?|came to|took|inherited) the (?:throne|crown) of", "rules"),
    (rf"(?:{_IS} )?crowned (?:as )?(?:{_RULERS}) of", "rules"),
    (rf"{_HAS}(?:{_IS} )?(?:married|wedded|wed)(?: to)?", "spouse_of"),
    (rf"{_IS} (?:the )?(?:husband|wife) of", "spouse_of"),
    (rf"(?:{_IS} )?(?:founded|established) by", "founded_by"),
    (rf"{_HAS}(?:founded|established)", "founded"),
    (rf"(?:{_IS} |, )?(?:the |a |an )?(?:\w+ )?(?:son|daughter|child) of", "child_of"),
    (rf"{_HAS}(?:{_IS} )?allied (?:(?:it|him|her|them)sel(?:f|ves) )?(?:with|to)", "allied_with"),
    (rf"(?:{_IS} )?(?:an? |the )?{_DEGREE}all(?:y|ies) of|{_IS} in (?:alliance|league) with", "allied_with"),
    (r"(?:made|formed|concluded|sealed|swore|entered(?: into)?) (?:an? )?alliance with", "allied_with"),
    (rf"(?:{_IS} )?(?:a |the )?{_DEGREE}members? of", "member_of"),
    (rf"{_HAS}joined", "member_of"),
    (rf"(?:{_IS} )?at war (?:with|against)|{_HAS}(?:waged|made) war (?:against|on|upon|with)", "at_war_with"),
    (rf"{_HAS}(?:warred (?:against|on|upon|with)|declared war (?:on|upon|against))", "at_war_with"),
    (rf"(?:{_IS} )?(?:an? |the )?{_DEGREE}enem(?:y|ies) (?:of|to|with)", "enemy_of"),
    (rf"{_HAS}(?:lived|lives|resided|resides|dwelt|dwelled|dwells|settled) (?:in|at|on)", "resided_in"),
    (rf"{_HAS}(?:owned|owns|possessed|possesses)|{_IS} the owner of", "possesses"),
    (rf"(?:{_IS} )?(?:owned|possessed) by", "possessed_by"),
    (rf"{_HAS}controll?(?:s|ed)", "controls"),
    (rf"(?:{_IS} )?controll?ed by", "controlled_by"),
    (r"(?:has |have |had )?(?:served|serves)(?: under)?|entered the service of", "serves"),
    (rf"{_HAS}(?:held|holds) the (?:title|office|post|rank) of", "holds_title"),
)
# Words that state a relation only between ends of the types that it asks for: who holds a castle, a title, a sword.
_BY_TYPES: tuple[tuple[str, str], ...] = (
    (rf"{_HAS}(?:held|holds)", "holds_title"),
    (rf"{_HAS}(?:held|holds)", "controls"),
    (rf"{_HAS}(?:held|holds)", "possesses"),
    (rf"(?:{_IS}|served as|acted as|serves as)(?: an?)?", "holds_title"),
    (r"(?:(?:has|have|had) )?belong(?:s|ed) to", "possessed_by"),
    (r"(?:(?:has|have|had) )?belong(?:s|ed) to|entered", "member_of"),
)
_CUE = re.compile(
    r"\b(?:born|died|perished|passed away|killed|slain|murdered|executed|rule[sdr]?|reign(?:s|ed)?|govern(?:s|ed)"
    rf"|{_RULERS}|married|marries|marriage|wed|wedded|husband|wife|founded|established|allied|all(?:y|ies)|alliance"
    r"|members?|membership|ownership|possession|union|wedding|pact|league|feud|enmity|joined|entered|son|daughter|child|war|warred|enem(?:y|ies)|lived|lives|resided|resides|dwelt|dwelled"
    r"|dwells|settled|owne[dr]|owns|possesse[ds]|belong(?:s|ed)|controll?(?:s|ed)|served|serves|service|held|holds"
    r"|title|office|post|rank|throne|crown|rule|marry|join|hold|own|control|serve|live|enter|ally)\b",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"\b(?:bec(?:ame|omes)|crowned|ascended|(?:came to|took|inherited) the"
    r"|joined|entered|settled|made|formed|concluded|sealed|swore|declared|(?:came|began) to"
    r"|allied (?:it|him|her|them)sel(?:f|ves))\b",
    re.IGNORECASE,
)
_CEASES = re.compile(r"\b(?:ceased to|stopped)\b", re.IGNORECASE)
_ASIDE = r"\s*[,(—–]?\s*(?:(?:who|which)\s+)?"
_PRESENT = frozenset("lies stands holds keeps remains rests sleeps lives dwells sits marks bears belongs owes".split())
_AFTER_COMMA = re.compile(r"\s*(?:[,(—–]|(?:who|which)\b)", re.IGNORECASE)
_WEDDING = re.compile(r"\b(?:married|wed|wedded)\b", re.IGNORECASE)
_NEGATED = re.compile(negator_pattern(CLAUSE_NEGATORS), re.IGNORECASE)


class RelationWords(NamedTuple):
    """A form of words and the relation it states; some state it only between ends of known types."""

    pattern: re.Pattern[str]
    relation: str
    needs_types: bool


def _compile(words: tuple[tuple[str, str], ...], *, needs_types: bool) -> tuple[RelationWords, ...]:
    around = ((rf"{_ASIDE}(?:{each})\s*(?:the\s*)?", relation) for each, relation in words)
    return tuple(RelationWords(re.compile(each, re.IGNORECASE), name, needs_types) for each, name in around)


_PATTERNS = (*_compile(_WORDS, needs_types=False), *_compile(_BY_TYPES, needs_types=True))


def relations_in(words: str) -> Iterator[RelationWords]:
    """The relations that the words between two names may state, all of the words."""
    if not _NEGATED.search(words):
        yield from (each for each in _PATTERNS if each.pattern.fullmatch(words))


def may_state_relation(sentence: str) -> bool:
    """Whether a sentence has a word that can state a relation."""
    return _CUE.search(sentence) is not None


def may_be_verb(word: str) -> bool:
    """Whether a lower-case word can be the verb of what a sentence goes on to say, in the past or of today."""
    return is_finite_verb(word) or word in _PRESENT


def is_aside(words: str) -> bool:
    """Whether words tell a relation in passing: , who ruled, , lord of, (allied with."""
    return _AFTER_COMMA.match(words) is not None


def is_over(words: str) -> bool:
    """Whether words tell of something that was over when something else happened: had been allied with."""
    return re.search(r"\b(?:had|having|still|already)\b", words, re.IGNORECASE) is not None


def ends_relation(words: str) -> bool:
    """Whether words tell that something was over from then on: ceased to be allied with."""
    return _CEASES.search(words) is not None


def begins_relation(relation: str, words: str) -> bool:
    """Whether words tell how something began, so that a time is that of its start: became, joined, married."""
    return _BEGINS.search(words) is not None or (relation == "spouse_of" and _WEDDING.search(words) is not None)
