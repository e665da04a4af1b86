"""Replacing facts by a newer one: those that began earlier end just before it, the others become stale."""

from collections.abc import Sequence

from recollect.model.fact import Fact, Statement
from recollect.model.ids import DocumentId, FactId
from recollect.store.change import Change
from recollect.store.tables import OPEN, RETCON
from recollect.when.format import period_before, time_of_date
from recollect.when.instant import Instant, local_date
from recollect.when.period import Time
from recollect.write.fact_edits import end_fact
from recollect.write.slot_conflicts import resettle


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
        change.connection.insert(RETCON, ((change.ws, each, fact.id, change.tx, OPEN),))
        _resettle_fact(change, each)
    return (change.fact(fact.id) or fact) if old else fact


def _resettle_fact(change: Change, fact: FactId) -> None:
    held = change.fact(fact)
    if held is not None:
        resettle(change, held)
