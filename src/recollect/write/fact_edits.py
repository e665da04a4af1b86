"""Changing a fact by hand so that its assertions still add up to it."""

from collections.abc import Mapping
from typing import Any

from recollect.model.certainty import Confidence
from recollect.model.fact import NOTHING, Assertion, Claim, Fact, Source
from recollect.model.history import add_assertion
from recollect.model.ids import AssertionId
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.write.record import decide_timeline
from recollect.write.settle import resettle


def revise_fact(change: Change, fact: Fact, wanted: Fact) -> Fact:
    """The fact with the bounds, attributes and claim wanted, which its assertions now state too."""
    if wanted == fact:
        return fact
    if wanted.valid_from is not None or wanted.valid_until is not None:
        decide_timeline(change)
    *older, newest = change.assertions(fact.id)
    for assertion in older:
        _revise_assertion(change, assertion, wanted, NOTHING)
    _revise_assertion(change, newest, wanted, wanted.attributes)
    said_at = fact.source_at if wanted.valid_until else None
    until_said_at = fact.until_said_at if wanted.valid_until == fact.valid_until else said_at
    put = change.put_fact(wanted._replace(until_said_at=until_said_at))
    if wanted.slot != fact.slot:
        _resettle_old_slot(change, fact.slot)
    return resettle(change, put)


def _revise_assertion(change: Change, assertion: Assertion, wanted: Fact, attributes: Mapping[str, Any]) -> None:
    begins = wanted.valid_from.lo if wanted.valid_from else assertion.begins
    restated = assertion._replace(
        valid_from=wanted.valid_from, valid_until=wanted.valid_until, begins=begins, attributes=attributes
    )
    if restated != assertion:
        change.put_assertion(restated)


def _resettle_old_slot(change: Change, slot: int) -> None:
    left = change.facts_in_slot(slot)
    if left:
        resettle(change, left[0])


def change_predicate(fact: Fact, claim: Claim) -> Fact:
    """The same ends under another predicate."""
    return fact._replace(
        predicate=claim.predicate, label=claim.label, fact_type=claim.fact_type, policy=claim.policy, slot=claim.slot
    )


def add_evidence(
    change: Change, fact: Fact, evidence: str, sure: Confidence, source_at: Instant, source: Source
) -> Fact:
    """The fact with one more assertion that gives words for it and leaves its bounds as they are."""
    who = change.actor
    assertion = Assertion(
        AssertionId(change.new_id()),
        change.tx,
        fact.id,
        source.document,
        source.key or who.source_key,
        source.url,
        source.given,
        source.quote,
        evidence,
        source.extracted_by,
        who.surface,
        who.tool,
        who.name,
        source_at,
        change.now,
        sure.confidence,
        sure.certainty,
        sure.source_kind,
        fact.valid_from,
        fact.valid_until,
        fact.begins,
        NOTHING,
    )
    change.add_assertion(assertion)
    return resettle(change, change.put_fact(add_assertion(fact, assertion)))


def remove_evidence(change: Change, fact: Fact) -> Fact:
    """The fact without the words that its assertions gave for it."""
    for assertion in change.assertions(fact.id):
        if assertion.evidence is not None or assertion.quote is not None:
            change.put_assertion(assertion._replace(evidence=None, quote=None))
    return fact if fact.evidence is None else change.put_fact(fact._replace(evidence=None))
