"""Who acts in a clause: the name that a cue needs, and whose promise, preference, blocker or deed it tells."""

import re
from typing import NamedTuple

from recollect.reading.act_cue import ActCue
from recollect.reading.clause import clauses
from recollect.reading.clause_reading import Act, Doer
from recollect.reading.clause_segmentation import ClauseSpan
from recollect.reading.clause_time import time_phrases
from recollect.reading.context import Context
from recollect.reading.language_table import names_of_days_and_months
from recollect.reading.pronouns import LEAD, THIRD_PERSON, is_of_somebody, name_of_doer
from recollect.reading.state_lexicon import PREFERENCE_VERB, TOOLS_AND_TEAMS
from recollect.text.lexicon import GREETINGS
from recollect.text.patterns import lazy_pattern
from recollect.text.stop_words import STOP_WORDS
from recollect.text.verbs import is_past_form

HE_OR_SHE = frozenset({"he", "she"})
_NAME_WORD = lazy_pattern(
    r"(?!(?:The|This|That|These|Those|My|Our|Your|His|Her|Its|It|We|They|All|No|A|An)\b)[A-ZÀ-Þ][\w'’-]+"
)
_OPENING_WORDS = frozenset(map(str.title, GREETINGS)) | frozenset(
    "Thanks Yes No Ok Okay Sure Please Sorry Also Then Well Great Good".split()
)
_NAME = r"(?P<name>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?)"
_NAME_WITHOUT_APOSTROPHE = _NAME.replace("'’", "")
_TOPIC_AND_NAME = rf"\W*(?:[\w -]{{1,30}}: )?{_NAME}"
_AGENT = lazy_pattern(
    r"\b\w+(?:ed|en|t)\b(?: [a-z]+){0,3} by (?P<name>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){0,2})(?![\w'’-])"
)
_SUCCESSOR = lazy_pattern(r"\b(?:replaced|superseded|succeeded) by $")
_NOUN_AFTER = lazy_pattern(
    r" (?!(?:in|on|at|by|for|from|to|with|of|as|and|or|but|so|after|before|until|since|during|last|this|next|today|"
    r"yesterday|tomorrow|already|again|too|now|when|while|because|who|which|that|the|my|our|his|her)\b)[a-z]"
)
_INNER_CAPITAL = lazy_pattern(r"[\w]*[a-z][A-Z]|[A-Z]{2}")
_TELLER = lazy_pattern(
    rf"\W*{_NAME} (?:said|says|told (?:me|us)|mentioned) "
    r"(?:that )?(?:she|he|they)\b"
)
_PREFERRING = lazy_pattern(
    rf"\W*{_NAME_WITHOUT_APOSTROPHE}(?P<third>['’]d| would| does(?:n['’]t| not))? "
    rf"(?:[a-z]+ly |also |always )*{PREFERENCE_VERB}(?P<s>(?<=s))?(?!\w)"
)
_OTHERS_TASTE = lazy_pattern(
    rf"{LEAD}(?P<who>(?i:the|my|our|your|his|her|their|an?) [\w'’-]+(?: [\w-]+)?|(?!(?:i|we|you|u)\b)[a-z][\w-]+)"
    r"(?:['’]d| would)? (?:[a-z]+ly |also |always |still )*"
    r"(?:prefers|hates|loathes|dislikes|detests|adores|loves|likes|enjoys|rather|sooner)(?!\w)"
)
"""What somebody prefers who is described or written in small letters: *the landlord hates noise*."""
_OWN_WORDS = lazy_pattern(r"\W*(?:[Ii]|[Ww]e)(?:['’]\w+)? ")
_STUCK = lazy_pattern(rf"{_TOPIC_AND_NAME} (?:still )?(?:can(?:['’]?t|not| not)|is|was)\b")
_NAMED_SUBJECT = lazy_pattern(
    rf"{_TOPIC_AND_NAME} "
    r"(?:has |was |already |just )*[a-z]+(?:ed|s)\b"
)
_NAME_AND = lazy_pattern(rf"{_NAME} and\s*$")

_TOLD_OF_SOMEBODY: frozenset[Act] = frozenset({"attribute", "relation", "event", "completion", "concern"})


class SentenceInContext(NamedTuple):
    """A sentence as written, in small letters with quotations blanked, and where it came from."""

    text: str
    low: str
    context: Context
    is_conditional: bool


def has_name(cue: ActCue, match: re.Match[str], text: str, context: Context) -> bool:
    """Whether the name that a cue needs is a known person's, or two capitalised words where somebody acts."""
    if cue.act == "completion" and _is_succession(text, context):
        return False
    if cue.name == "going to" and text[: match.end()].split()[-1][0].isupper():
        return False  # one may go to Paris, too
    if cue.act == "preference" and (taste := _OTHERS_TASTE.match(text)) is not None:
        return is_person(taste["who"], context) or THIRD_PERSON.match(text) is not None
    name = match.groupdict().get("name")
    if not name or is_person(name, context):
        return True
    if name in HE_OR_SHE:
        return cue.doer == "named" and context.referent is not None and is_person(context.referent, context)
    written = text[match.start("name") : match.end("name")].split()
    beside = _NAME_AND.search(text, 0, match.start("name"))
    is_one_of_two = beside is not None and _is_beside(beside["name"], context)
    is_written = all(_NAME_WORD.fullmatch(word) for word in written)
    if cue.name == "named can't" and _is_called_so(text[match.start("name") : match.end("name")]):
        return True
    if cue.name == "they do on a day" and is_of_somebody(text, context.language):
        return name_of_doer(text, context.language) == " ".join(written)
    return cue.doer == "named" and (len(written) > 1 or is_one_of_two) and is_written


def _is_beside(name: str, context: Context) -> bool:
    """Whether a name before *and* and another one is somebody's: a capital there is no mere start of a sentence."""
    is_name = context.language == "en" and _NAME_WORD.fullmatch(name) is not None
    return _is_somebody(name, context) or (is_name and _may_be_name(name))


def is_person(name: str, context: Context) -> bool:
    folded = name.casefold()
    return any(folded == form.casefold() for each in context.people for form in (each.name, *each.forms))


def _is_somebody(name: str, context: Context) -> bool:
    words = name.split()
    return is_person(name, context) or (len(words) > 1 and all(_NAME_WORD.fullmatch(word) for word in words))


def is_name_of_addressee(name: str, context: Context) -> bool:
    """Whether words before a comma may be whom the rest of the sentence asks."""
    return _may_be_name(name) or is_person(name, context)


def _may_be_name(name: str) -> bool:
    return _NAME_WORD.fullmatch(name) is not None and name.casefold() not in STOP_WORDS and name not in _OPENING_WORDS


def _is_called_so(word: str) -> bool:
    """Whether one word at the start is a name, and neither an adverb nor a day: *Sadly can't make it*."""
    return _may_be_name(word) and not word.endswith("ly") and word.lower() not in names_of_days_and_months()


def is_others_taste(text: str) -> bool:
    """Whether a clause tells what somebody prefers who is not its writer: *the landlord hates noise*."""
    return _OTHERS_TASTE.match(text) is not None


def told_by_another(text: str) -> bool:
    """Whether somebody is said to have said so of themselves: *Dana says she prefers tea*."""
    return _TELLER.match(text) is not None


def is_hearsay(text: str) -> bool:
    """Whether somebody else is said to have said so: *Karl wrote that the invoice was paid*.

    What the writer told others, and what others confirmed, counts as known.
    """
    told = next((each for each in clauses(text) if each.modality == "reported"), None)
    if told is None or _OWN_WORDS.match(text) is not None:
        return False
    before = text[: told.start].split()
    is_relative = told.cue.strip() == "that" and not (len(before) > 1 and is_past_form(before[-2]))
    return not is_relative


def subject_before(sentence: SentenceInContext) -> str | None:
    """The person whom a sentence begins with: whose `…, will bring it on Tuesday` is a promise."""
    found = _NAMED_SUBJECT.match(sentence.text)
    return found["name"] if found is not None and _is_somebody(found["name"], sentence.context) else None


def _preferring(sentence: SentenceInContext, span: ClauseSpan) -> str | None:
    """Whose preference a clause tells: of who is said to have said so, or of the person at its start."""
    teller = _TELLER.match(sentence.text, span.start)
    if teller is not None:
        return teller["name"]
    if THIRD_PERSON.match(sentence.low, span.start):
        return sentence.context.referent
    taste = _OTHERS_TASTE.match(sentence.text, span.start, span.stop)
    if taste is not None and is_person(taste["who"], sentence.context):
        return taste["who"]
    found = _PREFERRING.match(sentence.text, span.start, span.stop)
    if found is None or found["name"] == "We":
        return None
    is_third_person = found["third"] is not None or found["s"] is not None
    return found["name"] if is_third_person or _is_somebody(found["name"], sentence.context) else None


def _agent_in(sentence: SentenceInContext, span: ClauseSpan) -> str | None:
    """Who did what a clause tells in the passive; a tool or a thing is nobody: `replaced by Java`, `by Bosch pumps`."""
    found = _AGENT.search(sentence.text, span.start, span.stop)
    if found is None or time_phrases(found["name"].lower(), sentence.context, None):
        return None
    return found["name"] if _may_act(found["name"], sentence.text[found.end() : span.stop], sentence.context) else None


def _may_act(name: str, after: str, context: Context) -> bool:
    if is_person(name, context):
        return True
    is_thing = name.split()[0].lower() in TOOLS_AND_TEAMS or _INNER_CAPITAL.match(name) is not None
    return not is_thing and _NOUN_AFTER.match(after) is None


def _is_succession(text: str, context: Context) -> bool:
    """Whether a thing took the place of another: `COBOL was replaced by Java` reports nothing that somebody did."""
    found = _AGENT.search(text)
    if found is None or _SUCCESSOR.search(text, 0, found.start("name")) is None:
        return False
    return not _may_act(found["name"], text[found.end() :], context)


def doer_of(cue: ActCue, match: re.Match[str], sentence: SentenceInContext, span: ClauseSpan) -> Doer | None:
    named = match.groupdict().get("name")
    before = sentence.text[span.start : span.start + match.start()].strip(" ,!")
    if cue.doer == "addressee" and before and is_person(before, sentence.context):
        return Doer("named", before)
    if cue.doer in ("named", "addressee") and named:
        start = span.start + match.start("name")
        if named in HE_OR_SHE and sentence.context.referent is not None:
            return Doer("named", sentence.context.referent)
        beside = _NAME_AND.search(sentence.text, span.start, start)
        is_shared = beside is not None and cue.act == "commitment" and _is_beside(beside["name"], sentence.context)
        others = (beside["name"],) if beside is not None and is_shared else ()
        return Doer("named", sentence.text[start : start + len(named)], others)
    named_before = _preferring(sentence, span) if cue.act == "preference" else None
    if cue.act == "blocker" and not cue.doer:
        stuck = _STUCK.match(sentence.text, span.start, span.stop)
        named_before = stuck["name"] if stuck is not None and _is_somebody(stuck["name"], sentence.context) else None
    if cue.act in _TOLD_OF_SOMEBODY and not cue.doer and THIRD_PERSON.match(sentence.low, span.start):
        named_before = sentence.context.referent
    if named_before is not None:
        return Doer("named", named_before)
    agent = _agent_in(sentence, span) if cue.act == "completion" and not cue.doer else None
    if agent is not None:
        return Doer("named", agent)
    if cue.doer == "speaker" and cue.act == "request" and named:
        start = span.start + match.start("name")
        return Doer("speaker", sentence.text[start : start + len(named)])
    return Doer(cue.doer) if cue.doer is not None else None
