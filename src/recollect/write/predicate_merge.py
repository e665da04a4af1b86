"""Merging two predicates: the facts of one are re-stated under the other, whose alias it becomes."""

from recollect.model.fact import Fact
from recollect.model.ids import FactId
from recollect.store.change import Change
from recollect.store.write_queries import facts_with_predicate
from recollect.write.merge import move_fact
from recollect.write.predicate_names import add_predicate_alias
from recollect.write.predicates import claim


def merge_predicates(change: Change, loser: str, survivor: str) -> tuple[FactId, ...]:
    """Let one predicate stand for another, from now on and in the facts already recorded."""
    facts = facts_with_predicate(change, loser)
    for fact in facts:
        _restate(change, fact, survivor)
    add_predicate_alias(change, loser, survivor)
    return tuple(fact.id for fact in facts if not fact.is_retracted)


def _restate(change: Change, fact: Fact, predicate: str) -> None:
    meant = claim(change, fact.subject, fact.object, fact.literal, predicate, fact.label)
    move_fact(
        change,
        fact._replace(predicate=meant.predicate, fact_type=meant.fact_type, policy=meant.policy, slot=meant.slot),
    )
