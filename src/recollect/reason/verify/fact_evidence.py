"""Facts as evidence: read in both directions, with their ends, standing and exclusivity."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from recollect.model.fact import Fact
from recollect.model.history import period
from recollect.model.ids import EntityId
from recollect.model.relations import relation_from_predicate, relation_kinds
from recollect.model.vocabulary import built_in_predicates
from recollect.reason.verify.parsed_statement import ParsedStatement, StatementPeriod, entity_token
from recollect.reason.verify.stance import NEUTRAL, Comparison, Reason, Stance, Standing, compare, stance
from recollect.reason.verify.word_lists import ALWAYS_EXCLUSIVE, NOW_EXCLUSIVE, SWAPPABLE
from recollect.store.fact_rows import FactRow
from recollect.text.content_words import content_token
from recollect.text.stop_words import STATEMENT_STOP_WORDS
from recollect.when.period import Time
from recollect.when.span import Span

ReadText = Callable[[str], ParsedStatement]


@dataclass(frozen=True, slots=True)
class FactReading:
    """A fact as a statement: what it says, who does it to whom, and by which predicate."""

    reading: ParsedStatement
    predicate: str
    doer: EntityId
    target: EntityId | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a piece of evidence came to."""

    overlap: float
    is_considered: bool
    stance: Stance


def readings_of(seen: FactRow, text: ParsedStatement, read: ReadText) -> Iterator[FactReading]:
    """The fact as it was stored, and as its inverse where the vocabulary has one."""
    fact = seen.fact
    value = read(fact.literal) if fact.literal else ParsedStatement(frozenset())
    ends = [fact.subject] if fact.object is None else [fact.subject, fact.object]
    whole = replace(
        text,
        tokens=text.tokens | value.tokens | {entity_token(end) for end in ends},
        entities=tuple(dict.fromkeys((*text.entities, *ends))),
        numbers=tuple(dict.fromkeys((*text.numbers, *value.numbers))),
        days=tuple(dict.fromkeys((*text.days, *value.days))),
    )
    yield _fact_reading(whole, fact.predicate, fact.subject, fact.object)
    if fact.object is not None:
        for inverse in inverses(fact.predicate):
            yield _fact_reading(whole, inverse, fact.object, fact.subject)


def _fact_reading(reading: ParsedStatement, predicate: str, doer: EntityId, target: EntityId | None) -> FactReading:
    read = replace(reading, tokens=reading.tokens | predicate_tokens(predicate))
    if predicate.endswith("_by") and target is not None:
        doer, target = target, doer
    return FactReading(read, predicate, doer, target)


def predicate_tokens(predicate: str) -> frozenset[str]:
    return frozenset(content_token(word) for word in predicate.split("_") if word and word not in STATEMENT_STOP_WORDS)


def inverses(predicate: str) -> tuple[str, ...]:
    """The names a relation has from its other end."""
    named = relation_from_predicate(predicate)
    kind = relation_kinds().get(named.name)
    if kind is None:
        return ()
    return (kind.name, *kind.also) if named.swapped else kind.reversed


def standing_of(fact: Fact, at: Span) -> Standing | None:
    """Whether a fact still stands at a time; none if it does not hold yet."""
    if fact.stale:
        return "superseded"
    if fact.label != "AFFILIATED":
        return "current"
    held = period(fact)
    return None if held.lo > at.hi else "ended" if held.hi < at.lo else "current"


Dated = Literal["inside", "outside", "unknown"]


def holds_at_times(claim: ParsedStatement, fact: Fact, now: Span) -> Dated:
    """Whether the times of a claim lie within the bounds of a fact, outside them, or the fact does not tell."""
    found = [_holds_at(day, fact, now) for day in claim.days]
    return "outside" if False in found else "unknown" if None in found else "inside"


def _holds_at(day: StatementPeriod, fact: Fact, now: Span) -> bool | None:
    start, end = fact.valid_from, fact.valid_until
    if day.of_any_year is not None or (start is None and end is None):
        return None
    if fact.label != "AFFILIATED":
        return None if start is None else _meets(day, start)
    held = period(fact)
    match day.lead:
        case "since":
            return None if start is None else _meets(day, start) and held.hi >= now.lo
        case "until" | "till":
            return None if end is None else _meets(day, end)
        case "before":
            return held.lo < day.lo if start is not None else None
        case "after":
            return held.hi > day.hi
    return held.lo <= day.hi and day.lo <= held.hi


def _meets(day: StatementPeriod, time: Time) -> bool:
    return day.lo <= time.hi and time.lo <= day.hi


def judge(
    claim: ParsedStatement, seen: FactRow, text: ParsedStatement, read: ReadText, at: Span, symmetric: bool
) -> Judgement:
    """What a fact says to a claim, by the reading of it that says most."""
    standing = standing_of(seen.fact, at)
    dated = holds_at_times(claim, seen.fact, at) if claim.days and not _has_days(seen, text, read) else None
    found = [_judge_reading(claim, each, standing, symmetric, dated) for each in readings_of(seen, text, read)]
    best = max(found, key=lambda each: (each.stance.sign != 0, each.overlap))
    if best.stance.sign == 0 and is_other_value(claim, seen, read, standing):
        return Judgement(best.overlap, True, Stance(-1, "other_value"))
    return best


def _has_days(seen: FactRow, text: ParsedStatement, read: ReadText) -> bool:
    return bool(text.days) or bool(seen.fact.literal and read(seen.fact.literal).days)


def _judge_reading(
    claim: ParsedStatement, fact: FactReading, standing: Standing | None, symmetric: bool, dated: Dated | None = None
) -> Judgement:
    compared = compare(claim, fact.reading)
    if standing is None or dated == "unknown":
        return Judgement(compared.overlap, compared.is_considered, NEUTRAL)
    turned = _apply_roles(claim, fact, compared, symmetric)
    if turned is not None and dated is not None:
        found = _stance_at_times(claim, turned, standing, dated)
    else:
        found = NEUTRAL if turned is None else stance(claim, turned, standing)
    return Judgement(compared.overlap, compared.is_considered, found)


def _stance_at_times(claim: ParsedStatement, compared: Comparison, standing: Standing, dated: Dated) -> Stance:
    """The stance where the claim has a time and the fact has bounds."""
    overlap = compared.overlap + (len(claim.days) / claim.size if dated == "inside" else 0)
    if dated == "inside":
        found = stance(claim, replace(compared, overlap=overlap))
        return Stance(1, "past") if found.sign > 0 and standing != "current" else found
    return stance(claim, replace(compared, overlap=overlap + len(claim.days) / claim.size, differs="time"))


def _apply_roles(claim: ParsedStatement, fact: FactReading, compared: Comparison, symmetric: bool) -> Comparison | None:
    """The comparison after the roles of two entities; none where their order makes it say nothing."""
    roles = roles_of(claim)
    if (
        roles is None
        or compared.has_connective
        or roles != (fact.target, fact.doer)
        or roles == (fact.doer, fact.target)
    ):
        return compared
    known = built_in_predicates().get(fact.predicate)
    if symmetric or (known is not None and known.symmetric):
        return compared
    if fact.predicate in SWAPPABLE or (known is not None and known.transitive):
        reason: Reason = compared.turned_by or "swapped"
        return replace(compared, turns=compared.turns + 1, turned_by=reason)
    return None


def roles_of(reading: ParsedStatement) -> tuple[EntityId, EntityId] | None:
    """The doer and the target of a statement about two entities."""
    if len(reading.entities) != 2:
        return None
    one, other = reading.entities
    return (other, one) if reading.is_exchanged else (one, other)


def is_other_value(claim: ParsedStatement, seen: FactRow, read: ReadText, standing: Standing | None) -> bool:
    """Whether the claim gives another value where there can be only one."""
    fact = seen.fact
    roles = roles_of(claim)
    doer = roles[0] if roles else claim.entities[0] if claim.entities else None
    named = predicate_tokens(fact.predicate)
    if doer != fact.subject or claim.negators or not named <= claim.tokens or standing is None:
        return False
    if not _is_exclusive(fact.predicate, claim, standing):
        return False
    value = _value(seen, read)
    further = claim.tokens - named - {entity_token(fact.subject)}
    # A day is no other place, nor a place another day: who was born on one was born in the other too.
    has_more = bool(claim.days) if value.days else bool(further or claim.numbers)
    is_shared = bool(further & value.tokens) or any(
        one.unit == other.unit and one.is_near(other) for one in claim.numbers for other in value.numbers
    )
    return has_more and not is_shared and not any(one.meets(other) for one in claim.days for other in value.days)


def _is_exclusive(predicate: str, claim: ParsedStatement, standing: Standing) -> bool:
    known = built_in_predicates().get(predicate)
    is_single = known is not None and known.one_object is not None
    is_now = claim.tense == "present" and standing == "current"
    return predicate in ALWAYS_EXCLUSIVE or (is_now and (predicate in NOW_EXCLUSIVE or is_single))


def _value(seen: FactRow, read: ReadText) -> ParsedStatement:
    said = read(seen.fact.literal or seen.object_name or "")
    own = {entity_token(seen.fact.object)} if seen.fact.object is not None else set()
    words = {content_token(word) for word in (seen.object_name or "").casefold().split()}
    return replace(said, tokens=said.tokens | own | words)
