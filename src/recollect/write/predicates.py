"""The meaning of a predicate in a workspace, and its first use there."""

from functools import lru_cache

from recollect.model.fact import Claim, Label
from recollect.model.ids import EntityId
from recollect.model.similarity import to_snake_case
from recollect.model.vocabulary import Predicate, PredicateUsage, Target, built_in_predicates, resolve_predicate
from recollect.store.change import Change

_BUILT_IN_USAGE = PredicateUsage()


def claim(
    change: Change,
    subject: EntityId,
    object_: EntityId | None,
    literal: str | None,
    predicate: str | None = None,
    label: Label | None = None,
    fact_type: str | None = None,
) -> Claim:
    """The claim that these words make here; a predicate used for the first time enters the vocabulary."""
    target = target_of(object_, literal)
    meant = cached_meaning(change, predicate, label, fact_type, target)
    if meant is None:
        meant = _first_meaning(change, predicate, label, fact_type, target)
    policies = (change.recent.world or change.world).policies
    policy = policies.get(meant.name, meant.policy) if policies else meant.policy
    return Claim._make((subject, meant.name, meant.label, meant.fact_type, object_, literal, meant.symmetric, policy))


def cached_meaning(
    change: Change, predicate: str | None, label: Label | None, fact_type: str | None, target: Target
) -> Predicate | None:
    """What the words mean here, if they do so everywhere or were looked up before."""
    known = _built_in_meaning(predicate, label, fact_type, target)
    return change.recent.meanings.get((predicate, label, fact_type, target)) if known is None else known


def target_of(object_: EntityId | None, literal: str | None) -> Target:
    """What kind of thing a claim points at."""
    return "entity" if object_ is not None else "literal" if literal is not None else "none"


def _first_meaning(
    change: Change, predicate: str | None, label: Label | None, fact_type: str | None, target: Target
) -> Predicate:
    usage = change.usage(to_snake_case(predicate or fact_type or ""))
    meant = resolve_predicate(predicate, label, fact_type, target, usage)
    if usage.first_surface is None:
        # Who uses it first may decide what it means from then on, so that is looked up once more.
        change.use_predicate(meant.name)
    else:
        change.recent.meanings[predicate, label, fact_type, target] = meant
    return meant


@lru_cache(1024)
def _built_in_meaning(
    predicate: str | None, label: Label | None, fact_type: str | None, target: Target
) -> Predicate | None:
    """The meaning of a predicate in every workspace; none if it depends on the workspace."""
    if to_snake_case(predicate or fact_type or "") not in built_in_predicates():
        return None
    return resolve_predicate(predicate, label, fact_type, target, _BUILT_IN_USAGE)
