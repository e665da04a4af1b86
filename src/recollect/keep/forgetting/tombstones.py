"""Memories without what was forgotten: a day may go on, but what it once said does not come back."""

from collections.abc import Iterator

from recollect.keep.identity.blocks import Block, blocks, without_blocks
from recollect.model.document import content_hash
from recollect.store.change import Change
from recollect.store.forgetting import forgotten_hash
from recollect.write.forgotten import Forgotten, of_document


def of_blocks(text: str) -> Iterator[str]:
    """A tombstone for each thing that a memory said."""
    yield from (_hash(block) for block in blocks(text) if block.kind != "heading")


def _hash(block: Block) -> str:
    key = [sorted(part) if isinstance(part, frozenset) else part for part in block.key]
    return forgotten_hash("block", repr(key))


def without_forgotten(change: Change, text: str) -> str:
    """A memory's text without what was forgotten; refused if that is all of it."""
    if not change.has_forgotten:
        return text
    said = [block for block in blocks(text) if block.kind != "heading"]
    dropped = [block for block in said if change.is_forgotten(_hash(block))]
    if dropped and len(dropped) == len(said):
        raise Forgotten("what this memory says")
    return without_blocks(text, lambda block: block in dropped) if dropped else text


def left_of(change: Change, kind: str, text: str) -> str | None:
    """What may come in of a text that another copy still has; none if all of it was forgotten."""
    if kind != "memory":
        return None if change.is_forgotten(*of_document(kind, "", [content_hash(text)])) else text
    try:
        return without_forgotten(change, text)
    except Forgotten:
        return None
