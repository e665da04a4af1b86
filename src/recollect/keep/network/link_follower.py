"""Follower that brings links up to each transaction; loads the rest only when a memory was touched."""

from collections.abc import Collection

from recollect.model.ids import DocumentId, FactId
from recollect.store.change import Change
from recollect.store.rows import document_of

FACT_BATCH = 500


def follow_memories(change: Change) -> None:
    """Bring the links of all memories that a transaction touched up to it."""
    has_memories = bool(change.rows("any_memory_place"))
    touched = set(change.touched.documents)
    if has_memories:
        touched |= _memories_asserting(change, change.touched.facts)
    found = change.rows("linkable_documents", ids=sorted(touched)) if touched else ()
    if found or (touched and has_memories):
        from recollect.keep.network.links import relink

        relink(change, touched, [document_of(row) for row in found])


def _memories_asserting(change: Change, facts: Collection[FactId]) -> set[DocumentId]:
    """The memories that say one of the facts."""
    listed = sorted(facts)
    parts = (listed[start : start + FACT_BATCH] for start in range(0, len(listed), FACT_BATCH))
    return {row[0] for part in parts for row in change.rows("memories_asserting", facts=part)}
