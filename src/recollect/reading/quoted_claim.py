"""How a claim is meant where its quote stands: what a quote cuts off may ask, doubt, deny or bound it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.reading.clause import ASSERTED, Clause, clauses
from recollect.reading.clause_reading import NO_TIME, Act, ClauseReading, TimeReading
from recollect.reading.clause_segmentation import message_sentences
from recollect.reading.clause_time import clause_time
from recollect.reading.context import Context
from recollect.reading.cues import Modality
from recollect.reading.phrases import is_plural
from recollect.reading.reader import read_sentence
from recollect.text.fold import fold_text
from recollect.text.patterns import lazy_pattern
from recollect.text.verbatim import occurrences

_HEARSAY = lazy_pattern(
    r"\b(?:apparently|allegedly|reportedly|supposedly|purportedly|rumou?r|word is|word has|legend|story goes|so-called"
    r"|they say|people say|so i hear|so we hear"
    r"|(?:am|is|are|was|were|be|been|['’]s) (?:said|believed|thought|rumou?red|alleged|reported|understood|supposed"
    r"|claimed|assumed))"
)

_REQUIRED = lazy_pattern(r"must|ha(?:s|ve) to|needs? to")
_PERSON = lazy_pattern(r"\b(?:i|we|you|he|she|they|who|everyone|everybody|somebody|someone|people)\b", re.IGNORECASE)
_BEING = lazy_pattern(r"\s+(?:\w+ly |not )?(?:be|become|have been)\b")


@dataclass(frozen=True, slots=True)
class QuotedSense:
    """How the clause of a quote is meant, the words that show it, and the time that it names."""

    modality: Modality = "asserted"
    is_denied: bool = False
    cue: str = ""
    time: TimeReading = NO_TIME
    is_settled: bool = False
    """Whether what is still to come is decided (*let's go with X*) or required of a thing (*must pass on X*)."""

    @property
    def is_hearsay(self) -> bool:
        """Whether somebody says so, and nobody who."""
        return self.modality == "reported" and _HEARSAY.search(self.cue.lower()) is not None


def quoted_sense(text: str, quote: str, target: str, context: Context, act: Act | None = None) -> QuotedSense:
    """How a quote is meant in its text; `target` is what is claimed, to tell its clause from others."""
    time = clause_time(quote.lower(), context, act)
    found = next(occurrences(quote, text), None)
    if found is None:
        return QuotedSense(time=time)
    spans = [each for each in message_sentences(text) if each.start < found.stop and found.start < each.stop]
    around = [(text[each.start : each.stop], each.start) for each in spans] or [("", 0)]
    sentence, start = next((each for each in reversed(around) if _has(each[0], target)), around[-1])
    if context.language != "en":
        return _foreign_sense(sentence, context, time)
    parts = [each for each in clauses(sentence) if each.start < found.stop - start and found.start - start < each.stop]
    clause = _clause_of(parts, target)
    if clause is not None and clause.modality == "reported":
        clause = _as_reported(clause, target)
    if clause is None:
        return QuotedSense(time=time)
    is_planned = clause.modality == "planned"
    decision = _decision_in(sentence, target, context) if is_planned or clause.modality in ASSERTED else None
    is_settled = is_planned and (decision is not None or _is_required(clause, sentence, target))
    is_denied = clause.polarity == "negative" or (decision is not None and decision.polarity == "negative")
    return QuotedSense(clause.modality, is_denied, clause.cue, time, is_settled)


def _decision_in(sentence: str, target: str, context: Context) -> ClauseReading | None:
    """The decision of the sentence about what is claimed; a proposal or a condition decides nothing."""
    readings = (each for each in read_sentence(sentence, context) if each.act == "decision")
    return next((each for each in readings if each.modality == "asserted" and _has(each.text, target)), None)


def _is_required(clause: Clause, sentence: str, target: str) -> bool:
    """Whether a thing has to do or stand something; what it must *be* is a state that it is not in yet."""
    before, _, after = sentence[: clause.stop].rpartition(clause.cue)
    if _REQUIRED.fullmatch(clause.cue.lower()) is None or not _has(after, target):
        return False
    subject = before.split()
    is_thing = not subject or subject[-1].islower() or is_plural(subject[-1])
    return is_thing and _PERSON.search(before) is None and _BEING.match(after) is None


def _as_reported(clause: Clause, target: str) -> Clause:
    """What somebody is said to have said, with a modality of its own: *she said that she will buy it*."""
    inner = _clause_of(clauses(clause.text.strip()), target)
    return inner if inner is not None and inner.modality not in ASSERTED else clause


def _clause_of(parts: Sequence[Clause], target: str) -> Clause | None:
    """The clause that has what is claimed, else the last that is not meant, else the last."""
    having = [each for each in parts if _has(each.text, target)]
    unmeant = [each for each in parts if each.modality not in ASSERTED]
    return next(iter(having or unmeant[-1:] or parts[-1:]), None)


def _has(text: str, target: str) -> bool:
    return bool(target) and fold_text(target) in fold_text(text)


def _foreign_sense(sentence: str, context: Context, time: TimeReading) -> QuotedSense:
    readings = read_sentence(sentence, context)
    unmeant = next((each for each in readings if each.modality not in ASSERTED), None)
    return QuotedSense(unmeant.modality if unmeant is not None else "asserted", time=time)
