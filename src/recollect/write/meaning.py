"""The meaning of a predicate in a workspace, and its first use there."""

from functools import lru_cache

from recollect.model.fact import Claim, Label
from recollect.model.ids import EntityId
from recollect.model.vocabulary import Predicate, Target, Usage, built_in, meaning
from recollect.model.wording import snake
from recollect.store.change import Change

_BUILT_IN_USAGE = Usage()


def claim(
    change: Change,
    subject: EntityId,
    object_: EntityId | None,
    literal: str | None,
    *,
    predicate: str | None = None,
    label: Label | None = None,
    fact_type: str | None = None,
) -> Claim:
    """The claim that these words make here; a predicate used for the first time enters the vocabulary."""
    target: Target = "entity" if object_ is not None else "literal" if literal is not None else "none"
    meant = _meaning(change, predicate, label, fact_type, target)
    return Claim(subject, meant.name, meant.label, meant.fact_type, object_, literal, meant.symmetric, meant.policy)


def _meaning(
    change: Change, predicate: str | None, label: Label | None, fact_type: str | None, target: Target
) -> Predicate:
    known = _built_in_meaning(predicate, label, fact_type, target)
    if known is not None:
        return known
    meant = meaning(predicate, label, fact_type, target, change.usage(snake(predicate or fact_type or "")))
    change.use_predicate(meant.name)
    return meant


@lru_cache(1024)
def _built_in_meaning(
    predicate: str | None, label: Label | None, fact_type: str | None, target: Target
) -> Predicate | None:
    """What the words mean in every workspace; none if that is for the workspace to say."""
    if snake(predicate or fact_type or "") not in built_in():
        return None
    return meaning(predicate, label, fact_type, target, _BUILT_IN_USAGE)
