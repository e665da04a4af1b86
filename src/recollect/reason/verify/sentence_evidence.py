"""Sentences as evidence: what each clause asserts, denies and rules out about a claim."""

import re
from collections.abc import Callable, Collection, Sequence, Set
from dataclasses import dataclass

from recollect.reason.verify.exchanged_roles import are_roles_exchanged, are_sides_exchanged, is_turned_round
from recollect.reason.verify.exclusive_values import excludes, has_claimed_origin, with_implied_nouns
from recollect.reason.verify.fact_evidence import Judgement
from recollect.reason.verify.other_languages import is_unsure_abroad
from recollect.reason.verify.parsed_statement import ParsedStatement
from recollect.reason.verify.role_alignment import is_said_alike
from recollect.reason.verify.sentence_guards import (
    is_not_stood_by,
    is_prospective,
)
from recollect.reason.verify.stance import (
    CONSIDERED_OVERLAP,
    DECIDING_OVERLAP,
    NEUTRAL,
    Comparison,
    Stance,
    Standing,
    compare,
    has_claimed_words,
    stance,
)
from recollect.reason.verify.statement_verbs import bind_times
from recollect.reason.verify.statements import (
    ClaimForm,
    ClauseStatement,
    SentenceStatements,
    extract_statements,
)
from recollect.reason.verify.synonyms import with_words_of
from recollect.reason.verify.unmatched_tokens import is_superlative
from recollect.reason.verify.value_slots import find_slots
from recollect.reason.verify.word_lists import (
    ENDING_PHRASES,
    ENDINGS,
    LIMITERS,
    PRESENT_WORDS,
    directional,
    origins,
    quantifiers,
)
from recollect.text.content_words import content_token, split_words
from recollect.text.verbs import is_past_form

_HABIT = re.compile(r"\bused to (\w+)")

_IN_FAVOUR = frozenset({"for", "favour", "favor", "supported"})
_FROM_TO = re.compile(
    r"\b(?:mov|relocat|chang|switch|transfer|shift|renam|convert|migrat)\w*\b.*?\bfrom (?P<old>.+?) to (?P<new>[^,.;]+)"
)
_CHOSEN = re.compile(
    r"\b(?:(?:chose|chosen|chooses?|pick(?:ed|s)?|select(?:ed|s)?|favou?r(?:ed|s)?|took|prefer(?:red|s)?)"
    r" (?P<kept>[^,.;]+?) over|prefer(?:red|s)? (?P<liked>[^,.;]+?) to) (?P<other>[^,.;]+)",
    re.IGNORECASE,
)
_PART_OF = re.compile(r"\b(?:half|part|some|most|many|several|few|a third|a quarter|a few) of (?:the|its|our|their)\b")
_NO_DOUBT = re.compile(r"\bwithout (?:an? |any )?(?:doubt|question)\b", re.IGNORECASE)
_LONGEST_PHRASE = 4
_IS = frozenset({"is", "are", "am", "has", "have"})
_WAS = re.compile(r"\b(?:was|were)\s+(\w+)")

ReadStatements = Callable[[Sequence[ClauseStatement]], list[ParsedStatement]]


@dataclass(frozen=True, slots=True)
class AskedClaim:
    """A claim with its form and its parsed statement."""

    form: ClaimForm
    reading: ParsedStatement


@dataclass(frozen=True, slots=True)
class _ClauseAnswer:
    stance: Stance
    agreement: int
    is_complete: bool


def judge_sentence(claim: AskedClaim, sentence: str, reading: ParsedStatement, read: ReadStatements) -> Judgement:
    """The judgement of a sentence, by the clause that agrees most with the claim, else by all it asserts."""
    reading = with_words_of(claim.reading, reading)
    compared = compare(claim.reading, reading)
    if not compared.is_considered and not _may_have_other_value(claim, compared):
        return Judgement(compared.overlap, False, NEUTRAL)
    if is_not_stood_by(sentence, claim.form.text):
        return Judgement(compared.overlap, compared.is_considered, NEUTRAL)
    found = extract_statements(sentence, claim.form)
    best = _best_of_all(claim, found, read)
    if best.sign and is_unsure_abroad(sentence, claim.form.text, is_support=best.sign > 0):
        best = NEUTRAL
    ruled_out = _stance_by_exclusion(claim, found.all, read) if best.sign == 0 else NEUTRAL
    found_stance = best if best.sign else ruled_out
    return Judgement(compared.overlap, compared.is_considered or found_stance.sign != 0, found_stance)


def _best_of_all(claim: AskedClaim, found: SentenceStatements, read: ReadStatements) -> Stance:
    """The stance of the clauses, else of the sentence as a whole, else of what it states in fewer words."""
    answers = _answers(claim, found.all, read)
    single = [each for each in answers[: len(found.single)] if each.is_complete]
    best = _best_stance(single) if single else answers[-1].stance if found.whole is not None else NEUTRAL
    if best.sign:
        return best
    implied = [each for each in _answers(claim, found.implied, read) if each.stance.sign]
    return _best_stance(implied) if implied else NEUTRAL


def _answers(claim: AskedClaim, found: Sequence[ClauseStatement], read: ReadStatements) -> list[_ClauseAnswer]:
    return [_answer_clause(claim, each, text) for each, text in zip(found, read(found), strict=True)]


def _may_have_other_value(claim: AskedClaim, compared: Comparison) -> bool:
    """Whether a sentence that lacks a name of the claim may name another one in its place: *born in Linz*."""
    return compared.overlap >= CONSIDERED_OVERLAP and bool(find_slots(claim.reading))


def _best_stance(answers: Sequence[_ClauseAnswer]) -> Stance:
    """The stance of the clause that agrees most; neutral if several agree equally and differ."""
    most = max(each.agreement for each in answers)
    top = [each.stance for each in answers if each.agreement == most]
    return top[0] if len({each.sign for each in top}) == 1 else NEUTRAL


def _answer_clause(claim: AskedClaim, statement: ClauseStatement, reading: ParsedStatement) -> _ClauseAnswer:
    reading = with_words_of(claim.reading, reading)
    reading = with_implied_nouns(claim.reading, bind_times(claim.reading, reading))
    compared = compare(claim.reading, reading)
    is_complete = (
        compared.overlap >= DECIDING_OVERLAP and compared.has_entities and has_claimed_words(claim.reading, reading)
    )
    is_complete = is_complete and not _lacks_figures(claim.reading, reading)
    found = _stance_of_clause(claim, statement, reading, compared) if is_complete else NEUTRAL
    if found.sign and found.reason not in ("role", "swapped"):
        is_complete = is_said_alike(claim.reading, reading, compared.differs) and not _is_limited(claim, statement)
        is_complete = is_complete and (bool(claim.form.frames) or not is_prospective(claim.reading, reading))
        found = found if is_complete else NEUTRAL
    if found.sign == 0 and not statement.is_denied:
        found = _stance_by_value(claim, statement, reading)
    elif found.sign > 0 and excludes(claim.reading, reading):
        found = NEUTRAL
    return _ClauseAnswer(found, _agreement(claim.reading, reading), is_complete or found.sign != 0)


def _is_limited(claim: AskedClaim, statement: ClauseStatement) -> bool:
    """Whether a word takes back a part of what the statement says: *nearly all*, *unlike Ada*, *anything but rich*."""
    if statement.ruled_out and any(map(is_superlative, split_words(claim.form.text))):
        return True
    if _PART_OF.search(statement.text.lower()) and not _PART_OF.search(claim.form.text.lower()):
        return True
    limits = LIMITERS.intersection(split_words(_NO_DOUBT.sub(" ", statement.text)))
    return bool(limits - set(split_words(claim.form.text)))


def _lacks_figures(claim: ParsedStatement, reading: ParsedStatement) -> bool:
    """Whether the claim has a number or a time that the statement has no counterpart for."""
    has_no_time = bool(claim.days) and not reading.days
    units = {number.unit for number in reading.numbers}
    return has_no_time or any(number.unit not in units for number in claim.numbers)


def _agreement(claim: ParsedStatement, reading: ParsedStatement) -> int:
    """How many words, numbers and times of the claim the statement shares."""
    numbers = sum(
        any(one.unit == other.unit and one.is_near(other) for other in reading.numbers) for one in claim.numbers
    )
    days = sum(any(one.overlaps(other) for other in reading.days) for one in claim.days)
    return len(claim.tokens & reading.tokens) + numbers + days


def _stance_of_clause(
    claim: AskedClaim, statement: ClauseStatement, reading: ParsedStatement, compared: Comparison
) -> Stance:
    standing: Standing = "ended" if statement.is_over else "current"
    found = stance(claim.reading, compared, standing)
    if found.reason == "ended" and not _is_present(claim, statement):
        return NEUTRAL
    if found.sign == 0 or compared.has_connective:
        return found
    if found.sign > 0 and (other := stance_by_wording(claim, statement)) is not None:
        return other
    if are_roles_exchanged(claim.reading, reading) or are_sides_exchanged(claim.reading, reading):
        return _stance_if_exchanged(claim.reading, reading, found)
    if found.sign > 0 and is_turned_round(claim.reading, reading):
        return NEUTRAL
    return NEUTRAL if found.sign > 0 and _says_less(claim, statement, reading) else found


def stance_by_wording(claim: AskedClaim, statement: ClauseStatement) -> Stance | None:
    """What small words make of a statement that has all words of the claim; none if they change nothing."""
    asked, said = set(split_words(claim.form.text)), set(split_words(statement.text))
    if ("against" in asked) != ("against" in said):
        return Stance(-1, "antonym") if _IN_FAVOUR & (asked | said) else NEUTRAL
    if "respectively" in said - asked:
        return NEUTRAL
    if claim.reading.tense == "present" and _is_left(claim, statement.text):
        return Stance(-1, "time")
    return NEUTRAL if _is_told_of_past(asked, said) or _is_rejected(claim, statement.text) else None


def _is_left(claim: AskedClaim, text: str) -> bool:
    """Whether a claim has the first of two ends *from X to Y*, which is over, and not the second."""
    found = _FROM_TO.search(text)
    if found is None:
        return False
    old, new = ({content_token(word) for word in split_words(found[end])} for end in ("old", "new"))
    return _has_only(claim, old, new)


def _is_rejected(claim: AskedClaim, text: str) -> bool:
    """Whether a claim has what was not chosen, and not what was: *chose steel over wood*."""
    found = _CHOSEN.search(text)
    if found is None:
        return False
    ends = found["kept"] or found["liked"], found["other"]
    kept, other = ({content_token(word) for word in split_words(each)} for each in ends)
    return _has_only(claim, other, kept)


def _has_only(claim: AskedClaim, one: Set[str], other: Set[str]) -> bool:
    """Whether a claim has words that only the one side has, and none that only the other has."""
    return bool(claim.reading.tokens & (one - other)) and not claim.reading.tokens & (other - one)


def _is_told_of_past(asked: Collection[str], said: Collection[str]) -> bool:
    """Whether the verb of a claim in the present is told in the past only: who chaired it need not chair it."""
    past = {content_token(word) for word in said if is_past_form(word)}
    forms = [word for word in asked if word.endswith("s") and not word.endswith("ss") and not is_past_form(word)]
    now = [word for word in forms if content_token(word) in past]
    return any(not {word, word[:-1], word[:-2]} & set(said) for word in now)


def _is_present(claim: AskedClaim, statement: ClauseStatement) -> bool:
    """Whether the claim is certainly in the present: it has the verb of the former habit in its present form."""
    habit = _HABIT.search(statement.text)
    verb = habit[1] if habit else ""
    forms = {f"{verb}s", f"{verb}es", f"{verb[:-1]}ies"}
    return bool((forms | PRESENT_WORDS).intersection(split_words(claim.form.text)))


def _stance_if_exchanged(claim: ParsedStatement, reading: ParsedStatement, found: Stance) -> Stance:
    """An action with exchanged roles opposes the claim; other verbs may be true both ways."""
    is_directional = bool(directional() & claim.tokens & reading.tokens)
    return Stance(-1, "role") if is_directional and found.sign > 0 else NEUTRAL


def _says_less(asked: AskedClaim, statement: ClauseStatement, reading: ParsedStatement) -> bool:
    """Whether the statement lacks the claimed quantity, or concerns the past or end of what is claimed to last."""
    claim = asked.reading
    if quantifiers() & (claim.tokens - reading.tokens):
        return True
    spoken = set(split_words(statement.text))
    ends = {content_token(word) for word in spoken & ENDINGS} - claim.tokens
    if claim.order[-1:] and claim.order[-1] in origins():
        return False
    if (
        _IS.intersection(split_words(asked.form.text))
        and not _IS.intersection(spoken)
        and _is_former_state(statement.text)
    ):
        return True
    has_phrase = any(phrase in statement.text.lower() for phrase in ENDING_PHRASES)
    return claim.tense == "present" and bool(ends or has_phrase)


def _is_former_state(text: str) -> bool:
    """Whether a text describes a former state; "was moved" is an event whose result may last."""
    return any(not is_past_form(match[1].lower()) for match in _WAS.finditer(text))


def _stance_by_value(claim: AskedClaim, statement: ClauseStatement, reading: ParsedStatement) -> Stance:
    """A statement that gives the same thing another value opposes the claim."""
    found = _stance_by_origin(claim.reading, reading)
    if found.sign or claim.form.frames or _is_limited(claim, statement):
        return found
    is_denied = claim.reading.negators % 2 == 1
    if excludes(claim.reading, reading):
        return Stance(1, "agrees") if is_denied else Stance(-1, "value")
    if has_claimed_origin(claim.reading, reading):
        return Stance(-1, "negation") if is_denied else Stance(1, "agrees")
    return NEUTRAL


def _stance_by_origin(claim: ParsedStatement, reading: ParsedStatement) -> Stance:
    """A statement that gives the same thing another origin opposes the claim: a Danish cook is not a Swedish one."""
    missing = claim.tokens - reading.tokens
    if len(missing) != 1 or not missing <= origins() or reading.negators or not claim.has_be:
        return NEUTRAL
    thing = claim.order[-1]
    before = reading.order[: reading.order.index(thing)] if thing in reading.order else ()
    given = origins().intersection(reading.order)
    if len(given) != 1 or not given.intersection(before[-_LONGEST_PHRASE:]) or _lacks_figures(claim, reading):
        return NEUTRAL
    return Stance(1, "agrees") if claim.negators % 2 else Stance(-1, "value")


def _stance_by_exclusion(claim: AskedClaim, statements: Sequence[ClauseStatement], read: ReadStatements) -> Stance:
    """A sentence opposes a claim of what it rules out in favour of something else."""
    for each in statements:
        if each.ruled_out and not each.is_denied:
            phrase = ClauseStatement(" ".join(each.ruled_out))
            kept, ruled_out = read([each, phrase])
            missing = claim.reading.tokens - kept.tokens
            is_matched = len(missing) <= len(claim.reading.tokens) / 2 and missing <= ruled_out.tokens
            if missing and is_matched and not kept.negators:
                return Stance(1, "agrees") if claim.reading.negators % 2 else Stance(-1, "negation")
    return NEUTRAL
