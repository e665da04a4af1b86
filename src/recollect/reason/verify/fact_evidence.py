"""Facts as evidence: read in both directions, with their roles, standing and exclusivity."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from recollect.model.fact import Fact
from recollect.model.history import period
from recollect.model.ids import EntityId
from recollect.model.relations import relation_from_predicate, relation_kinds
from recollect.model.vocabulary import LIFELONG, built_in_predicates
from recollect.reading.verb_patterns import is_state_verb
from recollect.reason.verify.parsed_statement import ParsedStatement, StatementPeriod, entity_token
from recollect.reason.verify.relation_verbs import Aspect, relation_aspect
from recollect.reason.verify.stance import NEUTRAL, Comparison, Reason, Stance, Standing, compare, stance
from recollect.reason.verify.unmatched_tokens import LESSENING
from recollect.reason.verify.word_lists import NOW_EXCLUSIVE, SWAPPABLE
from recollect.store.fact_rows import FactRow
from recollect.text.content_words import content_token, split_words
from recollect.text.stop_words import STATEMENT_STOP_WORDS
from recollect.when.period import Time
from recollect.when.span import Span

ReadText = Callable[[str], ParsedStatement]


@dataclass(frozen=True, slots=True)
class FactReading:
    """A fact as a statement, with its agent, target and predicate."""

    reading: ParsedStatement
    predicate: str
    agent: EntityId
    target: EntityId | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result for a piece of evidence."""

    overlap: float
    is_considered: bool
    stance: Stance


def readings_of(seen: FactRow, text: ParsedStatement, read: ReadText) -> Iterator[FactReading]:
    """The fact as it is stored, and as its inverses in the vocabulary."""
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


def _fact_reading(reading: ParsedStatement, predicate: str, agent: EntityId, target: EntityId | None) -> FactReading:
    read = replace(reading, tokens=reading.tokens | predicate_tokens(predicate))
    if predicate.endswith("_by") and target is not None:
        agent, target = target, agent
    return FactReading(read, predicate, agent, target)


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
    """The standing of a fact at a time; none if it does not hold yet."""
    if fact.stale:
        return "superseded"
    if fact.label != "AFFILIATED":
        return "current"
    span = period(fact)
    return None if span.lo > at.hi else "ended" if span.hi < at.lo else "current"


Dated = Literal["inside", "outside", "unknown"]


def holds_at_times(claim: ParsedStatement, fact: Fact, now: Span, aspect: Aspect = "state") -> Dated:
    """Whether the times of a claim lie inside or outside the bounds of a fact, or cannot be compared.

    A claim of a beginning or an end is compared with that bound alone.
    """
    if aspect == "state":
        found = [_holds_at(day, fact, now) for day in claim.days]
    else:
        bound = fact.valid_from if aspect == "start" else fact.valid_until
        found = [None if bound is None else _is_on(day, bound) for day in claim.days]
    return "outside" if False in found else "unknown" if None in found else "inside"


def _holds_at(day: StatementPeriod, fact: Fact, now: Span) -> bool | None:
    start, end = fact.valid_from, fact.valid_until
    if day.of_any_year is not None or (start is None and end is None):
        return None
    if fact.label != "AFFILIATED":
        return None if start is None else _meets(day, start)
    span = period(fact)
    match day.lead:
        case "since":
            return None if start is None else _meets(day, start) and span.hi >= now.lo
        case "until" | "till":
            return None if end is None else _meets(day, end)
        case "before":
            return span.lo < day.lo if start is not None else None
        case "after":
            return span.hi > day.hi
    return span.lo <= day.hi and day.lo <= span.hi


def _is_on(day: StatementPeriod, bound: Time) -> bool | None:
    """Whether something of a day happened on a bound; none for a day before, after or of any year."""
    return None if day.is_bound or day.of_any_year is not None else _meets(day, bound)


def _meets(day: StatementPeriod, time: Time) -> bool:
    return day.lo <= time.hi and time.lo <= day.hi


class PredicateTraits(NamedTuple):
    """What a workspace decided about a predicate beyond the vocabulary; None where it decided nothing."""

    is_symmetric: bool = False
    is_single_valued: bool | None = None


def judge(
    claim: ParsedStatement, seen: FactRow, text: ParsedStatement, read: ReadText, at: Span, traits: PredicateTraits
) -> Judgement:
    """The judgement of a fact, by its most decisive reading."""
    standing = standing_of(seen.fact, at)
    readings = list(readings_of(seen, text, read))
    aspect = _aspect(claim, seen, readings)
    if aspect is None:
        overlap = max(compare(claim, each.reading).overlap for each in readings)
        return Judgement(overlap, False, NEUTRAL)
    is_dated = bool(claim.days) and not _has_days(seen, text, read)
    dated = holds_at_times(claim, seen.fact, at, aspect) if is_dated else None
    if aspect == "end" and (dated is not None or standing == "ended"):
        return _judge_end(claim, readings[0], dated)
    found = [_judge_reading(claim, each, standing, traits.is_symmetric, dated) for each in readings]
    best = max(found, key=lambda each: (each.stance.sign != 0, each.overlap))
    is_other = _gives_other_value(claim, seen, read) or _is_other_number(claim, seen, best.stance)
    if best.stance.sign and (is_other or _is_value_less(claim, seen)):
        best = Judgement(best.overlap, best.is_considered, NEUTRAL)
    if best.stance.sign == 0 and is_other_value(claim, seen, read, standing, traits):
        return Judgement(best.overlap, True, Stance(-1, "other_value"))
    return best


def _aspect(claim: ParsedStatement, seen: FactRow, readings: Sequence[FactReading]) -> Aspect | None:
    """The part of a fact's relation that a claim is about; none if the fact cannot tell anything of it."""
    if seen.fact.object is None and not is_state_verb(seen.fact.predicate):
        return "state"
    tokens = frozenset[str]().union(*(each.reading.tokens for each in readings))
    return relation_aspect(claim, seen.fact.predicate, tokens)


def _judge_end(claim: ParsedStatement, fact: FactReading, dated: Dated | None) -> Judgement:
    """The judgement of a fact with bounds on a claim that its relation ended."""
    compared = compare(claim, fact.reading)
    has_both = {fact.agent, fact.target} <= set(claim.entities)
    if dated == "unknown" or not has_both or roles_of(claim) != (fact.agent, fact.target):
        return Judgement(compared.overlap, compared.is_considered, NEUTRAL)
    is_denied = claim.negators % 2 == 1
    if dated == "outside":
        return Judgement(compared.overlap, True, NEUTRAL if is_denied else Stance(-1, "time"))
    return Judgement(compared.overlap, True, Stance(-1, "negation") if is_denied else Stance(1, "past"))


def _gives_other_value(claim: ParsedStatement, seen: FactRow, read: ReadText) -> bool:
    """Whether a claim names the predicate of a fact and a value, but nothing of the value of the fact."""
    fact = seen.fact
    named = predicate_tokens(fact.predicate)
    if (fact.literal is None and fact.object is None) or not named <= claim.tokens:
        return False
    if not (claim.tokens - named - {entity_token(fact.subject)} or claim.numbers or claim.days):
        return False
    value = _value(seen, read)
    if value.tokens or value.numbers or value.days:
        has_number = any(one.is_near(other) for one in claim.numbers for other in value.numbers)
        has_day = any(one.overlaps(other) for one in claim.days for other in value.days)
        return not (claim.tokens & value.tokens or has_number or has_day)
    words = {piece.word for piece in claim.pieces}
    return not words.intersection(split_words(fact.literal or seen.object_name or ""))


def _is_value_less(claim: ParsedStatement, seen: FactRow) -> bool:
    """Whether a word makes the value of a fact less than what is claimed: a trainee pilot is no pilot."""
    fact = seen.fact
    value = fact.literal or (seen.text if fact.object is None and fact.label == "AFFILIATED" else "")
    lessening = LESSENING.intersection(split_words(value))
    return bool(lessening - {piece.word for piece in claim.pieces})


def _is_other_number(claim: ParsedStatement, seen: FactRow, found: Stance) -> bool:
    """Whether only the number of another predicate stands against a claim: a phone number says nothing of employees."""
    return found.reason == "number" and not predicate_tokens(seen.fact.predicate) <= claim.tokens


def _has_days(seen: FactRow, text: ParsedStatement, read: ReadText) -> bool:
    return bool(text.days) or bool(seen.fact.literal and read(seen.fact.literal).days)


def _judge_reading(
    claim: ParsedStatement, fact: FactReading, standing: Standing | None, symmetric: bool, dated: Dated | None = None
) -> Judgement:
    compared = compare(claim, fact.reading)
    if standing is None or dated == "unknown":
        return Judgement(compared.overlap, compared.is_considered, NEUTRAL)
    by_roles = _apply_roles(claim, fact, compared, symmetric)
    if by_roles is not None and dated is not None:
        found = _stance_at_times(claim, by_roles, standing, dated)
    else:
        found = NEUTRAL if by_roles is None else stance(claim, by_roles, standing)
    return Judgement(compared.overlap, compared.is_considered, found)


def _stance_at_times(claim: ParsedStatement, compared: Comparison, standing: Standing, dated: Dated) -> Stance:
    """The stance if the claim has a time and the fact has bounds."""
    overlap = compared.overlap + (len(claim.days) / claim.size if dated == "inside" else 0)
    if dated == "inside":
        found = stance(claim, replace(compared, overlap=overlap))
        return Stance(1, "past") if found.sign > 0 and standing != "current" else found
    return stance(claim, replace(compared, overlap=overlap + len(claim.days) / claim.size, differs="time"))


def _apply_roles(claim: ParsedStatement, fact: FactReading, compared: Comparison, symmetric: bool) -> Comparison | None:
    """The comparison with the roles of two entities considered; none if swapped roles decide nothing."""
    roles = roles_of(claim)
    if (
        roles is None
        or compared.has_connective
        or roles != (fact.target, fact.agent)
        or roles == (fact.agent, fact.target)
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
    """The agent and the target of a statement about two entities."""
    if len(reading.entities) != 2:
        return None
    one, other = reading.entities
    return (other, one) if reading.is_exchanged else (one, other)


def is_other_value(
    claim: ParsedStatement, seen: FactRow, read: ReadText, standing: Standing | None, traits: PredicateTraits
) -> bool:
    """Whether the claim gives another value where there can be only one."""
    fact = seen.fact
    roles = roles_of(claim)
    agent = roles[0] if roles else claim.entities[0] if claim.entities else None
    named = predicate_tokens(fact.predicate)
    if agent != fact.subject or claim.negators or not named <= claim.tokens or standing is None:
        return False
    if not _is_exclusive(fact.predicate, claim, standing, traits):
        return False
    value = _value(seen, read)
    others = claim.tokens - named - {entity_token(fact.subject)}
    # A day does not contradict a place: a birth has both.
    has_more = bool(claim.days) if value.days else bool(others or claim.numbers)
    is_shared = bool(others & value.tokens) or any(
        one.is_near(other) for one in claim.numbers for other in value.numbers
    )
    if any(day.lead in ("before", "after") for day in claim.days):
        return False
    return has_more and not is_shared and not any(one.overlaps(other) for one in claim.days for other in value.days)


def _is_exclusive(predicate: str, claim: ParsedStatement, standing: Standing, traits: PredicateTraits) -> bool:
    """Whether a predicate has one value for good, or one at a time that the claim and the fact are both about."""
    known, is_single = built_in_predicates().get(predicate), traits.is_single_valued
    if is_single is None:
        is_single = predicate in LIFELONG | NOW_EXCLUSIVE or (known is not None and known.one_object is not None)
    is_now = claim.tense == "present" and standing == "current"
    return is_single and (predicate in LIFELONG or is_now)


def _value(seen: FactRow, read: ReadText) -> ParsedStatement:
    value = read(seen.fact.literal or seen.object_name or "")
    own = {entity_token(seen.fact.object)} if seen.fact.object is not None else set()
    words = {content_token(word) for word in (seen.object_name or "").casefold().split()}
    return replace(value, tokens=value.tokens | own | words)
