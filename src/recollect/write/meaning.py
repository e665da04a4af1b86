"""The meaning of a predicate in a workspace, and its first use there."""

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
    name = snake(predicate or fact_type or "")
    if name in built_in():
        return meaning(predicate, label, fact_type, target, _BUILT_IN_USAGE)
    meant = meaning(predicate, label, fact_type, target, change.usage(name))
    change.use_predicate(meant.name)
    return meant
