"""Changing a fact by hand so that its assertions still add up to it, and replacing facts by a newer one."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from recollect.model.certainty import Confidence, complete_confidence
from recollect.model.fact import (
    ALIAS_TAG,
    ENDS_ONLY,
    NOTHING,
    OBSOLETE_SINCE,
    Assertion,
    Claim,
    Fact,
    Source,
    Statement,
)
from recollect.model.history import add_assertion
from recollect.model.ids import AssertionId, DocumentId, FactId
from recollect.model.trust import OWNER, SOURCE_TRUST
from recollect.store.change import Change
from recollect.store.tables import RETCON
from recollect.when.format import period_before, time_of_date
from recollect.when.instant import Instant, local_date
from recollect.when.period import Time
from recollect.write.fact_draft import GIVEN
from recollect.write.names import ALIAS_PREDICATES, EMAIL, end_names, remove_email
from recollect.write.record_statement import decide_timeline
from recollect.write.slot_conflicts import resettle
from recollect.write.trust_rules import actor_trust

_OWN = frozenset({SOURCE_TRUST, ENDS_ONLY})
"""Attributes of an assertion that tell of it alone."""


def revise_fact(change: Change, fact: Fact, revised: Fact) -> Fact:
    """The fact with the revised bounds, attributes and claim, which its assertions now state too."""
    if revised == fact:
        return fact
    if revised.valid_from is not None or revised.valid_until is not None:
        decide_timeline(change)
    *older, newest = change.assertions(fact.id)
    for assertion in older:
        _revise_assertion(change, assertion, revised, NOTHING)
    _revise_assertion(change, newest, revised, revised.attributes)
    said_at = fact.source_at if revised.valid_until else None
    until_said_at = fact.until_said_at if revised.valid_until == fact.valid_until else said_at
    put = change.put_fact(revised._replace(until_said_at=until_said_at))
    if revised.slot != fact.slot:
        _resettle_old_slot(change, fact.slot)
    return resettle(change, put)


def _revise_assertion(change: Change, assertion: Assertion, revised: Fact, attributes: Mapping[str, Any]) -> None:
    begins = revised.valid_from.lo if revised.valid_from else assertion.begins
    own = {key: value for key, value in assertion.attributes.items() if key in _OWN}
    if own or SOURCE_TRUST in attributes:
        attributes = {key: value for key, value in attributes.items() if key not in _OWN} | own
    restated = assertion._replace(
        valid_from=revised.valid_from, valid_until=revised.valid_until, begins=begins, attributes=attributes
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
    assertion = _assertion_by_hand(change, fact, FactMark(sure, source_at, fact.valid_until))._replace(
        document=source.document,
        source_key=source.key or change.actor.source_key,
        source_url=source.url,
        given=source.given,
        quote=source.quote,
        evidence=evidence,
        extracted_by=source.extracted_by,
    )
    change.add_assertion(assertion)
    return resettle(change, change.put_fact(add_assertion(fact, assertion)))


def remove_evidence(change: Change, fact: Fact) -> Fact:
    """The fact without the words that its assertions gave for it."""
    for assertion in change.assertions(fact.id):
        if assertion.evidence is not None or assertion.quote is not None:
            change.put_assertion(assertion._replace(evidence=None, quote=None))
    return fact if fact.evidence is None else change.put_fact(fact._replace(evidence=None))


class FactMark(NamedTuple):
    """What somebody adds to a fact by hand: a bound, a retraction or an attribute; `given` says why."""

    sure: Confidence
    source_at: Instant
    valid_until: Time | None = None
    given: str | None = None
    attributes: Mapping[str, Any] = NOTHING
    document: DocumentId | None = None
    """The source that says so, if it is a document: withdrawing it takes the mark away."""
    valid_from: Time | None = None


def end_fact(change: Change, fact: Fact, until: Time, given: str | None, document: DocumentId | None = None) -> Fact:
    """End a fact by an assertion of its own, so that the fact stays ended when its sources are taken in again."""
    decide_timeline(change)
    if fact.policy == "dispute":
        # Of two ends, such a fact keeps the more precise one, so the ends stated before have to give way.
        for assertion in change.assertions(fact.id):
            if assertion.valid_until is not None:
                change.put_assertion(assertion._replace(valid_until=until))
        fact = fact._replace(valid_until=until if fact.valid_until else None)
    # With the time of the newest source, the end does not make the fact newer than its rivals.
    mark = FactMark(_confidence_of(fact), fact.source_at, until, given, {ENDS_ONLY: True}, document)
    return add_mark(change, fact, mark)


def begin_fact(change: Change, fact: Fact, start: Time, document: DocumentId | None = None) -> Fact:
    """Give a fact without a start one, by an assertion of its own."""
    decide_timeline(change)
    mark = FactMark(_confidence_of(fact), fact.source_at, None, None, {ENDS_ONLY: True}, document, start)
    return add_mark(change, fact, mark)


def mark_obsolete(change: Change, fact: Fact, given: str | None, document: DocumentId | None = None) -> Fact:
    """Make a fact stale without a replacement, until a newer source states it again."""
    attributes = {OBSOLETE_SINCE: max(change.now, fact.source_at)}
    return add_mark(change, fact, FactMark(_confidence_of(fact), fact.source_at, None, given, attributes, document))


def declare_wrong(change: Change, fact: Fact, given: str | None, attributes: Mapping[str, Any] = NOTHING) -> Fact:
    """Retract a fact by an assertion that is newer than its sources, so that these do not bring it back."""
    retraction = complete_confidence("retracted")
    retracted = add_mark(change, fact, FactMark(retraction, max(change.now, fact.source_at), None, given, attributes))
    if fact.is_alias or (fact.predicate in ALIAS_PREDICATES and fact.literal is not None):
        _remove_alias(change, fact)
    if fact.predicate == EMAIL and fact.literal is not None:
        remove_email(change, fact.subject, fact.literal)
    return retracted


def restore_fact(change: Change, fact: Fact, given: str | None, attributes: Mapping[str, Any] = NOTHING) -> Fact:
    """State a retracted fact again, with the bounds it had, by an assertion that is newer than the retraction."""
    sure, now = complete_confidence("stated"), max(change.now, fact.source_at)
    return add_mark(change, fact, FactMark(sure, now, fact.valid_until, given, attributes))


def set_confidence(change: Change, fact: Fact, confidence: float) -> Fact:
    """The fact with this confidence, whatever its sources gave."""
    sure = complete_confidence(confidence=confidence)
    for assertion in change.assertions(fact.id):
        if assertion.certainty != "retracted":
            change.put_assertion(assertion._replace(**sure._asdict()))
    return resettle(change, change.put_fact(fact._replace(**sure._asdict())))


def _confidence_of(fact: Fact) -> Confidence:
    return Confidence(fact.certainty, fact.source_kind, fact.confidence)


def add_mark(
    change: Change, fact: Fact, mark: FactMark, id_: AssertionId | None = None, recorded_at: Instant | None = None
) -> Fact:
    """The fact with a mark; with an id and a time of its own it is the same wherever it is derived."""
    assertion = _assertion_by_hand(change, fact, mark)
    assertion = assertion._replace(id=id_ or assertion.id, recorded_at=recorded_at or assertion.recorded_at)
    change.add_assertion(assertion)
    marked = add_assertion(fact, assertion)
    if mark.given is None and not marked.is_retracted:
        marked = marked._replace(newest=fact.newest)  # readers are shown the source of the claim
    return resettle(change, change.put_fact(marked))


def _assertion_by_hand(change: Change, fact: Fact, mark: FactMark) -> Assertion:
    who = change.actor
    attributes, trust = mark.attributes, actor_trust(change)
    if fact.trust != trust:
        # A more trusted assertion decides alone, so it has to say all that the fact says.
        kept = {key: value for key, value in fact.attributes.items() if key != SOURCE_TRUST}
        attributes = {**kept, **attributes, **({} if trust == OWNER else {SOURCE_TRUST: trust})}
    elif trust != OWNER:
        attributes = {**attributes, SOURCE_TRUST: trust}
    return Assertion(
        AssertionId(change.new_id()),
        change.tx,
        fact.id,
        mark.document,
        who.source_key,
        None,
        mark.given,
        None,
        None,
        GIVEN,
        who.surface,
        who.tool,
        who.name,
        mark.source_at,
        change.now,
        mark.sure.confidence,
        mark.sure.certainty,
        mark.sure.source_kind,
        mark.valid_from or fact.valid_from,
        mark.valid_until,
        fact.begins,
        attributes,
    )


def _remove_alias(change: Change, fact: Fact) -> None:
    """Take away the name that a retracted fact gave its subject."""
    end_names(change, fact.subject, "alias", (fact.literal or "").removeprefix(ALIAS_TAG).strip())


def stated_start(change: Change, valid_from: Time | None, source_at: Instant) -> Time:
    """When a fact begins for want of anything better: on the local day of its source."""
    if valid_from is not None:
        return valid_from
    if change.timeline.is_fictional:
        return change.world.now
    return time_of_date(local_date(source_at, change.world.zone), change.world.zone)


def start_of(change: Change, fact: Fact | Statement) -> Time:
    return stated_start(change, fact.valid_from, fact.source_at)


def replace_fact(change: Change, old: Fact, new: Fact, start: Time, document: DocumentId | None) -> Fact:
    """End a fact in the period before its successor begins; one that did not begin earlier becomes stale."""
    until = period_before(start, change.timeline)
    if old.label == "AFFILIATED" and until is not None and start_of(change, old).lo < start.lo:
        return end_fact(change, old, until, None, document)
    supersede(change, new, [old.id])
    return change.fact(old.id) or old


def supersede(change: Change, fact: Fact, old: Sequence[FactId]) -> Fact:
    """Declare that a fact replaces others, which become stale as long as it stands."""
    if old and fact.supersedes is None:
        fact = change.put_fact(fact._replace(supersedes=old[0]))
        _resettle_fact(change, old[0])
        old = old[1:]
    return supersede_more(change, fact, old)


def supersede_more(change: Change, fact: Fact, old: Sequence[FactId]) -> Fact:
    """Record that a fact, which replaces one already, replaces these too."""
    for each in old:
        change.note_superseded(each)
        change.begin_row(RETCON, (each, fact.id))
        _resettle_fact(change, each)
    return (change.fact(fact.id) or fact) if old else fact


def _resettle_fact(change: Change, fact: FactId) -> None:
    stored = change.fact(fact)
    if stored is not None:
        resettle(change, stored)
