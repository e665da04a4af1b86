"""The reader of sentences: what each clause of a sentence states, asks, promises or denies."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial

from recollect.reading.act_cue import ActCue, CueMatches
from recollect.reading.agents import (
    SentenceInContext,
    doer_of,
    has_name,
    is_name_of_addressee,
    subject_before,
    told_by_another,
)
from recollect.reading.boilerplate import is_advertising, is_machine_line
from recollect.reading.clause_reading import NO_TIME, Act, ClauseReading, Doer
from recollect.reading.clause_segmentation import ClauseSpan, clause_spans, message_sentences
from recollect.reading.clause_time import clause_time, is_future, time_phrases, with_task_ahead
from recollect.reading.context import Context, Person, TextKind
from recollect.reading.coordination import split_times_by_conjunct
from recollect.reading.corrected_times import without_corrected_times
from recollect.reading.cues import Modality
from recollect.reading.denial import is_denied, is_negative
from recollect.reading.english_verbs import action_verbs, is_order
from recollect.reading.hedges import asserts_nothing, find_hedge, find_reported_speech, is_conditional, is_idea
from recollect.reading.language import language_within
from recollect.reading.language_table import language_table
from recollect.reading.nonveridical import may_continue_fiction, unmeant_start
from recollect.reading.pronouns import (
    THIRD_PERSON,
    PeopleNamed,
    has_pronoun,
    is_first_person,
    may_refer,
    named_before,
    tells_of_another,
)
from recollect.reading.retractions import sentences_apart, take_back
from recollect.reading.sentence_features import ONLY_JOKING, SentenceFeatures, sentence_features
from recollect.reading.sentence_memo import SentenceKey, sentence_key
from recollect.reading.state_reader import with_states
from recollect.reading.times import end_of_opening_time, names_time
from recollect.text.patterns import lazy_pattern
from recollect.text.quotations import mask_quoted_words
from recollect.when.english.sentence import DayMatters

_ASKED = lazy_pattern(r"\?[\"”')\]]*\s*$")
_IRONY = lazy_pattern(r"\W*(?:oh,? (?:sure|right|great|yes)|yeah,? (?:sure|right)|sure, because|as if)\b")
MAX_SENTENCE_CHARS = 1_500
"""Longer ones are not sentences."""
_SENTENCES_KEPT = 8_192
_CLAUSES_KEPT = 2_048
_JOINTS = frozenset({"and", "&", "+", ",", ", and", "and then", ", then", ", and then"})
_ANDS = frozenset({"and", "&", "+", ", and", "and then", ", and then"})
_LONGEST_TOPIC = 4
_ORDERS = frozenset({"imperative", "note to self"})
_CONTINUING = frozenset({"commitment", "request"})
_FUTURE_ACTS = frozenset({"commitment", "request", "goal"})
_PAST_TIME = lazy_pattern(r"\b(?:yesterday|last|ago|earlier|previous)\b")
_PRONOUN = re.compile(r"\W*(?:he|she)\b")
_POSSIBLE = lazy_pattern(r"(?i:\b(?:may|might|maybe|perhaps|possibly|could)\b)")
_RESERVATION = lazy_pattern(
    r"(?i:\W*(?:according to|apparently|allegedly|supposedly|reportedly|just kidding|only joking|perhaps|maybe|"
    r"possibly|rumou?r has it|word is|so i hear)\b)"
)
_WOULD = lazy_pattern(r".{0,40}\b(?:i|we)(?:['’]?d| would| could| might)(?: (?:just|happily|probably))? [a-z]")
_CONTRAST = lazy_pattern(r"\W*(?:but|though|although|however|yet)\b")
_RELAPSE = lazy_pattern(
    r"\b(?:come|comes|came|is|are) back\b"
    r"|\b(?:it|they|this|that)\b.{0,20}\b(?:again|still|returns?|returned|reopened|keeps?)\b"
)


def read_block(text: str, context: Context) -> tuple[ClauseReading, ...]:
    """The clauses of a paragraph, a turn or a list item, in their order."""
    readings: list[ClauseReading] = []
    named, has_reference = PeopleNamed(), may_refer(text)
    needs_names = has_reference and has_pronoun(text)
    is_wording = is_fiction = may_joke = False
    for start, stop in sentences_apart(text, message_sentences(text)):
        sentence = text[start:stop]
        own = sentence_features(sentence)
        said = find_reported_speech(own.low, context.language) if ":" in sentence else None
        if said is not None and said["own"]:
            rest = ClauseReading(text[start:], start, len(text), modality="reported", decided_by="words of another")
            readings.append(rest)
            break
        was_wording, is_wording = is_wording, is_wording or own.is_drafted
        is_fiction = own.is_invented or (is_fiction and may_continue_fiction(own.low))
        may_joke = may_joke or own.may_joke
        referent = named.meant_by(sentence) if has_reference else None
        told = _with_person(context, referent, named) if referent != context.referent else context
        language = language_within(sentence, own.language, context.language)
        told = replace(told, language=language) if language != context.language else told
        read = read_sentence(sentence, told, own)
        if is_fiction or was_wording:
            read = tuple(each._replace(modality="figurative", states=()) for each in read)
        if needs_names:
            named.add(sentence, [state for each in read for state in each.states])
        placed = [each._replace(start=each.start + start, stop=each.stop + start) for each in read] if start else read
        if readings and own.may_take_back:
            readings = take_back(readings, sentence, placed, partial(read_sentence, context=told))
        else:
            readings += placed
    return _meant(readings) if may_joke else tuple(readings)


def _with_person(context: Context, referent: str | None, named: PeopleNamed) -> Context:
    """The context with whom pronouns mean, who is a person where somebody spoke with them."""
    people = (*context.people, Person(referent)) if referent is not None and named.is_surely_person else context.people
    return replace(context, referent=referent, people=people)


def _meant(readings: Sequence[ClauseReading]) -> tuple[ClauseReading, ...]:
    """The readings, those before "just kidding" as jokes."""
    jokes = [at for at, each in enumerate(readings) if ONLY_JOKING.match(each.text)]
    last = jokes[-1] if jokes else 0
    return (*(each._replace(modality="figurative") for each in readings[:last]), *readings[last:])


def read_sentence(text: str, context: Context, own: SentenceFeatures | None = None) -> tuple[ClauseReading, ...]:
    """The clauses of one sentence in their order; `own` is what its words tell, where that is known."""
    if len(text) > MAX_SENTENCE_CHARS:
        return (ClauseReading(text, 0, len(text), decided_by="too long"),)
    own = own or sentence_features(text)
    key = sentence_key(text, own.low, context)
    found = _read_on_any_day(key) if key is not None else None
    return _read_sentence(text, own.said, context) if found is None else found


@lru_cache(_SENTENCES_KEPT)
def _read_on_any_day(key: SentenceKey) -> tuple[ClauseReading, ...] | None:
    """The clauses of a sentence that says the same on every day; none if it does not."""
    low = sentence_features(key.text).said
    if any(names_time(low[span.start : span.stop], key.language) for span in clause_spans(low)):
        return None  # as its first clause with a time would tell, when half of it is read
    try:
        return _read_sentence(key.text, low, key.context())
    except DayMatters:
        return None


def _read_sentence(text: str, low: str, context: Context) -> tuple[ClauseReading, ...]:
    low = without_corrected_times(low, context.language)
    if is_machine_line(text) or is_advertising(low):
        return (ClauseReading(text, 0, len(text), decided_by="noise"),)
    if find_reported_speech(low, context.language):
        return (ClauseReading(text, 0, len(text), modality="reported", decided_by="words of another"),)
    sentence = SentenceInContext(text, low, context, is_conditional(low, context.language))
    found: list[ClauseReading] = []
    unmeant = unmeant_start(low)
    for span in clause_spans(low):
        reading = _read_clause(_with_referent(sentence, span), span, found[-1] if found else None)
        if unmeant is not None and span.stop > unmeant:
            reading = reading._replace(modality="figurative")
        if found and _takes_back(found[-1], low[span.start : span.stop], span.joint):
            found[-1] = found[-1]._replace(modality="doubted")
        if found and reading.decided_by == "will do":
            reading = reading._replace(doer=Doer("named", before)) if (before := subject_before(sentence)) else reading
        if found and _is_called(found[-1], reading, span.joint, context):
            name = found[-1].text.strip(" ,!")
            reading = _joined(text, found.pop(), reading)._replace(doer=Doer("named", name))
        elif found and _belongs_to(found[-1], reading, span.joint):
            reading = _joined(text, found.pop(), reading)
        found.append(reading)
    parts = [part for each in found for part in split_times_by_conjunct(each, low[each.start : each.stop], context)]
    return with_states(parts, mask_quoted_words(text), context)


def _with_referent(sentence: SentenceInContext, span: ClauseSpan) -> SentenceInContext:
    """The sentence with whom *he* at the start of a clause means, where earlier words in it name one person."""
    if not span.joint or not _PRONOUN.match(sentence.low, span.start):
        return sentence
    context = sentence.context
    forms = [form for each in context.people for form in (each.name, *each.forms) if len(form) > 1]
    referent = named_before(sentence.text[: span.start], forms)
    if referent is None:
        return sentence
    people = context.people if referent in forms else (*context.people, Person(referent))
    return sentence._replace(context=replace(context, referent=referent, people=people))


def _takes_back(before: ClauseReading, low: str, joint: str) -> bool:
    """Whether a clause says that what is reported before it did not last: "…, but it comes back"."""
    is_contrast = _CONTRAST.match(joint) is not None
    return before.act == "completion" and is_contrast and _RELAPSE.search(low) is not None


def _is_called(before: ClauseReading, reading: ClauseReading, joint: str, context: Context) -> bool:
    """Whether a request begins with the name of whom it asks: "Tobias, can you take the call?"."""
    name = before.text.strip(" ,!")
    return reading.act == "request" and joint == "," and before.act is None and is_name_of_addressee(name, context)


def _belongs_to(before: ClauseReading, reading: ClauseReading, joint: str) -> bool:
    """Whether two clauses state one fact: a topic and what is said of it, one thing done in two words."""
    if joint == ":":
        return before.act is None and len(before.text.split()) <= _LONGEST_TOPIC
    if before.act != reading.act or before.modality != reading.modality or joint not in _JOINTS:
        return False
    if reading.act == "completion":
        return True
    return reading.decided_by == "continued" and "none" in (before.time.status, reading.time.status)


def _joined(text: str, before: ClauseReading, reading: ClauseReading) -> ClauseReading:
    kept = before if before.act is not None else reading
    if kept.modality == "asserted" and is_idea(before.text, kept.act):
        kept = kept._replace(modality="considered")
    time = before.time if before.time.status != "none" and before.act is not None else reading.time
    return kept._replace(text=text[before.start : reading.stop], start=before.start, stop=reading.stop, time=time)


def _read_clause(sentence: SentenceInContext, span: ClauseSpan, before: ClauseReading | None) -> ClauseReading:
    low = sentence.low[span.start : span.stop]
    plain = ClauseReading(
        sentence.text[span.start : span.stop],
        span.start,
        span.stop,
        polarity="negative" if is_negative(low, sentence.context.language) else "positive",
    )
    if asserts_nothing(low, sentence.context.language):
        return _with_own_time(sentence, low, plain)._replace(decided_by="idle")
    if before is not None and _continues(low, span.joint, before, _ANDS):
        return _continued(plain, before, low, sentence.context)
    decided = _deciding_cue(low, plain.text, sentence.context)
    if decided is None and before is not None and _continues(low, span.joint, before, _JOINTS):
        return _continued(plain, before, low, sentence.context)
    if decided is None:
        plain = _with_own_time(sentence, low, plain)
        is_denial = _has_denied_cue(low, sentence.context)
        return _read_without_cue(sentence, low, plain._replace(decided_by="denied") if is_denial else plain)
    cue, match = decided
    reading = plain._replace(
        act=cue.act,
        doer=doer_of(cue, match, sentence, span),
        fact_type=cue.fact_type or cue.act,
        confidence=cue.confidence,
        decided_by=cue.name,
    )
    if cue.name == "will do" and before is not None and before.act == "decision" and span.joint:
        reading = reading._replace(act="decision", fact_type="decision", doer=before.doer)
    reading = _with_modality(sentence, low, reading, cue)
    if before is not None and _is_left_open(before, reading, span.joint):
        reading = reading._replace(modality=before.modality)
    time = clause_time(low, sentence.context, _expected_act(sentence.context) or reading.act)
    return with_task_ahead(reading._replace(time=time), low, sentence.context)


def _with_own_time(sentence: SentenceInContext, low: str, plain: ClauseReading) -> ClauseReading:
    time = clause_time(low, sentence.context, _expected_act(sentence.context))
    return plain._replace(time=time) if time is not NO_TIME else plain


def _is_left_open(before: ClauseReading, reading: ClauseReading, joint: str) -> bool:
    """Whether an earlier reservation covers a clause: "according to Bo, …", "we may come, and then we will eat"."""
    if joint == "," and before.act is None and before.modality in ("doubted", "figurative"):
        is_jest = before.modality == "figurative" and reading.decided_by in _ORDERS
        return is_jest or _RESERVATION.match(before.text) is not None
    if joint in _ANDS and reading.decided_by == "imperative" and before.modality == "conditional":
        return _WOULD.match(before.text.lower()) is not None
    is_possible = before.modality == "doubted" and _POSSIBLE.search(before.text) is not None
    return is_possible and reading.act == "commitment" and joint.split()[-1:] in (["and"], ["then"], ["so"])


def _expected_act(context: Context) -> Act | None:
    """What a clause without a cue does by its place: an item of a list of tasks is still to be done."""
    if context.unit == "task_open" or (context.section == "tasks" and context.unit != "task_done"):
        return "commitment"
    return "completion" if context.unit == "task_done" or context.section == "done" else None


def _deciding_cue(low: str, text: str, context: Context) -> tuple[ActCue, re.Match[str]] | None:
    """The first cue; where that tells no more than an event, the one after a time that the clause begins with."""
    found = _first_cue(low, text, context)
    if context.language != "en" or (found is not None and found[0].act != "event"):
        return found
    stop = end_of_opening_time(low, "en")
    after = _first_cue(f"{' ' * (stop - 1)},{low[stop:]}", text, context) if stop else None
    if after is not None and after[0].act in _FUTURE_ACTS and _PAST_TIME.search(low, 0, stop):
        return found
    return after or found


def _first_cue(low: str, text: str, context: Context) -> tuple[ActCue, re.Match[str]] | None:
    for cue, match in _cue_matches(low, context.language, context.kind):
        if _is_meant(cue, match, low, context) and has_name(cue, match, text, context):
            return cue, match
    return None


def _has_denied_cue(low: str, context: Context) -> bool:
    matches = _cue_matches(low, context.language, context.kind)
    return any(is_denied(low, match, cue.act, context.language) for cue, match in matches)


@lru_cache(_CLAUSES_KEPT)
def _cue_matches(low: str, language: str, kind: TextKind) -> CueMatches:
    table = language_table(language)
    return CueMatches(low, table.cues.possible(low) if table is not None else (), kind)


def _is_meant(cue: ActCue, match: re.Match[str], low: str, context: Context) -> bool:
    """Whether what a cue needs beside its words is there: an order its object, a plan its day, a name its person."""
    groups = match.groupdict()
    if (groups.get("verb") and not is_order(low, match)) or is_denied(low, match, cue.act, context.language):
        return False
    if cue.act == "commitment" and cue.doer == "speaker" and _is_of_another(match, low, context.language):
        return False
    if cue.act == "preference" and context.referent is None and THIRD_PERSON.match(low):
        return False
    if not cue.needs_time:
        return True
    phrases = time_phrases(low, context, cue.act)
    return any(cue.act == "event" or is_future(each, context) for each in phrases)


def _is_of_another(match: re.Match[str], low: str, language: str) -> bool:
    """Whether a promise without a word of the writer is that of somebody else."""
    return not is_first_person(match[0], language) and tells_of_another(low, language)


def _with_modality(sentence: SentenceInContext, low: str, reading: ClauseReading, cue: ActCue) -> ClauseReading:
    if cue.survives:
        return reading
    if _ASKED.search(low) and not cue.name.startswith("please"):
        return _asked(reading)
    if _IRONY.match(sentence.low):
        return reading._replace(modality="figurative")
    if sentence.is_conditional and reading.act not in ("blocker", "concern"):
        return reading._replace(modality="conditional")
    modality = find_hedge(low, reading.act, sentence.context.language)
    if modality is None and reading.act == "preference" and told_by_another(reading.text):
        modality = "reported"
    is_order = modality == "asked" and cue.name.startswith("please")
    return reading if is_order else _guarded(reading, modality)


def _read_without_cue(sentence: SentenceInContext, low: str, plain: ClauseReading) -> ClauseReading:
    if _ASKED.search(low):
        return _asked(plain)
    return _guarded(
        plain, "conditional" if sentence.is_conditional else find_hedge(low, None, sentence.context.language)
    )


def _asked(reading: ClauseReading) -> ClauseReading:
    return reading._replace(act="question", modality="asked", fact_type="question", doer=None, decided_by="?")


def _guarded(reading: ClauseReading, modality: Modality | None) -> ClauseReading:
    if modality == "asked":
        return _asked(reading)
    return reading._replace(modality=modality) if modality is not None else reading


def _continues(low: str, joint: str, before: ClauseReading | None, joints: frozenset[str]) -> bool:
    """Whether a clause goes on with what the one before it promises or asks: "I'll check it and tell you"."""
    first = low.split(maxsplit=1)[:1]
    return (
        before is not None
        and before.act in _CONTINUING
        and joint in joints
        and bool(first)
        and first[0] in action_verbs()
    )


def _continued(plain: ClauseReading, before: ClauseReading, low: str, context: Context) -> ClauseReading:
    return plain._replace(
        act=before.act,
        modality=before.modality,
        doer=before.doer,
        time=clause_time(low, context, before.act),
        fact_type=before.fact_type,
        confidence=before.confidence * 0.95,
        decided_by="continued",
    )
