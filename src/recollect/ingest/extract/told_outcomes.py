"""What a sentence can tell of an item: that it is done, cancelled or put off, if some part of it is meant so."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from recollect.ingest.extract.utterances import SpokenText
from recollect.reading.clause_reading import ClauseReading
from recollect.reading.context import Context, Person, TextKind
from recollect.reading.denial import is_negative
from recollect.reading.english_verbs import past_forms, third_person_forms
from recollect.reading.hedges import is_conditional
from recollect.reading.language import detect_language
from recollect.reading.reader import read_block
from recollect.reading.time_words import past_pattern
from recollect.reason.closures.closure_terms import (
    GRANTED,
    MORE_TO_COME,
    NEW_DAY,
    NOT_YET,
    PARTIAL,
    PUT_OFF,
    SHORT_DENIAL,
    thing_terms,
)
from recollect.reason.closures.open_item_index import shared_terms
from recollect.reason.closures.open_items import ItemFact
from recollect.text_models.closure import Outcome

_AHEAD = re.compile(
    r"\b(?:will|shall|won't|going to|gonna|(?<!as )planned|scheduled|tomorrow|tmrw|wird|werden|morgen|demain|mañana|zal"
    r"|zullen|amanhã|domani|jutro)\b|'ll\b|\bin (?:an?|\d+|some|two|three) (?:hour|minute|day|week)s?\b",
    re.IGNORECASE,
)
"""Words of a clause that tells what is still to come."""
_PARTS = re.compile(r"[,;:(]\s+|\s+(?:-|–|—|and|but)\s+|\s+(?=\()")
_NEARLY = re.compile(r"\b(?:nearly|almost)\b", re.IGNORECASE)
"""Of something beside what is reported: *Frau Knobel nearly smiled*."""
_IN_PLACE = re.compile(
    r"(?:['’]s|['’]re|\b(?:is|are)) (?:now |back |all |finally )*"
    r"(?:up|in|out|on|off|over|back|home|here|there|ready|live|signed|up to date)\b|\bin and out\b|\bback from\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_REGULAR_PAST = re.compile(r"[a-z]{3,}ed")
_HANDED_OVER = re.compile(
    r"\b(?:you(?:['’]ll| will|ll)|please|pls) find\b.*\b(?:attached|enclosed|below|behind|link|here|in the)\b",
    re.IGNORECASE,
)
"""Words that hand something over, though they ask or look ahead: *you will find the plan below*."""
_INSTEAD = re.compile(r"\binstead\b", re.IGNORECASE)
_QUOTED = re.compile(r"\S {6,}\S")
"""A sentence around words of another, which are blanked out."""
_SAID = re.compile(
    r"\b(?:says?|said|claims?|claimed|reckons?|swears?|insists?)(?: that)?(?: (?:the|his|her|their|our|my))?"
    r" (?!(?:yes|yep|yeah|no|nope|ok|okay|so|it|done|hello|goodbye|sorry|thanks)\b)[^\W\d_]+$",
    re.IGNORECASE,
)
"""A sentence that ends before the words of another, which are blanked out: *Pia says the shed*."""
_ASIDE = re.compile(r"\s*\([^()]*\)")
CLOSING: tuple[Outcome, ...] = ("done", "cancelled")
MOVING: frozenset[Outcome] = frozenset({"moved"})
_REPORTING = frozenset(
    "is are was were am been has have had it's that's got done gone here now again finally since already".split()
)
"""Words of sentences that may tell of a deed or its result though no verb of doing stands in the past."""
_NOT_REPORTS = frozenset({"commitment", "request", "question", "goal", "blocker", "preference"})


class Report(NamedTuple):
    """What a sentence may tell of an item, and the acts that rules read in it; no outcomes where it is no report."""

    outcomes: frozenset[Outcome] = frozenset()
    acts: frozenset[str] = frozenset()
    new_day: date | None = None
    """The last day ahead that it names."""
    parts: tuple[str, ...] = ()
    """Parts that report a result, of a sentence that denies something else or tells of a part of it."""
    puts_off: bool = False
    """Whether its words say that something gets another day or more time."""
    days: frozenset[date] = frozenset()
    """The days that it names."""

    def tells(self, outcome: Outcome, item: ItemFact) -> bool:
        """Whether the sentence may tell this of an item: as a whole, or a part of it that names the thing."""
        if outcome in self.outcomes:
            return True
        return outcome == "done" and any(shared_terms(item, thing_terms(part)) for part in self.parts)


def read_report(text: SpokenText, day: date | None) -> Report:
    """What a sentence can tell of an item, if some part of it is meant, and the day it may put an item off to."""
    sentence = text.sentence.text
    if text.sentence.is_ticked:
        return Report(frozenset({"done"}), frozenset({"completion"}))
    if sentence.rstrip().endswith("?") or _QUOTED.search(sentence) or _SAID.search(sentence.rstrip(" .,:")):
        return Report()
    alone = detect_language(sentence)
    language = text.language if alone in (None, "en") else alone
    if is_conditional(sentence.casefold(), language):
        return Report()
    kind: TextKind = "mail" if text.document.type == "email" else "note"
    context = Context(kind, day, speaker=Person(text.author.name), language=language)
    clauses = read_block(sentence, context)
    days = frozenset(_days_of(clauses))
    new_day = max((each for each in days if day is not None and each > day), default=None)
    outcomes = MOVING if new_day is not None else frozenset[Outcome]()
    puts_off = new_day is not None and any(each.search(sentence) for each in (PUT_OFF, GRANTED, NEW_DAY, _INSTEAD))
    found = Report(outcomes, new_day=new_day, puts_off=puts_off, days=days)
    if NOT_YET.search(sentence):
        return found
    told = _outcomes_of(sentence, clauses, context.language)
    found = found._replace(acts=frozenset(each.act for each in clauses if each.act is not None))
    if "done" in told:
        return found._replace(outcomes=outcomes | told)
    by_part = {} if _leaves_some_of_thing(sentence) else _outcomes_by_part(sentence, context)
    if _denies_or_shares(sentence, clauses):
        results = tuple(each for each, ends in by_part.items() if "done" in ends and not _denies_or_shares(each, ()))
        return found._replace(outcomes=outcomes | told, parts=(*results, *_without_aside(sentence, context)))
    return found._replace(outcomes=outcomes | told.union(*by_part.values()))


def _without_aside(sentence: str, context: Context) -> tuple[str, ...]:
    """A sentence without what it denies in brackets, if the rest is a report: *card is in the post (the form NOT)*."""
    rest = _ASIDE.sub("", sentence)
    if rest == sentence or NOT_YET.search(rest) or not any(is_negative(each, "en") for each in _asides(sentence)):
        return ()
    clauses = read_block(rest, context)
    is_report = not _denies_or_shares(rest, clauses) and "done" in _outcomes_of(rest, clauses, context.language)
    return (rest,) if is_report else ()


def _asides(sentence: str) -> list[str]:
    return [each.casefold() for each in _ASIDE.findall(sentence)]


def _outcomes_by_part(sentence: str, context: Context) -> dict[str, frozenset[Outcome]]:
    """How an item may have ended by each part of a sentence that tells of a result."""
    parts = [each for each in _PARTS.split(sentence) if each != sentence and _tells_result(each, context.language)]
    return {each: _outcomes_of(each, read_block(each, context), context.language) for each in parts}


def _days_of(clauses: Sequence[ClauseReading]) -> Iterator[date]:
    """The days that clauses name, or the last ones of longer times."""
    days = (each.time.until or each.time.start for each in clauses if each.time.status == "read")
    return (each for each in days if each is not None)


def _denies_or_shares(sentence: str, clauses: Sequence[ClauseReading]) -> bool:
    """Whether all is denied, put off or told in part, so that no other part of the sentence is the report."""
    is_partial = _is_partial_or_put_off(_NEARLY.sub("", sentence))
    return is_partial or any(each.polarity == "negative" and each.act is None for each in clauses)


def _leaves_some_of_thing(sentence: str) -> bool:
    """Whether more of the thing told of is to come: *radio 6 is back, 11 isn't*, *two came, third one due*."""
    denied = SHORT_DENIAL.search(sentence)
    return MORE_TO_COME.search(sentence) is not None or (denied is not None and not thing_terms(denied["denied"]))


def _is_partial_or_put_off(text: str) -> bool:
    return any(each.search(text) for each in (PARTIAL, PUT_OFF))


def _outcomes_of(part: str, clauses: Sequence[ClauseReading], language: str) -> frozenset[Outcome]:
    if language == "en" and _tells_habit(part.casefold()) and _HANDED_OVER.search(part) is None:
        return frozenset()
    asked: tuple[Outcome, ...] = ("cancelled",) if _is_partial_or_put_off(part) else CLOSING
    return frozenset(outcome for outcome in asked if any(_is_told(each, outcome) for each in clauses))


def _tells_habit(low: str) -> bool:
    """Whether a sentence only tells what somebody or something does: *the crane team works in three shifts*."""
    words = set(_WORD.findall(low))
    return bool(words & third_person_forms()) and not (words & _REPORTING or _tells_result(low))


def _tells_result(text: str, language: str = "en") -> bool:
    """Whether a text of two words or more has a verb in the past, or says where something is now: *the logger's up*."""
    low = text.casefold()
    words = _WORD.findall(low)
    if language != "en":
        return len(words) > 1 and past_pattern(language).search(low) is not None
    has_past = any(each in past_forms() or _REGULAR_PAST.fullmatch(each) for each in words)
    return len(words) > 1 and (has_past or _IN_PLACE.search(text) is not None)


def _is_told(clause: ClauseReading, outcome: Outcome) -> bool:
    if outcome == "done" and _HANDED_OVER.search(clause.text):
        return True
    if clause.modality not in ("asserted", "reported") or clause.act in _NOT_REPORTS:
        return False
    if _AHEAD.search(clause.text) and not (outcome == "cancelled" and clause.act == "cancellation"):
        return False  # what is called off may well lie ahead
    return clause.polarity == "positive" or outcome == "cancelled"
