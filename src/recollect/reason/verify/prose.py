"""What a sentence says to a claim: clause by clause, by what it asserts, denies and rules out."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recollect.reason.verify.facts import Judged, roles_of
from recollect.reason.verify.lists import ENDING_PHRASES, ENDINGS, PRESENT_WORDS, directional, origins, quantifiers
from recollect.reason.verify.reading import Reading
from recollect.reason.verify.stance import DECIDING, NEUTRAL, Compared, Stance, Standing, compare, stance, tells
from recollect.reason.verify.statements import ClaimForm, Statement, stated
from recollect.search.content_words import token_of, words
from recollect.text.verbs import is_past_form

_HABIT = re.compile(r"\bused to (\w+)")

_LONGEST_PHRASE = 4
_IS = frozenset({"is", "are", "am", "has", "have"})
_WAS = re.compile(r"\b(?:was|were)\s+(\w+)")

ReadStatements = Callable[[Sequence[Statement]], list[Reading]]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim as it is put and as it is read."""

    form: ClaimForm
    reading: Reading


@dataclass(frozen=True, slots=True)
class _Answer:
    stance: Stance
    agreement: int
    is_complete: bool


def judge_sentence(claim: Claim, sentence: str, reading: Reading, read: ReadStatements) -> Judged:
    """What a sentence says to a claim, by the clause that agrees with it most, else by all that it asserts."""
    compared = compare(claim.reading, reading)
    if not compared.is_considered:
        return Judged(compared.overlap, False, NEUTRAL)
    found = stated(sentence, claim.form)
    answers = [_answer(claim, each, text) for each, text in zip(found.all, read(found.all), strict=True)]
    single = [each for each in answers[: len(found.single)] if each.is_complete]
    best = _best(single) if single else answers[-1].stance if found.whole is not None else NEUTRAL
    ruled_out = _by_exclusion(claim, found.all, read) if best.sign == 0 else NEUTRAL
    return Judged(compared.overlap, True, best if best.sign else ruled_out)


def _best(answers: Sequence[_Answer]) -> Stance:
    """The stance of the clause that agrees most; none if several agree as much and differ."""
    most = max(each.agreement for each in answers)
    top = [each.stance for each in answers if each.agreement == most]
    return top[0] if len({each.sign for each in top}) == 1 else NEUTRAL


def _answer(claim: Claim, statement: Statement, reading: Reading) -> _Answer:
    compared = compare(claim.reading, reading)
    is_complete = compared.overlap >= DECIDING and compared.has_entities and tells(claim.reading, reading)
    is_complete = is_complete and not _lacks_figures(claim.reading, reading)
    found = _stance(claim, statement, reading, compared) if is_complete else NEUTRAL
    if found.sign == 0 and not statement.is_denied:
        found = _by_origin(claim.reading, reading)
    return _Answer(found, _agreement(claim.reading, reading), is_complete or found.sign != 0)


def _lacks_figures(claim: Reading, reading: Reading) -> bool:
    """Whether the claim gives a number or a time of which the statement has none to compare."""
    has_no_time = bool(claim.days) and not reading.days
    units = {number.unit for number in reading.numbers}
    return has_no_time or any(number.unit not in units for number in claim.numbers)


def _agreement(claim: Reading, reading: Reading) -> int:
    """How many words, numbers and times of the claim the statement has just so."""
    numbers = sum(
        any(one.unit == other.unit and one.is_near(other) for other in reading.numbers) for one in claim.numbers
    )
    days = sum(any(one.meets(other) for other in reading.days) for one in claim.days)
    return len(claim.tokens & reading.tokens) + numbers + days


def _stance(claim: Claim, statement: Statement, reading: Reading, compared: Compared) -> Stance:
    standing: Standing = "ended" if statement.is_over else "current"
    found = stance(claim.reading, compared, standing)
    if found.reason == "ended" and not _is_present(claim, statement):
        return NEUTRAL
    if found.sign == 0 or compared.has_connective:
        return found
    if _are_roles_exchanged(claim.reading, reading) or _are_sides_exchanged(claim.reading, reading):
        return _exchanged(claim.reading, reading, found)
    return NEUTRAL if found.sign > 0 and _says_less(claim, statement, reading) else found


def _is_present(claim: Claim, statement: Statement) -> bool:
    """Whether the claim is in the present for sure: it has the verb of the former habit in its present form."""
    habit = _HABIT.search(statement.text)
    verb = habit[1] if habit else ""
    forms = {f"{verb}s", f"{verb}es", f"{verb[:-1]}ies"}
    return bool((forms | PRESENT_WORDS).intersection(words(claim.form.text)))


def _are_roles_exchanged(claim: Reading, reading: Reading) -> bool:
    """Whether the two names of a claim stand the other way round, `by` between them taken into account."""
    if len(claim.placed_names) != 2 or (claim.has_be and not claim.by_places):
        return _are_entities_exchanged(claim, reading)
    places = dict(reading.placed_names)
    (first, start), (second, stop) = claim.placed_names
    if first not in places or second not in places:
        return False
    one, other = places[first], places[second]
    is_passive = any(min(one, other) < at < max(one, other) for at in reading.by_places)
    return (one > other) != (any(start < at < stop for at in claim.by_places) != is_passive)


def _are_sides_exchanged(claim: Reading, reading: Reading) -> bool:
    """Whether what stands before a directional verb in one stands behind it in the other."""
    shared = directional() & claim.tokens & reading.tokens
    if len(shared) != 1 or claim.by_places or reading.by_places:
        return False
    [verb] = shared
    left, right = _sides(claim.order, verb)
    other_left, other_right = _sides(reading.order, verb)
    return bool(left & other_right and right & other_left)


def _sides(order: Sequence[str], verb: str) -> tuple[set[str], set[str]]:
    """The tokens that stand only before a verb, and those that stand only behind it."""
    at = order.index(verb)
    left, right = set(order[:at]), set(order[at + 1 :])
    return left - right, right - left


def _are_entities_exchanged(claim: Reading, reading: Reading) -> bool:
    roles, others = roles_of(claim), roles_of(reading)
    return roles is not None and others == (roles[1], roles[0])


def _exchanged(claim: Reading, reading: Reading, found: Stance) -> Stance:
    """A deed done the other way round opposes the claim; other verbs may hold both ways."""
    is_directional = bool(directional() & claim.tokens & reading.tokens)
    return Stance(-1, "role") if is_directional and found.sign > 0 else NEUTRAL


def _says_less(asked: Claim, statement: Statement, reading: Reading) -> bool:
    """Whether the statement lacks the quantity claimed, or tells of the past or end of what is claimed to last."""
    claim = asked.reading
    if quantifiers() & (claim.tokens - reading.tokens):
        return True
    spoken = set(words(statement.text))
    ends = {token_of(word) for word in spoken & ENDINGS} - claim.tokens
    if claim.order[-1:] and claim.order[-1] in origins():
        return False
    if _IS.intersection(words(asked.form.text)) and not _IS.intersection(spoken) and _was_so(statement.text):
        return True
    has_phrase = any(phrase in statement.text.lower() for phrase in ENDING_PHRASES)
    return claim.tense == "present" and bool(ends or has_phrase)


def _was_so(text: str) -> bool:
    """Whether a text tells of a former state; "was moved" tells of an event whose result may last."""
    return any(not is_past_form(match[1].lower()) for match in _WAS.finditer(text))


def _by_origin(claim: Reading, reading: Reading) -> Stance:
    """A statement that gives the very thing another origin opposes the claim: a Danish cook is not a Swedish one."""
    missing = claim.tokens - reading.tokens
    if len(missing) != 1 or not missing <= origins() or reading.negators or not claim.has_be:
        return NEUTRAL
    thing = claim.order[-1]
    before = reading.order[: reading.order.index(thing)] if thing in reading.order else ()
    given = origins().intersection(reading.order)
    if len(given) != 1 or not given.intersection(before[-_LONGEST_PHRASE:]) or _lacks_figures(claim, reading):
        return NEUTRAL
    return Stance(1, "agrees") if claim.negators % 2 else Stance(-1, "value")


def _by_exclusion(claim: Claim, statements: Sequence[Statement], read: ReadStatements) -> Stance:
    """A claim of the very thing that a sentence rules out in favour of another is opposed by it."""
    for each in statements:
        if each.ruled_out and not each.is_denied:
            phrase = Statement(" ".join(each.ruled_out))
            kept, ruled_out = read([each, phrase])
            missing = claim.reading.tokens - kept.tokens
            is_matched = len(missing) <= len(claim.reading.tokens) / 2 and missing <= ruled_out.tokens
            if missing and is_matched and not kept.negators:
                return Stance(1, "agrees") if claim.reading.negators % 2 else Stance(-1, "negation")
    return NEUTRAL
