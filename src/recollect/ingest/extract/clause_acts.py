"""What a clause is stored as: its act in its kind of text, its type, its words and its marks."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.ingest.extract.passages import RecordPassage
from recollect.model.fact import MODALITY, NOTHING, POLARITY, Label
from recollect.reading.clause_reading import Act, ClauseReading
from recollect.reading.clause_segmentation import message_sentences
from recollect.reading.references import RECORD_REF
from recollect.reason.closures.completion_terms import content_terms
from recollect.text.patterns import lazy_pattern
from recollect.text.sentences import TextSpan

LABELS: dict[Act, tuple[Label, str]] = {
    "commitment": ("ASSERTED", "commitment"),
    "request": ("ASSERTED", "request"),
    "decision": ("ASSERTED", "decision"),
    "blocker": ("ASSERTED", "blocker"),
    "completion": ("TRANSITIONED", "completion"),
    "cancellation": ("TRANSITIONED", "cancellation"),
    "concern": ("ASSERTED", "concern"),
    "goal": ("ASSERTED", "goal"),
    "preference": ("ASSERTED", "preference"),
    "question": ("ASSERTED", "question"),
    "attribute": ("ASSERTED", "update"),
    "relation": ("ASSERTED", "update"),
    "event": ("TRANSITIONED", "event"),
    "reference": ("ASSERTED", "reference"),
}
"""The label and the type of the facts of each act."""
_PROMISED = lazy_pattern(r"\b(?:i|we) promise\b|\bpromised (?:to|that)\b", re.IGNORECASE)
_POINTING_BACK = lazy_pattern(r"(?:\S+ ){0,5}(?:it|them|those|these|that one)\b(?: \S+){0,4}", re.IGNORECASE)
_SUBJECTLESS = lazy_pattern(r"(?:will|should|must) (?!you\b|u\b|i\b|we\b)", re.IGNORECASE)
_BARE_DECISION = lazy_pattern(
    r"(?:(?:(?:i|we|he|she|they|[A-Z]\w+) )?said (?:yes|no|ok)\b.{0,20}"
    r"|[Ff]inal|(?:(?i:i am|i['’]m|we are|we['’]re) )?(?:already |quite )?"
    r"(?:decided|agreed|settled)(?:,? (?:unanimously|\d+ (?:to|against|votes to) \d+)| (?:w/|with|by) \S+)?"
    r"|(?i:zugesagt|beschlossen|accordé|decidido|deciso|besloten|bestämt|ustalone))\W*"
)
_VOTE = lazy_pattern(
    r"\W*(?:(?:the |this )?(?:motion|proposal|resolution) )?(?:was |is )?(?:(?:un)?opposed|unanimous|"
    r"(?:not )?(?:carried|defeated|passed|adopted|approved|accepted|lost|rejected))\b.{0,40}",
    re.IGNORECASE,
)
_MOTION = lazy_pattern(
    r"\b(?:motion|moved|moves|proposal|proposed|proposes|resolution|resolved|seconded)\b", re.IGNORECASE
)
"""What is put to the vote, whose outcome stands in a sentence by itself: *Motion: buy a tent (KL/JB). Carried.*"""
_HELD_UP = lazy_pattern(r"\b(?:blocked|on hold|stalled|held up|delayed|at a standstill)\b")
_MEANT = frozenset({"asserted", "habitual", "reported"})
_MAY_BE_ANAPHORIC = frozenset({"commitment", "request", "decision"})
_CONSEQUENCE = lazy_pattern(r",?\s+(?:otherwise|or else)\b.*", re.IGNORECASE | re.DOTALL)
_SETTLED = lazy_pattern(
    r"\b(?:fixed(?! (?:the |an? |our |my )?(?:price|date|fee|rate|term|time|day|rent)s?\b(?! \w+er\b))|resolved|solved"
    r"|sorted out)\b"
    r"|\bclosed (?:the|this|that|my|our|an?) (?:[\w-]+ ){0,3}?(?:ticket|issue|bug|incident|defect|complaint)s?\b"
    rf"|\bclosed {RECORD_REF}|(?:\b(?:ticket|issue|bug|incident)s?|{RECORD_REF})\b[^.?]{{0,40}} closed\b",
    re.IGNORECASE,
)
_SELDOM_DUE = frozenset("went walked came cut raised gave found brought sold shared quoted texted fell met saw".split())
_CONTACT = frozenset("rang phoned called texted".split())
"""What somebody else did who is named: it tells of a call, not of a deed that was due."""
MOST_SENTENCE = 240
FEWEST_TERMS = 3
"""A clause with fewer content words is stored with its whole sentence, so that one can tell what it is about."""


def narrow_type(reading: ClauseReading) -> str | None:
    """The narrower type under which an act is stored: a promise, a risk, an open decision, a resolution."""
    if reading.fact_type in ("promise", "risk", "resolution", "pending_decision"):
        return reading.fact_type
    if reading.act == "completion":
        is_news = reading.fact_type == "event" or _just_happened(reading)
        return "resolution" if _SETTLED.search(reading.text) else "event" if is_news else None
    return "promise" if reading.act == "commitment" and _PROMISED.search(reading.text) else None


def _just_happened(reading: ClauseReading) -> bool:
    """Whether what somebody did is told as news and not as something that was due."""
    is_of_other = reading.decided_by == "named did"
    if not is_of_other and reading.decided_by not in ("past at start", "i did"):
        return False
    first = {word.strip(",.:;!").casefold() for word in reading.text.split()[:4]}
    return bool(first & _SELDOM_DUE) or (is_of_other and bool(first & _CONTACT))


def widen_to_sentences(text: str, readings: Sequence[ClauseReading]) -> list[ClauseReading]:
    """The readings, each with its whole sentence where its own words say too little and no other act stands in it.

    What somebody will do with *it* is kept with the words before it that say what it is.
    """
    if not any(each.is_fact for each in readings):
        return list(readings)
    spans = message_sentences(text)
    return [_with_context(reading, text, spans, readings) for reading in readings]


def _with_context(
    reading: ClauseReading, text: str, spans: Sequence[TextSpan], readings: Sequence[ClauseReading]
) -> ClauseReading:
    span = next((each for each in spans if each.start <= reading.start and reading.stop <= each.stop), None)
    if span is None or not reading.is_fact or reading.shared:
        return reading
    before = next((each for each in reversed(spans) if each.stop <= span.start), None)
    is_bare = reading.act == "decision" and _is_bare(text, span, before)
    if before is not None and is_bare and span.stop - before.start <= MOST_SENTENCE:
        return _widened(reading, text, before.start, span.stop)
    if not len(reading.text) < span.stop - span.start <= MOST_SENTENCE:
        return reading
    beside = [each for each in readings if each.act and span.start <= each.start < span.stop]
    is_meant = all(each.modality in _MEANT for each in readings if span.start <= each.start < span.stop)
    if len(beside) == 1 and is_meant and len(content_terms(reading.text, ())) < FEWEST_TERMS:
        consequence = _CONSEQUENCE.search(text, reading.stop, span.stop)
        return _widened(reading, text, span.start, consequence.start() if consequence is not None else span.stop)
    if reading.act in _MAY_BE_ANAPHORIC and _is_anaphoric(reading.text.strip()):
        return _widened(reading, text, span.start, reading.stop)
    return reading


def _is_bare(text: str, span: TextSpan, before: TextSpan | None) -> bool:
    """Whether a decision says only in the sentence before what it is about."""
    words = text[span.start : span.stop].strip()
    if _BARE_DECISION.fullmatch(words):
        return True
    return before is not None and bool(_VOTE.fullmatch(words) and _MOTION.search(text, before.start, before.stop))


def _is_anaphoric(text: str) -> bool:
    """Whether words do not say by themselves what they are about: *fits it on Wednesday*, *will ship tomorrow*."""
    return bool(_POINTING_BACK.fullmatch(text) or _SUBJECTLESS.match(text) or _BARE_DECISION.fullmatch(text))


def _widened(reading: ClauseReading, text: str, start: int, stop: int) -> ClauseReading:
    return reading._replace(text=text[start:stop], start=start, stop=stop)


def act_in(reading: ClauseReading, passage: RecordPassage, *, is_own: bool) -> Act | None:
    """The act of a clause in its kind of text: nobody is asked in a note, and an assistant's help is no commitment."""
    kind, act = passage.context.kind, reading.act
    if kind == "chat" and act in ("request", "question", "reference"):
        return None
    is_to_self = is_own and (reading.doer is None or reading.doer.kind == "addressee") and "?" not in reading.text
    if kind in ("note", "minutes") and act == "request" and is_to_self:
        return "commitment"
    return act


def reading_marks(reading: ClauseReading) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    if reading.modality not in ("asserted", "planned", "habitual"):
        found[MODALITY] = reading.modality
    if reading.polarity == "negative":
        found[POLARITY] = reading.polarity
    return found or NOTHING


def may_be_of_thing(reading: ClauseReading) -> bool:
    """Whether what a clause tells of a name is true of projects and companies, too: *Borealis is blocked*."""
    is_held_up = reading.act == "blocker" and _HELD_UP.search(reading.text) is not None
    return is_held_up or reading.decided_by == "they still owe it"
