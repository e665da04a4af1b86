"""Clauses without a cue, read by the sentence model: it decides only where rules are silent and it is sure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from recollect.reading.clause_reading import Act, ClauseReading, Doer
from recollect.reading.clause_time import clause_time
from recollect.reading.context import Context, TextKind
from recollect.text_models.reading import SentenceInput, SentenceReader, SentenceReading
from recollect.text_models.reading import TextKind as ModelKind

_KINDS: dict[TextKind, ModelKind] = {"mail": "mail", "note": "note", "chat": "chat", "minutes": "meeting"}
_FEWEST_WORDS = 2
_MEANT = 0.8
"""Least probability that a clause is asserted."""


def read_silent(found: Sequence[ClauseReading], context: Context, model: SentenceReader) -> list[ClauseReading]:
    """The readings with what the model is sure of where no rule has decided."""
    silent = [at for at, each in enumerate(found) if _is_silent(each)] if context.kind in _KINDS else []
    read = list(found)
    inputs = [_input(found, at, context) for at in silent]
    for at, guess in zip(silent, model.read(inputs) if inputs else (), strict=True):
        read[at] = _with_guess(found[at], guess, context)
    return read


def _is_silent(reading: ClauseReading) -> bool:
    is_open = reading.act is None and reading.modality == "asserted" and not reading.decided_by
    return is_open and len(reading.text.split()) >= _FEWEST_WORDS


def _input(found: Sequence[ClauseReading], at: int, context: Context) -> SentenceInput:
    before = found[at - 1].text if at else context.answered or ""
    return SentenceInput(found[at].text, _KINDS[context.kind], before, not at and bool(before))


def _with_guess(reading: ClauseReading, guess: SentenceReading, context: Context) -> ClauseReading:
    is_meant = guess.modality.label == "asserted" and guess.modality.probability >= _MEANT
    if not guess.is_sure or guess.act.label in ("none", "question") or not is_meant:
        return reading
    act = cast(Act, guess.act.label)
    return replace(
        reading,
        act=act,
        doer=_doer(act, guess),
        fact_type=act,
        time=clause_time(reading.text.lower(), context, act),
        confidence=round(guess.act.probability, 3),
        decided_by=guess.model,
    )


def _doer(act: Act, guess: SentenceReading) -> Doer | None:
    if act == "request":
        return Doer("addressee")
    return Doer("speaker") if guess.owner.label == "author" else None
