"""Links between memories follow every transaction that touches one; most touch none."""

from collections.abc import Collection

from recollect.model.ids import DocumentId, FactId
from recollect.store.change import Change
from recollect.store.rows import document_of

FACTS_AT_ONCE = 500


def follow_memories(change: Change) -> None:
    """Bring the links of all memories that a transaction touched up to it."""
    has_memories = bool(change.rows("any_memory_place"))
    touched = set(change.touched.documents)
    if has_memories:
        touched |= _asserting(change, change.touched.facts)
    found = change.rows("linkable_documents", ids=sorted(touched)) if touched else ()
    if found or (touched and has_memories):
        from recollect.keep.network.links import link_again

        link_again(change, touched, [document_of(row) for row in found])


def _asserting(change: Change, facts: Collection[FactId]) -> set[DocumentId]:
    """The memories that say one of the facts."""
    listed = sorted(facts)
    parts = (listed[start : start + FACTS_AT_ONCE] for start in range(0, len(listed), FACTS_AT_ONCE))
    return {row[0] for part in parts for row in change.rows("memories_asserting", facts=part)}
