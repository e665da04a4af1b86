"""The sentence reader beside the rules: it reads clauses without a cue, and doubts some that have one.

A clause that a rule calls asked, doubted or anything but asserted is never given to the model; whose an act is and
when, rules tell. What a rule takes for a mere statement may bind somebody if the model is sure of it. A commitment, a
request, a blocker, a preference or a concern that the model all but rules out is dropped, and a deed that it doubts is
told as an event.
"""

import re
from collections.abc import Mapping, Sequence
from typing import cast

from recollect.reading.agents import is_others_taste
from recollect.reading.clause_reading import Act, ClauseReading, Doer
from recollect.reading.clause_time import clause_time
from recollect.reading.context import Context
from recollect.reading.context import TextKind as ContextKind
from recollect.reading.coordination import split_times_by_conjunct
from recollect.reading.pronouns import THIRD_PERSON, is_own_deed, name_of_doer, tells_of_another, tells_of_person
from recollect.reading.references import is_reference
from recollect.text.patterns import lazy_pattern
from recollect.text_models.sentence import SentenceAct, SentenceInput, SentenceReader, SentenceReading, TextKind

_KINDS: dict[ContextKind, TextKind] = {"mail": "mail", "note": "note", "chat": "chat", "minutes": "meeting"}
_FEWEST_WORDS = 2
_FEWEST_TO_BIND = 5
"""Words of a clause that the model may take for a commitment: *price by mon* may be a table of dates."""
_MOST_CHARS = 400
_STATEMENTS: frozenset[Act] = frozenset({"attribute", "event", "relation"})
_BINDING: frozenset[SentenceAct] = frozenset({"commitment", "request"})
_DENIABLE: frozenset[Act] = frozenset({"completion", "cancellation", "commitment", "goal", "concern", *_STATEMENTS})
"""Acts that a *not* takes back; it is the news of a decision, a blocker or a preference."""
_PERSONAL: frozenset[Act] = frozenset({"commitment", "preference", "blocker", "goal", "concern", "completion"})
_RULED_OUT: Mapping[Act, float] = {
    "commitment": 0.03, "request": 0.06, "blocker": 0.1, "preference": 0.3, "concern": 0.15,
}  # fmt: skip
"""Shares of the model below which what a rule found is dropped."""
_RULED_OUT_OF: Mapping[str, float] = {
    **dict.fromkeys(("imperative", "remind me", "needed by a day", "need from you", "don't"), 0.3),
    "always or never": 0.0,
    "graag": 0.0,
}
"""The same for rules without a word that asks, and for those that are sure: always, never, a Dutch *please*."""
_NO_DEED = 0.5
"""The share of the model below which a rule's completion is told as an event."""
_DOUBTED: frozenset[Act] = frozenset({*_RULED_OUT, "completion"})
_MORE_THAN_STATEMENTS: frozenset[SentenceAct] = frozenset(
    {"commitment", "request", "decision", "blocker", "goal", "cancellation"}
)
_NOBODYS: frozenset[tuple[ContextKind, Act]] = frozenset(
    {("note", "request"), ("minutes", "request"), ("minutes", "commitment")}
)
"""What binds nobody where nobody is named: a note asks no one by itself, and minutes are not their writer's tasks."""
_BY_NOBODY = lazy_pattern(r"\b(?:will|shall|to|must|should) (?:be|get) \w+", re.IGNORECASE)
"""A plan in the passive: whom it binds is not said."""
_SOMEBODY = lazy_pattern(
    r"\W*(?P<name>[^\W\d_][\w-]*(?:['’][^\W\d_]{2,})?(?: (?:van |de |von )?[A-ZÀ-Þ][\w'’-]+)?)"
    r"(?=:? [a-zà-þ]|['’]s \w+ing\b)"
)
"""A name with a verb after it; with a comma it is whom the clause speaks to. Many write names without capitals."""

_TITLED = lazy_pattern(
    r"\W*(?:Fr|Frau|Hr|Hrn|Herr|Mr|Mrs|Ms|Mme|Mlle|Sr|Sra|Dhr|Mevr|Pan|Pani|Sig|Dr|Prof)\.? [A-ZÀ-Þ][\w-]+"
)
"""Somebody with a title, of whom a clause may tell without a verb: *Fr. Kern Mo + Di auf Kur*."""


def read_by_model(
    readings: Sequence[ClauseReading], context: Context, reader: SentenceReader
) -> tuple[ClauseReading, ...]:
    """The readings with what the reader is sure of where no rule has decided, and without what it doubts."""
    asked = [at for at, each in enumerate(readings) if _is_asked_about(each)] if context.kind in _KINDS else []
    read = list(readings)
    guesses = reader.read([sentence_input(readings, at, context) for at in asked]) if asked else []
    for at, guess in zip(asked, guesses, strict=True):
        read[at] = _decided(readings[at], guess, context)
    return tuple(
        part
        for before, each in zip(readings, read, strict=True)
        for part in ((each,) if each.act == before.act else split_times_by_conjunct(each, each.text.lower(), context))
    )


def is_silent(reading: ClauseReading) -> bool:
    """Whether no rule has anything to say of a clause."""
    return reading.modality == "asserted" and reading.act is None and not reading.decided_by and not reading.states


def _is_asked_about(reading: ClauseReading) -> bool:
    is_doubtful = reading.modality == "asserted" and (reading.act in _STATEMENTS or reading.act in _DOUBTED)
    words = reading.text.split()
    is_short = len(words) >= _FEWEST_WORDS and len(reading.text) <= _MOST_CHARS
    return (is_silent(reading) or is_doubtful) and is_short and not is_reference(" ".join(words))


def _decided(reading: ClauseReading, guess: SentenceReading, context: Context) -> ClauseReading:
    """A clause after the model was asked: by its guess, by the rule, or as nothing."""
    if reading.act is None:
        return _with_guess(reading, guess, context)
    if reading.act in _STATEMENTS:
        return _with_guess(reading, guess, context) if guess.act in _MORE_THAN_STATEMENTS else reading
    if reading.act == "completion":
        return reading._replace(fact_type="event") if guess.share_of("completion") < _NO_DEED else reading
    least = _RULED_OUT_OF.get(reading.decided_by, _RULED_OUT[reading.act])
    if guess.share_of(cast(SentenceAct, reading.act)) < least:
        return reading._replace(act=None, decided_by=guess.model)
    return reading


def sentence_input(readings: Sequence[ClauseReading], at: int, context: Context) -> SentenceInput:
    """A clause as the reader gets it, with the one before it or the text that it answers."""
    before = readings[at - 1].text if at else context.answered or ""
    text = f"{readings[at].shared} {readings[at].text}".strip()
    return SentenceInput(text, _KINDS[context.kind], before.strip(), not at and bool(before))


def _with_guess(reading: ClauseReading, guess: SentenceReading, context: Context) -> ClauseReading:
    if not guess.is_sure or guess.act in ("none", "question"):
        return reading
    if guess.act == "commitment" and len(reading.text.split()) < _FEWEST_TO_BIND:
        return reading
    # A deed that no rule knows as one is told as what happened.
    is_deed = guess.act == "completion" or (guess.act in _BINDING and is_own_deed(reading.text, context.language))
    act = cast(Act, "event" if is_deed else guess.act)
    is_foreign_taste = act == "preference" and context.language != "en"  # it has learned these in English
    is_denied = reading.polarity == "negative" and (act in _DENIABLE or is_foreign_taste)
    if (act == "request" and context.kind == "chat") or is_denied:
        return reading  # what an assistant is asked binds nobody
    name = _named(reading.text, context)
    if act == "commitment" and name is None:
        name = name_of_doer(reading.text, context.language)
    if name is None and ((context.kind, act) in _NOBODYS or (act == "commitment" and _BY_NOBODY.search(reading.text))):
        return reading
    if name is None and _is_of_another(act, reading.text, context.language):
        return reading
    return reading._replace(
        act=act,
        states=(),
        doer=_doer("completion" if is_deed else act, name, context),
        time=clause_time(reading.text.lower(), context, act),
        confidence=round(guess.probability, 3),
        decided_by=guess.model,
    )


def _is_of_another(act: Act, text: str, language: str) -> bool:
    """Whether what would be the writer's is told of somebody else."""
    if act == "request":
        return tells_of_person(text, language)
    if act == "preference" and is_others_taste(text):
        return True
    is_of_other = THIRD_PERSON.match(text) or _TITLED.match(text) or tells_of_another(text, language)
    return act in _PERSONAL and bool(is_of_other)


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
