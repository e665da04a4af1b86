"""Reads the states that a sentence asserts: who works where, lives where, uses what, and what something is.

Questions, conditions, negations, doubts, plans, hopes and hearsay give no state, nor does a clause with a time that
cannot be read. A wrong state is far worse than a missed one, because the text itself is always kept.
"""

import re
from collections.abc import Iterator, Sequence

from recollect.reading.clause import Clause, clauses
from recollect.reading.clause_reading import Act, ClauseReading, Doer
from recollect.reading.clause_segmentation import clause_spans
from recollect.reading.context import Context, TextKind
from recollect.reading.cues import Modality
from recollect.reading.dated_patterns import DATED_FORMS, match_dated, times_in
from recollect.reading.ending_patterns import ENDING_FORMS, is_end_of, match_endings
from recollect.reading.hedges import is_joke, is_not_claimed
from recollect.reading.phrases import is_apposition, words_of
from recollect.reading.pronouns import with_name
from recollect.reading.sentence_simplification import expand_shorthand, plain_sentences
from recollect.reading.speaker_attribution import bare_words, speaker_names, strip_opening, turn_in
from recollect.reading.state import (
    GROUP,
    HOUSE,
    OWNER,
    UNNAMED,
    State,
    has_rivals,
    replacing,
    strip_correction,
    strip_now,
    with_known_employers,
)
from recollect.reading.state_lexicon import PEOPLE_NOUNS
from recollect.reading.state_patterns import FORMS, match_forms, may_match
from recollect.reading.state_time import (
    TimedClause,
    UnreadableTime,
    day_before,
)
from recollect.reading.thing_patterns import THING_FORMS, match_things
from recollect.reading.verb_patterns import THIRD_PERSON
from recollect.text.contrast import Contrast, contrast
from recollect.text.emoji import without_emoji
from recollect.text.lexicon import ARTICLE_PATTERN
from recollect.text.patterns import PatternGroup, lazy_pattern
from recollect.text.verbs import is_past_form
from recollect.when.period import Bounds

MAX_CLAUSE_CHARS = 200
MAX_TIME_WORDS = 7
_PAIR = 2
_UNNAMED_SUBJECTS = frozenset({OWNER, GROUP, UNNAMED, HOUSE})
_KINDS: frozenset[TextKind] = frozenset({"mail", "note", "chat", "minutes"})
_WITHOUT_STATE: frozenset[Act | None] = frozenset(
    {"commitment", "request", "decision", "blocker", "cancellation", "concern", "goal", "question", "reference"}
)
"""Acts beside which a message states nothing else; a note to oneself may be worded as an order: `call me Sam`."""
_MEANT: frozenset[Modality] = frozenset({"asserted", "habitual", "planned"})
_SET = lazy_pattern(r" (?:is|are) (?:now |currently )?(?:set|back(?: up| down)?) (?:to|at) (?=[€$£]?\d)")
_BOOKED = lazy_pattern(
    r" is (?:scheduled|booked|set|planned) (?:for|on) (?=(?:the )?\d|tomorrow\b|next |"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d)",
    re.IGNORECASE,
)
_BOUNDED_ONLY = frozenset(
    "uses prefers likes loves dislikes speaks owns drives plays teaches studies leads manages reports_to".split()
)
"""Predicates whose past tense is read only with an end: `I used the ladder` tells of an event, not of a state.

`I used to use npm` tells of a state that is over."""

_STILL_SO = lazy_pattern(r"\bused to\b.*\bstill (?:am|are|do|does|is)\b")
_LEADING_CLAUSE = lazy_pattern(
    r"^(?P<head>(?:Since|As of|From|Until|In|On|During|Between|Starting|Effective) [^,;]{2,60}),\s+"
)
# What follows holds in that situation only, or at a time that is not read.
_SITUATION = lazy_pattern(
    r"^(?:When|Whenever|While|Where|Wherever|After|Before|Once|As soon as|As long as|Until|Till|Since|As|By|During|At|"
    r"For|With|Without|Given|Among|Outside|Inside|Within|Except|Instead|In|On|Under)\b[^,]*,\s"
)
_TRAILING = lazy_pattern(
    r",?\s+(?:as well|too|now|currently|nowadays|these days|at the moment|by the way|btw|(?<!moved )again)$"
)
_ASIDE_COMMA = lazy_pattern(r"\s+,\s+")
"""What is left of the commas around what a clause rules out: `we use pnpm, not npm, for acme-web`."""
_WITH_PREPOSITION = lazy_pattern(rf"^(?:(?:for|in|on|at|to|by|with|as) )?(?:{ARTICLE_PATTERN} )?")
_ENDS_NOW = lazy_pattern(r"\snow\W*$|\s(?:is|are)\s.*\sagain\W*$")
_SECOND_VERB = lazy_pattern(
    r",?\s+and\s+(?:also\s+)?(?=(?:works?|lives?|uses?|prefers?|likes?|loves?|hates?|dislikes?|enjoys?|speaks?|owns?|drives?|teaches|reports?\sto"
    r"|worked|lived|moved|switched)\s|(?:is|am|are)\s+allergic\s)"
)
_SUBJECT = lazy_pattern(
    r"\s*(?:(?:[Mm]y|[Oo]ur) [a-z-]+(?= (?:is|was)\b)|(?:(?:[Mm]y|[Oo]ur) [a-z-]+ (?=[A-Z]))?"
    r"(?:[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*|[Ww]e|i|[a-z][\w.-]*-[\w.-]+)(?=\s))"
)
_COMMA_AND_PRONOUN = lazy_pattern(
    r",\s+(?=(?:(?:before(?: that)?|previously|until then|formerly|earlier)\s+)?(?:I|i|[Ww]e|he|she|it|they)\s+[a-z]"
    rf"|[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)?\s+(?:{'|'.join(sorted(set(THIRD_PERSON.values())))})\s)"
)
_JOINT = lazy_pattern(r",?\s+and\s+(?=(?:[A-Z]|my |our |we |the |(?:he|she|they|his|her|their) |[a-z][\w.]*-[\w.-]+ ))")
_OWN_SUBJECT = lazy_pattern(
    r"(?:I|we|he|she|they|(?:my|our|his|her|their) [a-z]+(?: [A-Z]\w+)?|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)"
    r"(?:'\w+)? [a-z]+ "
)
_NAMED_OWNER = lazy_pattern(
    r"(?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+)?)"
    r"(?:'s [a-z]| (?:work(?:s|ed)|live[sd]|moved|joined|left|quit|sold|uses|likes|prefers|loves|owns|drives|plays|"
    r"speaks|is|isn't|has|no longer|does not|doesn't|stopped|used to) )"
)
_CLAUSE_IN_VALUE = lazy_pattern(
    r",? and (?:he|she|it|they|I|we|(?:his|her|its|their|my|our) [a-z]+)(?:['’][a-z]+)? [a-z]", re.IGNORECASE
)
"""`Helga and she lives in Graz` is no name."""
_TIE_BEFORE = lazy_pattern(r"^(?:[Mm]y|[Oo]ur) [a-z-]+ (?=[A-Z])")
_PRONOUN = lazy_pattern(r"\b(?:(?P<of>his|her|their)\b(?= [a-z]+ (?:is|was) )|(?:he|she|they)\b(?= [a-z]))")

_STATING_FORMS = PatternGroup((*FORMS, *DATED_FORMS, *ENDING_FORMS, *THING_FORMS, _PRONOUN), lambda form: form)
"""The forms of states, and pronouns, for which a name with a possessive may be put."""


def with_states(readings: Sequence[ClauseReading], sentence: str, context: Context) -> tuple[ClauseReading, ...]:
    """The clauses of a sentence, each with the states that it asserts; a clause that is not meant asserts none."""
    is_acting = context.kind != "note" and all(each.act in _WITHOUT_STATE for each in readings)
    if context.kind not in _KINDS or is_acting:
        return tuple(readings)
    found: dict[int, list[State]] = {}
    for state in read_states(sentence, context):
        found.setdefault(_clause_of(state, sentence, readings), []).append(state)
    return tuple(
        _stating(each, found[at]) if at in found and each.modality in _MEANT else each
        for at, each in enumerate(readings)
    )


def _stating(reading: ClauseReading, states: Sequence[State]) -> ClauseReading:
    """A clause with its states; a preference is that of whom the clause names."""
    subject = states[0].subject
    is_of_another = reading.act == "preference" and reading.doer is None and subject not in _UNNAMED_SUBJECTS
    doer = Doer("named", subject) if is_of_another else reading.doer
    return reading._replace(states=tuple(states), doer=doer)


def _clause_of(state: State, sentence: str, readings: Sequence[ClauseReading]) -> int:
    """The number of the clause in which a state stands: the one with its target, else the first."""
    at = sentence.find(state.target or "")
    return next((number for number, each in enumerate(readings) if each.start <= at < each.stop), 0)


def read_states(sentence: str, context: Context) -> list[State]:
    """The states that one sentence asserts of its speaker, of what the text is about, or of somebody it names."""
    if not may_match(sentence) or is_joke(sentence) or is_not_claimed(sentence) or _STILL_SO.search(sentence):
        return []
    plain = without_emoji(sentence)
    return _states_of(plain, context) or (_states_of(sentence, context) if plain != sentence else [])


def _states_of(sentence: str, context: Context) -> list[State]:
    words, is_correction = strip_correction(bare_words(sentence))
    turn = turn_in(words)
    if turn is not None and not turn.is_of(speaker_names(context)):
        return []
    words = with_name(turn.words if turn is not None else strip_opening(words), context.referent)
    words = _BOOKED.sub(" is on ", _SET.sub(" is ", expand_shorthand(words)))
    found = [state for plain in plain_sentences(words) for state in _sentence_states(plain, context)]
    if is_correction:
        found = [replacing(each, words) for each in found]
    return [] if has_rivals(found) else found


def _sentence_states(words: str, context: Context) -> list[State]:
    if not _STATING_FORMS.may_match(words):
        return []
    found: list[State] = []
    words = _LEADING_CLAUSE.sub(lambda match: _without_comma(match, context), words, count=1)
    parts = clauses(words) if words and not _SITUATION.match(words) else ()
    for clause in parts:
        whole = _with_subject(clause, parts[0])
        if whole is not None and len(whole.text) <= MAX_CLAUSE_CHARS:
            for part in _split_verbs(whole):
                ended = _ended(found, part[1], context) if found else None
                found = found + _clause_states(part, context) if ended is None else ended
    # Few sentences state anything, so that this is asked last.
    is_apart = bool(found) and len(parts) > 1 and any(_is_only_time(clause.text, context) for clause in parts)
    return [] if is_apart else with_known_employers(found)


def _ended(states: list[State], text: str, context: Context) -> list[State] | None:
    """The states, the last with the end that a clause tells, left out if it tells no time; none of other clauses."""
    try:
        timed = times_in(_strip_end(text), context)
        if not is_end_of(states[-1], _strip_end(timed.text)):
            return None
        until = timed.bounds("change", None).valid_from
    except UnreadableTime:
        return None
    *others, last = states
    bounds = last.bounds if until is None else Bounds(last.bounds.valid_from, until)
    return others if bounds.valid_until is None else [*others, last._replace(bounds=bounds)]


def _with_subject(clause: Clause, first: Clause) -> Clause | None:
    """The clause with the subject that it shares with the first one; none if that is no plain subject."""
    is_bare = clause is not first and is_past_form(clause.text.split(" ", 1)[0])
    if not clause.shared and not is_bare:
        return clause if clause is first else clause._replace(text=[*_with_names([first.text, clause.text])][1])
    subject = _SUBJECT.match(first.text)
    is_shared = subject is not None and clause.shared in ("", subject[0])
    return clause._replace(text=f"{subject[0]} {clause.text}", shared="") if subject and is_shared else None


def _without_comma(match: re.Match[str], context: Context) -> str:
    """A time before the comma belongs to the clause after it."""
    return f"{match['head']} " if _is_only_time(match["head"], context) else match[0]


def _is_only_time(text: str, context: Context) -> bool:
    if len(text.split()) > MAX_TIME_WORDS:
        return False
    try:
        timed = times_in(text, context)
    except UnreadableTime:
        return True
    return bool(timed.times) and not _strip_end(timed.text)


def _split_verbs(clause: Clause) -> Iterator[tuple[Clause, str]]:
    """The clause at each of its verbs, with the subject of the first."""
    first, *more = _SECOND_VERB.split(clause.text)
    subject = _SUBJECT.match(first)
    yield clause, first
    for part in more if subject else ():
        yield clause, f"{subject[0].strip()} {part}" if subject else part


def _clause_states(part: tuple[Clause, str], context: Context) -> list[State]:
    """The states of a clause, or of the full clauses that `and` joins in it, if each of them makes one."""
    clause, text = part
    if not _STATING_FORMS.may_match(text):
        return []
    joined = list(_with_names(_JOINT.split(text))) if clause.is_asserted else []
    parts = [[(each, each.text) for each in clauses(one)] for one in joined] if len(joined) > 1 else []
    read = [_form_states(one[0], context) if len(one) == 1 else [] for one in parts]
    stated = [state for states in read for state in states]
    if read and all(read):
        return stated
    whole = _form_states(part, context) or _piecewise_states(part, context)
    are_apart = all(_OWN_SUBJECT.match(each) for each in joined[1:])
    return whole or (stated if are_apart else [])


def _with_names(parts: Sequence[str]) -> Iterator[str]:
    """The clauses of a sentence; `his phone is …` and `she lives …` after a clause about one person are theirs."""
    first = _TIE_BEFORE.sub("", parts[0])
    owner = _NAMED_OWNER.match(first) if len(parts) == _PAIR else None
    is_of_another = owner is not None and not PEOPLE_NOUNS.isdisjoint(words_of(first))
    yield parts[0]
    for part in parts[1:]:
        pronoun = _PRONOUN.match(part) if owner is not None and not is_of_another else None
        if pronoun is None or owner is None:
            yield part
        else:
            possessive = "'s" if pronoun["of"] else ""
            yield f"{owner['name']}{possessive}{part[pronoun.end() :]}"


def _piecewise_states(part: tuple[Clause, str], context: Context) -> list[State]:
    """The states in the statements that commas separate, or of what stands before an apposition."""
    clause, text = part
    if not clause.is_asserted or "," not in text:
        return []
    pieces = list(_with_names(list(_pieces(text))))
    if len(pieces) > 1:
        read = [
            [
                state
                for each in clauses(piece)
                if each.is_asserted
                for state in _clause_states((each, each.text), context)
            ]
            for piece in pieces
        ]
        are_named = any(_NAMED_OWNER.match(piece) for piece in pieces[1:])
        return [state for states in read for state in states] if all(read) or not are_named else []
    head, _, tail = text.partition(",")
    plain = clauses(head)
    is_plain = len(plain) == 1 and plain[0].is_asserted and is_apposition(tail) and not _names_time(tail, context)
    return _form_states((plain[0], head), context) if is_plain else []


def _pieces(text: str) -> Iterator[str]:
    """The statements that commas separate."""
    low = text.lower().replace("’", "'")
    start = 0
    cuts = {span.start for span in clause_spans(low) if span.joint.startswith(",")} if len(low) == len(text) else set()
    for cut in sorted(cuts | {found.end() for found in _COMMA_AND_PRONOUN.finditer(text)}):
        yield text[start:cut].rstrip(", ")
        start = cut
    yield text[start:]


def _names_time(text: str, context: Context) -> bool:
    try:
        return bool(times_in(text, context).times)
    except UnreadableTime:
        return True


def _form_states(part: tuple[Clause, str], context: Context) -> list[State]:
    clause, text = part
    if not clause.is_asserted or not may_match(text):
        return []
    said = Contrast(_strip_end(text)) if " from " in text else contrast(_strip_end(text))
    plain, is_change = strip_now(_ASIDE_COMMA.sub(" ", said.kept) if said.ruled_out else said.kept)
    is_change = is_change or _ENDS_NOW.search(text) is not None
    try:
        forms, timed = _matches(clause, plain, context)
        forms = [form for form in forms if not _CLAUSE_IN_VALUE.search(form.target or "")]
        forms = [replacing(form, plain) for form in forms] if is_change else forms
        return [_without(form, said.ruled_out)._replace(bounds=_bounds(form, timed, context)) for form in forms]
    except UnreadableTime:
        return []


def _without(form: State, ruled_out: Sequence[str]) -> State:
    """The form with the targets that it denies, and those that its clause rules out."""
    said = (*form.ruled_out, *ruled_out)
    return form._replace(ruled_out=tuple(_WITH_PREPOSITION.sub("", each) for each in said)) if said else form


def _matches(clause: Clause, text: str, context: Context) -> tuple[list[State], TimedClause]:
    if dated := match_dated(text, context):
        return [dated], TimedClause(text, ())
    if (
        context.kind == "note"
        and clause.polarity == "positive"
        and (things := _thing_states(_strip_end(text), context))
    ):
        return things, TimedClause(text, ())
    timed = times_in(text, context)
    bare = _strip_end(strip_opening(timed.text))
    endings = match_endings(bare, context.known, has_topic=context.has_topic)
    if endings or clause.polarity == "negative":
        return endings, timed
    found = match_forms(bare, context.known, has_topic=context.has_topic)
    is_sure = bool(timed.times) or " joined " not in f" {bare} "
    return [each for each in found if is_sure or not _is_mere_joining(each, context)], timed


def _thing_states(text: str, context: Context) -> list[State]:
    """What is said of a thing without a name, unless it is a part of what the text is about."""
    things = match_things(text)
    return things if things and not (context.has_topic and match_forms(text, context.known, has_topic=True)) else []


def _is_mere_joining(form: State, context: Context) -> bool:
    """Whether somebody may have joined anything: only a known name or a date tells that it is an employer."""
    is_joining = form.predicate == "works_at" and form.tense == "change" and not form.has_ended
    return is_joining and not context.known(form.target or "")


def _strip_end(text: str) -> str:
    return _TRAILING.sub("", text.strip().rstrip(".!… ").strip(" ,;"))


def _bounds(form: State, timed: TimedClause, context: Context) -> Bounds:
    if context.is_fictional:
        if timed.times or form.tense != "present":
            raise UnreadableTime(timed.text)
        return Bounds()
    if (
        form.predicate in _BOUNDED_ONLY
        and form.tense == "past"
        and " used to " not in timed.text
        and not any(each.role in ("until", "range") for each in timed.times)
    ):
        raise UnreadableTime(timed.text)
    if form.predicate == "status" and form.subject_type == "person" and (day := timed.day) is not None:
        return Bounds(day, day)
    if form.tense == "perfect" and not any(each.role == "from" for each in timed.times):
        raise UnreadableTime(timed.text)
    return timed.bounds(form.tense, day_before(context.anchor, context.zone) if context.anchor is not None else None)
