"""Taking a transaction back with all that follows from it."""

from recollect.ingest.lore.moving import move_times
from recollect.memory import Memory
from recollect.reason.checks.ruling import rules_touched, settle_rule
from recollect.store.change import Change
from recollect.when.problems import DefinitionConflict
from recollect.write.undo import LaterOnesRestOnIt, undo


def take_back(memory: Memory, change: Change, tx: int) -> int:
    """Undo a transaction; times stored since then stand where the eras and the zone that are back put them.

    A rule that is back or gone has its findings back, or none.
    """
    before = change.world.timeline
    number = undo(change, tx)
    try:
        move_times(change, before, change.world.timeline)
    except DefinitionConflict as problem:
        raise LaterOnesRestOnIt(tx, "time") from problem
    for rule in sorted(rules_touched(change)):
        settle_rule(memory, change, rule)
    return number
