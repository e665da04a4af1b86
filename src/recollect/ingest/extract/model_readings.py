"""The sentence reader beside the rules: it reads clauses without a cue, and doubts some that have one.

A clause that a rule calls asked, doubted or anything but asserted is never given to the model; whose an act is and
when, rules tell. A request that the model all but rules out is dropped, and a deed that it doubts is told as an event.
"""

from collections.abc import Sequence
from typing import cast

from recollect.reading.clause_reading import Act, ClauseReading, Doer
from recollect.reading.clause_time import clause_time
from recollect.reading.context import Context
from recollect.reading.context import TextKind as ContextKind
from recollect.reading.pronouns import THIRD_PERSON
from recollect.text.patterns import lazy_pattern
from recollect.text_models.sentence import SentenceInput, SentenceReader, SentenceReading, TextKind

_KINDS: dict[ContextKind, TextKind] = {"mail": "mail", "note": "note", "chat": "chat", "minutes": "meeting"}
_FEWEST_WORDS = 2
_MOST_CHARS = 400
_DENIABLE: frozenset[Act] = frozenset({"completion", "commitment", "goal", "event"})
"""Acts that a *not* takes back; it is the news of a decision, a blocker or a preference."""
_PERSONAL: frozenset[Act] = frozenset({"commitment", "preference", "blocker", "goal", "concern", "completion"})
_NO_REQUEST, _NO_DEED = 0.06, 0.3
"""Shares of the model below which a rule's request is dropped, and a rule's completion is told as an event."""
_NOBODYS: frozenset[tuple[ContextKind, Act]] = frozenset(
    {("note", "request"), ("minutes", "request"), ("minutes", "commitment")}
)
"""What binds nobody where nobody is named: a note asks no one by itself, and minutes are not their writer's tasks."""
_SOMEBODY = lazy_pattern(r"\W*(?P<name>[A-ZÀ-Þ][\w'’-]*(?: (?:van |de |von )?[A-ZÀ-Þ][\w'’-]+)?)(?=:? [a-zà-þ])")
"""A name with a verb behind it; with a comma it is whom the clause speaks to."""


def read_by_model(
    readings: Sequence[ClauseReading], context: Context, reader: SentenceReader
) -> tuple[ClauseReading, ...]:
    """The readings with what the reader is sure of where no rule has decided, and without what it doubts."""
    asked = [at for at, each in enumerate(readings) if _is_asked_about(each)] if context.kind in _KINDS else []
    read = list(readings)
    guesses = reader.read([_input(readings, at, context) for at in asked]) if asked else []
    for at, guess in zip(asked, guesses, strict=True):
        read[at] = (_with_guess if readings[at].act is None else _doubted)(readings[at], guess, context)
    return tuple(read)


def _is_asked_about(reading: ClauseReading) -> bool:
    is_silent = reading.act is None and not reading.decided_by and not reading.states
    is_doubtful = reading.act in ("request", "completion")
    is_short = len(reading.text.split()) >= _FEWEST_WORDS and len(reading.text) <= _MOST_CHARS
    return reading.modality == "asserted" and (is_silent or is_doubtful) and is_short


def _doubted(reading: ClauseReading, guess: SentenceReading, _: Context) -> ClauseReading:
    if reading.act == "request" and guess.share_of("request") < _NO_REQUEST:
        return reading._replace(act=None, decided_by=guess.model)
    if reading.act == "completion" and guess.share_of("completion") < _NO_DEED:
        return reading._replace(fact_type="event")
    return reading


def _input(readings: Sequence[ClauseReading], at: int, context: Context) -> SentenceInput:
    before = readings[at - 1].text if at else context.answered or ""
    return SentenceInput(readings[at].text.strip(), _KINDS[context.kind], before.strip(), not at and bool(before))


def _with_guess(reading: ClauseReading, guess: SentenceReading, context: Context) -> ClauseReading:
    if not guess.is_sure or guess.act in ("none", "question"):
        return reading
    # A deed that no rule knows as one is told as what happened.
    act = cast(Act, "event" if guess.act == "completion" else guess.act)
    if (act == "request" and context.kind == "chat") or (reading.polarity == "negative" and act in _DENIABLE):
        return reading  # what an assistant is asked binds nobody
    name = _named(reading.text, context)
    if name is None and (context.kind, act) in _NOBODYS:
        return reading
    if name is None and act in _PERSONAL and THIRD_PERSON.match(reading.text):
        return reading
    return reading._replace(
        act=act,
        doer=_doer(act, name, context),
        time=clause_time(reading.text.lower(), context, act),
        confidence=round(guess.probability, 3),
        decided_by=guess.model,
    )


def _named(text: str, context: Context) -> str | None:
    """The person known in the document whom a clause begins with, or whom its *she* means."""
    if THIRD_PERSON.match(text):
        return context.referent
    found = _SOMEBODY.match(text)
    if found is None:
        return None
    words = found["name"].split()
    forms = context.folded_forms()
    return next((form for form in (" ".join(words), words[0]) if form.casefold() in forms), None)


def _doer(act: Act, name: str | None, context: Context) -> Doer | None:
    if act == "request":
        is_asked = context.kind in ("mail", "minutes") or name is None
        return Doer("addressee", name or "") if is_asked else Doer("speaker", name or "")
    return Doer("named", name) if name is not None else Doer("speaker") if act in _PERSONAL else None
