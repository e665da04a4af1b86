"""Words that take an act back: conditions, doubts, hopes, hearsay, irony, offers and other words that assert nothing.

They are matched against small letters, like the cues of acts. A guard outvotes every cue and every model.
"""

import re

from recollect.reading.cues import Modality
from recollect.reading.language_table import language_table
from recollect.text.patterns import lazy_pattern

_CONDITION_HINTS = tuple(
    "if|who|unless|provid|assum|suppos|case|long as|event|should|else|otherwise|had |depend|once".split("|")
)
_LAUGHTER = (
    r"\b(?:(?:ba|mua?)?(?:ha){2,}\w*|(?:he){2,}|(?:hi){2,}|lol|loo+l|lmf?ao|rofl|xd|jk|j/k|kidding|joking|ba dum tss)\b"
    r"|(?:^|(?<=\s))(?:/s|;-?\)|:-?[pd])(?=\W|$)"
    r"|[\U0001F600-\U0001F606\U0001F609\U0001F61B-\U0001F61D\U0001F643\U0001F92A\U0001F923]"
)
_JOKE = lazy_pattern(_LAUGHTER, re.IGNORECASE)
_ONLY_LAUGHTER = lazy_pattern(rf"^\W*(?:(?:{_LAUGHTER})\W*)+$", re.IGNORECASE)
_HEARSAY = (
    r"\b(?:is|are|was|were|'s) (?:often |widely |generally )?"
    r"(?:said|supposed|rumou?red|reported|believed|thought|alleged|claimed|assumed|reputed|meant) to\b"
)
_DOUBT = (
    r"\b(?:maybe|perhaps|possibly|iirc|afaik|i (?:think|guess|believe|suppose|assume)|i['’]m not sure|not certain|"
    r"or so|or something|if i remember|rumou?r has it)\b|,\s*or\b"
)
_DENIAL = (
    r"\b(?:it|that|this)(?:['’]s| is| was|s)? (?:simply |just |plain )?"
    r"(?:wrong|false|untrue|incorrect|nonsense|a lie|a myth|(?:not|no longer) (?:true|right|correct|the case))\b"
    r"|\b(?:it|that|this) (?:isn['’]t|wasn['’]t) (?:true|right|correct|the case)\b"
)
_NOT_CLAIMED = lazy_pattern(rf"{_HEARSAY}|{_DOUBT}|{_DENIAL}", re.IGNORECASE)

_ASKED_ANYWAY = frozenset({"request", "preference", "concern"})
_IDEA = lazy_pattern(
    r"\W*(?:(?:my|our|one|another|an?|the|just|crazy|mad|wild|new|mein|ma|mi|min|mijn|mój) )*(?:ideas?|proposals?|"
    r"suggestions?|options?|thoughts?|brainwave|idee|idée|idé|vorschlag|proposition|propuesta|sugerencia|proposta|"
    r"voorstel|förslag|pomysł|propozycja)\W*$",
    re.IGNORECASE,
)


def is_idea(topic: str, act: str | None) -> bool:
    """Whether what follows a topic is only put forward: *idea: we move the fair to June*."""
    return act not in _ASKED_ANYWAY and _IDEA.match(topic) is not None


def asserts_nothing(clause: str, language: str = "en") -> bool:
    """Whether a clause is an offer, a courtesy, an advertisement or small print, or tells of the weather."""
    table = language_table(language)
    return table is not None and table.idle is not None and table.idle.search(clause) is not None


def is_conditional(sentence: str, language: str = "en") -> bool:
    """Whether a sentence depends on a condition; "check if" and "if possible" do not count."""
    table = language_table(language)
    condition = table.condition if table is not None else None
    if condition is None or not any(map(sentence.__contains__, _CONDITION_HINTS)):
        return False
    return any(
        found["if"] is None or condition.whether.search(sentence, 0, found.start()) is None
        for found in condition.pattern.finditer(sentence)
    )


def find_reported_speech(sentence: str, language: str = "en") -> re.Match[str] | None:
    """Where a sentence begins to give the words of somebody else: "Dana wrote: …"."""
    table = language_table(language) if ":" in sentence else None
    return table.others_words.search(sentence) if table is not None and table.others_words is not None else None


def find_hedge(clause: str, act: str | None, language: str = "en") -> Modality | None:
    """The modality that words of a clause show in spite of its act; none if it is meant."""
    table = language_table(language)
    for guard in table.guards.possible(clause) if table is not None else ():
        if act not in guard.spared and guard.pattern.search(clause) is not None:
            return guard.modality
    return None


def opens_clause(sentence: str, language: str) -> bool:
    """Whether a sentence has a word after which a clause may only be supposed, told by somebody or still to come."""
    table = language_table(language)
    return table is not None and table.clause_openers is not None and table.clause_openers.search(sentence) is not None


def is_joke(sentence: str) -> bool:
    """Whether a sentence laughs or winks, so that none of it is meant."""
    return _JOKE.search(sentence) is not None


def is_only_laughter(sentence: str) -> bool:
    """Whether a sentence does nothing but laugh: then the one before it is a joke."""
    return _ONLY_LAUGHTER.match(sentence) is not None


def is_not_claimed(sentence: str) -> bool:
    """Whether a sentence is hearsay, uncertain or a denial, so that it claims nothing."""
    return _NOT_CLAIMED.search(sentence) is not None
