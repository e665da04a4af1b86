"""Items of a model or an agent against their quotes: none may be more certain, positive or unbounded than its quote."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from recollect.errors import Refused
from recollect.ingest.extract.passages import date_order
from recollect.reading.clause_reading import Act, TimeReading
from recollect.reading.context import Context
from recollect.reading.cues import Modality
from recollect.reading.language import detect_language
from recollect.reading.quoted_claim import QuotedSense, quoted_sense
from recollect.reading.times import names_time
from recollect.reason.closures.open_items import CLOSING_PREDICATES
from recollect.store.change import Change
from recollect.text.content_words import content_token, split_words
from recollect.text.stop_words import STATEMENT_STOP_WORDS
from recollect.text.verbs import is_past_form
from recollect.when.parse import read_time
from recollect.when.period import Time

_MEANT: frozenset[Modality] = frozenset({"asserted", "habitual", "reported"})
_DUE: Mapping[str, Act] = {"commitment": "commitment", "promise": "commitment", "request": "request", "goal": "goal"}
_NORMS = "convention rule policy guideline requirement instruction practice principle".split()
_ALSO: Mapping[str, frozenset[Modality]] = {
    **dict.fromkeys(_NORMS, frozenset[Modality]({"planned", "asked", "considered", "conditional"})),
    "commitment": frozenset({"planned"}),
    "promise": frozenset({"planned"}),
    "request": frozenset({"planned", "asked", "considered", "conditional"}),
    "goal": frozenset({"planned", "hoped"}),
    "decision": frozenset({"planned"}),
    "blocker": frozenset({"planned", "conditional", "doubted"}),
    "blocked_by": frozenset({"planned", "conditional", "doubted"}),
    "preference": frozenset({"planned", "hoped", "conditional"}),
    "pending_decision": frozenset({"planned", "asked", "considered", "doubted", "conditional"}),
    "question": frozenset({"planned", "asked", "considered", "doubted", "conditional"}),
    "concern": frozenset({"planned", "doubted", "considered", "conditional"}),
    "risk": frozenset({"planned", "doubted", "considered", "conditional"}),
    "opinion": frozenset({"planned", "doubted", "considered", "conditional", "hoped"}),
}
"""What words of these types may be beside asserted, by their nature; a denial may be their news, too."""
_MEANT_EITHER_WAY = frozenset({"decision", "commitment", "promise", "goal", "preference"})
"""Somebody may decide or promise a thing or its opposite, so the claim has to say which."""
_DENYING = frozenset(
    map(
        content_token,
        "not no never none nobody nothing without non un dislike hate loathe avoid refuse decline lack stop quit end "
        "leave left cancel reject forbid ban exclude abstain former formerly allergic intolerant vegan vegetarian free "
        "except fail miss deny absent unavailable".split(),
    )
)
_CHOSEN = frozenset(
    "uses supports requires needs accepts allows targets chooses prefers selects adopts chose chosen selected adopted "
    "picked decided".split()
)
"""What is decided or required holds by that alone; what is to happen (*lives in*, *bought*) does not yet."""
_DATED_VALUE = re.compile(r"\d{4}-\d\d|\d{1,2}[./]\d{1,2}")


@dataclass(frozen=True, slots=True)
class QuotedItem:
    """What an item claims: its predicate, its value or object as text, and the words of its quote."""

    predicate: str
    target: str
    quote: str
    words: str = ""

    @property
    def tokens(self) -> frozenset[str]:
        spoken = split_words(f"{self.predicate.replace('_', ' ')} {self.target} {self.words}")
        return frozenset(map(content_token, spoken))


@dataclass(frozen=True, slots=True)
class QuoteVerdict:
    """Why an item goes beyond its quote, whether it is only reported, and the bounds that its quote gives, as dates."""

    problem: str | None = None
    is_reported: bool = False
    start: str | None = None
    until: str | None = None
    phrase: str = ""
    is_denied: bool = False
    """Whether the problem is that the quote says the opposite."""


def quote_context(change: Change, text: str, day: date | None) -> Context:
    """The context in which the quotes of a text are read; `day` is that on which it was written."""
    zone, language = change.timeline.zone, detect_language(text) or "en"
    order = date_order(change.world.settings, language, zone)
    return Context("note", day, zone, language=language, date_order=order)


def check_quote(item: QuotedItem, text: str, context: Context) -> QuoteVerdict:
    """What the text around a quote leaves of an item."""
    sense = quoted_sense(text, item.quote, item.target, context, _DUE.get(item.predicate))
    problem, denial = _certainty_problem(item, sense, context), _polarity_problem(item, sense)
    if problem is not None or denial is not None:
        return QuoteVerdict(problem or denial, is_denied=problem is None)
    start, until = (_date_text(day, sense.time) for day in _bounds(item, sense.time, context))
    return QuoteVerdict(None, sense.modality == "reported", start, until, sense.time.phrase)


def _date_text(day: date | None, time: TimeReading) -> str | None:
    """A day as precisely as it was told."""
    length = {"year": 4, "month": 7}.get(time.granularity)
    return day.isoformat()[:length] if day is not None else None


def _certainty_problem(item: QuotedItem, sense: QuotedSense, context: Context) -> str | None:
    if sense.is_hearsay:
        return "the quote is hearsay"
    if sense.modality in _MEANT | _ALSO.get(item.predicate, frozenset()) or _names_cue(item, sense):
        return None
    if sense.is_settled and _is_choice(item):
        return None
    start = sense.time.start or sense.time.until
    if sense.modality == "planned" and start is not None and (context.anchor is None or start > context.anchor):
        return None if sense.time.start is not None else "the quote is planned, not asserted"
    return f"the quote is {sense.modality}, not asserted"


def _is_choice(item: QuotedItem) -> bool:
    """Whether an item gives a value or a rule (*payment_provider*, *supports*) and not that something happens."""
    verb = (item.predicate.replace("_", " ").split() or [""])[0].lower()
    is_verb = is_past_form(verb) or (verb.endswith("s") and not verb.endswith(("ss", "us", "is")))
    return verb in _CHOSEN or not is_verb


def _names_cue(item: QuotedItem, sense: QuotedSense) -> bool:
    """Whether the claim itself says how it is meant: that somebody hopes to sell, or doubts something."""
    words = split_words(sense.cue)
    cue = [word for word in words if word not in STATEMENT_STOP_WORDS]
    return "not" not in words and bool(item.tokens.intersection(map(content_token, cue)))


def bound_outside(change: Change, found: QuoteVerdict, given: Iterable[Time | None]) -> Time | None:
    """The first bound of an item that lies outside of those that its quote gives."""
    start, until = quote_time(change, found.start), quote_time(change, found.until)
    for each in given:
        is_early = each is not None and start is not None and each.hi < start.lo
        is_late = each is not None and until is not None and each.lo > until.hi
        if is_early or is_late:
            return each
    return None


def quote_time(change: Change, text: str | None) -> Time | None:
    """A date of a quote on the workspace's timeline; a fictional calendar has none for it."""
    try:
        return read_time(text, change.timeline, change.now) if text is not None else None
    except Refused:
        return None


def _polarity_problem(item: QuotedItem, sense: QuotedSense) -> str | None:
    may_be_news = item.predicate in _ALSO and item.predicate not in _MEANT_EITHER_WAY
    is_free = may_be_news or item.predicate in CLOSING_PREDICATES or bool(item.tokens & _DENYING)
    return "the quote denies it" if sense.is_denied and not is_free else None


def _bounds(item: QuotedItem, time: TimeReading, context: Context) -> tuple[date | None, date | None]:
    """The days that a quote gives: a deadline, an end or a beginning; a single time only of what happened."""
    is_value = _DATED_VALUE.search(item.target) or names_time(item.target.lower(), context.language)
    if time.status != "read" or time.moved_from is not None or is_value:
        return None, None
    if item.predicate in _DUE:
        return None, time.until or time.start
    is_point = time.start is not None and time.until is not None and time.granularity != "range"
    if not is_point:
        return time.start, time.until
    verb = item.predicate.replace("_", " ").split()[:1]
    return (time.start, None) if verb and is_past_form(verb[0]) else (None, None)
