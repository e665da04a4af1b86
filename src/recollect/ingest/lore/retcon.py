"""Retcons: relations that a new one was declared to replace."""

from collections.abc import Sequence

from recollect.ingest.lore.problems import AlreadySuperseded, BadStatement, NoSuchRelation
from recollect.model.fact import Claim, Fact
from recollect.model.ids import FactId, say_fact
from recollect.model.relations import relation_stored_as
from recollect.store.change import Change
from recollect.store.tables import OPEN, RETCON
from recollect.write.settle import resettle


def check_superseded(change: Change, old: Sequence[FactId], claimed: Claim) -> None:
    """Refuse a retcon of what is not there, replaced already, or about something else."""
    for fact in old:
        _check(change, fact, claimed)


def _check(change: Change, old: FactId, claimed: Claim) -> None:
    held = change.fact(old)
    if held is None:
        raise NoSuchRelation(say_fact(old), "supersedes")
    if held.stale and held.replaced_by is not None:
        raise AlreadySuperseded(old, current_of(change, held).id)
    if held.is_retracted or not _has_live_ends(change, held):
        raise BadStatement(f"{say_fact(old)} is withdrawn; only a live relation can be superseded", field="supersedes")
    if relation_stored_as(held.predicate).name != relation_stored_as(claimed.predicate).name:
        raise BadStatement(f"{say_fact(old)} is another relation ({held.predicate.upper()})", field="supersedes")
    if not {held.subject, held.object} & ({claimed.subject, claimed.object} - {None}):
        raise BadStatement(f"{say_fact(old)} shares no end with the new relation", field="supersedes")


def _has_live_ends(change: Change, fact: Fact) -> bool:
    ends = (fact.subject, fact.object) if fact.object is not None else (fact.subject,)
    return all((held := change.entity(end)) is not None and held.is_live for end in ends)


def current_of(change: Change, fact: Fact) -> Fact:
    """The fact that stands in the place of one that was replaced, however often."""
    seen = {fact.id}
    while fact.replaced_by is not None and fact.replaced_by not in seen:
        following = change.fact(fact.replaced_by)
        if following is None:
            break
        seen.add(following.id)
        fact = following
    return fact


def replaced_already(change: Change, fact: Fact, old: Sequence[FactId]) -> bool:
    """Whether all of these were replaced by this very fact."""
    held = [change.fact(each) for each in old]
    return all(each is not None and each.replaced_by == fact.id for each in held)


def supersede_further(change: Change, fact: Fact, old: Sequence[FactId]) -> Fact:
    """Let the fact replace these too."""
    for each in old:
        change.connection.insert(RETCON, ((change.ws, each, fact.id, change.tx, OPEN),))
        held = change.fact(each)
        if held is not None:
            resettle(change, held)
    return (change.fact(fact.id) or fact) if old else fact
