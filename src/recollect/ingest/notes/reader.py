"""Reads a note sentence by sentence: plain claims, whose words they are, and what is left unread.

Questions, conditions, negations, doubts, plans, hopes and hearsay give no claim, nor does a clause with a time that
cannot be read. A wrong claim is far worse than a missed one, because the note itself is always kept.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from recollect.ingest.extract.sentence_splitter import RecordSentence, split_sentences
from recollect.ingest.notes.clause_times import (
    TimedClause,
    UnreadableTime,
    day_before,
    resolve_relative_date,
    take_times,
)
from recollect.ingest.notes.corrections import has_rivals, replacing, strip_correction, strip_now
from recollect.ingest.notes.form_match import GROUP, OWNER, FormMatch, KnownName
from recollect.ingest.notes.forms import match_endings, match_forms, may_match
from recollect.ingest.notes.phrases import is_apposition, words_of
from recollect.ingest.notes.reservations import is_joke, is_not_claimed, is_only_laughter
from recollect.model.names import fold
from recollect.reading.clause import Clause, clauses
from recollect.reading.spans import clause_spans
from recollect.text.contrast import contrast
from recollect.text.patterns import lazy_pattern
from recollect.when.instant import Instant
from recollect.when.period import Bounds

MAX_TEXT_CHARS = 200_000
MAX_SENTENCES = 400
MAX_SENTENCE_CHARS = 1_500
MAX_CLAUSE_CHARS = 300
MAX_TIME_WORDS = 7
_DATE_NOUNS = frozenset(
    "birthday deadline anniversary date expiry renewal birthdate launch release wedding exam appointment flight "
    "interview party surgery demo go-live handover audit".split()
)
_BOUNDED_ONLY = frozenset(
    "uses prefers likes loves dislikes speaks owns drives plays teaches studies leads manages reports_to".split()
)
"""Predicates whose past tense is read only with an end: `I used the ladder` tells of an event, not of a state."""

_OPENING = lazy_pattern(
    r"^(?:(?:please |always )?(?:remember|note|fyi|btw|by the way|for the record|for your information|heads[- ]?up|"
    r"just so you know|just to let you know|note to self|reminder|update|p\.?s\.?|til|also|and|so|oh|ok|okay|well|yes|"
    r"yeah|no|actually|anyway|currently|now|right now|these days|nowadays|i confirm)(?:[,:]? that|[,:]|(?= ))\s+)+",
    re.IGNORECASE,
)
_GREETING = lazy_pattern(
    r"^(?:[Hh]i|[Hh]ey|[Hh]ello|[Dd]ear)(?: there| all| everyone|(?: [A-Z][\w'-]*){0,2})?\s?[,!]\s+"
)
_MARKUP = lazy_pattern(r"`([^`\s]+)`|\*\*([^*]+)\*\*")
_TURN = lazy_pattern(r"^[\W_]*(?P<who>[^\W\d_][^:*_\n]{0,60}?)[*_]*:(?!//)[*_]*\s")
_SPEAKER = lazy_pattern(r"(?:[A-Z][\w.'’-]*)(?: [A-Z][\w.'’-]*){0,2}$")
_ROLES = frozenset("user human assistant ai bot system customer agent interviewer q a".split())
_SIGN_OFF = lazy_pattern(
    r"(?:^|\n)[ \t]*(?:(?:best|kind|warm|many)?[ ]?(?:regards|wishes|greetings|thanks)|best|cheers|sincerely|thanks|"
    r"thank you|yours(?: \w+)?|love|take care|br|xoxo)\b[^\n]{0,30}\n+[ \t]*(?P<by>[A-Z][^\n]{0,40}?)[ \t]*\Z"
    r"|(?:^|\n)[ \t]*(?:[-–—]{1,3}|/)[ \t]?(?P<dash>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3})[ \t]*\Z",
    re.IGNORECASE,
)
_GREETING_AND_NAME = lazy_pattern(
    r"\A\s*(?:[Hh]i|[Hh]ey|[Hh]ello|[Dd]ear|[Gg]ood \w+)\b[^\n]{0,40}\n.*\n"
    r"[ \t]*(?P<by>[A-Z]\w+(?: [A-Z]\w+)?)[ \t]*\Z",
    re.DOTALL,
)
_MAIL_HEADER = lazy_pattern(r"\A\s*(?:From|Subject|To|Date|Sent):\s", re.IGNORECASE)
_LEADING_CLAUSE = lazy_pattern(
    r"^(?P<head>(?:Since|As of|From|Until|In|On|During|Between|Starting|Effective) [^,;]{2,60}),\s+"
)
# What follows holds in that situation only, or at a time that is not read.
_SITUATION = lazy_pattern(
    r"^(?:When|Whenever|While|Where|Wherever|After|Before|Once|As soon as|As long as|Until|Till|Since|As|By|During|At|"
    r"For|With|Without|Given|Among|Outside|Inside|Within|Except|Instead|In|On|Under)\b[^,]*,\s"
)
_TRAILING = lazy_pattern(r",?\s+(?:as well|too|now|currently|nowadays|these days|at the moment|by the way|btw)$")
_SECOND_VERB = lazy_pattern(
    r",?\s+and\s+(?:also\s+)?(?=(?:works?|lives?|uses?|prefers?|likes?|speaks?|owns?|worked|lived|moved|switched)\s"
    r"|(?:is|am|are)\s+allergic\s)"
)
_SUBJECT = lazy_pattern(
    r"\s*(?:(?:[Mm]y|[Oo]ur) [a-z-]+ (?=[A-Z]))?"
    r"(?:[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*|[Ww]e|i|[a-z][\w.-]*-[\w.-]+)(?=\s)"
)
_COMMA_AND_PRONOUN = lazy_pattern(r",\s+(?=(?:I|i|[Ww]e|he|she|it|they)\s+[a-z])")
_JOINT = lazy_pattern(r",?\s+and\s+(?=(?:[A-Z]|my |our |we |the |[a-z][\w.]*-[\w.-]+ ))")


@dataclass(frozen=True, slots=True)
class NoteClaim:
    """One claim of a sentence, with the bounds that the sentence gives it."""

    form: FormMatch
    bounds: Bounds
    quote: str


@dataclass(frozen=True, slots=True)
class NoteSentence:
    """A sentence of a note; `is_owners` tells whether "I" in it means the owner, `is_meant` that it is no joke."""

    record: RecordSentence
    claims: tuple[NoteClaim, ...]
    is_owners: bool
    is_meant: bool = True


@dataclass(frozen=True, slots=True)
class NoteContext:
    """What reading a note depends on: when and where it was written, what is known, and who owns it."""

    written_at: Instant
    zone: ZoneInfo
    known: KnownName
    owner_names: Collection[str] = ()
    has_topic: bool = False
    is_fictional: bool = False


def read_note(text: str, context: NoteContext) -> list[NoteSentence]:
    """The sentences of a note with the claims read from them."""
    sentences = split_sentences(text[:MAX_TEXT_CHARS])[:MAX_SENTENCES]
    following = [*(each.masked_text for each in sentences[1:]), ""]
    return [
        replace(each, claims=(), is_meant=False) if _is_in_jest(each, after) else each
        for each, after in zip(_attributed(sentences, text, context), following, strict=False)
    ]


def _is_in_jest(sentence: NoteSentence, following: str) -> bool:
    return is_joke(sentence.record.masked_text) or is_only_laughter(following)


def _attributed(sentences: Sequence[RecordSentence], text: str, context: NoteContext) -> Iterator[NoteSentence]:
    """The sentences, each with whose words it is: in a transcript or a letter "I" may be somebody else."""
    names = {fold(name) for name in context.owner_names} | {"me", "i"}
    is_owners = not _is_letter_of_another(text, names)
    for sentence in sentences:
        plain, is_correction = strip_correction(_GREETING.sub("", _MARKUP.sub(r"\1\2", sentence.masked_text)))
        words = _OPENING.sub("", plain)
        turn = _TURN.match(words)
        if turn is not None:
            is_turn_of_owner = fold(turn["who"]) in names
            if is_turn_of_owner or _is_speaker(turn["who"]):
                is_owners = is_turn_of_owner
            words = words[turn.end() :] if is_turn_of_owner else ""
        claims = _sentence_claims(words, sentence.quote, context)
        if is_correction:
            claims = [replace(each, form=replacing(each.form, words)) for each in claims]
        if has_rivals([each.form for each in claims]):
            claims = []
        own = tuple(claim for claim in claims if is_owners or claim.form.subject not in (OWNER, GROUP))
        yield NoteSentence(sentence, own, is_owners and (turn is None or bool(words)))


def _is_speaker(name: str) -> bool:
    return _SPEAKER.match(name) is not None or fold(name) in _ROLES


def _is_letter_of_another(text: str, names: Collection[str]) -> bool:
    if _MAIL_HEADER.match(text):
        return True
    signed = _SIGN_OFF.search(text.rstrip()) or _GREETING_AND_NAME.match(text.rstrip())
    signer = signed.groupdict() if signed is not None else {}
    return signed is not None and fold((signer["by"] or signer["dash"]).rstrip(".")) not in names


def _sentence_claims(words: str, quote: str, context: NoteContext) -> list[NoteClaim]:
    found: list[NoteClaim] = []
    if len(words) > MAX_SENTENCE_CHARS or not may_match(words) or is_not_claimed(words):
        return found
    words = _LEADING_CLAUSE.sub(lambda match: _without_comma(match, context), words, count=1)
    parts = clauses(words) if words and not _SITUATION.match(words) else ()
    if any(_is_only_time(clause.text, context) for clause in parts):
        return []
    for clause in parts:
        if len(clause.text) <= MAX_CLAUSE_CHARS and not clause.shared:
            for part in _split_verbs(clause):
                found += _clause_claims(part, quote, context)
    return found


def _without_comma(match: re.Match[str], context: NoteContext) -> str:
    """A time before the comma belongs to the clause behind it."""
    return f"{match['head']} " if _is_only_time(match["head"], context) else match[0]


def _is_only_time(text: str, context: NoteContext) -> bool:
    if len(text.split()) > MAX_TIME_WORDS:
        return False
    try:
        timed = take_times(text, context.written_at, context.zone)
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


def _clause_claims(part: tuple[Clause, str], quote: str, context: NoteContext) -> list[NoteClaim]:
    """The claims of a clause, or of the full clauses that `and` joins in it, if each of them makes one."""
    clause, text = part
    joined = _JOINT.split(text) if clause.is_asserted else []
    parts = [[(each, each.text) for each in clauses(one)] for one in joined]
    read = [_form_claims(one[0], quote, context) if len(one) == 1 else [] for one in parts]
    if len(read) > 1 and all(read):
        return [claim for claims in read for claim in claims]
    return _form_claims(part, quote, context) or _piecewise_claims(part, quote, context)


def _piecewise_claims(part: tuple[Clause, str], quote: str, context: NoteContext) -> list[NoteClaim]:
    """The claims of the statements that commas separate, or of what stands ahead of an apposition."""
    clause, text = part
    if not clause.is_asserted or "," not in text:
        return []
    pieces = list(_pieces(text))
    if len(pieces) > 1:
        inner = [(each, each.text) for piece in pieces for each in clauses(piece)]
        return [claim for each in inner if each[0].is_asserted for claim in _clause_claims(each, quote, context)]
    head, _, tail = text.partition(",")
    plain = clauses(head)
    is_plain = len(plain) == 1 and plain[0].is_asserted and is_apposition(tail) and not _names_time(tail, context)
    return _form_claims((plain[0], head), quote, context) if is_plain else []


def _pieces(text: str) -> Iterator[str]:
    """The statements that commas separate."""
    low = text.lower().replace("’", "'")
    start = 0
    cuts = {span.start for span in clause_spans(low) if span.joint.startswith(",")} if len(low) == len(text) else set()
    for cut in sorted(cuts | {found.end() for found in _COMMA_AND_PRONOUN.finditer(text)}):
        yield text[start:cut].rstrip(", ")
        start = cut
    yield text[start:]


def _names_time(text: str, context: NoteContext) -> bool:
    try:
        return bool(take_times(text, context.written_at, context.zone).times)
    except UnreadableTime:
        return True


def _form_claims(part: tuple[Clause, str], quote: str, context: NoteContext) -> list[NoteClaim]:
    clause, text = part
    plain = contrast(_strip_end(text)).kept if " from " not in text else _strip_end(text)
    plain, is_change = strip_now(plain)
    try:
        forms, timed = _matches(clause, plain, context)
        forms = [replacing(form, plain) for form in forms] if is_change else forms
        return [NoteClaim(form, _bounds(form, timed, context), quote) for form in forms]
    except UnreadableTime:
        return []


def _matches(clause: Clause, text: str, context: NoteContext) -> tuple[list[FormMatch], TimedClause]:
    if not clause.is_asserted:
        return [], TimedClause(text, ())
    if dated := _dated_attribute(text, context):
        return [dated], TimedClause(text, ())
    timed = take_times(text, context.written_at, context.zone)
    bare = _strip_end(_OPENING.sub("", timed.text))
    endings = match_endings(bare, context.known, has_topic=context.has_topic)
    if endings or clause.polarity == "negative":
        return endings, timed
    found = match_forms(bare, context.known, has_topic=context.has_topic)
    return [each for each in found if timed.times or not _is_mere_joining(each, context)], timed


def _is_mere_joining(form: FormMatch, context: NoteContext) -> bool:
    """Whether somebody may have joined anything: only a known name or a date tells that it is an employer."""
    is_joining = form.predicate == "works_at" and form.tense == "change" and not form.has_ended
    return is_joining and not context.known(form.target or "")


def _strip_end(text: str) -> str:
    return _TRAILING.sub("", text.strip().rstrip(".!… ").strip(" ,;"))


def _dated_attribute(text: str, context: NoteContext) -> FormMatch | None:
    """An attribute whose value is a date, so that the date is no bound: `my birthday is 12 May`."""
    match = re.match(r"^(?P<head>.+? (?:is|was) )(?:on )?(?P<value>.+)$", text)
    if match is None or _DATE_NOUNS.isdisjoint(words_of(match["head"])):
        return None
    value = resolve_relative_date(match["value"], context.written_at, context.zone)
    found = match_forms(f"{match['head']}Value", context.known, has_topic=context.has_topic)
    is_date = take_times(f"on {value}", context.written_at, context.zone).text == ""
    if len(found) != 1 or found[0].predicate.split()[-1] not in _DATE_NOUNS or not is_date:
        return None
    return found[0]._replace(target=value)


def _bounds(form: FormMatch, timed: TimedClause, context: NoteContext) -> Bounds:
    if context.is_fictional:
        if timed.times or form.tense != "present":
            raise UnreadableTime(timed.text)
        return Bounds()
    if (
        form.predicate in _BOUNDED_ONLY
        and form.tense == "past"
        and not any(each.role in ("until", "range") for each in timed.times)
    ):
        raise UnreadableTime(timed.text)
    if form.tense == "perfect" and not any(each.role == "from" for each in timed.times):
        raise UnreadableTime(timed.text)
    return timed.bounds(form.tense, day_before(context.written_at, context.zone))
