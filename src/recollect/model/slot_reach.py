"""Which facts of a slot a statement can reach: those that it may confirm, replace or be compared with.

Slots grow: a value stated every day has a fact for each. Those that were replaced before a statement that is the
newest of its slot stay replaced by what replaced them, and an event is compared only with those of the same time. So a
writer need not read them, as long as nothing but time decides: no fact is verified or from a less trusted source.
"""

from collections.abc import Sequence
from typing import NamedTuple

from recollect.model.fact import Fact, Statement
from recollect.model.history import choose_confirmed_fact, says_the_same
from recollect.model.names import fold_words
from recollect.model.trust import OWNER
from recollect.when.instant import MAX, MIN

TEXT_LENGTH = 100
"""So much of its folded text finds a replaced fact; the index `fact_replaced` has as much."""
_DECIDING = frozenset({"modality", "time_pending", "obsolete_since", "own_items", "ends_only", "hidden_since"})


class ComparisonScope(NamedTuple):
    """Where the facts lie that a statement can reach, as indexes know them; of those that are current, all."""

    text: str
    """What a replaced fact with the same words has; empty if no index can tell."""
    events_from: int
    events_to: int


def comparison_scope(statement: Statement) -> ComparisonScope | None:
    """Where the facts lie that a statement can reach; none if that may be the whole slot."""
    policy, is_plain = statement.claim.policy, statement.attributes.keys().isdisjoint(_DECIDING)
    if not statement.words or statement.supersedes is not None or policy == "dispute" or not is_plain:
        return None
    if statement.certainty == "retracted" or statement.trust != OWNER:
        return None
    folded = fold_words(statement.words)
    text = folded[:TEXT_LENGTH] if folded.isascii() else ""
    # An affiliation that ended bounds the next one, whatever its policy.
    if statement.claim.label == "AFFILIATED":
        return ComparisonScope(text, MIN, MAX)
    return ComparisonScope(text, statement.source_at, statement.source_at)


def facts_in_reach(statement: Statement, slot: Sequence[Fact]) -> list[Fact] | None:
    """Those of the facts that a statement can reach; none if the whole slot has to be settled."""
    near = [fact for fact in slot if not _is_out_of_reach(statement, fact)]
    rivals = [fact for fact in near if fact.policy == statement.claim.policy == "supersede"]
    if not all(_is_decided_by_time(statement, fact) for fact in rivals):
        return None
    confirmed = choose_confirmed_fact(statement, near)
    if confirmed is None or (confirmed in rivals and _is_newest(confirmed, rivals)):
        return near
    return None


def _is_out_of_reach(statement: Statement, fact: Fact) -> bool:
    """Whether a fact neither says the same as a newer statement nor changes by it, whatever else is in the slot."""
    is_affiliation = fact.label == "AFFILIATED"
    if fact.policy == "accumulate":
        return fact.source_at != statement.source_at and not is_affiliation
    return (
        fact.stale
        and fact.policy == "supersede"
        and fact.replaced_by is not None
        and fact.source_at < statement.source_at
        and fact.certainty not in ("verified", "retracted")
        and fact.trust == OWNER
        and not (is_affiliation and fact.valid_until is not None)
        and not says_the_same(statement, fact)
    )


def _is_decided_by_time(statement: Statement, fact: Fact) -> bool:
    return (
        not fact.stale
        and fact.source_at <= statement.source_at
        and fact.certainty != "verified"
        and fact.trust == OWNER
    )


def _is_newest(confirmed: Fact, rivals: Sequence[Fact]) -> bool:
    """Whether a current fact is the newest of its slot, so that what it replaced stays replaced by it."""
    if confirmed.is_retracted or confirmed.supersedes is not None:
        return False
    return all(fact is confirmed or fact.source_at < confirmed.source_at for fact in rivals)
