"""Recording a statement: confirm the fact that says the same, or make a new one, then settle the slot."""

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

from recollect.errors import Refused
from recollect.model.certainty import first_kind, stronger
from recollect.model.fact import ALIAS_TAG, ENDS_ONLY, Assertion, Claim, Fact, Policy, Statement
from recollect.model.history import (
    add_assertion,
    choose_confirmed_fact,
    is_order_free,
    new_fact_bounds,
    statement_begins,
)
from recollect.model.ids import FactId
from recollect.model.slot import comparison_scope, facts_in_reach
from recollect.model.trust import CLAIMED_TIME, OWNER, SOURCE_TRUST, Trust, lower_trust
from recollect.store.change import Change
from recollect.when.instant import DAY, Instant, format_instant
from recollect.write.names import add_alias
from recollect.write.slot_conflicts import has_values_of_other_trust, settle_slot
from recollect.write.tombstones import check_fact
from recollect.write.trust_rules import actor_trust, raise_trust_of_ends

MANY_IN_SLOT = 32
"""Of a slot with so many facts only those are read that a statement can reach."""


class EndsBeforeItBegins(Refused):
    def __init__(self, valid_from: str, valid_until: str) -> None:
        super().__init__(
            f"valid_until {valid_until} lies before valid_from {valid_from}; swap them or drop one", field="valid_until"
        )


class RecordedFact(NamedTuple):
    """The fact a statement ended in, and whether it was made by it."""

    fact: Fact
    is_new: bool


def record_statement(change: Change, statement: Statement) -> RecordedFact:
    """Write one statement, and what follows from it for the others of its slot."""
    return record_assessed(change, assess_source(change, statement))


def record_assessed(change: Change, statement: Statement) -> RecordedFact:
    """Write one statement that `assess_source` returned."""
    claim = statement.claim
    number = claim.slot
    check_fact(change, number)
    raise_trust_of_ends(change, statement)
    if statement.valid_from is not None or statement.valid_until is not None:
        check_bounds(statement)
        decide_timeline(change)
    slot = _facts_in_reach(change, statement, number)
    same = choose_confirmed_fact(statement, slot) if slot else None
    recorded = _create_fact(change, statement, number, slot) if same is None else _confirm_fact(change, statement, same)
    is_plain = not statement.attributes or not (recorded.fact.is_pending or recorded.fact.is_unasserted)
    if (
        not slot
        and claim.policy != "dispute"
        and statement.supersedes is None
        and is_plain
        and not recorded.fact.is_alias
        and not has_values_of_other_trust(change, recorded.fact)
    ):
        return recorded  # the first fact of a slot touches nothing beside it
    rest = [fact for fact in slot if fact.id != recorded.fact.id]
    settled = settle_slot(change, [*rest, recorded.fact], recorded.fact)
    if recorded.fact.is_alias:
        _name_subject(change, claim, statement.trust)
    return RecordedFact(settled, recorded.is_new)


def _facts_in_reach(change: Change, statement: Statement, slot: int) -> Sequence[Fact]:
    """The facts of the slot that a statement may confirm or affect; all of them unless there are many."""
    claim = statement.claim
    first = change.facts_claiming(claim, slot, MANY_IN_SLOT)
    if len(first) < MANY_IN_SLOT:
        return first
    reach = comparison_scope(statement)
    found = None if reach is None else change.facts_reached(claim, slot, reach)
    near = None if found is None else facts_in_reach(statement, found)
    return change.facts_claiming(claim, slot) if near is None else near


def assess_source(change: Change, statement: Statement) -> Statement:
    """The statement with the trust in its source, and at a time that is not in the future."""
    trust, own = statement.trust, change.actor_trust or actor_trust(change)
    trust = trust if own == OWNER else lower_trust(trust, own)
    if statement.source_at > change.now + DAY:
        far = statement.source_at
        claimed = {CLAIMED_TIME: format_instant(far)}
        statement = statement._replace(source_at=change.now, attributes={**statement.attributes, **claimed})
        trust = lower_trust(trust, "unknown") if is_far_ahead(change, far) else trust
    if trust != OWNER and statement.attributes.get(SOURCE_TRUST) != trust:
        statement = statement._replace(attributes={**statement.attributes, SOURCE_TRUST: trust})
    return statement


def is_far_ahead(change: Change, at: Instant) -> bool:
    """Whether a source claims an implausible time, more than a year from now."""
    return at > change.now + 366 * DAY


def _name_subject(change: Change, claim: Claim, trust: Trust) -> None:
    """A tag `alias:NAME` is another name of its subject, at once and everywhere."""
    subject, alias = change.entity(claim.subject), (claim.literal or "")[len(ALIAS_TAG) :].strip()
    if subject is not None and alias:
        add_alias(change, subject, alias, trust)


def check_bounds(statement: Statement) -> None:
    start, end = statement.valid_from, statement.valid_until
    if start is not None and end is not None and start.lo > end.hi:
        raise EndsBeforeItBegins(start.text, end.text)


def decide_timeline(change: Change) -> None:
    """The first date that is stored decides an undecided timeline: it is the Gregorian one."""
    if change.world.timeline.kind == "undecided":
        change.put_setting("timeline", "gregorian")


def _confirm_fact(change: Change, statement: Statement, fact: Fact) -> RecordedFact:
    assertion = _assertion(change, statement, fact.id)
    change.add_assertion(assertion)
    worded = fact._replace(words=fact.words or statement.words)
    is_late = assertion.source_at < fact.source_at
    if is_order_free(fact, assertion, was_retracted=is_late and change.was_retracted(fact.id)):
        return RecordedFact(change.put_fact(add_assertion(worded, assertion)), False)
    return RecordedFact(change.put_fact(sum_assertions(worded, change.assertions(fact.id))), False)


def _create_fact(change: Change, statement: Statement, number: int, slot: Sequence[Fact]) -> RecordedFact:
    assertion = _assertion(change, statement, change.new_id())
    if ENDS_ONLY in assertion.attributes:
        assertion = assertion._replace(attributes=assertion.fact_attributes)  # the first is where the fact comes from
    if slot:
        bounds = new_fact_bounds(statement, slot)
        assertion = assertion._replace(valid_from=bounds.valid_from, valid_until=bounds.valid_until)
    claim = statement.claim
    fact = _fact_from_assertion(claim, number, claim.policy, assertion, statement.words, statement.supersedes)
    change.add_fact(fact, (assertion,))
    return RecordedFact(fact, True)


# Every fact passes through these two: unpacking costs less than attributes, and `_make` half of the constructor.


def _assertion(change: Change, statement: Statement, fact: FactId) -> Assertion:
    (
        _, source_at, certainty, source_kind, confidence, _, evidence, valid_from, valid_until, _, source,
        attributes, _,
    ) = statement  # fmt: skip
    document, key, url, given, quote, extracted_by, _ = source
    who = change.actor
    return Assertion._make(
        (
            change.new_id(), change.tx, fact, document, key or who.source_key, url, given, quote, evidence,
            extracted_by, who.surface, who.tool, who.name, source_at, change.now, confidence, certainty, source_kind,
            valid_from, valid_until, statement_begins(statement), attributes,
        )
    )  # fmt: skip


def _fact_from_assertion(
    claim: Claim, slot: int, policy: Policy, assertion: Assertion, words: str | None, supersedes: FactId | None
) -> Fact:
    """The fact that one assertion alone makes."""
    subject, predicate, label, fact_type, object_, literal, _, _ = claim
    (
        id_, tx, fact, _, _, _, _, _, evidence, _, _, _, _, source_at, recorded_at, confidence, certainty, source_kind,
        valid_from, valid_until, begins, attributes,
    ) = assertion  # fmt: skip
    return Fact._make(
        (
            fact, tx, subject, predicate, object_, literal, label, fact_type, policy, slot,
            literal is not None and claim.is_alias, words, evidence, valid_from, valid_until, begins,
            source_at if valid_until else None, source_at, recorded_at, recorded_at, confidence, certainty, source_kind,
            False, None, False, supersedes, attributes, id_, 1,
        )
    )  # fmt: skip


def count_sources(change: Change, fact: FactId) -> int:
    """How many assertions claim a fact; those that retract or end it are no sources of it."""
    return sum(each.is_claim for each in change.assertions(fact))


def sum_assertions(fact: Fact, assertions: Sequence[Assertion]) -> Fact:
    """The fact that these assertions, oldest source first, add up to; without any it is retracted."""
    if not assertions:
        return fact._replace(certainty="retracted", confidence=0.0, source_count=0)
    first, *rest = assertions
    found = _fact_from_assertion(fact.claim, fact.slot, fact.policy, first, fact.words, fact.supersedes)
    found = found._replace(recorded_at=fact.recorded_at, attributes=first.fact_attributes)
    for assertion in rest:
        found = add_assertion(found, assertion)
    deciding = [each for each in assertions if each.trust == found.trust]
    return found._replace(
        certainty="retracted" if found.is_retracted else reduce(stronger, (each.certainty for each in deciding)),
        source_kind=reduce(first_kind, (each.source_kind for each in deciding)),
        confidence=max(each.confidence for each in deciding),
        stale=fact.stale,
        replaced_by=fact.replaced_by,
        disputed=fact.disputed,
    )
