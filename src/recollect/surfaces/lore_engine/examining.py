"""One read that shows findings: they are brought up to date before, as far as that does not take long."""

from collections.abc import Iterator
from contextlib import contextmanager

from recollect.memory import AsOf, Memory
from recollect.reason.checks.full import Effort, ready_to_read
from recollect.reason.lore.reading import Lore
from recollect.surfaces.lore_engine.asking import Asking


@contextmanager
def asking_findings(memory: Memory, as_of: AsOf = None, effort: Effort = "look") -> Iterator[Asking]:
    """One consistent read of the world and its findings as they were known then."""
    is_complete = ready_to_read(memory, effort)
    with memory.read(as_of) as view:
        yield Asking(memory, view, Lore(view), knows_all_findings=is_complete)
