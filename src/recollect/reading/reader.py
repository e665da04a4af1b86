"""The reader of sentences: what each clause of a sentence states, asks, promises or denies."""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from recollect.reading.clause_reading import NO_TIME, Act, ClauseReading, Doer, TimeReading
from recollect.reading.context import Context
from recollect.reading.deadlines import find_deadline
from recollect.reading.speech_acts import SpeechCue, classify_sentence
from recollect.text.sentences import sentence_spans

_ACT_OF_TYPE: dict[str, Act] = {"promise": "commitment", "resolution": "completion"}
_WITH_DEADLINE = frozenset({"commitment", "request"})


def read_block(text: str, context: Context) -> tuple[ClauseReading, ...]:
    """The clauses of a paragraph, a turn or a list item, in their order."""
    return tuple(_read_sentences(text, context))


def read_sentence(text: str, context: Context) -> tuple[ClauseReading, ...]:
    """The clauses of one sentence in their order."""
    words = " ".join(text.replace("’", "'").split())
    cue = classify_sentence(words, lambda name: _known_person(name, context))
    if cue is None:
        return (ClauseReading(text, 0, len(text)),)
    act = _ACT_OF_TYPE.get(cue.fact_type, cast(Act, cue.fact_type))
    time = _deadline(words, context) if act in _WITH_DEADLINE else NO_TIME
    return (
        ClauseReading(
            text, 0, len(text), act, doer=_doer(act, cue), time=time, fact_type=cue.fact_type, decided_by="rules"
        ),
    )


def _read_sentences(text: str, context: Context) -> Iterator[ClauseReading]:
    for span in sentence_spans(text):
        for each in read_sentence(text[span.start : span.stop], context):
            yield replace(each, start=each.start + span.start, stop=each.stop + span.start)


def _known_person(name: str, context: Context) -> str | None:
    folded = name.casefold()
    found = {each.name for each in context.people if folded in {form.casefold() for form in (each.name, *each.forms)}}
    return found.pop() if len(found) == 1 else None


def _doer(act: Act, cue: SpeechCue) -> Doer:
    if cue.subject is not None:
        return Doer("named", cue.subject)
    return Doer("addressee" if act == "request" else "speaker")


def _deadline(words: str, context: Context) -> TimeReading:
    due = find_deadline(words, context.anchor) if context.anchor is not None else None
    return TimeReading("read", "", None, due, "due") if due is not None else NO_TIME
