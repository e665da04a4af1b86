"""Updates memory links after each transaction; imports the derivation only when a memory was changed."""

from recollect.store import network_queries
from recollect.store.change import Change


def follow_memories(change: Change) -> None:
    """Update the links of all memories that a transaction changed."""
    has_memories = network_queries.has_places(change)
    changed = set(change.touched.documents)
    if has_memories:
        changed |= network_queries.memories_asserting(change, change.touched.facts)
    linkable = network_queries.linkable_documents(change, changed)
    if linkable or (changed and has_memories):
        from recollect.keep.network.links import relink

        relink(change, changed, linkable)
