"""One write: what it asks before it writes, and what its answer says of the findings it opened."""

from collections.abc import Callable, Mapping
from typing import Any

from recollect.memory import Memory
from recollect.reason.checks.after import outcome_of
from recollect.reason.checks.finding import say_finding
from recollect.reason.checks.full import ensure_awake
from recollect.reason.lore.reading import Lore
from recollect.store.change import Change
from recollect.surfaces.lore_engine.asking import Asking
from recollect.surfaces.lore_engine.finding_shown import say_brief
from recollect.surfaces.lore_engine.results import ViolationBrief, Written


class Writing(Asking):
    """A transaction in the hands of one call; asks like a read, and `change` writes."""

    __slots__ = ()

    @property
    def change(self) -> Change:
        if not isinstance(self.view, Change):
            raise TypeError("a write needs a change")
        return self.view


def written(memory: Memory, act: Callable[[Writing], Mapping[str, Any]]) -> Any:
    """What `act` answers, kept in one transaction, with the number of it and the findings it opened and closed.

    A call that changed nothing names the last transaction.
    """
    ensure_awake(memory, "follow")
    with memory.write() as change:
        asked = Writing(memory, change, Lore(change))
        said = asked.with_resolution(act(asked))
        last = change.tx if change.has_changed else change.last_tx
    return {**said, **_found(change, last)}


def _found(change: Change, tx: int) -> Written:
    opened, resolved = outcome(change)
    return {"tx": tx, "violations": opened, "resolved_violations": resolved}


def outcome(change: Change) -> tuple[list[ViolationBrief], list[str]]:
    """The findings that a kept change opened, without what is only missing, and the ids of those it closed."""
    found = outcome_of(change)
    opened = [say_brief(each) for each in found.opened if each.category != "orphan"]
    return opened, [say_finding(each) for each in found.resolved]
