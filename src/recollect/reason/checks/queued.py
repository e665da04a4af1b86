"""What waits for the engine: added rules run soon after each change, outside of it."""

from recollect.memory import Memory
from recollect.reason.checks.added import run_all_added
from recollect.reason.checks.runs import Tally
from recollect.reason.checks.state import drop_queued, queued_rules


def run_due(memory: Memory) -> int:
    """Run the added rules if something changed since; how many findings opened or resolved."""
    with memory.read() as view:
        mark = queued_rules(view)
    if mark is None:
        return 0
    tally = Tally()
    run_all_added(memory, tally)
    with memory.write() as change:
        drop_queued(change, mark)
    return tally.opened + tally.resolved
