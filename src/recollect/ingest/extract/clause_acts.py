"""What a clause is stored as: its act in its kind of text, its type, its words and its marks."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from recollect.ingest.extract.passages import RecordPassage
from recollect.model.fact import DECIDED_BY, MODALITY, NOTHING, POLARITY
from recollect.reading.clause_reading import Act, ClauseReading
from recollect.reading.references import RECORD_REF
from recollect.reason.item_words import content_terms
from recollect.text.sentences import sentence_spans

_PROMISED = re.compile(r"\b(?:i|we) promise\b|\bpromised (?:to|that)\b", re.IGNORECASE)
_SETTLED = re.compile(
    r"\b(?:fixed|resolved|solved|sorted out)\b"
    r"|\bclosed (?:the|this|that|my|our|an?) (?:[\w-]+ ){0,3}?(?:ticket|issue|bug|incident|defect|complaint)s?\b"
    rf"|\bclosed {RECORD_REF}|(?:\b(?:ticket|issue|bug|incident)s?|{RECORD_REF})\b[^.?]{{0,40}} closed\b",
    re.IGNORECASE,
)
MOST_SENTENCE = 240
FEWEST_TERMS = 3
"""A clause with fewer content words is stored with its whole sentence, so that one can tell what it is about."""


def narrow_type(reading: ClauseReading) -> str | None:
    """The narrower type under which an act is stored: a promise, a risk, or the resolution of a trouble."""
    if reading.fact_type in ("promise", "risk", "resolution"):
        return reading.fact_type
    if reading.act == "completion":
        return "resolution" if _SETTLED.search(reading.text) else None
    return "promise" if reading.act == "commitment" and _PROMISED.search(reading.text) else None


def with_whole_sentences(text: str, readings: Sequence[ClauseReading]) -> list[ClauseReading]:
    """The readings, each with its whole sentence where its own words say too little and no other act stands in it."""
    spans = sentence_spans(text)
    found = []
    for reading in readings:
        span = next((each for each in spans if each.start <= reading.start and reading.stop <= each.stop), None)
        if span is not None and reading.is_fact and len(reading.text) < span.stop - span.start <= MOST_SENTENCE:
            beside = [each for each in readings if each.act and span.start <= each.start < span.stop]
            if len(beside) == 1 and len(content_terms(reading.text, ())) < FEWEST_TERMS:
                whole = text[span.start : span.stop]
                found.append(replace(reading, text=whole, start=span.start, stop=span.stop))
                continue
        found.append(reading)
    return found


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
    if reading.decided_by.startswith("model"):
        found[DECIDED_BY] = reading.decided_by
    return found or NOTHING
