"""Listeners called inside every transaction, so that derived data is never behind the facts."""

from typing import TYPE_CHECKING

from recollect import memory
from recollect.memory import ChangeListener, Memory
from recollect.settings import Settings
from recollect.when.clock import Clock

if TYPE_CHECKING:
    from recollect.store.change import Change


def standard_listeners() -> tuple[ChangeListener, ...]:
    """The listeners of every entry point."""
    return _link_memories, _check_rules, _index


def _link_memories(_: Memory, change: "Change") -> None:
    """Update the links of all memories that a transaction changed; most change none, and load no derivation."""
    facts = change.touched.documented_facts
    if not (change.touched.documents or facts):
        return
    from recollect.store import network_queries

    has_memories = network_queries.has_places(change)
    changed = set(change.touched.documents)
    if has_memories:
        changed |= network_queries.memories_asserting(change, facts)
    linkable = network_queries.linkable_documents(change, changed)
    if linkable or (changed and has_memories):
        from recollect.keep.network.links import relink

        relink(change, changed, linkable)


def _check_rules(memory: Memory, change: "Change") -> None:
    from recollect.reason.checks.engine_state import is_watching

    if is_watching(change):
        from recollect.reason.checks.incremental import check_change

        check_change(memory, change)


def _index(_: Memory, change: "Change") -> None:
    if change.touched.documents:
        from recollect.indexing import index_change

        index_change(change)


def open_memory(
    db: str | None = None, workspace: str | None = None, settings: Settings | None = None, clock: Clock | None = None
) -> Memory:
    """The memory at an address, with the standard listeners."""
    return memory.open_memory(db, workspace, settings, clock, standard_listeners())
